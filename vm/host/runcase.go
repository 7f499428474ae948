package host

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/vm"
)

// CaseRequest is one run of a case file.
type CaseRequest struct {
	Case    *Case
	Variant int // index into Case.Variants
	Load    LoadModule
	Options vm.Options // Machine nil: the case's; Cards is always the case's
	Dumps   []string   // --dump
	Prints  []string   // --print
}

// caseError is a mistake in a case that only shows when it runs, with its place in the file.
type caseError struct {
	place string
	err   error
}

func (e *caseError) Error() string { return e.place + ": error: " + e.err.Error() }
func (e *caseError) Unwrap() error { return e.err }

// VariantName names a variant by its PTX files.
func (c *Case) VariantName(variant int) string { return strings.Join(c.Variants[variant], "+") }

// RunCase runs a case with one of its PTX files and compares what comes out with what the file expects. A fault
// that the case expects is no error; any other comes back as *vm.Fault with the outcome up to it.
func RunCase(ctx context.Context, req CaseRequest) (*Outcome, error) {
	c := req.Case
	run := &caseRun{Case: c, req: req, modules: map[string]*isa.Module{}}
	if err := run.prepare(); err != nil {
		return nil, err
	}
	refused := run.queue()
	if _, ok := AsFault(refused); refused != nil && !ok {
		return nil, refused
	}
	out, err := run.session.finish(ctx)
	if refused != nil {
		err = refused
	}
	if fault, ok := AsFault(err); ok && c.fault != nil {
		out.checkFault(c.fault, fault)
		return out, nil
	}
	if err != nil {
		return out, err
	}
	if c.fault != nil {
		out.Differences = append(out.Differences, fmt.Sprintf("the kernels end, and the case expects a fault: %s", c.fault.kind))
	}
	if err := run.compare(out); err != nil {
		return out, err
	}
	return out, run.output(out)
}

// caseRun is a case on its way through a node.
type caseRun struct {
	*Case
	req     CaseRequest
	main    build
	modules map[string]*isa.Module // by the name that launches use; "" is the variant
	calls   []call
	session *session
}

// call is a launch with its names resolved.
type call struct {
	step      *step
	entry     *isa.Func
	module    *isa.Module
	arguments []argument
}

// Check loads the PTX files of a variant, finds the entries that its launches name and fits the arguments to their
// parameters. It is all that can be wrong with a case before it runs.
func (c *Case) Check(variant int, load LoadModule) error {
	run := &caseRun{Case: c, req: CaseRequest{Case: c, Variant: variant, Load: load}, modules: map[string]*isa.Module{}}
	return run.resolveAll()
}

// resolveAll loads modules, finds entries and checks arguments.
func (run *caseRun) resolveAll() error {
	run.main = run.builds[run.Variants[run.req.Variant][0]]
	for i := range run.steps {
		s := &run.steps[i]
		if s.kind != launchStep {
			continue
		}
		c, err := run.resolve(s)
		if err != nil {
			return err
		}
		run.calls = append(run.calls, c)
	}
	return nil
}

// prepare makes the node with its modules, buffers and groups.
func (run *caseRun) prepare() error {
	if err := run.resolveAll(); err != nil {
		return err
	}
	var all []argument
	for _, c := range run.calls {
		all = append(all, c.arguments...)
	}
	opt := run.req.Options
	opt.Cards = run.Cards
	if opt.Machine == nil {
		m, err := machine.Load(run.Machine)
		if err != nil {
			return err
		}
		opt.Machine = m
	}
	var err error
	if run.session, err = newSession(opt, run.buffers, tablesOf(all)); err != nil {
		return err
	}
	if err := run.session.makeObjects(all); err != nil {
		return err
	}
	for _, name := range append([]string{""}, sortedKeys(run.Case.modules)...) {
		if m := run.modules[name]; m != nil {
			if err := run.session.node.Load(m); err != nil {
				return err
			}
		}
	}
	for _, g := range run.groups {
		if err := run.session.node.Group(g.id, g.cards); err != nil {
			return err
		}
	}
	return nil
}

// module loads a PTX file of the case once; the parts of one program are linked.
func (run *caseRun) module(name string) (*isa.Module, error) {
	if m := run.modules[name]; m != nil {
		return m, nil
	}
	files := []string{run.Case.modules[name]}
	if name == "" {
		files = run.Variants[run.req.Variant]
	}
	var parts []*isa.Module
	for _, file := range files {
		m, err := run.req.Load(path.Join(run.dir, file))
		if err != nil {
			return nil, err
		}
		parts = append(parts, m)
	}
	m, err := isa.Link(parts)
	if err != nil {
		return nil, err
	}
	run.modules[name] = m
	return m, nil
}

