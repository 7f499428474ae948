package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
	"github.com/tollgate-sim/tollgate/vm/host/star"
	"github.com/tollgate-sim/tollgate/vm/report"
)

// simulation is what every command that runs kernels has: its flags, and how an outcome is printed.
type simulation struct {
	cmd     *cobra.Command
	program string // what runs, as reports call it
	title   string

	machine   string
	timing    *choice
	ledger    *choice
	sections  sections
	group     collective
	sumOf     string // --numerics: a buffer
	why       *int   // tollgate why: the critical path of this card, -1: of the last
	maxCycles uint64
	uninit    *choice
	noRelay   bool
	race      bool
	threads   int
	registers int
	prints    []string
	dumps     []string
}

// newSimulation adds the flags to a command.
func newSimulation(cmd *cobra.Command) *simulation {
	s := &simulation{cmd: cmd, timing: oneOf("on", "on", "off"), uninit: oneOf("count", "count", "off", "error"),
		ledger: oneOf("", "card", "sm")}
	f := cmd.Flags()
	f.StringVar(&s.machine, "machine", "", "`NAME` or FILE.toml of the machine (default "+host.DefaultMachine+", or the case file's)")
	f.Var(s.timing, "timing", "off: results only, without a clock, faster")
	f.Var(s.ledger, "ledger", "print every entry of the ledger, a row a card or a row an SM")
	f.Lookup("ledger").NoOptDefVal = "card"
	f.Var(&s.sections, "report", "what to print: summary, ledger, barriers, links, stragglers, tensor, numerics, all")
	f.Var(&s.group, "collective", "what kernels do together, for algbw and busbw in --report links: all-reduce:2MiB")
	f.StringVar(&s.sumOf, "numerics", "", "with --report numerics: sum a `BUFFER`'s contents at the start up in several orders")
	f.Uint64Var(&s.maxCycles, "max-cycles", 0, "stop with a fault after `N` cycles (--timing off: warp instructions a card)")
	f.Var(s.uninit, "uninit", "what reading bytes that were never written does")
	f.BoolVar(&s.race, "race", false, "warn of shared-memory accesses of a CTA that no barrier orders (slower)")
	f.BoolVar(&s.noRelay, "no-relay", false, "make the article's operators a fault on a machine without NVLink")
	f.IntVar(&s.threads, "threads", 0, "host threads; never changes a result (default: one a processor)")
	f.IntVar(&s.registers, "regs", 0, "registers a thread, for occupancy (default: estimated)")
	f.StringArrayVar(&s.prints, "print", nil, "print elements of a buffer: `NAME[0:8]`, NAME[0:8]:dtype; repeatable")
	f.StringArrayVar(&s.dumps, "dump", nil, "write a buffer to a file: `NAME=FILE`, or FILE-%d for a file a card; repeatable")
	for flag, complete := range map[string]cobra.CompletionFunc{
		"machine": completeMachines, "timing": s.timing.complete, "ledger": s.ledger.complete, "uninit": s.uninit.complete,
		"report": s.sections.complete, "collective": s.group.complete,
	} {
		if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic(err) // the flag was added above
		}
	}
	return s
}

// options are the settings of the virtual machine. Machine stays nil where none was asked for.
func (s *simulation) options() (vm.Options, error) {
	opt := vm.Options{
		Functional: s.timing.value == "off", MaxCycles: s.maxCycles, Uninit: s.uninit.value,
		NoRelay: s.noRelay, Race: s.race, Threads: s.threads, Registers: s.registers,
		Path: s.why != nil, Silent: s.why != nil || s.timedRunOnly(), Numerics: slices.Contains(s.sections.list, report.Numerics),
	}
	switch {
	case s.threads < 0:
		return opt, fmt.Errorf("--threads %d: a number of threads", s.threads)
	case s.registers < 0 || s.registers > 255:
		return opt, fmt.Errorf("--regs %d: a thread has 1 to 255 registers", s.registers)
	case opt.Functional && s.ledger.value != "":
		return opt, errors.New("--ledger needs a clock: leave --timing off out")
	case opt.Functional && len(s.sections.list) > 0:
		return opt, errors.New("--report needs a clock: leave --timing off out")
	case s.sumOf != "" && !slices.Contains(s.sections.list, report.Numerics):
		return opt, errors.New("--numerics goes with --report numerics")
	case opt.Functional && s.why != nil:
		return opt, errors.New("why needs a clock: leave --timing off out")
	}
	if s.machine != "" {
		m, err := machine.Load(s.machine)
		if err != nil {
			return opt, err
		}
		opt.Machine = m
	}
	if !wantsJSON(s.cmd) {
		opt.Stdout = s.cmd.OutOrStdout()
	}
	return opt, nil
}

