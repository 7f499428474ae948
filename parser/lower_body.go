package parser

import (
	"strconv"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// body lowers the statements of one function.
type body struct {
	*lowering
	f      *isa.Func
	scope  *scope // innermost
	places map[*block]map[string]label
	loc    int32 // index of the .loc in force
	tree   *block

	written  map[string]bool // names that some setp writes; built when a name is undeclared
	inferred map[string]*symbol
}

// lower resolves a function's body.
func (b *body) lower(head *function) {
	b.tree = head.Body
	b.scope = newScope(b.globals)
	b.declareParams(b.f.Results)
	b.declareParams(b.f.Params)
	count := int32(0)
	b.place(head.Body, &count)
	b.f.Code = make([]isa.Inst, 0, count)
	b.noteRegisterParams(head)
	b.block(head.Body)
	b.f.End = isa.Pos(head.Body.Close)
}

// declareParams makes the parameters known by name; a .reg one gets its register at once.
func (b *body) declareParams(list []*isa.Var) {
	for _, v := range list {
		if v.Name == "" {
			continue
		}
		if old := b.scope.own(v.Name); old != nil {
			b.errorIn(codeDuplicate, int(v.Pos), int(v.Pos)+len(v.Name), "parameter `"+v.Name+"` is declared twice", "")
			continue
		}
		sym := &symbol{Var: v, Pos: v.Pos, Name: v.Name}
		if v.Space == isa.SpaceReg {
			sym = &symbol{IsReg: true, Reg: isa.NoReg, Type: v.Type, Vec: v.Vec, Pos: v.Pos, Name: v.Name}
			v.Reg = b.register(sym)
		}
		b.scope.names[v.Name] = sym
	}
}

// noteRegisterParams notes D2: an entry whose parameters are registers.
func (b *body) noteRegisterParams(head *function) {
	if !b.f.Entry || head.Params == nil {
		return
	}
	for _, p := range head.Params.List {
		if p.Space.Value != ".reg" || p.Name.Value == "" {
			continue
		}
		v := b.scope.own(p.Name.Value)
		b.dialect.note("D2", name{p.Name.Value, p.Space.Pos.Offset, p.Name.Pos.Offset + len(p.Name.Value)},
			"parameter `"+p.Name.Value+"` of an entry is a register",
			"in PTX: `.param ."+v.Type.String()+" "+p.Name.Value+"`, and `ld.param."+v.Type.String()+"` into a register")
	}
}

// register returns the number of a register, giving it one at its first use.
func (b *body) register(sym *symbol) isa.Reg {
	if sym.Reg == isa.NoReg {
		sym.Reg = isa.Reg(len(b.f.Regs))
		b.f.Regs = append(b.f.Regs, isa.RegDecl{Name: sym.Name, Type: sym.Type, Vec: sym.Vec, Pos: sym.Pos})
	}
	return sym.Reg
}

// place finds the labels of a block and the blocks within: the index in the code of what follows each.
func (b *body) place(block *block, count *int32) {
	for i := range block.Stmts {
		s := &block.Stmts[i]
		switch {
		case s.Inst != nil:
			*count++
		case s.Block != nil:
			b.place(s.Block, count)
		case s.Label != "" && !b.namesTable(block, i):
			text := labelName(s.Label)
			labels := b.places[block]
			if labels == nil {
				labels = map[string]label{}
				b.places[block] = labels
			}
			if old, ok := labels[text]; ok {
				b.duplicate(&lexer.Token{Value: text, Pos: lexer.Position{Offset: s.Pos}}, text, old.Pos)
				continue
			}
			labels[text] = label{Target: *count, Pos: isa.Pos(s.Pos)}
			b.f.Labels = append(b.f.Labels, isa.Label{Name: text, Target: *count, Pos: isa.Pos(s.Pos)})
		}
	}
}

// namesTable reports a label that names the table or prototype behind it.
func (b *body) namesTable(block *block, i int) bool {
	if i+1 >= len(block.Stmts) {
		return false
	}
	d := block.Stmts[i+1].Decl
	return d != nil && (d.Table != nil || d.Prototype != nil)
}

// block lowers the statements between two braces.
func (b *body) block(block *block) {
	if block != b.tree {
		outer := b.scope
		b.scope = newScope(outer)
		defer func() { b.scope = outer }()
	}
	b.scope.labels = b.places[block]
	for i := range block.Stmts {
		s := &block.Stmts[i]
		switch {
		case s.Err != nil:
			b.syntax(s.Err)
		case s.Inst != nil:
			b.instruction(s.Inst)
		case s.Block != nil:
			b.block(s.Block)
		case s.Decl != nil:
			label := ""
			if i > 0 && b.namesTable(block, i-1) {
				label = block.Stmts[i-1].Label
			}
			b.declaration(s.Decl, label)
		}
	}
}

// declaration lowers a directive among the statements.
func (b *body) declaration(d *declaration, label string) {
	switch {
	case d.Variables != nil:
		b.variables(d, b.f, b.scope)
	case d.Loc != nil:
		b.location(d.Loc)
	case d.Pragma != nil:
		for _, p := range withoutCommas(d.Pragma) {
			if !knownPragma(unquote(p.Value)) {
				b.warnAt(codeOther, &p, "unknown pragma "+found(&p), "")
			}
		}
		b.f.Limits.Pragmas = append(b.f.Limits.Pragmas, pragmas(d.Pragma)...)
	case d.Table != nil || d.Prototype != nil:
		if label == "" {
			b.errorIn(codeSyntax, d.Pos.Offset, d.Pos.Offset, "a table or prototype needs a label before it", "as in `ts: .branchtargets L0, L1;`")
			return
		}
		text := labelName(label)
		at := &lexer.Token{Value: text, Pos: d.Pos}
		if !b.free(b.scope, at) {
			return
		}
		sym := &symbol{Pos: isa.Pos(d.Pos.Offset), Name: text}
		if d.Table != nil {
			b.since(d.Table.Kind, at)
			sym.Table = b.table(text, d)
			b.f.Tables = append(b.f.Tables, sym.Table)
		} else {
			p := d.Prototype
			b.since(".callprototype", at)
			sym.Proto = &isa.Proto{Name: text, Results: b.parameters(p.Results, b.f), Params: b.parameters(p.Params, b.f), Pos: sym.Pos}
			for _, t := range p.Tuning {
				sym.Proto.NoRet = sym.Proto.NoRet || t.Word.Value == ".noreturn"
			}
			b.f.Protos = append(b.f.Protos, sym.Proto)
		}
		b.scope.names[text] = sym
	case d.Target != nil:
	default:
		b.errorIn(codeSyntax, d.Pos.Offset, d.Pos.Offset, "this directive can't stand inside a function", "")
	}
}

// table lowers .branchtargets and .calltargets.
func (b *body) table(text string, d *declaration) *isa.Table {
	t := &isa.Table{Name: text, Pos: isa.Pos(d.Pos.Offset)}
	names := withoutCommas(d.Table.Names)
	for i := range names {
		n := &names[i]
		if d.Table.Kind == ".branchtargets" {
			t.Targets = append(t.Targets, b.target(nameOf(n)))
			continue
		}
		sym := b.scope.find(n.Value)
		if sym == nil || sym.Func == nil {
			b.errorAt(codeUndefined, n, "no function "+found(n)+" is declared before", didYouMean(n.Value, b.functionNames()))
			continue
		}
		t.Funcs = append(t.Funcs, sym.Func)
	}
	return t
}

// target returns the place of a label.
func (b *body) target(n name) int32 {
	l, ok := b.scope.findLabel(n.Text)
	if ok {
		return l.Target
	}
	hint := ""
	if b.report.errors < maxHints {
		hint = didYouMean(n.Text, b.scope.visibleLabels())
	}
	for _, other := range b.f.Labels {
		if other.Name == n.Text {
			line, _ := b.source.LineCol(other.Pos)
			hint = "line " + strconv.Itoa(line) + " has one inside braces that this jump is not in"
		}
	}
	b.errorIn(codeUndefined, n.Pos, n.End, "label `"+n.Text+"` is not defined", hint)
	return 0
}

func (b *body) location(at *location) {
	var place [3]int32
	for i := range place {
		v, _ := integerLiteral(at.Place[i].Value)
		place[i] = int32(min(v.Bits, 1<<31-1))
	}
	if at.Function != nil && at.Function.Type != tokDir {
		b.debugNames = append(b.debugNames, *at.Function)
	}
	if _, known := b.locFiles[place[0]]; !known {
		b.locFiles[place[0]] = at.Place[0]
	}
	b.loc = int32(len(b.module.Locs))
	b.module.Locs = append(b.module.Locs, isa.Loc{File: place[0], Line: place[1], Col: place[2]})
}
