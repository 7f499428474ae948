package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/vm/report"
)

// sections is the value of --report: parts of the report.
type sections struct{ list []report.Section }

// String prints the list.
func (s *sections) String() string {
	words := make([]string, len(s.list))
	for i, section := range s.list {
		words[i] = string(section)
	}
	return strings.Join(words, ",")
}

// Type names the value in the help.
func (s *sections) Type() string { return "PART,..." }

// Set reads the list.
func (s *sections) Set(text string) (err error) {
	s.list, err = report.ParseSections(text)
	return err
}

// complete offers the parts to the shell.
func (s *sections) complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	words := []string{"all"}
	for _, section := range report.Sections() {
		words = append(words, string(section))
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// collective is the value of --collective: KIND:BYTES.
type collective struct {
	report.Collective
	text string
}

// String prints what was given.
func (c *collective) String() string { return c.text }

// Type names the value in the help.
func (c *collective) Type() string { return "KIND:BYTES" }

// Set reads the value.
func (c *collective) Set(text string) (err error) {
	c.text = text
	c.Collective, err = report.ParseCollective(text)
	return err
}

// complete offers the kinds to the shell.
func (c *collective) complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return report.CollectiveKinds(), cobra.ShellCompDirectiveNoFileComp
}
