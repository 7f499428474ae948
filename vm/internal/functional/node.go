// Package functional runs launches without a clock: cards in turn, on a card the oldest runnable CTA, each warp until
// it blocks. What comes out equals the timed mode's unless it depends on the order of racing accesses.
package functional

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Operators is the room that knows the article's collective rules. The node tells it what happens and asks nothing else;
// it answers through Resume, and through Card.GateShut.
type Operators interface {
	// Arrive: all live lanes of a warp stand at Warp.Operator. True: it may go on at once. False: it waits until
	// Node.Resume is called for it.
	Arrive(w *state.Warp) (pass bool, fault *state.Fault)
	// Exited: a warp has exited, which counts as having come to all operators that follow.
	Exited(w *state.Warp) *state.Fault
	// Waiting describes what a warp at an operator or behind the gate waits for, for the deadlock report.
	Waiting(w *state.Warp) string
}

// turn is how many operations a warp executes before the next one gets its turn.
const turn = 4096

// patience is how many operations a CTA executes before younger ones go first: enough for any CTA that does not wait
// for a younger one.
const patience = 1 << 22

// Node runs launches on the cards of a state.Node, which must have Direct set on every card.
type Node struct {
	State *state.Node
	// Operators may be nil where no launch reaches one.
	Operators Operators
	// Resident is how many CTAs of a launch fit on its card at once, with nothing else there; nil: all that have
	// 2,048 threads an SM.
	Resident func(l *state.Launch) int
	// Finished is called when a launch's last CTA has ended; it may Start others.
	Finished func(l *state.Launch) *state.Fault
	// MaxInstructions bounds the warp instructions of a card; 0: no bound.
	MaxInstructions uint64
	// Stop is asked between turns; true ends Run before everything has finished, without a fault. nil: never.
	Stop func() bool

	cards []card
}

// card is what runs on one card.
type card struct {
	launches []*running // in the order of their start
	ctas     []*resident
	used     uint64 // shares of the card taken, of whole
	events   uint64 // so far: each may have made a CTA runnable
	executed uint64 // warp instructions
}

// whole is a card's capacity; a CTA takes whole/Resident of it.
const whole = 1 << 40

// running is a launch with CTAs still to place or to end.
type running struct {
	*state.Launch
	share uint64
}

// resident is a CTA on a card.
type resident struct {
	*state.CTA
	launch   *running
	executed uint64
	// blocked: no warp could run when the card had seen so many events and memory was in this state.
	blocked bool
	events  uint64
	seen    uint64
}

// NewNode returns a node that runs launches on the given cards.
func NewNode(s *state.Node) *Node { return &Node{State: s, cards: make([]card, len(s.Cards))} }

// Start hands a launch to its card. Its CTAs are placed as there is room, after those of earlier launches.
func (n *Node) Start(l *state.Launch) {
	fits := max(1, n.State.SMs*n.State.WarpsPerSM*32/max(1, l.Threads()))
	if n.Resident != nil {
		fits = max(1, n.Resident(l))
	}
	c := &n.cards[l.Card.Index]
	c.launches = append(c.launches, &running{Launch: l, share: whole / uint64(fits)})
}

// Resume lets a warp that waited at an operator go on behind it.
func (n *Node) Resume(w *state.Warp) {
	exec.PassOperator(w)
	w.Parked = false
	n.cards[w.CTA.Card.Index].events++
}

// Wake makes the warps of a card look again at what they wait for: the gate has opened.
func (n *Node) Wake(card int) {
	n.cards[card].events++
	for _, r := range n.cards[card].ctas {
		for _, w := range r.Warps {
			if w.Parked && w.Park == state.ParkGate {
				w.Parked = false
			}
		}
	}
}

// Run executes until every launch has finished, or something stops it: a fault, a deadlock, which is one, or Stop.
func (n *Node) Run() *state.Fault {
	for n.Stop == nil || !n.Stop() {
		progress, busy := false, false
		for i := range n.cards {
			moved, fault := n.turn(&n.cards[i])
			if fault != nil {
				return fault
			}
			if most := n.MaxInstructions; most > 0 && n.cards[i].executed > most {
				return n.limit(i)
			}
			progress = progress || moved
			busy = busy || len(n.cards[i].launches) > 0
		}
		if !busy {
			return nil
		}
		if !progress {
			return n.deadlock()
		}
	}
	return nil
}

// turn gives one card's oldest runnable CTA a turn and reports whether anything moved.
func (n *Node) turn(c *card) (moved bool, fault *state.Fault) {
	moved = n.place(c)
	r := n.next(c)
	if r == nil {
		return moved, nil
	}
	before := r.executed
	fault = n.run(r)
	c.executed += r.executed - before
	if fault != nil {
		return true, fault
	}
	if r.LiveWarps == 0 {
		return true, n.end(c, r)
	}
	return true, nil
}

// place starts CTAs while there is room.
func (n *Node) place(c *card) (moved bool) {
	for _, l := range c.launches {
		for l.Next < l.CTAs() && c.used+l.share <= whole {
			cta := exec.StartCTA(l.Launch, l.Next, int(l.Next%uint64(max(1, n.State.SMs))))
			l.Next++
			l.Live++
			c.used += l.share
			c.ctas = append(c.ctas, &resident{CTA: cta, launch: l})
			moved = true
		}
	}
	return moved
}

