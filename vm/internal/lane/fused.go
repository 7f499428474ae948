package lane

import (
	"math"
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// fma.rn.f32 is what matrix products in plain PTX are made of, so its loop is by hand. The product of two f32 is exact in
// f64, and so nearly always the sum rounded to f64 rounds to the right f32. The lanes where it may not are found by
// their bits and done again; a call in the loop would cost as much as all the rest.

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

func fused(w *state.Warp, op *state.Op) state.Signal {
	as, bs, cs := w.Src32(op.A), w.Src32(op.B), w.Src32(op.C)
	var results [32]uint32
	if !w.Full && bits.OnesCount32(w.Active) < 8 {
		repair(w, op, &results, w.Active, fusedExact)
		return state.Next
	}
	var again uint32 // lanes to do again, shifted in from the top
	for l := range results {
		a, b, c := math.Float32frombits(as[l]), math.Float32frombits(bs[l]), math.Float32frombits(cs[l])
		sum := float64(float64(a)*float64(b)) + float64(c)
		r := math.Float32bits(float32(sum))
		again >>= 1
		// Half-way between two f32; or zero, subnormal, the smallest normal or NaN.
		if uint32(math.Float64bits(sum))<<3 == 1<<31 || r<<1-0x01000001 > 0xfdffffff {
			again |= 1 << 31
		}
		results[l] = r
	}
	repair(w, op, &results, again, fusedExact)
	return state.Next
}

func fusedFTZ(w *state.Warp, op *state.Op) state.Signal {
	as, bs, cs := w.Src32(op.A), w.Src32(op.B), w.Src32(op.C)
	var results [32]uint32
	if !w.Full && bits.OnesCount32(w.Active) < 8 {
		repair(w, op, &results, w.Active, fusedFlushed)
		return state.Next
	}
	var again uint32
	for l := range results {
		a, b, c := flush32(math.Float32frombits(as[l])), flush32(math.Float32frombits(bs[l])), flush32(math.Float32frombits(cs[l]))
		sum := float64(float64(a)*float64(b)) + float64(c)
		r := math.Float32bits(float32(sum))
		again >>= 1
		if uint32(math.Float64bits(sum))<<3 == 1<<31 || r<<1-0x01000001 > 0xfdffffff {
			again |= 1 << 31
		}
		results[l] = r
	}
	repair(w, op, &results, again, fusedFlushed)
	return state.Next
}

// repair computes the lanes to do again one by one and writes the results of the active ones.
func repair(w *state.Warp, op *state.Op, results *[32]uint32, again uint32, exact func(a, b, c uint32) uint32) {
	as, bs, cs := w.Src32(op.A), w.Src32(op.B), w.Src32(op.C)
	for m := again & w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		results[l] = exact(as[l], bs[l], cs[l])
	}
	d := &w.R32[op.D]
	if w.Full {
		*d = *results
		return
	}
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		d[l] = results[l]
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
