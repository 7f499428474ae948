package isa

import "fmt"

// signature is what a callee takes and gives.
type signature struct {
	name    string
	params  []*Var
	results []*Var
}

// callRule compares the arguments of a call with the callee: their number, their size class, arrays exactly. An entry
// that the article calls like a function (D6) takes its arguments as they come.
func callRule(c *checker) {
	var results, arguments []Operand
	var callees []signature
	direct := false
	for i := range c.in.Operands {
		o := &c.in.Operands[i]
		switch o.Kind {
		case OperandList:
			if len(callees) == 0 && !direct && i == 0 {
				results = o.List
			} else {
				arguments = o.List
			}
		case OperandFunc:
			if o.Func == nil || o.Func.Entry {
				return
			}
			direct = true
			callees = append(callees, signature{o.Func.Name, o.Func.Params, o.Func.Results})
		case OperandTable:
			if o.Proto != nil {
				callees = append(callees, signature{o.Proto.Name, o.Proto.Params, o.Proto.Results})
			}
			if o.Table != nil {
				for _, f := range o.Table.Funcs {
					callees = append(callees, signature{f.Name, f.Params, f.Results})
				}
			}
		}
	}
	c.checkCallMinima(results, arguments)
	for _, s := range callees {
		c.fitList(s.name, "argument", arguments, s.params)
		c.fitList(s.name, "result", results, s.results)
	}
}

// fitList compares the arguments or results of a call with the callee's.
func (c *checker) fitList(callee, what string, have []Operand, want []*Var) {
	variadic := len(want) > 0 && len(want[len(want)-1].Dims) > 0 && want[len(want)-1].Size == 0
	if len(have) != len(want) && !(variadic && len(have) >= len(want)-1) {
		c.failf(CodeArgument, "`%s` has %s, not %d", callee, plural(len(want), what), len(have))
		return
	}
	for i := range have {
		if i < len(want) && !(variadic && i == len(want)-1) {
			c.fitParameter(&have[i], want[i], what == "result")
		}
	}
}

// fitParameter compares one argument or result with the parameter that it stands for.
func (c *checker) fitParameter(o *Operand, p *Var, result bool) {
	wrong := func(is string) {
		c.fail(o.Pos, CodeType, fmt.Sprintf("%s can't stand for `%s`, a .%s", is, p.Name, p.Type), "")
	}
	switch o.Kind {
	case OperandVar:
		if o.Var.Space != SpaceParam {
			return
		}
		if c.function != nil && c.function.Entry && contains(c.function.Params, o.Var) {
			c.fail(o.Pos, CodeAddressSpace, "`"+o.Var.Name+"` is a parameter of the entry; a call takes variables of its own", "copy it with ld.param and st.param")
			return
		}
		if len(p.Dims) > 0 || len(o.Var.Dims) > 0 {
			if len(p.Dims) == 0 || len(o.Var.Dims) == 0 || o.Var.Size != p.Size || o.Var.Align != p.Align {
				wrong(fmt.Sprintf("`%s` of %d bytes aligned to %d", o.Var.Name, o.Var.Size, o.Var.Align))
			}
		} else if o.Var.Type.Bits() != p.Type.Bits() || o.Var.Vec != p.Vec {
			wrong(fmt.Sprintf("`%s`, a .%s,", o.Var.Name, o.Var.Type))
		}
	case OperandReg:
		if r, ok := c.register(o); ok && r.Vec == 0 && p.Vec == 0 && (len(p.Dims) > 0 || !fits(r.Type, p.Type)) {
			wrong(fmt.Sprintf("`%s`, a .%s register,", r.Name, r.Type))
		}
	case OperandInt:
		if result || p.Type.Float() {
			wrong("an integer constant")
		}
	case OperandFloat:
		if result || p.Type.Integer() {
			wrong("a floating constant")
		}
	}
}

// checkCallMinima: .param arguments and calls through a register exist since PTX 2.0 and 2.1, on sm_20.
func (c *checker) checkCallMinima(lists ...[]Operand) {
	need := Version{1, 0}
	for _, list := range lists {
		for i := range list {
			if list[i].Kind == OperandVar && list[i].Var.Space == SpaceParam {
				need = Version{2, 0}
			}
		}
	}
	for i := range c.in.Operands {
		if c.in.Operands[i].Kind == OperandTable {
			need = Version{2, 1}
		}
	}
	if need.Major < 2 {
		return
	}
	if c.target().number < 20 {
		c.failf(CodeTarget, "this call needs PTX %d.%d and sm_20", need.Major, need.Minor)
	} else if c.version().Less(need) {
		c.failf(CodeVersion, "this call needs PTX %d.%d and sm_20", need.Major, need.Minor)
	}
}
