package lane

import (
	"math"
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// fma.rn.f32 is what matrix products in plain PTX are made of, so its loop is by hand. The product of two f32 is exact in
// f64, and so nearly always the sum rounded to f64 rounds to the right f32. The lanes where it may not are left as they
// are, and done again after the loop; a call in the loop would cost as much as all the rest.

// selectFused picks fma.rn.f32 and mad.f32, with and without .ftz.
func selectFused(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	if len(in.Types) != 1 || in.Types[0] != isa.F32 {
		return Choice{}, false
	}
	ftz := false
	for _, m := range in.Mods {
		switch m {
		case isa.ModFTZ:
			ftz = true
		case isa.ModRN:
		default:
			return Choice{}, false
		}
	}
	if ftz {
		return Choice{Run: fusedFTZ}, true
	}
	return Choice{Run: fused}, true
}

// fused is fma.rn.f32.
func fused(w *state.Warp, op *state.Op) state.Signal {
	d, as, bs, cs := floats(&w.R32[op.D]), floats(w.Src32(op.A)), floats(w.Src32(op.B)), floats(w.Src32(op.C))
	var again uint32
	if w.Full {
		for l := range d {
			sum := float64(float64(as[l])*float64(bs[l])) + float64(cs[l])
			if doubtful(sum) {
				again |= 1 << l
				continue
			}
			d[l] = float32(sum)
		}
	} else {
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			sum := float64(float64(as[l])*float64(bs[l])) + float64(cs[l])
			if doubtful(sum) {
				again |= 1 << l
				continue
			}
			d[l] = float32(sum)
		}
	}
	repair(w, op, again&w.Active, fusedExact)
	return state.Next
}

// fusedFTZ is fma.rn.ftz.f32. Lanes with a subnormal operand are done again too.
func fusedFTZ(w *state.Warp, op *state.Op) state.Signal {
	d, as, bs, cs := floats(&w.R32[op.D]), w.Src32(op.A), w.Src32(op.B), w.Src32(op.C)
	var again uint32
	if w.Full {
		for l := range d {
			sum := float64(float64(floats(as)[l])*float64(floats(bs)[l])) + float64(floats(cs)[l])
			if doubtful(sum) || subnormal32(as[l]) || subnormal32(bs[l]) || subnormal32(cs[l]) {
				again |= 1 << l
				continue
			}
			d[l] = float32(sum)
		}
	} else {
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			sum := float64(float64(floats(as)[l])*float64(floats(bs)[l])) + float64(floats(cs)[l])
			if doubtful(sum) || subnormal32(as[l]) || subnormal32(bs[l]) || subnormal32(cs[l]) {
				again |= 1 << l
				continue
			}
			d[l] = float32(sum)
		}
	}
	repair(w, op, again&w.Active, fusedFlushed)
	return state.Next
}

// subnormal32 reports whether the pattern of an f32 is a subnormal's.
func subnormal32(x uint32) bool { return x<<1-1 < 1<<24-1 }

// doubtful reports whether a sum may not round to the f32 that the exact sum rounds to: it stands half-way between two;
// or it is subnormal as an f32, or NaN. A zero is exact.
func doubtful(sum float64) bool {
	const (
		normal   = 0x381 << 53 // 2^-126, the smallest normal f32, without its sign
		infinity = 0x7ff << 53
	)
	b := math.Float64bits(sum)
	return uint32(b)<<3 == 1<<31 || b<<1-normal > infinity-normal && b<<1 != 0
}

// repair computes lanes one by one.
func repair(w *state.Warp, op *state.Op, again uint32, exact func(a, b, c uint32) uint32) {
	if again == 0 {
		return
	}
	d, as, bs, cs := &w.R32[op.D], w.Src32(op.A), w.Src32(op.B), w.Src32(op.C)
	for m := again; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		d[l] = exact(as[l], bs[l], cs[l])
	}
}

// fusedExact is a*b + c rounded once, by way of a sum rounded to odd.
func fusedExact(a, b, c uint32) uint32 {
	product := float64(math.Float32frombits(a)) * float64(math.Float32frombits(b))
	return bits32(float32(addOdd(float64(product), float64(math.Float32frombits(c)))))
}

// fusedFlushed is fusedExact with .ftz.
func fusedFlushed(a, b, c uint32) uint32 {
	return formatF32.flush(fusedExact(formatF32.flush(a), formatF32.flush(b), formatF32.flush(c)))
}
