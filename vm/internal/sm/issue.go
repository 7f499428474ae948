package sm

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Warp is a warp in time.
type Warp struct {
	*state.Warp
	launch  *launch
	sm      *sm
	quarter *quarter
	place   int // in the quarter's lists

	board []uint64       // by scoreboard index: the cycle from which the slot can be used
	why   []ledger.Entry // by scoreboard index: what it waits for until then
	front uint64         // the next operation issues no earlier
	cause ledger.Entry   // what front waits for

	next  *state.Op    // what it issues next; nil when no fragment can run
	ready uint64       // when its operands are there; Never while it waits for an event
	late  ledger.Entry // the operand that came last
	since uint64       // the cycle after its last issue
	// spans are the waits since then that have a reason of their own (other cards, barriers, the gate).
	spans   []ledger.Span
	history ledger.History
	waits   wait
	last    *state.Op // what it issued last
	polling polling
	tensor  *state.Op // its latest mma, and the floating-point operations of one
	flops   uint64
	blocked uint64       // the cycle from which the gate holds its mma back; Never when it does not
	parked  uint64       // the cycle since which it is parked in a polling loop
	watched []exec.Range // what it polls; nil: can't be told
	// polledAway: it has read another card's memory since it last came round a polling loop.
	polledAway bool
	away       int // the card that owns it
	vain       int // times in a row that it came round a polling loop with nothing changed
	// polled is the polling loop (Op.Poll) that it goes round once more and has paid for already (ideal fabric); 0: none.
	polled int32
	paid   bool // the operation it issues belongs to that loop
	fenced bool // the fence of a release has been paid for the next operation
}

// wait says what event a warp waits for, for the deadlock report.
type wait uint8

const (
	waitsNot wait = iota
	waitsForCTA
	waitsForOperatorStart
	waitsForOperatorEnd
	waitsForGate
	waitsForFence
	waitsForMemory
	waitsForWrite
)

// event reports a wait that an event of its own ends, which then refreshes the warp.
func (x wait) event() bool {
	return x == waitsForOperatorStart || x == waitsForOperatorEnd || x == waitsForFence || x == waitsForWrite
}

// History returns the waits for other cards since a cycle, as a waiter takes them over.
func (w *Warp) History(since uint64) []ledger.Span { return w.history.Since(since) }

// Owner returns the launch step that the warp's traffic belongs to.
func (w *Warp) Owner() int { return w.launch.Owner }

// wait appends spans in which the warp waited, for its own account and for those who inherit from it.
func (w *Warp) wait(spans []ledger.Span, keep bool) {
	w.spans = append(w.spans, spans...)
	if keep {
		w.history.Add(spans)
	}
}

// refresh works out what the warp issues next and when its operands are there, and wakes its quarter.
func (c *Card) refresh(w *Warp) {
	w.next = exec.NextOp(w.Warp)
	if w.next == nil {
		w.setReady(c, Never)
		if w.waits == waitsNot {
			w.waits = waitsForCTA
		}
		return
	}
	ready, late := w.front, w.cause
	for _, s := range w.next.Reads {
		if at := w.board[s]; at > ready {
			ready, late = at, w.why[s]
		}
	}
	for _, s := range w.next.Writes {
		if at := w.board[s]; at > ready {
			ready, late = at, w.why[s]
		}
	}
	w.late = late
	w.setReady(c, ready)
	if ready == Never {
		w.waits = waitsForMemory
		return
	}
	w.waits = waitsNot
	c.wakeQuarter(w.quarter, max(ready, c.Now))
}

// setReady says from which cycle a warp's operands are there.
func (w *Warp) setReady(c *Card, cycle uint64) {
	w.ready = cycle
	w.quarter.ready[w.place] = cycle
	if w.next != nil {
		w.quarter.unit[w.place] = c.units.of[w.next.Class]
	}
}

// issue lets a quarter issue at a cycle: the oldest warp whose operands are there and whose unit is free.
func (c *Card) issue(q *quarter, now uint64) {
	q.wake = Never
	best := -1
	soon := Never
	for i, at := range q.ready {
		if at <= now {
			if free := q.freeAt[q.unit[i]]; free > now {
				at = free
			} else {
				if w := q.warps[i]; w.next.Kind == state.Tensor && c.gate.blocks(c, w, now) {
					continue
				}
				if best < 0 {
					best = i
					continue
				}
				at = now + 1
			}
		}
		if at < soon {
			soon = at
		}
	}
	if soon != Never {
		if best >= 0 {
			soon = max(soon, now+1)
		}
		c.wakeQuarter(q, soon)
	}
	if best >= 0 {
		c.issueWarp(q.warps[best], now)
	}
}

// occupy reserves the unit of a class for one instruction that issues now.
func (q *quarter) occupy(c *Card, class isa.Class, now, times uint64) {
	u := &c.units
	free := &q.free[u.of[class]]
	base := now * u.scale
	// A unit that was busy until a fraction into this cycle goes on from there: intervals such as 6.1 cycles
	// hold on average.
	if *free+u.scale > base && *free <= base {
		base = *free
	}
	*free = base + u.interval[class]*times
	q.freeAt[u.of[class]] = (*free + u.scale - 1) / u.scale
}

