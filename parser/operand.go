package parser

import (
	"github.com/alecthomas/participle/v2/lexer"
)

// operandKind is the form of an operand. What a name means is found out in lowering, from the declarations.
type operandKind uint8

const (
	opName     operandKind = iota // %r1, x, x+4, %tid.x, v.y, a.b0; x[2]: List holds the indices
	opConstant                    // 16, 1.0, -(1<<4)
	opAddress                     // [name+4], [16]; List: what follows the first part
	opVector                      // {a, b}
	opPair                        // p|q
	opList                        // (a, b) of a call
)

// operand is one operand as written.
type operand struct {
	Kind     operandKind
	Negate   bool // !p
	Minus    bool // -a
	Absolute bool // opAddress without a name
	Pos, End int
	Name     string
	Const    constant
	Offset   int64
	List     []operand
}

// operands parses the operands of one instruction.
type operands struct {
	nodes *nodes
	lex   *lexer.PeekingLexer
	lists bool // parentheses are lists, not part of a constant
}

// operand parses one operand and puts it on the stack of open ones.
func (p *operands) operand() *syntaxError {
	t := p.lex.Peek()
	o := operand{Pos: t.Pos.Offset}
	var err *syntaxError
	switch t.Type {
	case tokReg, tokIdent, tokOpcode:
		if t.Value == "WARP_SZ" {
			o.Kind = opConstant
			o.Const, err = parseConstant(p.lex)
			break
		}
		err = p.named(&o)
	case tokPunct:
		switch t.Value {
		case "{":
			o.Kind = opVector
			if err = p.list(&o, "}"); err == nil && isPunct(p.lex.Peek(), "|") {
				o.End = p.end()
				err = p.pair(&o)
			}
		case "[":
			o.Kind = opAddress
			err = p.address(&o)
		case "(":
			if !p.lists {
				o.Kind = opConstant
				o.Const, err = parseConstant(p.lex)
				break
			}
			o.Kind = opList
			err = p.list(&o, ")")
		case "!", "-":
			if next := after(p.lex); (next.Type == tokReg || next.Type == tokIdent || next.Type == tokOpcode) && next.Value != "WARP_SZ" {
				p.lex.Next()
				o.Negate, o.Minus = t.Value == "!", t.Value == "-"
				err = p.named(&o)
				break
			}
			fallthrough
		case "+", "~":
			o.Kind = opConstant
			o.Const, err = parseConstant(p.lex)
		default:
			err = expected(t, "an operand")
		}
	case tokInt, tokFloat, tokHexFloat:
		o.Kind = opConstant
		o.Const, err = parseConstant(p.lex)
	default:
		err = expected(t, "an operand")
	}
	if err != nil {
		return err
	}
	if o.End == 0 {
		o.End = p.end()
	}
	p.nodes.open = append(p.nodes.open, o)
	return nil
}

// end returns the offset behind the last token taken.
func (p *operands) end() int { return endOfLast(p.lex) }

// lastToken returns the token that was taken last; there must be one.
func lastToken(lex *lexer.PeekingLexer) *lexer.Token {
	at := lex.RawCursor()
	return &lex.Range(at-1, at)[0]
}

func endOfLast(lex *lexer.PeekingLexer) int {
	last := lastToken(lex)
	return last.Pos.Offset + len(last.Value)
}

// named parses a name with its displacement, or a pair p|q.
func (p *operands) named(o *operand) *syntaxError {
	t := p.lex.Next()
	o.Name = t.Value
	o.End = t.Pos.Offset + len(t.Value)
	for isPunct(p.lex.Peek(), "[") {
		p.lex.Next()
		at := p.lex.Peek()
		index, err := parseConstant(p.lex)
		switch {
		case err != nil:
			return err
		case index.Float:
			return errorAt(at, "an index is an integer")
		case !isPunct(p.lex.Peek(), "]"):
			return expected(p.lex.Peek(), "`]`")
		}
		p.lex.Next()
		o.List = append(o.List, operand{Kind: opConstant, Const: index, Pos: at.Pos.Offset})
		o.End = p.end()
	}
	switch next := p.lex.Peek(); {
	case isPunct(next, "+"):
		var err *syntaxError
		if o.Offset, err = p.displacement(); err != nil {
			return err
		}
		o.End = p.end()
	case isPunct(next, "|"):
		return p.pair(o)
	}
	return nil
}

