package parser

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// initialiser is what stands after `=`: a list in braces, a constant, or the address of a symbol.
// It is parsed by hand, because tables of many thousand numbers are common in what compilers write.
type initialiser struct {
	Pos, End int
	Braced   bool
	List     []initialiser
	Const    constant
	Symbol   string // the symbol whose address it is; Const is then what is added
	Generic  bool   // generic(symbol)
	Masked   bool
	Mask     uint64 // 0xff00(symbol)
	Err      *syntaxError
}

// Parse implements participle.Parseable.
func (v *initialiser) Parse(lex *lexer.PeekingLexer) error {
	if isPunct(lex.Peek(), ";") {
		return participle.NextMatch
	}
	if err := v.parse(lex); err != nil {
		v.Err = err
		// The rest is skipped here, up to the end of the declarator, so that the grammar goes on behind it.
		depth := 0
		for t := lex.Peek(); !t.EOF(); t = lex.Peek() {
			if isPunct(t, "{") {
				depth++
			}
			if isPunct(t, "}") {
				depth--
			}
			if isPunct(t, ";") || depth <= 0 && t.Type == tokDir && moduleDirectives[t.Value] {
				break
			}
			lex.Next()
		}
	}
	return nil
}

func (v *initialiser) parse(lex *lexer.PeekingLexer) *syntaxError {
	t := lex.Peek()
	v.Pos = t.Pos.Offset
	if !isPunct(t, "{") {
		err := v.element(lex)
		v.End = endOfLast(lex)
		return err
	}
	v.Braced = true
	lex.Next()
	for !isPunct(lex.Peek(), "}") {
		var e initialiser
		if err := e.parse(lex); err != nil {
			return err
		}
		v.List = append(v.List, e)
		if isPunct(lex.Peek(), "}") {
			break
		}
		if !isPunct(lex.Peek(), ",") {
			return expected(lex.Peek(), "`,` or `}`")
		}
		lex.Next()
		if isPunct(lex.Peek(), "}") {
			return expected(lex.Peek(), "a value")
		}
	}
	lex.Next()
	v.End = endOfLast(lex)
	return nil
}

func (v *initialiser) element(lex *lexer.PeekingLexer) *syntaxError {
	t := lex.Peek()
	if t.Type == tokInt && isPunct(after(lex), "(") {
		mask, ok := integerLiteral(t.Value)
		if !ok {
			return errorAt(t, "`"+t.Value+"` is no octal number")
		}
		lex.Next()
		lex.Next()
		v.Masked, v.Mask = true, mask.Bits
		if err := v.symbol(lex); err != nil {
			return err
		}
		if !isPunct(lex.Peek(), ")") {
			return expected(lex.Peek(), "`)`")
		}
		lex.Next()
		return nil
	}
	if (t.Type == tokIdent || t.Type == tokReg) && t.Value != "WARP_SZ" {
		return v.symbol(lex)
	}
	var err *syntaxError
	v.Const, err = parseConstant(lex)
	return err
}

// symbol parses name, generic(name) and either with a constant added.
func (v *initialiser) symbol(lex *lexer.PeekingLexer) *syntaxError {
	t := lex.Peek()
	if t.Type != tokIdent && t.Type != tokReg {
		return expected(t, "a symbol")
	}
	lex.Next()
	v.Symbol = t.Value
	if t.Value == "generic" && isPunct(lex.Peek(), "(") {
		lex.Next()
		inner := lex.Peek()
		if inner.Type != tokIdent && inner.Type != tokReg {
			return expected(inner, "a symbol")
		}
		lex.Next()
		v.Generic, v.Symbol = true, inner.Value
		if !isPunct(lex.Peek(), ")") {
			return expected(lex.Peek(), "`)`")
		}
		lex.Next()
	}
	if isPunct(lex.Peek(), "+") {
		lex.Next()
		at := lex.Peek()
		c, err := parseConstant(lex)
		if err != nil {
			return err
		}
		if c.Float {
			return errorAt(at, "an address takes an integer offset")
		}
		v.Const.Bits = c.Bits
	}
	return nil
}
