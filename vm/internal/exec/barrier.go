package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// barrier is what decode knows of bar and barrier.
type barrier struct {
	arrive bool
	red    isa.Mod // ModPopc, ModAnd, ModOr; ModNone: no reduction
	count  bool    // a number of threads is given (Op.B)
	pred   int32   // of a reduction
}

func (b *barrier) slots(see func(*int32, bool)) {
	if b.pred >= 0 {
		see(&b.pred, false)
	}
}

// emitBarrier decodes bar{.cta} and barrier{.cta}: sync, arrive and red.
func emitBarrier(in *instance, inst *isa.Inst) {
	x := &barrier{arrive: inst.Has(isa.ModArrive), pred: none}
	op := newOp(inst, runBarrier)
	operands := inst.Operands
	if inst.Has(isa.ModRed) {
		t := inst.Type(0)
		x.red = isa.ModPopc
		for _, m := range []isa.Mod{isa.ModAnd, isa.ModOr} {
			if inst.Has(m) {
				x.red, t = m, isa.Pred
			}
		}
		op.D = in.destination(inst, &operands[0], t)
		last := &operands[len(operands)-1]
		x.pred = in.source(inst, last, isa.Pred)
		operands = operands[1 : len(operands)-1]
	}
	op.A = in.constant32(0)
	if len(operands) > 0 {
		op.A = in.source(inst, &operands[0], isa.U32)
	}
	if len(operands) > 1 {
		op.B, x.count = in.source(inst, &operands[1], isa.U32), true
	}
	op.Kind, op.Class, op.Extra = state.Barrier, isa.ClassOf(inst), x
	in.emit(op)
}

// runBarrier lets the active lanes arrive at a barrier of the CTA. A warp counts, with all of its 32 threads, once all
// its live lanes have arrived; without a number of threads the barrier waits for every live warp.
func runBarrier(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*barrier)
	first := bits.TrailingZeros32(w.Active)
	id := w.Src32(op.A)[first]
	if id >= uint32(len(w.CTA.Barriers)) {
		return fault(w, op, state.FaultBarrier, first, "barrier %d: a CTA has barriers 0 to 15", id)
	}
	c := w.CTA
	b := &c.Barriers[id]
	expected := 0 // all
	if x.count {
		n := w.Src32(op.B)[first]
		if n == 0 || n%32 != 0 {
			return fault(w, op, state.FaultBarrier, first, "barrier %d waits for %d threads, which is no multiple of 32", id, n)
		}
		if int(n) > 32*len(c.Warps) {
			return fault(w, op, state.FaultBarrier, first, "barrier %d waits for %d threads; the CTA has %d", id, n, c.Launch.Threads())
		}
		if int(n) < 32*len(c.Warps) {
			expected = int(n)
		}
	}
	f := current(w)
	if w.Active != f.Mask { // lanes whose guard is false go their own way
		i := split(w, w.Active, f.PC+1, len(f.Calls))
		rest := current(w)
		jump(rest, rest.PC+1)
		w.Current = i
		f = &w.Frags[i]
	}
	if b.Expected == 0 {
		*b = state.BarrierState{And: true, Waiting: b.Waiting[:0]}
	}
	if expected == 0 {
		b.All, expected = true, 32*c.LiveWarps
	}
	b.Expected = max(b.Expected, expected)
	b.Last = w
	if x.red != isa.ModNone {
		p := w.SrcP(x.pred)
		b.Count += uint32(bits.OnesCount32(p & f.Mask))
		b.Or = b.Or || p&f.Mask != 0
		b.And = b.And && p&f.Mask == f.Mask
	}
	if x.arrive {
		jump(f, f.PC+1)
	} else {
		f.State, f.Bar = state.AtBarrier, int32(id)
		b.Waiting = append(b.Waiting, state.BarrierWait{Warp: w, Mask: f.Mask, Op: op})
	}
	lanes := f.Mask
	if lanes != w.Live || b.Partial != nil {
		if b.Partial == nil {
			b.Partial = make([]uint32, len(c.Warps))
		}
		b.Partial[w.Index] |= lanes
		lanes = b.Partial[w.Index]
	}
	if lanes&w.Live == w.Live {
		b.Arrived += 32
		if b.Partial != nil {
			b.Partial[w.Index] = 0
		}
	}
	complete(c, b)
	return state.Waiting
}

// complete opens a barrier at which enough warps have arrived and lets the waiting fragments go on.
func complete(c *state.CTA, b *state.BarrierState) {
	expected := b.Expected
	if b.All {
		expected = 32 * c.LiveWarps
	}
	if b.Expected == 0 || b.Arrived < expected {
		return
	}
	if c.Race != nil {
		barrierOpened(c, b)
	}
	for _, wait := range b.Waiting {
		w := wait.Warp
		w.Settled = false
		for i := range w.Frags {
			f := &w.Frags[i]
			if f.State != state.AtBarrier || f.Mask&wait.Mask == 0 {
				continue
			}
			deliver(w, wait.Op, f.Mask, b)
			f.State, f.Steps = state.Runnable, 0
			jump(f, f.PC+1)
		}
		if n := len(c.Released); n == 0 || c.Released[n-1] != w {
			c.Released = append(c.Released, w)
		}
	}
	*b = state.BarrierState{Waiting: b.Waiting[:0], Last: b.Last}
}

// deliver writes the result of bar.red.
func deliver(w *state.Warp, op *state.Op, lanes uint32, b *state.BarrierState) {
	x := op.Extra.(*barrier)
	switch x.red {
	case isa.ModPopc:
		d := &w.R32[op.D]
		for l := range d {
			if lanes>>l&1 != 0 {
				d[l] = b.Count
			}
		}
	case isa.ModAnd, isa.ModOr:
		holds := b.And
		if x.red == isa.ModOr {
			holds = b.Or
		}
		w.P[op.D] &^= lanes
		if holds {
			w.P[op.D] |= lanes
		}
	}
}

// lanesGone looks at what waits for lanes that have just exited: the CTA's barriers count live lanes only. The warp's
// own fragments are looked at when one is picked. It answers Exited when the warp has no lane left.
func lanesGone(w *state.Warp) state.Signal {
	c := w.CTA
	if w.Live == 0 {
		c.LiveWarps--
	}
	for i := range c.Barriers {
		b := &c.Barriers[i]
		if b.Expected == 0 {
			continue
		}
		if b.Partial != nil && b.Partial[w.Index] != 0 && b.Partial[w.Index]&w.Live == w.Live {
			if w.Live != 0 {
				b.Arrived += 32
			}
			b.Partial[w.Index] = 0
		}
		complete(c, b)
	}
	if w.Live == 0 {
		return state.Exited
	}
	return state.Next
}
