package lane

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// selectRotate picks shf.l.wrap and shf.r.wrap of a register with itself: compilers write rotations so, and hashes are
// made of them.
func selectRotate(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	if len(in.Operands) != 4 || !in.Has(isa.ModWrap) {
		return Choice{}, false
	}
	low, high := &in.Operands[1], &in.Operands[2]
	if low.Kind != isa.OperandReg || high.Kind != isa.OperandReg || low.Reg != high.Reg || low.Part != high.Part {
		return Choice{}, false
	}
	if in.Has(isa.ModL) {
		return Choice{Run: rotateLeft}, true
	}
	return Choice{Run: rotateRight}, true
}

func rotateLeft(w *state.Warp, op *state.Op) state.Signal {
	d, a, c := &w.R32[op.D], w.Src32(op.A), w.Src32(op.C)
	if w.Full {
		for l := range d {
			d[l] = bits.RotateLeft32(a[l], int(c[l]&31))
		}
		return state.Next
	}
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		d[l] = bits.RotateLeft32(a[l], int(c[l]&31))
	}
	return state.Next
}

func rotateRight(w *state.Warp, op *state.Op) state.Signal {
	d, a, c := &w.R32[op.D], w.Src32(op.A), w.Src32(op.C)
	if w.Full {
		for l := range d {
			d[l] = bits.RotateLeft32(a[l], -int(c[l]&31))
		}
		return state.Next
	}
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		d[l] = bits.RotateLeft32(a[l], -int(c[l]&31))
	}
	return state.Next
}
