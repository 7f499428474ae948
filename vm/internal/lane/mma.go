package lane

import (
	"math"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// block is an 8x8 matrix. In all the fragments of mma.m16n8k16 lane l holds the elements 2l and 2l+1 of a block (PTX ISA,
// "Matrix Fragments for mma.m16n8k16 with floating point type"): of A and C row by row, of B column by column.
type block [64]float32

// selectMMA picks mma.sync.m16n8k16 of f16 and bf16. The ISA asks for at least single precision in the sums of f32
// accumulators and leaves their order open. Here a dot product starts from the element of C and adds the products in
// ascending k, each sum rounded to nearest even in f32; the products are exact but for those below f32's smallest
// normal. f16 accumulators are summed in f32 too and rounded once at the end.
func selectMMA(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	if !in.Has(isa.ModM16n8k16) || len(in.Types) != 4 || in.Type(1) != in.Type(2) || len(in.Operands) != 4 {
		return Choice{}, false
	}
	d, ab, c := in.Type(0), in.Type(1), in.Type(3)
	if (ab != isa.F16 && ab != isa.BF16) || (d != isa.F16 && d != isa.F32) || (c != isa.F16 && c != isa.F32) {
		return Choice{}, false
	}
	brain := ab == isa.BF16
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		v, ok := op.Extra.(*state.Vectors)
		if !ok {
			return state.Next
		}
		var a [4]block // rows 0-7, rows 8-15, each of k 0-7; then the same of k 8-15
		var b [2]block // k 0-7, k 8-15
		var sum [2]block
		for i, slot := range v.A[:4] {
			a[i].widen(w.Src32(slot), brain)
		}
		for i, slot := range v.B[:2] {
			b[i].widen(w.Src32(slot), brain)
		}
		for i := range sum {
			if c == isa.F16 {
				sum[i].widen(w.Src32(v.C[i]), false)
			} else {
				sum[i].interleave(w.Src32(v.C[2*i]), w.Src32(v.C[2*i+1]))
			}
			sum[i].add(&a[i], &a[i+2], &b)
		}
		for i := range sum {
			if d == isa.F16 {
				sum[i].narrow(&w.R32[v.D[i]], w.Active)
			} else {
				sum[i].split(&w.R32[v.D[2*i]], &w.R32[v.D[2*i+1]], w.Active)
			}
		}
		return state.Next
	}}, true
}

// widen reads a register of pairs of bf16, or of f16.
func (b *block) widen(pairs *[32]uint32, brain bool) {
	if brain {
		for l, x := range pairs {
			b[2*l], b[2*l+1] = math.Float32frombits(x<<16), math.Float32frombits(x&^0xffff)
		}
		return
	}
	for l, x := range pairs {
		b[2*l], b[2*l+1] = fromF16(uint16(x)), fromF16(uint16(x>>16))
	}
}

// interleave reads two registers of f32.
func (b *block) interleave(even, odd *[32]uint32) {
	for l := range even {
		b[2*l], b[2*l+1] = math.Float32frombits(even[l]), math.Float32frombits(odd[l])
	}
}

// narrow writes a register of pairs of f16.
func (b *block) narrow(pairs *[32]uint32, active uint32) {
	for l := range pairs {
		if active>>l&1 != 0 {
			pairs[l] = pack(toF16(b[2*l]), toF16(b[2*l+1]))
		}
	}
}

// split writes two registers of f32.
func (b *block) split(even, odd *[32]uint32, active uint32) {
	for l := range even {
		if active>>l&1 != 0 {
			even[l], odd[l] = bits32(b[2*l]), bits32(b[2*l+1])
		}
	}
}

// row is the i-th row, or column, of a block.
func (b *block) row(i int) *[8]float32 { return (*[8]float32)(b[i&7*8:]) }

// add adds eight rows of A, whose k 0-7 and 8-15 are in two blocks, times B: two rows by four columns at a time, so that
// the eight sums don't wait for each other and stay in registers.
func (b *block) add(low, high *block, columns *[2]block) {
	for i := 0; i < 8; i += 2 {
		top, bottom := b.row(i), b.row(i+1)
		for j := 0; j < 8; j += 4 {
			s := sums{top[j], top[j+1], top[j+2], top[j+3], bottom[j], bottom[j+1], bottom[j+2], bottom[j+3]}
			s = s.add(low.row(i), low.row(i+1), &columns[0], j)
			s = s.add(high.row(i), high.row(i+1), &columns[1], j)
			top[j], top[j+1], top[j+2], top[j+3] = s.t0, s.t1, s.t2, s.t3
			bottom[j], bottom[j+1], bottom[j+2], bottom[j+3] = s.b0, s.b1, s.b2, s.b3
		}
	}
}

// sums are four dot products of a top row and four of the row below it.
type sums struct{ t0, t1, t2, t3, b0, b1, b2, b3 float32 }

func (s sums) add(top, bottom *[8]float32, columns *block, j int) sums {
	t0, t1, t2, t3, b0, b1, b2, b3 := s.t0, s.t1, s.t2, s.t3, s.b0, s.b1, s.b2, s.b3
	c0, c1, c2, c3 := columns.row(j), columns.row(j+1), columns.row(j+2), columns.row(j+3)
	for k := range top {
		x, y := top[k], bottom[k]
		t0 += float32(x * c0[k])
		b0 += float32(y * c0[k])
		t1 += float32(x * c1[k])
		b1 += float32(y * c1[k])
		t2 += float32(x * c2[k])
		b2 += float32(y * c2[k])
		t3 += float32(x * c3[k])
		b3 += float32(y * c3[k])
	}
	return sums{t0, t1, t2, t3, b0, b1, b2, b3}
}
