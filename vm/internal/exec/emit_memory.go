package exec

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// spaceOf returns the state space that a memory instruction names.
func spaceOf(inst *isa.Inst) isa.Space {
	for _, m := range inst.Mods {
		switch m {
		case isa.ModGlobal:
			return isa.SpaceGlobal
		case isa.ModShared, isa.ModSharedCTA, isa.ModSharedCluster:
			return isa.SpaceShared
		case isa.ModLocal:
			return isa.SpaceLocal
		case isa.ModConst:
			return isa.SpaceConst
		case isa.ModParam, isa.ModParamEntry, isa.ModParamFunc:
			return isa.SpaceParam
		}
	}
	return isa.SpaceGeneric
}

// vectorLength is the n of .vn, or 1.
func vectorLength(inst *isa.Inst) int {
	switch {
	case inst.Has(isa.ModV2):
		return 2
	case inst.Has(isa.ModV4):
		return 4
	case inst.Has(isa.ModV8):
		return 8
	}
	return 1
}

// newAccess starts the description of a memory instruction on elements of type t.
func newAccess(inst *isa.Inst, t isa.Type) *access {
	a := &access{space: spaceOf(inst), size: t.Bytes(), count: vectorLength(inst), signed: t.Signed()}
	a.align = a.size * a.count
	if t == isa.B128 {
		a.size, a.count = 8, 2*a.count
	}
	return a
}

// locate fills in where the access goes.
func (in *instance) locate(inst *isa.Inst, o *isa.Operand, a *access) bool {
	a.offset = uint64(o.Offset)
	if o.Kind != isa.OperandAddress && o.Kind != isa.OperandVar && o.Kind != isa.OperandReg {
		return false
	}
	if o.Var == nil {
		if o.Kind == isa.OperandAddress && o.Reg == isa.NoReg {
			a.base = baseNone
			return true
		}
		a.base = baseRegister
		a.slot = in.register(o)
		a.wide = in.vars[a.slot].class == class64
		return true
	}
	switch v := o.Var; v.Space {
	case isa.SpaceShared:
		a.space, a.base = isa.SpaceShared, baseNone
		a.offset += in.shared[v]
	case isa.SpaceGlobal:
		a.space, a.base, a.index = isa.SpaceGlobal, baseVariable, in.varIndex(v)
	case isa.SpaceConst:
		a.space, a.base, a.index = isa.SpaceConst, baseVariable, in.varIndex(v)
	case isa.SpaceLocal, isa.SpaceParam:
		if at, ok := in.frameVars[v]; ok {
			a.space, a.base = isa.SpaceLocal, baseFrame
			a.offset += uint64(at)
			return true
		}
		at, ok := paramOffset(in.fn, v)
		if !ok {
			return false
		}
		a.space, a.base = isa.SpaceParam, baseNone
		a.offset += uint64(at)
	case isa.SpaceReg: // an address kept in a register parameter
		a.base, a.slot = baseRegister, in.regVar[v.Reg]
		a.wide = in.vars[a.slot].class == class64
	default:
		return false
	}
	return true
}

// elementsOf returns the registers of a data operand.
func (in *instance) elementsOf(inst *isa.Inst, o *isa.Operand, t isa.Type, write bool) []element {
	var list []element
	half := t
	if t == isa.B128 {
		half = isa.B64
	}
	for _, slot := range in.list(inst, o, t, write) {
		if slot >= 0 && in.vars[slot].width == 0 && t != isa.B128 { // a wider register than the type: its upper half only follows
			list[len(list)-1].over = true
			continue
		}
		e := element{slot: slot, wide: half.Bits() == 64, bits: uint8(min(half.Bits(), 64))}
		if slot >= 0 {
			e.wide = in.vars[slot].class == class64
			e.bits = 32
			if e.wide {
				e.bits = 64
			}
		}
		list = append(list, e)
	}
	if t == isa.B128 && o.Kind == isa.OperandSink && len(list) == 1 {
		list = append(list, element{slot: list[0].slot + 1, wide: true, bits: 64})
	}
	in.registerWidths(o, list)
	return list
}

// registerWidths notes registers of 8 and 16 bits, whose values stay within them.
func (in *instance) registerWidths(o *isa.Operand, list []element) {
	switch o.Kind {
	case isa.OperandReg:
		for i := range list {
			list[i].bits = bitsOf(in.fn.Regs[o.Reg].Type)
		}
	case isa.OperandVector:
		if len(o.List) == len(list) {
			for i := range list {
				in.registerWidths(&o.List[i], list[i:i+1])
			}
		}
	}
}

