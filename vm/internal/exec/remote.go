package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// addRemote puts one lane into the part of an access that another card owns, keeping the parts in the cards' order.
func addRemote(list []*state.RemoteAccess, w *state.Warp, op *state.Op, a *access, owner, lane int, addr uint64) []*state.RemoteAccess {
	at := 0
	for at < len(list) && list[at].Owner < owner {
		at++
	}
	if at == len(list) || list[at].Owner != owner {
		ra := &state.RemoteAccess{Warp: w, Op: op, Owner: owner, Load: a.load, Data: make([][32]uint64, a.rows(op))}
		list = append(list, nil)
		copy(list[at+1:], list[at:])
		list[at] = ra
	}
	ra := list[at]
	ra.Mask |= 1 << lane
	ra.Bytes += a.size * a.count
	ra.Addr[lane] = addr
	for i, e := range a.operands() {
		ra.Data[i][lane] = e.value(w, lane)
	}
	return list
}

// rows is how many elements a lane's part of an access carries there or back.
func (a *access) rows(op *state.Op) int {
	if _, copies := op.Extra.(*asyncCopy); copies {
		return copyRows
	}
	return max(len(a.operands()), len(a.data))
}

// neverWritten counts the bytes of a read at their owner that nothing has written, or refuses them.
func neverWritten(asker *state.Warp, op *state.Op, c *state.Card, p *place, lane, size int) state.Signal {
	if c.Uninit == state.UninitOff {
		return state.Next
	}
	n := c.Memory.NeverWritten(p.owner, p.offset, uint64(size))
	if c.Counts.UninitReads += n; n == 0 || c.Uninit != state.UninitError {
		return state.Next
	}
	return fault(asker, op, state.FaultUninit, lane, "read of %d bytes at offset %d of `%s` that nothing has written", n, p.offset, p.owner.Name)
}

// Apply performs a part of an access at the card that owns the addresses; the results stay in the message.
func Apply(c *state.Card, ra *state.RemoteAccess) *state.Fault {
	if x, copies := ra.Op.Extra.(*asyncCopy); copies {
		return x.apply(c, ra)
	}
	a, w := describe(ra.Op), ra.Warp
	global := *a
	global.space = isa.SpaceGlobal
	size := a.size * a.count
	// Only to describe a fault: the warp itself belongs to another card's goroutine.
	asker := state.Warp{CTA: w.CTA, Index: w.Index, Prog: w.Prog}
	for m := ra.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		p, signal := global.resolve(&asker, ra.Op, c, l, ra.Addr[l])
		if signal != state.Next {
			ra.Fault = asker.Fault
			return ra.Fault
		}
		if a.load && neverWritten(&asker, ra.Op, c, &p, l, size) != state.Next {
			ra.Fault = asker.Fault
			return ra.Fault
		}
		switch {
		case a.pair != nil:
			var rows [6]uint64
			for i := range a.operands() {
				rows[i] = ra.Data[i][l]
			}
			lo, hi, changed := a.pair.at(p.bytes, &rows)
			p.wrote(size, changed)
			ra.Data[0][l], ra.Data[1][l] = lo, hi
		case a.update != nil:
			changed := false
			for i := range a.count {
				to := p.bytes[i*a.size:]
				old := get(to, a.size)
				var cc uint64
				if a.c != nil {
					cc = ra.Data[len(a.b)+i][l]
				}
				put(to, a.size, a.updateAt(true)(old, ra.Data[i][l], cc))
				changed = changed || get(to, a.size) != old
				ra.Data[i][l] = old
			}
			p.wrote(size, changed)
		case a.load:
			for i := range a.data {
				ra.Data[i][l] = get(p.bytes[i*a.size:], a.size)
			}
		default:
			changed := false
			for i := range a.data {
				to := p.bytes[i*a.size:]
				old := get(to, a.size)
				put(to, a.size, ra.Data[i][l])
				changed = changed || get(to, a.size) != old
			}
			p.wrote(size, changed)
		}
	}
	return nil
}

// Finish writes what came back into the registers of the warp that asked, or into its CTA's shared memory.
func Finish(w *state.Warp, ra *state.RemoteAccess) {
	if x, copies := ra.Op.Extra.(*asyncCopy); copies {
		x.finish(w, ra)
		return
	}
	a := describe(ra.Op)
	if !a.load {
		return
	}
	signed := a.signed && a.update == nil
	for m := ra.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		for i := range a.data {
			a.data[i].set(w, l, a.size, signed, ra.Data[i][l])
		}
	}
}
