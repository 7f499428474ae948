package vm

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/operator"
)

// NumericsResult compares the sum of one reduce line, of its first operation on the lowest card of the group, with
// other orders of summation over the same contributions.
type NumericsResult struct {
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
			list := operator.Orders(typ, l.Sample)
			if list == nil {
				continue
			}
			n := NumericsResult{Func: l.Func, Pos: l.Inst.OpPos, Type: typ, Cards: len(l.Sample)}
			for _, o := range list {
				mean := 0.0
				if o.Elements > 0 {
					mean = float64(o.Sum) / float64(o.Elements)
				}
				n.Orders = append(n.Orders, NumericsOrder{o.Name, o.Elements, o.Differ, o.Most, mean, o.FromExact})
			}
			res.Numerics = append(res.Numerics, n)
		}
	}
}
