package lane

import (
	"math"
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
)

// The approximate functions, computed in f64 to far within the errors that the ISA allows and rounded once. They are
// written out, every product rounded by a conversion, because those of package math differ from host to host.

// approximations are the functions of instructions with .approx, on f64.
var approximations = map[isa.Opcode]func(float64) float64{
	isa.OpSin:   sine,
	isa.OpCos:   cosine,
	isa.OpLg2:   log2,
	isa.OpEx2:   exp2,
	isa.OpTanh:  tanh,
	isa.OpRsqrt: func(x float64) float64 { return 1 / math.Sqrt(x) },
	isa.OpRcp:   func(x float64) float64 { return 1 / x },
}

// selectApproximation picks sin, cos, lg2, ex2, tanh and rsqrt, and rcp.approx.ftz.f64.
func selectApproximation(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	f, ok := approximations[in.Op]
	if !ok || !in.Has(isa.ModApprox) {
		return Choice{}, false
	}
	t := in.Type(0)
	if t == isa.F64 && in.Has(isa.ModFTZ) {
		return Choice{Run: unary64(func(a uint64) uint64 { return upperWord(f, a) })}, true
	} else if t == isa.F64 { // rsqrt.approx.f64: all 64 bits, subnormals too
		return Choice{Run: unary64(func(a uint64) uint64 { return bits64(f(math.Float64frombits(a))) })}, true
	}
	n, ok := numericOf(in, t)
	if !ok || t == isa.F32x2 || n.width < 16 {
		return Choice{}, false
	}
	one := func(a uint32) uint32 { return n.write(f(n.read(a))) }
	if t == isa.F16x2 || t == isa.BF16x2 {
		one = halves1(one)
	}
	return Choice{Run: unary32(one)}, true
}

// upperWord is an .approx.ftz.f64 form: it reads the upper word of its operand only and gives the upper word of its
// result, the lower being zero. Subnormals become zeros.
func upperWord(f func(float64) float64, a uint64) uint64 {
	flush := func(x uint64) uint64 {
		if x<<1 < 1<<53 {
			return x & (1 << 63)
		}
		return x
	}
	r := bits64(f(math.Float64frombits(flush(a >> 32 << 32))))
	if r<<1 < 0x7ff<<53 {
		r += 1 << 31 // to nearest
	}
	return flush(r >> 32 << 32)
}

// powers are 2^(i/32), by the series itself.
var powers = func() (t [32]float64) {
	for i := range t {
		x := float64(i) / 32 * math.Ln2
		t[i] = 1
		for n := 24; n > 0; n-- {
			t[i] = 1 + float64(t[i]*x)/float64(n)
		}
	}
	return t
}()

// exp2 is 2^x: the nearest multiple of 1/32 from the table and the exponent, the rest of at most 1/64 by the series of
// e^(x·ln 2).
func exp2(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 1000:
		return math.Inf(1)
	case x < -1000:
		return 0
	}
	const shift = 3 << 46 // adding it leaves multiples of 1/32
	n := float64(x+shift) - shift
	t := float64((x - n) * math.Ln2)
	series := 1 + float64(t*(1+float64(t*(1./2+float64(t*(1./6+float64(t*(1./24))))))))
	i := int(n * 32)
	return float64(series*powers[i&31]) * exp2int(i>>5)
}

// log2 is the exponent plus the logarithm of the significand in [√½, √2), by the series of the inverse hyperbolic tangent.
func log2(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case !(x > 0):
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	}
	b := math.Float64bits(x)
	exponent := int(b>>52) - 1023
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	if m > math.Sqrt2 {
		m /= 2
		exponent++
	}
	s := (m - 1) / (m + 1)
	t := float64(s * s)
	series := 1 + float64(t*(1./3+float64(t*(1./5+float64(t*(1./7+float64(t*(1./9+float64(t*(1./11+float64(t*(1./13+float64(t*(1./15))))))))))))))
	return float64(exponent) + float64(float64(s*series)*(2/math.Ln2))
}

