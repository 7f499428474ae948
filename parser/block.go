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

	nodes *nodes
}

// nodes are what the blocks of one function take their instructions and operands from, in chunks.
type nodes struct {
	insts    []instruction
	operands []operand
	open     []operand // a stack: the lists that are being parsed
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
	if b.nodes == nil {
		b.nodes = &nodes{}
	}
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
			s.Block = &block{nodes: b.nodes}
			if err := s.Block.Parse(lex); err != nil {
				return err
			}
		case t.Type == tokLabel:
			s.Label = lex.Next().Value
		case t.Type == tokDir:
			s.Decl, s.Err = parseDeclaration(lex, bodyDirectives)
		default:
			s.Inst, s.Err = b.nodes.instruction(lex)
		}
		if s.Err != nil {
			s.Inst, s.Decl = nil, nil
			before := lex.Cursor()
			resume(lex, s.Pos, s.Err.Pos)
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

// newInstruction takes a node from the chunk.
func (n *nodes) newInstruction() *instruction {
	if len(n.insts) == cap(n.insts) {
		n.insts = make([]instruction, 0, min(256, max(4, 2*cap(n.insts))))
	}
	n.insts = append(n.insts, instruction{})
	return &n.insts[len(n.insts)-1]
}

// keep copies operands into the chunk, so that a statement's list is one piece of a larger one.
func (n *nodes) keep(list []operand) []operand {
	if len(list) == 0 {
		return nil
	}
	if cap(n.operands)-len(n.operands) < len(list) {
		n.operands = make([]operand, 0, max(len(list), min(512, max(8, 2*cap(n.operands)))))
	}
	start := len(n.operands)
	n.operands = append(n.operands, list...)
	return n.operands[start:len(n.operands):len(n.operands)]
}

// close keeps the operands opened since the stack had that height, and takes them off it.
func (n *nodes) close(height int) []operand {
	list := n.keep(n.open[height:])
	n.open = n.open[:height]
	return list
}
