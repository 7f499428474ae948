package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// instruction is one line: guard, opcode word, operands, semicolon.
type instruction struct {
	Pos      int // of the first token
	OpPos    int
	OpEnd    int
	Op       string // the opcode with its modifiers, blanks before dots removed
	Guard    name
	Guarded  bool
	Negate   bool
	Bare     bool // the guard lacks its @ (D4)
	Direct   bool // name(arguments); a call without its opcode (D6)
	Operands []operand
}

// name is a word and where it stands.
type name struct {
	Text     string
	Pos, End int
}

func nameOf(t *lexer.Token) name {
	return name{t.Value, t.Pos.Offset, t.Pos.Offset + len(t.Value)}
}

// instruction parses a line, the semicolon included. It looks before it takes: after an error the lexer still stands
// before the token that is wrong.
func (n *nodes) instruction(lex *lexer.PeekingLexer) (*instruction, *syntaxError) {
	t := lex.Peek()
	in := instruction{Pos: t.Pos.Offset}
	if isPunct(t, "@") || isPunct(t, "!") || t.Type == tokReg && !isPunct(after(lex), "(") {
		if err := in.guard(lex); err != nil {
			return nil, err
		}
	}
	if err := in.opcode(lex); err != nil {
		return nil, err
	}
	if err := in.operands(n, lex); err != nil {
		return nil, err
	}
	kept := n.newInstruction()
	*kept = in
	return kept, nil
}

// guard parses @p, @!p and the article's p, !p.
func (in *instruction) guard(lex *lexer.PeekingLexer) *syntaxError {
	in.Guarded, in.Bare = true, true
	if isPunct(lex.Peek(), "@") {
		in.Bare = false
		lex.Next()
	}
	if isPunct(lex.Peek(), "!") {
		in.Negate = true
		lex.Next()
	}
	t := lex.Peek()
	next := after(lex)
	switch {
	case t.Type != tokReg && t.Type != tokIdent, isOpcode(t) && next.Type == tokIdent && !isOpcode(next):
		return expected(t, "a predicate register") // `@ bra L`: a register may be called bra, but no opcode L
	case in.Bare && next.Type != tokIdent && next.Type != tokOpcode:
		return expected(t, "an instruction")
	}
	in.Guard = nameOf(lex.Next())
	return nil
}

// isOpcode reports a word that is an opcode without modifiers.
func isOpcode(t *lexer.Token) bool {
	_, ok := isa.LookupOpcode(t.Value)
	return ok && t.Type == tokIdent
}

func (in *instruction) opcode(lex *lexer.PeekingLexer) *syntaxError {
	t := lex.Peek()
	if t.Type != tokIdent && t.Type != tokOpcode && (t.Type != tokReg || in.Guarded) {
		return expected(t, "an instruction")
	}
	lex.Next()
	word := nameOf(t)
	in.Op, in.OpPos, in.OpEnd = word.Text, word.Pos, word.End
	if isPunct(lex.Peek(), "(") && t.Type != tokOpcode && !isCall(in.Op) {
		in.Direct = true
		return nil
	}
	for lex.Peek().Type == tokDir { // a blank may stand before a dot: add .u32
		part := lex.Next()
		in.Op += part.Value
		in.OpEnd = part.Pos.Offset + len(part.Value)
	}
	return nil
}

// isCall reports the words after which parentheses are lists of parameters.
func isCall(op string) bool { return op == "call" || strings.HasPrefix(op, "call.") }

func (in *instruction) operands(n *nodes, lex *lexer.PeekingLexer) *syntaxError {
	n.open = n.open[:0]
	p := operands{nodes: n, lex: lex, lists: in.Direct || isCall(in.Op)}
	if t := lex.Peek(); !isPunct(t, ";") && !(t.Pos.Line > lastToken(lex).Pos.Line && beginsStatement(t)) {
		for {
			if err := p.operand(); err != nil {
				return err
			}
			if !isPunct(lex.Peek(), ",") {
				break
			}
			lex.Next()
		}
	}
	if t := lex.Peek(); !isPunct(t, ";") {
		switch {
		case t.EOF() || t.Pos.Line > lastToken(lex).Pos.Line:
			// What is missing stands at the end of the line before, not where the next one begins.
			end := p.end()
			return &syntaxError{Pos: end, End: end, Message: "expected `;` at the end of the instruction", reported: t.Type == tokBad}
		case len(n.open) == 0:
			return expected(t, "an operand or `;`")
		}
		return expected(t, "`,` or `;`")
	}
	lex.Next()
	in.Operands = n.close(0)
	return nil
}
