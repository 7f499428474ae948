package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "rewrite USAGE.md and the expected output in the scripts")

// USAGE.md is every command's help, one after the other.
func TestUsagePageIsCurrent(t *testing.T) {
	const page = "USAGE.md"
	var b strings.Builder
	b.WriteString("# The command line\n\nWritten by `go test ./cmd/tollgate -run Usage -update`; a test keeps it current.\n")
	root := newRoot()
	root.InitDefaultCompletionCmd()
	writeUsage(t, &b, root)
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(old), b.String()); diff != "" {
		t.Errorf("%s is not current; run go test ./cmd/tollgate -run Usage -update\n%s", page, diff)
	}
}

func writeUsage(t *testing.T, b *strings.Builder, cmd *cobra.Command) {
	t.Helper()
	var help bytes.Buffer
	cmd.SetOut(&help)
	cmd.InitDefaultHelpFlag()
	if err := cmd.Help(); err != nil {
		t.Fatal(err)
	}
	b.WriteString("\n## " + cmd.CommandPath() + "\n\n```\n" + strings.TrimRight(help.String(), "\n") + "\n```\n")
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && cmd.Name() != "completion" { // a page for each shell is cobra's own
			writeUsage(t, b, c)
		}
	}
}

// Every command has a summary that fits a line, and help that fits a page.
func TestHelpFitsThePage(t *testing.T) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: short help %q", cmd.CommandPath(), cmd.Short)
		}
		for _, line := range strings.Split(cmd.UsageString()+cmd.Long, "\n") {
			if len(line) > pageWidth {
				t.Errorf("%s: %d columns: %s", cmd.CommandPath(), len(line), line)
			}
		}
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(newRoot())
}
