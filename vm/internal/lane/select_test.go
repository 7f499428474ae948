package lane

import (
	"math/bits"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// room lists the opcodes from registers to registers, as ranges in the order of the table: what stands between their
// first and last opcode belongs here, the exceptions apart.
var room = []struct {
	first, last isa.Opcode
	except      []isa.Opcode
}{
	{first: isa.OpAdd, last: isa.OpPrmt},
	{first: isa.OpCvt, last: isa.OpCvtPack},
	{first: isa.OpVote, last: isa.OpElect, except: []isa.Opcode{isa.OpGriddepcontrol}},
	{first: isa.OpMma, last: isa.OpMma},
	{first: isa.OpVadd, last: isa.OpVset4},
}

// TestSelectors demands a selector for every opcode of the room and for no other.
func TestSelectors(t *testing.T) {
	want := map[isa.Opcode]bool{}
	for _, r := range room {
		for op := r.first; op <= r.last; op++ {
			want[op] = true
		}
		for _, op := range r.except {
			delete(want, op)
		}
	}
	for op := isa.OpNone; op < isa.NumOpcodes; op++ {
		if got := Executes(op); got != want[op] {
			t.Errorf("Executes(%s) = %v, want %v", op, got, want[op])
		}
	}
	if Executes(isa.NumOpcodes) {
		t.Error("an opcode beyond the table executes")
	}
}

// instruction makes an instruction of a word with so many operands, all registers.
func instruction(t testing.TB, word string, operands int) *isa.Inst {
	t.Helper()
	op, mods, types, err := isa.Split(word)
	if err != nil {
		t.Fatal(err)
	}
	in := &isa.Inst{Op: op, Mods: mods, Types: types, Operands: make([]isa.Operand, operands)}
	for i := range in.Operands {
		in.Operands[i] = isa.Operand{Kind: isa.OperandReg, Part: -1}
	}
	return in
}

// TestListIsReached demands that Select picks every generated function for the words that it is listed under.
func TestListIsReached(t *testing.T) {
	for _, s := range lanes {
		c, ok := Select(instruction(t, s.word, 3), nil)
		if !ok || reflect.ValueOf(c.Run).Pointer() != reflect.ValueOf(s.run).Pointer() {
			t.Errorf("Select does not pick the function listed for %s", s.word)
		}
	}
	for _, s := range compares {
		if _, ok := Select(instruction(t, s.word, 3), nil); !ok {
			t.Errorf("Select does not know %s", s.word)
		}
	}
}

// TestModifierOrder demands that modifiers are a set.
func TestModifierOrder(t *testing.T) {
	for _, word := range []string{"add.ftz.rn.f32", "add.f32.ftz.rn", "fma.ftz.rn.f32", "setp.s32.lt", "bfind.u32.shiftamt", "cvt.f32.rn.s32"} {
		if _, ok := Select(instruction(t, word, 4), nil); !ok {
			t.Errorf("Select refuses %s", word)
		}
	}
	for _, word := range []string{"add.f32x2.cc", "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "sin.f32", "fma.rn.oob.f16", "cvt.rs.f16x2.f32"} {
		if op, mods, types, err := isa.Split(word); err == nil {
			if _, ok := Select(&isa.Inst{Op: op, Mods: mods, Types: types, Operands: make([]isa.Operand, 4)}, nil); ok {
				t.Errorf("Select accepts %s", word)
			}
		}
	}
}

// randomWarp has registers full of random bits.
func randomWarp(r *rand.Rand) *state.Warp {
	w := &state.Warp{R32: make([][32]uint32, 8), R64: make([][32]uint64, 8), P: []uint32{r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()}, Prog: &state.Program{}}
	for i := range w.R32 {
		for l := range 32 {
			w.R32[i][l], w.R64[i][l] = r.Uint32(), r.Uint64()
		}
	}
	return w
}

// TestMasks runs every generated function over all lanes and over some: the lanes of the mask agree, no other is written.
func TestMasks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	op := &state.Op{D: 4, D2: -1, A: 0, B: 1, C: 2, E: 3}
	for _, s := range lanes {
		for range 8 {
			before := randomWarp(r)
			run := func(mask uint32, full bool) *state.Warp {
				w := &state.Warp{R32: append([][32]uint32(nil), before.R32...), R64: append([][32]uint64(nil), before.R64...),
					P: append([]uint32(nil), before.P...), Prog: before.Prog, Active: mask, Full: full}
				if s.run(w, op) != state.Next {
					t.Errorf("%s does not answer Next", s.word)
				}
				return w
			}
			mask := r.Uint32()
			full, some := run(1<<32-1, true), run(mask, false)
			for l := range 32 {
				want32, want64 := before.R32[4][l], before.R64[4][l]
				if mask>>l&1 != 0 {
					want32, want64 = full.R32[4][l], full.R64[4][l]
				}
				if some.R32[4][l] != want32 || some.R64[4][l] != want64 {
					t.Fatalf("%s: lane %d of mask %08x", s.word, l, mask)
				}
			}
		}
	}
}

