package operator

import (
	"encoding/binary"
	"math"
	"math/big"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// roundTo rounds exactly to a format with that many significand bits and least exponent, ties to even, by big.Float.
func roundTo(v float64, prec uint, minExp int) float64 {
	if v == 0 || math.IsInf(v, 0) || v != v {
		return v
	}
	_, e := math.Frexp(v)
	if low := e - int(prec); low < minExp {
		prec = uint(max(0, int(prec)-(minExp-low)))
	}
	if prec == 0 {
		// Below the smallest subnormal: to zero, or up when above its half.
		if math.Abs(v) > math.Ldexp(1, minExp-1) {
			return math.Copysign(math.Ldexp(1, minExp), v)
		}
		return math.Copysign(0, v)
	}
	f, _ := new(big.Float).SetPrec(prec).SetMode(big.ToNearestEven).SetFloat64(v).Float64()
	return f
}

func TestHalfAndBF16RoundOnce(t *testing.T) {
	for i := uint64(0); i < 1<<32; i += 65_521 { // a prime step over all f32 patterns
		v := math.Float32frombits(uint32(i))
		if v != v {
			continue
		}
		want := roundTo(float64(v), 11, -24)
		if math.Abs(want) >= 65536 {
			want = math.Inf(int(math.Copysign(1, want)))
		}
		if got := halfToFloat(half(v)); float64(got) != want || math.Signbit(float64(got)) != math.Signbit(float64(v)) {
			t.Fatalf("half(%x) = %g, want %g", i, got, want)
		}
		wantB := roundTo(float64(v), 8, -133)
		if math.Abs(wantB) >= math.Ldexp(1, 128) {
			wantB = math.Inf(int(math.Copysign(1, wantB)))
		}
		if got := math.Float32frombits(uint32(bf16(v)) << 16); float64(got) != wantB {
			t.Fatalf("bf16(%x) = %g, want %g", i, got, wantB)
		}
	}
}

func TestFold(t *testing.T) {
	f32 := func(v ...float32) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		return b
	}
	bfs := func(v ...uint16) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint16(b, x)
		}
		return b
	}
	u32 := func(v ...uint32) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b
	}
	nan := float32(math.NaN())
	zero := float32(math.Copysign(0, -1))
	for _, c := range []struct {
		name string
		typ  isa.Type
		op   isa.Mod
		in   [][]byte
		want []byte
	}{
		// 2^24 + 1 + 1 in f32, from the left: each 1 is lost to ties-to-even.
		{"add.f32 from the lowest card", isa.F32, isa.ModAdd, [][]byte{f32(1 << 24), f32(1), f32(1)}, f32(1 << 24)},
		{"add.f32 the other way", isa.F32, isa.ModAdd, [][]byte{f32(1), f32(1), f32(1 << 24)}, f32(1<<24 + 2)},
		// 256 + 1 + 1 in bf16: accumulated in f32 and rounded once gives 258; rounding each step gives 256.
		{"add.bf16 rounds once", isa.BF16, isa.ModAdd, [][]byte{bfs(0x4380), bfs(0x3f80), bfs(0x3f80)}, bfs(0x4381)},
		// 2048 + 1 + 1 in f16 likewise: 2050 = 0x6801.
		{"add.f16 rounds once", isa.F16, isa.ModAdd, [][]byte{bfs(0x6800), bfs(0x3c00), bfs(0x3c00)}, bfs(0x6801)},
		{"min.f32: one NaN gives the other", isa.F32, isa.ModMin, [][]byte{f32(nan, 3, nan), f32(2, nan, nan)},
			u32(math.Float32bits(2), math.Float32bits(3), 0x7fffffff)},
		{"min.f32: -0 < +0", isa.F32, isa.ModMin, [][]byte{f32(0, zero), f32(zero, 0)}, f32(zero, zero)},
		{"max.f32: -0 < +0", isa.F32, isa.ModMax, [][]byte{f32(0, zero), f32(zero, 0)}, f32(0, 0)},
		{"add.u32 wraps", isa.U32, isa.ModAdd, [][]byte{u32(0xffffffff), u32(2)}, u32(1)},
		{"min.s32", isa.S32, isa.ModMin, [][]byte{u32(0xffffffff), u32(2)}, u32(0xffffffff)},
		{"min.u32", isa.U32, isa.ModMin, [][]byte{u32(0xffffffff), u32(2)}, u32(2)},
		{"xor.u32", isa.U32, isa.ModXor, [][]byte{u32(0xf0), u32(0xff), u32(1)}, u32(0x0e)},
	} {
		got := make([]byte, len(c.want))
		if err := Fold(got, c.typ, c.op, c.in); err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if string(got) != string(c.want) {
			t.Errorf("%s: got % x, want % x", c.name, got, c.want)
		}
	}
	if err := Fold(make([]byte, 4), isa.F32, isa.ModXor, [][]byte{f32(1), f32(2)}); err == nil {
		t.Error("reduce.xor.f32 was taken")
	}
}

func TestTracker(t *testing.T) {
	line := &state.Op{Inst: &isa.Inst{}, Func: &isa.Func{Source: isa.NewSource("k.ptx", "")}}
	other := &state.Op{Inst: &isa.Inst{}, Func: line.Func}
	launch := &state.Launch{Name: "k"}
	card := &state.Card{}
	warp := func(cta uint64, index int) *state.Warp {
		return &state.Warp{CTA: &state.CTA{Index: cta, Launch: launch, Card: card}, Index: index}
	}
	at := func(w *state.Warp, op *state.Op, src uint64) *state.Warp {
		w.Operator = state.OperatorCall{Op: op, Src: src}
		return w
	}
	a, b, c := warp(0, 0), warp(0, 1), warp(1, 0)

	tr := NewTracker(3)
	if s, f := tr.Arrive(at(c, line, 2)); s != nil || f != nil {
		t.Fatalf("step %v, fault %v after one of three warps", s, f)
	}
	tr.Arrive(at(b, line, 1))
	if tr.Missing() != 1 {
		t.Errorf("missing %d, want 1", tr.Missing())
	}
	s, _ := tr.Arrive(at(a, line, 1))
	if s == nil || len(s.Parts) != 2 {
		t.Fatalf("step %+v, want two parts: equal operands share one operation", s)
	}
	if p := s.Parts[0]; p.Call.Src != 1 || len(p.Warps) != 2 || p.Warps[0] != a {
		t.Errorf("first part %+v: parts start in (CTA, warp) order", p)
	}
	if s.Last != a {
		t.Error("the last arrival is not remembered")
	}
	// Exiting counts as having come to all that follow.
	tr.Arrive(at(a, line, 1))
	tr.Arrive(at(b, line, 1))
	if s := tr.Exit(c); s == nil || s.K != 1 || len(s.Warps) != 2 {
		t.Errorf("step %+v after the third warp exited, want the second operator with two warps", s)
	}
	tr.Arrive(at(a, line, 1))
	if _, f := tr.Arrive(at(b, other, 1)); f == nil || f.Kind != state.FaultOperator {
		t.Errorf("fault %v for another line at the same k, want an operator fault", f)
	}
}
