package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// asyncCopy is what decode knows of cp.async: a copy of 4, 8 or 16 bytes a lane from global to shared memory. It is
// done at once, which is one of the moments that the ISA allows; so the groups need no waiting.
type asyncCopy struct {
	from, to *access
	size     int
	take     *element // bytes really read, the others are zeros; nil: all
	ignore   int32    // predicate: nothing is read; none: no such operand
}

func (x *asyncCopy) slots(see func(*int32, bool)) {
	x.from.slots(see)
	x.to.slots(see)
	if x.take != nil && x.take.slot >= 0 {
		see(&x.take.slot, false)
	}
	if x.ignore >= 0 {
		see(&x.ignore, false)
	}
}

// emitCopyAsync decodes cp.async [dst], [src], size{, src-size}{, ignore-src}{, policy}.
func emitCopyAsync(in *instance, inst *isa.Inst) {
	x := &asyncCopy{ignore: none}
	if len(inst.Operands) < 3 || inst.Operands[2].Kind != isa.OperandInt {
		in.emitUnsupported(inst)
		return
	}
	x.size = int(inst.Operands[2].Bits)
	x.to = &access{space: isa.SpaceShared, size: 1, count: x.size, align: x.size, store: true}
	x.from = &access{space: isa.SpaceGlobal, size: 1, count: x.size, align: x.size, load: true}
	if x.size != 4 && x.size != 8 && x.size != 16 || !in.locate(inst, &inst.Operands[0], x.to) || !in.locate(inst, &inst.Operands[1], x.from) {
		in.emitUnsupported(inst)
		return
	}
	rest := inst.Operands[3:]
	if inst.Has(isa.ModL2CacheHint) && len(rest) > 0 {
		rest = rest[:len(rest)-1]
	}
	if len(rest) > 0 {
		if o := &rest[0]; o.Kind == isa.OperandReg && in.fn.Regs[o.Reg].Type == isa.Pred {
			x.ignore = in.source(inst, o, isa.Pred)
		} else {
			slot, wide := in.value(inst, o, isa.U32)
			x.take = &element{slot: slot, wide: wide}
		}
	}
	op := newOp(inst, runCopyAsync)
	op.Kind, op.Class, op.Extra = state.Memory, isa.ClassOf(inst), x
	in.prog.GlobalRefs = true
	in.emit(op)
}

func runCopyAsync(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*asyncCopy)
	c := w.CTA
	var at [32]uint32
	var lanes uint32
	var away []*state.RemoteAccess
	total := 0
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		to, signal := x.to.resolve(w, op, c.Card, l, x.to.address(w, l))
		if signal != state.Next {
			return signal
		}
		n := x.size
		if x.take != nil {
			n = int(min(uint64(n), x.take.value(w, l)))
		}
		if x.ignore != none && w.SrcP(x.ignore)>>l&1 != 0 {
			n = 0
		}
		if n > 0 {
			addr := x.from.address(w, l)
			card := c.Card
			if owner := memory.Owner(addr); owner >= 0 && owner != card.Index && owner < len(card.Node.Cards) {
				if !card.Direct {
					away = x.addRemote(away, w, op, owner, l, addr, n)
					clear(to.bytes[n:x.size])
					to.wrote(x.size, true)
					continue
				}
				card = card.Node.Cards[owner]
			}
			part := *x.from
			part.count = n
			from, signal := part.resolve(w, op, card, l, addr)
			if signal != state.Next {
				return signal
			}
			if signal := from.readable(w, op, l, n); signal != state.Next {
				return signal
			}
			copy(to.bytes[:n], from.bytes)
			at[l] = uint32(from.offset)
			lanes |= 1 << l
			total += n
		}
		clear(to.bytes[n:x.size])
		to.wrote(x.size, true)
	}
	if c.Card.Timed {
		w.Access = state.Access{Space: isa.SpaceGlobal, Load: true, Bytes: int32(total), Sectors: sectors(&at, lanes, x.size)}
	}
	if away != nil {
		w.Access.Remote = away
		return state.Pending
	}
	return state.Next
}

// addRemote puts one lane into the part of the copy that another card owns. The rows of its data are what was read, low
// and high, and the number of bytes.
func (x *asyncCopy) addRemote(list []*state.RemoteAccess, w *state.Warp, op *state.Op, owner, lane int, addr uint64, bytes int) []*state.RemoteAccess {
	list = addRemote(list, w, op, x.from, owner, lane, addr)
	for _, ra := range list {
		if ra.Owner == owner {
			ra.Bytes += bytes - x.size
			ra.Data[copyBytes][lane] = uint64(bytes)
		}
	}
	return list
}

// The rows of a remote part's data.
const (
	copyLow = iota
	copyHigh
	copyBytes
	copyRows
)

// apply reads a part of a copy at the card that owns the addresses.
func (x *asyncCopy) apply(c *state.Card, ra *state.RemoteAccess) *state.Fault {
	asker := state.Warp{CTA: ra.Warp.CTA, Index: ra.Warp.Index, Prog: ra.Warp.Prog} // only to describe a fault
	for m := ra.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		n := int(ra.Data[copyBytes][l])
		part := *x.from
		part.count = n
		from, signal := part.resolve(&asker, ra.Op, c, l, ra.Addr[l])
		if signal == state.Next {
			signal = neverWritten(&asker, ra.Op, c, &from, l, n)
		}
		if signal != state.Next {
			ra.Fault = asker.Fault
			return ra.Fault
		}
		var room [16]byte
		copy(room[:n], from.bytes)
		ra.Data[copyLow][l], ra.Data[copyHigh][l] = get(room[:], 8), get(room[8:], 8)
	}
	return nil
}

// finish writes what came back into shared memory. The warp has stood still since, so its addresses are the same.
func (x *asyncCopy) finish(w *state.Warp, ra *state.RemoteAccess) {
	for m := ra.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		to, signal := x.to.resolve(w, ra.Op, w.CTA.Card, l, x.to.address(w, l))
		if signal != state.Next {
			return // it was found before the part was sent
		}
		var room [16]byte
		put(room[:], 8, ra.Data[copyLow][l])
		put(room[8:], 8, ra.Data[copyHigh][l])
		copy(to.bytes[:int(ra.Data[copyBytes][l])], room[:])
	}
}
