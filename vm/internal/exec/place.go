package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// place is where one lane's access goes.
type place struct {
	bytes  []byte // from the address on
	memory *memory.Card
	owner  *memory.Allocation // global memory
	offset uint64             // in the allocation or in shared memory
	cta    *state.CTA         // shared memory
	fixed  bool               // const or parameters: can't be written
}

// readable counts bytes never written; in error mode they are a fault.
func (p *place) readable(w *state.Warp, op *state.Op, lane, size int) state.Signal {
	card := w.CTA.Card
	if card.Uninit == state.UninitOff {
		return state.Next
	}
	n := uint64(0)
	switch {
	case p.owner != nil:
		n = p.memory.NeverWritten(p.owner, p.offset, uint64(size))
	case p.cta != nil:
		n = sharedMissing(p.cta, p.offset, size)
	}
	if n == 0 {
		return state.Next
	}
	card.Counts.UninitReads += n
	if card.Uninit != state.UninitError {
		return state.Next
	}
	where := "shared memory"
	if p.owner != nil {
		where = "`" + p.owner.Name + "`"
	}
	return fault(w, op, state.FaultUninit, lane, "read of %d bytes at offset %d of %s that nothing has written", n, p.offset, where)
}

// wrote notes that bytes have been written, and whether any changed.
func (p *place) wrote(size int, changed bool) {
	if p.owner != nil {
		p.memory.Wrote(p.owner, p.offset, uint64(size))
	} else if p.cta != nil {
		sharedWrote(p.cta, p.offset, size)
	}
	if changed {
		p.memory.Version++
	}
}

// laneByLane performs an access whose lanes go to different places, or one of which is wrong. Lanes whose address
// another card owns are performed there at once, or put into Warp.Access.Remote.
func laneByLane(w *state.Warp, op *state.Op, a *access) state.Signal {
	c := w.CTA
	if c.Card.Timed {
		w.Access = state.Access{Space: a.space, Load: a.load, Store: a.store, Atomic: a.update != nil || a.pair != nil, Ways: 1}
	}
	var remote []*state.RemoteAccess
	var offsets [32]uint32
	var addresses [32]uint64 // before anything is written: a destination may be the address register
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		addresses[l] = a.address(w, l)
	}
	var global, shared uint32
	size := a.size * a.count
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		addr := addresses[l]
		card := c.Card
		if a.space == isa.SpaceGlobal || a.space == isa.SpaceGeneric {
			if owner := memory.Owner(addr); owner >= 0 && owner != card.Index && owner < len(card.Node.Cards) {
				card = card.Node.Cards[owner]
				if !c.Card.Direct {
					remote = addRemote(remote, w, op, a, owner, l, addr)
					continue
				}
			}
		}
		p, signal := a.resolve(w, op, card, l, addr)
		if signal != state.Next {
			return signal
		}
		if signal := a.perform(w, op, l, &p); signal != state.Next {
			return signal
		}
		if !c.Card.Timed {
			continue
		}
		w.Access.Bytes += int32(size)
		switch {
		case p.owner != nil:
			offsets[l] = uint32(addr)
			global |= 1 << l
		case p.cta != nil:
			offsets[l] = uint32(p.offset)
			shared |= 1 << l
		}
	}
	if c.Card.Timed {
		if global != 0 {
			w.Access.Space, w.Access.Sectors = isa.SpaceGlobal, sectors(&offsets, global, size)
		} else if shared != 0 {
			w.Access.Space, w.Access.Ways = isa.SpaceShared, ways(&offsets, shared, size)
		}
		w.Access.Remote = remote
	}
	if remote != nil {
		w.Access.Remote = remote
		return state.Pending
	}
	return state.Next
}

