// Package fabric joins the cards of a node: ports with queues, messages that take a crossing, and what the
// article's operators do between cards.
//
// No effect of one card on another is faster than a crossing, so cards may run apart for that long: Send puts
// a message into the sender's outbox, Exchange brings it to the receiver between two quanta.
package fabric

import (
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"

	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/operator"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
)

// Fabric is the real fabric: sm.Fabric with ports, latencies and messages.
type Fabric struct {
	machine  *machine.Machine
	ends     []*end
	crossing uint64
	// relay is what the host adds to each crossing of an operator on a machine without NVLink.
	relay   uint64
	relayed bool
	noRelay bool
}

// end is one card's end of the fabric. Only its own card touches it, but for the outbox between quanta.
type end struct {
	card    *sm.Card
	egress  sm.Queue
	ingress sm.Queue
	inbox   operator.Inbox
	reduces []*sm.Operation    // waiting for contributions, in order of start
	rounds  map[string]*rounds // barrier rounds by the set of cards
	outbox  []message

	dirty   bool   // the card has copied or reduced since it last arrived at a barrier: the next arrival pays a system fence
	flying  int    // copies under way
	posted  int    // pieces of own traffic on their way
	drained uint64 // when the last of them was acknowledged
	alone   uint64 // when it would have been without other owners on the links
	waiting []func(cycle, alone uint64)
	copying copying
}

// copying sums the cycles in which the port moved copies.
type copying struct{ from, to, sum uint64 }

func (k *copying) add(from, to uint64) {
	if from > k.to {
		k.sum += k.to - k.from
		k.from = from
	}
	k.to = max(k.to, to)
}

type message struct {
	to    int
	event sm.Event
}

// New returns a fabric for cards of a machine; Attach brings the cards.
func New(m *machine.Machine, noRelay bool) *Fabric {
	f := &Fabric{machine: m, crossing: uint64(max(1, m.Fabric.Crossing)), noRelay: noRelay}
	if m.Fabric.Kind != machine.NVLink {
		f.relayed = true
		f.relay = uint64(m.Fabric.RelayExtra)
	}
	return f
}

// Attach connects a card.
func (f *Fabric) Attach(c *sm.Card) {
	fb := &f.machine.Fabric
	rate := fb.Links * fb.LinkBytesPerSec
	if fb.CopyEfficiency.Den > 0 {
		rate = rate * fb.CopyEfficiency.Num / fb.CopyEfficiency.Den
	}
	f.ends = append(f.ends, &end{card: c, egress: sm.NewQueue(rate, f.machine.ClockMHz), ingress: sm.NewQueue(rate, f.machine.ClockMHz), rounds: map[string]*rounds{}})
}

// Quantum is the longest stretch that cards may run apart: the shortest latency of any effect of one on another.
func (f *Fabric) Quantum() uint64 { return f.crossing }

// send puts a message into the sender's outbox.
func (f *Fabric) send(from *end, to int, arrive uint64, do func(cycle uint64)) {
	from.outbox = append(from.outbox, message{to, sm.Event{Cycle: arrive, From: from.card.Index, Seq: from.card.NextSeq(), Do: do}})
}

// Exchange delivers all messages. It runs alone, between quanta.
func (f *Fabric) Exchange() {
	for _, e := range f.ends {
		for _, m := range e.outbox {
			f.ends[m.to].card.Deliver(m.event)
		}
		clear(e.outbox)
		e.outbox = e.outbox[:0]
	}
}

// TakeShare gives another tenant a share of a card's port.
func (f *Fabric) TakeShare(card int, egress bool, num, den uint64) {
	if egress {
		f.ends[card].egress.TakeShare(num, den)
	} else {
		f.ends[card].ingress.TakeShare(num, den)
	}
}

// Copying reports whether any card's copy is still under way.
func (f *Fabric) Copying() bool {
	return slices.ContainsFunc(f.ends, func(e *end) bool { return e.flying > 0 })
}

// Traffic is what a card's ports moved.
type Traffic struct {
	Out, In         uint64 // bytes
	BusyOut, BusyIn uint64 // cycles
	Copying         uint64 // cycles in which the card's copies were under way
	Left            int    // contributions nobody reduced
}

