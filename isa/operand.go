package isa

import "fmt"

// fitArgument compares one operand with an argument of the form and leaves what is wrong in c.problem.
func (c *checker) fitArgument(o *Operand, a *argument) {
	if o.Kind == OperandPair {
		c.fitPair(o, a)
		return
	}
	if a.second != nil && !a.second.optional {
		c.mismatch(o, "a pair d|p is needed here")
		return
	}
	if o.Kind == OperandSink && a.kind != argSink {
		if !a.sink {
			c.mismatch(o, "`_` can't stand here")
		}
		return
	}
	if o.Neg && !a.negatable && (a.destination || a.kind != argValue && a.kind != argMove || a.typeIn(c.in) != Pred) {
		c.mismatch(o, "`!` can't stand here")
		return
	}
	if o.Minus && !a.minus {
		c.mismatch(o, "`-` can't stand here")
		return
	}
	if o.Select != "" && a.selector == 0 || o.Select == "" && a.selector == 2 {
		c.mismatch(o, "a selector such as .b0 or .h1 "+map[bool]string{true: "is needed here", false: "can't stand here"}[o.Select == ""])
		return
	}
	switch a.kind {
	case argValue:
		c.fitValue(o, a, a.typeIn(c.in))
	case argDouble:
		c.fitValue(o, a, twice(a.typeIn(c.in)))
	case argAny32:
		c.fitAny32(o, a)
	case argPred:
		c.fitPredicate(o, a)
	case argPredRegister:
		c.fitValue(o, &argument{kind: argPred}, Pred)
		if o.Kind != OperandReg {
			c.mismatch(o, "a predicate is needed here")
		}
	case argConstant:
		if o.Kind != OperandInt {
			c.mismatch(o, "an integer constant is needed here")
			return
		}
		c.fitLimit(o, a)
	case argAddress:
		c.fitAddress(o, a)
	case argVector:
		c.fitVector(o, a, a.count, a.typeIn(c.in))
	case argByWidth:
		c.fitByWidth(o, a)
	case argFragment:
		n, t := fragment(c.in, a.fragment)
		c.fitVector(o, a, n, t)
	case argMove:
		c.fitMove(o, a)
	case argPlace:
		if o.Kind != OperandVar {
			c.fitValue(o, a, a.typeIn(c.in))
		} else if o.Var.Space == SpaceParam && !c.ownParameter(o.Var) {
			c.mismatch(o, "the parameter `"+o.Var.Name+"` of a call has no address")
		}
	case argPack:
		c.fitPack(o)
	case argPointer:
		c.fitPointer(o)
	case argOpaque:
		c.fitOpaque(o)
	case argOffset, argGradient:
		c.fitOffset(o, a)
	case argIm2col:
		c.fitVector(o, a, c.im2colCount(), U16)
	case argLanes:
		n := 4
		if c.in.Has(ModCTAGroup_2) {
			n = 8
		}
		c.fitVector(o, a, n, U32)
	case argMeta:
		if o.Kind == OperandVector && len(o.List) == 1 {
			o = &o.List[0]
		}
		if o.Kind != OperandReg {
			c.mismatch(o, "a register is needed here")
			return
		}
		c.fitValue(o, a, B32)
	case argScale:
		if o.Kind == OperandVector && len(o.List) == 1 {
			o = &o.List[0]
		}
		c.fitValue(o, a, B32)
	case argSink:
		if o.Kind != OperandSink {
			c.mismatch(o, "only `_` can stand here")
		}
	case argLabel:
		c.fitKind(o, OperandLabel, "a label")
	case argTable:
		c.fitKind(o, OperandTable, "a table or prototype")
	case argFunc:
		c.fitKind(o, OperandFunc, "a function")
	case argFuncPointer:
		if o.Kind != OperandReg {
			c.mismatch(o, "a register with a function's address is needed here")
			return
		}
		c.fitValue(o, a, U64)
	case argList:
		c.fitKind(o, OperandList, "a list in parentheses")
	case argGroup:
		if o.Kind != OperandGroup {
			c.fitValue(o, a, U32)
		}
	case argSymbol:
		c.fitSymbol(o)
	case argCounter:
		if o.Kind != OperandInt {
			c.fitPointer(o)
		}
	}
}

func (c *checker) mismatch(o *Operand, msg string) {
	c.fail(o.Pos, CodeArgument, msg, "syntax: "+c.form.line.Syntax)
}

