package isa

import (
	"fmt"
	"strings"
)

// Problem is one thing that Check finds wrong with an instruction.
type Problem struct {
	Pos     Pos
	Msg     string
	Hint    string
	Section string // of the PTX ISA, or ""
	Warning bool
	Code    string // the kind of mistake, one of the Code constants
}

// The kinds of mistakes, named as in the assembler's verdicts that the table is measured against.
const (
	CodeUnknownInstruction = "unknown-instruction"
	CodeModifiers          = "illegal-modifier-combination"
	CodeType               = "type"
	CodeArgument           = "argument-mismatch"
	CodeAddressSpace       = "address-space"
	CodeRange              = "range"
	CodeVersion            = "version-too-low"
	CodeTarget             = "target-too-low"
	CodeLenient            = "lenient"    // accepted with a warning; the assembler refuses it
	CodeDeprecated         = "deprecated" // accepted with a warning, by the assembler too
)

// Check compares an instruction with its row of the table: modifiers, types, operands, state spaces, ranges, and the
// version and target that the module declares. It answers nothing for a correct one, and one Problem for most wrong ones.
func Check(m *Module, f *Func, in *Inst) []Problem {
	if in.Op == OpNone || in.Op >= NumOpcodes {
		return []Problem{{Pos: in.OpPos, Msg: "not an instruction", Code: CodeUnknownInstruction}}
	}
	c := checker{module: m, function: f, in: in, row: &rows[in.Op]}
	c.checkForms()
	if len(c.problems) == 0 {
		c.checkSince()
	}
	c.problems = append(c.problems, c.warnings...)
	if f != nil && in.Guard.Reg != NoReg && int(in.Guard.Reg) < len(f.Regs) && in.Guard.Reg >= 0 && f.Regs[in.Guard.Reg].Type != Pred {
		c.problems = append(c.problems, Problem{Pos: in.Pos, Code: CodeArgument,
			Msg: "the guard `" + f.Regs[in.Guard.Reg].Name + "` is no predicate but a ." + f.Regs[in.Guard.Reg].Type.String()})
	}
	return c.problems
}

// checker holds one instruction while it is checked.
type checker struct {
	module   *Module
	function *Func
	in       *Inst
	row      *Row
	form     *form
	problem  *Problem  // the first thing wrong with the form being tried
	warnings []Problem // what is accepted, but doubtful, if the form fits
	problems []Problem
}

// fail notes what is wrong with the form being tried; the first note stands.
func (c *checker) fail(pos Pos, code, msg, hint string) {
	if c.problem == nil {
		c.problem = &Problem{Pos: pos, Code: code, Msg: msg, Hint: hint}
	}
}

// warn notes what the assembler accepts with a warning.
func (c *checker) warn(pos Pos, code, msg, hint string) {
	c.warnings = append(c.warnings, Problem{Pos: pos, Code: code, Msg: msg, Hint: hint, Warning: true, Section: c.row.section(c.form.line)})
}

// failf is fail for the instruction as a whole, without a hint.
func (c *checker) failf(code, format string, args ...any) {
	c.fail(c.in.OpPos, code, fmt.Sprintf(format, args...), "")
}

// checkForms tries the syntax lines of the opcode. One that fits in every way makes the instruction correct; else the
// one that got furthest says what is wrong.
func (c *checker) checkForms() {
	forms := formsOf(c.in.Op)
	if len(forms) == 0 {
		return
	}
	var best *Problem
	bestReach, fits := -1, false
	for i := range forms {
		c.form = &forms[i]
		if _, ok := c.form.fitWords(c.in.Mods, c.in.Types); !ok {
			continue
		}
		fits = true
		c.problem, c.warnings = nil, nil
		reach := c.fitArguments()
		if c.problem == nil {
			reach = 1000
			if c.form.line.Rule != nil {
				c.form.line.Rule(c)
			}
			if c.row.Rule != nil {
				c.row.Rule(c)
			}
		}
		if c.problem == nil {
			if reason := c.form.line.Lenient; reason != "" {
				c.warn(c.in.OpPos, CodeLenient, "`"+c.in.Spelling()+"` is no PTX", reason)
			}
			return
		}
		if reach > bestReach {
			best, bestReach = c.problem, reach
			best.Section = c.row.section(c.form.line)
		}
	}
	if !fits {
		best = c.explainWords(forms)
	}
	c.problems, c.warnings = append(c.problems, *best), nil
}

