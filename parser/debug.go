package parser

import (
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// debugData is the contents of a .section: bytes, words, labels and addresses of the DWARF tables. Nothing of it
// changes what a kernel computes, so it is checked lightly and dropped.
type debugData struct {
	Labels map[string]bool
	Err    *syntaxError
}

// Parse implements participle.Parseable.
func (d *debugData) Parse(lex *lexer.PeekingLexer) error {
	if !isPunct(lex.Peek(), "{") {
		return participle.NextMatch
	}
	lex.Next()
	d.Labels = map[string]bool{}
	bits, sign := 0, ""
	for {
		t := lex.Peek()
		switch {
		case t.Type == tokLabel:
			d.Labels[labelName(t.Value)] = true
		case t.Type == tokDir:
			bits = dataBits[t.Value]
		case t.Type == tokInt && bits > 0:
			v, ok := integerLiteral(t.Value)
			if most := uint64(1) << bits; !ok || sign == "-" && v.Bits > most/2 || v.Bits >= most {
				d.fail(errorAt(t, "`"+sign+t.Value+"` does not fit "+strconv.Itoa(bits)+" bits"))
			}
		case isPunct(t, "}"):
			lex.Next()
			return nil
		case t.EOF() || isPunct(t, "{") || beginsFunction(lex):
			d.fail(expected(t, "`}` at the end of the section"))
			return nil
		case t.Type == tokOpcode:
			d.fail(errorAt(t, "`.` inside the name "+found(t)).hint("a name is a letter or one of _ $ % followed by letters, digits, _ and $"))
		}
		sign = t.Value
		lex.Next()
	}
}

// dataBits are the widths whose values are checked.
var dataBits = map[string]int{".b8": 8, ".b16": 16, ".b32": 32}

// labelName takes the colon off a label.
func labelName(label string) string { return strings.TrimRight(label[:len(label)-1], " \t") }

// fail keeps the first error.
func (d *debugData) fail(err *syntaxError) {
	if d.Err == nil {
		d.Err = err
	}
}
