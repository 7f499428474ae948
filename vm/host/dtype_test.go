package host

import (
	"math"
	"math/big"
	"math/rand"
	"testing"
)

// TestNarrowIsNearestEven compares Round for f16 and bf16 with a search for the nearest of all values of the
// format, in exact rational arithmetic.
func TestNarrowIsNearestEven(t *testing.T) {
	for _, d := range []Dtype{F16, BF16} {
		row := dtypeRows[d]
		finite := (uint64(1)<<row.exp - 1) << row.frac // patterns below are the finite magnitudes, ascending
		value := func(bits uint64) *big.Rat {          // the definition of a binary interchange format
			e, f := int(bits>>row.frac), int64(bits&(1<<row.frac-1))
			bias := 1<<(row.exp-1) - 1
			if e == 0 {
				e = 1
			} else {
				f += 1 << row.frac
			}
			r := new(big.Rat).SetInt64(f)
			scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(abs(e-bias-row.frac))))
			if e-bias-row.frac < 0 {
				return r.Quo(r, scale)
			}
			return r.Mul(r, scale)
		}
		nearest := func(v float64) uint64 {
			want := new(big.Rat).SetFloat64(math.Abs(v))
			low, high := uint64(0), finite // value(finite) is what overflow rounds as: one step above the largest
			for high-low > 1 {
				if mid := (low + high) / 2; value(mid).Cmp(want) <= 0 {
					low = mid
				} else {
					high = mid
				}
			}
			below := new(big.Rat).Sub(want, value(low))
			above := new(big.Rat).Sub(value(high), want)
			bits := low
			if c := above.Cmp(below); c < 0 || c == 0 && low&1 == 1 {
				bits = high
			}
			if math.Signbit(v) {
				bits |= 1 << (row.exp + row.frac)
			}
			return bits
		}
		check := func(v float64) {
			if got, want := d.Round(v), nearest(v); got != want {
				t.Errorf("%s.Round(%g) = %#x, want %#x", d, v, got, want)
			}
		}
		for bits := uint64(0); bits < finite; bits += 37 {
			a, _ := value(bits).Float64()
			b, _ := value(bits + 1).Float64()
			for _, v := range []float64{a, (a + b) / 2, math.Nextafter((a+b)/2, 0), math.Nextafter((a+b)/2, b), -a} {
				if v != 0 {
					check(v)
				}
			}
		}
		random := rand.New(rand.NewSource(1))
		for range 2000 {
			check(math.Ldexp(random.Float64()-0.5, random.Intn(60)-40))
		}
	}
}

func abs(n int) int { return max(n, -n) }

func TestRoundSpecials(t *testing.T) {
	for _, c := range []struct {
		d    Dtype
		v    float64
		want uint64
	}{
		{F16, 65504, 0x7bff}, {F16, 65519.99, 0x7bff}, {F16, 65520, 0x7c00}, {F16, math.Inf(-1), 0xfc00}, {F16, math.NaN(), 0x7e00},
		{F16, math.Copysign(0, -1), 0x8000}, {F16, math.Ldexp(1, -24), 1}, {F16, math.Ldexp(1, -25), 0}, {F16, math.Ldexp(1.5, -25), 1},
		{BF16, 1, 0x3f80}, {BF16, 256, 0x4380}, {BF16, 257, 0x4380}, {BF16, 259, 0x4382}, {BF16, 3.4e38, 0x7f80},
		{F32, 0.1, 0x3dcccccd}, {F64, 0.1, 0x3fb999999999999a},
		{U8, 300, 44}, {I8, -1, 0xff}, {U16, 0.5, 0}, {U16, 1.5, 2}, {I32, -2.5, 0xfffffffe}, {U64, math.Ldexp(1, 63), 1 << 63},
	} {
		if got := c.d.Round(c.v); got != c.want {
			t.Errorf("%s.Round(%g) = %#x, want %#x", c.d, c.v, got, c.want)
		}
	}
}

func TestValueUndoesRound(t *testing.T) {
	for _, d := range []Dtype{F16, BF16} {
		for bits := range uint64(1 << 16) {
			if d.isNaN(bits) {
				continue
			}
			if got := d.Round(d.Value(bits)); got != bits {
				t.Fatalf("%s: Round(Value(%#x)) = %#x", d, bits, got)
			}
		}
	}
}

func TestOrderIsThatOfNumbers(t *testing.T) {
	ascending := map[Dtype][]uint64{
		F32:  {0xff800000, 0xbf800000, 0x80000001, 0x80000000, 0x00000000, 0x00000001, 0x3f800000, 0x7f800000},
		BF16: {0xff80, 0xbf80, 0x8000, 0x0000, 0x3f80, 0x7f80},
		I8:   {0x80, 0xff, 0, 1, 0x7f},
		U64:  {0, 1, 1 << 63, math.MaxUint64},
	}
	for d, patterns := range ascending {
		for i := 1; i < len(patterns); i++ {
			if d.order(patterns[i-1]) >= d.order(patterns[i]) {
				t.Errorf("%s: %#x is not ordered before %#x", d, patterns[i-1], patterns[i])
			}
		}
	}
	if got := F32.order(0x3f800003) - F32.order(0x3f800000); got != 3 {
		t.Errorf("distance of 1 and 1+3ulp is %d", got)
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		d    Dtype
		bits uint64
		want string
	}{{U8, 255, "255"}, {I8, 255, "-1"}, {I64, math.MaxUint64, "-1"}, {U64, math.MaxUint64, "18446744073709551615"},
		{F32, 0x3dcccccd, "0.1"}, {F64, 0x3fb999999999999a, "0.1"}, {BF16, 0x4040, "3"}, {F16, 0x8000, "-0"}, {F16, 0xfc00, "-Inf"}, {F32, 0x7fc00000, "NaN"}} {
		if got := c.d.Text(c.bits); got != c.want {
			t.Errorf("%s.Text(%#x) = %s, want %s", c.d, c.bits, got, c.want)
		}
	}
}
