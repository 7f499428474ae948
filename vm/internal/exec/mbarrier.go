package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// An mbarrier is an object of 64 bits in shared memory (PTX ISA, "Parallel Synchronization and Communication
// Instructions: mbarrier"). Its layout is opaque; here it is, from bit 0 on: 20 bits arrivals still pending in this
// phase, 20 bits arrivals that each phase expects, 21 bits bytes of copies still expected (two's complement), 3 bits
// number of the phase. A state token is the object as it was before an arrival.
type mbarrier uint64

const (
	maxArrivals  = 1<<20 - 1
	expectShift  = 20
	txShift      = 40
	txBits       = 21
	phaseShift   = txShift + txBits
	arrivalsMask = 1<<20 - 1
)

func newMbarrier(count uint64) mbarrier { return mbarrier(count | count<<expectShift) }

func (b mbarrier) pending() uint64  { return uint64(b) & arrivalsMask }
func (b mbarrier) expected() uint64 { return uint64(b) >> expectShift & arrivalsMask }
func (b mbarrier) tx() int64        { return int64(b<<(64-phaseShift)) >> (64 - txBits) }
func (b mbarrier) phase() uint64    { return uint64(b) >> phaseShift }

// with returns the barrier with other counts; when nothing is pending any more the next phase begins.
func (b mbarrier) with(pending, expected uint64, tx int64) mbarrier {
	phase := b.phase()
	if pending == 0 && tx == 0 {
		phase, pending = (phase+1)&7, expected
	}
	return mbarrier(pending | expected<<expectShift | uint64(tx)&(1<<txBits-1)<<txShift | phase<<phaseShift)
}

// mbarrierOp is what decode knows of an operation on an mbarrier.
type mbarrierOp struct {
	*access        // of the object
	what           mbarrierAction
	result         *element // state token, or nil
	count          *element // nil: 1
	state          *element // token or parity
	parity, expect bool
}

// mbarrierAction is what an operation does.
type mbarrierAction uint8

const (
	mbarrierInit mbarrierAction = iota
	mbarrierInval
	mbarrierExpect
	mbarrierComplete
	mbarrierArrive
	mbarrierDrop
	mbarrierTest
	mbarrierAfterCopies // cp.async.mbarrier.arrive.noinc
)

var mbarrierActions = map[isa.Opcode]mbarrierAction{
	isa.OpMbarrierInit: mbarrierInit, isa.OpMbarrierInval: mbarrierInval, isa.OpMbarrierExpectTx: mbarrierExpect,
	isa.OpMbarrierCompleteTx: mbarrierComplete, isa.OpMbarrierArrive: mbarrierArrive, isa.OpMbarrierArriveDrop: mbarrierDrop,
	isa.OpMbarrierTestWait: mbarrierTest, isa.OpMbarrierTryWait: mbarrierTest, isa.OpCPAsyncMbarrierArrive: mbarrierAfterCopies,
}

func (x *mbarrierOp) slots(see func(*int32, bool)) {
	x.access.slots(see)
	for _, e := range []*element{x.count, x.state} {
		if e != nil && e.slot >= 0 {
			see(&e.slot, false)
		}
	}
	if x.result != nil {
		see(&x.result.slot, true)
	}
}

// emitMbarrier decodes the operations on an mbarrier of the own CTA.
func emitMbarrier(in *instance, inst *isa.Inst) {
	x := &mbarrierOp{access: &access{space: spaceOf(inst), size: 8, count: 1, align: 8, load: true, store: true}, what: mbarrierActions[inst.Op]}
	op := newOp(inst, runMbarrier)
	operands := inst.Operands
	switch x.what {
	case mbarrierArrive, mbarrierDrop:
		if o := &operands[0]; o.Kind == isa.OperandReg {
			x.result = &element{slot: in.register(o), wide: true, bits: 64}
		}
		operands = operands[1:]
	case mbarrierTest:
		op.D = in.destination(inst, &operands[0], isa.Pred)
		operands = operands[1:]
	}
	if len(operands) == 0 || !in.locate(inst, &operands[0], x.access) {
		in.emitUnsupported(inst)
		return
	}
	x.expect, x.parity = inst.Has(isa.ModExpectTx), inst.Has(isa.ModParity)
	if len(operands) > 1 {
		t := isa.U32
		if x.what == mbarrierTest && !x.parity {
			t = isa.B64
		}
		slot, wide := in.value(inst, &operands[1], t)
		e := &element{slot: slot, wide: wide, bits: 64}
		if x.what == mbarrierTest {
			x.state = e
		} else {
			x.count = e
		}
	}
	if x.what == mbarrierAfterCopies && !inst.Has(isa.ModNoinc) {
		op.Run = runNothing // it counts itself in before it arrives, and its copies are done: nothing is left to wait for
	}
	op.Kind, op.Class, op.Extra = state.Memory, isa.ClassOf(inst), x
	in.emit(op)
}

