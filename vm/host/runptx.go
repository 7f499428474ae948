package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
)

// RunRequest is one launch of an entry of a PTX file, as `tollgate run FILE.ptx` asks for it.
type RunRequest struct {
	Module  *isa.Module
	Entry   string // "": the only entry that no other function calls
	Grid    [3]int // zero: 1
	Block   [3]int // zero: .reqntid, else 32 threads
	Cluster [3]int // zero: none, or .reqnctapercluster
	Shared  int    // dynamic shared memory, bytes
	Args    []string
	Buffers []string
	Dumps   []string
	Prints  []string
	Options vm.Options // Machine nil: DefaultMachine; Cards 0: 1
}

// RunPTX launches one entry on all cards. Mistakes in the request are *EntryError, *FlagError and
// *MissingArguments; a *vm.Fault comes with the outcome up to it.
func RunPTX(ctx context.Context, req RunRequest) (*Outcome, error) {
	entry, err := SelectEntry(req.Module, req.Entry)
	if err != nil {
		return nil, err
	}
	req.Options.Cards = max(req.Options.Cards, 1)
	c := recognise(req.Module, entry)
	args, filled := complete(c, &req, entry)
	in, err := readFlags(req.Module, entry, args, req.Buffers, req.Options.Cards)
	if err != nil {
		return nil, c.explain(err, req.Args)
	}
	var dumps []dump
	for _, text := range req.Dumps {
		d, err := readDump(shortName(entry, text), in.byName)
		if err != nil {
			return nil, err
		}
		dumps = append(dumps, d)
	}
	var windows []window
	for _, text := range req.Prints {
		w, err := readWindow(shortName(entry, text), in.byName)
		if err != nil {
			return nil, err
		}
		windows = append(windows, w)
	}
	s, err := newSession(req.Options, in.buffers, tablesOf(in.arguments))
	if err != nil {
		return nil, err
	}
	if err := s.makeObjects(in.arguments); err != nil {
		return nil, err
	}
	if err := s.node.Load(req.Module); err != nil {
		return nil, err
	}
	if err := s.node.Launch(vm.Launch{
		Module: req.Module, Entry: entry, Params: s.params(entry, in.arguments), Shared: req.Shared,
		Grid: gridOf(entry, shape(req.Grid), req.Cluster), Block: blockOf(entry, req.Block), Cluster: req.Cluster,
	}); err != nil {
		return nil, err
	}
	out, err := s.finish(ctx)
	if err != nil {
		return out, err
	}
	if out.Results, err = s.summary(); err != nil {
		return out, err
	}
	for _, w := range windows {
		prints, err := s.show(w)
		if err != nil {
			return out, err
		}
		out.Prints = append(out.Prints, prints...)
	}
	for _, d := range dumps {
		if err := s.write(d); err != nil {
			return out, err
		}
	}
	out.Notes = append(out.Notes, filled...)
	out.note(req.Options.Cards)
	return out, nil
}

// note adds what the user may not expect.
func (out *Outcome) note(cards int) {
	for _, l := range out.Result.Launches {
		if l.Operators && cards == 1 {
			out.Notes = append(out.Notes, fmt.Sprintf("%s reaches operators and runs on one card, where they wait for nobody; --cards 8 gives it peers", l.Name))
			return
		}
	}
}

// tablesOf collects the buffers whose tables of peers some argument needs.
func tablesOf(arguments []argument) map[string]bool {
	tables := map[string]bool{}
	for _, a := range arguments {
		for _, name := range a.tables() {
			tables[name] = true
		}
	}
	return tables
}

// shape fills sizes that were left out with 1.
func shape(s [3]int) [3]int {
	for i := range s {
		s[i] = max(s[i], 1)
	}
	return s
}

// blockOf is the block asked for, the one that the entry requires, or one warp.
func blockOf(entry *isa.Func, asked [3]int) [3]int {
	switch {
	case asked != [3]int{}:
		return shape(asked)
	case entry.Limits.ReqNTID != [3]int{}:
		return shape(entry.Limits.ReqNTID)
	}
	return [3]int{32, 1, 1}
}

// gridOf is the grid in CTAs: of an entry with .blocksareclusters the launch counts clusters (PTX ISA, "Cluster
// Dimension Directives").
func gridOf(entry *isa.Func, grid, cluster [3]int) [3]int {
	if !entry.Limits.BlocksAreClusters {
		return grid
	}
	if cluster == [3]int{} {
		cluster = entry.Limits.ReqNCTAPerCluster
	}
	for i, n := range shape(cluster) {
		grid[i] *= n
	}
	return grid
}

// AsFault finds the fault of a running kernel in an error.
func AsFault(err error) (*vm.Fault, bool) {
	var fault *vm.Fault
	ok := errors.As(err, &fault)
	return fault, ok
}
