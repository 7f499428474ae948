package lane

import "math"

// f16 and bf16 arithmetic, rounded to nearest even. Both widen to f32 exactly. Sums, and f16 products, that are rounded
// to f32 and then again to the half type come out as if rounded once: f32 has more than twice their digits, and none of
// these is subnormal in f32 and inexact at once. The other operations go through f64 rounded to odd.

// fromF16 is the value of an f16: as an f32 whose exponent is too small by the difference of the biases.
func fromF16(h uint16) float32 {
	sign, magnitude := uint32(h&0x8000)<<16, uint32(h&0x7fff)<<13
	if magnitude >= 0x7c00<<13 { // infinity, NaN
		return math.Float32frombits(sign | 0x7f800000 | magnitude)
	}
	return math.Float32frombits(sign|magnitude) * 0x1p112
}

// toF16 rounds to the nearest f16, ties to even.
func toF16(x float32) uint16 {
	b := math.Float32bits(x)
	sign, b := uint16(b>>16&0x8000), b&0x7fffffff
	switch {
	case b > 0x7f800000:
		return nan16
	case b >= 0x47800000: // 65536 and beyond
		return sign | 0x7c00
	case b < 0x38800000: // below the smallest normal: adding 0.5 puts the f16's last place at f32's
		return sign | uint16(math.Float32bits(math.Float32frombits(b)+0.5)-0x3f000000)
	}
	return sign | uint16((b-(127-15)<<23+0xfff+b>>13&1)>>13)
}

// fromBF16 is the value of a bf16.
func fromBF16(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// toBF16 rounds to the nearest bf16, ties to even.
func toBF16(x float32) uint16 {
	b := math.Float32bits(x)
	if b&0x7fffffff > 0x7f800000 {
		return nan16
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// oddF32 is x rounded to an odd f32: towards zero, with the last bit set if inexact. Beyond the range it is the largest.
func oddF32(x float64) float32 {
	f := float32(x)
	if float64(f) == x || x != x {
		return f
	}
	b := math.Float32bits(f)
	if math.Abs(float64(f)) > math.Abs(x) {
		b--
	}
	return math.Float32frombits(b | 1)
}

func f16Add(a, b uint16) uint16 { return toF16(fromF16(a) + fromF16(b)) }
func f16Sub(a, b uint16) uint16 { return toF16(fromF16(a) - fromF16(b)) }
func f16Mul(a, b uint16) uint16 { return toF16(fromF16(a) * fromF16(b)) }
func f16Fma(a, b, c uint16) uint16 {
	return toF16(oddF32(addOdd(float64(fromF16(a))*float64(fromF16(b)), float64(fromF16(c)))))
}

func bf16Add(a, b uint16) uint16 { return toBF16(fromBF16(a) + fromBF16(b)) }
func bf16Sub(a, b uint16) uint16 { return toBF16(fromBF16(a) - fromBF16(b)) }
func bf16Mul(a, b uint16) uint16 {
	return toBF16(oddF32(float64(fromBF16(a)) * float64(fromBF16(b))))
}
func bf16Fma(a, b, c uint16) uint16 {
	return toBF16(oddF32(addOdd(float64(fromBF16(a))*float64(fromBF16(b)), float64(fromBF16(c)))))
}

// pack joins two halves, the low one first.
func pack(lo, hi uint16) uint32 { return uint32(lo) | uint32(hi)<<16 }

// flushPair is .ftz on both f16 of a pair.
func flushPair(x uint32) uint32 { return formatF16.flush(x&0xffff) | formatF16.flush(x>>16)<<16 }
