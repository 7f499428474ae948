package parser

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// constant is the value of a constant expression (PTX ISA, "Constant Expressions"): a 64-bit integer, signed or not,
// or a floating value.
type constant struct {
	Float    bool
	Single   bool // Float: Bits are an f32 (written 0f...), else an f64
	Unsigned bool
	Bits     uint64
}

// warpSize is WARP_SZ on every target.
const warpSize = 32

func integer(v int64) constant { return constant{Bits: uint64(v)} }

func truth(b bool) constant {
	if b {
		return integer(1)
	}
	return integer(0)
}

// value returns a floating constant as a number.
func (c constant) value() float64 {
	if c.Single {
		return float64(math.Float32frombits(uint32(c.Bits)))
	}
	return math.Float64frombits(c.Bits)
}

// maxConstantDepth bounds conditions and unary operators inside one another.
const maxConstantDepth = 1000

// constants parses constant expressions by precedence, as C does, and evaluates them at once.
type constants struct {
	lex   *lexer.PeekingLexer
	depth int
}

// precedence ranks the binary operators, loosest first.
var precedence = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6,
	"<": 7, "<=": 7, ">": 7, ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10,
}

// parseConstant parses a whole constant expression.
func parseConstant(lex *lexer.PeekingLexer) (constant, *syntaxError) {
	p := constants{lex: lex}
	return p.conditional()
}

func (p *constants) enter(at *lexer.Token) *syntaxError {
	if p.depth++; p.depth > maxConstantDepth {
		return errorAt(at, "constant expression nested more than 1,000 deep")
	}
	return nil
}

func (p *constants) conditional() (constant, *syntaxError) {
	if err := p.enter(p.lex.Peek()); err != nil {
		return constant{}, err
	}
	defer func() { p.depth-- }()
	condition, err := p.binary(1)
	if err != nil || !isPunct(p.lex.Peek(), "?") {
		return condition, err
	}
	p.lex.Next()
	yes, err := p.conditional()
	if err != nil {
		return constant{}, err
	}
	if !isPunct(p.lex.Peek(), ":") {
		return constant{}, expected(p.lex.Peek(), "`:` of the condition")
	}
	p.lex.Next()
	no, err := p.conditional()
	if err != nil {
		return constant{}, err
	}
	if condition.Bits != 0 {
		return yes, nil
	}
	return no, nil
}

func (p *constants) binary(loosest int) (constant, *syntaxError) {
	left, err := p.unary()
	for err == nil {
		op := p.lex.Peek()
		rank := precedence[op.Value]
		if op.Type != tokPunct || rank < loosest {
			return left, nil
		}
		p.lex.Next()
		var right constant
		if right, err = p.binary(rank + 1); err == nil {
			left, err = apply(op, left, right)
		}
	}
	return left, err
}

func (p *constants) unary() (constant, *syntaxError) {
	t := p.lex.Peek()
	if err := p.enter(t); err != nil {
		return constant{}, err
	}
	defer func() { p.depth-- }()
	if t.Type != tokPunct {
		return p.literal()
	}
	switch t.Value {
	case "-", "+", "~", "!":
		p.lex.Next()
		if p.lex.Peek().Type == tokHexFloat {
			return constant{}, errorAt(t, "no operator stands before a floating constant given by its bits").hint("set the sign bit in the digits")
		}
		v, err := p.unary()
		if err != nil {
			return v, err
		}
		switch {
		case t.Value == "+":
		case t.Value == "-" && v.Float:
			v.Bits ^= 1 << 63
		case v.Float:
			return v, errorAt(t, "`"+t.Value+"` takes an integer")
		case t.Value == "-":
			v.Bits = -v.Bits
		case t.Value == "~":
			v.Bits = ^v.Bits
		default:
			v = truth(v.Bits == 0)
		}
		return v, nil
	case "(":
		p.lex.Next()
		if cast := p.lex.Peek(); cast.Type == tokDir && (cast.Value == ".s64" || cast.Value == ".u64") {
			p.lex.Next()
			if !isPunct(p.lex.Peek(), ")") {
				return constant{}, expected(p.lex.Peek(), "`)`")
			}
			p.lex.Next()
			v, err := p.unary()
			if err == nil && v.Float {
				return v, errorAt(cast, "a floating constant can't be cast")
			}
			v.Unsigned = cast.Value == ".u64"
			return v, err
		}
		v, err := p.conditional()
		if err != nil {
			return v, err
		}
		if !isPunct(p.lex.Peek(), ")") {
			return v, expected(p.lex.Peek(), "`)`")
		}
		p.lex.Next()
		return v, nil
	}
	return constant{}, expected(t, "a constant")
}

