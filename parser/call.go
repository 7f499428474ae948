package parser

import (
	"strconv"

	"github.com/tollgate-sim/tollgate/isa"
)

// signature is what a call must match: the callee's own, that of a prototype, or that of each function in a table.
type signature struct {
	name            string
	results, params []*isa.Var
}

// checkCall compares results and arguments with the callee's declaration (PTX ISA, "call"): as many, of the same
// size each; arrays of the same length and alignment. A register or constant may stand for a scalar .param.
func (b *body) checkCall(in *instruction, out *isa.Inst) {
	list := out.Operands
	var results, params []isa.Operand
	at := 0
	if at < len(list) && list[at].Kind == isa.OperandList {
		results = list[at].List
		at++
	}
	if at == len(list) {
		b.errorIn(codeSyntax, in.OpPos, in.OpEnd, "a call needs a function", "as in `call f, (a)`")
		return
	}
	callee := &list[at]
	at++
	if at < len(list) && list[at].Kind == isa.OperandList {
		params = list[at].List
		at++
	}
	var candidates []signature
	switch {
	case callee.Kind == isa.OperandFunc:
		f := callee.Func
		candidates = []signature{{f.Name, f.Results, f.Params}}
	case callee.Kind != isa.OperandReg:
		b.errorIn(codeArgument, int(callee.Pos), b.endAt(in, int(callee.Pos)), "a call goes to a function or to the address of one in a register", "")
		return
	case at == len(list) || list[at].Kind != isa.OperandTable:
		b.errorIn(codeArgument, in.OpPos, in.OpEnd, "a call through a register needs a .callprototype or .calltargets", "as in `call (r), f, (a), prototype`")
		return
	case list[at].Proto != nil:
		p := list[at].Proto
		candidates = []signature{{p.Name, p.Results, p.Params}}
	default:
		for _, f := range list[at].Table.Funcs {
			candidates = append(candidates, signature{f.Name, f.Results, f.Params})
		}
	}
	if callee.Kind == isa.OperandReg {
		at++
	}
	if at < len(list) {
		b.errorIn(codeArgument, int(list[at].Pos), b.endAt(in, int(list[at].Pos)), "unexpected operand after the arguments", "")
		return
	}
	for _, s := range candidates {
		if !b.matches(in, out, s.name, "result", results, s.results) || !b.matches(in, out, s.name, "argument", params, s.params) {
			return
		}
	}
}

// matches compares one list with the declared one.
func (b *body) matches(in *instruction, out *isa.Inst, callee, what string, got []isa.Operand, want []*isa.Var) bool {
	if len(got) != len(want) {
		b.errorIn(codeArgument, in.OpPos, in.OpEnd, "`"+callee+"` has "+plural(len(want), what)+", not "+strconv.Itoa(len(got)), "")
		return false
	}
	for i := range got {
		code, message := b.mismatch(&got[i], want[i], what == "result")
		if message != "" {
			b.errorIn(code, int(got[i].Pos), b.endAt(in, int(got[i].Pos)), what+" "+strconv.Itoa(i+1)+" of `"+callee+"` "+message, "")
			return false
		}
	}
	return true
}

// mismatch says why an operand can't stand for a parameter, or "".
func (b *body) mismatch(o *isa.Operand, v *isa.Var, result bool) (code, message string) {
	declared := "." + v.Type.String()
	switch o.Kind {
	case isa.OperandVar:
		a := o.Var
		switch {
		case a.Space != isa.SpaceParam:
			return codeSpace, "must be a .param variable, a register or a constant; `" + a.Name + "` is ." + a.Space.String()
		case b.f.Entry && isParameter(b.f, a):
			return codeSpace, "can't be `" + a.Name + "`, a parameter of the entry: load it first"
		case (len(a.Dims) > 0) != (len(v.Dims) > 0), a.Size != v.Size && v.Size > 0:
			return codeType, "is " + plural(v.Size, "byte") + " of " + declared + "; `" + a.Name + "` is " + plural(a.Size, "byte") + " of ." + a.Type.String()
		case a.Align != v.Align && len(v.Dims) > 0:
			return codeAlignment, "is aligned to " + plural(v.Align, "byte") + ", `" + a.Name + "` to " + strconv.Itoa(a.Align)
		}
	case isa.OperandReg:
		t := b.f.Regs[o.Reg].Type
		if len(v.Dims) > 0 || t == isa.Pred || t.Bits() != v.Type.Bits() {
			return codeType, "is " + declared + "; the register is ." + t.String()
		}
	case isa.OperandInt:
		if result || len(v.Dims) > 0 || v.Type.Float() {
			return codeType, "is " + declared + ", not an integer constant"
		}
	case isa.OperandFloat:
		bits := v.Type.Kind() == isa.KindBits && (o.Single && v.Type.Bits() == 32 || !o.Single && v.Type.Bits() == 64)
		if result || len(v.Dims) > 0 || v.Type != isa.F32 && v.Type != isa.F64 && !bits && !(o.Single && v.Type.Bits() == 32) {
			return codeType, "is " + declared + ", not a floating constant"
		}
	case isa.OperandSink:
		if !result {
			return codeArgument, "is left out"
		}
	default:
		return codeArgument, "must be a .param variable, a register or a constant"
	}
	return "", ""
}

func isParameter(f *isa.Func, v *isa.Var) bool {
	for _, p := range f.Params {
		if p == v {
			return true
		}
	}
	return false
}
