package lane

import (
	"math"
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
)

// selectConvert picks cvt. The list has the common forms; here the steps read, convert, write are put together for any
// pair of types. Decode narrows wider source registers to 32 bits and extends results to wider registers.
func selectConvert(in *isa.Inst, f *isa.Func) (Choice, bool) {
	if len(in.Types) < 2 || len(in.Operands) < 2 || in.Has(isa.ModRs) {
		return Choice{}, false
	}
	to, from := in.Type(0), in.Type(1)
	if c, ok := selectPackedConvert(in); ok {
		return c, true
	}
	if c, ok := listed(in, f); ok {
		return c, true
	}
	var run func(uint64) uint64
	switch {
	case to.Integer() && from.Integer():
		run = integerToInteger(to, from, in.Has(isa.ModSat))
	case to.Integer() && scalarFloat(from):
		run = floatToInteger(in, to, from)
	case scalarFloat(to) && from.Integer():
		run = integerToFloat(in, to, from)
	case scalarFloat(to) && scalarFloat(from):
		run = floatToFloat(in, to, from)
	default:
		return Choice{}, false
	}
	return Choice{Run: convert(to.Bits() == 64, from.Bits() == 64, run)}, true
}

func scalarFloat(t isa.Type) bool {
	switch t {
	case isa.F16, isa.BF16, isa.F32, isa.F64, isa.TF32:
		return true
	}
	return false
}

// readInteger is the value of the low bits of a register as type t, sign- or zero-extended to 64 bits.
func readInteger(a uint64, t isa.Type) uint64 {
	unused := 64 - t.Bits()
	if t.Signed() {
		return uint64(int64(a<<unused) >> unused)
	}
	return a << unused >> unused
}

// limits are the smallest and largest value of an integer type; the largest as unsigned.
func limits(t isa.Type) (least int64, largest uint64) {
	if t.Signed() {
		return -1 << (t.Bits() - 1), 1<<(t.Bits()-1) - 1
	}
	return 0, 1<<t.Bits() - 1
}

func integerToInteger(to, from isa.Type, sat bool) func(uint64) uint64 {
	unused := 64 - to.Bits()
	if !sat {
		return func(a uint64) uint64 { return readInteger(a, from) << unused >> unused }
	}
	least, largest := limits(to)
	if from.Signed() {
		return func(a uint64) uint64 {
			x := int64(readInteger(a, from))
			if x < 0 {
				return uint64(max(x, least)) << unused >> unused
			}
			return min(uint64(x), largest)
		}
	}
	return func(a uint64) uint64 { return min(readInteger(a, from), largest) }
}

// readFloat is the value of a floating-point register of type t.
func readFloat(a uint64, t isa.Type) float64 {
	if t == isa.F64 {
		return math.Float64frombits(a)
	}
	return formats[t].value(uint32(a))
}

// integral rounds to an integer.
func integral(x float64, mode rounding) float64 {
	switch mode {
	case towardsZero:
		return math.Trunc(x)
	case down:
		return math.Floor(x)
	case up:
		return math.Ceil(x)
	}
	return math.RoundToEven(x)
}

// floatToInteger rounds, then clamps. A NaN gives 0, or the top bit alone if the source is f64 or the result has 64 bits.
func floatToInteger(in *isa.Inst, to, from isa.Type) func(uint64) uint64 {
	mode := roundingOf(in)
	least, largest := limits(to)
	unused := 64 - to.Bits()
	nan := uint64(0)
	if from == isa.F64 || to.Bits() == 64 {
		nan = 1 << (to.Bits() - 1)
	}
	return func(a uint64) uint64 {
		// A subnormal f32 and its flushed zero may round differently.
		x := readFloat(flushed(in, from, a), from)
		if x != x {
			return nan
		}
		return clampedInteger(integral(x, mode), least, largest) << unused >> unused
	}
}

// clampedInteger is an integral x within [least, largest], without relying on a host's out-of-range conversions.
func clampedInteger(x float64, least int64, largest uint64) uint64 {
	switch {
	case x < 0 && x <= float64(least):
		return uint64(least)
	case x < 0:
		return uint64(int64(x))
	case x >= float64(largest): // 2^63 and 2^64 for the widest types
		return largest
	case x >= 1<<63:
		return uint64(x-1<<63) + 1<<63
	}
	return uint64(int64(x))
}

// flushed applies .ftz to an f32 source.
func flushed(in *isa.Inst, t isa.Type, a uint64) uint64 {
	if t == isa.F32 && in.Has(isa.ModFTZ) {
		return uint64(formatF32.flush(uint32(a)))
	}
	return a
}

// integerToFloat rounds once: an integer beyond 53 bits comes to f64 rounded to odd.
func integerToFloat(in *isa.Inst, to, from isa.Type) func(uint64) uint64 {
	mode := roundingOf(in)
	n, _ := numericOf(in, to)
	return func(a uint64) uint64 {
		x := readInteger(a, from)
		neg := from.Signed() && int64(x) < 0
		if neg {
			x = -x
		}
		if to == isa.F64 {
			r := wide{neg: neg, lo: x}.round(mode)
			if n.sat {
				r = saturate64(r)
			}
			return math.Float64bits(r)
		}
		return uint64(n.write(oddOf(neg, x)))
	}
}

// oddOf is ±x rounded to an odd f64.
func oddOf(neg bool, x uint64) float64 {
	if cut := bits.Len64(x) - 53; cut > 0 {
		if x&(1<<cut-1) != 0 {
			x |= 1 << cut
		}
		x = x >> cut << cut
	}
	if neg {
		return -float64(x)
	}
	return float64(x)
}

// floatToFloat converts between floating-point types, or to integral values of a type.
func floatToFloat(in *isa.Inst, to, from isa.Type) func(uint64) uint64 {
	mode := roundingOf(in)
	toInteger := in.Has(isa.ModRni) || in.Has(isa.ModRzi) || in.Has(isa.ModRmi) || in.Has(isa.ModRpi)
	n, _ := numericOf(in, to)
	n.ftz = n.ftz && to == isa.F32
	satfinite := in.Has(isa.ModSatfinite)
	return func(a uint64) uint64 {
		x := readFloat(flushed(in, from, a), from)
		if toInteger {
			x = integral(x, mode)
		}
		if to == isa.F64 {
			if n.sat {
				x = saturate64(x)
			}
			return bits64(x)
		}
		return uint64(n.writeFinite(x, satfinite))
	}
}

func saturate64(x float64) float64 {
	if !(x > 0) { // NaN gives +0
		return 0
	}
	return min(x, 1)
}

// clampedS32 and clampedU32 drop the fraction and clamp; a NaN gives 0.
func clampedS32(x float64) int32 {
	if x != x {
		return 0
	}
	return int32(min(max(x, -1<<31), 1<<31-1))
}

func clampedU32(x float64) uint32 {
	if x != x {
		return 0
	}
	return uint32(int64(min(max(x, 0), 1<<32-1)))
}
