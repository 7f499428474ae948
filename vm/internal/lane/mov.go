package lane

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// selectPack picks mov with vector operands, which joins or splits registers, and mov.b128.
func selectPack(in *isa.Inst, f *isa.Func) (Choice, bool) {
	if len(in.Operands) != 2 || in.Has(isa.ModV2) || in.Has(isa.ModV4) {
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
	if run, ok := pairs[[2]int{to, from}]; ok && total == max(to, from) {
		return Choice{Run: run}, true
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

// pairs are the moves between a register and two of half its width, by the widths written and read: compiled code is
// full of them.
var pairs = map[[2]int]Func{
	{32, 16}: func(w *state.Warp, op *state.Op) state.Signal {
		v := op.Extra.(*state.Vectors)
		d, lo, hi := &w.R32[v.D[0]], w.Src32(v.A[0]), w.Src32(v.A[1])
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			d[l] = lo[l]&0xffff | hi[l]<<16
		}
		return state.Next
	},
	{16, 32}: func(w *state.Warp, op *state.Op) state.Signal {
		v := op.Extra.(*state.Vectors)
		var sink [32]uint32
		lo, hi, a := target(w, v.D[0], &sink), target(w, v.D[1], &sink), w.Src32(v.A[0])
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			lo[l], hi[l] = a[l]&0xffff, a[l]>>16
		}
		return state.Next
	},
	{64, 32}: func(w *state.Warp, op *state.Op) state.Signal {
		v := op.Extra.(*state.Vectors)
		d, lo, hi := &w.R64[v.D[0]], w.Src32(v.A[0]), w.Src32(v.A[1])
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			d[l] = uint64(lo[l]) | uint64(hi[l])<<32
		}
		return state.Next
	},
	{32, 64}: func(w *state.Warp, op *state.Op) state.Signal {
		v := op.Extra.(*state.Vectors)
		var sink [32]uint32
		lo, hi, a := target(w, v.D[0], &sink), target(w, v.D[1], &sink), w.Src64(v.A[0])
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			lo[l], hi[l] = uint32(a[l]), uint32(a[l]>>32)
		}
		return state.Next
	},
}

// target is a 32-bit destination, or the sink for a slot that stands for `_`.
func target(w *state.Warp, slot int32, sink *[32]uint32) *[32]uint32 {
	if slot < 0 {
		return sink
	}
	return &w.R32[slot]
}

// selectElements picks mov.v2 and mov.v4, which copy element by element: vectors in braces, vector registers, and the
// special registers that have four parts.
func selectElements(in *isa.Inst, f *isa.Func) (Choice, bool) {
	count := 0
	switch {
	case in.Has(isa.ModV2):
		count = 2
	case in.Has(isa.ModV4):
		count = 4
	}
	if count == 0 || len(in.Operands) != 2 || elements(in.Operands[0], f) != count || elements(in.Operands[1], f) != count {
		return Choice{}, false
	}
	width := in.Type(0).Bits()
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		v, ok := op.Extra.(*state.Vectors)
		if !ok {
			return state.Next
		}
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			var parts [4]uint64
			for i, slot := range v.A[:count] {
				parts[i] = element(w, slot, l, width)
			}
			for i, slot := range v.D[:count] {
				if slot >= 0 && width == 64 {
					w.R64[slot][l] = parts[i]
				} else if slot >= 0 {
					w.R32[slot][l] = uint32(parts[i])
				}
			}
		}
		return state.Next
	}}, true
}

// elements is the number of elements of an operand of mov.v2 and mov.v4.
func elements(o isa.Operand, f *isa.Func) int {
	switch {
	case o.Kind == isa.OperandVector:
		return len(o.List)
	case o.Kind == isa.OperandReg && o.Part < 0 && f != nil && int(o.Reg) < len(f.Regs):
		return int(f.Regs[o.Reg].Vec)
	case o.Kind == isa.OperandSpecial && o.Special.Vector() && o.Part < 0:
		return 4
	}
	return 1
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