func (c *checker) fitKind(o *Operand, kind OperandKind, what string) {
	if o.Kind != kind {
		c.mismatch(o, what+" is needed here")
	}
}

// fitPair compares d|p with an argument that has a second part.
func (c *checker) fitPair(o *Operand, a *argument) {
	if a.second == nil || len(o.List) != 2 {
		c.mismatch(o, "a pair p|q can't stand here")
		return
	}
	first, second := *a, *a.second
	first.second = nil
	second.second = nil
	first.sink, second.sink = true, true
	c.fitArgument(&o.List[0], &first)
	if c.problem == nil {
		c.fitArgument(&o.List[1], &second)
	}
}

// register returns the register of an operand. A name that is not resolved has none; that is reported elsewhere.
func (c *checker) register(o *Operand) (RegDecl, bool) {
	if o.Kind != OperandReg || c.function == nil || o.Reg < 0 || int(o.Reg) >= len(c.function.Regs) {
		return RegDecl{}, false
	}
	return c.function.Regs[o.Reg], true
}

// fitValue compares a register or constant with a type.
func (c *checker) fitValue(o *Operand, a *argument, t Type) {
	switch o.Kind {
	case OperandReg:
		r, ok := c.register(o)
		if !ok {
			return
		}
		if r.Vec > 0 && o.Part < 0 {
			c.mismatch(o, fmt.Sprintf("`%s` is a vector register; a scalar is needed here", r.Name))
			return
		}
		if t == Pred && a.kind == argPred && r.Type != Pred {
			c.mismatch(o, fmt.Sprintf("`%s` is a .%s register; a predicate is needed here", r.Name, r.Type))
			return
		}
		if a.element && r.Type != F16x2 && r.Type != Pred && r.Type.Bits() == t.Bits() {
			return // elements of a vector are compared by size
		}
		if !fits(r.Type, t) && !(a.loose && fitsLoosely(r.Type, t)) {
			c.mismatch(o, fmt.Sprintf("`%s` is a .%s register; .%s is needed here", r.Name, r.Type, t))
		}
	case OperandInt:
		switch {
		case a.destination:
			c.mismatch(o, "a constant can't be the destination")
		case t.Float() && !(a.kind == argFragment && t.Bits() == 32 && t != F32), t == U16x2, t == S16x2, a.registers:
			c.mismatch(o, "an integer constant can't stand for a ."+t.String())
		default:
			c.fitLimit(o, a)
		}
	case OperandFloat:
		ok := t == F32 || t == F64 || !o.Decimal && (t == B32 && o.Single || t == B64 && !o.Single)
		if !ok || a.destination {
			c.mismatch(o, "a floating constant can't stand for a ."+t.String())
		}
	case OperandSpecial: // the manual lets mov and cvt read special registers
		if st := o.Special.Type(); c.in.Op != OpCvt || a.destination || o.Special.Vector() && o.Part < 0 || !fits(st, t) && !fitsLoosely(st, t) && !o.Special.legacyType(t) {
			c.mismatch(o, "`"+o.Special.String()+"` can't stand here; copy it with mov")
		}
	case OperandFunc: // the address of a function is an integer
		if !t.Integer() || a.destination {
			c.mismatch(o, "a function can't stand here")
		}
	default:
		c.mismatch(o, "a register or constant of type ."+t.String()+" is needed here")
	}
}

func (c *checker) fitLimit(o *Operand, a *argument) {
	if !a.limit.allows(int64(o.Bits)) {
		c.fail(o.Pos, CodeRange, fmt.Sprintf("%d is out of range here", int64(o.Bits)), "allowed: "+a.limit.String())
	}
}

// fitAny32 takes a 32-bit integer register of any type, or a constant: shift amounts, barrier numbers, member masks.
func (c *checker) fitAny32(o *Operand, a *argument) {
	if o.Kind == OperandFunc {
		c.mismatch(o, "a function can't stand here")
		return
	}
	if r, ok := c.register(o); ok && r.Type == F16x2 {
		c.mismatch(o, "`"+r.Name+"` is a .f16x2 register; a 32-bit integer is needed here")
		return
	}
	c.fitValue(o, a, U32)
}

func (c *checker) fitPredicate(o *Operand, a *argument) {
	if o.Kind == OperandInt && !a.destination {
		return
	}
	c.fitValue(o, a, Pred)
}

