package lane

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// power is 2^n.
func power(n int) *big.Rat {
	p := new(big.Int).Lsh(big.NewInt(1), uint(max(n, -n)))
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// reference rounds an exact number to a format by the definition: as a multiple of the unit in its last place. It shares
// no step with format.round.
func reference(x *big.Rat, mantissa, bias int, mode rounding) float64 {
	if x.Sign() == 0 {
		return 0
	}
	magnitude := new(big.Rat).Abs(x)
	exponent := magnitude.Num().BitLen() - magnitude.Denom().BitLen()
	if magnitude.Cmp(power(exponent)) < 0 {
		exponent--
	}
	unit := power(max(exponent, 1-bias) - mantissa)
	quotient := new(big.Rat).Quo(magnitude, unit)
	multiple := new(big.Int).Quo(quotient.Num(), quotient.Denom())
	rest := quotient.Sub(quotient, new(big.Rat).SetInt(multiple))
	half := rest.Cmp(big.NewRat(1, 2))
	nearest := half > 0 || half == 0 && multiple.Bit(0) == 1
	away := rest.Sign() > 0 && (mode == down && x.Sign() < 0 || mode == up && x.Sign() > 0)
	if mode == nearestEven && nearest || away {
		multiple.Add(multiple, big.NewInt(1))
	}
	result := new(big.Rat).Mul(new(big.Rat).SetInt(multiple), unit)
	if result.Cmp(power(bias+1)) >= 0 {
		if mode == nearestEven || mode == down && x.Sign() < 0 || mode == up && x.Sign() > 0 {
			return math.Copysign(math.Inf(1), float64(x.Sign()))
		}
		result.Sub(power(bias+1), power(bias-mantissa))
	}
	r, _ := result.Float64()
	return math.Copysign(r, float64(x.Sign()))
}

// sample draws numbers where rounding is hard: few bits, close exponents, ends of the range, neighbours of powers of two.
func sample(r *rand.Rand, t isa.Type) uint64 {
	width := t.Bits()
	mantissa := 52
	if t != isa.F64 {
		mantissa = int(formats[t].mantissa)
	}
	switch x := r.Uint64() >> (64 - width); r.IntN(5) {
	case 0: // any pattern
		return x
	case 1: // around one
		return x&(1<<(mantissa/2)-1) | x>>(width-1)<<(width-1) | (1<<(width-2)-1<<mantissa)&^(1<<(width-1)) + uint64(r.IntN(3))<<mantissa
	case 2: // small, subnormal
		return x & (1<<(mantissa+1) - 1) &^ (1 << (width - 1))
	case 3: // few bits
		return x &^ (1<<(mantissa-3) - 1)
	default: // a power of two and its neighbours
		return x&^(1<<mantissa-1) + uint64(r.IntN(3)) - 1&(1<<width-1)
	}
}

// TestArithmeticIsExact compares every operation, type and rounding mode with rational arithmetic rounded once.
func TestArithmeticIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	modes := map[string]rounding{"rn": nearestEven, "rz": towardsZero, "rm": down, "rp": up}
	exact := map[string]func(a, b, c *big.Rat) *big.Rat{
		"add": func(a, b, _ *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) },
		"sub": func(a, b, _ *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) },
		"mul": func(a, b, _ *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) },
		"fma": func(a, b, c *big.Rat) *big.Rat { return new(big.Rat).Add(new(big.Rat).Mul(a, b), c) },
		"div": func(a, b, _ *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) },
	}
	for _, typ := range []isa.Type{isa.F16, isa.BF16, isa.F32, isa.F64} {
		mantissa, bias := 52, 1023
		if typ != isa.F64 {
			mantissa, bias = int(formats[typ].mantissa), formats[typ].bias
		}
		for name, operate := range exact {
			for word, mode := range modes {
				if typ.Bits() == 16 && (word != "rn" || name == "div") {
					continue
				}
				in := instruction(t, name+"."+word+"."+typ.String(), 4)
				c, ok := Select(in, nil)
				if !ok {
					t.Fatalf("no %s.%s.%s", name, word, typ)
				}
				for range 60 {
					w := randomWarp(r)
					w.Active, w.Full = 1<<32-1, true
					var x [3][32]uint64
					for i := range x {
						for l := range x[i] {
							x[i][l] = sample(r, typ)
							if i == 2 && r.IntN(3) == 0 && name == "fma" { // near cancellation
								product := -readFloat(x[0][l], typ) * readFloat(x[1][l], typ)
								if typ == isa.F64 {
									x[i][l] = math.Float64bits(product)
								} else {
									x[i][l] = uint64(formats[typ].round(product, towardsZero, false))
								}
							}
							w.R32[i][l], w.R64[i][l] = uint32(x[i][l]), x[i][l]
						}
					}
					c.Run(w, &state.Op{D: 3, D2: -1, A: 0, B: 1, C: 2})
					for l := range 32 {
						a, b, cc := readFloat(x[0][l], typ), readFloat(x[1][l], typ), readFloat(x[2][l], typ)
						if math.IsNaN(a+b+cc) || math.IsInf(a, 0) || math.IsInf(b, 0) || math.IsInf(cc, 0) || name == "div" && b == 0 {
							continue
						}
						want := reference(operate(new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b), new(big.Rat).SetFloat64(cc)), mantissa, bias, mode)
						var got float64
						if typ == isa.F64 {
							got = math.Float64frombits(w.R64[3][l])
						} else {
							got = formats[typ].value(w.R32[3][l])
						}
						if got != want {
							t.Fatalf("%s.%s.%s(%v, %v, %v) = %v, want %v", name, word, typ, a, b, cc, got, want)
						}
					}
				}
			}
		}
	}
}

