package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// The exit statuses.
const (
	exitFine        = 0
	exitFailed      = 1 // a check or test failed
	exitInput       = 2 // bad input, or something unsupported
	exitFault       = 3 // a fault in the running kernel
	exitInternal    = 4 // our own fault
	exitInterrupted = 130
)

// failure is an error with the exit status it leads to.
type failure struct {
	status int
	err    error // nil: everything has been said
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit status %d", f.status)
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// failed ends the command with a status and nothing more to say.
func failed(status int) error { return &failure{status: status} }

// statusOf finds the exit status of what a command returned. An error that names none comes from the command line
// or an input.
func statusOf(err error) int {
	var f *failure
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &f):
		return f.status
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitInput
}

// finish prints the error that a command ended with, and returns its exit status.
func finish(cmd *cobra.Command, err error) int {
	status := statusOf(err)
	var f *failure
	if err == nil || errors.As(err, &f) && f.err == nil {
		return status
	}
	text := err.Error()
	if perr, ok := err.(*fs.PathError); ok {
		text = cannotRead(perr.Path, err).Error()
	}
	if status == exitInterrupted {
		text = "interrupted"
	}
	if usage(text) {
		text = strings.Replace(parsing.ReplaceAllString(text, ""), "invalid syntax", "that is no number it takes", 1)
		text += fmt.Sprintf("\n    hint: %s --help says what it takes", cmd.CommandPath())
	}
	if first, _, _ := strings.Cut(text, "\n"); strings.Contains(first, ": error: ") {
		fmt.Fprintln(cmd.ErrOrStderr(), text) // it begins with its place
	} else {
		fmt.Fprintln(cmd.ErrOrStderr(), "tollgate: "+text)
	}
	if wantsJSON(cmd) {
		if err := writeJSON(cmd.OutOrStdout(), map[string]any{"error": map[string]any{"message": text, "status": status}}); err != nil {
			return exitInternal
		}
	}
	return status
}

// parsing is what the flags of cobra tell of how they read a number.
var parsing = regexp.MustCompile(`strconv\.\w+: parsing "[^"]*": `)

// usage reports an error of cobra's about how a command was called.
func usage(text string) bool {
	for _, start := range []string{"unknown flag", "unknown shorthand", "flag needs", "invalid argument", "accepts ", "requires "} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}
