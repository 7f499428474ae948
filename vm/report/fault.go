package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Fault prints why a kernel stopped: the place and the message, the source line with a caret, where in the grid it
// happened, and the hint, in the form of the parser's diagnostics. A message of several lines (a deadlock's: who
// waits for whom) goes on below the caret.
func Fault(w io.Writer, f *state.Fault) error {
	message, rest, _ := strings.Cut(f.Message, "\n")
	head := "fault: " + string(f.Kind) + ": " + message
	if f.Func != nil && f.Func.Source != nil && f.Pos >= 0 {
		head = f.Func.Source.At(f.Pos) + ": " + head
	}
	lines := append([]string{head}, caret(f)...)
	for _, line := range strings.Split(rest, "\n") {
		if line != "" {
			lines = append(lines, "  "+strings.TrimSpace(line))
		}
	}
	lines = append(lines, "  "+where(f))
	if f.Hint != "" {
		lines = append(lines, "  hint: "+f.Hint)
	}
	return write(w, lines)
}

// where says in which kernel, card, CTA and thread it happened.
func where(f *state.Fault) string {
	s := fmt.Sprintf("in kernel %s, card %d", f.Kernel, f.Card)
	if f.Kernel == "" {
		s = fmt.Sprintf("on card %d", f.Card)
	}
	if f.HasThread {
		s += fmt.Sprintf(", CTA (%d,%d,%d), thread (%d,%d,%d)", f.CTA[0], f.CTA[1], f.CTA[2], f.Thread[0], f.Thread[1], f.Thread[2])
	}
	if f.HasAddr {
		s += fmt.Sprintf(", address 0x%x", f.Addr)
	}
	return s
}

// caret is the source line and a caret under its place. Tabs stay tabs, so that the caret stands right.
func caret(f *state.Fault) []string {
	if f.Func == nil || f.Func.Source == nil || f.Pos < 0 {
		return nil
	}
	number, col := f.Func.Source.LineCol(f.Pos)
	text := f.Func.Source.Line(number)
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var under strings.Builder
	for _, r := range []rune(text)[:min(col-1, len([]rune(text)))] {
		if r == '\t' {
			under.WriteRune('\t')
		} else {
			under.WriteRune(' ')
		}
	}
	return []string{"  " + text, "  " + under.String() + "^"}
}
