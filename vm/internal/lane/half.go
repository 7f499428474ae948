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

// wideF16 is fromF16 in f64.
func wideF16(h uint16) float64 {
	sign, magnitude := uint64(h&0x8000)<<48, uint64(h&0x7fff)<<42
	if magnitude >= 0x7c00<<42 {
		return math.Float64frombits(sign | 0x7ff<<52 | magnitude)
	}
	return math.Float64frombits(sign|magnitude) * 0x1p1008
}

// roundF16 is toF16 from f64.
func roundF16(x float64) uint16 {
	b := math.Float64bits(x)
	sign, b := uint16(b>>48&0x8000), b&(1<<63-1)
	switch {
	case b > 0x7ff<<52:
		return nan16
	case b >= (1023+16)<<52:
		return sign | 0x7c00
	case b < (1023-14)<<52: // adding 2^28 puts the f16's last place at f64's
		return sign | uint16(math.Float64bits(math.Float64frombits(b)+0x1p28)-math.Float64bits(0x1p28))
	}
	return sign | uint16((b-(1023-15)<<52+(1<<41-1)+b>>42&1)>>42)
}

func f16Add(a, b uint16) uint16 { return toF16(fromF16(a) + fromF16(b)) }
func f16Sub(a, b uint16) uint16 { return toF16(fromF16(a) - fromF16(b)) }
func f16Mul(a, b uint16) uint16 { return toF16(fromF16(a) * fromF16(b)) }

// f16Fma rounds the sum in f64, which is right unless that lies half-way between two f16 by having been rounded itself.
func f16Fma(a, b, c uint16) uint16 {
	product, addend := float64(wideF16(a)*wideF16(b)), wideF16(c)
	sum := product + addend
	if math.Float64bits(sum)&(1<<42-1) == 1<<41 {
		return roundF16(addOdd(product, addend))
	}
	return roundF16(sum)
}

func bf16Add(a, b uint16) uint16 { return toBF16(fromBF16(a) + fromBF16(b)) }
func bf16Sub(a, b uint16) uint16 { return toBF16(fromBF16(a) - fromBF16(b)) }
func bf16Mul(a, b uint16) uint16 {
	return toBF16(oddF32(float64(fromBF16(a)) * float64(fromBF16(b))))
}

// bf16Fma is like f16Fma; subnormal sums have their middles elsewhere.
func bf16Fma(a, b, c uint16) uint16 {
	product, addend := float64(float64(fromBF16(a))*float64(fromBF16(b))), float64(fromBF16(c))
	sum := product + addend
	u := math.Float64bits(sum)
	magnitude := u & (1<<63 - 1)
	if u&(1<<45-1) == 1<<44 || magnitude < (1023-125)<<52 || magnitude >= (1023+128)<<52 {
		return toBF16(oddF32(addOdd(product, addend)))
	}
	return uint16(u>>48&0x8000) | uint16((magnitude-(1023-127)<<52+(1<<44-1)+u>>45&1)>>45)
}

// orderF16 maps patterns of f16 or bf16 to integers in the order of the numbers, -0 below +0.
func orderF16(h uint16) int16 { return int16(h) ^ int16(h)>>15&0x7fff }

// f16Min and its like: one NaN gives the other operand.
func f16Min(a, b uint16) uint16  { return lesser(a, b, 0x7c00) }
func f16Max(a, b uint16) uint16  { return greater(a, b, 0x7c00) }
func bf16Min(a, b uint16) uint16 { return lesser(a, b, 0x7f80) }
func bf16Max(a, b uint16) uint16 { return greater(a, b, 0x7f80) }

func lesser(a, b, infinity uint16) uint16 {
	nanA, nanB := a&0x7fff > infinity, b&0x7fff > infinity
	switch {
	case nanA && nanB:
		return nan16
	case nanB || !nanA && orderF16(a) < orderF16(b):
		return a
	}
	return b
}

func greater(a, b, infinity uint16) uint16 {
	nanA, nanB := a&0x7fff > infinity, b&0x7fff > infinity
	switch {
	case nanA && nanB:
		return nan16
	case nanB || !nanA && orderF16(a) > orderF16(b):
		return a
	}
	return b
}

// pack joins two halves, the low one first.
func pack(lo, hi uint16) uint32 { return uint32(lo) | uint32(hi)<<16 }

// flushPair is .ftz on both f16 of a pair.
func flushPair(x uint32) uint32 { return formatF16.flush(x&0xffff) | formatF16.flush(x>>16)<<16 }
