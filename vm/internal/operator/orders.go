package operator

import (
	"encoding/binary"
	"math"

	"github.com/tollgate-sim/tollgate/isa"
)

// Order is how an all-reduce by another order of summation differs from reduce, which adds in card order in f32 and
// rounds once.
type Order struct {
	Name     string
	Elements uint64
	Differ   uint64 // elements with other bits
	Most     uint64 // the largest difference, in units in the last place of the type
	Sum      uint64 // of all differences
	// FromExact is the largest difference of this order from the exact sum, rounded once.
	FromExact uint64
}

// format is a floating-point type that sums are compared in.
type format struct {
	size  int
	load  func([]byte) float32
	round func(float32) float32
	bits  func(float32) int64 // ordered as the numbers are, one apart for neighbours
}

var formats = map[isa.Type]format{
	isa.F32: {4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) },
		func(v float32) float32 { return v },
		func(v float32) int64 { return ordered(uint64(math.Float32bits(v)), 1<<31) }},
	isa.BF16: {2, func(b []byte) float32 { return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16) },
		func(v float32) float32 { return math.Float32frombits(uint32(bf16(v)) << 16) },
		func(v float32) int64 { return ordered(uint64(bf16(v)), 1<<15) }},
	isa.F16: {2, func(b []byte) float32 { return halfToFloat(binary.LittleEndian.Uint16(b)) },
		func(v float32) float32 { return halfToFloat(half(v)) },
		func(v float32) int64 { return ordered(uint64(half(v)), 1<<15) }},
}

// ordered turns sign and magnitude into a number.
func ordered(bits, sign uint64) int64 {
	if bits&sign != 0 {
		return -int64(bits &^ sign)
	}
	return int64(bits)
}

// orders are the ways to add n contributions up; i is the element, of count.
var orders = []struct {
	name string
	sum  func(f *format, x []float32, i, count int) float32
}{
	{"card order, f32, rounded once (reduce)", func(_ *format, x []float32, _, _ int) float32 { return chain(x, 0, nil) }},
	{"card order, rounded after every card", func(f *format, x []float32, _, _ int) float32 { return chain(x, 0, f.round) }},
	{"ring, f32 carried round, rounded once", func(_ *format, x []float32, i, count int) float32 { return chain(x, i*len(x)/count, nil) }},
	{"ring, rounded at every hop", func(f *format, x []float32, i, count int) float32 { return chain(x, i*len(x)/count, f.round) }},
	{"binary tree, f32, rounded once", func(_ *format, x []float32, _, _ int) float32 { return tree(x, nil) }},
	{"binary tree, rounded at every node", func(f *format, x []float32, _, _ int) float32 { return tree(x, f.round) }},
}

// chain adds from one card on, wrapping round.
func chain(x []float32, first int, round func(float32) float32) float32 {
	acc := x[first]
	for k := 1; k < len(x); k++ {
		acc += x[(first+k)%len(x)]
		if round != nil {
			acc = round(acc)
		}
	}
	return acc
}

// tree adds neighbours, then neighbouring sums.
func tree(x []float32, round func(float32) float32) float32 {
	if len(x) == 1 {
		return x[0]
	}
	half := 1
	for 2*half < len(x) {
		half *= 2
	}
	acc := tree(x[:half], round) + tree(x[half:], round)
	if round != nil {
		acc = round(acc)
	}
	return acc
}

// exact is the sum in f64 with the error of every addition carried along (Neumaier).
func exact(x []float32) float64 {
	sum, rest := 0.0, 0.0
	for _, v := range x {
		t := sum + float64(v)
		if math.Abs(sum) >= math.Abs(float64(v)) {
			rest += sum - t + float64(v)
		} else {
			rest += float64(v) - t + sum
		}
		sum = t
	}
	if math.IsInf(sum, 0) {
		return sum
	}
	return sum + rest
}

// Orders sums contributions of equal length, in card order, in several orders. nil: not a type of floating-point
// numbers of 32 bits or less. Elements of which some sum is no number are left out.
func Orders(typ isa.Type, in [][]byte) []Order {
	f, ok := formats[typ]
	if !ok || len(in) < 2 {
		return nil
	}
	list := make([]Order, len(orders))
	for k := range orders {
		list[k].Name = orders[k].name
	}
	count := len(in[0]) / f.size
	x := make([]float32, len(in))
	sums := make([]float32, len(orders))
	for i := range count {
		for card := range in {
			x[card] = f.load(in[card][i*f.size:])
		}
		want := float32(exact(x))
		number := want == want
		for k := range orders {
			sums[k] = orders[k].sum(&f, x, i, count)
			number = number && sums[k] == sums[k]
		}
		if !number {
			continue
		}
		base, best := f.bits(sums[0]), f.bits(want)
		for k := range list {
			o, bits := &list[k], f.bits(sums[k])
			d := distance(bits, base)
			o.Elements++
			if d > 0 {
				o.Differ++
			}
			o.Most = max(o.Most, d)
			o.Sum += d
			o.FromExact = max(o.FromExact, distance(bits, best))
		}
	}
	return list
}

func distance(a, b int64) uint64 { return uint64(max(a-b, b-a)) }