func emitLoad(in *instance, inst *isa.Inst) {
	t := inst.Type(0)
	a := newAccess(inst, t)
	a.load = true
	if len(inst.Operands) < 2 || !in.locate(inst, &inst.Operands[1], a) {
		in.emitUnsupported(inst)
		return
	}
	a.data = in.elementsOf(inst, &inst.Operands[0], t, true)
	op := newOp(inst, runLoad)
	switch {
	case a.space == isa.SpaceParam && a.base == baseNone:
		op.Run = runLoadParam
	case a.base == baseRegister && a.size == 4 && a.count == 1 && len(a.data) == 1 && !a.data[0].wide:
		op.Run = runLoadWord
	}
	in.emitAccess(op, inst, a)
}

func emitStore(in *instance, inst *isa.Inst) {
	t := inst.Type(0)
	a := newAccess(inst, t)
	a.store = true
	if len(inst.Operands) < 2 || !in.locate(inst, &inst.Operands[0], a) {
		in.emitUnsupported(inst)
		return
	}
	a.data = in.elementsOf(inst, &inst.Operands[1], t, false)
	op := newOp(inst, runStore)
	if a.base == baseRegister && a.size == 4 && a.count == 1 && len(a.data) == 1 && !a.data[0].wide {
		op.Run = runStoreWord
	}
	in.emitAccess(op, inst, a)
}

// emitAccess emits a memory operation, or what marks it as one that can't run.
func (in *instance) emitAccess(op state.Op, inst *isa.Inst, a *access) {
	if (a.load || a.store && a.update == nil && a.pair == nil) && len(a.data) != a.count && !(a.update != nil && a.data == nil) {
		in.emitUnsupported(inst)
		return
	}
	op.Kind, op.Class, op.Extra = state.Memory, isa.ClassOf(inst), a
	if a.space == isa.SpaceGlobal || a.space == isa.SpaceGeneric {
		in.prog.GlobalRefs = true
	}
	in.emit(op)
}

// addressOp decodes an address used as a value: a variable's in its own space, or a function's.
func (in *instance) addressOp(inst *isa.Inst, o *isa.Operand, to int32, hidden bool) state.Op {
	op := newOp(inst, runAddress)
	op.D, op.Hidden, op.Class = to, hidden, isa.ClassOf(inst)
	x := &address{wide: in.vars[to].class == class64}
	if o.Kind == isa.OperandFunc {
		x.offset = in.funcAddress(o.Func)
	} else {
		a := &access{}
		in.locate(inst, o, a)
		x.base, x.index, x.offset = a.base, a.index, a.offset
		if o.Var.Space == isa.SpaceParam && a.base == baseFrame {
			x.offset += paramInFrame
		}
	}
	op.Extra = x
	return op
}

// address is a variable's or function's address as a value.
type address struct {
	base   baseKind
	index  int
	offset uint64
	wide   bool
}

func runAddress(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*address)
	v := x.offset
	switch x.base {
	case baseVariable:
		v += w.CTA.Launch.Vars[x.index]
	case baseFrame:
		v += uint64(current(w).Base)
	}
	e := element{slot: op.D, wide: x.wide, bits: 32}
	for l := range 32 {
		if w.Active>>l&1 != 0 {
			e.set(w, l, 8, false, v)
		}
	}
	return state.Next
}

// windowOf is the generic window of a space, 0 for global memory, whose addresses are generic already.
func windowOf(s isa.Space) uint64 {
	switch s {
	case isa.SpaceShared:
		return memory.SharedWindow
	case isa.SpaceLocal:
		return memory.LocalWindow
	case isa.SpaceParam:
		return memory.ParamWindow
	case isa.SpaceConst:
		return memory.ConstWindow
	}
	return 0
}

// conversion is what cvta, isspacep and their like need to know.
type conversion struct {
	space isa.Space
	to    bool // cvta.to: from generic to the space
	wide  bool // the source is a 64-bit register
	wideD bool // the destination is
}

