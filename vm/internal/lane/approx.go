package lane

import "math"

// approxQuotient is div.approx.f32: the quotient, but for divisors beyond 2^126 a signed zero, or NaN for an infinite
// dividend (PTX ISA, "Floating Point Instructions: div").
func approxQuotient(a, b float32) float32 {
	if m := math.Abs(float64(b)); m > 0x1p126 && m <= math.MaxFloat32 {
		return a * math.Float32frombits(math.Float32bits(b)&(1<<31))
	}
	return a / b
}
