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
		if goesRound(w.Warp, op) {
			w.polled = op.Poll
		} else if w.polled == op.Poll {
			w.polled = 0
		}
	}
	spinners := onlySpinners(w.Warp)
	c.polls(w, op, now)
	again := func() bool { // look again the next time round
		for i := range w.Frags {
			if f := &w.Frags[i]; f.State == state.Spinning {
				f.Laps = 1
			}
		}
		return false
	}
	if spinners == nil {
		w.vain = 0
		return again() // its siblings go on first
	}
	w.vain++
	if w.polledAway {
		// It polls another card's memory, which is written there: it goes on asking.
		w.polledAway = false
		return again()
	}
	seen := c.memoryVersion()
	if slices.ContainsFunc(spinners, func(f *state.Fragment) bool { return f.Seen != seen }) || !c.Rules.Ideal && w.Carry.Seen != seen {
		// Something was written since it last came round: what it read may be old.
		w.Carry.Seen = seen
		return again()
	}
	w.waits = waitsForWrite
	w.setReady(c, Never)
	w.parked = now + 1
	w.watched = exec.Watched(w.Warp, spinners)
	c.spinners = append(c.spinners, w)
	if c.Rules.Ideal {
		c.Stalled = true
	}
	return true
}

// pollsAgain reports whether the warp is about to issue an operation of the loop that it goes round once more.
func (w *Warp) pollsAgain() bool {
	if w.polled == 0 {
		return false
	}
	poll := &w.Prog.Polls[w.polled-1]
	pc := w.Frags[w.Current].PC
	return poll.Head <= pc && pc <= poll.Branch
}

// goesRound reports whether some lanes took the branch that closes a polling loop.
func goesRound(w *state.Warp, op *state.Op) bool {
	return slices.ContainsFunc(w.Frags, func(f state.Fragment) bool { return f.PC == op.Target })
}

// memoryVersion changes when memory does that the card's warps can poll.
func (c *Card) memoryVersion() uint64 {
	if c.State.Direct {
		return c.State.Node.MemoryVersion()
	}
	return c.State.Memory.Version
}

// onlySpinners returns the fragments that spin if nothing else of the warp can go on: its other lanes stand at a barrier
// for those that spin. nil: some can go on, or none spins.
func onlySpinners(w *state.Warp) (spinners []*state.Fragment) {
	for i := range w.Frags {
		switch f := &w.Frags[i]; f.State {
		case state.Spinning:
			spinners = append(spinners, f)
		case state.AtBarrier, state.AtWarpSync:
		default:
			return nil
		}
	}
	return spinners
}

// Wrote tells the card's parked warps that some of its memory has changed (nil: any of it). A nil writer is a warp of
// the card itself.
func (c *Card) Wrote(now uint64, ranges []exec.Range, by *Writer, local *Warp) {
	if len(c.pollers) > 0 {
		c.wroteFor(now, ranges, by, local)
	}
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
			c.flagSet(w, by, spans)
		case local != nil:
			w.polled = 0 // as on one card
			spans = ledger.Fill(spans, local.History(w.parked), w.parked, now, ledger.CTABarrier)
		default:
			spans = ledger.Append(spans, w.parked, now, ledger.CTABarrier)
		}
		w.wait(spans, c.History)
		for _, spinner := range onlySpinners(w.Warp) {
			spinner.Laps = 1
		}
		w.waits = waitsNot
		w.front = max(w.front, now)
		c.refresh(w)
	}
}

// watches reports whether a change concerns what the parked warp polls.
func (w *Warp) watches(changed []exec.Range) bool { return overlap(w.watched, changed) }

// overlap reports whether two lists of memory have a byte in common; nil stands for all memory.
func overlap(watched, changed []exec.Range) bool {
	if changed == nil || watched == nil {
		return true
	}
	for _, r := range changed {
		if slices.ContainsFunc(watched, r.Overlap) {
			return true
		}
	}
	return false
}

// RetrySpins lets parked warps poll again when any card's memory has changed since (ideal fabric, where cards run one
// at a time and reach each other's memory directly).
func (c *Card) RetrySpins() {
	changed := c.memoryVersion()
	for _, w := range c.spinners {
		spinners := onlySpinners(w.Warp)
		if spinners == nil || slices.ContainsFunc(spinners, func(f *state.Fragment) bool { return f.Seen != changed }) {
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