// pair parses what follows the first half of p|q; tex has a whole vector there.
func (p *operands) pair(o *operand) *syntaxError {
	p.lex.Next()
	second := p.lex.Peek()
	if second.Type != tokReg && second.Type != tokIdent {
		return expected(second, "a predicate register or `_`")
	}
	p.lex.Next()
	end := second.Pos.Offset + len(second.Value)
	list := p.nodes.keep([]operand{*o, {Name: second.Value, Pos: second.Pos.Offset, End: end}})
	*o = operand{Kind: opPair, Pos: o.Pos, End: end, List: list}
	return nil
}

// displacement parses +imm, where imm is any constant expression.
func (p *operands) displacement() (int64, *syntaxError) {
	if !isPunct(p.lex.Peek(), "+") {
		return 0, nil
	}
	p.lex.Next()
	t := p.lex.Peek()
	if t.Type == tokReg || t.Type == tokIdent && t.Value != "WARP_SZ" {
		return 0, expected(t, "a constant").hint("an address is a register or a variable plus a constant")
	}
	v, err := parseConstant(p.lex)
	if err == nil && v.Float {
		err = errorAt(t, "a displacement is an integer")
	}
	return int64(v.Bits), err
}

// address parses [name+imm], [imm] and the tensor and texture forms [map, {x, y}].
func (p *operands) address(o *operand) *syntaxError {
	p.lex.Next()
	t := p.lex.Peek()
	switch t.Type {
	case tokReg, tokIdent, tokOpcode:
		o.Name = p.lex.Next().Value
		var err *syntaxError
		if o.Offset, err = p.displacement(); err != nil {
			return err
		}
	default:
		v, err := parseConstant(p.lex)
		if err != nil {
			if !err.reported && err.Pos == t.Pos.Offset {
				err = expected(t, "a register, a variable or a constant")
			}
			return err
		}
		if v.Float {
			return errorAt(t, "an address is an integer")
		}
		o.Absolute, o.Offset = true, int64(v.Bits)
	}
	if isPunct(p.lex.Peek(), ",") {
		height := len(p.nodes.open)
		for isPunct(p.lex.Peek(), ",") {
			p.lex.Next()
			if err := p.operand(); err != nil {
				return err
			}
		}
		o.List = p.nodes.close(height)
	}
	if t := p.lex.Peek(); !isPunct(t, "]") {
		err := expected(t, "`]`")
		switch {
		case isPunct(t, "-"):
			err.Hint = "write a negative displacement as [a+-4]"
		case isPunct(t, "["):
			err.Hint = "write the byte offset of an element: [a+4]"
		}
		return err
	}
	p.lex.Next()
	return nil
}

// list parses the elements of {...} and (...).
func (p *operands) list(o *operand, end string) *syntaxError {
	p.lex.Next()
	if end == ")" && isPunct(p.lex.Peek(), ")") {
		p.lex.Next()
		return nil
	}
	height := len(p.nodes.open)
	inner := operands{nodes: p.nodes, lex: p.lex}
	for {
		if err := inner.operand(); err != nil {
			return err
		}
		t := p.lex.Peek()
		if isPunct(t, end) {
			break
		}
		if !isPunct(t, ",") {
			return expected(t, "`,` or `"+end+"`")
		}
		p.lex.Next()
	}
	p.lex.Next()
	o.List = p.nodes.close(height)
	return nil
}