// timedRunOnly reports that nothing is printed that needs the program run again under other rules.
func (s *simulation) timedRunOnly() bool {
	needs := func(p report.Section) bool { return p == report.Summary || p == report.Stragglers }
	return len(s.sections.list) > 0 && !wantsJSON(s.cmd) && !slices.ContainsFunc(s.sections.list, needs)
}

// show prints what a run came to, and returns what its exit status follows from.
func (s *simulation) show(out *host.Outcome, err error) error {
	fault, isFault := host.AsFault(err)
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !isFault && !interrupted {
		return s.explainUnsupported(err)
	}
	var status int
	switch {
	case isFault && fault.Kind == "unsupported":
		status = exitInput
	case isFault:
		status = exitFault
	case interrupted:
		status = exitInterrupted
	case len(out.Differences) > 0:
		status = exitFailed
	}
	if err := s.sumUp(out); err != nil {
		return err
	}
	var printErr error
	if wantsJSON(s.cmd) {
		printErr = s.showJSON(out, fault, status)
	} else {
		printErr = s.showText(out, fault, interrupted)
	}
	switch {
	case printErr != nil:
		return printErr
	case status != exitFine:
		return failed(status)
	}
	return nil
}

// sumUp answers --numerics, on every machine of a program.
func (s *simulation) sumUp(out *host.Outcome) error {
	if s.sumOf == "" || out == nil || out.Result == nil {
		return nil
	}
	machines := out.Machines
	if len(machines) == 0 {
		machines = []*host.Outcome{out}
	}
	for _, m := range machines {
		n, err := m.SumOrders(s.sumOf)
		if err != nil {
			return err
		}
		m.Result.Numerics = append(m.Result.Numerics, n)
	}
	return nil
}

// explainUnsupported prints the place of an instruction that can't be run, and passes other errors on.
func (s *simulation) explainUnsupported(err error) error {
	var u vm.Unsupported
	if !errors.As(err, &u) || u.Func == nil || u.Inst == nil {
		return err
	}
	var b strings.Builder
	if err := located(&b, u.Func.Source, u.Inst.OpPos, unsupportedText(u)); err != nil {
		return err
	}
	return errors.New(strings.TrimRight(b.String(), "\n"))
}

// unsupportedText says which instruction can't be run yet.
func unsupportedText(u vm.Unsupported) string {
	return fmt.Sprintf("unsupported: %s can't be run yet (reached by entry %s)", u.Inst.Spelling(), u.Entry.Name)
}

