// Package star runs host programs: what a CUDA program does on the host, in Starlark. A program makes a machine,
// loads PTX, makes buffers, launches entries on streams and says what must come out.
//
// Functions is the whole vocabulary, each word with an example; `tollgate help host` prints it.
package star

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/lib/json"
	"go.starlark.net/lib/math"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// Request is one run of a host program.
type Request struct {
	Path string
	// Files is the file system that Path and all that the program names are in; nil: the host's.
	Files fs.FS
	Load  host.LoadModule
	// Options are the settings of every machine that the program makes. Machine overrides the program's choice; with
	// Silent set the silent runs are left out unless the program asks for a result.
	Options vm.Options
	// Set gives values to the program's parameters, by name.
	Set            map[string]string
	Prints, Dumps  []string // --print and --dump
	MaxSteps       uint64   // of the Starlark interpreter; 0: no bound
	MaxBytes       int64    // of a machine's buffers, over all cards; 0: host.MaxRunBytes
	OutcomeOnError bool     // an error of the program comes with the outcome up to it, as a fault always does
}

// options of the language: top-level control flow, reassignment, while and sets; no recursion, which could exhaust the
// stack of this process.
var language = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}

// Run runs a program to its end. An error is an *Error with its place and call stack; what a kernel did wrong is a
// *vm.Fault inside it and comes with the outcome up to it.
func Run(ctx context.Context, req Request) (*host.Outcome, error) {
	p := newProgram(ctx, req)
	_, err := p.file(req.Path)
	if err == nil {
		err = p.finish()
	}
	if err == nil {
		err = p.unknownParams()
	}
	err = p.fault(err)
	_, fault := host.AsFault(err)
	if !fault && ctx.Err() != nil {
		err = ctx.Err() // whatever it stopped
	}
	if err != nil && !fault && !errors.Is(err, context.Canceled) && !req.OutcomeOnError {
		return nil, err
	}
	out, outcomeErr := p.outcome(err == nil)
	if err == nil {
		err = outcomeErr
	}
	return out, err
}

// program is a program on its way.
type program struct {
	ctx      context.Context
	req      Request
	thread   *starlark.Thread
	words    starlark.StringDict
	files    map[string]*file
	modules  map[string]*module
	nodes    []*node
	params   []host.Setting
	metrics  []host.Setting
	checks   checks
	launches []launchCall
	stdout   bytes.Buffer
	out      io.Writer
	title    string
}

// file is a Starlark file that has been read.
type file struct {
	name    string
	source  *isa.Source
	names   map[place]string // of the variables that calls are assigned to
	carets  map[place]syntax.Position
	globals starlark.StringDict
	loading bool
}

func newProgram(ctx context.Context, req Request) *program {
	p := &program{ctx: ctx, req: req, files: map[string]*file{}, modules: map[string]*module{}}
	p.out = &p.stdout
	if req.Options.Stdout != nil {
		p.out = io.MultiWriter(&p.stdout, req.Options.Stdout)
	}
	p.words = starlark.StringDict{
		"struct": starlark.NewBuiltin("struct", starlarkstruct.Make),
		"math":   math.Module,
		"json":   json.Module,
	}
	for name, f := range freeFunctions {
		p.words[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return f(&call{program: p, thread: thread, name: name, args: args, kwargs: kwargs})
		})
	}
	return p
}

// newThread makes a thread of the interpreter that stops with the context.
func (p *program) newThread(name string) (*starlark.Thread, func()) {
	thread := &starlark.Thread{
		Name:  name,
		Print: func(_ *starlark.Thread, text string) { fmt.Fprintln(p.out, text) },
		Load: func(thread *starlark.Thread, name string) (starlark.StringDict, error) {
			return p.file(p.beside(thread.CallFrame(0).Pos.Filename(), name))
		},
	}
	if p.req.MaxSteps > 0 {
		thread.SetMaxExecutionSteps(p.req.MaxSteps)
	}
	stop := context.AfterFunc(p.ctx, func() { thread.Cancel("interrupted") })
	return thread, func() { stop() }
}

// file executes a Starlark file, once.
func (p *program) file(name string) (starlark.StringDict, error) {
	if f := p.files[name]; f != nil {
		if f.loading {
			return nil, fmt.Errorf("%s loads itself", name)
		}
		return f.globals, nil
	}
	text, err := p.read(name)
	if err != nil {
		return nil, err
	}
	f := &file{name: name, source: isa.NewSource(name, string(text)), loading: true}
	p.files[name] = f
	if err := checkText(f.source); err != nil {
		return nil, err
	}
	tree, err := language.Parse(name, text, 0)
	if err != nil {
		return nil, p.explain(err)
	}
	f.scan(tree)
	if len(p.files) == 1 {
		p.title = title(tree)
	}
	compiled, err := starlark.FileProgram(tree, p.words.Has)
	if err != nil {
		return nil, p.explain(err)
	}
	thread, stop := p.newThread(name)
	defer stop()
	p.thread = thread
	f.globals, err = compiled.Init(thread, p.words)
	f.loading = false
	if err != nil {
		return nil, p.explain(err)
	}
	return f.globals, nil
}

// beside is the path of a file that another one names.
func (p *program) beside(from, name string) string {
	if p.req.Files != nil {
		return path.Join(path.Dir(from), name)
	}
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(from), name)
}

