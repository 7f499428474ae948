package exec

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/lane"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// emitAll decodes the function's instructions into operations whose slots are still variables and whose targets are
// operations of this function.
func (in *instance) emitAll() {
	in.prepare()
	in.enter()
	for i := range in.fn.Code {
		in.at = append(in.at, int32(len(in.ops)))
		in.emitInst(&in.fn.Code[i])
	}
	in.at = append(in.at, int32(len(in.ops)))
	end := newOp(&isa.Inst{Op: isa.OpRet, Guard: isa.Guard{Reg: isa.NoReg}, Pos: in.fn.End, OpPos: in.fn.End, Loc: -1}, runRet)
	end.Kind, end.Extra, end.Hidden = state.Control, leaving{in.results()}, true // nothing is written there, so nothing is counted
	in.emit(end)
	for i := range in.ops {
		op := &in.ops[i]
		if op.Kind != state.Control {
			continue
		}
		switch x := op.Extra.(type) {
		case *branchTable:
			for j, t := range x.targets {
				x.targets[j] = in.at[t]
			}
		case nil:
			op.Target = in.at[op.Target]
		}
	}
}

// emitInst decodes one instruction: hidden operations that fetch operands, its own, and rarely one that widens the
// result.
func (in *instance) emitInst(inst *isa.Inst) {
	first := len(in.ops)
	if emit := emitters[inst.Op]; emit != nil {
		emit(in, inst)
	} else {
		emitLanes(in, inst)
	}
	for i := first; i < len(in.ops); i++ {
		op := &in.ops[i]
		if !op.Hidden || i > first && !in.ops[i-1].Hidden { // what comes after the instruction's own operation is guarded like it
			in.guard(op, inst)
		}
	}
}

// guard puts the instruction's guard on one of its operations.
func (in *instance) guard(op *state.Op, inst *isa.Inst) {
	if inst.Guard.Reg != isa.NoReg && op.Guard == none {
		op.Guard, op.Neg = in.regVar[inst.Guard.Reg], inst.Guard.Neg
	}
}

// emitters decode the opcodes that are more than a lane function: memory, control, what knows the address map.
var emitters [isa.NumOpcodes]func(*instance, *isa.Inst)

