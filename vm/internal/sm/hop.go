package sm

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// Hop is a wait of a launch on a card and what ended it: a link of the critical path. Kept with Card.Trace only.
type Hop struct {
	Owner      int // the launch step that waited
	Func       *isa.Func
	Inst       *isa.Inst
	Entry      ledger.Entry // what passed between At and End
	Start, End uint64
	// By is the card, ByOwner the launch step and At the cycle from which the wait's end came; ByOwner 0: the host.
	By, ByOwner int
	At          uint64
}

// hop keeps a link. Waits of one launch that ended in the same cycle and for the same reason are one.
func (c *Card) hop(h Hop) {
	if !c.Trace || h.End <= h.Start {
		return
	}
	if n := len(c.Hops); n > 0 {
		if last := &c.Hops[n-1]; last.Owner == h.Owner && last.Inst == h.Inst && last.End == h.End && last.By == h.By && last.At == h.At {
			last.Start = min(last.Start, h.Start)
			return
		}
	}
	c.Hops = append(c.Hops, h)
}

// Hop keeps a link of an operation that is over or under way: its launch waited from start to end.
func (c *Card) Hop(o *Operation, e ledger.Entry, start, end uint64, by, owner int, at uint64) {
	call := &o.Part.Call
	c.hop(Hop{Owner: o.Owner, Func: call.Op.Func, Inst: call.Op.Inst, Entry: e, Start: start, End: end, By: by, ByOwner: owner, At: at})
}

// hopGate keeps a link from an mma that issues now to what kept the gate shut.
func (c *Card) hopGate(w *Warp, now uint64) {
	if !c.Trace {
		return
	}
	c.hop(Hop{Owner: w.launch.Owner, Func: w.next.Func, Inst: w.next.Inst, Entry: ledger.BlockedRefill, Start: w.blocked, End: now,
		By: c.Index, ByOwner: c.gate.closer, At: min(c.gate.closed, now)})
}

// Again reports a round of sync.nvlink after the first that the launch has come through at this line.
func (o *Operation) Again() bool { return o.Line.by == o.l }
