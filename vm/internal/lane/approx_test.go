package lane

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
)

// TestApproximations compares with package math, whose error is far below an f32's last place.
func TestApproximations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		op   isa.Opcode
		want func(float64) float64
		from func() float64
	}{
		{isa.OpSin, math.Sin, func() float64 { return r.NormFloat64() * 10 }},
		{isa.OpCos, math.Cos, func() float64 { return r.NormFloat64() * 10 }},
		{isa.OpSin, math.Sin, func() float64 { return float64(float32(math.Exp2(r.Float64()*128) * 0.999)) }},
		{isa.OpCos, math.Cos, func() float64 { return -float64(float32(math.Exp2(18+r.Float64()*14) * 0.999)) }},
		{isa.OpEx2, math.Exp2, func() float64 { return r.NormFloat64() * 50 }},
		{isa.OpLg2, math.Log2, func() float64 { return math.Exp2(r.NormFloat64() * 40) }},
		{isa.OpLg2, math.Log2, func() float64 { return 1 + r.NormFloat64()*1e-3 }},
		{isa.OpTanh, math.Tanh, func() float64 { return r.NormFloat64() }},
		{isa.OpTanh, math.Tanh, func() float64 { return r.NormFloat64() * 1e-3 }},
	} {
		for range 2000 {
			x := c.from()
			got, want := approximations[c.op](x), c.want(x)
			if diff := math.Abs(got - want); !(diff <= 1e-11*math.Abs(want)+1e-12) {
				t.Fatalf("%s(%v) = %v, want %v", c.op, x, got, want)
			}
		}
	}
}
