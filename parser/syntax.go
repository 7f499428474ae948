package parser

import (
	"errors"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// syntaxError is what is wrong with a statement. The tree keeps it in the statement's place; lowering reports it.
type syntaxError struct {
	Pos, End int
	Message  string
	Hint     string
	reported bool // a Bad token: the scanner has said what is wrong
}

func (e *syntaxError) hint(text string) *syntaxError { e.Hint = text; return e }

func (e *syntaxError) diagnostic() Diagnostic {
	return Diagnostic{Severity: Error, Code: codeSyntax, Pos: isa.Pos(e.Pos), End: isa.Pos(e.End), Message: e.Message, Hint: e.Hint}
}

func errorAt(t *lexer.Token, message string) *syntaxError {
	return &syntaxError{Pos: t.Pos.Offset, End: t.Pos.Offset + len(t.Value), Message: message, reported: t.Type == tokBad}
}

// expected says that something else should stand where t does.
func expected(t *lexer.Token, what string) *syntaxError {
	return errorAt(t, "expected "+what+", found "+found(t))
}

func found(t *lexer.Token) string {
	switch {
	case t.EOF():
		return "the end of the file"
	case len(t.Value) > 40:
		return "`" + t.Value[:40] + "…`"
	}
	return "`" + t.Value + "`"
}

// fromGrammar turns an error of participle into ours.
func fromGrammar(err error) *syntaxError {
	var unexpected *participle.UnexpectedTokenError
	if !errors.As(err, &unexpected) {
		var located participle.Error
		if errors.As(err, &located) {
			at := located.Position().Offset
			return &syntaxError{Pos: at, End: at, Message: located.Message()}
		}
		return &syntaxError{Message: err.Error()}
	}
	t := &unexpected.Unexpected
	_, want, ok := strings.Cut(unexpected.Message(), "(expected ")
	want = strings.TrimSuffix(want, ")")
	if want = readable(want); ok && want != "" {
		return expected(t, want)
	}
	return errorAt(t, "unexpected "+found(t))
}

var tokenNames = strings.NewReplacer("<ident>", "a name", "<reg>", "a register", "<int>", "an integer", "<string>", "a string",
	"<float>", "a number", "<dir>", "a directive", `"`, "`", "(", "", ")", "", "|", "or")

// readable turns what participle expects, a piece of its grammar, into words, or "" if it is too long to help.
func readable(rule string) string {
	if strings.ContainsAny(rule, "*?+") || len(rule) > 60 {
		if first, _, ok := strings.Cut(rule, " "); ok && strings.HasPrefix(first, `"`) {
			return tokenNames.Replace(first)
		}
		return ""
	}
	return tokenNames.Replace(rule)
}

func isPunct(t *lexer.Token, value string) bool { return t.Type == tokPunct && t.Value == value }

// after returns the token after the next one.
func after(lex *lexer.PeekingLexer) *lexer.Token {
	mark := lex.MakeCheckpoint()
	lex.Next()
	t := lex.Peek()
	lex.LoadCheckpoint(mark)
	return t
}

// resume skips the rest of a broken statement, which begins at start and is wrong at from: up to and with the next
// semicolon, or to what begins a statement on a later line, or to the bracket that closes the block. Brackets opened
// meanwhile are skipped whole.
func resume(lex *lexer.PeekingLexer, start, from int) {
	for !lex.Peek().EOF() && lex.Peek().Pos.Offset < from {
		lex.Next()
	}
	line, depth := lex.Peek().Pos.Line, 0
	if lex.Peek().Pos.Offset > start {
		line = lastToken(lex).Pos.Line
	}
	for t := lex.Peek(); !t.EOF(); t = lex.Peek() {
		if t.Pos.Line > line {
			if beginsFunction(lex) {
				return
			}
			if depth == 0 && beginsStatement(t) {
				return
			}
			line = t.Pos.Line
		}
		if t.Type == tokPunct {
			switch t.Value {
			case ";":
				if depth == 0 {
					lex.Next()
					return
				}
			case "{":
				depth++
			case "}":
				if depth == 0 {
					return
				}
				if depth--; depth == 0 {
					lex.Next()
					return
				}
			}
		}
		lex.Next()
	}
}

// beginsStatement reports a token that, first on its line, is the start of a statement and hardly anything else.
func beginsStatement(t *lexer.Token) bool {
	switch t.Type {
	case tokLabel, tokOpcode:
		return true
	case tokIdent:
		_, ok := isa.LookupOpcode(t.Value)
		return ok
	case tokDir:
		return moduleDirectives[t.Value] || bodyDirectives[t.Value]
	}
	return isPunct(t, "@")
}

// beginsFunction reports `.entry` or `.func`, perhaps after linking words.
func beginsFunction(lex *lexer.PeekingLexer) bool {
	t := lex.Peek()
	if t.Type != tokDir {
		return false
	}
	mark := lex.MakeCheckpoint()
	for isLinkage(t.Value) {
		lex.Next()
		t = lex.Peek()
	}
	lex.LoadCheckpoint(mark)
	return t.Value == ".entry" || t.Value == ".func"
}

func isLinkage(word string) bool {
	return word == ".visible" || word == ".extern" || word == ".weak" || word == ".common"
}