// TestSqrtIsExact checks that the root lies on the right side of its neighbours' squares.
func TestSqrtIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 20000 {
		x := math.Abs(math.Float64frombits(sample(r, isa.F64)))
		if !(x > 0) || math.IsInf(x, 0) {
			continue
		}
		square := func(y float64) *big.Float {
			b := new(big.Float).SetPrec(200).SetFloat64(y)
			return b.Mul(b, b)
		}
		low, high := sqrt64(x, down), sqrt64(x, up)
		exact := new(big.Float).SetPrec(200).SetFloat64(x)
		if square(low).Cmp(exact) > 0 || square(high).Cmp(exact) < 0 {
			t.Fatalf("sqrt(%v) is not within [%v, %v]", x, low, high)
		}
		if low != high && math.Nextafter(low, math.Inf(1)) != high || low == high && square(low).Cmp(exact) != 0 {
			t.Fatalf("sqrt(%v): %v and %v are not neighbours around it", x, low, high)
		}
		if zero := sqrt64(x, towardsZero); zero != low {
			t.Fatalf("sqrt.rz(%v) = %v, want %v", x, zero, low)
		}
	}
}

// TestHalves goes through all patterns of f16 and bf16 and compares the fast conversions with the general ones.
func TestHalves(t *testing.T) {
	for x := range uint32(1 << 16) {
		for _, c := range []struct {
			f    *format
			from func(uint16) float32
			to   func(float32) uint16
		}{{formatF16, fromF16, toF16}, {formatBF16, fromBF16, toBF16}} {
			want := c.f.value(x)
			got := c.from(uint16(x))
			if float64(got) != want && !(got != got && want != want) {
				t.Fatalf("%#x is %v, want %v", x, got, want)
			}
			if got == got && uint32(c.to(got)) != x {
				t.Fatalf("%v goes to %#x, want %#x", got, c.to(got), x)
			}
			// The middle between two neighbours, and both sides of it.
			next := c.f.value(x + 1)
			if want != want || math.IsInf(next, 0) || next != next {
				continue
			}
			middle := float32((want + next) / 2)
			for _, y := range []float32{middle, math.Nextafter32(middle, 0), math.Nextafter32(middle, float32(math.Copysign(math.Inf(1), float64(middle))))} {
				if got, want := uint32(c.to(y)), c.f.round(float64(y), nearestEven, false); got != want {
					t.Fatalf("%v goes to %#x, want %#x", y, got, want)
				}
			}
		}
	}
}

