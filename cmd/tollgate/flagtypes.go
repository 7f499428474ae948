package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// shape is the value of --grid, --block and --cluster: X[,Y[,Z]].
type shape struct {
	dims [3]int // {0,0,0}: not given
}

// String prints what was given, without trailing ones.
func (s *shape) String() string {
	switch {
	case s.dims == [3]int{}:
		return ""
	case s.dims[2] > 1:
		return fmt.Sprintf("%d,%d,%d", s.dims[0], s.dims[1], s.dims[2])
	case s.dims[1] > 1:
		return fmt.Sprintf("%d,%d", s.dims[0], s.dims[1])
	}
	return strconv.Itoa(s.dims[0])
}

// Type names the value in the help.
func (s *shape) Type() string { return "X[,Y[,Z]]" }

// Set reads the value.
func (s *shape) Set(text string) error {
	parts := strings.Split(text, ",")
	if len(parts) > 3 {
		return fmt.Errorf("at most three numbers, as in 8,4,2")
	}
	dims := [3]int{1, 1, 1}
	for i, part := range parts {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 32)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number from 1 to 2147483647; up to three of them as in 8,4,2", part)
		}
		dims[i] = int(n)
	}
	s.dims = dims
	return nil
}

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value string
	words []string
}

func oneOf(value string, words ...string) *choice { return &choice{value: value, words: words} }

// String prints the word.
func (c *choice) String() string { return c.value }

// Type names the value in the help.
func (c *choice) Type() string { return strings.Join(c.words, "|") }

// Set takes one of the words.
func (c *choice) Set(text string) error {
	if !slices.Contains(c.words, text) {
		return fmt.Errorf("it is one of %s", strings.Join(c.words, ", "))
	}
	c.value = text
	return nil
}

// complete offers the words to the shell.
func (c *choice) complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return c.words, cobra.ShellCompDirectiveNoFileComp
}
