package star

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
)

// Error is a mistake in a host program, or a fault of a kernel that it ran, with its place and the calls that led to it.
type Error struct {
	Problem *machine.Problem
	Stack   []string // the calls, innermost first: grad.star:20:1 in distributed_grad_sync
	Cause   error
}

// Error prints file:line:col, the source line with a caret, and the call stack.
func (e *Error) Error() string { return e.Problem.Error() + e.CallStack() }

// Place is file:line:col.
func (e *Error) Place() string { return e.Problem.Source.At(e.Problem.Pos) }

// CallStack prints the calls, a line each with a line break before it; "" at the top level.
func (e *Error) CallStack() string {
	var b strings.Builder
	for _, call := range e.Stack {
		b.WriteString("\n    called from " + call)
	}
	return b.String()
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
	out := &Error{Cause: err.Unwrap()}
	var inner *Error
	if errors.As(out.Cause, &inner) { // of a file that this one loads
		out = inner
	}
	stack := err.CallStack
	for i := len(stack) - 1; i >= 0; i-- {
		frame := stack[i]
		if p.files[frame.Pos.Filename()] == nil {
			continue
		}
		if out.Problem == nil {
			out.Problem = p.problem(frame.Pos, message(err), err)
			continue
		}
		pos := p.caret(frame.Pos)
		call := fmt.Sprintf("%s:%d:%d", pos.Filename(), pos.Line, pos.Col)
		if frame.Name != topLevel {
			call += " in " + frame.Name
		}
		out.Stack = append(out.Stack, call)
	}
	if out.Problem == nil {
		return err
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
