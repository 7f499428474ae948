package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// operands is what decode knows of one of the article's operators.
type operands struct {
	typ             isa.Type
	red             isa.Mod
	src, dst, count *operand
	group           *operand
}

// operand is a value that must be equal over the warp's live lanes.
type operand struct {
	name   string
	slot   int32
	wide   bool
	base   baseKind
	index  int
	offset uint64
	bytes  int // of a value read from the launch's parameters
}

func (x *operands) slots(see func(*int32, bool)) {
	for _, o := range []*operand{x.src, x.dst, x.count, x.group} {
		if o != nil && o.base == baseRegister && o.slot >= 0 {
			see(&o.slot, false)
		}
	}
}

// emitOperator decodes sync.nvlink, copy.nvlink, reduce and unblock.tc.
func emitOperator(in *instance, inst *isa.Inst) {
	x := &operands{typ: inst.Type(0)}
	var list []isa.Operand
	for _, o := range inst.Operands {
		if o.Kind != isa.OperandGroup {
			list = append(list, o)
		}
	}
	switch inst.Op {
	case isa.OpSyncNVLink:
		if len(list) < 1 {
			in.emitUnsupported(inst)
			return
		}
		x.group = in.operand(inst, &list[0], "group", isa.U32)
	case isa.OpCopyNVLink, isa.OpReduce:
		if len(list) < 2 {
			in.emitUnsupported(inst)
			return
		}
		first, second := in.operand(inst, &list[0], "first address", isa.B64), in.operand(inst, &list[1], "second address", isa.B64)
		x.src, x.dst = first, second
		if inst.Op == isa.OpReduce {
			x.src, x.dst = second, first
			x.red = operation(inst)
		}
		x.src.name, x.dst.name = "source", "destination"
		if x.typ == isa.TypeNone {
			x.typ = isa.B16
		}
		if len(list) > 2 {
			x.count = in.operand(inst, &list[2], "count", isa.U32)
		} else if x.count = in.elem(inst); x.count == nil {
			return
		}
	}
	op := newOp(inst, runOperator)
	op.Kind, op.Class, op.Extra = state.Operator, isa.ClassOf(inst), x
	in.prog.Operators = true
	in.emit(op)
}

// operand decodes one operand: a register, a constant, a variable, or any of these as an address.
func (in *instance) operand(inst *isa.Inst, o *isa.Operand, name string, t isa.Type) *operand {
	x := &operand{name: name, base: baseRegister}
	if o.Kind == isa.OperandAddress || o.Kind == isa.OperandVar {
		a := &access{}
		if !in.locate(inst, o, a) {
			in.unsupported(inst)
		}
		x.slot, x.wide, x.base, x.index, x.offset = a.slot, a.wide, a.base, a.index, a.offset
		return x
	}
	x.slot, x.wide = in.value(inst, o, t)
	return x
}

// elem is the element count that an operator without one takes: the parameter `elem` of the entry that it stands in.
func (in *instance) elem(inst *isa.Inst) *operand {
	for _, p := range in.fn.Params {
		if p.Name != "elem" && p.Name != "%elem" {
			continue
		}
		x := &operand{name: "count"}
		switch {
		case p.Space == isa.SpaceReg:
			x.base, x.slot = baseRegister, in.regVar[p.Reg]
			x.wide = in.vars[x.slot].class == class64
		case in.callee:
			x.base, x.offset, x.bytes = baseFrame, uint64(in.frameVars[p]), p.Type.Bytes()
		default:
			at, _ := paramOffset(in.fn, p)
			x.base, x.offset, x.bytes = baseNone, uint64(at), p.Type.Bytes()
		}
		return x
	}
	in.fail(in.fn, inst.OpPos, "`%s` has no count, and `%s` has no parameter `elem` to take it from", inst.Op, in.fn.Name)
	return nil
}

