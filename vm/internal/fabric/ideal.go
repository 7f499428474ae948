package fabric

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/operator"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Ideal is the fabric of Cycle_local: what crosses it takes no time, an operator costs its issue. Each card has
// a clock of its own, and cards run one at a time, so a card that must wait for another simply stands.
type Ideal struct {
	ends   []*idealEnd
	rounds operator.Rounds
}

type idealEnd struct {
	card    *sm.Card
	inbox   operator.Inbox
	waiting []*sm.Operation // reduces and syncs that can't end yet, in order of start
	round   map[*sm.Operation]int
}

// NewIdeal returns an ideal fabric; Attach brings the cards.
func NewIdeal() *Ideal { return &Ideal{} }

// Attach connects a card.
func (f *Ideal) Attach(c *sm.Card) {
	f.ends = append(f.ends, &idealEnd{card: c, round: map[*sm.Operation]int{}})
}

// Begin starts an operation: it is over at once, or the card stands.
func (f *Ideal) Begin(c *sm.Card, o *sm.Operation) {
	e := f.ends[c.Index]
	call := &o.Part.Call
	switch call.Code {
	case isa.OpCopyNVLink:
		data, err := operator.Snapshot(c.State.Memory, call)
		if err != nil {
			c.OperationFault(o, err.Error(), "")
			return
		}
		for _, r := range operator.Receivers(o.Group, c.Index) {
			f.ends[r].inbox.Put(operator.Offset(c.State.Memory, call), &operator.Contribution{From: c.Index, Data: data})
		}
		return
	case isa.OpSyncNVLink:
		e.round[o] = f.rounds.Arrive(o.Group, c.Index)
	}
	e.waiting = append(e.waiting, o)
	f.Retry(c.Index)
	c.Stalled = len(e.waiting) > 0
}

// Retry ends what a card waits for, where that has come.
func (f *Ideal) Retry(card int) {
	e := f.ends[card]
	for i := 0; i < len(e.waiting); {
		o := e.waiting[i]
		if !f.over(e, o) {
			i++
			continue
		}
		e.waiting = append(e.waiting[:i], e.waiting[i+1:]...)
		if e.card.Fault == nil {
			e.card.EndOperation(o, nil, sm.LateCard{})
		}
	}
}

// Waits reports whether a card has an operation that can't end yet.
func (f *Ideal) Waits(card int) bool { return len(f.ends[card].waiting) > 0 }

// over ends an operation if all it needs is there.
func (f *Ideal) over(e *idealEnd, o *sm.Operation) bool {
	if o.Part.Call.Code == isa.OpSyncNVLink {
		if !f.rounds.Over(o.Group, e.round[o]) {
			return false
		}
		delete(e.round, o)
		return true
	}
	m, call := e.card.State.Memory, &o.Part.Call
	if !operator.Ready(m, &e.inbox, call, o.Group) {
		return false
	}
	r, err := operator.Reduce(m, &e.inbox, call, o.Group)
	if err == nil {
		err = r.Store(m, call)
	}
	if err != nil {
		e.card.OperationFault(o, err.Error(), "")
	}
	return true
}

// Remote is never called: cards of an ideal fabric reach each other's memory directly.
func (f *Ideal) Remote(*sm.Card, *sm.Warp, *state.RemoteAccess, uint64) {
	panic("ideal fabric: a remote access in messages")
}

// Multicast is never called, as Remote.
func (f *Ideal) Multicast(*sm.Card, *sm.Warp, []*state.RemoteAccess, uint64) {
	panic("ideal fabric: a multicast in messages")
}

// Drained calls done at once: nothing is ever under way.
func (f *Ideal) Drained(_ *sm.Card, at uint64, done func(cycle, alone uint64)) { done(at, at) }