// TestCompareMasks does the same for comparisons.
func TestCompareMasks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	op := &state.Op{D: 3, D2: -1, A: 0, B: 1}
	for _, s := range compares {
		for range 8 {
			w := randomWarp(r)
			w.R32[1][r.IntN(32)] = w.R32[0][r.IntN(32)]
			w.Active, w.Full = 1<<32-1, true
			full := s.run(w, op)
			w.Active, w.Full = r.Uint32(), false
			if got := s.run(w, op); got&w.Active != full&w.Active {
				t.Fatalf("%s: %08x under mask %08x, %08x in full", s.word, got, w.Active, full)
			}
			before := w.P[3]
			c, _ := Select(instruction(t, s.word, 3), nil)
			c.Run(w, op)
			if want := before&^w.Active | full&w.Active; w.P[3] != want {
				t.Fatalf("%s: predicate %08x, want %08x", s.word, w.P[3], want)
			}
		}
	}
}

// TestPartialWarps checks the instructions between lanes when some are absent.
func TestPartialWarps(t *testing.T) {
	const active = 0x00f0_0a05
	w := randomWarp(rand.New(rand.NewPCG(7, 8)))
	w.Active = active
	w.P[0] = 0x0030_0001 // lanes 0, 20, 21
	for l := range 32 {
		w.R32[0][l] = uint32(l % 3)
		w.R32[1][l] = uint32(l)
	}
	old := w.R32[4]
	run := func(word string, op state.Op) {
		t.Helper()
		c, ok := Select(instruction(t, word, 3), nil)
		if !ok {
			t.Fatal(word)
		}
		c.Run(w, &op)
	}
	all32 := func(word string, op state.Op, want func(l int) uint32) {
		t.Helper()
		w.R32[4] = old
		run(word, op)
		for l := range 32 {
			expect := old[l]
			if uint32(active)>>l&1 != 0 {
				expect = want(l)
			}
			if w.R32[4][l] != expect {
				t.Fatalf("%s: lane %d is %#x, want %#x", word, l, w.R32[4][l], expect)
			}
		}
	}
	all32("activemask.b32", state.Op{D: 4, D2: -1}, func(int) uint32 { return active })
	all32("vote.sync.ballot.b32", state.Op{D: 4, D2: -1, A: 0}, func(int) uint32 { return 0x0030_0001 })
	all32("elect.sync", state.Op{D: 4, D2: 2}, func(int) uint32 { return 0 })
	if got := w.P[2] & active; got != 1 {
		t.Errorf("elect: leader %#x, want lane 0", got)
	}
	var sum uint32
	for m := uint32(active); m != 0; m &= m - 1 {
		sum += uint32(bits.TrailingZeros32(m))
	}
	all32("redux.sync.add.u32", state.Op{D: 4, D2: -1, A: 1}, func(int) uint32 { return sum })
	all32("redux.sync.min.s32", state.Op{D: 4, D2: -1, A: 1}, func(int) uint32 { return 0 })
	all32("match.sync.any.b32", state.Op{D: 4, D2: -1, A: 0}, func(l int) uint32 {
		var peers uint32
		for m := uint32(active); m != 0; m &= m - 1 {
			if bits.TrailingZeros32(m)%3 == l%3 {
				peers |= m & -m
			}
		}
		return peers
	})
	all32("match.sync.all.b32", state.Op{D: 4, D2: 2, A: 0}, func(int) uint32 { return 0 })
	// In place: every lane takes the value of the one before it, as it was.
	w.Prog.Const32 = [][32]uint32{{}, {}}
	for l := range 32 {
		w.Prog.Const32[0][l], w.Prog.Const32[1][l] = 1, 0x1f
	}
	w.R32[4] = w.R32[1]
	old = w.R32[4]
	all32("shfl.sync.bfly.b32", state.Op{D: 4, D2: 3, A: 4, B: -1, C: -2}, func(l int) uint32 { return uint32(l) ^ 1 })
	for word, want := range map[string]uint32{"vote.sync.any.pred": active, "vote.sync.all.pred": 0, "vote.sync.uni.pred": 0} {
		w.P[3] = 0
		run(word, state.Op{D: 3, D2: -1, A: 0})
		if w.P[3] != want {
			t.Errorf("%s: %#x, want %#x", word, w.P[3], want)
		}
	}
}

// TestVectorMove copies a vector register element by element; a sink takes nothing.
func TestVectorMove(t *testing.T) {
	in := instruction(t, "mov.v2.u32", 2)
	in.Operands[1].Kind, in.Operands[1].List = isa.OperandVector, make([]isa.Operand, 2)
	f := &isa.Func{Regs: []isa.RegDecl{{Name: "v", Type: isa.U32, Vec: 2}}}
	c, ok := Select(in, f)
	if !ok {
		t.Fatal("no mov.v2.u32")
	}
	w := randomWarp(rand.New(rand.NewPCG(15, 16)))
	w.Active = 1 << 9
	want := w.R32[1][9]
	c.Run(w, &state.Op{Extra: &state.Vectors{D: []int32{-1, 4}, A: []int32{0, 1}}})
	if w.R32[4][9] != want {
		t.Errorf("element 1 is %#x, want %#x", w.R32[4][9], want)
	}
	in.Operands[1].List = in.Operands[1].List[:1]
	if _, ok := Select(in, f); ok {
		t.Error("a vector of one element goes into two")
	}
}