// explainWords says why no syntax line takes the instruction's modifiers and types: a word that no line has, else what
// is wrong with the line that was probably meant.
func (c *checker) explainWords(forms []form) *Problem {
	name := c.in.Op.String()
	problem := func(code, msg, hint string, f *form) *Problem {
		return &Problem{Pos: c.in.OpPos, Code: code, Msg: msg, Hint: hint, Section: c.row.section(f.line)}
	}
	if len(c.in.Types) == 0 && !anyForm(forms, func(f *form) bool { return len(f.types) == 0 || f.types[0].optional }) {
		return problem(CodeType, "`"+name+"` lacks a type", typesHint(forms), &forms[0])
	}
	for _, m := range c.in.Mods {
		if !anyForm(forms, func(f *form) bool { return f.hasMod(m, true) }) {
			return problem(CodeModifiers, "`"+name+"` has no modifier `"+dotted(m.String())+"`", c.syntaxHint(forms), &forms[0])
		}
	}
	for _, t := range c.in.Types {
		if !anyForm(forms, func(f *form) bool { return f.hasType(t) }) {
			return problem(CodeType, "`"+name+"` has no type `."+t.String()+"`", typesHint(forms), &forms[0])
		}
	}
	best, bestWeight := 0, 1<<30
	var reason misfit
	for i := range forms {
		bad, _ := forms[i].fitWords(c.in.Mods, c.in.Types)
		weight := bad.weight()
		if bad.strange != ModNone && anyForm(forms, func(f *form) bool { return f.hasMod(bad.strange, false) }) {
			weight += 4 // a word that other lines need, such as the operation, was surely meant
		}
		if weight < bestWeight {
			best, bestWeight, reason = i, weight, bad
		}
	}
	f := &forms[best]
	hint := "syntax: " + f.line.Syntax
	switch {
	case reason.twice != ModNone:
		return problem(CodeModifiers, "`"+dotted(reason.twice.String())+"` stands twice", hint, f)
	case reason.strange != ModNone:
		return problem(CodeModifiers, "`"+dotted(reason.strange.String())+"` does not go with the rest of this `"+name+"`", hint, f)
	case reason.badType != TypeNone:
		return problem(CodeType, "type `."+reason.badType.String()+"` does not go with this `"+name+"`", hint, f)
	case reason.missing != nil:
		return problem(CodeModifiers, "`"+name+"` needs "+oneOfMods(reason.missing.mods)+" here", hint, f)
	}
	return problem(CodeType, "`"+name+"` lacks a type", typesHint(forms), f)
}

// hasMod reports whether the form has a slot for the modifier; optional slots count if optional is true.
func (f *form) hasMod(m Mod, optional bool) bool {
	for i := range f.mods {
		if s := &f.mods[i]; (optional || !s.optional) && contains(s.mods, m) {
			return true
		}
	}
	return false
}

// hasType reports whether the form has a slot for the type.
func (f *form) hasType(t Type) bool {
	for i := range f.types {
		if contains(f.types[i].types, t) {
			return true
		}
	}
	return false
}

func anyForm(forms []form, holds func(*form) bool) bool {
	for i := range forms {
		if holds(&forms[i]) {
			return true
		}
	}
	return false
}

// syntaxHint shows the only syntax line, or nothing where there are several.
func (c *checker) syntaxHint(forms []form) string {
	if len(forms) == 1 {
		return "syntax: " + forms[0].line.Syntax
	}
	return ""
}

// typesHint lists the types that the first type of the opcode may be.
func typesHint(forms []form) string {
	var names []string
	seen := map[Type]bool{}
	for i := range forms {
		if len(forms[i].types) == 0 {
			continue
		}
		for _, t := range forms[i].types[0].types {
			if !seen[t] {
				seen[t] = true
				names = append(names, "."+t.String())
			}
		}
	}
	if len(names) == 0 {
		return "it takes none"
	}
	return "types: " + strings.Join(names, " ")
}

func oneOfMods(mods []Mod) string {
	var names []string
	for i, m := range mods {
		if i == 6 {
			names = append(names, "...")
			break
		}
		names = append(names, "`"+dotted(m.String())+"`")
	}
	if len(names) == 1 {
		return names[0]
	}
	return "one of " + strings.Join(names, " ")
}

// fitArguments compares the operands with the form's arguments. It leaves the first misfit in c.problem and returns
// how many operands fitted.
func (c *checker) fitArguments() int {
	reach, best := 0, (*Problem)(nil)
	var try func(op, arg int) bool
	note := func(at int) bool {
		if best == nil || at > reach {
			reach, best = at, c.problem
		}
		c.problem = nil
		return false
	}
	operands, args := c.in.Operands, c.form.args
	try = func(op, arg int) bool {
		if arg == len(args) {
			if op == len(operands) {
				return true
			}
			c.fail(operands[op].Pos, CodeArgument, fmt.Sprintf("`%s` takes %s here, not %d", c.in.Op, plural(op, "operand"), len(operands)), "syntax: "+c.form.line.Syntax)
			return note(op)
		}
		a := &args[arg]
		present := a.onlyIf == ModNone || c.in.Has(a.onlyIf)
		if present && !(a.kind == argIm2col && c.im2colCount() == 0) {
			if op < len(operands) {
				c.fitArgument(&operands[op], a)
				if c.problem == nil {
					if try(op+1, arg+1) {
						return true
					}
				} else {
					note(op)
				}
			} else if !a.optional {
				c.fail(c.in.OpPos, CodeArgument, fmt.Sprintf("`%s` lacks an operand", c.in.Op), "syntax: "+c.form.line.Syntax)
				return note(op)
			}
			if !a.optional {
				return false
			}
		}
		return try(op, arg+1)
	}
	if try(0, 0) {
		c.problem = nil
		return len(operands)
	}
	c.problem = best
	return reach
}

func plural(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
