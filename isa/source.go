package isa

import (
	"fmt"
	"sort"
	"strings"
)

// Source is one input file: its name as the user gave it and its whole text.
// A Module keeps its Source so that any later stage can print a line with a caret.
type Source struct {
	Name string
	Text string

	lineStarts []int32 // byte offset of each line's first byte; built on first use
}

// NewSource returns the Source of a file's text.
func NewSource(name, text string) *Source {
	s := &Source{Name: name, Text: text, lineStarts: []int32{0}}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			s.lineStarts = append(s.lineStarts, int32(i+1))
		}
	}
	return s
}

// Pos is a byte offset into a Source. Line and column are worked out only when a message is printed.
type Pos int32

// NoPos marks a value that stands nowhere in the source.
const NoPos Pos = -1

// LineCol returns the line and the column (in characters) of pos, both from 1.
func (s *Source) LineCol(pos Pos) (line, col int) {
	if s == nil || pos < 0 {
		return 0, 0
	}
	if int(pos) > len(s.Text) {
		pos = Pos(len(s.Text))
	}
	i := sort.Search(len(s.lineStarts), func(i int) bool { return s.lineStarts[i] > int32(pos) }) - 1
	return i + 1, 1 + len([]rune(s.Text[s.lineStarts[i]:pos]))
}

// Line returns the text of a line (from 1) without its end, or "" where there is none.
func (s *Source) Line(line int) string {
	if s == nil || line < 1 || line > len(s.lineStarts) {
		return ""
	}
	text := s.Text[s.lineStarts[line-1]:]
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSuffix(text, "\r")
}

// At returns "name:line:col" of pos.
func (s *Source) At(pos Pos) string {
	if s == nil {
		return "?"
	}
	line, col := s.LineCol(pos)
	return fmt.Sprintf("%s:%d:%d", s.Name, line, col)
}
