package lane

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// The loops here run a function value a lane: two to three times slower than a generated loop, for the forms that no
// kernel's inner loop is made of.

// unary32 applies f to the active lanes of op.A.
func unary32(f func(a uint32) uint32) Func {
	return func(w *state.Warp, op *state.Op) state.Signal {
		d, a := &w.R32[op.D], w.Src32(op.A)
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			d[l] = f(a[l])
		}
		return state.Next
	}
}

func binary32(f func(a, b uint32) uint32) Func {
	return func(w *state.Warp, op *state.Op) state.Signal {
		d, a, b := &w.R32[op.D], w.Src32(op.A), w.Src32(op.B)
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			d[l] = f(a[l], b[l])
		}
		return state.Next
	}
}

func ternary32(f func(a, b, c uint32) uint32) Func {
	return func(w *state.Warp, op *state.Op) state.Signal {
		d, a, b, c := &w.R32[op.D], w.Src32(op.A), w.Src32(op.B), w.Src32(op.C)
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			d[l] = f(a[l], b[l], c[l])
		}
		return state.Next
	}
}

func unary64(f func(a uint64) uint64) Func {
	return func(w *state.Warp, op *state.Op) state.Signal {
		d, a := &w.R64[op.D], w.Src64(op.A)
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			d[l] = f(a[l])
		}
		return state.Next
	}
}

func binary64(f func(a, b uint64) uint64) Func {
	return func(w *state.Warp, op *state.Op) state.Signal {
		d, a, b := &w.R64[op.D], w.Src64(op.A), w.Src64(op.B)
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			d[l] = f(a[l], b[l])
		}
		return state.Next
	}
}

func ternary64(f func(a, b, c uint64) uint64) Func {
	return func(w *state.Warp, op *state.Op) state.Signal {
		d, a, b, c := &w.R64[op.D], w.Src64(op.A), w.Src64(op.B), w.Src64(op.C)
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			d[l] = f(a[l], b[l], c[l])
		}
		return state.Next
	}
}

// convert applies f to the active lanes of op.A, of either width, and writes op.D, of either width.
func convert(wideD, wideA bool, f func(uint64) uint64) Func {
	switch {
	case wideD && wideA:
		return unary64(f)
	case wideD:
		return func(w *state.Warp, op *state.Op) state.Signal {
			d, a := &w.R64[op.D], w.Src32(op.A)
			for m := w.Active; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m) & 31
				d[l] = f(uint64(a[l]))
			}
			return state.Next
		}
	case wideA:
		return func(w *state.Warp, op *state.Op) state.Signal {
			d, a := &w.R32[op.D], w.Src64(op.A)
			for m := w.Active; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m) & 31
				d[l] = uint32(f(a[l]))
			}
			return state.Next
		}
	}
	return unary32(func(a uint32) uint32 { return uint32(f(uint64(a))) })
}

// halves2 applies f to the low and the high 16 bits of its operands.
func halves2(f func(a, b uint32) uint32) func(a, b uint32) uint32 {
	return func(a, b uint32) uint32 { return f(a&0xffff, b&0xffff) | f(a>>16, b>>16)<<16 }
}

func halves1(f func(a uint32) uint32) func(a uint32) uint32 {
	return func(a uint32) uint32 { return f(a&0xffff) | f(a>>16)<<16 }
}

func halves3(f func(a, b, c uint32) uint32) func(a, b, c uint32) uint32 {
	return func(a, b, c uint32) uint32 {
		return f(a&0xffff, b&0xffff, c&0xffff) | f(a>>16, b>>16, c>>16)<<16
	}
}
