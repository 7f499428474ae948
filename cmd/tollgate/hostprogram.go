package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/tollgate-sim/tollgate/vm/host"
	"github.com/tollgate-sim/tollgate/vm/host/star"
	"github.com/tollgate-sim/tollgate/vm/report"
)

// runProgram runs a host program and prints the report of its machine, or a line for each of several.
func (s *simulation) runProgram(name string, sets []string) error {
	for _, flag := range launchOnly {
		if s.cmd.Flags().Changed(flag) {
			return fmt.Errorf("--%s does not go with a host program: %s says it itself\n    hint: --set NAME=VALUE changes its param()s", flag, name)
		}
	}
	opt, err := s.options()
	if err != nil {
		return err
	}
	set, err := settings(sets)
	if err != nil {
		return err
	}
	if _, err := readInput(s.cmd, name); err != nil { // its errors are the better ones
		return err
	}
	s.program = filepath.Base(name)
	out, err := star.Run(s.cmd.Context(), star.Request{
		Path: name, Load: s.load, Options: opt, Set: set, Prints: s.prints, Dumps: s.dumps,
	})
	var placed *star.Error
	if fault, ok := host.AsFault(err); ok && fault.Kind != "" && errors.As(err, &placed) && !wantsJSON(s.cmd) {
		defer fmt.Fprintf(s.cmd.ErrOrStderr(), "    launched by %s%s\n", placed.Place(), placed.CallStack())
	} else if placed != nil && !ok {
		return err
	}
	if out != nil {
		s.title = out.Title
	}
	return s.show(out, err)
}

// settings reads --set NAME=VALUE.
func settings(texts []string) (map[string]string, error) {
	set := map[string]string{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--set %s: NAME=VALUE", text)
		}
		set[name] = value
	}
	return set, nil
}

// writeMachines prints what a program without one report has: its machines, a line each, and what it measured.
func writeMachines(w io.Writer, out *host.Outcome, opt report.Options) error {
	if opt.Title != "" {
		opt.Title = ": " + opt.Title
	}
	t := &table{right: []int{2, 3, 4, 5}}
	for _, row := range star.MachineTable(out.Machines) {
		t.add(row...)
	}
	if _, err := fmt.Fprintf(w, "%s%s (modelled)\n", opt.Program, opt.Title); err != nil {
		return err
	}
	if opt.Outcome != "" {
		if _, err := fmt.Fprintln(w, opt.Outcome); err != nil {
			return err
		}
	}
	return t.write(w)
}