func (s *simulation) showText(out *host.Outcome, fault *vm.Fault, interrupted bool) error {
	w, errs := s.cmd.OutOrStdout(), s.cmd.ErrOrStderr()
	if fault != nil {
		return report.Fault(errs, fault)
	}
	opt := s.reportOptions(out)
	if interrupted {
		if out == nil || out.Result == nil {
			_, err := fmt.Fprintln(errs, "tollgate: interrupted")
			return err
		}
		opt.Outcome = "interrupted; this is what is known so far"
	}
	for _, p := range out.Prints {
		if _, err := fmt.Fprintln(w, p); err != nil {
			return err
		}
	}
	if len(out.Prints) > 0 {
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	text := report.Text
	if s.why != nil {
		text = s.whyText
	}
	if err := writeReport(w, out, opt, text); err != nil {
		return err
	}
	for _, note := range out.Notes {
		if _, err := fmt.Fprintf(errs, "note: %s\n", note); err != nil {
			return err
		}
	}
	for _, d := range out.Differences {
		if _, err := fmt.Fprintf(errs, "%s: difference: %s\n", s.program, d); err != nil {
			return err
		}
	}
	return nil
}

// writeReport prints the report of a run; of a host program with several machines a line for each, and what it measured.
func writeReport(w io.Writer, out *host.Outcome, opt report.Options, text func(io.Writer, *vm.Result, report.Options) error) error {
	if len(out.Machines) == 0 && out.Result != nil {
		if err := text(w, out.Result, opt); err != nil {
			return err
		}
	} else if _, err := io.WriteString(w, headOf(opt)); err != nil {
		return err
	}
	if err := writeParts(w, out, opt, text); err != nil {
		return err
	}
	_, err := io.WriteString(w, star.Figures(out))
	return err
}

// writeParts prints the parts of the report that were asked for, of each of a program's machines.
func writeParts(w io.Writer, out *host.Outcome, opt report.Options, text func(io.Writer, *vm.Result, report.Options) error) error {
	if len(opt.Sections) == 0 {
		return nil
	}
	for _, m := range out.Machines {
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		if err := text(w, m.Result, machineOptions(m, opt)); err != nil {
			return err
		}
	}
	return nil
}

// machineOptions are those of one machine of a program.
func machineOptions(m *host.Outcome, opt report.Options) report.Options {
	return report.Options{Program: m.Name, Outcome: m.Results, Sections: opt.Sections, Collective: opt.Collective}
}

// headOf is what stands above the machines of a program that made several, or none.
func headOf(opt report.Options) string {
	head := opt.Program
	if opt.Title != "" {
		head += ": " + opt.Title
	}
	head += " (modelled)\n"
	if opt.Outcome != "" {
		head += opt.Outcome + "\n"
	}
	return head
}

func (s *simulation) reportOptions(out *host.Outcome) report.Options {
	opt := report.Options{Program: s.program, Title: s.title, Ledger: report.Ledger(s.ledger.value), Sections: s.sections.list, Collective: s.group.Collective}
	if out != nil {
		opt.Outcome = out.Results
	}
	return opt
}

// showJSON prints one object: the report's, with what was printed, noted and different; of a fault also the fault.
func (s *simulation) showJSON(out *host.Outcome, fault *vm.Fault, status int) error {
	extra := map[string]any{"status": status}
	if fault != nil {
		extra["fault"] = report.FaultObject(fault)
	}
	if out != nil {
		type printed struct {
			Name   string   `json:"name"`
			Dtype  string   `json:"dtype"`
			Cards  []int    `json:"cards"`
			From   int64    `json:"from"`
			Values []string `json:"values"`
		}
		prints := []printed{}
		for _, p := range out.Prints {
			prints = append(prints, printed{p.Name, p.Dtype.String(), p.Cards, p.From, p.Texts()})
		}
		extra["prints"], extra["stdout"] = prints, out.Stdout
		if len(out.Params) > 0 {
			extra["params"] = out.Params
		}
		if len(out.Metrics) > 0 {
			extra["metrics"] = out.Metrics
		}
		if len(out.Machines) > 0 {
			extra["machines"] = machineObjects(out.Machines, s.reportOptions(out))
		}
		extra["notes"], extra["differences"] = texts(out.Notes), texts(out.Differences)
	}
	if fault != nil || out == nil || out.Result == nil || len(out.Machines) > 0 {
		extra["program"] = s.program
		return writeJSON(s.cmd.OutOrStdout(), extra)
	}
	opt := s.reportOptions(out)
	if s.why != nil {
		maps.Copy(extra, report.WhyObject(out.Result, *s.why, opt))
		return writeJSON(s.cmd.OutOrStdout(), extra)
	}
	opt.Extra = extra
	return writeJSON(s.cmd.OutOrStdout(), report.Object(out.Result, opt))
}

// machineObjects are the reports of a program that made several machines.
func machineObjects(machines []*host.Outcome, opt report.Options) []map[string]any {
	var list []map[string]any
	for _, m := range machines {
		list = append(list, report.Object(m.Result, machineOptions(m, opt)))
	}
	return list
}

// texts is a list that prints as [] when it is empty.
func texts(list []string) []string { return append([]string{}, list...) }
