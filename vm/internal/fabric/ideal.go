package fabric

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/operator"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Ideal is the fabric of Cycle_local: what crosses it takes no time, an operator costs its issue. Each card has
// a clock of its own, and cards run one at a time, so a card that must wait for another simply stands.
type Ideal struct {
	ends []*idealEnd
}

type idealEnd struct {
	card    *sm.Card
	inbox   operator.Inbox
	waiting []*sm.Operation // reduces and syncs that can't end yet, in order of start
	arrived map[string]int  // rounds this card has arrived at, by the set of cards
	round   map[*sm.Operation]int
}

// NewIdeal returns an ideal fabric; Attach brings the cards.
func NewIdeal() *Ideal { return &Ideal{} }

// Attach connects a card.
func (f *Ideal) Attach(c *sm.Card) {
	f.ends = append(f.ends, &idealEnd{card: c, arrived: map[string]int{}, round: map[*sm.Operation]int{}})
}

// Begin starts an operation: it is over at once, or the card stands.
func (f *Ideal) Begin(c *sm.Card, o *sm.Operation) {
	e := f.ends[c.Index]
	call := &o.Part.Call
	switch call.Code {
	case isa.OpCopyNVLink:
		data, err := snapshot(c, call.Src, operator.Bytes(call))
		if err != nil {
			c.OperationFault(o, err.Error(), "")
			return
		}
		offset := call.Dst - memory.Base(c.Index)
		for _, r := range receivers(o.Group, c.Index) {
			f.ends[r].inbox.Put(offset, &operator.Contribution{From: c.Index, Data: data})
		}
		return
	case isa.OpSyncNVLink:
		k := key(o.Group)
		e.round[o] = e.arrived[k]
		e.arrived[k]++
	}
	e.waiting = append(e.waiting, o)
	f.Retry(c.Index)
	c.Stalled = len(e.waiting) > 0
}

// Retry ends what a card waits for, where that has come. It reports whether anything ended.
func (f *Ideal) Retry(card int) (progress bool) {
	e := f.ends[card]
	for i := 0; i < len(e.waiting); {
		o := e.waiting[i]
		if !f.over(e, o) {
			i++
			continue
		}
		e.waiting = append(e.waiting[:i], e.waiting[i+1:]...)
		progress = true
		e.card.EndOperation(o, nil, sm.LateCard{})
	}
	return progress
}

// Waits reports whether a card has an operation that can't end yet.
func (f *Ideal) Waits(card int) bool { return len(f.ends[card].waiting) > 0 }

// over ends an operation if all it needs is there.
func (f *Ideal) over(e *idealEnd, o *sm.Operation) bool {
	if o.Part.Call.Code == isa.OpSyncNVLink {
		k := key(o.Group)
		for _, card := range o.Group {
			if f.ends[card].arrived[k] <= e.round[o] {
				return false
			}
		}
		delete(e.round, o)
		return true
	}
	call := &o.Part.Call
	offset := call.Dst - memory.Base(e.card.Index)
	for _, card := range o.Group {
		if card != e.card.Index && e.inbox.Head(card, offset) == nil {
			return false
		}
	}
	if err := reduceNow(e.card, o, &e.inbox); err != nil {
		e.card.OperationFault(o, err.Error(), "")
	}
	return true
}

// reduceNow folds the group's contributions and writes the result.
func reduceNow(c *sm.Card, o *sm.Operation, inbox *operator.Inbox) error {
	call := &o.Part.Call
	size := operator.Bytes(call)
	var in [][]byte
	for _, card := range o.Group {
		if card == c.Index {
			own, err := snapshot(c, call.Src, size)
			if err != nil {
				return err
			}
			in = append(in, own)
			continue
		}
		data := inbox.Take(card, call.Dst-memory.Base(c.Index)).Data
		if uint64(len(data)) != size {
			return fmt.Errorf("card %d sent %d bytes, but %d are reduced here", card, len(data), size)
		}
		in = append(in, data)
	}
	out := make([]byte, size)
	if err := operator.Fold(out, call.Type, call.Red, in); err != nil {
		return err
	}
	return c.State.Memory.Write(call.Dst, out)
}

// Remote is never called: cards of an ideal fabric reach each other's memory directly.
func (f *Ideal) Remote(*sm.Card, *sm.Warp, *state.RemoteAccess, uint64) {
	panic("ideal fabric: a remote access in messages")
}

// Drained calls done at once: nothing is ever under way.
func (f *Ideal) Drained(_ *sm.Card, at uint64, done func(cycle uint64)) { done(at) }
