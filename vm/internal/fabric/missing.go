package fabric

import (
	"fmt"
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Missing says whom the operation that a warp waits in is missing.
func (f *Fabric) Missing(c *sm.Card, w *state.Warp) string {
	e := f.ends[c.Index]
	for _, r := range e.reduces {
		if slices.Contains(r.o.Part.Warps, w) {
			return missingContributions(r.o, func(card int) bool {
				return e.inbox.Head(card, r.o.Part.Call.Dst-memory.Base(c.Index)) != nil
			})
		}
	}
	for _, rs := range e.rounds {
		for n, x := range rs.open {
			if x.o != nil && slices.Contains(x.o.Part.Warps, w) {
				return missingArrivals(n, x.o.Group, func(card int) bool { return slices.Contains(x.arrived, card) })
			}
		}
	}
	return ""
}

// Missing says whom the operation that a warp waits in is missing.
func (f *Ideal) Missing(c *sm.Card, w *state.Warp) string {
	e := f.ends[c.Index]
	for _, o := range e.waiting {
		if !slices.Contains(o.Part.Warps, w) {
			continue
		}
		if o.Part.Call.Code == isa.OpReduce {
			return missingContributions(o, func(card int) bool {
				return e.inbox.Head(card, o.Part.Call.Dst-memory.Base(c.Index)) != nil
			})
		}
		n := e.round[o]
		return missingArrivals(n, o.Group, func(card int) bool { return f.ends[card].arrived[key(o.Group)] > n })
	}
	return ""
}

func missingContributions(o *sm.Operation, there func(card int) bool) string {
	return fmt.Sprintf("waits for the contribution of %s", cardsWithout(o.Group, o.Card.Index, there))
}

func missingArrivals(round int, group []int, there func(card int) bool) string {
	return fmt.Sprintf("round %d of the barrier of cards %v waits for %s", round+1, group, cardsWithout(group, -1, there))
}

func cardsWithout(group []int, self int, there func(card int) bool) string {
	var missing []int
	for _, card := range group {
		if card != self && !there(card) {
			missing = append(missing, card)
		}
	}
	if len(missing) == 1 {
		return fmt.Sprintf("card %d", missing[0])
	}
	return fmt.Sprintf("cards %v", missing)
}
