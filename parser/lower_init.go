package parser

import (
	"math"

	"github.com/tollgate-sim/tollgate/isa"
)

// initialise fills Var.Init from the braces: rows of the array one after another, missing elements left out.
func (l *lowering) initialise(v *isa.Var, init *initialiser) {
	fail := func(at *initialiser, code, message string) {
		l.errorIn(code, at.Pos, at.End, message, "")
	}
	switch {
	case v.Linkage == isa.LinkExtern:
		fail(init, codeOther, "an .extern variable has no initial value here")
		return
	case v.Space != isa.SpaceGlobal && v.Space != isa.SpaceConst && v.Type.Kind() != isa.KindOpaque:
		fail(init, codeSpace, "only .global and .const variables have initial values")
		return
	case v.Type.Kind() == isa.KindOpaque:
		return // properties of a texture or sampler
	}
	dims := v.Dims
	if v.Vec > 0 {
		dims = append(append([]int(nil), dims...), int(v.Vec))
	}
	if len(dims) > 0 && dims[0] == 0 {
		open := make([]int, len(dims))
		copy(open, dims)
		open[0] = len(init.List)
		dims = open
		v.Dims = append([]int(nil), dims[:len(v.Dims)]...)
		v.Size = elementBytes(v)
		for _, n := range v.Dims {
			v.Size *= n
		}
	}
	size := v.Type.Bytes()
	var fill func(at *initialiser, dims []int, offset int) bool
	fill = func(at *initialiser, dims []int, offset int) bool {
		if !at.Braced {
			if len(dims) > 0 {
				fail(at, codeSyntax, "expected `{`: `"+v.Name+"` is an array")
				return false
			}
			e, ok := l.element(v, at, offset)
			if ok && (e.Bits != 0 || e.Var != nil || e.Func != nil) {
				v.Init = append(v.Init, e)
			}
			return ok
		}
		if len(dims) == 0 {
			fail(at, codeSyntax, "more braces than `"+v.Name+"` has dimensions")
			return false
		}
		if len(at.List) > dims[0] {
			fail(&at.List[dims[0]], codeRange, "more values than `"+v.Name+"` has elements")
			return false
		}
		stride := size
		for _, n := range dims[1:] {
			stride *= n
		}
		for i := range at.List {
			if !fill(&at.List[i], dims[1:], offset+i*stride) {
				return false
			}
		}
		return true
	}
	fill(init, dims, 0)
}

// element converts one value to the type of the variable, or resolves its symbol.
func (l *lowering) element(v *isa.Var, at *initialiser, offset int) (isa.InitItem, bool) {
	e := isa.InitItem{Offset: offset, Size: v.Type.Bytes()}
	if at.Symbol != "" {
		sym := l.globals.find(at.Symbol)
		switch {
		case sym == nil:
			l.errorIn(codeUndefined, at.Pos, at.End, "`"+at.Symbol+"` is not declared before this initialiser", didYouMean(at.Symbol, l.globals.visible()))
			return e, false
		case sym.Func != nil && at.Generic:
			l.errorIn(codeArgument, at.Pos, at.End, "`"+at.Symbol+"` is a function: generic() takes variables", "")
			return e, false
		case sym.Var != nil && sym.Var.Space != isa.SpaceGlobal && sym.Var.Space != isa.SpaceConst:
			l.errorIn(codeSpace, at.Pos, at.End, "`"+at.Symbol+"` is ."+sym.Var.Space.String()+": its address differs for each block", "")
			return e, false
		case v.Type.Float():
			l.errorIn(codeType, at.Pos, at.End, "an address does not fit type ."+v.Type.String(), "")
			return e, false
		}
		e.Var, e.Func, e.Generic, e.Bits = sym.Var, sym.Func, at.Generic, at.Const.Bits
		if at.Masked {
			e.Mask = at.Mask
		}
		return e, true
	}
	bits, ok := constantAs(at.Const, v.Type)
	if !ok {
		what := "an integer"
		if at.Const.Float {
			what = "a floating constant"
		}
		l.errorIn(codeType, at.Pos, at.End, what+" does not fit type ."+v.Type.String(), "")
	}
	e.Bits = bits
	return e, ok
}

// constantAs converts a constant to the bits of a variable of the type. Integers are cut to its width.
func constantAs(c constant, t isa.Type) (uint64, bool) {
	if !c.Float {
		if t.Float() {
			return 0, c.Bits == 0
		}
		if n := t.Bits(); n < 64 {
			return c.Bits & (1<<n - 1), true
		}
		return c.Bits, true
	}
	switch {
	case t == isa.F64:
		return math.Float64bits(c.value()), true
	case t == isa.F32:
		if c.Single {
			return c.Bits, true
		}
		return uint64(math.Float32bits(float32(c.value()))), true
	case t.Kind() == isa.KindBits && (c.Single && t.Bits() == 32 || !c.Single && t.Bits() == 64):
		return c.Bits, true
	}
	return 0, false
}
