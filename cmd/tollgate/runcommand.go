package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// launchFlags are what a single launch of a PTX file takes. A case file says these itself.
type launchFlags struct {
	entry                string
	cards                int
	grid, block, cluster shape
	shared               int
	args, buffers        []string
}

// runnable is a command that runs a file: PTX, a host program or a case file.
type runnable struct {
	*simulation
	launch launchFlags
	sets   []string
}

func newRun() *cobra.Command {
	var r *runnable
	cmd := &cobra.Command{
		Use:   "run FILE.ptx... | FILE.star | FILE.json | FOLDER",
		Short: "Run an entry of a PTX file, a host program, or a case file",
		Long: `Run executes one entry of a PTX file on all cards, a host program in Starlark (tollgate help host), or a case file
(several launches, inputs and expected results), and prints the results and the report. - stands for PTX on standard
input. Several PTX files are linked into one program. Of a folder it runs the host programs side by side and prints one
table of what they say they came to: the lines of their output that begin with article:, model:, measured:, verdict:.

--arg NAME=VALUE gives a parameter, by its name or its position from 0. VALUE is
    12, -0.5, 0x1f         a number, typed by the parameter
    f32[1024]:ramp         a buffer of 1024 elements on every card, and its address: zeros, ones, ramp, random(SEED);
                           without a word it counts as never written
    f32:1,2,3              a buffer of these elements
    @in.bin, @in-%d.bin    a buffer of a file's bytes, or of a file a card; for a by-value array its bytes
    hex:00ff               bytes
    {OTHER, 7, i32 5,      a struct by value, as C lays it out: addresses and numbers, of 8 bytes or of a type; @N from
      @48 u16 1}           byte N on; the rest is zeros
    rank, cards            the card's number, the number of cards
    OTHER, OTHER@1,        another argument's buffer, on card 1, some bytes into it
      OTHER+256
    peers(OTHER),          the addresses of a buffer on all cards, by value or as a table in memory; its multicast
      table(OTHER),        address
      multicast(OTHER)
    texture(OTHER, 640x480, a texture or surface object on a buffer: W, WxH or WxHxD; point linear, clamp border wrap
      linear, wrap)        mirror, normalized, normalized_float, fetch, channels=4, layers=3, cube
Buffers are symmetric: the same size and offset on every card. Without its arguments run prints the entry's
parameters and a command line to complete. It knows the compilers by what they write, and fills in the parameters
that they add (docs/compilers).`,
		Example: "  tollgate run vecadd.ptx --grid 8 --block 128 --arg a=f32[1000]:ramp --arg b=f32[1000]:ones \\\n" +
			"      --arg c=f32[1000] --arg n=1000 --print 'c[0:8]'\n" +
			"  tollgate run nvlink_allreduce.ptx --cards 8 --entry nvlink_allreduce_fp16 \\\n" +
			"      --arg src=bf16[1048576]:ramp --arg dst=bf16[1048576] --arg elem=1048576\n" +
			"  tollgate run straggler.json --ledger\n  tollgate run programs/claims",
		Args: oneProgram,
		RunE: func(_ *cobra.Command, args []string) error { return r.run(args) },
	}
	r = newRunnable(cmd)
	return cmd
}

// run runs what the first file is.
func (r *runnable) run(args []string) error {
	name := args[0]
	if isFolder(name) {
		return r.runFolder(name)
	}
	if extension(name) == ".star" {
		return r.runProgram(name, r.sets)
	}
	if len(r.sets) > 0 {
		return fmt.Errorf("--set does not go with %s: it gives a param() of a host program (FILE.star) a value", name)
	}
	if extension(name) == ".json" {
		return r.runCase(name)
	}
	return r.runPTX(args, &r.launch)
}

// newRunnable adds the flags to a command.
func newRunnable(cmd *cobra.Command) *runnable {
	r := &runnable{}
	l := &r.launch
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&l.entry, "entry", "", "`NAME` of the entry (default: the only one that no other entry calls)")
	f.IntVar(&l.cards, "cards", 1, "number of cards")
	f.Var(&l.grid, "grid", "CTAs (default 1)")
	f.Var(&l.block, "block", "threads of a CTA (default: the entry's .reqntid, else 32)")
	f.Var(&l.cluster, "cluster", "CTAs of a cluster (default: none)")
	f.IntVar(&l.shared, "shared", 0, "dynamic shared memory of a CTA in `BYTES`")
	f.StringArrayVar(&l.args, "arg", nil, "give a parameter, `NAME=VALUE` as above; repeatable")
	f.StringArrayVar(&l.buffers, "buffer", nil, "declare a buffer that has no parameter of its own, `NAME=VALUE`; repeatable")
	f.StringArrayVar(&r.sets, "set", nil, "give a param() of a host program a value, `NAME=VALUE`; repeatable")
	r.simulation = newSimulation(cmd)
	return r
}

// oneProgram is the Args of run: one file, or PTX files that make one program.
func oneProgram(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("run needs a file\n    hint: tollgate run FILE.ptx, or tollgate demo for something to look at")
	}
	for _, name := range args {
		if ext := extension(name); len(args) > 1 && (ext == ".json" || ext == ".star") {
			return fmt.Errorf("run takes %s alone\n    hint: tollgate test runs several case files", name)
		}
	}
	return nil
}

func extension(name string) string { return strings.ToLower(filepath.Ext(name)) }

func (s *simulation) runPTX(names []string, l *launchFlags) error {
	if l.cards < 1 {
		return fmt.Errorf("--cards %d: a node has at least one card", l.cards)
	}
	if l.shared < 0 {
		return fmt.Errorf("--shared %d: a number of bytes", l.shared)
	}
	opt, err := s.options()
	if err != nil {
		return err
	}
	var modules []*isa.Module
	for _, name := range names {
		module, err := loadModule(s.cmd, name)
		if err != nil {
			return err
		}
		modules = append(modules, module)
	}
	module, err := isa.Link(modules)
	if err != nil {
		return err
	}
	opt.Cards = l.cards
	s.program = filepath.Base(displayName(names[0]))
	return s.show(host.RunPTX(s.cmd.Context(), host.RunRequest{
		Module: module, Entry: l.entry, Grid: l.grid.dims, Block: l.block.dims, Cluster: l.cluster.dims, Shared: l.shared,
		Args: l.args, Buffers: l.buffers, Dumps: s.dumps, Prints: s.prints, Options: opt,
	}))
}

// launchOnly are the flags of a launch; a case file or host program says itself what they say.
var launchOnly = []string{"entry", "cards", "grid", "block", "cluster", "shared", "arg", "buffer"}

func (s *simulation) runCase(name string) error {
	for _, flag := range launchOnly {
		if s.cmd.Flags().Changed(flag) {
			return fmt.Errorf("--%s does not go with a case file: %s says it itself", flag, name)
		}
	}
	opt, err := s.options()
	if err != nil {
		return err
	}
	c, err := readCase(s.cmd, name)
	if err != nil {
		return err
	}
	s.program, s.title = c.Name, c.Description
	return s.show(host.RunCase(s.cmd.Context(), host.CaseRequest{
		Case: c, Load: s.load, Options: opt, Prints: s.prints, Dumps: s.dumps,
	}))
}

// load reads the PTX files that a case names.
func (s *simulation) load(name string) (*isa.Module, error) { return loadModule(s.cmd, name) }

// readCase reads a case file of the host.
func readCase(cmd *cobra.Command, name string) (*host.Case, error) {
	if _, err := readInput(cmd, name); err != nil { // its errors are the better ones
		return nil, err
	}
	return host.ReadCaseFile(name)
}
