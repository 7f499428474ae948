package lane

import (
	"math"

	"github.com/tollgate-sim/tollgate/isa"
)

// numeric is how an instruction reads and writes numbers of a format of at most 32 bits.
type numeric struct {
	*format
	mode           rounding
	ftz, sat, relu bool
}

func numericOf(in *isa.Inst, t isa.Type) (numeric, bool) {
	f, ok := formats[t]
	return numeric{f, roundingOf(in), in.Has(isa.ModFTZ), in.Has(isa.ModSat), in.Has(isa.ModRelu)}, ok
}

// read is an operand's value.
func (n numeric) read(pattern uint32) float64 {
	if n.ftz {
		pattern = n.flush(pattern)
	}
	return n.value(pattern)
}

// write rounds a result that is exact, or rounded to odd.
func (n numeric) write(x float64) uint32 {
	pattern := n.round(x, n.mode, false)
	if n.ftz {
		pattern = n.flush(pattern)
	}
	if n.sat {
		pattern = n.saturate(pattern)
	}
	if n.relu {
		pattern = n.positive(pattern)
	}
	return pattern << n.shift
}

// The operations on numbers of at most 32 bits, in f64: exact or rounded to odd.

func sumOdd(a, b float64, mode rounding) float64 {
	sum := addOdd(a, b)
	if sum == 0 && mode == down && (a != 0 || b != 0 || math.Signbit(a) || math.Signbit(b)) {
		return zeroSum(mode)
	}
	return sum
}

func quotientOdd(a, b float64) float64 {
	q := a / b
	rest := math.FMA(-q, b, a)
	if b < 0 {
		rest = -rest
	}
	return toOdd(q, rest)
}

func rootOdd(a float64) float64 {
	root := math.Sqrt(a)
	return toOdd(root, math.FMA(-root, root, a))
}

// operation is an arithmetic instruction of up to three sources: on the numbers of the smaller formats, exact or
// rounded to odd, and on f64, rounded.
type operation struct {
	sources int
	odd     func(a, b, c float64, mode rounding) float64
	double  func(a, b, c float64, mode rounding) float64
}

var operations = map[isa.Opcode]operation{
	isa.OpAdd: {2, func(a, b, _ float64, m rounding) float64 { return sumOdd(a, b, m) },
		func(a, b, _ float64, m rounding) float64 { return add64(a, b, m) }},
	isa.OpSub: {2, func(a, b, _ float64, m rounding) float64 { return sumOdd(a, -b, m) },
		func(a, b, _ float64, m rounding) float64 { return add64(a, -b, m) }},
	isa.OpMul: {2, func(a, b, _ float64, _ rounding) float64 { return a * b },
		func(a, b, _ float64, m rounding) float64 { return mul64(a, b, m) }},
	isa.OpFma: {3, func(a, b, c float64, m rounding) float64 { return sumOdd(float64(a*b), c, m) }, fma64},
	isa.OpMad: {3, func(a, b, c float64, m rounding) float64 { return sumOdd(float64(a*b), c, m) }, fma64},
	isa.OpDiv: {2, func(a, b, _ float64, _ rounding) float64 { return quotientOdd(a, b) },
		func(a, b, _ float64, m rounding) float64 { return div64(a, b, m) }},
	isa.OpRcp: {1, func(a, _, _ float64, _ rounding) float64 { return quotientOdd(1, a) },
		func(a, _, _ float64, m rounding) float64 { return div64(1, a, m) }},
	isa.OpSqrt: {1, func(a, _, _ float64, _ rounding) float64 { return rootOdd(a) },
		func(a, _, _ float64, m rounding) float64 { return sqrt64(a, m) }},
}

// selectArithmetic composes the forms of floating-point arithmetic that are not in the list: directed rounding, .ftz,
// .sat and .relu in every type, f32x2, and sums of a half and an f32.
func selectArithmetic(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	o := operations[in.Op]
	t := in.Type(0)
	if t == isa.F64 {
		return Choice{Run: o.on64(roundingOf(in))}, only(in)
	}
	n, ok := numericOf(in, t)
	if !ok || !only(in, isa.ModFTZ, isa.ModSat, isa.ModRelu) {
		return Choice{}, false
	}
	if len(in.Types) > 1 {
		return o.mixed(in, n)
	}
	one := func(a uint32) uint32 { return n.write(o.odd(n.read(a), 0, 0, n.mode)) }
	two := func(a, b uint32) uint32 { return n.write(o.odd(n.read(a), n.read(b), 0, n.mode)) }
	three := func(a, b, c uint32) uint32 { return n.write(o.odd(n.read(a), n.read(b), n.read(c), n.mode)) }
	switch t {
	case isa.F16x2, isa.BF16x2:
		two, three = halves2(two), halves3(three)
	case isa.F32x2:
		if o.sources == 3 {
			return Choice{Run: ternary64(func(a, b, c uint64) uint64 {
				return uint64(three(uint32(a), uint32(b), uint32(c))) | uint64(three(uint32(a>>32), uint32(b>>32), uint32(c>>32)))<<32
			})}, true
		}
		return Choice{Run: binary64(func(a, b uint64) uint64 {
			return uint64(two(uint32(a), uint32(b))) | uint64(two(uint32(a>>32), uint32(b>>32)))<<32
		})}, true
	}
	switch o.sources {
	case 1:
		return Choice{Run: unary32(one)}, true
	case 2:
		return Choice{Run: binary32(two)}, true
	}
	return Choice{Run: ternary32(three)}, true
}

// on64 is the operation on f64.
func (o operation) on64(mode rounding) Func {
	number := math.Float64frombits
	switch o.sources {
	case 1:
		return unary64(func(a uint64) uint64 { return bits64(o.double(number(a), 0, 0, mode)) })
	case 2:
		return binary64(func(a, b uint64) uint64 { return bits64(o.double(number(a), number(b), 0, mode)) })
	}
	return ternary64(func(a, b, c uint64) uint64 { return bits64(o.double(number(a), number(b), number(c), mode)) })
}

// mixed is add.f32.f16 and the like: the last source is an f32, the others are halves.
func (o operation) mixed(in *isa.Inst, n numeric) (Choice, bool) {
	half, ok := formats[in.Type(1)]
	if !ok {
		return Choice{}, false
	}
	if o.sources == 3 {
		return Choice{Run: ternary32(func(a, b, c uint32) uint32 {
			return n.write(o.odd(half.value(a), half.value(b), n.read(c), n.mode))
		})}, true
	}
	return Choice{Run: binary32(func(a, c uint32) uint32 { return n.write(o.odd(half.value(a), n.read(c), 0, n.mode)) })}, true
}
