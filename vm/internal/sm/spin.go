package sm

import (
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Spinning. A warp that came round a polling loop with nothing changed is parked until something is written to its
// card's memory; then it polls again. So a wait for a flag costs the host nothing, and the write that ended it
// says what the warp waited for: until its issue by another card whatever that card did, from then on the news
// crossing, which is the barrier.

// Writer is who wrote to a card's memory.
type Writer struct {
	Card    int
	Owner   int       // the launch step it belongs to
	Func    *isa.Func // the write
	Inst    *isa.Inst
	Issue   uint64        // the cycle it issued
	History []ledger.Span // of the warp that wrote, up to then
}

// spins parks a warp after the branch that closes a polling loop, if it came round for nothing.
func (c *Card) spins(w *Warp, op *state.Op, now uint64) bool {
	if op.Poll == 0 {
		return false
	}
	if c.Rules.Ideal {
		// A successful poll costs one load (and one fence, where it releases), however often it was tried before.
		w.polled = goesRound(w.Warp, op)
	}
	spinner := onlySpinner(w.Warp)
	c.polls(w, op, spinner != nil, now)
	if spinner == nil {
		w.vain = 0
		for i := range w.Frags {
			if f := &w.Frags[i]; f.State == state.Spinning {
				f.Laps = 1 // its siblings go on first; then look again
			}
		}
		return false
	}
	w.vain++
	if w.polledAway {
		// It polls another card's memory, which is written there: it goes on asking.
		w.polledAway = false
		spinner.Laps = 1 // look again the next time round
		return false
	}
	if seen := c.State.Memory.Version; !c.Rules.Ideal && w.Carry.Seen != seen {
		// Something was written since it last came round: what it read may be old.
		w.Carry.Seen = seen
		spinner.Laps = 1
		return false
	}
	w.waits = waitsForWrite
	w.setReady(c, Never)
	w.parked = now + 1
	w.watched = exec.Watched(w.Warp, spinner.Mask, op.Poll)
	c.spinners = append(c.spinners, w)
	if c.Rules.Ideal {
		c.Stalled = true
	}
	return true
}

// goesRound reports whether some lanes took the branch that closes a polling loop.
func goesRound(w *state.Warp, op *state.Op) bool {
	return slices.ContainsFunc(w.Frags, func(f state.Fragment) bool { return f.PC == op.Target })
}

// onlySpinner returns the fragment that spins if nothing else of the warp can go on: its other lanes stand at a barrier
// for those that spin. nil: some can go on, or none spins.
func onlySpinner(w *state.Warp) (spinner *state.Fragment) {
	for i := range w.Frags {
		switch f := &w.Frags[i]; {
		case f.State == state.Spinning && spinner == nil:
			spinner = f
		case f.State != state.AtBarrier && f.State != state.AtWarpSync:
			return nil
		}
	}
	return spinner
}

// Wrote tells the card's parked warps that some of its memory has changed (nil: any of it). A nil writer is a warp of
// the card itself.
func (c *Card) Wrote(now uint64, ranges []exec.Range, by *Writer, local *Warp) {
	if len(c.spinners) == 0 {
		return
	}
	waiting := c.spinners
	c.spinners = nil
	for _, w := range waiting {
		if !w.watches(ranges) {
			c.spinners = append(c.spinners, w)
			continue
		}
		var spans []ledger.Span
		switch {
		case by != nil && by.Card != c.Index:
			issue := min(max(w.parked, by.Issue), now)
			spans = ledger.Fill(spans, by.History, w.parked, issue, ledger.Skew)
			spans = ledger.Append(spans, issue, now, ledger.Barrier)
			c.flagSet(w, by, spans, now)
		case local != nil:
			w.polled = false // as on one card
			spans = ledger.Fill(spans, local.History(w.parked), w.parked, now, ledger.CTABarrier)
			c.flagSetHere(w, local, now)
		default:
			spans = ledger.Append(spans, w.parked, now, ledger.CTABarrier)
		}
		w.wait(spans, c.History)
		if spinner := onlySpinner(w.Warp); spinner != nil {
			spinner.Laps = 1
		}
		w.waits = waitsNot
		w.front = max(w.front, now)
		c.refresh(w)
	}
}

// watches reports whether a change concerns what the parked warp polls.
func (w *Warp) watches(changed []exec.Range) bool {
	if changed == nil || w.watched == nil {
		return true
	}
	for _, r := range changed {
		if slices.ContainsFunc(w.watched, r.Overlap) {
			return true
		}
	}
	return false
}

// RetrySpins lets parked warps poll again when any card's memory has changed since (ideal fabric, where cards run one
// at a time and reach each other's memory directly).
func (c *Card) RetrySpins() {
	changed := c.State.Node.MemoryVersion()
	for _, w := range c.spinners {
		if spinner := onlySpinner(w.Warp); spinner == nil || spinner.Seen != changed {
			c.Wrote(c.Now, nil, nil, nil)
			return
		}
	}
}

// Spins reports whether a warp of the card is parked in a polling loop.
func (c *Card) Spins() bool { return len(c.spinners) > 0 }

// Hopeless reports whether every warp of the card waits for something that only another card or the host can bring, or
// polls in vain, and nothing is about to start. If that holds for all cards while no memory changes and nothing is in
// flight, it holds for ever.
func (c *Card) Hopeless() bool {
	for i := range c.sms {
		for _, w := range c.sms[i].warps {
			if w.waits == waitsNot && w.vain < 2 || w.waits == waitsForMemory && w.vain < 2 || w.waits == waitsForFence {
				return false
			}
		}
	}
	for _, row := range c.host.rows {
		if !row.Ended && row.Launch.Next == 0 && row.Start == 0 && c.host.clock > c.Now {
			return false
		}
	}
	return true
}
