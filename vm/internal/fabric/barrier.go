package fabric

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/operator"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
)

// rounds is one card's view of the barrier of a set of cards.
type rounds struct {
	own  int // rounds that this card has arrived at
	done int // rounds that are over
	open map[int]*round
}

// round is one round of the cross-card barrier, as one card knows it.
type round struct {
	arrived []int  // the cards that have come
	last    uint64 // the latest arrival so far
	card    int    // who came then (ties: the highest)
	history []ledger.Span
	late    sm.LateCard
	o       *sm.Operation // this card's own operation, once it has come
}

func key(group []int) string { return fmt.Sprint(group) }

func (e *end) roundsOf(group []int) *rounds {
	k := key(group)
	r := e.rounds[k]
	if r == nil {
		r = &rounds{open: map[int]*round{}}
		e.rounds[k] = r
	}
	return r
}

func (r *rounds) at(n int) *round {
	x := r.open[n]
	if x == nil {
		x = &round{card: -1}
		r.open[n] = x
	}
	return x
}

// arrive brings a card to the barrier: after a copy or reduce it pays a system fence first, which stands until
// the card's posted traffic is acknowledged and for its fixed cost at least.
func (f *Fabric) arrive(e *end, o *sm.Operation) {
	if len(o.Group) < 2 {
		e.card.EndOperation(o, nil, sm.LateCard{})
		return
	}
	if !e.dirty {
		f.arriveAt(e, o, o.Start)
		return
	}
	e.dirty = false
	fixed := o.Start + uint64(f.machine.Classes[isa.ClassFenceSys].Latency)
	f.Drained(e.card, o.Start, func(drained uint64) {
		at := max(fixed, drained)
		o.Fence = ledger.Append(o.Fence, o.Start, drained, ledger.Copy)
		o.Fence = ledger.Append(o.Fence, max(drained, o.Start), at, ledger.Fence)
		own := at - max(drained, o.Start) // until then the copies were under way
		o.Line.Fence += own
		o.Line.Cycles += own
		if at == e.card.Now {
			f.arriveAt(e, o, at)
			return
		}
		e.card.At(at, func(now uint64) { f.arriveAt(e, o, now) })
	})
}

// arriveAt counts the card in its next round and tells the others.
func (f *Fabric) arriveAt(e *end, o *sm.Operation, now uint64) {
	r := e.roundsOf(o.Group)
	n := r.own
	r.own++
	history := append(o.Last.History(0), o.Fence...)
	call := &o.Part.Call
	late := sm.LateCard{Card: e.card.Index, Func: call.Op.Func, Inst: call.Op.Inst}
	mine := r.at(n)
	mine.o = o
	f.count(e, r, n, len(o.Group), e.card.Index, now, history, late)
	group := o.Group
	for _, card := range operator.Receivers(o.Group, e.card.Index) {
		peer := f.ends[card]
		from := e.card.Index
		f.send(e, card, now+f.crossing+f.relay, func(uint64) {
			f.count(peer, peer.roundsOf(group), n, len(group), from, now, history, late)
		})
	}
}

// count notes an arrival. When all have come the round ends for this card one crossing and one local poll after
// the last arrival.
func (f *Fabric) count(e *end, r *rounds, n, all, card int, at uint64, history []ledger.Span, late sm.LateCard) {
	x := r.at(n)
	x.arrived = append(x.arrived, card)
	if x.card < 0 || at > x.last || at == x.last && card > x.card {
		x.last, x.card, x.history, x.late = at, card, history, late
	}
	if len(x.arrived) < all {
		return
	}
	delete(r.open, n)
	r.done++
	release := x.last + f.crossing + f.relay + uint64(f.machine.Fabric.LocalPoll)
	o := x.o
	o.Line.Rounds++
	e.card.At(max(release, e.card.Now), func(now uint64) {
		o.Line.Cycles += now - x.last
		spans := append([]ledger.Span(nil), o.Fence...)
		arrived := o.Start
		if len(o.Fence) > 0 {
			arrived = o.Fence[len(o.Fence)-1].End
		}
		if x.card == e.card.Index {
			x.late = sm.LateCard{}
		}
		spans = ledger.Fill(spans, x.history, arrived, max(arrived, x.last), ledger.Skew)
		spans = ledger.Append(spans, max(arrived, x.last), now, ledger.Barrier)
		e.card.EndOperation(o, spans, x.late)
	})
}
