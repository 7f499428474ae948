package parser

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// The kinds of tokens. A label with its colon, an opcode with all its modifiers, a register with its part and
// a directive word are one token each: that makes the grammar LL(1) but for three places (see instruction).
const (
	tokLabel    lexer.TokenType = iota + 1 // $L__BB0_1:
	tokOpcode                              // ld.global.u32; also any dotted name, such as v.x
	tokIdent                               // matmul512, ret
	tokReg                                 // %r1, %tid.x
	tokDir                                 // .global, .L2::128B
	tokHexFloat                            // 0f3F800000, 0d3FF0000000000000
	tokFloat                               // 8.5, 1e-3
	tokInt                                 // 16, 0x10, 0b1, 017, each perhaps with U
	tokString                              // "nounroll"
	tokPunct                               // one of the operators and brackets
	tokBad                                 // what no token begins with; its error is already reported
)

var symbols = map[string]lexer.TokenType{
	"EOF":      lexer.EOF,
	"Label":    tokLabel,
	"Opcode":   tokOpcode,
	"Ident":    tokIdent,
	"Reg":      tokReg,
	"Dir":      tokDir,
	"HexFloat": tokHexFloat,
	"Float":    tokFloat,
	"Int":      tokInt,
	"String":   tokString,
	"Punct":    tokPunct,
	"Bad":      tokBad,
}

// definition is the lexer as participle sees it.
type definition struct{}

// Symbols implements lexer.Definition.
func (definition) Symbols() map[string]lexer.TokenType { return symbols }

// Lex implements lexer.Definition.
func (definition) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return newScanner(isa.NewSource(name, string(text)), &reporter{}), nil
}

// maxNesting bounds brackets inside one another. Compilers nest a handful; the bound keeps the recursion of the
// parser far from the end of the stack.
const maxNesting = 1000

// scanner turns text into tokens. It never fails: what is no token becomes one of kind Bad, reported at once.
type scanner struct {
	source  *isa.Source
	text    string
	at      int // byte offset of the next character
	line    int // of at, from 1
	report  *reporter
	nesting int
	ternary bool // a '?' waits for its ':', so a name before a colon is no label
	warned  int  // last line with a warning about non-ASCII text in a comment
}

func newScanner(source *isa.Source, report *reporter) *scanner {
	return &scanner{source: source, text: source.Text, line: 1, report: report}
}

// The classes of bytes that the scanner tells apart.
const (
	isSpace = 1 << iota
	isLetter
	isDigit
	isHex
	isMark // $ and _
	isWord = isLetter | isDigit | isMark
)

var classes = func() (c [256]uint8) {
	for b := byte('a'); b <= 'z'; b++ {
		c[b] |= isLetter
		c[b-'a'+'A'] |= isLetter
	}
	for b := byte('0'); b <= '9'; b++ {
		c[b] |= isDigit | isHex
	}
	for _, b := range "abcdefABCDEF" {
		c[b] |= isHex
	}
	c['$'], c['_'] = isMark, isMark
	for _, b := range " \t\r\n\f\v" {
		c[b] = isSpace
	}
	return c
}()

func (s *scanner) is(i int, class uint8) bool {
	return i < len(s.text) && classes[s.text[i]]&class != 0
}

// Next implements lexer.Lexer.
func (s *scanner) Next() (lexer.Token, error) {
	s.skip()
	start := s.at
	if start >= len(s.text) {
		return s.token(lexer.EOF, start), nil
	}
	c := s.text[start]
	switch {
	case classes[c]&(isLetter|isMark) != 0:
		return s.name(start), nil
	case c == '%' && s.is(start+1, isWord):
		s.at++
		s.words()
		for s.at < len(s.text) && s.text[s.at] == '.' && s.is(s.at+1, isWord) {
			s.at++
			s.words()
		}
		return s.maybeLabel(tokReg, start), nil
	case c == '.' && s.is(start+1, isWord):
		return s.directive(start), nil
	case classes[c]&isDigit != 0:
		return s.number(start), nil
	case c == '"':
		return s.quoted(start), nil
	case c >= utf8.RuneSelf || c < ' ' || c == 0x7f:
		return s.foreign(start), nil
	}
	return s.punct(start), nil
}

func (s *scanner) token(kind lexer.TokenType, start int) lexer.Token {
	return lexer.Token{
		Type:  kind,
		Value: s.text[start:s.at],
		Pos:   lexer.Position{Filename: s.source.Name, Offset: start, Line: s.line},
	}
}

// bad reports the text from start to the scanner's place and returns it as a token.
func (s *scanner) bad(start int, message, hint string) lexer.Token {
	s.report.add(Diagnostic{Severity: Error, Code: codeSyntax, Pos: isa.Pos(start), End: isa.Pos(s.at), Message: message, Hint: hint})
	return s.token(tokBad, start)
}

// giveUp reports what makes the rest of the text not worth reading, and ends it there.
func (s *scanner) giveUp(start int, message, hint string) lexer.Token {
	t := s.bad(start, message, hint)
	s.at, s.report.cut, t.Type = len(s.text), true, lexer.EOF
	return t
}

