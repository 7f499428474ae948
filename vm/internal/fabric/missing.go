package fabric

import (
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/operator"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Missing says whom the operation that a warp waits in is missing.
func (f *Fabric) Missing(c *sm.Card, w *state.Warp) string {
	e := f.ends[c.Index]
	for _, o := range e.reduces {
		if slices.Contains(o.Part.Warps, w) {
			return operator.MissingContributions(c.State.Memory, &e.inbox, &o.Part.Call, o.Group)
		}
	}
	for _, rs := range e.rounds {
		for n, x := range rs.open {
			if x.o != nil && slices.Contains(x.o.Part.Warps, w) {
				return operator.MissingArrivals(x.o.Group, n, func(card int) bool { return slices.Contains(x.arrived, card) })
			}
		}
	}
	return ""
}

// Missing says whom the operation that a warp waits in is missing.
func (f *Ideal) Missing(c *sm.Card, w *state.Warp) string {
	e := f.ends[c.Index]
	for _, o := range e.waiting {
		switch {
		case !slices.Contains(o.Part.Warps, w):
		case o.Part.Call.Code == isa.OpReduce:
			return operator.MissingContributions(c.State.Memory, &e.inbox, &o.Part.Call, o.Group)
		default:
			n := e.round[o]
			return operator.MissingArrivals(o.Group, n, func(card int) bool { return f.rounds.Has(o.Group, n, card) })
		}
	}
	return ""
}