func init() { // not a composite literal: the functions refer to the table
	emitters = [isa.NumOpcodes]func(*instance, *isa.Inst){
		isa.OpMov:              emitMov,
		isa.OpBra:              emitBra,
		isa.OpBrxIdx:           emitBrx,
		isa.OpCall:             emitCall,
		isa.OpRet:              emitLeave(runRet),
		isa.OpExit:             emitLeave(runExit),
		isa.OpTrap:             emitPlain(state.Control, runTrap),
		isa.OpBrkpt:            emitPlain(state.Plain, runBreakpoint),
		isa.OpPmevent:          emitPlain(state.Plain, runNothing),
		isa.OpSetmaxnreg:       emitPlain(state.Plain, runNothing),
		isa.OpMembar:           emitPlain(state.Fence, runNothing),
		isa.OpFence:            emitPlain(state.Fence, runNothing),
		isa.OpPrefetch:         emitPlain(state.Plain, runNothing),
		isa.OpPrefetchu:        emitPlain(state.Plain, runNothing),
		isa.OpDiscard:          emitPlain(state.Plain, runNothing),
		isa.OpNanosleep:        emitNanosleep,
		isa.OpLd:               emitLoad,
		isa.OpLdu:              emitLoad,
		isa.OpSt:               emitStore,
		isa.OpAtom:             emitAtom,
		isa.OpRed:              emitAtom,
		isa.OpMultimemLdReduce: emitMultimem,
		isa.OpMultimemSt:       emitMultimem,
		isa.OpMultimemRed:      emitMultimem,
		isa.OpCvta:             emitCvta,
		isa.OpIsspacep:         emitIsspacep,
		isa.OpMapa:             emitMapa,
		isa.OpGetctarank:       emitGetctarank,
		isa.OpBar:              emitBarrier,
		isa.OpBarrier:          emitBarrier,
		isa.OpBarWarpSync:      emitWarpSync,
		isa.OpCopyNVLink:       emitOperator,
		isa.OpReduce:           emitOperator,
		isa.OpSyncNVLink:       emitOperator,
		isa.OpUnblockTC:        emitOperator,

		isa.OpMbarrierInit:           emitMbarrier,
		isa.OpMbarrierInval:          emitMbarrier,
		isa.OpMbarrierExpectTx:       emitMbarrier,
		isa.OpMbarrierCompleteTx:     emitMbarrier,
		isa.OpMbarrierArrive:         emitMbarrier,
		isa.OpMbarrierArriveDrop:     emitMbarrier,
		isa.OpMbarrierTestWait:       emitMbarrier,
		isa.OpMbarrierTryWait:        emitMbarrier,
		isa.OpMbarrierPendingCount:   emitPendingCount,
		isa.OpCPAsyncMbarrierArrive:  emitMbarrier,
		isa.OpCPAsyncBulk:            emitBulk,
		isa.OpCPReduceAsyncBulk:      emitBulk,
		isa.OpCPAsyncBulkPrefetch:    emitPlain(state.Plain, runNothing),
		isa.OpCPAsyncBulkCommitGroup: emitPlain(state.Plain, runNothing),
		isa.OpCPAsyncBulkWaitGroup:   emitPlain(state.Plain, runNothing),

		isa.OpLdmatrix:           emitMatrix,
		isa.OpStmatrix:           emitMatrix,
		isa.OpMovmatrix:          emitMovmatrix,
		isa.OpCPAsync:            emitCopyAsync,
		isa.OpCPAsyncCommitGroup: emitPlain(state.Plain, runNothing),
		isa.OpCPAsyncWaitGroup:   emitPlain(state.Plain, runNothing),
		isa.OpCPAsyncWaitAll:     emitPlain(state.Plain, runNothing),

		isa.OpAlloca:       emitStack,
		isa.OpStacksave:    emitStack,
		isa.OpStackrestore: emitStack,

		isa.OpTex:     emitTexture,
		isa.OpTld4:    emitTexture,
		isa.OpTxq:     emitQuery,
		isa.OpSuq:     emitQuery,
		isa.OpIstypep: emitIstypep,
		isa.OpSuld:    emitSurface,
		isa.OpSust:    emitSurface,
		isa.OpSured:   emitSurface,

		isa.OpApplypriority:  emitPlain(state.Plain, runNothing),
		isa.OpCreatepolicy:   emitPolicy,
		isa.OpGriddepcontrol: emitPlain(state.Plain, runNothing),
	}
}

// Executes reports whether some form of the opcode can run.
func Executes(op isa.Opcode) bool {
	return op < isa.NumOpcodes && (emitters[op] != nil || lane.Executes(op))
}

// emitPlain decodes an instruction without operands that matter.
func emitPlain(kind state.OpKind, run func(*state.Warp, *state.Op) state.Signal) func(*instance, *isa.Inst) {
	return func(in *instance, inst *isa.Inst) {
		op := newOp(inst, run)
		op.Kind, op.Class = kind, isa.ClassOf(inst)
		if kind == state.Control {
			op.Extra = leaving{}
		}
		in.emit(op)
	}
}

// emitLanes decodes an instruction from registers to registers.
func emitLanes(in *instance, inst *isa.Inst) {
	choice, ok := lane.Select(inst, in.fn)
	if !ok {
		in.emitUnsupported(inst)
		return
	}
	op := newOp(inst, choice.Run)
	op.Imm, op.Extra, op.Class = choice.Imm, choice.Extra, isa.ClassOf(inst)
	vectors := false
	for i := range inst.Operands {
		o := &inst.Operands[i]
		vectors = vectors || o.Kind == isa.OperandVector || o.Kind == isa.OperandReg && o.Part < 0 && in.fn.Regs[o.Reg].Vec > 1
	}
	after := state.Op{}
	if vectors {
		in.vectorOperands(&op, inst)
	} else {
		after = in.scalarOperands(&op, inst)
	}
	switch inst.Op {
	case isa.OpShfl, isa.OpVote, isa.OpMatch, isa.OpRedux, isa.OpElect:
		if inst.Has(isa.ModSync) {
			op.Kind, op.Sync = state.WarpSync, memberMask(&op, inst)
			op.Run = byMask(op.Run)
		}
	case isa.OpMma, isa.OpMmaSp, isa.OpWmmaMma:
		op.Kind, op.Sync, in.prog.Tensor = state.Tensor, state.SlotAllLanes, true
	}
	in.emit(op)
	if after.Run != nil {
		in.emit(after)
	}
}