func (p *program) read(name string) ([]byte, error) {
	if p.req.Files != nil {
		return fs.ReadFile(p.req.Files, name)
	}
	return os.ReadFile(name)
}

// current is the machine that free functions act on: the one made last.
func (p *program) current(what string) (*node, error) {
	if len(p.nodes) == 0 {
		return nil, hinted(`node = machine("h200-sxm", cards = 8) makes one`, "%s: there is no machine yet", what)
	}
	return p.nodes[len(p.nodes)-1], nil
}

// finish drains all machines.
func (p *program) finish() error {
	for _, n := range p.nodes {
		if err := n.finish(!p.req.Options.Silent && !n.noLoss); err != nil {
			return err
		}
	}
	return nil
}

// outcome sums the program up.
func (p *program) outcome(ended bool) (*host.Outcome, error) {
	out := &host.Outcome{}
	var err error
	for _, n := range p.nodes {
		one := host.NewOutcome(n.vm, n.known(), n.programBuffers(), "")
		one.Name = n.name
		if ended {
			if one.Results = n.checks.verdict(n.vm.Cards()); one.Results == "" && len(p.nodes) == 1 {
				if err = one.Summarize(); err != nil {
					return nil, err
				}
			}
			if err = one.Answer(p.asked(p.req.Prints, one), p.asked(p.req.Dumps, one)); err != nil {
				return nil, err
			}
		}
		out.Machines = append(out.Machines, one)
	}
	if len(out.Machines) > 0 {
		last := out.Machines[len(out.Machines)-1]
		last.Machines = out.Machines
		out = last
	}
	if len(out.Machines) < 2 {
		out.Machines = nil
	}
	out.Title, out.Stdout = p.title, p.stdout.String()
	out.Params, out.Metrics, out.Differences = p.params, p.metrics, p.checks.differences
	if len(out.Machines) > 0 {
		out.Results = "" // each has its own
	}
	if len(out.Differences) > 0 {
		out.Results = "result differs: " + out.Differences[0]
	}
	return out, nil
}

// asked gives --print and --dump to the machine made last.
func (p *program) asked(texts []string, of *host.Outcome) []string {
	if len(p.nodes) == 0 || p.nodes[len(p.nodes)-1].name != of.Name {
		return nil
	}
	return texts
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// call is one call of a function of the vocabulary.
type call struct {
	program *program
	thread  *starlark.Thread
	name    string
	args    starlark.Tuple
	kwargs  []starlark.Tuple
}

// unpack assigns the arguments; a name that ends with ? may be left out.
func (c *call) unpack(pairs ...any) error {
	return starlark.UnpackArgs(c.name, c.args, c.kwargs, pairs...)
}

// fail is an error of this call.
func (c *call) fail(format string, a ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{c.name}, a...)...)
}

// at is the place of the call in the program.
func (c *call) at() syntax.Position { return c.thread.CallFrame(1).Pos }

// path is that of a file that the calling file names.
func (c *call) path(name string) string { return c.program.beside(c.at().Filename(), name) }

// assigned is the variable that the call's value is assigned to, or "".
func (c *call) assigned() string {
	pos := c.at()
	if f := c.program.files[pos.Filename()]; f != nil {
		return f.names[placeOf(pos)]
	}
	return ""
}

// function is the code behind a word.
type function func(c *call) (starlark.Value, error)

// bind makes a method of a value a function to call.
func bind(p *program, name string, f function) starlark.Value {
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return f(&call{program: p, thread: thread, name: name, args: args, kwargs: kwargs})
	})
}

// opaque is what all values of the vocabulary have: they are true, can't change through assignment and are no keys.
type opaque struct{}

// Freeze does nothing: a program runs on one thread.
func (opaque) Freeze() {}

// Truth is true.
func (opaque) Truth() starlark.Bool { return true }

// Hash refuses.
func (opaque) Hash() (uint32, error) { return 0, errors.New("unhashable") }

// title is the first line of a file's documentation string.
func title(tree *syntax.File) string {
	if len(tree.Stmts) == 0 {
		return ""
	}
	if e, ok := tree.Stmts[0].(*syntax.ExprStmt); ok {
		if lit, ok := e.X.(*syntax.Literal); ok && lit.Token == syntax.STRING {
			first, _, _ := strings.Cut(strings.TrimSpace(lit.Value.(string)), "\n")
			return strings.TrimSuffix(strings.TrimSpace(first), ".")
		}
	}
	return ""
}

// unknownParams is an error for a value that was set and that no param() asked for.
func (p *program) unknownParams() error {
	var known []string
	for _, s := range p.params {
		known = append(known, s.Name)
	}
	names := make([]string, 0, len(p.req.Set))
	for name := range p.req.Set {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		hint := "its parameters are " + strings.Join(known, ", ")
		if near := isa.Nearest(name, known); near != "" {
			hint = "did you mean " + near + "?"
		}
		if len(known) == 0 {
			hint = `param("` + name + `", 8) makes one`
		}
		return &unknownParam{fmt.Sprintf("%s: error: the program has no parameter %s\n    hint: %s", p.req.Path, name, hint)}
	}
	return nil
}

// unknownParam is the error of a value that nobody asked for.
type unknownParam struct{ text string }

func (u *unknownParam) Error() string { return u.text }