// fitVector compares {a, b, ...} with n elements of a type; one element is braced too.
func (c *checker) fitVector(o *Operand, a *argument, n int, t Type) {
	if o.Kind == OperandReg {
		if r, ok := c.register(o); ok && int(r.Vec) == n && o.Part < 0 && n > 1 {
			element := *a
			element.kind = argValue
			part := *o
			part.Part = 0
			c.fitValue(&part, &element, t)
			return
		}
	}
	if o.Kind != OperandVector {
		c.mismatch(o, fmt.Sprintf("%s in braces are needed here", plural(n, "element")))
		return
	}
	c.fitElements(o, a, n, t)
}

func (c *checker) fitElements(o *Operand, a *argument, n int, t Type) {
	if len(o.List) != n {
		c.mismatch(o, fmt.Sprintf("%s needed here, not %d", plural(n, "element"), len(o.List)))
		return
	}
	element := *a
	element.second, element.selector = nil, 0
	if element.kind != argFragment {
		element.kind = argValue
	}
	element.element = a.kind == argByWidth || a.fragment == 'R'
	element.registers = a.fragment == 'R'
	keeps := a.destination && !(a.kind == argFragment && (c.in.Op == OpWgmmaMmaAsync || c.in.Op == OpWgmmaMmaAsyncSp))
	sinks := 0
	for i := range o.List {
		e := &o.List[i]
		if e.Kind == OperandSink && keeps {
			sinks++
			continue
		}
		if e.Kind == OperandVector {
			c.mismatch(e, "braces can't be nested")
			return
		}
		c.fitValue(e, &element, t)
	}
	if sinks > 0 && sinks == n {
		c.mismatch(o, "at least one element must be kept")
	}
	c.sameClass(o)
}

// sameClass demands one register type in a vector: signed, unsigned and untyped registers mix, floats only with untyped ones.
func (c *checker) sameClass(o *Operand) {
	var first RegDecl
	for i := range o.List {
		r, ok := c.register(&o.List[i])
		if o.List[i].Kind == OperandInt && first.Type.Float() {
			c.mismatch(&o.List[i], fmt.Sprintf("an integer constant can't stand beside the .%s register `%s`", first.Type, first.Name))
			return
		}
		if !ok {
			continue
		}
		if first.Name == "" || first.Type.Kind() == KindBits {
			first = r
			continue
		}
		if r.Type.Bits() != first.Type.Bits() || r.Type.Float() && first.Type.Integer() || r.Type.Integer() && first.Type.Float() {
			c.mismatch(&o.List[i], fmt.Sprintf("`%s` is a .%s register, `%s` before it a .%s: one vector, one type", r.Name, r.Type, first.Name, first.Type))
			return
		}
	}
}

// fitByWidth compares with as many elements as .v2, .v4 or .v8 says; without one, {r} is r.
func (c *checker) fitByWidth(o *Operand, a *argument) {
	n, t := c.in.VectorWidth(), a.typeIn(c.in)
	if o.Kind == OperandSpecial && c.in.Op == OpMov && !a.destination && n == 4 && t.Bits() == 32 {
		return
	}
	if n > 1 {
		c.fitVector(o, a, n, t)
		return
	}
	if o.Kind == OperandVector && len(o.List) == 1 {
		o = &o.List[0]
	}
	c.fitValue(o, a, t)
}

// fitMove compares with a source of mov: anything that has a value.
func (c *checker) fitMove(o *Operand, a *argument) {
	t := a.typeIn(c.in)
	switch o.Kind {
	case OperandSpecial:
		st := o.Special.Type()
		if o.Special.Vector() && o.Part < 0 {
			c.mismatch(o, "`"+o.Special.String()+"` has parts: .x .y .z .w")
			return
		}
		if o.Special.legacyType(t) {
			return
		}
		if st != t && (st.Bits() != t.Bits() || t.Float() || st == Pred || t == Pred) {
			c.mismatch(o, fmt.Sprintf("`%s` is a .%s, not a .%s", o.Special, st, t))
		}
	case OperandVar, OperandFunc, OperandLabel:
		if t.Bits() < 32 || t.Float() && !(t == F64 && o.Kind == OperandFunc) || t == Pred || t == B128 {
			c.mismatch(o, "an address needs 64 bits")
		}
		if o.Var != nil && o.Var.Space == SpaceParam && !c.ownParameter(o.Var) {
			c.mismatch(o, "the parameter `"+o.Var.Name+"` of a call has no address")
		}
		if o.Var != nil && t.Bits() == 32 && o.Var.Space == SpaceGlobal {
			c.fail(o.Pos, CodeAddressSpace, "the address of the .global variable `"+o.Var.Name+"` needs 64 bits", "")
		}
	case OperandVector:
		c.mismatch(o, "a vector goes with .b16, .b32, .b64 and .b128 only")
	default:
		c.fitValue(o, a, t)
	}
}