// next returns the oldest CTA with a warp that can run; those that have had far more than their share come last.
func (n *Node) next(c *card) *resident {
	version := n.State.MemoryVersion()
	var best *resident
	for _, r := range c.ctas {
		if best != nil && r.executed/patience >= best.executed/patience {
			continue
		}
		if r.blocked && r.seen == version && r.events == c.events {
			continue
		}
		if !r.runnable(version) {
			r.blocked, r.seen, r.events = true, version, c.events
			continue
		}
		r.blocked = false
		best = r
		if r.executed < patience {
			break
		}
	}
	return best
}

// runnable reports whether a warp of the CTA can run, memory being in the given state.
func (r *resident) runnable(version uint64) bool {
	r.release()
	for _, w := range r.Warps {
		if w.Live != 0 && (!w.Parked || stirred(w, version)) {
			return true
		}
	}
	return false
}

// stirred reports whether memory has changed since a warp was left spinning.
func stirred(w *state.Warp, version uint64) bool {
	return w.Park == state.ParkBlocked && w.Seen != version && spins(w)
}

// release wakes the warps that a barrier let go. One that completed the barrier itself has gone on, and may by now be
// parked for something else.
func (r *resident) release() {
	for _, w := range r.Released {
		if w.Park == state.ParkBlocked {
			w.Parked = false
		}
	}
	r.Released = r.Released[:0]
}

// spins reports whether some fragment of the warp waits for memory to change.
func spins(w *state.Warp) bool {
	for i := range w.Frags {
		if w.Frags[i].State == state.Spinning {
			return true
		}
	}
	return false
}

// run gives every warp of a CTA that can run a turn.
func (n *Node) run(r *resident) *state.Fault {
	for _, w := range r.Warps {
		if w.Live == 0 {
			continue
		}
		if w.Parked {
			if !stirred(w, n.State.MemoryVersion()) {
				continue
			}
			w.Parked = false
		}
		for again := true; again; {
			again = false
			signal, count := exec.Run(w, turn)
			r.executed += uint64(count)
			switch signal {
			case state.Faulted:
				return w.Fault
			case state.Exited:
				if n.Operators != nil {
					if fault := n.Operators.Exited(w); fault != nil {
						return fault
					}
				}
			case state.AtOperator:
				if n.Operators == nil {
					return n.faultAt(w, w.Operator.Op, state.FaultUnsupported, "nothing here runs the operator `%s`", w.Operator.Code)
				}
				w.Parked, w.Park = true, state.ParkOperator
				pass, fault := n.Operators.Arrive(w)
				if fault != nil {
					return fault
				}
				if pass && w.Parked {
					n.Resume(w)
				}
				again = !w.Parked
			case state.Waiting:
				w.Parked, w.Park, w.Seen = true, state.ParkBlocked, n.State.MemoryVersion()
			case state.Gated:
				w.Parked, w.Park = true, state.ParkGate
			}
			if len(r.Released) > 0 {
				r.release()
				again = again || signal == state.Waiting && !w.Parked
			}
		}
	}
	return nil
}

// end takes a CTA whose warps have exited off its card, and the launch when it was the last.
func (n *Node) end(c *card, r *resident) *state.Fault {
	for i := range c.ctas {
		if c.ctas[i] == r {
			c.ctas = append(c.ctas[:i], c.ctas[i+1:]...)
			break
		}
	}
	c.used -= r.launch.share
	l := r.launch
	l.Live--
	exec.EndCTA(r.CTA)
	if l.Live > 0 || l.Next < l.CTAs() {
		return nil
	}
	l.Done, l.Pool = true, nil
	for i := range c.launches {
		if c.launches[i] == l {
			c.launches = append(c.launches[:i], c.launches[i+1:]...)
			break
		}
	}
	if n.Finished != nil {
		return n.Finished(l.Launch)
	}
	return nil
}

// faultAt is a fault of a warp at an operation.
func (n *Node) faultAt(w *state.Warp, op *state.Op, kind state.FaultKind, format string, args ...any) *state.Fault {
	return &state.Fault{
		Kind: kind, Message: fmt.Sprintf(format, args...), Func: op.Func, Pos: op.Inst.OpPos,
		Kernel: w.CTA.Launch.Name, Card: w.CTA.Card.Index, CTA: w.CTA.ID,
	}
}

// limit is the fault of a run in which a card has used up its instructions.
func (n *Node) limit(card int) *state.Fault {
	const message = "not finished after %d warp instructions"
	for _, r := range n.cards[card].ctas {
		for _, w := range r.Warps {
			if w.Live != 0 && len(w.Frags) > 0 {
				return n.faultAt(w, &w.Prog.Ops[w.Frags[0].PC], state.FaultMaxCycles, message, n.MaxInstructions)
			}
		}
	}
	return &state.Fault{Kind: state.FaultMaxCycles, Card: card, Message: fmt.Sprintf(message, n.MaxInstructions)}
}
