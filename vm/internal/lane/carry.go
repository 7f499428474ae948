package lane

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Extended-precision arithmetic (PTX ISA, "Extended-Precision Arithmetic Instructions"). The condition code register
// holds one bit a lane of Warp.CC: the carry; after a subtraction a + ^b + 1, so that it is set when nothing was borrowed.
// The ISA leaves the relation of carry and borrow open; compiled 128-bit division reads it with addc after subc.cc.

// adder adds or subtracts the last operand of an instruction and the bit that came in; out is the bit that goes on.
type adder func(a, b, in uint64) (d, out uint64)

// addBits and subBits work on registers of up to 32 bits.
func addBits(width int) adder {
	mask := uint64(1)<<width - 1
	return func(a, b, in uint64) (d, out uint64) {
		d = a&mask + b&mask + in
		return d & mask, d >> width
	}
}

func subBits(width int) adder {
	mask := uint64(1)<<width - 1
	return func(a, b, in uint64) (d, out uint64) {
		d = a&mask - b&mask - in
		return d & mask, d >> 63
	}
}

// selectCarry picks the forms of add, sub and mad with .cc, and addc, subc and madc.
func selectCarry(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	t := in.Type(0)
	chain := in.Op == isa.OpAddc || in.Op == isa.OpSubc || in.Op == isa.OpMadc
	if !t.Integer() || t.Bits() < 16 || t == isa.U16x2 || t == isa.S16x2 || !chain && !in.Has(isa.ModCC) {
		return Choice{}, false
	}
	minus := in.Op == isa.OpSub || in.Op == isa.OpSubc
	var add adder
	switch {
	case minus && t.Bits() == 64:
		add = bits.Sub64
	case minus:
		add = subBits(t.Bits())
	case t.Bits() == 64:
		add = bits.Add64
	default:
		add = addBits(t.Bits())
	}
	source := func(w *state.Warp, slot int32, l int) uint64 { return uint64(w.Src32(slot)[l]) }
	result := func(w *state.Warp, slot int32, l int, x uint64) { w.R32[slot][l] = uint32(x) }
	if t.Bits() == 64 {
		source = func(w *state.Warp, slot int32, l int) uint64 { return w.Src64(slot)[l] }
		result = func(w *state.Warp, slot int32, l int, x uint64) { w.R64[slot][l] = x }
	}
	product := productOf(t, in.Has(isa.ModHi))
	multiply := in.Op == isa.OpMad || in.Op == isa.OpMadc
	writesCC := in.Has(isa.ModCC)
	var inverted uint64 // of a subtraction: the bit is a carry, what it adds and gives a borrow
	if in.Op == isa.OpSub || in.Op == isa.OpSubc {
		inverted = 1
	}
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			a, b := source(w, op.A, l), source(w, op.B, l)
			if multiply {
				a, b = product(a, b), source(w, op.C, l)
			}
			var carry uint64
			if chain {
				carry = uint64(w.CC>>l&1) ^ inverted
			}
			d, out := add(a, b, carry)
			result(w, op.D, l, d)
			if writesCC {
				w.CC = w.CC&^(1<<l) | uint32(out^inverted)<<l
			}
		}
		return state.Next
	}}, true
}

// productOf is the half of the product that mad adds to.
func productOf(t isa.Type, high bool) func(a, b uint64) uint64 {
	switch {
	case !high:
		return func(a, b uint64) uint64 { return a * b }
	case t == isa.U64:
		return highU64
	case t == isa.S64:
		return func(a, b uint64) uint64 { return uint64(highS64(int64(a), int64(b))) }
	case t == isa.U32:
		return func(a, b uint64) uint64 { return a * b >> 32 }
	case t == isa.S32:
		return func(a, b uint64) uint64 { return uint64(int64(int32(a)) * int64(int32(b)) >> 32) }
	case t == isa.U16:
		return func(a, b uint64) uint64 { return a * b >> 16 }
	}
	return func(a, b uint64) uint64 { return uint64(int32(int16(a)) * int32(int16(b)) >> 16) }
}
