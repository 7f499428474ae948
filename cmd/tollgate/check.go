package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
	"github.com/tollgate-sim/tollgate/vm/host/star"
)

func newCheck() *cobra.Command {
	var strict bool
	var shown int
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Say what is wrong with PTX files, host programs, case and machine files, without running anything",
		Long: `Check reads PTX files and prints what is wrong with them: errors, warnings (among them instructions that tollgate
can't run yet, and the entry that reaches them), and notes on what the article's dialect (D1 to D10) spells otherwise
than PTX. - stands for standard input. Case files (.json) are checked together with the PTX files that they name,
machine files (.toml) with their bases; of host programs (.star) the syntax and the names.

Exit status 1: some file has errors. 2: some file can't be read, or is empty.`,
		Example: "  tollgate check nvlink_allreduce.ptx\n  tollgate check --strict build/*.ptx",
		Args:    needs("a file"),
		RunE: func(cmd *cobra.Command, names []string) error {
			c := checker{cmd: cmd, options: parser.Options{Strict: strict}, errors: shown}
			for _, name := range names {
				if err := c.check(name); err != nil {
					return err
				}
			}
			return c.finish()
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "make errors of what the real assembler refuses, the article's dialect included")
	cmd.Flags().IntVar(&shown, "errors", parser.DefaultMaxPrinted, "how many errors of a file to print; -1: all")
	return cmd
}

// checker checks one file after the other and remembers the worst.
type checker struct {
	cmd     *cobra.Command
	options parser.Options
	errors  int // to be printed of a file
	files   []checkedFile
	status  int
}

// checkedFile is one file's row in the JSON.
type checkedFile struct {
	File        string             `json:"file"`
	OK          bool               `json:"ok"`
	Entries     []string           `json:"entries"`
	Errors      int                `json:"errors"`
	Warnings    int                `json:"warnings"`
	Notes       int                `json:"notes"`
	Diagnostics parser.Diagnostics `json:"diagnostics"`
	Problems    []string           `json:"problems,omitempty"` // of a case file or machine file
	CannotRead  string             `json:"cannot_read,omitempty"`
}

func (c *checker) check(name string) error {
	file := checkedFile{File: name, Entries: []string{}, Diagnostics: parser.Diagnostics{}}
	text, err := readInput(c.cmd, name)
	if err != nil {
		file.CannotRead, file.Errors = err.Error(), 1
		c.add(file, exitInput)
		_, err = fmt.Fprintln(c.cmd.ErrOrStderr(), err)
		return err
	}
	switch extension(name) {
	case ".json":
		return c.problems(file, checkCase(c.cmd, name))
	case ".star":
		return c.problems(file, star.Check(name))
	case ".toml":
		_, err := machine.Load(name)
		return c.problems(file, err)
	}
	module, diagnostics := parser.Parse(displayName(name), text, c.options)
	diagnostics = append(diagnostics, unsupported(module)...)
	file.Errors, file.Warnings, file.Notes = diagnostics.Count(parser.Error), diagnostics.Count(parser.Warning), diagnostics.Count(parser.Note)
	file.Diagnostics = append(file.Diagnostics, diagnostics...)
	file.Entries = append(file.Entries, entries(module)...)
	file.OK = !diagnostics.HasErrors()
	switch {
	case file.OK:
		c.add(file, exitFine)
	case strings.TrimSpace(text) == "":
		c.add(file, exitInput)
	default:
		c.add(file, exitFailed)
	}
	if wantsJSON(c.cmd) {
		return nil
	}
	if err := diagnostics.Write(c.cmd.OutOrStdout(), c.errors); err != nil {
		return err
	}
	return file.write(c.cmd.OutOrStdout(), displayName(name))
}

// problems enters the result of a file that is no PTX: its error counts one for each mistake.
func (c *checker) problems(file checkedFile, err error) error {
	file.OK = err == nil
	status := exitFine
	var list machine.Problems
	switch {
	case errors.As(err, &list):
		for _, p := range list {
			file.Problems = append(file.Problems, p.Error())
		}
	case err != nil:
		file.Problems = []string{err.Error()}
	}
	if file.Errors = len(file.Problems); file.Errors > 0 {
		status = exitFailed
	}
	c.add(file, status)
	if wantsJSON(c.cmd) {
		return nil
	}
	for _, p := range file.Problems {
		if _, err := fmt.Fprintln(c.cmd.OutOrStdout(), p); err != nil {
			return err
		}
	}
	return file.write(c.cmd.OutOrStdout(), file.File)
}

// checkCase reads a case file and fits it to every PTX file that it names.
func checkCase(cmd *cobra.Command, name string) error {
	kase, err := host.ReadCaseFile(name)
	if err != nil {
		return err
	}
	for variant := range kase.Variants {
		if err := kase.Check(variant, func(file string) (*isa.Module, error) { return loadModule(cmd, file) }); err != nil {
			return err
		}
	}
	return nil
}

// unsupported warns of what entries reach that can't be run yet.
func unsupported(module *isa.Module) (list parser.Diagnostics) {
	if module == nil {
		return nil
	}
	for _, f := range module.Funcs {
		if !f.Entry || !f.Defined {
			continue
		}
		var u vm.Unsupported
		if errors.As(vm.CanRun(module, f), &u) {
			list = append(list, parser.Diagnostic{Severity: parser.Warning, Code: "unsupported", Source: u.Func.Source,
				Pos: u.Inst.OpPos, End: u.Inst.OpPos + isa.Pos(len(u.Inst.Spelling())), Message: unsupportedText(u)})
		}
	}
	return list
}

func (c *checker) add(file checkedFile, status int) {
	c.files = append(c.files, file)
	c.status = max(c.status, status)
}

// write prints the line that sums a file up.
func (f *checkedFile) write(w io.Writer, name string) error {
	found := "ok"
	if !f.OK {
		found = plural(f.Errors, "error")
	}
	for _, more := range []struct {
		n    int
		what string
	}{{f.Warnings, "warning"}, {f.Notes, "note"}} {
		if more.n > 0 {
			found += ", " + plural(more.n, more.what)
		}
	}
	if len(f.Entries) > 0 {
		found += "; entries " + strings.Join(f.Entries, ", ")
		if len(f.Entries) == 1 {
			found = strings.Replace(found, "entries", "entry", 1)
		}
	}
	_, err := fmt.Fprintf(w, "%s: %s\n", name, found)
	return err
}

func (c *checker) finish() error {
	if wantsJSON(c.cmd) {
		if err := writeJSON(c.cmd.OutOrStdout(), map[string]any{"files": c.files}); err != nil {
			return err
		}
	}
	if c.status != exitFine {
		return failed(c.status)
	}
	return nil
}

// entries lists the kernels of a module.
func entries(module *isa.Module) (names []string) {
	if module == nil {
		return nil
	}
	for _, f := range module.Funcs {
		if f.Entry && f.Defined {
			names = append(names, f.Name)
		}
	}
	return names
}

// displayName is what messages call a file.
func displayName(name string) string {
	if name == "-" {
		return "<stdin>"
	}
	return name
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
