package lane

import (
	"math"
	"unsafe"
)

// The canonical NaNs of the types. The ISA names those of up to 32 bits ("Floating Point Instructions") and leaves f64's
// open; it is made alike.
const (
	nan16 = 0x7fff // f16 and bf16
	nan32 = 0x7fffffff
	nan64 = 0x7fffffffffffffff
)

// floats and doubles are views of a register's lanes as the numbers in them: a lane read through them is loaded into a
// floating-point register at once, which takes half the time of the way through an integer one.
func floats(lanes *[32]uint32) *[32]float32 { return (*[32]float32)(unsafe.Pointer(lanes)) }

func doubles(lanes *[32]uint64) *[32]float64 { return (*[32]float64)(unsafe.Pointer(lanes)) }

// The canonical NaNs as numbers.
var (
	float32NaN = math.Float32frombits(nan32)
	float64NaN = math.Float64frombits(nan64)
)

// canonical32 is x, with the canonical NaN for every NaN: hosts differ in the sign and payload of theirs.
func canonical32(x float32) float32 {
	if x != x {
		return float32NaN
	}
	return x
}

// canonical64 is x, with the canonical NaN for every NaN.
func canonical64(x float64) float64 {
	if x != x {
		return float64NaN
	}
	return x
}

// bits32 is the pattern of x, with the canonical NaN for every NaN: hosts differ in the sign and payload of theirs.
func bits32(x float32) uint32 {
	if x != x {
		return nan32
	}
	return math.Float32bits(x)
}

// bits64 is the pattern of x, with the canonical NaN for every NaN.
func bits64(x float64) uint64 {
	if x != x {
		return nan64
	}
	return math.Float64bits(x)
}

// flush32 is .ftz: a subnormal becomes the zero of its sign.
func flush32(x float32) float32 {
	b := math.Float32bits(x)
	if b&0x7f800000 == 0 {
		return math.Float32frombits(b & (1 << 31))
	}
	return x
}

// saturate32 is .sat: clamped to [0, 1], NaN gives +0.
func saturate32(x float32) float32 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}

// f32Min and its like follow IEEE 754's minimumNumber: one NaN gives the other operand, and -0 < +0.
func f32Min(a, b float32) float32 {
	if a != a {
		return b
	}
	if b != b {
		return a
	}
	return min(a, b)
}

func f32Max(a, b float32) float32 {
	if a != a {
		return b
	}
	if b != b {
		return a
	}
	return max(a, b)
}

func f64Min(a, b float64) float64 {
	if a != a {
		return b
	}
	if b != b {
		return a
	}
	return min(a, b)
}

func f64Max(a, b float64) float64 {
	if a != a {
		return b
	}
	if b != b {
		return a
	}
	return max(a, b)
}

// addOdd is x + y rounded to odd: if inexact, towards zero with the last bit then set. What is rounded again, to a
// format of at most 51 bits and in any direction, is rounded as if from the exact sum. The sum may not overflow.
func addOdd(x, y float64) float64 {
	sum := x + y
	// The rounding error, exact (Knuth's TwoSum).
	rest := sum - x
	lost := (x - (sum - rest)) + (y - rest)
	return toOdd(sum, lost)
}

// toOdd makes x, a result rounded to nearest whose exact value is x+lost with tiny lost, into the result rounded to odd.
func toOdd(x, lost float64) float64 {
	b := math.Float64bits(x)
	if lost == 0 || lost != lost || b&1 != 0 {
		return x
	}
	if (lost > 0) == (x > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}
