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
	arrived []int         // the cards that have come
	last    arrival       // the latest so far (ties: the highest card)
	o       *sm.Operation // this card's own operation, once it has come
}

// arrival is one card's coming to a round.
type arrival struct {
	card    int
	at      uint64
	owner   int // the launch step that came
	history []ledger.Span
	late    sm.LateCard
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
		x = &round{last: arrival{card: -1}}
		r.open[n] = x
	}
	return x
}

// arrive brings a card to the barrier: after a copy or reduce it pays a system fence first, which stands until
// the card's posted traffic is acknowledged and for its fixed cost at least.
func (f *Fabric) arrive(e *end, o *sm.Operation) {
	if len(o.Group) < 2 || e.card.Rules.OneRound && o.Again() {
		e.card.EndOperation(o, nil, sm.LateCard{})
		return
	}
	if !e.dirty {
		f.arriveAt(e, o, o.Start)
		return
	}
	e.dirty = false
	fixed := o.Start + uint64(f.machine.Classes[isa.ClassFenceSys].Latency)
	f.Drained(e.card, o.Start, func(drained, alone uint64) {
		at := max(fixed, drained)
		o.Fence = append(o.Fence, sm.FenceSpans(o.Start, drained, alone, at)...)
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
	call := &o.Part.Call
	mine := arrival{e.card.Index, now, o.Owner, append(o.Last.History(0), o.Fence...),
		sm.LateCard{Card: e.card.Index, Func: call.Op.Func, Inst: call.Op.Inst}}
	r.at(n).o = o
	f.count(e, r, n, len(o.Group), mine)
	group := o.Group
	for _, card := range operator.Receivers(o.Group, e.card.Index) {
		peer := f.ends[card]
		f.send(e, card, now+f.crossing+f.relay, func(uint64) {
			f.count(peer, peer.roundsOf(group), n, len(group), mine)
		})
	}
}

// count notes an arrival. When all have come the round ends for this card one crossing and one local poll after
// the last arrival.
func (f *Fabric) count(e *end, r *rounds, n, all int, a arrival) {
	x := r.at(n)
	x.arrived = append(x.arrived, a.card)
	if x.last.card < 0 || a.at > x.last.at || a.at == x.last.at && a.card > x.last.card {
		x.last = a
	}
	if len(x.arrived) < all {
		return
	}
	delete(r.open, n)
	r.done++
	last := x.last
	release := last.at + f.crossing + f.relay + uint64(f.machine.Fabric.LocalPoll)
	o := x.o
	o.Line.Rounds++
	e.card.At(max(release, e.card.Now), func(now uint64) {
		o.Line.Cycles += now - last.at
		spans := append([]ledger.Span(nil), o.Fence...)
		arrived := o.Start
		if len(o.Fence) > 0 {
			arrived = o.Fence[len(o.Fence)-1].End
			e.card.Hop(o, ledger.Fence, o.Start, arrived, e.card.Index, o.Owner, o.Start)
		}
		late := last.late
		if last.card == e.card.Index {
			late = sm.LateCard{}
		}
		o.Line.Round(now-arrived, last.card)
		e.card.Hop(o, ledger.Barrier, arrived, now, last.card, last.owner, last.at)
		spans = ledger.Fill(spans, last.history, arrived, max(arrived, last.at), ledger.Skew)
		spans = ledger.Append(spans, max(arrived, last.at), now, ledger.Barrier)
		e.card.EndOperation(o, spans, late)
	})
}