// literal parses one number.
func (p *constants) literal() (constant, *syntaxError) {
	t := p.lex.Peek()
	v, ok := constant{}, false
	switch t.Type {
	case tokInt:
		v, ok = integerLiteral(t.Value)
		if !ok {
			return v, errorAt(t, "`"+t.Value+"` is no octal number").hint("a constant that begins with 0 is octal")
		}
	case tokFloat:
		f, err := strconv.ParseFloat(t.Value, 64)
		if err != nil {
			return v, errorAt(t, "`"+t.Value+"` is beyond the range of f64")
		}
		v, ok = constant{Float: true, Bits: math.Float64bits(f)}, true
	case tokHexFloat:
		bits, err := strconv.ParseUint(t.Value[2:], 16, 64)
		v, ok = constant{Float: true, Single: len(t.Value) == 10, Bits: bits}, err == nil
	case tokIdent:
		v, ok = integer(warpSize), t.Value == "WARP_SZ"
	}
	if !ok {
		return v, expected(t, "a constant")
	}
	p.lex.Next()
	return v, nil
}

// integerLiteral reads an integer as C does; beyond 64 bits its low 64 count, as ptxas has it.
func integerLiteral(text string) (constant, bool) {
	digits, unsigned := strings.CutSuffix(text, "U")
	bits, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		wide, ok := new(big.Int).SetString(digits, 0)
		if !ok {
			return constant{}, false
		}
		bits = new(big.Int).And(wide, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	}
	return constant{Unsigned: unsigned || bits > math.MaxInt64, Bits: bits}, true
}

// apply evaluates a binary operator. Integers wrap at 64 bits; unsigned wins over signed.
func apply(op *lexer.Token, a, b constant) (constant, *syntaxError) {
	if a.Float != b.Float {
		return a, errorAt(op, "`"+op.Value+"` mixes an integer and a floating constant")
	}
	if a.Float {
		return applyFloat(op, a.value(), b.value())
	}
	unsigned := a.Unsigned || b.Unsigned
	x, y := a.Bits, b.Bits
	result := func(bits uint64) (constant, *syntaxError) { return constant{Unsigned: unsigned, Bits: bits}, nil }
	less := int64(x) < int64(y)
	if unsigned {
		less = x < y
	}
	switch op.Value {
	case "+":
		return result(x + y)
	case "-":
		return result(x - y)
	case "*":
		return result(x * y)
	case "/":
		switch {
		case y == 0:
			return a, errorAt(op, "division by zero in a constant expression")
		case unsigned:
			return result(x / y)
		case int64(y) == -1:
			return result(-x)
		}
		return result(uint64(int64(x) / int64(y)))
	case "<<":
		return constant{Unsigned: a.Unsigned, Bits: x << y}, nil
	case ">>":
		if a.Unsigned {
			return constant{Unsigned: true, Bits: x >> y}, nil
		}
		return integer(int64(x) >> y), nil
	case "&":
		return result(x & y)
	case "|":
		return result(x | y)
	case "^":
		return result(x ^ y)
	case "&&":
		return truth(x != 0 && y != 0), nil
	case "||":
		return truth(x != 0 || y != 0), nil
	case "==":
		return truth(x == y), nil
	case "!=":
		return truth(x != y), nil
	case "<":
		return truth(less), nil
	case ">=":
		return truth(!less), nil
	case ">":
		return truth(!less && x != y), nil
	}
	return truth(less || x == y), nil // <=
}

func applyFloat(op *lexer.Token, x, y float64) (constant, *syntaxError) {
	result := func(v float64) (constant, *syntaxError) {
		return constant{Float: true, Bits: math.Float64bits(v)}, nil
	}
	switch op.Value {
	case "+":
		return result(x + y)
	case "-":
		return result(x - y)
	case "*":
		return result(x * y)
	case "/":
		return result(x / y)
	case "==":
		return truth(x == y), nil
	case "!=":
		return truth(x != y), nil
	case "<":
		return truth(x < y), nil
	case ">":
		return truth(x > y), nil
	case "<=":
		return truth(x <= y), nil
	case ">=":
		return truth(x >= y), nil
	}
	return constant{}, errorAt(op, "`"+op.Value+"` takes integers")
}