// Traffic returns what a card's ports moved so far.
func (f *Fabric) Traffic(card int) Traffic {
	e := f.ends[card]
	return Traffic{e.egress.Bytes, e.ingress.Bytes, e.egress.Busy >> sm.FineBits, e.ingress.Busy >> sm.FineBits,
		e.copying.sum + e.copying.to - e.copying.from, e.inbox.Left()}
}

// Ports returns a card's two ports.
func (f *Fabric) Ports(card int) (egress, ingress *sm.Queue) {
	return &f.ends[card].egress, &f.ends[card].ingress
}

// Begin starts an operator's operation on a card.
func (f *Fabric) Begin(c *sm.Card, o *sm.Operation) {
	e := f.ends[c.Index]
	if f.relayed && len(o.Group) > 1 && !f.allow(c, o) {
		return
	}
	switch o.Part.Call.Code {
	case isa.OpCopyNVLink:
		e.dirty = e.dirty || len(o.Group) > 1
		f.copy(e, o)
	case isa.OpReduce:
		e.dirty = e.dirty || len(o.Group) > 1
		e.reduces = append(e.reduces, o)
		f.reduceReady(e)
	case isa.OpSyncNVLink:
		f.arrive(e, o)
	}
}

// allow lets the host relay an operator on a machine without NVLink, with a warning, unless the user forbade it.
func (f *Fabric) allow(c *sm.Card, o *sm.Operation) bool {
	if f.noRelay {
		c.OperationFault(o, operator.NotRelayed(f.machine.Name), operator.RelayHint)
		return false
	}
	c.Warn(o.Part.Call.Op, operator.Relayed(f.machine.Name))
	return true
}

// copy sends the elements at src, as they are now, to every other card of the group, packet by packet, the next
// higher card first, wrapping round.
func (f *Fabric) copy(e *end, o *sm.Operation) {
	call := &o.Part.Call
	size := operator.Bytes(call)
	data, err := operator.Snapshot(e.card.State.Memory, call)
	if err != nil {
		e.card.OperationFault(o, err.Error(), "")
		return
	}
	offset := operator.Offset(e.card.State.Memory, call)
	to := operator.Receivers(o.Group, e.card.Index)
	history := o.Last.History(0)
	late := sm.LateCard{Card: e.card.Index, Func: call.Op.Func, Inst: call.Op.Inst}
	packet := max(1, uint64(f.machine.Fabric.PacketBytes), (size+1023)/1024)
	flight := &flight{o: o}
	e.flying++
	now := sm.Fine(o.Start)
	for at := uint64(0); at == 0 || at < size; at += packet {
		bytes := min(packet, size-at)
		for _, r := range to {
			slot := e.egress.Move(o.Owner, bytes, now, now)
			head := slot.Start + sm.Fine(f.crossing+f.relay)
			alone := slot.AloneStart + sm.Fine(f.crossing+f.relay)
			e.copying.add(slot.Start>>sm.FineBits, sm.Ceil(slot.End))
			var whole *operator.Contribution
			if at+bytes >= size {
				whole = &operator.Contribution{From: e.card.Index, Owner: o.Owner, Data: data, Issue: o.Start, Sender: history, Line: late}
				e.posted++
			}
			if whole != nil {
				flight.left++
			}
			dst := f.ends[r]
			owner := o.Owner
			f.send(e, r, head>>sm.FineBits, func(uint64) { f.packetArrives(dst, e, owner, offset, bytes, head, alone, whole, flight) })
		}
		if size == 0 {
			break
		}
	}
}

// flight is a copy on its way: its line's work is over when the last byte has landed everywhere.
type flight struct {
	o    *sm.Operation
	left int // receivers that have not acknowledged
}

// packetArrives takes a packet in at the receiver: through the ingress port, and into HBM as it comes.
func (f *Fabric) packetArrives(e, from *end, owner int, offset, bytes, head, alone uint64, whole *operator.Contribution, fl *flight) {
	slot := e.ingress.Move(owner, bytes, head, alone)
	e.card.HBM.Move(owner, bytes, slot.Start, slot.AloneStart)
	e.copying.add(slot.Start>>sm.FineBits, sm.Ceil(slot.End))
	if whole == nil {
		return
	}
	whole.Arrival, whole.Alone = sm.Ceil(slot.End), sm.Ceil(slot.AloneEnd)
	e.card.At(whole.Arrival, func(now uint64) {
		e.inbox.Put(offset, whole)
		f.send(e, from.card.Index, now+f.crossing, func(now uint64) {
			if fl.left--; fl.left == 0 {
				from.flying--
				fl.o.Line.Cycles += now - f.crossing - fl.o.Start
			}
			from.acknowledged(now, whole.Alone+f.crossing)
		})
		f.reduceReady(e)
	})
}