// memberMask returns the slot of the lanes that a .sync instruction waits for.
func memberMask(op *state.Op, inst *isa.Inst) int32 {
	switch inst.Op {
	case isa.OpShfl:
		return op.E
	case isa.OpElect:
		return op.A
	}
	return op.B
}

// scalarOperands fills the slots of an instruction without vectors. The operation it returns, if any, widens the
// result to a destination register wider than the instruction's type (cvt only).
func (in *instance) scalarOperands(op *state.Op, inst *isa.Inst) (after state.Op) {
	operands := inst.Operands
	if len(operands) == 0 {
		return after
	}
	to := inst.Type(0)
	if inst.Has(isa.ModWide) {
		to = wideType(to)
	}
	if o := &operands[0]; o.Kind == isa.OperandPair {
		op.D, op.D2 = in.destination(inst, &o.List[0], pairType(inst)), in.destination(inst, &o.List[1], isa.Pred)
	} else {
		op.D = in.destination(inst, o, to)
	}
	fields := []*int32{&op.A, &op.B, &op.C, &op.E}
	for i := range operands[1:] {
		o := &operands[i+1]
		if inst.Op == isa.OpLop3 && i == 3 && len(operands) == 6 {
			continue // the look-up table gives its place to the predicate; the lane function has it from the instruction
		}
		if len(fields) == 0 {
			in.unsupported(inst)
			return after
		}
		*fields[0] = in.source(inst, o, sourceType(inst, i))
		fields = fields[1:]
	}
	if inst.Op == isa.OpCvt {
		in.narrowSource(op, inst)
		after = in.widenResult(op, inst)
	}
	return after
}

// pairType is the type of the first half of a destination `d|p`.
func pairType(inst *isa.Inst) isa.Type {
	if inst.Op == isa.OpSetp {
		return isa.Pred
	}
	return inst.Type(0)
}

// narrowSource feeds cvt the low bits of a source register that is wider than the type.
func (in *instance) narrowSource(op *state.Op, inst *isa.Inst) {
	want, _ := classOf(inst.Type(len(inst.Types) - 1))
	if op.A < 0 || want != class32 || in.vars[op.A].class != class64 {
		return
	}
	low := newOp(inst, runLow32)
	low.D, low.A, low.Hidden = in.newVar(class32, 1), op.A, true
	op.A = low.D
	in.emit(low)
}

// widenResult extends the result of cvt to the width of a wider destination register, with its sign if it has one.
func (in *instance) widenResult(op *state.Op, inst *isa.Inst) (after state.Op) {
	to := inst.Type(0)
	o := &inst.Operands[0]
	if o.Kind != isa.OperandReg {
		return after
	}
	register := in.fn.Regs[o.Reg].Type
	if register.Bits() <= to.Bits() {
		return after
	}
	if register.Bits() <= 32 {
		if !to.Signed() {
			return after // zero-extended in its slot already
		}
		after = newOp(inst, runExtend32)
		after.D, after.A = op.D, op.D
		after.Extra = extension{from: uint(to.Bits()), to: uint(register.Bits())}
	} else {
		after = newOp(inst, runExtend64)
		after.D, after.A = op.D, in.newVar(class32, 1)
		if c, _ := classOf(to); c == class64 {
			return state.Op{}
		}
		op.D = after.A
		after.Extra = extension{from: uint(to.Bits()), to: 64, signed: to.Signed()}
	}
	after.Hidden = true
	return after
}

// vectorOperands fills Op.Extra with the flattened slots of all operands.
func (in *instance) vectorOperands(op *state.Op, inst *isa.Inst) {
	v := &state.Vectors{}
	for i := range inst.Operands {
		o := &inst.Operands[i]
		if i == 0 {
			v.D = in.list(inst, o, elementType(inst, o), true)
			continue
		}
		slots := in.list(inst, o, elementType(inst, o), false)
		switch i {
		case 1:
			v.A = slots
		case 2:
			v.B = slots
		case 3:
			v.C = slots
		case 4:
			v.E = slots
		default:
			in.unsupported(inst)
		}
	}
	op.Extra = v
}

