package lane

import "math/bits"

type integer interface {
	~int16 | ~int32 | ~int64 | ~uint16 | ~uint32 | ~uint64
}

// clampS32 saturates to the range of s32.
func clampS32(x int64) int32 { return int32(min(max(x, -1<<31), 1<<31-1)) }

// u24 and s24 are the low 24 bits that mul24 and mad24 multiply.
func u24(x uint32) uint64 { return uint64(x & 0xffffff) }
func s24(x uint32) int64  { return int64(int32(x<<8) >> 8) }

// highU64 is the upper half of an unsigned 128-bit product.
func highU64(a, b uint64) uint64 {
	hi, _ := bits.Mul64(a, b)
	return hi
}

// highS64 is the upper half of a signed 128-bit product: the unsigned one less what the sign bits were counted for.
func highS64(a, b int64) int64 {
	hi, _ := bits.Mul64(uint64(a), uint64(b))
	return int64(hi) - a>>63&b - b>>63&a
}

// quotient truncates. Division by zero, which the ISA leaves to the machine, gives all ones.
func quotient[T integer](a, b T) T {
	if b == 0 {
		var zero T
		return ^zero
	}
	return a / b
}

// remainder has the sign of the dividend; a modulo zero, left to the machine, gives a.
func remainder[T integer](a, b T) T {
	if b == 0 {
		return a
	}
	return a % b
}

// pack16 joins two signed halves, the low one first.
func pack16(lo, hi int16) uint32 { return uint32(uint16(lo)) | uint32(uint16(hi))<<16 }

// shiftAmount is bfind.shiftamt: by how much to shift left so that the bit found, number length-1, becomes bit msb.
// All ones when no bit was found.
func shiftAmount(msb, length int) uint32 {
	if length == 0 {
		return 1<<32 - 1
	}
	return uint32(msb + 1 - length)
}

// nthSet is fns: the position of the n-th set bit of mask counted from base, upwards for positive n, downwards for
// negative n; n = 0 asks for the bit at base itself. All ones when there is none.
func nthSet(mask, base uint32, n int32) uint32 {
	pos, step, need := int64(base), int64(1), int64(n)
	switch {
	case n == 0:
		need = 1
		if base > 31 || mask>>base&1 == 0 {
			return 1<<32 - 1
		}
	case n < 0:
		step, need = -1, -need
	}
	for ; pos >= 0 && pos < 32; pos += step {
		if mask>>uint(pos)&1 != 0 {
			if need--; need == 0 {
				return uint32(pos)
			}
		}
	}
	return 1<<32 - 1
}

// signedField is bfe of a signed type of `width` bits: length bits from position on, filled above with the field's
// sign bit, or the operand's when the field reaches beyond it.
func signedField(a int64, width, position, length uint32) int64 {
	if length == 0 {
		return 0
	}
	if position >= width {
		return a >> 63
	}
	length = min(length, width-position)
	return a << (64 - position - length) >> (64 - length)
}

// signExtend is szext.s32: the low `width` bits as a signed number.
func signExtend(a, width uint32) uint32 {
	if width == 0 {
		return 0
	}
	width = 32 - min(width, 32)
	return uint32(int32(a<<width) >> width)
}

// zeroExtended and signExtended widen a field of `width` bits to 32.
func zeroExtended(x uint32, width uint) uint32 { return x & (1<<width - 1) }
func signExtended(x uint32, width uint) uint32 { return uint32(int32(x<<(32-width)) >> (32 - width)) }

// dot4 is dp4a without its addend: the sum of the products of four pairs of bytes, modulo 2^32.
func dot4(widenA func(uint32, uint) uint32, a uint32, widenB func(uint32, uint) uint32, b uint32) (sum uint32) {
	for i := 0; i < 32; i += 8 {
		sum += widenA(a>>i, 8) * widenB(b>>i, 8)
	}
	return sum
}

// dot2 is dp2a without its addend: two 16-bit elements of a times the two low bytes of b.
func dot2(widenA func(uint32, uint) uint32, a uint32, widenB func(uint32, uint) uint32, b uint32) uint32 {
	return widenA(a, 16)*widenB(b, 8) + widenA(a>>16, 16)*widenB(b>>8, 8)
}