// words moves over letters, digits, $ and _.
func (s *scanner) words() {
	for s.is(s.at, isWord) {
		s.at++
	}
}

// name scans an identifier, an opcode with its modifiers, or a label.
func (s *scanner) name(start int) lexer.Token {
	s.words()
	if s.at < len(s.text) && s.text[s.at] >= utf8.RuneSelf {
		return s.foreign(start)
	}
	kind := tokIdent
	for s.at < len(s.text) && s.text[s.at] == '.' && s.is(s.at+1, isWord) {
		kind = tokOpcode
		s.dotted()
	}
	if word := s.text[start:s.at]; word == "$" {
		return s.bad(start, "'$' alone is no name", "a name is a letter or one of _ $ % followed by letters, digits, _ and $")
	}
	return s.maybeLabel(kind, start)
}

// dotted moves over a dot and the word after it, with its :: parts.
func (s *scanner) dotted() {
	s.at++
	s.words()
	for strings.HasPrefix(s.text[s.at:], "::") && s.is(s.at+2, isWord) {
		s.at += 2
		s.words()
	}
}

// maybeLabel ends a name; with a colon behind it, it is a label.
func (s *scanner) maybeLabel(kind lexer.TokenType, start int) lexer.Token {
	if kind == tokOpcode || s.ternary {
		return s.token(kind, start)
	}
	i := s.at
	for i < len(s.text) && (s.text[i] == ' ' || s.text[i] == '\t') {
		i++
	}
	if i < len(s.text) && s.text[i] == ':' && !strings.HasPrefix(s.text[i:], "::") {
		s.at = i + 1
		return s.token(tokLabel, start)
	}
	return s.token(kind, start)
}

// directive scans a dotted word, or a number that begins with its point.
func (s *scanner) directive(start int) lexer.Token {
	if s.is(start+1, isDigit) {
		i := start + 1
		for s.is(i, isDigit) {
			i++
		}
		if !s.is(i, isLetter|isMark) {
			s.at = i
			return s.token(tokFloat, start)
		}
	}
	s.dotted()
	return s.token(tokDir, start)
}

// number scans an integer or floating constant.
func (s *scanner) number(start int) lexer.Token {
	kind := tokInt
	if s.text[start] == '0' && start+1 < len(s.text) {
		switch s.text[start+1] {
		case 'f', 'F':
			return s.hexFloat(start, 8, "single")
		case 'd', 'D':
			return s.hexFloat(start, 16, "double")
		}
	}
	if s.text[start] == '0' && start+1 < len(s.text) && strings.IndexByte("xXbB", s.text[start+1]) >= 0 {
		s.at = start + 2
		for s.is(s.at, isHex) {
			s.at++
		}
	} else {
		for s.is(s.at, isDigit) {
			s.at++
		}
		if s.at < len(s.text) && s.text[s.at] == '.' && !s.is(s.at+1, isLetter|isMark) {
			kind = tokFloat
			s.at++
			for s.is(s.at, isDigit) {
				s.at++
			}
		}
		if s.at < len(s.text) && s.text[s.at]|0x20 == 'e' {
			i := s.at + 1
			if i < len(s.text) && (s.text[i] == '+' || s.text[i] == '-') {
				i++
			}
			if s.is(i, isDigit) {
				kind = tokFloat
				for s.is(i, isDigit) {
					i++
				}
				s.at = i
			}
		}
	}
	if kind == tokInt && s.at < len(s.text) && s.text[s.at] == 'U' {
		s.at++
	}
	if s.is(s.at, isWord) {
		s.words()
		return s.bad(start, "malformed number `"+s.text[start:s.at]+"`", "constants are 16, 0x10, 020, 0b10000, 16U, 1.5, 1e3, 0f3F800000, 0d3FF0000000000000")
	}
	return s.token(kind, start)
}

// hexFloat scans the bits of a floating constant: exactly that many hexadecimal digits.
func (s *scanner) hexFloat(start, digits int, precision string) lexer.Token {
	s.at = start + 2
	n := 0
	for s.is(s.at, isHex) {
		s.at++
		n++
	}
	if n == digits && !s.is(s.at, isWord) {
		return s.token(tokHexFloat, start)
	}
	s.words()
	return s.bad(start, "malformed "+precision+"-precision constant `"+s.text[start:s.at]+"`", "0f takes exactly 8 hexadecimal digits, 0d exactly 16")
}

func (s *scanner) quoted(start int) lexer.Token {
	for s.at = start + 1; s.at < len(s.text) && s.text[s.at] != '\n'; s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return s.token(tokString, start)
		}
	}
	s.at = min(s.at, len(s.text))
	return s.bad(start, "string without its closing quote", "")
}

var doubled = [...]string{"<<", ">>", "&&", "||", "==", "!=", "<=", ">="}

