package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tollgate-sim/tollgate/isa"
)

// Problem is one mistake in a machine file, with its place.
type Problem struct {
	Source *isa.Source
	Pos    isa.Pos
	Text   string
	Hint   string // what to write instead, or ""
}

// Error prints `file:line:col: error: text`, the source line, a caret and the hint.
func (p *Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: error: %s", p.Source.At(p.Pos), p.Text)
	line, col := p.Source.LineCol(p.Pos)
	if text := p.Source.Line(line); text != "" {
		text, col = excerpt(text, col)
		fmt.Fprintf(&b, "\n    %s\n    %s^", text, strings.Repeat(" ", col-1))
	}
	if p.Hint != "" {
		fmt.Fprintf(&b, "\n    hint: %s", p.Hint)
	}
	return b.String()
}

// excerpt cuts a long line to what surrounds the column, so that the caret stays on the screen.
func excerpt(text string, col int) (string, int) {
	const width = 100
	text = strings.ReplaceAll(text, "\t", " ")
	if utf8.RuneCountInString(text) <= width {
		return text, col
	}
	runes := []rune(text)
	from := max(0, min(col-width/2, len(runes)-width))
	cut := string(runes[from : from+width])
	if from+width < len(runes) {
		cut += " ..."
	}
	if from > 0 {
		return "... " + cut, col - from + 4
	}
	return cut, col
}

// Problems are all mistakes of a machine file, in file order.
type Problems []*Problem

// Error prints one after the other.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// sort puts the mistakes of each file in file order.
func (ps Problems) sort() {
	slices.SortStableFunc(ps, func(a, b *Problem) int {
		if c := cmp.Compare(a.Source.Name, b.Source.Name); c != 0 {
			return c
		}
		return cmp.Compare(a.Pos, b.Pos)
	})
}
