package host

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tollgate-sim/tollgate/isa"
)

// FlagError is a mistake in the text of --arg, --buffer, --dump or --print.
type FlagError struct {
	Flag   string // with its dashes
	Text   string // what followed the flag
	Offset int    // byte of Text at which the mistake stands
	Msg    string
	Hint   string // what to write instead, or ""
}

// Error prints the flag and what is wrong, the text with a caret under the place, and the hint.
func (e *FlagError) Error() string {
	s := fmt.Sprintf("%s %s: %s", e.Flag, flagName(e.Text), e.Msg)
	column := utf8.RuneCountInString(e.Text[:min(e.Offset, len(e.Text))])
	if utf8.RuneCountInString(e.Text) <= 100 && e.Text != "" {
		s += fmt.Sprintf("\n    %s\n    %s^", strings.ReplaceAll(e.Text, "\n", " "), strings.Repeat(" ", column))
	}
	if e.Hint != "" {
		s += "\n    hint: " + e.Hint
	}
	return s
}

// flagName is what stands before a flag text's '='.
func flagName(text string) string {
	if before, _, found := strings.Cut(text, "="); found && before != "" {
		return before
	}
	if len(text) > 40 {
		return text[:40] + "..."
	}
	return text
}

// nearestHint says which of the known names was perhaps meant, or lists them when they are few.
func nearestHint(name string, known []string) string {
	if near := isa.Nearest(name, known); near != "" && len(name) > 1 {
		return "did you mean " + near + "?"
	}
	if len(known) == 0 || len(known) > 12 {
		return ""
	}
	sorted := slices.Clone(known)
	return "known: " + strings.Join(sorted, ", ")
}
