package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
	"github.com/tollgate-sim/tollgate/vm/host/star"
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
	switch _, fault := host.AsFault(err); {
	case errors.As(err, &placed) && !fault:
		return err
	case placed != nil && !wantsJSON(s.cmd):
		defer func() { fmt.Fprintln(s.cmd.ErrOrStderr(), strings.TrimPrefix(placed.CallStack(), "\n")) }()
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

// runForTest runs a host program for `tollgate test`.
func runForTest(ctx context.Context, path string, load host.LoadModule, opt vm.Options) (*host.Outcome, error) {
	return star.Run(ctx, star.Request{Path: path, Load: load, Options: opt})
}