// ownParameter reports whether a variable is an input or result of the function itself, rather than of a call.
func (c *checker) ownParameter(v *Var) bool {
	return c.function == nil || contains(c.function.Params, v) || contains(c.function.Results, v)
}

// fitPack takes both sides of a mov between {a, b, ...} and a scalar; packMatches compares them.
func (c *checker) fitPack(o *Operand) {
	switch o.Kind {
	case OperandVector, OperandReg, OperandInt, OperandFloat:
	default:
		c.mismatch(o, "a register or a vector of registers is needed here")
	}
}

func (c *checker) fitPointer(o *Operand) {
	switch o.Kind {
	case OperandReg:
		if r, ok := c.register(o); ok && (r.Type.Float() || r.Type.Bits() != 32 && r.Type.Bits() != 64) {
			c.mismatch(o, fmt.Sprintf("`%s` is a .%s register; an address is needed here", r.Name, r.Type))
		}
	case OperandVar, OperandInt:
	default:
		c.mismatch(o, "an address is needed here")
	}
}

// fitSymbol takes the address of an article's operator: a register, parameter or variable, bare or in brackets.
func (c *checker) fitSymbol(o *Operand) {
	if o.Kind == OperandAddress {
		return
	}
	c.fitPointer(o)
}

func (c *checker) fitOpaque(o *Operand) {
	switch o.Kind {
	case OperandReg:
		if r, ok := c.register(o); ok && !fits(r.Type, U64) {
			c.mismatch(o, fmt.Sprintf("`%s` is a .%s register; a texture, sampler or surface is needed here", r.Name, r.Type))
		}
	case OperandVar:
	default:
		c.mismatch(o, "a texture, sampler or surface is needed here")
	}
}

// fitOffset takes the offset and gradient vectors of the texture instructions.
func (c *checker) fitOffset(o *Operand, a *argument) {
	switch o.Kind {
	case OperandVector:
		for i := range o.List {
			e := &o.List[i]
			r, ok := c.register(e)
			if e.Kind == OperandSink || ok && r.Type.Float() != (a.kind == argGradient) && r.Type.Kind() != KindBits {
				c.mismatch(e, "this can't be an element here")
				return
			}
		}
	case OperandReg:
		if r, ok := c.register(o); ok && r.Vec == 0 && r.Type.Bits() != 32 {
			c.mismatch(o, "a vector is needed here")
		}
	default:
		c.mismatch(o, "a vector is needed here")
	}
}

// fitAddress compares an address operand with the space that the instruction, or this place of it, works on.
func (c *checker) fitAddress(o *Operand, a *argument) {
	if a.space == "tensor" || a.space == "tex" || a.space == "surf" {
		if o.Kind != OperandTensor && o.Kind != OperandAddress {
			c.mismatch(o, "an operand in brackets is needed here")
			return
		}
		if a.space == "tensor" && (o.Kind != OperandTensor || len(o.List) != 1) {
			c.mismatch(o, "[tensorMap, {coordinates}] is needed here")
			return
		}
	} else if o.Kind != OperandAddress {
		c.mismatch(o, "an address in brackets is needed here")
		return
	}
	space := SpaceGeneric
	switch a.space {
	case "":
		space = c.in.Space()
	case "global":
		space = SpaceGlobal
	case "shared":
		space = SpaceShared
		if !c.in.Has(ModShared) && !c.in.Has(ModSharedCTA) && !c.in.Has(ModSharedCluster) {
			space = SpaceGeneric
		}
	case "tensormap":
		space = c.in.Space()
	}
	if o.Var != nil {
		c.fitVariable(o, a, space)
		return
	}
	if o.Reg < 0 {
		if space != SpaceLocal || o.Func != nil {
			c.fail(o.Pos, CodeAddressSpace, "an address needs a register or a variable", "only .local has absolute addresses")
		}
		return
	}
	if c.function == nil || int(o.Reg) >= len(c.function.Regs) {
		return
	}
	r := c.function.Regs[o.Reg]
	switch {
	case r.Vec > 0 && o.Part < 0, r.Type.Float() && r.Type != F16x2, r.Type == Pred, r.Type.Bits() == 128:
		c.fail(o.Pos, CodeAddressSpace, fmt.Sprintf("`%s` is a .%s register; an address is a 64-bit integer", r.Name, r.Type), "")
	case r.Type.Bits() < 32 && a.space != "tmem":
		c.warn(o.Pos, CodeAddressSpace, fmt.Sprintf("the address `%s` is a .%s register", r.Name, r.Type), "an address is a 64-bit integer")
	case a.space == "tmem":
		if r.Type.Bits() != 32 || r.Type == S32 {
			c.fail(o.Pos, CodeArgument, fmt.Sprintf("`%s` is a .%s register; an address of tensor memory is a 32-bit integer", r.Name, r.Type), "")
		}
	case r.Type.Bits() == 32 && (space == SpaceGlobal || space == SpaceGeneric) && c.in.Op != OpLdmatrix && c.in.Op != OpStmatrix && c.in.Op != OpStAsync:
		c.fail(o.Pos, CodeTarget, fmt.Sprintf("`%s` is a 32-bit address; the %s space has 64-bit addresses", r.Name, space), "32-bit code is not supported since PTX 9.0's assembler")
	}
}

