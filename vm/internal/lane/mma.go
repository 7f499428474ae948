package lane

import (
	"math"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// In all the fragments of mma.m16n8k16 and m16n8k8 a register of lane l, or a pair of registers, holds the elements 2(l%4) and the
// next of line l/4 of an 8x8 block (PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type"). The lines are
// rows of A and C, columns of B.
type (
	lines [8][16]float32 // eight rows of A, or the columns of B, over k
	block [8][8]float32  // eight rows of C
)

// selectMMA picks mma.sync.m16n8k16 and m16n8k8 of f16 and bf16. The ISA asks for at least single precision in the sums of f32
// accumulators and leaves their order open. Here a dot product starts from the element of C and adds the products in
// ascending k, each sum rounded to nearest even in f32; the products are exact but for those below f32's smallest
// normal. f16 accumulators are summed in f32 too and rounded once at the end.
func selectMMA(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	k := 16
	if in.Has(isa.ModM16n8k8) {
		k = 8
	} else if !in.Has(isa.ModM16n8k16) {
		return Choice{}, false
	}
	if len(in.Types) != 4 || len(in.Operands) != 4 || in.Type(1) != in.Type(2) {
		return Choice{}, false
	}
	d, ab, c := in.Type(0), in.Type(1), in.Type(3)
	if (ab != isa.F16 && ab != isa.BF16) || (d != isa.F16 && d != isa.F32) || (c != isa.F16 && c != isa.F32) {
		return Choice{}, false
	}
	registers := map[isa.Type]int{isa.F16: 2, isa.F32: 4}
	for i, want := range [4]int{registers[d], k / 4, k / 8, registers[c]} {
		if len(in.Operands[i].List) != want {
			return Choice{}, false
		}
	}
	brain := ab == isa.BF16
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		v, ok := op.Extra.(*state.Vectors)
		if !ok {
			return state.Next
		}
		var a [2]lines // rows 0-7, rows 8-15
		var b lines
		var sum [2]block
		if k == 8 {
			a[0].pad()
			a[1].pad()
		}
		for i, slot := range v.A {
			a[i&1].widen(i>>1, w.Src32(slot), brain)
		}
		for i, slot := range v.B {
			b.widen(i, w.Src32(slot), brain)
		}
		for i := range sum {
			if c == isa.F16 {
				sum[i].widen(w.Src32(v.C[i]))
			} else {
				sum[i].interleave(w.Src32(v.C[2*i]), w.Src32(v.C[2*i+1]))
			}
			sum[i].add(&a[i], &b)
		}
		for i := range sum {
			if d == isa.F16 {
				sum[i].narrow(w, v.D[i])
			} else {
				sum[i].split(w, v.D[2*i], v.D[2*i+1])
			}
		}
		return state.Next
	}}, true
}

// pad makes the upper eight k neutral: -0 times the zeros of B is -0, which added to any sum leaves it as it is.
func (m *lines) pad() {
	for i := range m {
		for k := 8; k < 16; k++ {
			m[i][k] = math.Float32frombits(1 << 31)
		}
	}
}

// widen reads a register of pairs of bf16 or f16 into the lower or upper eight k.
func (m *lines) widen(half int, pairs *[32]uint32, brain bool) {
	for i := range m {
		line := (*[8]float32)(m[i][half&1*8:])
		for j := range 4 {
			if x := pairs[4*i+j]; brain {
				line[2*j], line[2*j+1] = math.Float32frombits(x<<16), math.Float32frombits(x&^0xffff)
			} else {
				line[2*j], line[2*j+1] = fromF16(uint16(x)), fromF16(uint16(x>>16))
			}
		}
	}
}

// widen reads a register of pairs of f16.
func (m *block) widen(pairs *[32]uint32) {
	for l, x := range pairs {
		row, at := &m[l>>2], l&3*2
		row[at], row[at+1] = fromF16(uint16(x)), fromF16(uint16(x>>16))
	}
}

// interleave reads two registers of f32.
func (m *block) interleave(even, odd *[32]uint32) {
	for l := range even {
		row, at := &m[l>>2], l&3*2
		row[at], row[at+1] = math.Float32frombits(even[l]), math.Float32frombits(odd[l])
	}
}

// narrow writes a register of pairs of f16.
func (m *block) narrow(w *state.Warp, slot int32) {
	d := &w.R32[slot]
	for l := range d {
		if w.Full || w.Active>>l&1 != 0 {
			row, at := &m[l>>2], l&3*2
			d[l] = pack(toF16(row[at]), toF16(row[at+1]))
		}
	}
}

// split writes two registers of f32.
func (m *block) split(w *state.Warp, even, odd int32) {
	de, do := &w.R32[even], &w.R32[odd]
	for l := range de {
		if w.Full || w.Active>>l&1 != 0 {
			row, at := &m[l>>2], l&3*2
			de[l], do[l] = bits32(row[at]), bits32(row[at+1])
		}
	}
}

// add adds the product of eight rows and the columns: two rows by three columns at a time, whose six sums don't wait for
// each other and stay in registers with their products; the last two columns as two by two.
func (m *block) add(rows, columns *lines) {
	for i := 0; i < 8; i += 2 {
		top, bottom := &m[i], &m[i+1]
		xs, ys := &rows[i], &rows[i+1]
		for j := 0; j < 6; j += 3 {
			t0, t1, t2, b0, b1, b2 := top[j], top[j+1], top[j+2], bottom[j], bottom[j+1], bottom[j+2]
			c0, c1, c2 := &columns[j], &columns[j+1], &columns[j+2]
			for k := range xs {
				x, y := xs[k], ys[k]
				t0 += float32(x * c0[k])
				b0 += float32(y * c0[k])
				t1 += float32(x * c1[k])
				b1 += float32(y * c1[k])
				t2 += float32(x * c2[k])
				b2 += float32(y * c2[k])
			}
			top[j], top[j+1], top[j+2], bottom[j], bottom[j+1], bottom[j+2] = t0, t1, t2, b0, b1, b2
		}
		t6, t7, b6, b7 := top[6], top[7], bottom[6], bottom[7]
		c6, c7 := &columns[6], &columns[7]
		for k := range xs {
			x, y := xs[k], ys[k]
			t6 += float32(x * c6[k])
			b6 += float32(y * c6[k])
			t7 += float32(x * c7[k])
			b7 += float32(y * c7[k])
		}
		top[6], top[7], bottom[6], bottom[7] = t6, t7, b6, b7
	}
}
