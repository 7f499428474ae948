package parser

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// block is `{ statements }`. It is parsed by hand: a broken statement is kept as its error and parsing goes on
// behind it, and instructions, nearly all of the text, don't pay for a grammar node a token.
type block struct {
	Open, Close int // offsets of the braces
	Stmts       []stmt

	insts    []instruction // chunks to take nodes from
	operands []operand
}

// stmt is one statement: exactly one of the pointers is set, or Label.
type stmt struct {
	Pos   int
	Label string
	Inst  *instruction
	Decl  *declaration
	Block *block
	Err   *syntaxError
}

// Parse implements participle.Parseable.
func (b *block) Parse(lex *lexer.PeekingLexer) error {
	if !isPunct(lex.Peek(), "{") {
		return participle.NextMatch
	}
	b.Open = lex.Next().Pos.Offset
	for {
		t := lex.Peek()
		s := stmt{Pos: t.Pos.Offset}
		switch {
		case t.EOF() || t.Type == tokDir && beginsFunction(lex):
			s.Err = expected(t, "`}` at the end of the block")
			b.Close = t.Pos.Offset
			b.Stmts = append(b.Stmts, s)
			return nil
		case isPunct(t, "}"):
			b.Close = lex.Next().Pos.Offset
			return nil
		case isPunct(t, "{"):
			s.Block = &block{}
			if err := s.Block.Parse(lex); err != nil {
				return err
			}
		case t.Type == tokLabel:
			s.Label = lex.Next().Value
		case t.Type == tokDir:
			s.Decl, s.Err = parseDeclaration(lex, bodyDirectives)
		default:
			s.Inst, s.Err = b.instruction(lex)
		}
		if s.Err != nil {
			s.Inst, s.Decl = nil, nil
			before := lex.Cursor()
			resume(lex, s.Err.Pos)
			if lex.Cursor() == before && lex.Peek().Pos.Offset == t.Pos.Offset && !isPunct(lex.Peek(), "}") {
				lex.Next()
			}
		}
		b.Stmts = append(b.Stmts, s)
	}
}

// parseDeclaration hands a directive to the grammar. The lexer stands at the start of the declaration after an error.
func parseDeclaration(lex *lexer.PeekingLexer, known map[string]bool) (*declaration, *syntaxError) {
	t := lex.Peek()
	if !known[t.Value] {
		return nil, unknownDirective(t, known)
	}
	mark := lex.MakeCheckpoint()
	d, err := grammar().ParseFromLexer(lex, participle.AllowTrailing(true))
	if err != nil {
		lex.LoadCheckpoint(mark)
		return nil, fromGrammar(err)
	}
	return d, nil
}

// newInstruction takes a node from the block's chunk.
func (b *block) newInstruction() *instruction {
	if len(b.insts) == cap(b.insts) {
		b.insts = make([]instruction, 0, min(256, max(4, 2*cap(b.insts))))
	}
	b.insts = append(b.insts, instruction{})
	return &b.insts[len(b.insts)-1]
}

// keep copies operands into the block's chunk, so that a statement's list is one piece of a larger one.
func (b *block) keep(list []operand) []operand {
	if len(list) == 0 {
		return nil
	}
	if cap(b.operands)-len(b.operands) < len(list) {
		b.operands = make([]operand, 0, max(len(list), min(512, max(8, 2*cap(b.operands)))))
	}
	start := len(b.operands)
	b.operands = append(b.operands, list...)
	return b.operands[start:len(b.operands):len(b.operands)]
}
