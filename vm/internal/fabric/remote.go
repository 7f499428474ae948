package fabric

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// requestBytes is the header of a request or reply on the wire, an estimate: one 32-byte sector.
const requestBytes = 32

// requestSize is what a request puts on the wire: its header, and what it writes.
func requestSize(ra *state.RemoteAccess) uint64 {
	if op := ra.Op.Inst.Op; op == isa.OpLd || op == isa.OpLdu || op == isa.OpMultimemLdReduce {
		return requestBytes
	}
	return requestBytes + uint64(ra.Bytes)
}

// wire is when something leaves a card: its head, in fine time, really and had its owner been alone.
type wire struct{ head, alone uint64 }

func (f *Fabric) leave(slot sm.Slot) wire {
	return wire{slot.Start + sm.Fine(f.crossing), slot.AloneStart + sm.Fine(f.crossing)}
}

// Remote sends one part of a memory instruction to the card that owns its addresses: the request through both
// ports, the access at the owner's L2, and for loads and atomics the reply back.
func (f *Fabric) Remote(c *sm.Card, w *sm.Warp, ra *state.RemoteAccess, at uint64) {
	from, to, owner := f.ends[c.Index], f.ends[ra.Owner], w.Owner()
	out := f.leave(from.egress.Move(owner, requestSize(ra), sm.Fine(at), sm.Fine(at)))
	from.posted++
	f.request(from, to, owner, out, ra, f.writer(c, w, ra, at), func(now, alone uint64) {
		back := f.leave(to.egress.Move(owner, requestBytes+uint64(ra.Bytes), sm.Fine(now), sm.Fine(alone)))
		f.send(to, c.Index, back.head>>sm.FineBits, func(uint64) {
			in := from.ingress.Move(owner, requestBytes+uint64(ra.Bytes), back.head, back.alone)
			c.At(sm.Ceil(in.End), func(now uint64) { from.answered(ra, now, sm.Ceil(in.AloneEnd)) })
		})
	})
}

// Multicast sends a multimem instruction through the switch, which copies a request to every card, the sender's own
// too: the sender's egress pays for it once. Of a load every card's egress pays for what is read from it; the switch
// reduces, and the reader's ingress pays for the result once.
func (f *Fabric) Multicast(c *sm.Card, w *sm.Warp, parts []*state.RemoteAccess, at uint64) {
	from, owner := f.ends[c.Index], w.Owner()
	out := f.leave(from.egress.Move(owner, requestSize(parts[0]), sm.Fine(at), sm.Fine(at)))
	by := f.writer(c, w, parts[0], at)
	left := len(parts)
	for _, ra := range parts {
		to := f.ends[ra.Owner]
		from.posted++
		f.request(from, to, owner, out, ra, by, func(now, alone uint64) {
			back := f.leave(to.egress.Move(owner, requestBytes+uint64(ra.Bytes), sm.Fine(now), sm.Fine(alone)))
			f.send(to, c.Index, back.head>>sm.FineBits, func(uint64) {
				if left--; left > 0 {
					return
				}
				in := from.ingress.Move(owner, requestBytes+uint64(ra.Bytes), back.head, back.alone)
				c.At(sm.Ceil(in.End), func(now uint64) {
					for _, part := range parts {
						from.answered(part, now, sm.Ceil(in.AloneEnd))
					}
				})
			})
		})
	}
}

// answered ends an access: its reply or acknowledgement is in.
func (e *end) answered(ra *state.RemoteAccess, now, alone uint64) {
	ra.Done(now, alone)
	e.acknowledged(now, alone)
}

// writer is who a write comes from, for those that wait for it.
func (f *Fabric) writer(c *sm.Card, w *sm.Warp, ra *state.RemoteAccess, at uint64) *sm.Writer {
	return &sm.Writer{Card: c.Index, Owner: w.Owner(), Func: ra.Op.Func, Inst: ra.Op.Inst, Issue: at, History: w.History(0)}
}

// request brings an access to the owner of its addresses and performs it there when its last byte is in. A store is
// acknowledged; for a load reply is called when the owner's L2 has answered.
func (f *Fabric) request(from, to *end, owner int, out wire, ra *state.RemoteAccess, by *sm.Writer, reply func(now, alone uint64)) {
	size := requestSize(ra)
	f.send(from, to.card.Index, out.head>>sm.FineBits, func(uint64) {
		in := to.ingress.Move(owner, size, out.head, out.alone)
		to.card.At(sm.Ceil(in.End), func(now uint64) {
			mem := to.card.State.Memory
			version := mem.Version
			ra.Fault = exec.Apply(to.card.State, ra)
			if mem.Version != version {
				to.card.Wrote(now, exec.Ranges(ra), by, nil)
			}
			alone := sm.Ceil(in.AloneEnd)
			if !ra.Load {
				f.send(to, from.card.Index, now+f.crossing, func(now uint64) { from.answered(ra, now, alone+f.crossing) })
				return
			}
			answer := uint64(f.machine.Card.L2Latency)
			to.card.At(now+answer, func(now uint64) { reply(now, alone+answer) })
		})
	})
}