func tanh(x float64) float64 {
	switch m := math.Abs(x); {
	case x == 0:
		return x
	case m > 40:
		return math.Copysign(1, x)
	case m < 0.02:
		t := float64(x * x)
		return x - float64(float64(x*t)*(1./3+float64(t*(-2./15+float64(t*(17./315))))))
	}
	e := exp2(float64(x * (2 * math.Log2E)))
	return (e - 1) / (e + 1)
}

// quadrant reduces x to r in [-π/4, π/4] and counts the quarter turns between.
func quadrant(x float64) (r float64, quarter int) {
	// π/2 in three parts, of which the first two have trailing zeros enough to be multiplied exactly (fdlibm).
	const high, middle, low = 1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624879595063154e-21
	if math.Abs(x) > 1<<20 {
		return reduceLarge(x)
	}
	n := math.RoundToEven(float64(x * (2 / math.Pi)))
	r = x - float64(n*high)
	r -= float64(n * middle)
	return r - float64(n*low), int(n)
}

// twoOverPi is 2/π: 64 bits before the point, 256 after it.
var twoOverPi = [5]uint64{0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561}

// reduceLarge is quadrant for an f32 of at least 2^20, an integer times a power of two: the integer times those bits of
// 2/π that matter to the product modulo 4 (Payne and Hanek).
func reduceLarge(x float64) (r float64, quarter int) {
	neg, exponent, significand := unpack64(x)
	significand, exponent = significand>>29, exponent+29 // an f32 has 24 bits
	// Bits of weight 4 and more, after multiplication with 2^exponent, are whole turns.
	var window [2]uint64
	for i := range window {
		at := 64 + exponent - 2 + 64*i
		word, shift := at/64, at%64
		window[i] = twoOverPi[word] << shift
		if word+1 < len(twoOverPi) {
			window[i] |= twoOverPi[word+1] >> (64 - shift)
		}
	}
	carry, _ := bits.Mul64(window[1], significand)
	product := window[0]*significand + carry // two bits of quarter turns, 62 of their fraction
	quarter = int(product >> 62)
	fraction := int64(product << 2)
	if fraction < 0 { // the next quarter turn is nearer
		quarter++
	}
	r = float64(float64(fraction)*0x1p-64) * (math.Pi / 2)
	if neg {
		return -r, -quarter
	}
	return r, quarter
}

func sinePart(r float64) float64 {
	t := float64(r * r)
	return float64(r * (1 + float64(t*(-1./6+float64(t*(1./120+float64(t*(-1./5040+float64(t*(1./362880+float64(t*(-1./39916800))))))))))))
}

func cosinePart(r float64) float64 {
	t := float64(r * r)
	return 1 + float64(t*(-1./2+float64(t*(1./24+float64(t*(-1./720+float64(t*(1./40320+float64(t*(-1./3628800+float64(t*(1./479001600))))))))))))
}

func sine(x float64) float64 {
	if math.IsInf(x, 0) || x != x {
		return math.NaN()
	}
	if x == 0 {
		return x
	}
	return turned(quadrant(x))
}

func cosine(x float64) float64 {
	if math.IsInf(x, 0) || x != x {
		return math.NaN()
	}
	r, quarter := quadrant(x)
	return turned(r, quarter+1)
}

// turned is the sine of r and a number of quarter turns.
func turned(r float64, quarter int) float64 {
	switch quarter & 3 {
	case 0:
		return sinePart(r)
	case 1:
		return cosinePart(r)
	case 2:
		return -sinePart(r)
	}
	return -cosinePart(r)
}

// approxQuotient is div.approx.f32: the quotient, but for divisors beyond 2^126 a signed zero, or NaN for an infinite
// dividend (PTX ISA, "Floating Point Instructions: div").
func approxQuotient(a, b float32) float32 {
	if m := math.Abs(float64(b)); m > 0x1p126 && m <= math.MaxFloat32 {
		return a * math.Float32frombits(math.Float32bits(b)&(1<<31))
	}
	return a / b
}