// elementType is the type of an element of a vector operand of mov and mma.
func elementType(inst *isa.Inst, o *isa.Operand) isa.Type {
	if inst.Op == isa.OpMov && o.Kind == isa.OperandVector && len(o.List) > 0 && !inst.Has(isa.ModV2) && !inst.Has(isa.ModV4) {
		switch inst.Type(0).Bits() / len(o.List) {
		case 8:
			return isa.B8
		case 16:
			return isa.B16
		case 32:
			return isa.B32
		}
		return isa.B64
	}
	if inst.Op == isa.OpMov {
		return inst.Type(0)
	}
	return isa.B32
}

// emitUnsupported leaves a fault in place of an instruction that can't run.
func (in *instance) emitUnsupported(inst *isa.Inst) {
	in.unsupported(inst)
	op := newOp(inst, runUnsupported)
	op.Class = isa.ClassOf(inst)
	in.emit(op)
}

// emitMov decodes moves of special registers and addresses; the others are lane functions.
func emitMov(in *instance, inst *isa.Inst) {
	to, from := &inst.Operands[0], &inst.Operands[1]
	if len(inst.Types) == 0 && to.Kind == isa.OperandReg { // the article's: the destination says the type
		typed := *inst
		typed.Types = []isa.Type{in.fn.Regs[to.Reg].Type}
		inst = &typed
	}
	switch {
	case to.Kind == isa.OperandVector:
		emitLanes(in, inst)
	case from.Kind == isa.OperandSpecial:
		in.emit(in.specialOp(inst, from, in.destination(inst, to, inst.Type(0)), false))
	case from.Kind == isa.OperandVar || from.Kind == isa.OperandFunc:
		in.emit(in.addressOp(inst, from, in.destination(inst, to, inst.Type(0)), false))
	default:
		emitLanes(in, inst)
	}
}

func emitBra(in *instance, inst *isa.Inst) {
	op := newOp(inst, runBra)
	op.Kind, op.Class, op.Target = state.Control, isa.ClassOf(inst), inst.Operands[0].Target
	in.emit(op)
}

func emitBrx(in *instance, inst *isa.Inst) {
	op := newOp(inst, runBrx)
	op.Kind, op.Class = state.Control, isa.ClassOf(inst)
	op.A = in.source(inst, &inst.Operands[0], isa.U32)
	table := inst.Operands[1].Table
	if table == nil || len(table.Targets) == 0 {
		in.emitUnsupported(inst)
		return
	}
	op.Extra = &branchTable{targets: append([]int32(nil), table.Targets...)}
	in.emit(op)
}

func emitLeave(run func(*state.Warp, *state.Op) state.Signal) func(*instance, *isa.Inst) {
	return func(in *instance, inst *isa.Inst) {
		op := newOp(inst, run)
		op.Kind, op.Class, op.Extra = state.Control, isa.ClassOf(inst), leaving{in.results()}
		in.emit(op)
	}
}

func emitNanosleep(in *instance, inst *isa.Inst) {
	op := newOp(inst, runNanosleep)
	op.Kind, op.Class = state.Sleep, isa.ClassOf(inst)
	op.A = in.source(inst, &inst.Operands[0], isa.U32)
	in.emit(op)
}

// emitPolicy decodes createpolicy: cache policies change no result, so any value will do.
func emitPolicy(in *instance, inst *isa.Inst) {
	op := newOp(inst, runZero64)
	op.Class = isa.ClassOf(inst)
	op.D = in.destination(inst, &inst.Operands[0], isa.B64)
	in.emit(op)
}

func emitWarpSync(in *instance, inst *isa.Inst) {
	op := newOp(inst, runNothing)
	op.Kind, op.Class = state.WarpSync, isa.ClassOf(inst)
	op.A = in.source(inst, &inst.Operands[0], isa.U32)
	op.Sync = op.A
	in.emit(op)
}
