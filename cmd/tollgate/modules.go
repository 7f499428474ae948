package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
)

// loadModule reads a PTX file that the user named.
func loadModule(cmd *cobra.Command, name string) (*isa.Module, error) {
	text, err := readInput(cmd, name)
	if err != nil {
		return nil, err
	}
	return parseModule(displayName(name), text)
}

// embeddedModules reads PTX files of a file system.
func embeddedModules(files fs.FS) func(string) (*isa.Module, error) {
	return func(name string) (*isa.Module, error) {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, cannotRead(name, err)
		}
		return parseModule(name, string(text))
	}
}

// parseModule turns text into a module. Notes and warnings are what `tollgate check` is for.
func parseModule(name, text string) (*isa.Module, error) {
	module, diagnostics := parser.Parse(name, text, parser.Options{})
	if !diagnostics.HasErrors() {
		return module, nil
	}
	var onlyErrors parser.Diagnostics
	for _, d := range diagnostics {
		if d.Severity == parser.Error {
			onlyErrors = append(onlyErrors, d)
		}
	}
	var b strings.Builder
	if err := onlyErrors.Write(&b, 0); err != nil {
		return nil, err
	}
	return nil, errors.New(strings.TrimRight(b.String(), "\n"))
}

// located prints an error at a place of a source, in the form of the parser's.
func located(w io.Writer, source *isa.Source, pos isa.Pos, text string) error {
	if source == nil {
		_, err := fmt.Fprintln(w, text)
		return err
	}
	return parser.Diagnostics{{Severity: parser.Error, Source: source, Pos: pos, End: pos, Message: text}}.Write(w, -1)
}
