package parser

import (
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/programs/corpus"
)

// tokenRules is the specification of the scanner: the first rule that matches wins. What the scanner adds is kept out
// of the comparison: a name before the colon of `a ? b : c` is no label, and what matches no rule is reported.
var tokenRules = []struct {
	kind lexer.TokenType // 0: skipped
	expr *regexp.Regexp
}{
	{0, regexp.MustCompile(`^(?:[ \t\r\n\f\v]+|//[^\n]*|(?s:/\*.*?\*/))`)},
	{tokLabel, regexp.MustCompile(`^(?:[A-Za-z_$][\w$]*|%[\w$]+)[ \t]*:`)}, // but not ::
	{tokOpcode, regexp.MustCompile(`^[A-Za-z_$][\w$]*(?:\.[\w$]+(?:::[\w$]+)*)+`)},
	{tokIdent, regexp.MustCompile(`^[A-Za-z_$][\w$]*`)},
	{tokReg, regexp.MustCompile(`^%[\w$]+(?:\.[\w$]+)*`)},
	{tokFloat, regexp.MustCompile(`^\.[0-9]+\b`)},
	{tokDir, regexp.MustCompile(`^\.[\w$]+(?:::[\w$]+)*`)},
	{tokHexFloat, regexp.MustCompile(`^0(?:[fF][0-9a-fA-F]{8}|[dD][0-9a-fA-F]{16})\b`)},
	{tokFloat, regexp.MustCompile(`^(?:[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)`)},
	{tokInt, regexp.MustCompile(`^(?:0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)U?`)},
	{tokString, regexp.MustCompile(`^"(?:[^"\\\n]|\\.)*"`)},
	{tokPunct, regexp.MustCompile(`^(?:<<|>>|&&|\|\||[=!<>]=|[][(){}<>,;:@!~?|&^+\-*/=])`)},
}

// specified returns the tokens that the rules find.
func specified(t *testing.T, text string) []lexer.Token {
	t.Helper()
	var out []lexer.Token
next:
	for at := 0; at < len(text); {
		for _, r := range tokenRules {
			n := len(r.expr.FindString(text[at:]))
			if n == 0 || r.kind == tokLabel && strings.HasPrefix(text[at+n:], ":") {
				continue
			}
			if r.kind != 0 {
				out = append(out, lexer.Token{Type: r.kind, Value: text[at : at+n], Pos: lexer.Position{Offset: at}})
			}
			at += n
			continue next
		}
		t.Fatalf("no rule for %.20q", text[at:])
	}
	return out
}

func scan(text string) ([]lexer.Token, Diagnostics) {
	report := &reporter{}
	s := newScanner(isa.NewSource("t.ptx", text), report)
	var out []lexer.Token
	for {
		t, _ := s.Next()
		if t.EOF() {
			return out, report.list
		}
		out = append(out, t)
	}
}

func sameTokens(t *testing.T, name, text string) {
	t.Helper()
	got, _ := scan(text)
	want := specified(t, text)
	for i := range min(len(got), len(want)) {
		g, w := got[i], want[i]
		if g.Type != w.Type || g.Value != w.Value || g.Pos.Offset != w.Pos.Offset {
			t.Errorf("%s: token %d is %q of kind %d at %d; the rules say %q of kind %d at %d", name, i, g.Value, g.Type, g.Pos.Offset, w.Value, w.Type, w.Pos.Offset)
			return
		}
		if line := 1 + strings.Count(text[:g.Pos.Offset], "\n"); i%1000 == 0 && g.Pos.Line != line {
			t.Errorf("%s: token %q stands in line %d, not %d", name, g.Value, line, g.Pos.Line)
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d tokens; the rules say %d", name, len(got), len(want))
	}
}

func TestScannerFollowsItsRules(t *testing.T) {
	sameTokens(t, "kinds", `
		.version 8.3 // comment
		/* two
		   lines */ $L__BB0_1: L : @!%p1 bra $L; ld.global.L2::128B.v2.f32 {%f1, _}, [%rd1+-4]; mov.u32 %r1, %tid.x;
		add .u32 a, b, 0x1F; mov.f32 %f, 0f3F800000; mov.f64 %d, 0D3FF0000000000000; x = 1.5e-3 + 2e5 + 7. + .5 + 010 + 0b101 + 16U;
		.reg .b32 %r<10>, v.x; "a \"quoted\" string" <<>>&&||==!=<=>=~^?-*/ mbarrier::a a::b: cp.async.bulk.shared::cluster.x`)
	files, err := corpus.Load()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		if i%8 == 0 && !strings.Contains(f.Text, "\n#") {
			sameTokens(t, f.Path, f.Text)
		}
	}
}

func TestScannerReportsWhatIsNoToken(t *testing.T) {
	for _, c := range []struct{ text, message, at string }{
		{"1u", "malformed number `1u`", "1u"},
		{"0f3F80", "malformed single-precision constant `0f3F80`", "0f3F80"},
		{"0d3F800000", "malformed double-precision constant `0d3F800000`", "0d3F800000"},
		{"a \x01 b", "control character", "\x01"},
		{"a \x00 b", "NUL byte inside the text", "\x00"},
		{"caf\u00e9", "non-ASCII character in `caf\u00e9`", "caf\u00e9"},
		{"\xff\xfe", "bytes that are no text", "\xff\xfe"},
		{"\ufeff.version", "byte order mark", "\ufeff"},
		{"\"open", "string without its closing quote", "\"open"},
		{"/* open", "comment without its closing", "/*"},
		{"#pragma once", "begins with '#'", "#pragma once"},
		{"add. u32", "a modifier follows its dot", "."},
		{"a % b", "'%' is no operator", "%"},
		{"$", "'$' alone", "$"},
		{"`", "unexpected character", "`"},
		{strings.Repeat("(", 1001), "nested more than 1,000 deep", "("},
	} {
		_, ds := scan(c.text)
		if len(ds) != 1 || !strings.Contains(ds[0].Message, c.message) {
			t.Errorf("%q: %v, want %q", c.text, ds, c.message)
			continue
		}
		if got := c.text[ds[0].Pos:ds[0].End]; got != c.at {
			t.Errorf("%q: points at %q, want %q", c.text, got, c.at)
		}
	}
}

func TestScannerSkipsLineMarkers(t *testing.T) {
	got, ds := scan("# 1 \"file.cu\" 2\n  # 7 \"x\"\nret;")
	if len(ds) != 0 || len(got) != 2 || got[0].Value != "ret" || got[0].Pos.Line != 3 {
		t.Errorf("%v %v", got, ds)
	}
}

func TestTrailingNULIsAWarning(t *testing.T) {
	got, ds := scan("ret;\r\n\x00")
	if len(got) != 2 || len(ds) != 1 || ds[0].Severity != Warning || !strings.Contains(ds[0].Message, "NUL") {
		t.Errorf("%v %v", got, ds)
	}
}
