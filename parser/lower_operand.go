package parser

import (
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// operands lowers a list into the module's chunk.
func (b *body) operands(list []operand) []isa.Operand {
	if len(list) == 0 {
		return nil
	}
	if cap(b.chunk)-len(b.chunk) < len(list) {
		b.chunk = make([]isa.Operand, 0, max(len(list), 256))
	}
	start := len(b.chunk)
	b.chunk = b.chunk[:start+len(list)]
	out := b.chunk[start : start+len(list) : start+len(list)]
	for i := range list {
		out[i] = b.operand(&list[i])
	}
	return out
}

// operand lowers one operand.
func (b *body) operand(o *operand) isa.Operand {
	out := isa.Operand{Reg: isa.NoReg, Part: -1, Neg: o.Negate, Minus: o.Minus, Pos: isa.Pos(o.Pos)}
	switch o.Kind {
	case opConstant:
		out.Kind, out.Bits = isa.OperandInt, o.Const.Bits
		if o.Const.Float {
			out.Kind, out.Single = isa.OperandFloat, o.Const.Single
		}
	case opVector:
		out.Kind, out.List = isa.OperandVector, b.operands(o.List)
	case opPair:
		out.Kind, out.List = isa.OperandPair, b.operands(o.List)
	case opList:
		out.Kind, out.List = isa.OperandList, b.operands(o.List)
	case opAddress:
		b.address(o, &out)
	case opName:
		b.named(o, &out)
	}
	return out
}

// address lowers [base+offset], with the coordinates that tensor and texture addresses carry.
func (b *body) address(o *operand, out *isa.Operand) {
	out.Kind, out.Offset = isa.OperandAddress, o.Offset
	if len(o.List) > 0 {
		out.Kind, out.List = isa.OperandTensor, b.operands(o.List)
	}
	if o.Absolute {
		return
	}
	at := name{o.Name, o.Pos, o.End}
	if i := strings.Index(b.source.Text[o.Pos:o.End], o.Name); i >= 0 {
		at.Pos += i
		at.End = at.Pos + len(o.Name)
	}
	sym, part := b.resolve(at)
	switch {
	case sym == nil:
		if _, special := b.special(at.Text); special {
			b.errorIn(codeArgument, at.Pos, at.End, "special register `"+at.Text+"` is no address", "move it into a register first")
			return
		}
		b.undefined(at, "register or variable")
	case sym.IsReg:
		out.Reg, out.Part = b.register(sym), part
	case sym.Var != nil:
		out.Var = sym.Var
	case sym.Func != nil:
		out.Func = sym.Func
	default:
		b.errorIn(codeArgument, at.Pos, at.End, "`"+at.Text+"` is no address", "")
	}
}

// named lowers a name: a register, a special register, or the address of something.
func (b *body) named(o *operand, out *isa.Operand) {
	if o.Name == "_" {
		out.Kind = isa.OperandSink
		return
	}
	at := name{o.Name, o.Pos, o.Pos + len(o.Name)}
	if o.Negate || o.Minus {
		if i := strings.Index(b.source.Text[o.Pos:o.End], o.Name); i >= 0 {
			at.Pos, at.End = o.Pos+i, o.Pos+i+len(o.Name)
		}
	}
	sym, part := b.resolve(at)
	if sym == nil {
		if base, selector, ok := b.selected(at.Text); ok {
			sym, part, out.Select = base, -1, selector
		}
	}
	if sym == nil {
		if s, ok := b.special(at.Text); ok {
			out.Kind, out.Special, out.Part = isa.OperandSpecial, s, partOf(at.Text, s)
			if out.Part == badPart {
				b.errorIn(codeArgument, at.Pos, at.End, "special register `"+s.String()+"` has no part "+strings.TrimPrefix(at.Text, s.String()), "")
			}
			return
		}
		sym = b.infer(at)
	}
	switch {
	case sym == nil:
		if _, ok := b.scope.findLabel(at.Text); ok {
			b.errorIn(codeArgument, at.Pos, at.End, "label `"+at.Text+"` can't stand here", "only branches take labels")
			return
		}
		b.undefined(at, "name")
	case sym.IsReg:
		out.Kind, out.Reg, out.Part = isa.OperandReg, b.register(sym), part
		if o.Offset != 0 || len(o.List) > 0 {
			b.errorIn(codeSyntax, o.Pos, o.End, "a register plus a constant is an address and needs brackets", "")
		}
	case sym.Var != nil:
		out.Kind, out.Var, out.Offset = isa.OperandVar, sym.Var, o.Offset+elementOffset(sym.Var, o.List)
	case sym.Func != nil:
		out.Kind, out.Func, out.Offset = isa.OperandFunc, sym.Func, o.Offset
	case sym.Table != nil:
		out.Kind, out.Table = isa.OperandTable, sym.Table
	default:
		out.Kind, out.Proto = isa.OperandTable, sym.Proto
	}
}

// elementOffset is the byte offset of v[i][j] (PTX ISA, "Arrays as Operands").
func elementOffset(v *isa.Var, indices []operand) int64 {
	var element int64
	for i := range indices {
		if i > 0 && i < len(v.Dims) {
			element *= int64(v.Dims[i])
		}
		element += int64(indices[i].Const.Bits)
	}
	return element * int64(elementBytes(v))
}

// parts are the elements of a vector by name (PTX ISA, "Vectors as Operands").
var parts = map[string]int8{".x": 0, ".y": 1, ".z": 2, ".w": 3, ".r": 0, ".g": 1, ".b": 2, ".a": 3}

// resolve finds the symbol of a name, and the element that .x and the like pick of a vector.
func (b *body) resolve(at name) (*symbol, int8) {
	if sym := b.scope.find(at.Text); sym != nil {
		return sym, -1
	}
	dot := strings.LastIndexByte(at.Text, '.')
	if dot < 0 {
		return nil, -1
	}
	part, ok := parts[at.Text[dot:]]
	if !ok {
		return nil, -1
	}
	sym := b.scope.find(at.Text[:dot])
	if sym == nil || !sym.IsReg || int(part) >= int(sym.Vec) {
		return nil, -1
	}
	return sym, part
}

// selected takes a.b0 or a.h1 of the video instructions apart.
func (b *body) selected(text string) (*symbol, string, bool) {
	base, selector, ok := strings.Cut(text, ".")
	if !ok || len(selector) < 2 || strings.Trim(selector[1:], "01234567") != "" || selector[0] != 'b' && selector[0] != 'h' {
		return nil, "", false
	}
	sym := b.scope.find(base)
	return sym, selector, sym != nil && sym.IsReg
}

// special finds a special register by its name, with or without a part.
func (b *body) special(text string) (isa.Special, bool) {
	if !strings.HasPrefix(text, "%") {
		return isa.SpecialNone, false
	}
	base, _, _ := strings.Cut(text, ".")
	return isa.LookupSpecial(base)
}

// badPart marks a part that the special register does not have.
const badPart int8 = -2

func partOf(text string, s isa.Special) int8 {
	suffix := strings.TrimPrefix(text, s.String())
	if suffix == "" {
		return -1
	}
	if part, ok := parts[suffix]; ok && s.Vector() && part < 4 && strings.Contains(".x.y.z.w", suffix) {
		return part
	}
	return badPart
}

// infer makes a predicate of a name that is nowhere declared but that some setp of the function writes (D5).
func (b *body) infer(at name) *symbol {
	if sym, ok := b.inferred[at.Text]; ok {
		return sym
	}
	if b.written == nil {
		b.written = map[string]bool{}
		writtenBySetp(b.tree, b.written)
	}
	if !b.written[at.Text] || b.scope.rangeHint(at.Text) != "" { // %p9 beside %p<8> is a slip
		return nil
	}
	sym := &symbol{IsReg: true, Reg: isa.NoReg, Type: isa.Pred, Pos: isa.Pos(at.Pos), Name: at.Text}
	if b.inferred == nil {
		b.inferred = map[string]*symbol{}
	}
	b.inferred[at.Text] = sym
	b.dialect.note("D5", at, "`"+at.Text+"` is not declared; a setp writes it, so it is a predicate", "in PTX: `.reg .pred "+at.Text+";`")
	return sym
}

// writtenBySetp collects the destinations of the setp instructions of a block.
func writtenBySetp(block *block, names map[string]bool) {
	for i := range block.Stmts {
		s := &block.Stmts[i]
		if s.Block != nil {
			writtenBySetp(s.Block, names)
		}
		if s.Inst == nil || len(s.Inst.Operands) == 0 || s.Inst.Op != "setp" && !strings.HasPrefix(s.Inst.Op, "setp.") {
			continue
		}
		switch o := &s.Inst.Operands[0]; o.Kind {
		case opName:
			names[o.Name] = true
		case opPair:
			names[o.List[0].Name], names[o.List[1].Name] = true, true
		}
	}
}

// maxHints bounds the search for near names: it goes through all that are in force.
const maxHints = 100

// undefined reports a name that nothing declares.
func (b *body) undefined(at name, what string) {
	hint := b.scope.rangeHint(at.Text)
	if hint == "" && b.report.errors < maxHints {
		candidates := b.scope.visible()
		if strings.HasPrefix(at.Text, "%") {
			for s := isa.SpecialNone + 1; s < isa.NumSpecials; s++ {
				candidates = append(candidates, s.String())
			}
		}
		hint = didYouMean(at.Text, candidates)
	}
	if strings.HasPrefix(at.Text, "%") {
		what = "register"
	}
	b.errorIn(codeUndefined, at.Pos, at.End, what+" `"+at.Text+"` is not declared", hint)
}
