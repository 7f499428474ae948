package star

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// Error is a mistake in a host program, or a fault of a kernel that it ran, with its place and the calls that led to it.
type Error struct {
	Problem *machine.Problem
	Stack   []string // the calls, innermost first: grad.star:20:1 in distributed_grad_sync
	Cause   error
	// Of a fault, for which Problem is nil at the end of the program: the launch of its kernel and the calls that led to
	// it, where only one call launches that kernel, and what would help.
	Launched []string
	Hint     string
}

// Error prints file:line:col, the source line with a caret, and the call stack.
func (e *Error) Error() string {
	if e.Problem == nil {
		return e.Cause.Error() + e.CallStack()
	}
	return e.Problem.Error() + e.CallStack()
}

// CallStack prints the calls, a line each with a line break before it; "" for a mistake at the top level.
func (e *Error) CallStack() string {
	var b strings.Builder
	if _, fault := host.AsFault(e.Cause); fault {
		for i, call := range e.Launched {
			b.WriteString(choose(i == 0, "\n    launched by ", "\n    called from ") + call)
		}
		if e.Problem != nil {
			b.WriteString("\n    waited for by " + e.Problem.Source.At(e.Problem.Pos))
		}
	}
	for _, call := range e.Stack {
		b.WriteString("\n    called from " + call)
	}
	if e.Hint != "" {
		b.WriteString("\n    hint: " + e.Hint)
	}
	return b.String()
}

func choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// launchCall is a place in the program that launches an entry.
type launchCall struct {
	kernel string
	calls  []string // the place, then the calls that led to it
	cards  []int    // narrowed to these, without a group, and operators are reached
}

// launched notes a launch for the faults to come.
func (p *program) launched(c *call, l *vm.Launch) {
	at := p.calls(c.thread.CallStack())
	for _, known := range p.launches {
		if known.kernel == l.Entry.Name && slices.Equal(known.calls, at) {
			return
		}
	}
	call := launchCall{kernel: l.Entry.Name, calls: at}
	if l.Cards != nil && l.Group == nil {
		call.cards = l.Cards
	}
	p.launches = append(p.launches, call)
}

// fault adds to an error that is a kernel's fault which launch it came from.
func (p *program) fault(err error) error {
	fault, ok := host.AsFault(err)
	if !ok {
		return err
	}
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Cause: err}
	}
	var of []launchCall
	for _, l := range p.launches {
		if l.kernel == fault.Kernel {
			of = append(of, l)
		}
	}
	if len(of) == 1 {
		e.Launched = of[0].calls
	}
	for _, l := range p.launches {
		if fault.Kind == "deadlock" && l.cards != nil && e.Hint == "" {
			cards := strings.ReplaceAll(fmt.Sprint(l.cards), " ", ", ")
			e.Hint = fmt.Sprintf("%s is launched on cards %s and waits for all cards of the machine; group = %s makes it wait for these alone", l.kernel, cards, cards)
		}
	}
	return e
}