// acknowledged notes that a piece of the card's posted traffic has been received, and when it would have been without
// other owners on the links.
func (e *end) acknowledged(now, alone uint64) {
	e.posted--
	e.drained = now
	e.alone = max(e.alone, alone)
	if e.posted > 0 {
		return
	}
	waiting := e.waiting
	e.waiting = nil
	for _, do := range waiting {
		do(now, e.alone)
	}
}

// Drained calls done once nothing of the card's posted traffic is on its way.
func (f *Fabric) Drained(c *sm.Card, at uint64, done func(cycle, alone uint64)) {
	e := f.ends[c.Index]
	if e.posted == 0 {
		done(at, at)
		return
	}
	e.waiting = append(e.waiting, done)
}

// reduceReady begins the reductions whose contributions are all in, in the order of their starts: an earlier one for
// the same offset goes first.
func (f *Fabric) reduceReady(e *end) {
	m := e.card.State.Memory
	for i := 0; i < len(e.reduces); {
		o := e.reduces[i]
		second := slices.ContainsFunc(e.reduces[:i], func(other *sm.Operation) bool { return other.Part.Call.Dst == o.Part.Call.Dst })
		if second || !operator.Ready(m, &e.inbox, &o.Part.Call, o.Group) {
			i++
			continue
		}
		e.reduces = slices.Delete(e.reduces, i, i+1)
		f.beginReduce(e, o)
	}
}

// beginReduce folds the contributions; the result is stored when its bytes have gone through HBM.
func (f *Fabric) beginReduce(e *end, o *sm.Operation) {
	c, call := e.card, &o.Part.Call
	r, err := operator.Reduce(c.State.Memory, &e.inbox, call, o.Group)
	if err != nil {
		c.OperationFault(o, err.Error(), "")
		return
	}
	if c.Sampling && c.Index == o.Group[0] && o.Line.Sample == nil && call.Red == isa.ModAdd {
		o.Line.Sample = r.In
	}
	now, end := c.Now, c.Now
	var spans []ledger.Span
	var late sm.LateCard
	if r.Last != nil {
		late = r.Last.Line.(sm.LateCard)
		spans = contributionSpans(spans, o.Start, now, r.Last)
		c.Hop(o, ledger.Copy, o.Start, now, r.Last.From, r.Last.Owner, r.Last.Issue)
		slot := c.HBM.Move(o.Owner, uint64(len(o.Group)+1)*operator.Bytes(call), sm.Fine(now), sm.Fine(now))
		end = sm.Ceil(slot.End)
		o.Line.Cycles += end - now
		spans = ledger.Append(spans, now, end, ledger.Reduce)
		c.Hop(o, ledger.Reduce, now, end, c.Index, o.Owner, now)
	}
	finish := func(now uint64) {
		if err := r.Store(c.State.Memory, call); err != nil {
			c.OperationFault(o, err.Error(), "")
			return
		}
		c.Wrote(now, nil, nil, nil)
		c.EndOperation(o, spans, late)
	}
	if end == now {
		finish(now)
	} else {
		c.At(end, finish)
	}
}

// contributionSpans says what a reduction waited for from start to now: until its sender issued the last
// contribution what that sender was doing, then the copy, then what other owners on the links made of it.
func contributionSpans(spans []ledger.Span, start, now uint64, k *operator.Contribution) []ledger.Span {
	issue := min(max(start, k.Issue), now)
	alone := min(max(issue, k.Alone), now)
	spans = ledger.Fill(spans, k.Sender.([]ledger.Span), start, issue, ledger.Skew)
	spans = ledger.Append(spans, issue, alone, ledger.Copy)
	return ledger.Append(spans, alone, now, ledger.Contention)
}