func emitCvta(in *instance, inst *isa.Inst) {
	op := newOp(inst, runCvta)
	x := &conversion{space: spaceOf(inst), to: inst.Has(isa.ModTo)}
	op.D = in.destination(inst, &inst.Operands[0], inst.Type(0))
	op.A, x.wide = in.value(inst, &inst.Operands[1], inst.Type(0))
	x.wideD = op.D >= 0 && in.vars[op.D].class == class64
	op.Class, op.Extra = isa.ClassOf(inst), x
	in.emit(op)
}

// runCvta converts between a space's own addresses and generic ones: the window is added or taken off.
func runCvta(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*conversion)
	window := windowOf(x.space)
	from, to := element{slot: op.A, wide: x.wide}, element{slot: op.D, wide: x.wideD, bits: 32}
	if window == 0 && x.wide && x.wideD && w.Active == allLanes {
		w.R64[op.D] = *w.Src64(op.A)
		return state.Next
	}
	for l := range 32 {
		if w.Active>>l&1 == 0 {
			continue
		}
		v := from.value(w, l)
		switch {
		case window == 0:
		case x.to:
			v &= memory.WindowSize - 1
		case v < memory.WindowSize:
			v += window
		}
		to.set(w, l, 8, false, v)
	}
	return state.Next
}

func emitIsspacep(in *instance, inst *isa.Inst) {
	op := newOp(inst, runIsspacep)
	x := &conversion{space: spaceOf(inst)}
	op.D = in.destination(inst, &inst.Operands[0], isa.Pred)
	op.A, x.wide = in.value(inst, &inst.Operands[1], isa.B64)
	op.Class, op.Extra = isa.ClassOf(inst), x
	in.emit(op)
}

// runIsspacep tells which window a generic address lies in. What lies in none is global, and so are kernel parameters
// (PTX ISA, "Generic Addressing": their window is within the global one).
func runIsspacep(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*conversion)
	from := element{slot: op.A, wide: x.wide}
	p := w.P[op.D] &^ w.Active
	for l := range 32 {
		if w.Active>>l&1 == 0 {
			continue
		}
		v := from.value(w, l)
		in := false
		if window := windowOf(x.space); window != 0 {
			in = v&^(memory.WindowSize-1) == window
		} else {
			switch v &^ (memory.WindowSize - 1) {
			case memory.SharedWindow, memory.LocalWindow, memory.ConstWindow:
			default:
				in = true
			}
		}
		if in {
			p |= 1 << l
		}
	}
	w.P[op.D] = p
	return state.Next
}

func emitMapa(in *instance, inst *isa.Inst) {
	op := newOp(inst, runMapa)
	x := &conversion{space: spaceOf(inst)}
	op.D = in.destination(inst, &inst.Operands[0], inst.Type(0))
	op.A, x.wide = in.value(inst, &inst.Operands[1], inst.Type(0))
	op.B = in.source(inst, &inst.Operands[2], isa.U32)
	x.wideD = in.vars[op.D].class == class64
	op.Class, op.Extra = isa.ClassOf(inst), x
	in.emit(op)
}

// runMapa maps a shared address to the same variable of a CTA of the cluster. The CTA's own is the same address; the
// others' can't be reached yet.
func runMapa(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*conversion)
	from, to := element{slot: op.A, wide: x.wide}, element{slot: op.D, wide: x.wideD, bits: 32}
	rank, own := w.Src32(op.B), clusterRank(w.CTA)
	for l := range 32 {
		if w.Active>>l&1 == 0 {
			continue
		}
		if rank[l] != own {
			return fault(w, op, state.FaultUnsupported, l, "shared memory of CTA %d of the cluster is asked for by CTA %d: distributed shared memory can't be reached yet", rank[l], own)
		}
		to.set(w, l, 8, false, from.value(w, l))
	}
	return state.Next
}

func emitGetctarank(in *instance, inst *isa.Inst) {
	op := newOp(inst, runGetctarank)
	op.D = in.destination(inst, &inst.Operands[0], isa.U32)
	op.Class = isa.ClassOf(inst)
	in.emit(op)
}

// runGetctarank tells which CTA of the cluster a shared address belongs to: all that can be reached are the own one's.
func runGetctarank(w *state.Warp, op *state.Op) state.Signal {
	d, rank := &w.R32[op.D], clusterRank(w.CTA)
	for l := range d {
		if w.Active>>l&1 != 0 {
			d[l] = rank
		}
	}
	return state.Next
}
