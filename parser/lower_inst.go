package parser

import (
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// instruction lowers one line. An instruction with a mistake is kept without the operand that is wrong, so that the
// places of labels stay right; the module is not used then.
func (b *body) instruction(in *instruction) {
	before := b.report.errors
	out := isa.Inst{Guard: isa.Guard{Reg: isa.NoReg}, Pos: isa.Pos(in.Pos), OpPos: isa.Pos(in.OpPos), Loc: b.loc}
	if in.Guarded {
		out.Guard = b.guard(in)
	}
	if in.Direct {
		b.directCall(in, &out)
	} else {
		w := b.split(in.Op)
		if w.Err != nil {
			b.badWord(in, w.Err)
			b.f.Code = append(b.f.Code, out)
			return
		}
		out.Op, out.Mods, out.Types = w.Op, w.Mods, w.Types
		b.vectorWord(in)
		switch {
		case w.Op == isa.OpCall:
			out.Operands = b.call(in)
		case w.Op == isa.OpBra:
			out.Operands = b.branch(in, 0)
		case w.Op == isa.OpBrxIdx:
			out.Operands = b.branch(in, 1)
		case isOperator(w.Op):
			b.operatorLine(in, w, &out)
		default:
			out.Operands = b.operands(in.Operands)
			if w.Op == isa.OpMov && len(w.Types) == 0 {
				b.untypedMove(in, &out)
			}
		}
	}
	if b.report.errors == before && out.Op == isa.OpCall {
		b.checkCall(in, &out)
	}
	if b.report.errors == before {
		b.check(in, &out)
	}
	b.f.Code = append(b.f.Code, out)
}

// vectorWord warns of .v2 and .v4 that don't stand right before the type; the assembler does too.
func (b *body) vectorWord(in *instruction) {
	for _, vector := range [...]string{".v2", ".v4"} {
		_, after, found := strings.Cut(in.Op, vector)
		if !found || after != "" && after[0] != '.' {
			continue
		}
		word, _, _ := strings.Cut(strings.TrimPrefix(after, "."), ".")
		if _, ok := isa.LookupType(word); !ok {
			b.report.add(Diagnostic{Severity: Warning, Code: isa.CodeModifiers, Pos: isa.Pos(in.OpPos), End: isa.Pos(in.OpEnd),
				Message: "`" + vector + "` stands right before the type", Section: "Vectors as Operands"})
		}
	}
}

// guard resolves @p. The article's bare %p is noted as D4.
func (b *body) guard(in *instruction) isa.Guard {
	g := isa.Guard{Reg: isa.NoReg, Neg: in.Negate}
	if in.Bare {
		sign := ""
		if in.Negate {
			sign = "!"
		}
		b.dialect.note("D4", name{in.Guard.Text, in.Pos, in.Guard.End}, "a guard without @", "in PTX: `@"+sign+in.Guard.Text+" "+in.Op+"`")
	}
	sym := b.scope.find(in.Guard.Text)
	if sym == nil {
		sym = b.infer(in.Guard)
	}
	switch {
	case sym == nil:
		b.undefined(in.Guard, "register")
	case !sym.IsReg:
		b.errorIn(codeType, in.Guard.Pos, in.Guard.End, "guard `"+in.Guard.Text+"` is no register", "")
	case sym.Type != isa.Pred:
		b.errorIn(codeType, in.Guard.Pos, in.Guard.End, "guard `"+in.Guard.Text+"` is a ."+sym.Type.String()+" register, not a predicate", "")
	default:
		g.Reg = b.register(sym)
	}
	return g
}

// badWord reports an instruction word that is not in the table. Blanks before dots move the place.
func (b *body) badWord(in *instruction, err *isa.WordError) {
	place := func(offset int) int {
		at := in.OpPos
		for i := 0; i < offset && at < in.OpEnd; at++ {
			if i < len(in.Op) && b.source.Text[at] == in.Op[i] {
				i++
			}
		}
		return at
	}
	code := "unknown-modifier"
	if err.Start == 0 {
		code = codeUnknown
	}
	start := in.OpPos
	if err.Start > 0 {
		start = place(err.Start+1) - 1
	}
	b.errorIn(code, start, place(err.End), err.Msg, err.Hint)
}

// check compares the instruction with the table.
func (b *body) check(in *instruction, out *isa.Inst) {
	for _, p := range isa.Check(b.module, b.f, out) {
		severity := Error
		if p.Warning {
			severity = Warning
		}
		if p.Pos < out.Pos {
			p.Pos = out.OpPos
		}
		for i := range out.Operands {
			if o := &out.Operands[i]; o.Pos == p.Pos && o.Var != nil && o.Var.Space == isa.SpaceParam {
				p.Hint = loadFirst(o.Var)
			}
		}
		b.report.add(Diagnostic{Severity: severity, Code: p.Code, Pos: p.Pos, End: isa.Pos(b.endAt(in, int(p.Pos))), Message: p.Msg, Hint: p.Hint, Section: p.Section})
	}
}

// endAt returns the end of the part of an instruction that begins at pos.
func (b *body) endAt(in *instruction, pos int) int {
	if pos == in.OpPos {
		return in.OpEnd
	}
	for i := range in.Operands {
		if o := &in.Operands[i]; o.Pos == pos {
			return o.End
		}
	}
	end := pos
	for end < len(b.source.Text) && (classes[b.source.Text[end]]&isWord != 0 || strings.IndexByte("%.:", b.source.Text[end]) >= 0) {
		end++
	}
	return max(end, pos+1)
}

// loadFirst is the hint for a .param that is used as if it were its value.
func loadFirst(v *isa.Var) string {
	return "load it first: ld.param." + v.Type.String() + " into a register"
}

// untypedMove gives a mov without a type that of its destination (D3).
func (b *body) untypedMove(in *instruction, out *isa.Inst) {
	if len(out.Operands) == 0 || out.Operands[0].Kind != isa.OperandReg {
		return // the table's check says that the type is missing
	}
	t := b.f.Regs[out.Operands[0].Reg].Type
	switch t { // mov has no half types: their bits are moved
	case isa.F16:
		t = isa.B16
	case isa.F16x2:
		t = isa.B32
	}
	out.Types = []isa.Type{t}
	b.dialect.note("D3", name{in.Op, in.OpPos, in.OpEnd}, "mov without a type: its destination's, ."+t.String()+", is taken", "in PTX: `mov."+t.String()+"`")
}

// branch lowers bra (at 0) and brx.idx (at 1): the operand there is a label, a list of labels or a table of them.
func (b *body) branch(in *instruction, at int) []isa.Operand {
	out := make([]isa.Operand, 0, len(in.Operands))
	for i := range in.Operands {
		o := &in.Operands[i]
		if i != at {
			out = append(out, b.operand(o))
			continue
		}
		lowered := isa.Operand{Kind: isa.OperandLabel, Reg: isa.NoReg, Part: -1, Pos: isa.Pos(o.Pos)}
		var table *symbol
		if at == 1 && o.Kind == opName {
			table = b.scope.find(o.Name)
		}
		switch {
		case table != nil && table.Table != nil:
			lowered.Kind, lowered.Table = isa.OperandTable, table.Table
		case o.Kind == opVector && at == 1:
			t := &isa.Table{Pos: isa.Pos(o.Pos)}
			for j := range o.List {
				t.Targets = append(t.Targets, b.target(name{o.List[j].Name, o.List[j].Pos, o.List[j].End}))
			}
			lowered.Kind, lowered.Table = isa.OperandTable, t
			b.f.Tables = append(b.f.Tables, t)
		case o.Kind == opName && !o.Negate && !o.Minus && o.Offset == 0:
			lowered.Target = b.target(name{o.Name, o.Pos, o.End})
		default:
			b.errorIn(codeArgument, o.Pos, o.End, "a branch goes to a label", "")
		}
		out = append(out, lowered)
	}
	return out
}

// call lowers the operands of call, as written: (results), function, (arguments), table or prototype.
func (b *body) call(in *instruction) []isa.Operand {
	out := make([]isa.Operand, 0, len(in.Operands))
	for i := range in.Operands {
		o := &in.Operands[i]
		lowered := b.operand(o)
		if f := lowered.Func; lowered.Kind == isa.OperandFunc && f.Entry {
			b.errorIn(codeArgument, o.Pos, o.End, "`"+f.Name+"` is an entry: a call goes to a function", "declare it as .func")
		}
		out = append(out, lowered)
	}
	return out
}

// directCall lowers name(arguments), the article's call (D6). The callee may be an entry.
func (b *body) directCall(in *instruction, out *isa.Inst) {
	out.Op = isa.OpCall
	at := name{in.Op, in.OpPos, in.OpEnd}
	sym := b.scope.find(in.Op)
	if sym == nil || sym.Func == nil {
		if _, isOpcode := isa.LookupOpcode(in.Op); isOpcode && sym == nil {
			b.errorIn(codeSyntax, at.Pos, at.End, "`"+in.Op+"(` calls a function, and none of that name is declared", "the operands of an instruction stand without parentheses")
			return
		}
		b.errorIn(codeUndefined, at.Pos, at.End, "no function `"+in.Op+"` is declared before", didYouMean(in.Op, b.functionNames()))
		return
	}
	kind := ""
	if sym.Func.Entry {
		kind = " and a .func instead of the .entry"
	}
	b.dialect.note("D6", at, "`"+in.Op+"(...)` is a call", "in PTX: `call "+in.Op+", (...);`"+kind)
	out.Operands = append(out.Operands, isa.Operand{Kind: isa.OperandFunc, Func: sym.Func, Reg: isa.NoReg, Part: -1, Pos: out.OpPos})
	out.Operands = append(out.Operands, b.operands(in.Operands)...)
}

// operatorLine lowers the article's operators (D8): what is left out is filled in, so that the VM need not guess.
func (b *body) operatorLine(in *instruction, w word, out *isa.Inst) {
	at := name{in.Op, in.OpPos, in.OpEnd}
	b.operator(b.f, w.Op, w, at)
	for i := range in.Operands {
		o := &in.Operands[i]
		if w.Op == isa.OpSyncNVLink && i == 0 && o.Kind == opName && o.Name == "group" {
			b.dialect.note("D9", name{o.Name, o.Pos, o.End}, "`group` is a keyword here, by its position", "")
			out.Operands = append(out.Operands, isa.Operand{Kind: isa.OperandGroup, Reg: isa.NoReg, Part: -1, Pos: isa.Pos(o.Pos)})
			continue
		}
		lowered := b.operand(o)
		if v := lowered.Var; v != nil && v.Space == isa.SpaceParam && w.Op != isa.OpSyncNVLink {
			what := "an address"
			if i == 2 {
				what = "a number"
			}
			b.errorIn(codeSpace, o.Pos, o.End, "`"+v.Name+"` is a .param, not "+what, loadFirst(v))
		}
		out.Operands = append(out.Operands, lowered)
	}
	if w.Op != isa.OpCopyNVLink && w.Op != isa.OpReduce {
		return
	}
	if w.Op == isa.OpCopyNVLink && len(w.Types) == 0 {
		out.Types = []isa.Type{isa.B16}
	}
	if len(out.Operands) == 2 {
		out.Operands = append(out.Operands, b.elementCount(at))
	}
}

// elementCount is the count that a copy or reduce without one takes: the parameter `elem` of its entry.
func (b *body) elementCount(at name) isa.Operand {
	o := isa.Operand{Reg: isa.NoReg, Part: -1, Pos: isa.Pos(at.Pos)}
	for _, p := range b.f.Params {
		switch {
		case p.Name != "elem":
		case p.Reg != isa.NoReg:
			o.Kind, o.Reg = isa.OperandReg, p.Reg
			return o
		default:
			b.errorIn(codeArgument, at.Pos, at.End, "`"+at.Text+"` lacks its count, and parameter `elem` is a .param", "load it first and give the register as the last operand")
			return o
		}
	}
	b.errorIn(codeArgument, at.Pos, at.End, "`"+at.Text+"` lacks its count, and `"+b.f.Name+"` has no parameter `elem` to take it from", "give the number of elements as the last operand")
	return o
}