// calls prints the program's own calls of a stack, innermost first.
func (p *program) calls(stack starlark.CallStack) []string {
	var calls []string
	for i := len(stack) - 1; i >= 0; i-- {
		frame := stack[i]
		if p.files[frame.Pos.Filename()] == nil {
			continue
		}
		pos := p.caret(frame.Pos)
		call := fmt.Sprintf("%s:%d:%d", pos.Filename(), pos.Line, pos.Col)
		if frame.Name != topLevel {
			call += " in " + frame.Name
		}
		calls = append(calls, call)
	}
	return calls
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// hint is an error that says what to write instead.
type hint struct {
	text, hint string
}

func (h *hint) Error() string { return h.text }

func hinted(what, format string, a ...any) error {
	return &hint{text: fmt.Sprintf(format, a...), hint: what}
}

// mostErrors is how many mistakes of a file are printed.
const mostErrors = 20

// explain gives an error of the interpreter its place in our form.
func (p *program) explain(err error) error {
	var list resolve.ErrorList
	var syntaxError syntax.Error
	var evalError *starlark.EvalError
	switch {
	case errors.As(err, &list):
		var all machine.Problems
		for _, e := range list[:min(len(list), mostErrors)] {
			all = append(all, p.problem(e.Pos, e.Msg, nil))
		}
		if more := len(list) - mostErrors; more > 0 {
			return fmt.Errorf("%w\n%d more errors", all, more)
		}
		return all
	case errors.As(err, &syntaxError):
		return p.problem(syntaxError.Pos, syntaxError.Msg, nil)
	case errors.As(err, &evalError):
		return p.evalError(evalError)
	}
	return err
}

// evalError places an error at the innermost call of the program's own text.
func (p *program) evalError(err *starlark.EvalError) error {
	for { // a function that a call of ours calls, as per_card does
		var deeper *starlark.EvalError
		if !errors.As(err.Unwrap(), &deeper) {
			break
		}
		err = deeper
	}
	calls := p.calls(err.CallStack)
	if len(calls) == 0 {
		return err
	}
	var inner *Error
	if errors.As(err.Unwrap(), &inner) { // of a file that this one loads
		inner.Stack = append(inner.Stack, calls...)
		return inner
	}
	out := &Error{Cause: err.Unwrap(), Stack: calls[1:]}
	for i := len(err.CallStack) - 1; i >= 0 && out.Problem == nil; i-- {
		if frame := err.CallStack[i]; p.files[frame.Pos.Filename()] != nil {
			out.Problem = p.problem(frame.Pos, message(err), err)
		}
	}
	return out
}

// topLevel is what the interpreter calls code outside functions.
const topLevel = "<toplevel>"

// message is an error's text without what its place says already.
func message(err *starlark.EvalError) string {
	if fault, _, found := strings.Cut(err.Msg, "\n"); found {
		return fault
	}
	return err.Msg
}

// problem is a mistake at a place of the interpreter's.
func (p *program) problem(pos syntax.Position, text string, err error) *machine.Problem {
	problem := &machine.Problem{Text: text}
	var h *hint
	if errors.As(err, &h) {
		problem.Hint = h.hint
	}
	pos = p.caret(pos)
	f := p.files[pos.Filename()]
	if f == nil {
		f = &file{source: isa.NewSource(pos.Filename(), "")}
	}
	problem.Source, problem.Pos = f.source, offset(f.source, pos)
	return problem
}

// caret moves a call's place from its parenthesis to the name of what is called.
func (p *program) caret(pos syntax.Position) syntax.Position {
	if f := p.files[pos.Filename()]; f != nil {
		if name, ok := f.carets[placeOf(pos)]; ok {
			return name
		}
	}
	return pos
}

// offset finds a line and column in a text.
func offset(source *isa.Source, pos syntax.Position) isa.Pos {
	at := 0
	for range pos.Line - 1 {
		end := strings.IndexByte(source.Text[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
	for range pos.Col - 1 {
		if at >= len(source.Text) || source.Text[at] == '\n' {
			break
		}
		_, size := utf8.DecodeRuneInString(source.Text[at:])
		at += size
	}
	return isa.Pos(at)
}

// Limits of a program's text, so that no text can exhaust the stack of the parser.
const (
	maxText    = 1 << 18 // bytes
	maxNesting = 200     // brackets
)

// checkText refuses what is beyond the limits.
func checkText(source *isa.Source) error {
	if len(source.Text) > maxText {
		return &machine.Problem{Source: source, Text: fmt.Sprintf("a host program has at most %d bytes, this one %d", maxText, len(source.Text))}
	}
	depth := 0
	for i, c := range []byte(source.Text) {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		}
		if depth > maxNesting {
			return &machine.Problem{Source: source, Pos: isa.Pos(i), Text: fmt.Sprintf("brackets nested more than %d deep", maxNesting)}
		}
	}
	return nil
}
