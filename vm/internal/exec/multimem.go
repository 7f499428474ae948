package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/operator"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// emitMultimem decodes multimem.ld_reduce, multimem.st and multimem.red: accesses to one address on all cards.
func emitMultimem(in *instance, inst *isa.Inst) {
	t := inst.Type(0)
	a := newAccess(inst, t)
	a.space = isa.SpaceGlobal
	m := &multimem{access: a, typ: replicaType(t), op: inst.Operation()}
	address, data := 0, 1
	switch inst.Op {
	case isa.OpMultimemLdReduce:
		a.load = true
		address, data = 1, 0
	case isa.OpMultimemSt:
		a.store = true
	case isa.OpMultimemRed:
		a.store = true
		a.update, a.updateGlobal = atomic(inst.Operation(), t)
	}
	if len(inst.Operands) < 2 || !in.locate(inst, &inst.Operands[address], a) || m.typ == isa.TypeNone {
		in.emitUnsupported(inst)
		return
	}
	list := in.elementsOf(inst, &inst.Operands[data], t, a.load)
	if inst.Op == isa.OpMultimemRed {
		a.b = list
	} else {
		a.data = list
	}
	if len(list) != a.count || inst.Op == isa.OpMultimemRed && a.update == nil {
		in.emitUnsupported(inst)
		return
	}
	op := newOp(inst, runMultimem)
	op.Kind, op.Class, op.Extra = state.Memory, isa.ClassOf(inst), m
	in.prog.GlobalRefs = true
	in.emit(op)
}

// multimem is what decode knows of an access to all cards.
type multimem struct {
	*access
	typ isa.Type // of one element of a packed type
	op  isa.Mod
}

// replicaType is the type in which one element is reduced; TypeNone: can't be.
func replicaType(t isa.Type) isa.Type {
	switch t {
	case isa.F16x2:
		return isa.F16
	case isa.BF16x2:
		return isa.BF16
	case isa.B32:
		return isa.U32
	case isa.B64:
		return isa.U64
	}
	if operator.Reduces(t) {
		return t
	}
	return isa.TypeNone
}

// runMultimem sends an access to every card: directly, or as one part a card.
func runMultimem(w *state.Warp, op *state.Op) state.Signal {
	m := op.Extra.(*multimem)
	first := bits.TrailingZeros32(w.Active)
	node := w.CTA.Card.Node
	if !node.Multicast {
		return fault(w, op, state.FaultUnsupported, first, "`%s` needs a switch that multicasts, which this machine has not", op.Inst.Op)
	}
	if w.CTA.Card.Timed {
		w.Access = state.Access{Space: isa.SpaceGlobal, Load: m.load, Store: m.store, Ways: 1}
	}
	var parts []*state.RemoteAccess
	for _, card := range node.Cards {
		ra := &state.RemoteAccess{Warp: w, Op: op, Owner: card.Index, Multicast: true, Load: m.load, Mask: w.Active,
			Data: make([][32]uint64, m.count)}
		for lanes := w.Active; lanes != 0; lanes &= lanes - 1 {
			l := bits.TrailingZeros32(lanes)
			addr := m.address(w, l)
			if addr < memory.MulticastWindow || addr >= memory.Base(0) {
				signal := fault(w, op, state.FaultBounds, l, "0x%x is no multicast address; `%s` accesses nothing else", addr, op.Inst.Op)
				w.Fault.Addr, w.Fault.HasAddr = addr, true
				return signal
			}
			ra.Addr[l] = memory.Base(card.Index) + addr - memory.MulticastWindow
			ra.Bytes += m.size * m.count
			for i, e := range m.operands() {
				ra.Data[i][l] = e.value(w, l)
			}
		}
		parts = append(parts, ra)
	}
	if !w.CTA.Card.Direct {
		w.Access.Remote = parts
		return state.Pending
	}
	for _, ra := range parts {
		if f := Apply(node.Cards[ra.Owner], ra); f != nil {
			w.Fault = f
			return state.Faulted
		}
	}
	if m.load {
		FinishMulticast(w, parts)
	}
	return state.Next
}

// FinishMulticast writes the reduction of what all cards returned, in ascending card order, into the registers of the
// warp that asked. Types of 32 bits and less are accumulated in f32 and rounded once, which satisfies .acc::f32 and is
// within what the ISA allows without it.
func FinishMulticast(w *state.Warp, parts []*state.RemoteAccess) {
	m := parts[0].Op.Extra.(*multimem)
	var result [8]byte
	contributions := make([][]byte, len(parts))
	room := make([]byte, 8*len(parts))
	for i := range contributions {
		contributions[i] = room[8*i : 8*i+m.size]
	}
	for lanes := parts[0].Mask; lanes != 0; lanes &= lanes - 1 {
		l := bits.TrailingZeros32(lanes)
		for i := range m.data {
			for c, ra := range parts {
				put(contributions[c], m.size, ra.Data[i][l])
			}
			// The type and operation were looked up at decode; Fold can't refuse them.
			_ = operator.Fold(result[:m.size], m.typ, m.op, contributions)
			m.data[i].set(w, l, m.size, m.typ.Signed(), get(result[:], m.size))
		}
	}
}

// describe returns the access of a memory operation, multicast or not; of cp.async what it reads.
func describe(op *state.Op) *access {
	switch x := op.Extra.(type) {
	case *multimem:
		return x.access
	case *asyncCopy:
		return x.from
	}
	return op.Extra.(*access)
}
