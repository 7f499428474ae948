package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/programs"
)

// Whatever the text: check and run answer with a status of their own, never with a panic or a hang.
func FuzzCheckAndRun(f *testing.F) {
	names, err := fs.Glob(programs.FS, "*.ptx")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(programs.FS, name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("")
	f.Add("\x00\xff")
	f.Fuzz(func(t *testing.T, text string) {
		execute(t, text, "check", "-")
		module, diagnostics := parser.Parse("fuzz.ptx", text, parser.Options{})
		if diagnostics.HasErrors() {
			return
		}
		for _, entry := range entries(module) {
			arguments := append([]string{"run", "-", "--entry", entry, "--threads", "1", "--cards", "2"}, guesses(module.EntryNamed(entry))...)
			execute(t, text, append(arguments, "--timing", "off", "--max-cycles", "2000")...)
			execute(t, text, append(arguments, "--max-cycles", "20000")...)
		}
	})
}

// execute runs the command line on a text and demands a status that is not our own fault.
func execute(t *testing.T, text string, args ...string) {
	t.Helper()
	var errs bytes.Buffer
	switch status := run(args, strings.NewReader(text), io.Discard, &errs); status {
	case exitFine, exitFailed, exitInput, exitFault:
	default:
		t.Errorf("tollgate %s: status %d\n%s", strings.Join(args, " "), status, errs.String())
	}
}

// guesses are arguments that let most kernels get somewhere: a small buffer for an address, a small number otherwise.
func guesses(entry *isa.Func) (args []string) {
	for i, p := range entry.Params {
		value := "8"
		switch {
		case len(p.Dims) > 0:
			value = "hex:" + strings.Repeat("00", p.Size)
		case p.Type.Bytes() == 8 && !p.Type.Float():
			value = "u32[64]:ramp"
		}
		args = append(args, "--arg", fmt.Sprintf("%d=%s", i, value))
	}
	return args
}