// fitVariable compares the variable of an address with the space: a generic address may be that of a global, shared or local one.
func (c *checker) fitVariable(o *Operand, a *argument, space Space) {
	have := o.Var.Space
	opaque := o.Var.Type.Kind() == KindOpaque
	var ok bool
	switch {
	case a.space == "tex" || a.space == "surf":
		ok = opaque
	case a.space == "tensor":
		ok = have == SpaceGlobal || have == SpaceConst || have == SpaceParam || have == SpaceShared || have == SpaceLocal
	case a.space == "tmem":
		ok = false
	case opaque:
		ok = false
	case a.space == "tensormap" && space == SpaceGeneric:
		ok = true
	case space == SpaceGeneric && a.space == "shared":
		ok = have == SpaceShared
	case space == SpaceGeneric:
		ok = have == SpaceGlobal || have == SpaceShared || have == SpaceLocal
	default:
		ok = have == space
	}
	if o.Reg >= 0 { // a variable's address plus a register: not in PTX
		ok = false
	}
	if ok && have == SpaceParam && c.function != nil {
		switch {
		case c.in.Op == OpSt && contains(c.function.Params, o.Var):
			c.fail(o.Pos, CodeAddressSpace, "`"+o.Var.Name+"` is an input parameter; it can't be written", "")
		case c.in.Op == OpLd && contains(c.function.Results, o.Var):
			c.fail(o.Pos, CodeAddressSpace, "`"+o.Var.Name+"` is a result parameter; it can't be read", "")
		}
	}
	if !ok {
		c.fail(o.Pos, CodeAddressSpace, fmt.Sprintf("`%s` is a .%s variable; it can't be addressed here as .%s", o.Var.Name, have, space), "")
	}
}

// twice returns the integer type of double width.
func twice(t Type) Type {
	switch t {
	case U16:
		return U32
	case S16:
		return S32
	case U32:
		return U64
	case S32:
		return S64
	}
	return t
}

// registerBits is the width of the register that holds a value of the type.
func registerBits(t Type) int {
	switch t {
	case E2M3, E3M2, E2M1:
		return 8
	}
	return t.Bits()
}

// fits reports whether a register of type r may stand where an instruction wants type t: the same size and the same
// type, or two integers, or one of them untyped. Packed and 16-bit brain floats live in untyped registers only. A .f16x2 register
// passes for all that is no float, and, oddly, for a predicate of the untyped instructions.
func fits(r, t Type) bool {
	if r == t {
		return true
	}
	if t == Pred {
		return r == F16x2
	}
	if r == Pred || r.Bits() != registerBits(t) {
		return false
	}
	switch {
	case r == F16x2:
		return !t.Float()
	case t.Kind() == KindBits:
		return true
	case t == U16x2 || t == S16x2:
		return r.Kind() == KindBits || r.Integer()
	case t.Integer():
		return r.Integer() || r.Kind() == KindBits
	}
	return r.Kind() == KindBits
}

// fitsLoosely adds what ld, st and cvt allow: a register wider than the type.
func fitsLoosely(r, t Type) bool {
	if r == Pred || r.Bits() <= registerBits(t) {
		return false
	}
	switch {
	case t.Kind() == KindBits:
		return true
	case t.Integer():
		return r.Integer() || r.Kind() == KindBits || r == F16x2
	}
	return r.Kind() == KindBits
}
