package exec

import (
	"math"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// sourceType is the type that the i-th source (from 0, as written after the destination) is read with.
func sourceType(inst *isa.Inst, i int) isa.Type {
	first, last := inst.Type(0), inst.Type(max(0, len(inst.Types)-1))
	switch inst.Op {
	case isa.OpSetp:
		if i == 2 {
			return isa.Pred
		}
		return first
	case isa.OpSet, isa.OpSelp:
		if i == 2 {
			return isa.Pred
		}
	case isa.OpSlct:
		if i < 2 {
			return first
		}
	case isa.OpShl, isa.OpShr, isa.OpMatch, isa.OpRedux, isa.OpBfe, isa.OpSzext:
		if i > 0 {
			return isa.U32
		}
	case isa.OpShf, isa.OpBfi:
		if i > 1 {
			return isa.U32
		}
	case isa.OpMad, isa.OpMadc:
		if i == 2 && inst.Has(isa.ModWide) {
			return wideType(first)
		}
	case isa.OpLop3:
		if i == 4 {
			return isa.Pred
		}
	case isa.OpVote:
		if i == 0 {
			return isa.Pred
		}
		return isa.U32
	case isa.OpShfl, isa.OpElect, isa.OpActivemask, isa.OpDp4a, isa.OpDp2a, isa.OpBmsk, isa.OpNanosleep:
		return isa.B32
	case isa.OpFns:
		return isa.U32
	case isa.OpCvtPack:
		if i == 2 {
			return isa.B32
		}
		return inst.Type(1)
	case isa.OpCvt:
		if i > 0 && inst.Has(isa.ModRs) {
			if i == len(inst.Operands)-2 {
				return isa.B32
			}
		}
	}
	return last
}

// wideType is the integer type of twice the width.
func wideType(t isa.Type) isa.Type {
	switch t {
	case isa.U16:
		return isa.U32
	case isa.S16:
		return isa.S32
	case isa.U32:
		return isa.U64
	}
	return isa.S64
}

// register returns the first variable of a register operand.
func (in *instance) register(o *isa.Operand) int32 {
	v := in.regVar[o.Reg]
	for range max(0, int(o.Part)) {
		v += max(1, in.vars[v].width)
	}
	return v
}

// elements returns the variables of a whole register: several for .v2 and .v4, two for 128 bits.
func (in *instance) elements(o *isa.Operand) []int32 {
	v, decl := in.register(o), &in.fn.Regs[o.Reg]
	count := int32(1)
	if decl.Vec > 1 && o.Part < 0 {
		count = int32(decl.Vec)
	}
	var list []int32
	for i := range count * in.vars[v].width {
		list = append(list, v+i)
	}
	return list
}

// constantBits converts a constant to a type: floats to its width, integers cut to it.
func constantBits(o *isa.Operand, t isa.Type) uint64 {
	if o.Kind == isa.OperandFloat {
		switch {
		case t == isa.F64 || t.Bits() == 64:
			if o.Single {
				return math.Float64bits(float64(math.Float32frombits(uint32(o.Bits))))
			}
			return o.Bits
		case o.Single:
			return o.Bits
		default:
			return uint64(math.Float32bits(float32(math.Float64frombits(o.Bits))))
		}
	}
	if t.Bits() < 64 && t.Bits() > 0 {
		return o.Bits & (1<<t.Bits() - 1)
	}
	return o.Bits
}

// source returns the slot of a source operand that is read with type t: a variable, a constant, or a temporary that
// a hidden operation fills.
func (in *instance) source(inst *isa.Inst, o *isa.Operand, t isa.Type) int32 {
	c, _ := classOf(t)
	switch o.Kind {
	case isa.OperandReg:
		v := in.register(o)
		if o.Neg {
			tmp := in.newVar(classP, 1)
			op := newOp(inst, runNotP)
			op.D, op.A, op.Hidden = tmp, v, true
			in.emit(op)
			return tmp
		}
		return v
	case isa.OperandInt, isa.OperandFloat:
		bits := constantBits(o, t)
		switch c {
		case classP:
			if (bits != 0) != o.Neg {
				return state.SlotTrue
			}
			return state.SlotFalse
		case class32:
			return in.constant32(uint32(bits))
		}
		return in.constant64(bits)
	case isa.OperandSpecial:
		sc, _ := classOf(o.Special.Type())
		if sc != classP {
			sc = c
		}
		tmp := in.newVar(sc, 1)
		in.emit(in.specialOp(inst, o, tmp, true))
		return tmp
	case isa.OperandVar, isa.OperandFunc:
		tmp := in.newVar(c, 1)
		in.emit(in.addressOp(inst, o, tmp, true))
		return tmp
	}
	in.unsupported(inst)
	return in.constant32(0)
}

// value is like source for an operand that may live in either register file; wide says that it is 64 bits.
func (in *instance) value(inst *isa.Inst, o *isa.Operand, t isa.Type) (slot int32, wide bool) {
	slot = in.source(inst, o, t)
	if slot >= 0 {
		return slot, in.vars[slot].class == class64
	}
	c, _ := classOf(t)
	return slot, c == class64
}

// destination returns the variable of a destination; a sink gets one that nothing reads.
func (in *instance) destination(inst *isa.Inst, o *isa.Operand, t isa.Type) int32 {
	switch o.Kind {
	case isa.OperandReg:
		return in.register(o)
	case isa.OperandSink:
		c, width := classOf(t)
		return in.newVar(c, width)
	}
	in.unsupported(inst)
	return in.newVar(class32, 1)
}

// unsupported notes an instruction that the VM can't run.
func (in *instance) unsupported(inst *isa.Inst) {
	if in.prog.Unsupported == nil {
		in.prog.Unsupported, in.prog.UnsupportedF = inst, in.fn
	}
}

// list returns the slots of an operand of an instruction with vectors, each element of type t.
func (in *instance) list(inst *isa.Inst, o *isa.Operand, t isa.Type, write bool) []int32 {
	switch o.Kind {
	case isa.OperandVector:
		var slots []int32
		for i := range o.List {
			slots = append(slots, in.list(inst, &o.List[i], t, write)...)
		}
		return slots
	case isa.OperandReg:
		return in.elements(o)
	case isa.OperandSpecial:
		if o.Special.Vector() && o.Part < 0 {
			var slots []int32
			for part := range int8(4) {
				element := *o
				element.Part = part
				slots = append(slots, in.source(inst, &element, t))
			}
			return slots
		}
	}
	if write {
		return []int32{in.destination(inst, o, t)}
	}
	return []int32{in.source(inst, o, t)}
}
