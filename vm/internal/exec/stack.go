package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// What alloca takes lies behind the function's frame in each lane's local memory (PTX ISA, "Stack Manipulation
// Instructions"). All lanes of a fragment keep the same stack pointer: the one of the lane that took the most.

// stackAlign is the alignment of frames and of what alloca takes without asking for another.
const stackAlign = 16

// stackUse is what decode knows of stacksave, stackrestore and alloca.
type stackUse struct {
	frame  int // bytes of the function's own frame
	align  uint64
	size   int32 // alloca: slot of the size, or of stackrestore's pointer
	wide   bool
	result element
}

func (x *stackUse) slots(see func(*int32, bool)) {
	if x.size >= 0 {
		see(&x.size, false)
	}
	if x.result.slot >= 0 {
		see(&x.result.slot, true)
	}
}

func emitStack(in *instance, inst *isa.Inst) {
	x := &stackUse{frame: in.frameSize, align: stackAlign, size: none, result: element{slot: none}}
	run := runStackRestore
	source := 0
	if inst.Op != isa.OpStackrestore {
		slot := in.destination(inst, &inst.Operands[0], inst.Type(0))
		x.result = element{slot: slot, wide: in.vars[slot].class == class64, bits: 32}
		run, source = runStackSave, 1
	}
	if source < len(inst.Operands) {
		x.size, x.wide = in.value(inst, &inst.Operands[source], inst.Type(0))
	}
	if inst.Op == isa.OpAlloca {
		run = runAlloca
		if len(inst.Operands) > 2 {
			x.align = max(1, inst.Operands[2].Bits)
			if x.align&(x.align-1) != 0 || x.align > maxLocal {
				in.emitUnsupported(inst)
				return
			}
		}
	}
	op := newOp(inst, run)
	op.Class, op.Extra = isa.ClassOf(inst), x
	in.emit(op)
}

// top is the first free byte of the current function's stack.
func (x *stackUse) top(f *state.Fragment) uint64 {
	return uint64(f.Base) + uint64(x.frame) + uint64(f.Stack)
}

func (x *stackUse) give(w *state.Warp, v uint64) {
	for m := w.Active; m != 0; m &= m - 1 {
		x.result.set(w, bits.TrailingZeros32(m), 8, false, v)
	}
}

func runStackSave(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*stackUse)
	x.give(w, x.top(current(w)))
	return state.Next
}

// most is the largest operand among the active lanes, and the lane that has it.
func (x *stackUse) most(w *state.Warp) (v uint64, lane int) {
	e := element{slot: x.size, wide: x.wide}
	lane = bits.TrailingZeros32(w.Active)
	for m := w.Active; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros32(m); e.value(w, l) > v {
			v, lane = e.value(w, l), l
		}
	}
	return v, lane
}

func runStackRestore(w *state.Warp, op *state.Op) state.Signal {
	x, f := op.Extra.(*stackUse), current(w)
	v, lane := x.most(w)
	if low := uint64(f.Base) + uint64(x.frame); v < low || v > x.top(f) {
		return fault(w, op, state.FaultCall, lane, "stackrestore of 0x%x, which stacksave has not handed out in this call", v)
	}
	if w.Active == f.Mask {
		f.Stack = int32(v - uint64(f.Base) - uint64(x.frame))
	}
	return state.Next
}

func runAlloca(w *state.Warp, op *state.Op) state.Signal {
	x, f := op.Extra.(*stackUse), current(w)
	size, lane := x.most(w)
	at := (x.top(f) + x.align - 1) &^ (x.align - 1)
	end := (at + min(size, maxLocal+1) + stackAlign - 1) &^ (stackAlign - 1)
	if size > maxLocal || !growLocal(w.CTA, int(end)) {
		return fault(w, op, state.FaultCall, lane, "stack overflow: alloca of %d bytes needs more than %d bytes of local memory a thread", size, maxLocal)
	}
	f.Stack = int32(end - uint64(f.Base) - uint64(x.frame))
	x.give(w, at)
	return state.Next
}