// issueWarp issues a warp's next operation.
func (c *Card) issueWarp(w *Warp, now uint64) {
	op := w.next
	q := w.quarter
	w.paid = w.pollsAgain()
	if op.Kind == state.Memory && !w.fenced && !w.paid {
		if release, system := releases(op.Inst); release {
			c.fenceBefore(w, now, system)
			return
		}
	}
	w.fenced = false
	c.account(w, now, q.freeAt[c.units.of[op.Class]])
	w.since = now + 1
	w.last = op
	w.front, w.cause = now+1, ledger.ALU

	var touched []exec.Range
	if len(c.spinners) > 0 && op.Kind == state.Memory && op.Inst.Op != isa.OpLd {
		touched = exec.Touched(w.Warp, op)
	}
	w.Access.Ways = 1
	signal := exec.Issue(w.Warp, op)
	latency := c.units.latency[op.Class]
	times := uint64(1)
	switch op.Kind {
	case state.Plain:
		w.result(op, now+latency, c.units.reason[op.Class])
	case state.Tensor:
		w.result(op, now+latency, ledger.Tensor)
		q.sm.busy += c.units.interval[op.Class]
		if w.tensor != op {
			w.tensor, w.flops = op, mmaFlops(op.Inst)
		}
		q.sm.flops += w.flops
	case state.Memory:
		times = c.memory(w, op, now, latency)
		if touched != nil {
			c.At(now+1, func(cycle uint64) { c.Wrote(cycle, touched, nil, w) })
		}
	case state.Control:
		w.front = now + latency
	case state.Fence:
		c.fence(w, op, now, latency)
	case state.Barrier:
		if signal == state.Next { // the last to arrive pays for the barrier as those that it lets go
			w.front, w.cause = c.barrierEnd(w.CTA, now), ledger.CTABarrier
		}
		w.result(op, w.front, ledger.CTABarrier)
	case state.Sleep:
		w.front = now + max(1, w.SleepNS*uint64(c.Machine.ClockMHz)/1000)
		w.SleepNS = 0
	default:
		w.result(op, now+latency, c.units.reason[op.Class])
	}
	q.occupy(c, op.Class, now, times)

	switch signal {
	case state.Next, state.Jumped, state.Waiting:
	case state.Pending:
		c.pending(w, op, now)
	case state.AtOperator:
		c.arrive(w, now)
	case state.Exited:
		c.exited(w, now)
		c.release(w.CTA, now)
		return
	case state.Faulted:
		c.fail(w.Fault)
		return
	}
	if len(w.CTA.Released) > 0 {
		c.release(w.CTA, now)
	}
	if w.waits.event() || c.spins(w, op, now) {
		return
	}
	c.refresh(w)
}

// result marks an operation's destinations as usable from a cycle on.
func (w *Warp) result(op *state.Op, at uint64, why ledger.Entry) {
	for _, s := range op.Writes {
		w.board[s] = at
		w.why[s] = why
	}
}

// release lets warps go on that a barrier of their CTA held.
func (c *Card) release(cta *state.CTA, now uint64) {
	if len(cta.Released) == 0 {
		return
	}
	at := c.barrierEnd(cta, now)
	last := c.lastArrival(cta)
	for _, r := range cta.Released {
		w := r.Timing.(*Warp)
		w.front, w.cause = at, ledger.CTABarrier
		if w.waits.event() {
			continue
		}
		w.waits = waitsNot
		if last != nil && last != w {
			// The last to arrive may itself have waited for another card: its waiters take that over.
			w.wait(ledger.Fill(nil, last.History(w.since), w.since, now+1, ledger.CTABarrier), c.History)
		}
		c.refresh(w)
	}
	cta.Released = cta.Released[:0]
}

// barrierEnd is when the warps of a CTA go on after a barrier that is complete now.
func (c *Card) barrierEnd(cta *state.CTA, now uint64) uint64 {
	return now + c.units.latency[isa.ClassBarrier] + uint64(c.Machine.Card.BarrierPerWarp)*uint64(len(cta.Warps))
}

// lastArrival returns the warp that issued last in the CTA: the one whose arrival (or exit) let the others go.
func (c *Card) lastArrival(cta *state.CTA) *Warp {
	var last *Warp
	for _, r := range cta.Warps {
		if w, ok := r.Timing.(*Warp); ok && (last == nil || w.since > last.since) {
			last = w
		}
	}
	return last
}

// mmaFlops returns the floating-point operations of an mma: two a multiply-add of m16n8k16.
func mmaFlops(in *isa.Inst) uint64 {
	for _, m := range in.Mods {
		if name := m.String(); len(name) > 1 && name[0] == 'm' && '0' <= name[1] && name[1] <= '9' {
			flops, n := uint64(2), uint64(0)
			for _, r := range name[1:] + "k" {
				if '0' <= r && r <= '9' {
					n = n*10 + uint64(r-'0')
				} else if n > 0 {
					flops, n = flops*n, 0
				}
			}
			return flops
		}
	}
	return 0
}
