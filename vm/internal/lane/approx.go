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

// The Taylor series of the functions below, highest power first.
var (
	expSeries    = []float64{1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320, 1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1, 1}
	atanhSeries  = []float64{1. / 21, 1. / 19, 1. / 17, 1. / 15, 1. / 13, 1. / 11, 1. / 9, 1. / 7, 1. / 5, 1. / 3, 1} // in x², divided by x
	tanhSeries   = []float64{17. / 315, -2. / 15, 1. / 3}                                                             // 1 less the series in x², divided by x²
	sineSeries   = []float64{1. / 6227020800, -1. / 39916800, 1. / 362880, -1. / 5040, 1. / 120, -1. / 6, 1}          // in x², divided by x
	cosineSeries = []float64{-1. / 87178291200, 1. / 479001600, -1. / 3628800, 1. / 40320, -1. / 720, 1. / 24, -1. / 2, 1}
)

// polynomial evaluates by Horner's rule, every product rounded.
func polynomial(x float64, c []float64) (sum float64) {
	for _, k := range c {
		sum = float64(sum*x) + k
	}
	return sum
}

// exp2 is 2^x: the integral part is an exponent, the rest a Taylor series of e^(x·ln 2), |x| <= 1/2.
func exp2(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 1000:
		return math.Inf(1)
	case x < -1000:
		return 0
	}
	n := math.RoundToEven(x)
	t := (x - n) * math.Ln2
	return polynomial(t, expSeries) * exp2int(int(n))
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
	series := polynomial(float64(s*s), atanhSeries)
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
		return x - float64(float64(x*t)*polynomial(t, tanhSeries))
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
	return float64(r * polynomial(t, sineSeries))
}

func cosinePart(r float64) float64 {
	return polynomial(float64(r*r), cosineSeries)
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
