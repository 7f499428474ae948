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
	block *block
	lex   *lexer.PeekingLexer
	lists bool // parentheses are lists, not part of a constant
}

// operand parses one operand and appends it.
func (p *operands) operand(list *[]operand) *syntaxError {
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
			err = p.list(&o, "}")
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
	*list = append(*list, o)
	return nil
}

// end returns the offset behind the last token taken.
func (p *operands) end() int { return endOfLast(p.lex) }

func endOfLast(lex *lexer.PeekingLexer) int {
	at := lex.RawCursor()
	last := lex.Range(at-1, at)[0]
	return last.Pos.Offset + len(last.Value)
}

// lineOf returns the line of the last token taken.
func lineOf(_ []operand, lex *lexer.PeekingLexer) int {
	at := lex.RawCursor()
	return lex.Range(at-1, at)[0].Pos.Line
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
		p.lex.Next()
		second := p.lex.Peek()
		if second.Type != tokReg && second.Type != tokIdent {
			return expected(second, "a predicate register or `_`")
		}
		p.lex.Next()
		first := *o
		o.Kind, o.Name, o.End = opPair, "", second.Pos.Offset+len(second.Value)
		o.List = p.block.keep([]operand{first, {Name: second.Value, Pos: second.Pos.Offset, End: o.End}})
	}
	return nil
}

// displacement parses +imm, as often as it stands there.
func (p *operands) displacement() (int64, *syntaxError) {
	var sum int64
	for isPunct(p.lex.Peek(), "+") {
		p.lex.Next()
		t := p.lex.Peek()
		if t.Type == tokReg || t.Type == tokIdent && t.Value != "WARP_SZ" {
			return 0, expected(t, "a constant").hint("an address is a register or a variable plus a constant")
		}
		v, err := parseTerm(p.lex)
		if err != nil {
			return 0, err
		}
		if v.Float {
			return 0, errorAt(t, "a displacement is an integer")
		}
		sum += int64(v.Bits)
	}
	return sum, nil
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
		var few [6]operand
		rest := few[:0]
		for isPunct(p.lex.Peek(), ",") {
			p.lex.Next()
			if err := p.operand(&rest); err != nil {
				return err
			}
		}
		o.List = p.block.keep(rest)
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
	var few [8]operand
	list := few[:0]
	inner := operands{block: p.block, lex: p.lex}
	for {
		if err := inner.operand(&list); err != nil {
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
	o.List = p.block.keep(list)
	return nil
}
