package parser

import (
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// maxObjectBytes bounds a variable: sizes stay far from the end of an int, and no card's memory is nearly as large.
const maxObjectBytes = 1 << 48

// maxAlign bounds .align (PTX ISA, ".align"); ptxas takes any power of two.
const maxAlign = 1 << 30

var spaces = map[string]isa.Space{
	".reg": isa.SpaceReg, ".global": isa.SpaceGlobal, ".shared": isa.SpaceShared, ".local": isa.SpaceLocal,
	".const": isa.SpaceConst, ".param": isa.SpaceParam, ".tex": isa.SpaceTex,
}

// shape is what the attributes of a declaration say.
type shape struct {
	Type     isa.Type
	Vec      uint8
	Align    int // 0: not given
	Managed  bool
	Ptr      bool
	PtrSpace isa.Space
	PtrAlign int
}

// shape reads the attributes between the space and the name.
func (l *lowering) shape(attributes []*attribute, space *lexer.Token) (s shape, ok bool) {
	ok = true
	fail := func(code string, t *lexer.Token, message, hint string) {
		if ok {
			l.errorAt(code, t, message, hint)
		}
		ok = false
	}
	for _, a := range attributes {
		word := a.Word.Value
		if a.Value != nil && word != ".align" {
			fail(codeSyntax, a.Value, "unexpected "+found(a.Value), "")
		}
		if len(a.List) > 0 && word != ".attribute" {
			fail(codeSyntax, &a.List[0], "unexpected "+found(&a.List[0]), "")
		}
		switch word {
		case ".align":
			if space.Value != ".param" && (s.Type != isa.TypeNone || s.Vec != 0) {
				fail(codeSyntax, &a.Word, ".align belongs before the vector size and the type", "")
			}
			n := l.alignment(a)
			if n == 0 {
				return s, false
			}
			if s.Ptr {
				s.PtrAlign = n
			} else {
				s.Align = n
			}
		case ".v2", ".v4", ".v8":
			if s.Vec != 0 {
				fail(codeSyntax, &a.Word, "a second vector size", "")
			}
			if s.Type != isa.TypeNone {
				fail(codeSyntax, &a.Word, "the vector size belongs before the type", "")
			}
			if word == ".v8" {
				fail(codeSyntax, &a.Word, "no variable is a .v8", "only loads and stores move eight elements at once")
			}
			s.Vec = word[2] - '0'
		case ".ptr":
			if space.Value != ".param" || s.Type == isa.TypeNone {
				fail(codeSyntax, &a.Word, ".ptr follows the type of a parameter", "as in `.param .u64 .ptr .global .align 4 p`")
			}
			l.since(word, &a.Word)
			s.Ptr = true
		case ".global", ".shared", ".const", ".local", ".param":
			if !s.Ptr {
				fail(codeSyntax, &a.Word, "unexpected "+found(&a.Word), "a space stands first, or after .ptr")
			}
			if word == ".param" {
				fail(codeSyntax, &a.Word, "a pointer does not point to .param", "")
			}
			s.PtrSpace = spaces[word]
		case ".attribute":
			for i := range a.List {
				switch a.List[i].Value {
				case ".managed":
					s.Managed = true
					l.since(".managed", &a.List[i])
					if space.Value != ".global" {
						fail(codeOther, &a.List[i], "only .global variables are managed", "")
					}
				case ".unified":
				default:
					if a.List[i].Type != tokDir {
						continue // the numbers of .unified
					}
					fail(codeSyntax, &a.List[i], "unknown attribute "+found(&a.List[i]), ".managed and .unified are known")
				}
			}
		default:
			t, known := isa.LookupType(word[1:])
			switch {
			case !known:
				fail(codeSyntax, &a.Word, "unknown type "+found(&a.Word), didYouMeanType(word))
			case s.Type != isa.TypeNone:
				fail(codeSyntax, &a.Word, "a second type", "")
			}
			s.Type = t
			l.since(word, &a.Word)
		}
	}
	if bits := s.Type.Bits() * int(s.Vec); ok && bits > 128 {
		fail(codeRange, space, "a vector has at most 128 bits, not "+strconv.Itoa(bits), "")
	}
	if ok && s.Type == isa.TypeNone {
		fail(codeSyntax, space, "no type follows "+found(space), "as in `"+space.Value+" .b32`")
	}
	return s, ok
}

func didYouMeanType(word string) string {
	var names []string
	for t := isa.TypeNone + 1; t < isa.NumTypes; t++ {
		names = append(names, "."+t.String())
	}
	return didYouMean(word, names)
}

func (l *lowering) alignment(a *attribute) int {
	if a.Value == nil {
		l.errorAt(codeSyntax, &a.Word, "no number follows .align", "as in `.align 8`")
		return 0
	}
	v, ok := integerLiteral(a.Value.Value)
	if !ok || v.Bits == 0 || v.Bits&(v.Bits-1) != 0 || v.Bits > maxAlign {
		l.errorAt(codeAlignment, a.Value, "an alignment is a power of two, not "+a.Value.Value, "")
		return 0
	}
	return int(v.Bits)
}

// registerTypes are what .reg takes (PTX ISA, "Fundamental Types"; bf16 and tf32 live in .b registers).
func registerType(t isa.Type) bool {
	switch t {
	case isa.Pred, isa.B8, isa.B16, isa.B32, isa.B64, isa.B128, isa.U8, isa.U16, isa.U32, isa.U64, isa.S8, isa.S16, isa.S32, isa.S64,
		isa.F16, isa.F16x2, isa.F32, isa.F64:
		return true
	}
	return false
}

// variableType reports what the memory spaces take.
func variableType(t isa.Type) bool {
	return t != isa.Pred && registerType(t) || t.Kind() == isa.KindOpaque
}

// variables lowers a declaration of variables or registers, at module scope (f nil) or inside a function.
func (l *lowering) variables(d *declaration, f *isa.Func, sc *scope) {
	v := d.Variables
	space := spaces[v.Space.Value]
	if f == nil && (space == isa.SpaceReg || space == isa.SpaceLocal || space == isa.SpaceParam) {
		l.errorAt(codeSyntax, &v.Space, v.Space.Value+" variables are declared inside a function", "")
		return
	}
	if v.Bank != nil && !l.module.Version.Less(isa.Version{Major: 2, Minor: 2}) {
		l.errorAt(codeSyntax, v.Bank, "constant banks ended with PTX 2.2", "")
	}
	s, ok := l.shape(v.Attributes, &v.Space)
	if !ok {
		// The names are declared all the same, so that one mistake is one error.
		s.Type = isa.B32
	}
	if space == isa.SpaceReg {
		l.registers(v, s, ok, sc)
		return
	}
	if ok && !variableType(s.Type) {
		l.errorAt(codeType, &v.Space, "no variable has type ."+s.Type.String(), "")
	}
	if d.Attributes != nil {
		s.Managed = slices.ContainsFunc(d.Attributes.List, func(t lexer.Token) bool { return t.Value == ".managed" })
	}
	linkage := l.linkage(d)
	if ok {
		l.variableRules(d, s, f)
	}
	for _, n := range v.Names {
		if n.Count != nil {
			l.variableRange(n, space, s, linkage, f, sc)
			continue
		}
		l.variable(n, space, s, linkage, f, sc)
	}
}

func (l *lowering) registers(v *variables, s shape, ok bool, sc *scope) {
	if ok && !registerType(s.Type) {
		hint := ""
		if s.Type == isa.BF16 || s.Type == isa.TF32 || s.Type == isa.BF16x2 {
			hint = "such values live in .b" + strconv.Itoa(s.Type.Bits()) + " registers"
		}
		l.errorAt(codeType, &v.Space, "no register has type ."+s.Type.String(), hint)
	}
	for _, n := range v.Names {
		switch {
		case n.Init != nil:
			l.errorIn(codeSyntax, n.Init.Pos, n.Init.End, "a register has no initial value", "")
		case len(n.Dims) > 0:
			l.errorAt(codeSyntax, &n.Dims[0].Open, "there are no arrays of registers", "`%r<8>` declares %r0 to %r7")
		}
		if n.Count == nil {
			if l.free(sc, &n.Name) {
				sc.names[n.Name.Value] = &symbol{IsReg: true, Reg: isa.NoReg, Type: s.Type, Vec: s.Vec, Pos: isa.Pos(n.Name.Pos.Offset), Name: n.Name.Value}
			}
			continue
		}
		count, valid := integerLiteral(n.Count.Value)
		if !valid || count.Bits > 1<<31 {
			l.errorAt(codeRange, n.Count, "a register range needs a number, not "+n.Count.Value, "")
			continue
		}
		if sc.ranges == nil {
			sc.ranges = map[string]registerRange{}
		}
		if old, ok := sc.ranges[n.Name.Value]; ok {
			l.duplicate(&n.Name, n.Name.Value+"0", old.Pos)
			continue
		}
		for name, old := range sc.names {
			digits := strings.TrimPrefix(name, n.Name.Value)
			if k, err := strconv.ParseUint(digits, 10, 64); err == nil && len(digits) < len(name) && k < count.Bits {
				l.duplicate(&n.Name, name, old.Pos)
				break
			}
		}
		sc.ranges[n.Name.Value] = registerRange{Count: int64(count.Bits), Type: s.Type, Vec: s.Vec, Pos: isa.Pos(n.Name.Pos.Offset)}
	}
}

// free reports that a name is not yet taken in the scope, or says where it was.
func (l *lowering) free(sc *scope, t *lexer.Token) bool {
	_, special := isa.LookupSpecial(t.Value)
	if special && sc == l.globals || t.Value == "_" || t.Value == "WARP_SZ" {
		l.errorAt(codeDuplicate, t, "the name "+found(t)+" is taken by the language", "")
		return false
	}
	if old := sc.own(t.Value); old != nil {
		l.duplicate(t, t.Value, old.Pos)
		return false
	}
	if old, ok := sc.labels[t.Value]; ok {
		l.duplicate(t, t.Value, old.Pos)
		return false
	}
	return true
}

func (l *lowering) duplicate(t *lexer.Token, name string, first isa.Pos) {
	line, _ := l.source.LineCol(first)
	l.errorAt(codeDuplicate, t, "`"+name+"` is declared twice", "first in line "+strconv.Itoa(line))
}

// variable declares one variable; false: it was reported as wrong.
func (l *lowering) variable(n *declarator, space isa.Space, s shape, linkage isa.Linkage, f *isa.Func, sc *scope) bool {
	v := &isa.Var{Name: n.Name.Value, Space: space, Linkage: linkage, Pos: isa.Pos(n.Name.Pos.Offset), Reg: isa.NoReg, Func: f}
	s.fill(v)
	if !l.dims(v, n.Dims) {
		return false
	}
	if len(v.Dims) > 0 && v.Size == 0 && n.Init == nil && linkage != isa.LinkExtern {
		l.errorAt(codeOther, &n.Name, "array `"+v.Name+"` has no size", "only an .extern one, or one with an initial value, may leave it open")
	}
	if n.Init != nil {
		if n.Init.Err != nil {
			l.syntax(n.Init.Err)
		} else {
			l.initialise(v, n.Init)
		}
	}
	old := sc.own(n.Name.Value)
	switch {
	case old != nil && old.Var != nil && f == nil && old.Var.Space == space && (old.Var.Linkage == isa.LinkExtern || linkage == isa.LinkExtern) &&
		(old.Var.Type != v.Type || old.Var.Vec != v.Vec || old.Var.Size != v.Size && old.Var.Size > 0 && v.Size > 0):
		l.errorAt(codeDuplicate, &n.Name, "`"+v.Name+"` was declared with another type or size", "")
		return false
	case old != nil && old.Var != nil && f == nil && old.Var.Space == space && old.Var.Linkage == isa.LinkExtern && linkage != isa.LinkExtern:
		*old.Var = *v // the definition of what was declared extern: earlier uses keep their pointer
		return true
	case old != nil && old.Var != nil && f == nil && old.Var.Space == space && linkage == isa.LinkExtern:
		return true
	case !l.free(sc, &n.Name):
		return false
	}
	sc.names[v.Name] = &symbol{Var: v, Pos: v.Pos, Name: v.Name}
	if f == nil {
		l.module.Vars = append(l.module.Vars, v)
	} else {
		f.Vars = append(f.Vars, v)
	}
	return true
}

// maxVariableRange bounds the variables of .param .b32 p<10> in a module. Unlike registers, they are made when they
// are declared.
const maxVariableRange = 100000

// variableRange declares p0 to p9 of `.param .b32 p<10>`.
func (l *lowering) variableRange(n *declarator, space isa.Space, s shape, linkage isa.Linkage, f *isa.Func, sc *scope) {
	count, ok := integerLiteral(n.Count.Value)
	if !ok || count.Bits > uint64(maxVariableRange-l.ranged) {
		l.errorAt(codeRange, n.Count, "a module has at most 100,000 variables declared by ranges", "")
		return
	}
	l.ranged += int(count.Bits)
	for i := range int(count.Bits) {
		one := declarator{Name: n.Name, Dims: n.Dims, Init: n.Init}
		one.Name.Value += strconv.Itoa(i)
		if !l.variable(&one, space, s, linkage, f, sc) {
			return // one error for all of them
		}
	}
}

// fill sets what the attributes say.
func (s shape) fill(v *isa.Var) {
	v.Type, v.Vec, v.Managed = s.Type, s.Vec, s.Managed
	v.Ptr, v.PtrSpace, v.PtrAlign = s.Ptr, s.PtrSpace, s.PtrAlign
	v.Align = max(s.Align, elementBytes(v))
	v.Size = elementBytes(v)
}

// elementBytes is the size of one element, a whole vector counting as one.
func elementBytes(v *isa.Var) int { return v.Type.Bytes() * max(1, int(v.Vec)) }

// dims sets the dimensions and the size.
func (l *lowering) dims(v *isa.Var, dims []*dimension) bool {
	for i, d := range dims {
		if d.Size == nil {
			if i > 0 {
				l.errorAt(codeSyntax, &d.Open, "only the first dimension may be left open", "")
				return false
			}
			v.Dims = append(v.Dims, 0)
			v.Size = 0
			continue
		}
		n, ok := integerLiteral(d.Size.Value)
		if d.Size.Type == tokIdent {
			n, ok = integer(warpSize), true
		}
		if !ok || n.Bits == 0 {
			l.errorAt(codeRange, d.Size, "an array size is a positive number, not "+d.Size.Value, "")
			return false
		}
		if n.Bits > maxObjectBytes || v.Size > 0 && n.Bits > uint64(maxObjectBytes/v.Size) {
			l.errorAt(codeRange, d.Size, "array `"+v.Name+"` is larger than 256 TiB", "")
			return false
		}
		v.Dims = append(v.Dims, int(n.Bits))
		v.Size *= int(n.Bits)
	}
	return true
}

// parameters lowers a list of parameters: offsets as in a C structure.
func (l *lowering) parameters(p *params, f *isa.Func) []*isa.Var {
	if p == nil {
		return nil
	}
	var list []*isa.Var
	offset := 0
	for _, q := range p.List {
		s, ok := l.shape(q.Attributes, &q.Space)
		if !ok {
			s.Type = isa.B32
		}
		v := &isa.Var{Name: q.Name.Value, Space: spaces[q.Space.Value], Pos: isa.Pos(q.Space.Pos.Offset), Reg: isa.NoReg, Func: f}
		if v.Name != "" {
			v.Pos = isa.Pos(q.Name.Pos.Offset)
		}
		if v.Name == "_" {
			v.Name = ""
		}
		s.fill(v)
		if !l.dims(v, q.Dims) {
			continue
		}
		l.parameterRules(q, s, ok, f)
		if valid := variableType(s.Type); ok && !valid && !(v.Space == isa.SpaceReg && registerType(s.Type)) {
			l.errorAt(codeType, &q.Space, "no parameter has type ."+s.Type.String(), "")
		}
		offset = (offset + v.Align - 1) &^ (v.Align - 1)
		v.Offset = offset
		offset += v.Size
		list = append(list, v)
	}
	return list
}
