package parser

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiagnosticsAsJSON(t *testing.T) {
	_, ds := Parse("k.ptx", head+".entry k()\n{\n\t/* 幅 */ frob.u32 a;\n}\n", Options{})
	text, err := json.Marshal(ds)
	if err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{
		{"severity": "warning", "code": "ascii", "file": "k.ptx", "line": 6.0, "column": 5.0, "end_column": 6.0,
			"message": "non-ASCII text in a comment", "hint": "ptxas since 12.8 refuses it"},
		{"severity": "error", "code": "unknown-instruction", "file": "k.ptx", "line": 6.0, "column": 10.0, "end_column": 14.0,
			"message": "unknown instruction `frob`", "section": "Syntax: Instruction Statements"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestCaretStandsUnderItsToken works out the columns by hand: a tab stays a tab, a wide character takes two.
func TestCaretStandsUnderItsToken(t *testing.T) {
	for _, c := range []struct {
		line        string
		column, end int
		shown       string
		caret       string
	}{
		{"add a, b;", 5, 6, "add a, b;", "    ^"},
		{"\tadd aaa, b;", 6, 9, "\tadd aaa, b;", "\t    ^~~"},
		{"/*幅*/ add", 7, 10, "/*幅*/ add", "       ^~~"},
		{"幅 x", 1, 2, "幅 x", "^~"},
		{"add", 4, 5, "add", "   ^"},
		{"a\x01b", 3, 4, "a\ufffdb", "  ^"},
	} {
		shown, caret := underline(c.line, c.column, c.end)
		if shown != c.shown || caret != c.caret {
			t.Errorf("%q: %q %q, want %q %q", c.line, shown, caret, c.shown, c.caret)
		}
	}
}