// resolve finds the place of one lane's access on a card, or says what is wrong with it.
func (a *access) resolve(w *state.Warp, op *state.Op, card *state.Card, lane int, addr uint64) (place, state.Signal) {
	c, size := w.CTA, uint64(a.size*a.count)
	space, offset := a.space, addr
	if space == isa.SpaceGeneric {
		switch window := addr &^ (memory.WindowSize - 1); window {
		case memory.SharedWindow:
			space, offset = isa.SpaceShared, addr-window
		case memory.LocalWindow:
			space, offset = isa.SpaceLocal, addr-window
		case memory.ParamWindow:
			space, offset = isa.SpaceParam, addr-window
		case memory.ConstWindow:
			space, offset = isa.SpaceConst, addr-window
		default:
			space = isa.SpaceGlobal
		}
	}
	if addr&uint64(a.align-1) != 0 {
		return place{}, a.wrong(w, op, state.FaultMisaligned, lane, addr, card, "is not a multiple of %d", a.align)
	}
	var bytes []byte
	p := place{memory: card.Memory}
	switch space {
	case isa.SpaceGlobal:
		owner, data := card.Memory.Span(addr)
		if owner == nil || addr-owner.Addr+size > owner.Size {
			return place{}, a.wrong(w, op, state.FaultBounds, lane, addr, card, "is in no allocation")
		}
		if a.store && owner.ReadOnly {
			return place{}, a.wrong(w, op, state.FaultReadOnly, lane, addr, card, "is read-only")
		}
		p.owner, p.offset = owner, addr-owner.Addr
		p.bytes = data[p.offset:]
		return p, state.Next
	case isa.SpaceShared:
		if offset >= memory.SharedWindow {
			offset -= memory.SharedWindow
		}
		bytes, p.cta = c.Shared, c
	case isa.SpaceLocal:
		if offset&paramInFrame != 0 {
			offset &^= paramInFrame
		}
		if c.LocalStride > 0 {
			bytes = localBytes(w, lane, 0)
		}
	case isa.SpaceParam:
		if offset&paramInFrame != 0 {
			offset &^= paramInFrame
			if c.LocalStride > 0 {
				bytes = localBytes(w, lane, 0)
			}
			break
		}
		bytes, p.fixed = c.Launch.Params, true
	case isa.SpaceConst:
		if offset >= memory.ConstWindow {
			offset -= memory.ConstWindow
		}
		bytes, p.fixed = c.Card.Const, true
	}
	if offset > uint64(len(bytes)) || uint64(len(bytes))-offset < size {
		return place{}, a.wrong(w, op, state.FaultBounds, lane, addr, nil, "is beyond the %d bytes of %s memory", len(bytes), space)
	}
	if a.store && p.fixed {
		return place{}, a.wrong(w, op, state.FaultReadOnly, lane, addr, nil, "is in %s memory, which is read-only", space)
	}
	p.bytes, p.offset = bytes[offset:], offset
	return p, state.Next
}

// paramInFrame marks an address in parameter space that is in a function's frame, not in the launch's parameters.
const paramInFrame = 1 << 31

// wrong is a fault about an address.
func (a *access) wrong(w *state.Warp, op *state.Op, kind state.FaultKind, lane int, addr uint64, card *state.Card, format string, args ...any) state.Signal {
	what := "read"
	if a.store {
		what = "write"
	}
	if a.store && a.load || a.update != nil {
		what = "atomic"
	}
	signal := fault(w, op, kind, lane, "%s of %d bytes at 0x%x, which "+format, append([]any{what, a.size * a.count, addr}, args...)...)
	w.Fault.Addr, w.Fault.HasAddr = addr, true
	if card != nil {
		w.Fault.Hint = card.Memory.Nearest(addr)
	}
	return signal
}

// perform does one lane's part at its place.
func (a *access) perform(w *state.Warp, op *state.Op, lane int, p *place) state.Signal {
	size := a.size * a.count
	if a.load {
		if signal := p.readable(w, op, lane, size); signal != state.Next {
			return signal
		}
	}
	switch {
	case a.pair != nil:
		var rows [6]uint64
		for i, e := range a.operands() {
			rows[i] = e.value(w, lane)
		}
		lo, hi, changed := a.pair.at(p.bytes, &rows)
		p.wrote(size, changed)
		for i, v := range []uint64{lo, hi} {
			if i < len(a.data) {
				a.data[i].set(w, lane, 8, false, v)
			}
		}
	case a.update != nil:
		changed := false
		for i := range a.count {
			to := p.bytes[i*a.size:]
			old := get(to, a.size)
			var c uint64
			if a.c != nil {
				c = a.c[i].value(w, lane)
			}
			put(to, a.size, a.updateAt(p.owner != nil)(old, a.b[i].value(w, lane), c))
			changed = changed || get(to, a.size) != old
			if a.data != nil {
				a.data[i].set(w, lane, a.size, false, old)
			}
		}
		p.wrote(size, changed)
	case a.load:
		for i := range a.data {
			a.data[i].set(w, lane, a.size, a.signed, get(p.bytes[i*a.size:], a.size))
		}
	default:
		changed := false
		for i := range a.data {
			to := p.bytes[i*a.size:]
			old := get(to, a.size)
			put(to, a.size, a.data[i].value(w, lane))
			changed = changed || get(to, a.size) != old
		}
		p.wrote(size, changed)
	}
	return state.Next
}

// operands lists the registers that a write or an atomic takes, in the order of RemoteAccess.Data.
func (a *access) operands() []element {
	if a.b != nil {
		return append(append([]element(nil), a.b...), a.c...)
	}
	if a.load {
		return nil
	}
	return a.data
}