// resolve finds the entry of a launch and fits the arguments to its parameters.
func (run *caseRun) resolve(s *step) (call, error) {
	m, err := run.module(s.module)
	if err != nil {
		return call{}, err
	}
	name, arguments := s.entry, s.arguments
	if s.module == "" {
		if renamed := run.main.entries[name]; renamed != "" {
			name = renamed
		}
		if n := run.main.params; n > 0 && n < len(arguments) {
			arguments = arguments[:n]
		}
	}
	entry, err := SelectEntry(m, name)
	if err != nil {
		return call{}, &caseError{run.at(s.pos), err}
	}
	if len(arguments) != len(entry.Params) {
		return call{}, &caseError{run.at(s.pos), fmt.Errorf("entry %s has %d parameters, the launch %d arguments", entry.Name, len(entry.Params), len(arguments))}
	}
	c := call{step: s, entry: entry, module: m}
	for i, a := range arguments {
		if err := a.argument.check(paramSize(entry.Params[i]), run.byName, run.Cards); err != nil {
			return call{}, &caseError{run.at(a.pos), fmt.Errorf("argument for %s: %w", paramName(entry.Params[i]), err)}
		}
		c.arguments = append(c.arguments, a.argument)
	}
	return c, nil
}

// queue gives the node its steps in list order.
func (run *caseRun) queue() error {
	node, next := run.session.node, 0
	for i := range run.steps {
		s := &run.steps[i]
		var err error
		switch s.kind {
		case launchStep:
			c := run.calls[next]
			next++
			err = node.Launch(vm.Launch{
				Module: c.module, Entry: c.entry, Grid: gridOf(c.entry, s.grid, s.cluster), Block: s.block, Cluster: s.cluster, Shared: s.shared,
				Params: run.session.params(c.entry, c.arguments), Cards: s.cards, Group: s.group, Stream: s.stream, Cooperative: s.cooperative,
			})
		case delayStep:
			err = node.Delay(s.cards, s.stream, s.delay)
		case suspendStep:
			err = node.Suspend(s.cards, s.stream)
		case resumeStep:
			err = node.Resume(s.cards, s.stream)
		}
		if err != nil {
			if kindOf(err) == "input" {
				err = &caseError{run.at(s.pos), err}
			}
			return err
		}
	}
	return nil
}

// checkFault compares the fault that came with the one the case expects.
func (out *Outcome) checkFault(want *expectedFault, got *vm.Fault) {
	if !want.matches(got) {
		out.Differences = append(out.Differences, fmt.Sprintf("the case expects a fault of kind %s%s, and this came: %v", want.kind, onCards(want.cards), got))
		return
	}
	out.Results = fmt.Sprintf("fault as expected: %s on card %d", got.Kind, got.Card)
}

// matches reports whether a fault is the expected one. "fault" stands for every kind that has no word of its own.
func (want *expectedFault) matches(got *vm.Fault) bool {
	if len(want.cards) > 0 && !slices.Contains(want.cards, got.Card) {
		return false
	}
	kind := string(got.Kind)
	if want.kind != "fault" {
		return kind == want.kind
	}
	return !slices.Contains([]string{"trap", "assert", "deadlock", "misaligned", "unsupported", "max-cycles"}, kind)
}

// compare checks buffers and output.
func (run *caseRun) compare(out *Outcome) error {
	exact := true
	for i := range run.expect {
		e := &run.expect[i]
		diff, err := e.compare(run.files, func(card int) ([]byte, error) { return run.session.read(e.buffer, card) })
		if err != nil {
			return err
		}
		if diff != nil {
			out.Differences = append(out.Differences, diff.String())
		}
		exact = exact && e.kind != ""
	}
	if run.stdout != nil {
		if text := run.stdout.compare(out.Stdout); text != "" {
			out.Differences = append(out.Differences, text)
		}
	}
	out.Results = run.verdict(out, exact)
	return nil
}

// verdict is the line of results of a case.
func (run *caseRun) verdict(out *Outcome, exact bool) string {
	switch {
	case len(out.Differences) > 0:
		return "result differs: " + out.Differences[0]
	case len(run.expect) == 0 && run.stdout == nil:
		return ""
	}
	s := "result " + choose(exact, "exact", "within its tolerance")
	if run.Cards == 1 {
		return s
	}
	s += fmt.Sprintf(" on %d of %d cards", run.Cards, run.Cards)
	if len(run.expect) > 0 && run.expect[0].same {
		b := run.expect[0].buffer
		s = fmt.Sprintf("%s %s a card; %s", sizeText(b.bytes), b.dtype, s)
	}
	return s
}

// sizeText prints bytes in the largest binary unit that leaves a whole number.
func sizeText(bytes int64) string {
	unit := 0
	for unit < 3 && bytes%1024 == 0 && bytes > 0 {
		bytes /= 1024
		unit++
	}
	return fmt.Sprintf("%d %s", bytes, []string{"B", "KiB", "MiB", "GiB"}[unit])
}

// output answers --print and --dump.
func (run *caseRun) output(out *Outcome) error {
	for _, text := range run.req.Prints {
		w, err := readWindow(text, run.byName)
		if err != nil {
			return err
		}
		prints, err := run.session.show(w)
		if err != nil {
			return err
		}
		out.Prints = append(out.Prints, prints...)
	}
	for _, text := range run.req.Dumps {
		d, err := readDump(text, run.byName)
		if err != nil {
			return err
		}
		if err := run.session.write(d); err != nil {
			return err
		}
	}
	return nil
}

// onCards is " on card 0", or nothing for all cards.
func onCards(cards []int) string {
	if len(cards) == 0 {
		return ""
	}
	return " on " + cardList(cards)
}
