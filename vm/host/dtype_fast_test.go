package host

import (
	"math"
	"testing"
)

// Rounding on the bits of a float64 agrees with rounding by scaling, the definition, for numbers on, beside and between
// all values of the type, and beyond both ends of its range.
func TestRoundByDefinition(t *testing.T) {
	define := func(v float64, exp, frac int) uint64 {
		sign := math.Float64bits(v) >> 63 << (exp + frac)
		infinity := (uint64(1)<<exp - 1) << frac
		if v == 0 {
			return sign
		}
		least := 2 - 1<<(exp-1)
		e := max(math.Ilogb(v), least)
		units := math.RoundToEven(math.Ldexp(math.Abs(v), frac-e))
		return sign | min(uint64(e-least)<<frac+uint64(units), infinity)
	}
	for _, d := range []Dtype{F16, BF16} {
		row := dtypeRows[d]
		for bits := range uint64(1) << 16 {
			v := d.Value(bits)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			if got := d.Round(v); got != bits {
				t.Fatalf("%s: %#x is %v and rounds to %#x", d, bits, v, got)
			}
			next := d.Value(bits + 1)
			if math.IsNaN(next) || math.IsInf(next, 0) || bits == 1<<15-1 {
				next = v * 2
			}
			half := v + (next-v)/2
			for _, w := range []float64{half, math.Nextafter(half, v), math.Nextafter(half, next), math.Nextafter(v, next)} {
				if got, want := d.Round(w), define(w, row.exp, row.frac); got != want {
					t.Fatalf("%s: %v rounds to %#x, by definition %#x", d, w, got, want)
				}
			}
		}
	}
}