// TestFusedRounding are sums that come out wrong when f64 is rounded to f32 without care, and zeros of both signs. They
// go through the loops over all lanes and over some, in all lanes, with the sum in place of the addend.
func TestFusedRounding(t *testing.T) {
	choice, ok := Select(instruction(t, "fma.rn.f32", 4), nil)
	if !ok {
		t.Fatal("no fma.rn.f32")
	}
	for _, c := range []struct{ a, b, c, want uint32 }{
		// 2^-24·(1+2^-23) beside 1: just above the middle between 1 and its neighbour, which f64 rounds to the middle.
		{0x33800000, 0x3f800000 + 1, 0x3f800000, 0x3f800001},
		// (2^12+1)² = 2^24+2^13+1 and a subnormal: above the number, not on it.
		{0x45800800, 0x45800800, 0x00000001, 0x4b801001},
		// The same less a subnormal: below 2^24+2^13+1, which lies between 2^24+2^13 and 2^24+2^13+2.
		{0x45800800, 0x45800800, 0x80000001, 0x4b801000},
		// 1·1 - 1 is +0, -1·0 - 0 is -0.
		{0x3f800000, 0x3f800000, 0xbf800000, 0x00000000},
		{0xbf800000, 0x00000000, 0x80000000, 0x80000000},
		// 2^-64·2^-64 = 2^-128, a subnormal.
		{0x1f800000, 0x1f800000, 0x80000000, 0x00800000 >> 2},
		// 2^-100·2^-50 is the middle between 0 and the smallest subnormal: to even.
		{0x0d800000, 0x26800000, 0x00000000, 0x00000000},
		// 2^-75·(1+2^-23)·2^-75 is above it.
		{0x1a000001, 0x1a000000, 0x00000000, 0x00000001},
		// 2^-150·(1 - 2^-30) beside 2^-127 + 2^-149: below the middle between two subnormals, which f64 rounds to the middle.
		{0x1a000100, 0x19fffe00, 0x00400001, 0x00400001},
		// 2^127·2 is infinite, infinity - infinity NaN.
		{0x7f000000, 0x40000000, 0x00000000, 0x7f800000},
		{0x7f800000, 0x3f800000, 0xff800000, 0x7fffffff},
	} {
		for _, active := range []uint32{1<<32 - 1, 0x80000001} {
			w := &state.Warp{R32: make([][32]uint32, 3), Prog: &state.Program{}, Active: active, Full: active == 1<<32-1, Live: 1<<32 - 1}
			for l := range 32 {
				w.R32[0][l], w.R32[1][l], w.R32[2][l] = c.a, c.b, c.c
			}
			choice.Run(w, &state.Op{D: 2, D2: -1, A: 0, B: 1, C: 2})
			for l := range 32 {
				want := c.want
				if active>>l&1 == 0 {
					want = c.c
				}
				if got := w.R32[2][l]; got != want {
					t.Fatalf("fma(%#x, %#x, %#x) = %#x in lane %d, want %#x", c.a, c.b, c.c, got, l, want)
				}
			}
		}
	}
}

// TestFusedFTZ: with .ftz subnormal operands and results are zeros of their sign.
func TestFusedFTZ(t *testing.T) {
	choice, ok := Select(instruction(t, "fma.rn.ftz.f32", 4), nil)
	if !ok {
		t.Fatal("no fma.rn.ftz.f32")
	}
	flush := func(x float64) float64 {
		if math.Abs(x) < 0x1p-126 {
			return math.Copysign(0, x)
		}
		return x
	}
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	r := rand.New(rand.NewPCG(15, 16))
	for range 300 {
		w := randomWarp(r)
		w.Active, w.Full = 1<<32-1, r.IntN(2) == 0
		for i := range 3 {
			for l := range 32 {
				w.R32[i][l] = uint32(sample(r, isa.F32))
			}
		}
		choice.Run(w, &state.Op{D: 3, D2: -1, A: 0, B: 1, C: 2})
		for l := range 32 {
			a, b, c := flush(formatF32.value(w.R32[0][l])), flush(formatF32.value(w.R32[1][l])), flush(formatF32.value(w.R32[2][l]))
			if sum := a*b + c; math.IsNaN(sum) || math.IsInf(sum, 0) {
				continue
			}
			want := flush(reference(new(big.Rat).Add(new(big.Rat).Mul(rat(a), rat(b)), rat(c)), 23, 127, nearestEven))
			if got := formatF32.value(w.R32[3][l]); got != want {
				t.Fatalf("fma.ftz(%v, %v, %v) = %v, want %v", a, b, c, got, want)
			}
		}
	}
}