func (s *scanner) punct(start int) lexer.Token {
	c := s.text[start]
	s.at = start + 1
	switch c {
	case '(', '[', '{':
		if s.nesting++; s.nesting > maxNesting {
			return s.giveUp(start, "brackets nested more than 1,000 deep", "")
		}
	case ')', ']', '}':
		s.nesting = max(0, s.nesting-1)
	case '?':
		s.ternary = true
	case ':', ';':
		s.ternary = false
	case ',', '@', '+', '-', '*', '/', '~', '^':
	case '<', '>', '&', '|', '=', '!':
		for _, d := range doubled {
			if strings.HasPrefix(s.text[start:], d) {
				s.at++
				break
			}
		}
	case '%':
		return s.bad(start, "'%' is no operator of PTX constants and names nothing alone", "")
	case '.':
		return s.bad(start, "a modifier follows its dot without a blank", "")
	case '#':
		if end := strings.IndexByte(s.text[start:], '\n'); end >= 0 {
			s.at = start + end
		} else {
			s.at = len(s.text)
		}
		return s.bad(start, "a line that begins with '#' must be a line marker: # 1 \"file\"", "")
	default:
		return s.bad(start, "unexpected character \""+string(c)+"\"", "")
	}
	return s.token(tokPunct, start)
}

// foreign scans a run of bytes that no token holds: text beyond ASCII, or control characters.
func (s *scanner) foreign(start int) lexer.Token {
	beyond, nul := false, false
	for s.at < len(s.text) {
		c := s.text[s.at]
		beyond = beyond || c >= utf8.RuneSelf
		nul = nul || c == 0
		if c < utf8.RuneSelf && classes[c]&isWord == 0 && (c >= ' ' && c != 0x7f || classes[c]&isSpace != 0) {
			break
		}
		s.at++
	}
	word := s.text[start:s.at]
	switch {
	case start == 0 && strings.HasPrefix(word, "\ufeff"):
		s.at = len("\ufeff")
		return s.bad(start, "the file begins with a byte order mark", "save it as plain ASCII or UTF-8 without the mark")
	case nul:
		return s.giveUp(start, "NUL byte inside the text", "is this a .ptx file? a NUL is accepted only after the last line")
	case beyond && utf8.ValidString(word):
		return s.bad(start, "non-ASCII character in `"+word+"`", "names are ASCII letters, digits, _ $ %; other text may stand in comments only")
	case beyond:
		return s.giveUp(start, "bytes that are no text", "is this a .ptx file?")
	}
	return s.bad(start, "control character in the text", "is this a .ptx file?")
}

// skip moves over blanks, comments and line markers.
func (s *scanner) skip() {
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case c == '\n':
			s.line++
			s.at++
		case classes[c]&isSpace != 0:
			s.at++
		case c == '/' && strings.HasPrefix(s.text[s.at:], "//"):
			end := strings.IndexByte(s.text[s.at:], '\n')
			if end < 0 {
				end = len(s.text) - s.at
			}
			s.comment(s.at + end)
		case c == '/' && strings.HasPrefix(s.text[s.at:], "/*"):
			end := strings.Index(s.text[s.at+2:], "*/")
			if end < 0 {
				start := s.at
				s.at = len(s.text)
				s.report.add(Diagnostic{Severity: Error, Code: codeSyntax, Pos: isa.Pos(start), End: isa.Pos(start + 2), Message: "comment without its closing */"})
				return
			}
			s.comment(s.at + 2 + end + 2)
		case c == '#' && s.lineMarker():
		case c == 0 && strings.Trim(s.text[s.at:], "\x00 \t\r\n") == "":
			s.report.add(Diagnostic{Severity: Warning, Code: "nul", lenient: true, Pos: isa.Pos(s.at), End: isa.Pos(s.at + 1),
				Message: "NUL after the text", Hint: "drivers take NUL-terminated text, ptxas refuses it in a file"})
			s.at = len(s.text)
		default:
			return
		}
	}
}

// comment moves to end, counting lines, and warns once a line of text beyond ASCII.
func (s *scanner) comment(end int) {
	for s.at < end {
		c := s.text[s.at]
		if c == '\n' {
			s.line++
		} else if c >= utf8.RuneSelf && s.warned != s.line {
			s.warned = s.line
			stop := s.at
			for stop < end && s.text[stop] >= utf8.RuneSelf {
				stop++
			}
			s.report.add(Diagnostic{Severity: Warning, Code: "ascii", lenient: true, Pos: isa.Pos(s.at), End: isa.Pos(stop),
				Message: "non-ASCII text in a comment", Hint: "ptxas since 12.8 refuses it"})
		}
		s.at++
	}
}

// lineMarker moves over `# 1 "file" 2`, which C preprocessors leave behind.
func (s *scanner) lineMarker() bool {
	for i := s.at - 1; i >= 0 && s.text[i] != '\n'; i-- {
		if s.text[i] != ' ' && s.text[i] != '\t' {
			return false
		}
	}
	i := s.at + 1
	for i < len(s.text) && (s.text[i] == ' ' || s.text[i] == '\t') {
		i++
	}
	if !s.is(i, isDigit) {
		return false
	}
	if end := strings.IndexByte(s.text[i:], '\n'); end >= 0 {
		s.at = i + end
	} else {
		s.at = len(s.text)
	}
	return true
}