// runMbarrier performs the operation for one active lane after another.
func runMbarrier(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*mbarrierOp)
	c := w.CTA
	if c.Card.Timed {
		w.Access = state.Access{Space: isa.SpaceShared, Load: true, Store: x.what != mbarrierTest, Atomic: x.what != mbarrierTest, Ways: 1, Bytes: 8}
	}
	complete := uint32(0)
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		p, signal := x.resolve(w, op, c.Card, l, x.address(w, l))
		if signal != state.Next {
			return signal
		}
		if p.cta == nil {
			return x.wrong(w, op, state.FaultBarrier, l, x.address(w, l), nil, "is no mbarrier: those are in shared memory")
		}
		old := mbarrier(get(p.bytes, 8))
		count := uint64(1)
		if x.count != nil {
			count = x.count.value(w, l)
		}
		if x.what == mbarrierTest {
			done := x.state.value(w, l)&1 != old.phase()&1
			if !x.parity {
				done = mbarrier(x.state.value(w, l)).phase()&1 != old.phase()&1
			}
			if done {
				complete |= 1 << l
			}
			continue
		}
		next, problem := x.act(old, count)
		if problem != "" {
			return fault(w, op, state.FaultBarrier, l, "mbarrier at 0x%x: %s", x.address(w, l), problem)
		}
		put(p.bytes, 8, uint64(next))
		p.wrote(8, next != old)
		if x.result != nil {
			x.result.set(w, l, 8, false, uint64(old))
		}
	}
	if x.what == mbarrierTest {
		w.P[op.D] = w.P[op.D]&^w.Active | complete
	}
	return state.Next
}

// act returns the barrier after the operation, or what is wrong with it.
func (x *mbarrierOp) act(b mbarrier, count uint64) (mbarrier, string) {
	pending, expected, tx := b.pending(), b.expected(), b.tx()
	switch x.what {
	case mbarrierInit:
		if count == 0 || count > maxArrivals {
			return b, "a count is from 1 to 1048575"
		}
		return newMbarrier(count), ""
	case mbarrierInval:
		return 0, ""
	case mbarrierExpect:
		tx += int64(int32(count))
	case mbarrierComplete:
		tx -= int64(int32(count))
	default:
		if x.expect {
			tx += int64(int32(count))
			count = 1
		}
		if count > pending {
			return b, "more arrivals than it still expects in this phase, or it was never initialised"
		}
		pending -= count
		if x.what == mbarrierDrop {
			expected -= min(count, expected)
		}
	}
	if tx < -maxArrivals || tx > maxArrivals {
		return b, "more bytes are expected than it can count"
	}
	return b.with(pending, expected, tx), ""
}

// emitPendingCount decodes mbarrier.pending_count: the arrivals that were pending in a state token.
func emitPendingCount(in *instance, inst *isa.Inst) {
	op := newOp(inst, runPendingCount)
	op.D = in.destination(inst, &inst.Operands[0], isa.U32)
	op.A = in.source(inst, &inst.Operands[1], isa.B64)
	op.Class = isa.ClassOf(inst)
	in.emit(op)
}

func runPendingCount(w *state.Warp, op *state.Op) state.Signal {
	d, a := &w.R32[op.D], w.Src64(op.A)
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		d[l] = uint32(mbarrier(a[l]).pending())
	}
	return state.Next
}
