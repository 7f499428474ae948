package sm

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

const sectorBytes = 32 // PTX ISA, "ld": the unit in which L2 and HBM are read

// memory times a memory instruction that has just executed (Warp.Access). It returns how many issue intervals
// of the load-store unit it takes.
func (c *Card) memory(w *Warp, op *state.Op, now, latency uint64) (times uint64) {
	a := &w.Access
	ready := now + latency
	times = 1
	switch a.Space {
	case isa.SpaceShared:
		if a.Ways > 1 {
			times = uint64(a.Ways)
			ready += (times - 1) * uint64(c.Machine.Card.BankConflict)
		}
	case isa.SpaceGlobal, isa.SpaceLocal:
		if a.Sectors == 0 {
			break
		}
		switch {
		case a.Atomic:
			// Atomics are done at L2; their latency is the class's.
		case a.Load && ordered(op.Inst):
			ready = now + uint64(c.Machine.Card.L2Latency)
			if op.Inst.Has(isa.ModAcquire) {
				ready += uint64(c.Machine.Card.AcquireExtra)
			}
		default:
			slot := c.HBM.Move(w.launch.Owner, uint64(a.Sectors)*sectorBytes, Fine(now), Fine(now))
			if a.Load {
				ready = Ceil(slot.Start) + uint64(c.Machine.Card.HBMLatency)
			}
		}
	}
	if w.paid && (a.Load || a.Atomic) {
		w.polled = 0
		ready = now + 1
	}
	w.result(op, ready, ledger.Memory)
	return times
}

// ordered reports a load that must see what others wrote: it goes to L2, past L1.
func ordered(in *isa.Inst) bool {
	return in.Has(isa.ModVolatile) || in.Has(isa.ModRelaxed) || in.Has(isa.ModAcquire) || in.Has(isa.ModMmio)
}

// pending sends the parts of a memory instruction that other cards own. A part with a result keeps the
// destination registers busy until its reply is in.
func (c *Card) pending(w *Warp, op *state.Op, now uint64) {
	w.polledAway = true
	parts := w.Access.Remote
	w.away = parts[0].Owner
	w.Access.Remote = nil
	multicast := parts[0].Multicast
	replies := 0
	for _, ra := range parts {
		if ra.Load {
			replies++
		}
	}
	if replies > 0 {
		w.result(op, Never, ledger.Remote)
		if op.Inst.Op == isa.OpCPAsync { // no register tells when the data is there, so the warp waits
			w.front, w.cause = Never, ledger.Remote
		}
	}
	left := replies
	cta := w.CTA
	cta.InFlight += len(parts)
	var whenAlone uint64 // the last reply, without other owners on the links
	for _, ra := range parts {
		ra.Done = func(cycle, alone uint64) {
			cta.InFlight--
			if ra.Fault != nil {
				c.fail(ra.Fault)
				return
			}
			if !ra.Load {
				return
			}
			if !multicast {
				exec.Finish(w.Warp, ra)
			}
			whenAlone = max(whenAlone, alone)
			if left--; left == 0 {
				if multicast {
					exec.FinishMulticast(w.Warp, parts)
				}
				w.result(op, cycle, ledger.Remote)
				if w.front == Never {
					w.front = cycle
				}
				if w.waits == waitsForMemory {
					w.waits = waitsNot
					alone := min(max(w.since, whenAlone), cycle)
					w.wait(ledger.Append(ledger.Append(nil, w.since, alone, ledger.Remote), alone, cycle, ledger.Contention), c.History)
					w.front = max(w.front, cycle)
					w.cause = ledger.Remote
					c.refresh(w)
				}
			}
		}
	}
	if multicast {
		c.Fabric.Multicast(c, w, parts, now)
		return
	}
	for _, ra := range parts {
		c.Fabric.Remote(c, w, ra, now)
	}
}

// fence times a memory fence. A system fence stands until the card's posted traffic is acknowledged, and for its
// fixed cost at least: up to the last acknowledgement that is copy, the rest fence.
func (c *Card) fence(w *Warp, op *state.Op, now, latency uint64) {
	if op.Class != isa.ClassFenceSys {
		w.front, w.cause = now+latency, ledger.Memory
		return
	}
	w.waits = waitsForFence
	w.setReady(c, Never)
	c.fenceSys(w, now, now+latency)
}

// fenceSys holds a warp until its card's posted traffic is acknowledged and the cycle fixed has come.
func (c *Card) fenceSys(w *Warp, now, fixed uint64) {
	c.Fabric.Drained(c, now, func(drained, alone uint64) {
		w.waits = waitsNot
		w.wait(FenceSpans(max(w.since, now), drained, alone, max(fixed, drained)), c.History)
		w.front, w.cause = max(fixed, drained), ledger.Fence
		c.refresh(w)
	})
}

// FenceSpans says what a system fence stood for from start to end: until drained the card's own posted traffic, of
// which what comes after alone is what other owners made of it.
func FenceSpans(start, drained, alone, end uint64) (spans []ledger.Span) {
	alone = min(max(start, alone), drained)
	spans = ledger.Append(spans, start, alone, ledger.Copy)
	spans = ledger.Append(spans, max(start, alone), drained, ledger.Contention)
	return ledger.Append(spans, max(start, drained), end, ledger.Fence)
}

// releases reports an instruction with release semantics at a scope wider than the CTA: the hardware fences
// before it (facts: sass.md, st.release is MEMBAR and ST).
func releases(in *isa.Inst) (release, system bool) {
	if in.Op == isa.OpFence || in.Op == isa.OpMembar {
		return false, false
	}
	if !in.Has(isa.ModRelease) && !in.Has(isa.ModAcqRel) || in.Has(isa.ModCTA) {
		return false, false
	}
	return true, in.Has(isa.ModSys)
}

// fenceBefore pays the fence that a release does before its access.
func (c *Card) fenceBefore(w *Warp, now uint64, system bool) {
	w.fenced = true
	if system {
		w.waits = waitsForFence
		w.setReady(c, Never)
		c.fenceSys(w, now, now+c.units.latency[isa.ClassFenceSys])
		return
	}
	w.front, w.cause = now+uint64(c.Machine.Card.ReleaseGPU), ledger.Memory
	c.refresh(w)
}