// lane is the operand's value in one lane.
func (o *operand) lane(w *state.Warp, f *state.Fragment, l int) uint64 {
	switch o.base {
	case baseRegister:
		if o.wide {
			return w.Src64(o.slot)[l] + o.offset
		}
		return uint64(w.Src32(o.slot)[l]) + o.offset
	case baseVariable:
		return w.CTA.Launch.Vars[o.index] + o.offset
	case baseFrame:
		at := int(f.Base) + int(o.offset)
		if o.bytes == 0 {
			return uint64(at)
		}
		return get(localBytes(w, l, at), o.bytes)
	}
	if o.bytes == 0 {
		return o.offset
	}
	if params := w.CTA.Launch.Params; o.offset+uint64(o.bytes) <= uint64(len(params)) {
		return get(params[o.offset:], o.bytes)
	}
	return 0
}

// runOperator brings the current fragment to an operator. All live lanes of the warp execute it together: the
// fragment waits for the others; lanes that come to another operator, or whose guard differs, are a fault.
func runOperator(w *state.Warp, op *state.Op) state.Signal {
	f := current(w)
	if w.Active != f.Mask {
		off := f.Mask &^ w.Active
		return fault(w, op, state.FaultOperator, bits.TrailingZeros32(w.Active),
			"operator `%s` is executed by lanes %s only: its guard is false for lanes %s; all live lanes of a warp execute the same operators", op.Inst.Op, lanesText(w.Active), lanesText(off))
	}
	mask := f.Mask
	for i := range w.Frags {
		g := &w.Frags[i]
		if g.State != state.AtOperatorFrag {
			continue
		}
		other := &w.Prog.Ops[g.PC]
		if g.PC != f.PC {
			line, _ := op.Func.Source.LineCol(op.Inst.OpPos)
			otherLine, _ := other.Func.Source.LineCol(other.Inst.OpPos)
			return fault(w, op, state.FaultOperator, bits.TrailingZeros32(f.Mask),
				"lanes %s come to operator `%s` in line %d, lanes %s to `%s` in line %d; all live lanes of a warp execute the same operators in the same order",
				lanesText(f.Mask), op.Inst.Op, line, lanesText(g.Mask), other.Inst.Op, otherLine)
		}
		mask |= g.Mask
	}
	if mask != w.Live {
		f.State = state.AtOperatorFrag
		return state.Waiting
	}
	x := op.Extra.(*operands)
	w.Operator = state.OperatorCall{Op: op, Code: op.Inst.Op, Type: x.typ, Red: x.red}
	for _, part := range []struct {
		o  *operand
		to *uint64
	}{{x.src, &w.Operator.Src}, {x.dst, &w.Operator.Dst}, {x.count, &w.Operator.Count}} {
		if part.o == nil {
			continue
		}
		v, signal := uniform(w, op, part.o)
		if signal != state.Next {
			return signal
		}
		*part.to = v
	}
	if x.group != nil {
		v, signal := uniform(w, op, x.group)
		if signal != state.Next {
			return signal
		}
		w.Operator.Group = uint32(v)
	}
	f.State = state.AtOperatorFrag
	return state.AtOperator
}

// uniform returns an operand's value, which must be the same in all live lanes.
func uniform(w *state.Warp, op *state.Op, o *operand) (uint64, state.Signal) {
	first := bits.TrailingZeros32(w.Live)
	var v uint64
	for i := range w.Frags {
		f := &w.Frags[i]
		for m := f.Mask; m != 0; m &= m - 1 {
			if l := bits.TrailingZeros32(m); l == first {
				v = o.lane(w, f, l)
			}
		}
	}
	var differ uint32
	var other uint64
	for i := range w.Frags {
		f := &w.Frags[i]
		for m := f.Mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			if x := o.lane(w, f, l); x != v {
				differ |= 1 << l
				if l == bits.TrailingZeros32(differ) {
					other = x
				}
			}
		}
	}
	if differ != 0 {
		l := bits.TrailingZeros32(differ)
		return 0, fault(w, op, state.FaultOperator, l, "the %s of `%s` differs between lanes of a warp: 0x%x in lane %d, 0x%x in lane %d", o.name, op.Inst.Op, v, first, other, l)
	}
	return v, state.Next
}

// PassOperator lets a warp that stands at an operator go on behind it, and counts it as executed.
func PassOperator(w *state.Warp) {
	count(w, w.Live)
	w.Settled = false
	for i := range w.Frags {
		if f := &w.Frags[i]; f.State == state.AtOperatorFrag {
			f.State, f.Steps = state.Runnable, 0
			jump(f, f.PC+1)
		}
	}
}
