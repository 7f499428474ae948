package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// bulkCopy is what decode knows of cp.async.bulk and cp.reduce.async.bulk between global memory and the own CTA's
// shared memory. Like cp.async it is done at once, so that its group or mbarrier is complete.
type bulkCopy struct {
	to, from *access
	size     element
	barrier  *access // nil: a bulk group
	reduce   update  // nil: a plain copy
	element  int     // bytes an element of a reduction
}

func (x *bulkCopy) slots(see func(*int32, bool)) {
	x.to.slots(see)
	x.from.slots(see)
	if x.barrier != nil {
		x.barrier.slots(see)
	}
	if x.size.slot >= 0 {
		see(&x.size.slot, false)
	}
}

// emitBulk decodes [dst], [src], size{, [mbar]}{, policy}.
func emitBulk(in *instance, inst *isa.Inst) {
	// the two spaces stand in the order destination, source
	var spaces []isa.Space
	for _, m := range inst.Mods {
		switch m {
		case isa.ModGlobal:
			spaces = append(spaces, isa.SpaceGlobal)
		case isa.ModSharedCTA, isa.ModSharedCluster, isa.ModShared:
			spaces = append(spaces, isa.SpaceShared)
		}
	}
	operands := inst.Operands
	if len(spaces) != 2 || len(operands) < 3 || inst.Has(isa.ModMulticastCluster) {
		in.emitUnsupported(inst)
		return
	}
	x := &bulkCopy{
		to:   &access{space: spaces[0], size: 1, align: 16, store: true},
		from: &access{space: spaces[1], size: 1, align: 16, load: true},
	}
	if !in.locate(inst, &operands[0], x.to) || !in.locate(inst, &operands[1], x.from) {
		in.emitUnsupported(inst)
		return
	}
	x.size.slot, x.size.wide = in.value(inst, &operands[2], isa.U32)
	if inst.Has(isa.ModMbarrierCompleteTxBytes) {
		x.barrier = &access{space: isa.SpaceShared, size: 8, count: 1, align: 8, load: true, store: true}
		if len(operands) < 4 || !in.locate(inst, &operands[3], x.barrier) {
			in.emitUnsupported(inst)
			return
		}
	}
	if inst.Op == isa.OpCPReduceAsyncBulk {
		t := inst.Type(0)
		x.element = t.Bytes()
		if x.reduce, _ = atomic(operation(inst), t); x.reduce == nil {
			in.emitUnsupported(inst)
			return
		}
	}
	op := newOp(inst, runBulk)
	op.Kind, op.Class, op.Extra = state.Memory, isa.ClassOf(inst), x
	in.prog.GlobalRefs = true
	in.emit(op)
}

func runBulk(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*bulkCopy)
	c := w.CTA
	total := 0
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		n := int(uint32(x.size.value(w, l)))
		if n%16 != 0 {
			return fault(w, op, state.FaultSize, l, "a bulk copy of %d bytes: the size is a multiple of 16", n)
		}
		total += n
		if n > 0 {
			to, signal := x.place(w, op, l, x.to, n)
			if signal != state.Next {
				return signal
			}
			from, signal := x.place(w, op, l, x.from, n)
			if signal != state.Next {
				return signal
			}
			if signal := from.readable(w, op, l, n); signal != state.Next {
				return signal
			}
			if x.reduce == nil {
				copy(to.bytes[:n], from.bytes[:n])
			} else {
				for i := 0; i+x.element <= n; i += x.element {
					put(to.bytes[i:], x.element, x.reduce(get(to.bytes[i:], x.element), get(from.bytes[i:], x.element), 0))
				}
			}
			to.wrote(n, true)
		}
		if x.barrier == nil {
			continue
		}
		p, signal := x.barrier.resolve(w, op, c.Card, l, x.barrier.address(w, l))
		if signal != state.Next {
			return signal
		}
		b := mbarrier(get(p.bytes, 8))
		next, problem := (&mbarrierOp{what: mbarrierComplete}).act(b, uint64(n))
		if problem != "" {
			return fault(w, op, state.FaultBarrier, l, "mbarrier at 0x%x: %s", x.barrier.address(w, l), problem)
		}
		put(p.bytes, 8, uint64(next))
		p.wrote(8, next != b)
	}
	if c.Card.Timed {
		w.Access = state.Access{Space: isa.SpaceGlobal, Load: x.from.space == isa.SpaceGlobal, Store: x.to.space == isa.SpaceGlobal, Bytes: int32(total), Sectors: int32(total / 32)}
	}
	return state.Next
}

// place finds one side of the copy.
func (x *bulkCopy) place(w *state.Warp, op *state.Op, lane int, a *access, size int) (place, state.Signal) {
	addr := a.address(w, lane)
	card := w.CTA.Card
	if owner := memory.Owner(addr); a.space == isa.SpaceGlobal && owner >= 0 && owner != card.Index && owner < len(card.Node.Cards) {
		if !card.Direct {
			return place{}, fault(w, op, state.FaultUnsupported, lane, "a bulk copy of another card's memory can't run in timed mode yet; loads and stores can")
		}
		card = card.Node.Cards[owner]
	}
	part := *a
	part.count = size
	return part.resolve(w, op, card, lane, addr)
}
