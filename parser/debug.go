package parser

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// debugData is the contents of a .section: bytes, words, labels and addresses of the DWARF tables. Nothing of it
// changes what a kernel computes, so it is checked lightly and dropped.
type debugData struct {
	Err *syntaxError
}

// Parse implements participle.Parseable.
func (d *debugData) Parse(lex *lexer.PeekingLexer) error {
	if !isPunct(lex.Peek(), "{") {
		return participle.NextMatch
	}
	lex.Next()
	for {
		t := lex.Peek()
		switch {
		case isPunct(t, "}"):
			lex.Next()
			return nil
		case t.EOF() || isPunct(t, "{") || beginsFunction(lex):
			d.fail(expected(t, "`}` at the end of the section"))
			return nil
		case t.Type == tokOpcode:
			d.fail(errorAt(t, "`.` inside the name "+found(t)).hint("a name is a letter or one of _ $ % followed by letters, digits, _ and $"))
		}
		lex.Next()
	}
}

// fail keeps the first error.
func (d *debugData) fail(err *syntaxError) {
	if d.Err == nil {
		d.Err = err
	}
}
