package vm

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/operator"
)

// NumericsResult compares the sum of one reduce line, of its first operation on the lowest card of the group, with
// other orders of summation over the same contributions; or of a buffer's contents on all cards (SumOrders).
type NumericsResult struct {
	Buffer string // "": of a line
	Func   *isa.Func
	Pos    isa.Pos
	Type   isa.Type
	Cards  int
	Orders []NumericsOrder
}

// NumericsOrder is one order of summation. Differences are in units in the last place of the type.
type NumericsOrder struct {
	Name      string
	Elements  uint64
	Differ    uint64  // elements with other bits than the run's
	Most      uint64  // the largest difference
	Mean      float64 // over all elements
	FromExact uint64  // the largest difference from the exact sum rounded once
}

// numerics sums the sampled contributions in other orders.
func (r *run) numerics(res *Result) {
	for _, c := range r.cards {
		for _, l := range c.Lines() {
			typ := l.Inst.Type(0)
			if n := SumOrders(typ, l.Sample); n.Orders != nil {
				n.Func, n.Pos = l.Func, l.Inst.OpPos
				res.Numerics = append(res.Numerics, n)
			}
		}
	}
}

// SumOrders sums contributions of equal length, in card order, in several orders; none for a type that is not f16, bf16
// or f32.
func SumOrders(typ isa.Type, in [][]byte) NumericsResult {
	n := NumericsResult{Type: typ, Cards: len(in)}
	for _, o := range operator.Orders(typ, in) {
		mean := 0.0
		if o.Elements > 0 {
			mean = float64(o.Sum) / float64(o.Elements)
		}
		n.Orders = append(n.Orders, NumericsOrder{o.Name, o.Elements, o.Differ, o.Most, mean, o.FromExact})
	}
	return n
}
