package lane

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// selectPack picks mov with vector operands, which joins or splits registers, and mov.b128.
func selectPack(in *isa.Inst, f *isa.Func) (Choice, bool) {
	if len(in.Operands) != 2 {
		return Choice{}, false
	}
	total := in.Type(0).Bits()
	to, from := elementBits(in.Operands[0], total), elementBits(in.Operands[1], total)
	if in.Type(0) == isa.B128 && to == 64 && from == 64 && in.Operands[0].Kind == isa.OperandReg && in.Operands[1].Kind == isa.OperandReg {
		return Choice{Run: movB128}, true
	}
	if in.Operands[0].Kind != isa.OperandVector && in.Operands[1].Kind != isa.OperandVector && total != 128 {
		return Choice{}, false
	}
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		v, ok := op.Extra.(*state.Vectors)
		if !ok {
			return state.Next
		}
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			var whole [2]uint64
			for i, slot := range v.A {
				whole[i*from>>6] |= element(w, slot, l, from) << (i * from & 63)
			}
			for i, slot := range v.D {
				if slot < 0 {
					continue
				}
				x := whole[i*to>>6] >> (i * to & 63)
				if to == 64 {
					w.R64[slot][l] = x
				} else {
					w.R32[slot][l] = uint32(x) & (1<<to - 1)
				}
			}
		}
		return state.Next
	}}, true
}

// elementBits is the width of what the slots of an operand of mov hold.
func elementBits(o isa.Operand, total int) int {
	if o.Kind == isa.OperandVector && len(o.List) > 0 {
		return total / len(o.List)
	}
	return min(total, 64) // 128 bits are two slots
}

func element(w *state.Warp, slot int32, l, width int) uint64 {
	if width == 64 {
		return w.Src64(slot)[l]
	}
	return uint64(w.Src32(slot)[l])
}

func movB128(w *state.Warp, op *state.Op) state.Signal {
	lo, hi := w.Src64(op.A), w.Src64(op.A+1)
	dlo, dhi := &w.R64[op.D], &w.R64[op.D+1]
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		dlo[l], dhi[l] = lo[l], hi[l]
	}
	return state.Next
}
