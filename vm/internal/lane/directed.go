package lane

import (
	"math"
	"math/bits"
)

// f64 arithmetic in the directed rounding modes, in integers: the hardware behind Go rounds to nearest only.

// wide is the number ±(hi·2^64 + lo)·2^exponent; the lowest bit may stand for all the bits below it (a sticky bit).
type wide struct {
	neg      bool
	exponent int
	hi, lo   uint64
}

// unpack64 takes a finite number apart.
func unpack64(x float64) (neg bool, exponent int, significand uint64) {
	b := math.Float64bits(x)
	exponent, significand = int(b>>52&0x7ff), b&(1<<52-1)
	if exponent == 0 {
		exponent = 1
	} else {
		significand |= 1 << 52
	}
	return b>>63 != 0, exponent - 1075, significand
}

// normal shifts the leading one to bit 126, leaving room for a carry. Zero stays.
func (x wide) normal() wide {
	n := bits.LeadingZeros64(x.hi)
	if x.hi == 0 {
		n = 64 + bits.LeadingZeros64(x.lo)
	}
	switch n--; {
	case n >= 64:
		x.hi, x.lo = x.lo<<(n-64), 0
	case n > 0:
		x.hi, x.lo = x.hi<<n|x.lo>>(64-n), x.lo<<n
	case n < 0:
		x.hi, x.lo = x.hi>>1, x.hi<<63|x.lo>>1|x.lo&1
	}
	x.exponent -= n
	return x
}

// shiftRight drops n low bits into the sticky bit.
func (x wide) shiftRight(n uint) wide {
	var lost uint64
	switch {
	case n == 0:
		return x
	case n >= 128:
		lost, x.hi, x.lo = x.hi|x.lo, 0, 0
	case n >= 64:
		lost = x.lo | x.hi<<(128-n)
		x.hi, x.lo = 0, x.hi>>(n-64)
	default:
		lost = x.lo << (64 - n)
		x.hi, x.lo = x.hi>>n, x.hi<<(64-n)|x.lo>>n
	}
	if lost != 0 {
		x.lo |= 1
	}
	return x
}

// add is x + y. At most one of them may be zero.
func (x wide) add(y wide) wide {
	if x.hi|x.lo == 0 {
		return y
	}
	if y.hi|y.lo == 0 {
		return x
	}
	x, y = x.normal(), y.normal()
	if x.exponent < y.exponent || x.exponent == y.exponent && (x.hi < y.hi || x.hi == y.hi && x.lo < y.lo) {
		x, y = y, x
	}
	y = y.shiftRight(uint(x.exponent - y.exponent))
	var carry uint64
	if x.neg == y.neg {
		x.lo, carry = bits.Add64(x.lo, y.lo, 0)
		x.hi, _ = bits.Add64(x.hi, y.hi, carry)
	} else {
		x.lo, carry = bits.Sub64(x.lo, y.lo, 0)
		x.hi, _ = bits.Sub64(x.hi, y.hi, carry)
	}
	return x
}

// round is x rounded once to f64. An exact zero is positive.
func (x wide) round(mode rounding) float64 {
	if x.hi|x.lo == 0 {
		return 0
	}
	x = x.normal()
	significand := x.hi
	if x.lo != 0 {
		significand |= 1
	}
	exponent := x.exponent + 126 // of the leading one, bit 62 of the significand
	least := max(exponent, -1022)
	cut := min(uint(10+least-exponent), 63)
	kept := significand >> cut
	if mode.roundsUp(x.neg, kept&1 != 0, significand&(1<<cut-1), 1<<(cut-1)) {
		kept++
	}
	magnitude := uint64(least+1022)<<52 + kept
	if magnitude > math.Float64bits(math.MaxFloat64) {
		magnitude = math.Float64bits(math.MaxFloat64)
		if mode.overflows(x.neg) {
			magnitude++
		}
	}
	if x.neg {
		magnitude |= 1 << 63
	}
	return math.Float64frombits(magnitude)
}

// zeroSum is the sign of an exact zero sum of numbers of different signs.
func zeroSum(mode rounding) float64 {
	if mode == down {
		return math.Copysign(0, -1)
	}
	return 0
}

func finite64(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// fma64 is a*b + c rounded once.
func fma64(a, b, c float64, mode rounding) float64 {
	if mode == nearestEven || !finite64(a) || !finite64(b) || !finite64(c) {
		return math.FMA(a, b, c)
	}
	negA, expA, sigA := unpack64(a)
	negB, expB, sigB := unpack64(b)
	negC, expC, sigC := unpack64(c)
	p := wide{neg: negA != negB, exponent: expA + expB}
	p.hi, p.lo = bits.Mul64(sigA, sigB)
	if p.hi|p.lo|sigC == 0 && p.neg == negC {
		return c
	}
	sum := p.add(wide{neg: negC, exponent: expC, lo: sigC})
	if sum.hi|sum.lo == 0 {
		return zeroSum(mode)
	}
	return sum.round(mode)
}

func add64(a, b float64, mode rounding) float64 { return fma64(a, 1, b, mode) }

// mul64 adds a zero of the product's sign, which changes nothing.
func mul64(a, b float64, mode rounding) float64 {
	return fma64(a, b, math.Copysign(0, math.Copysign(1, a)*math.Copysign(1, b)), mode)
}

func div64(a, b float64, mode rounding) float64 {
	if mode == nearestEven || !finite64(a) || !finite64(b) || a == 0 || b == 0 {
		return a / b
	}
	negA, expA, sigA := unpack64(a)
	negB, expB, sigB := unpack64(b)
	za, zb := bits.LeadingZeros64(sigA), bits.LeadingZeros64(sigB)
	sigA, sigB = sigA<<za, sigB<<zb
	quotient, rest := bits.Div64(sigA>>1, sigA<<63, sigB)
	if rest != 0 {
		rest = 1
	}
	return wide{neg: negA != negB, exponent: expA - za - expB + zb - 63 - 64, hi: quotient, lo: rest}.round(mode)
}

func sqrt64(a float64, mode rounding) float64 {
	root := math.Sqrt(a)
	if mode == nearestEven || !(a > 0) || !finite64(a) {
		return root
	}
	// Scaled so that the rest of the root is exact; the root itself is far from underflow.
	scaled, back := a, 1.0
	if a < 0x1p-500 {
		scaled, back = a*0x1p600, 0x1p-300
	}
	root = math.Sqrt(scaled)
	switch rest := math.FMA(-root, root, scaled); {
	case rest < 0 && mode != up:
		root = math.Nextafter(root, 0)
	case rest > 0 && mode == up:
		root = math.Nextafter(root, math.Inf(1))
	}
	return root * back
}
