package isa

import (
	"strconv"
	"strings"
)

// argument says what an operand of a syntax line may be. Form.Args writes it in short:
//
//	0 1 2      a register or constant of the 1st, 2nd, 3rd type     u32 b64 ...  one of that type
//	w0         of twice that type's width                           i            any 32-bit integer
//	~0         a wider register will do too                         p            a predicate
//	4*0        four of them in braces                               #            a constant
//	V0         as many as .v2, .v4 or .v8 says                      A B C D R    a matrix fragment
//	[]         an address in the instruction's space                [shared] ... in that space
//
// A leading = marks a destination, ! a source that may be negated, - one that may have a minus; a trailing _ one that
// may be the sink, ? one that may be left out, @mod one that is there exactly if the modifier is, . one that may have
// a byte or half selector (.! must). (0..15) (4|8) (/32) (/32!0) bound a constant. a|b is the pair d|p.
type argument struct {
	kind        argumentKind
	index       int  // of the type, or -1
	typ         Type // where the index is -1
	count       int  // elements of a vector
	space       string
	fragment    byte
	destination bool
	element     bool // of a vector of ld, st, ldmatrix ...: compared by size
	registers   bool // no constants
	loose       bool
	negatable   bool
	minus       bool
	sink        bool
	optional    bool
	onlyIf      Mod
	selector    int // 0 none, 1 may be, 2 must be
	limit       limit
	second      *argument // of a pair
}

type argumentKind uint8

const (
	argValue    argumentKind = iota
	argDouble                // twice the type's width
	argAny32                 // any 32-bit integer
	argPred                  // predicate
	argConstant              // integer constant
	argAddress
	argVector       // count elements
	argByWidth      // elements by .v2 .v4 .v8
	argFragment     // elements of a matrix
	argMove         // source of mov: also special registers, addresses of variables and functions
	argPlace        // a value or the address of a variable
	argPack         // mov between a vector and a scalar
	argPointer      // a 32- or 64-bit integer
	argOpaque       // a texture, sampler or surface
	argOffset       // integer vector of a texture instruction
	argGradient     // float vector of a texture instruction
	argPredRegister // a predicate that can't be a constant
	argIm2col       // im2col offsets, where the load mode has them
	argLanes        // mask vector of tcgen05.mma
	argMeta         // sparsity metadata, with or without braces
	argScale        // scale data of mma, with or without braces
	argSink         // _ and nothing else
	argLabel
	argTable
	argFunc
	argFuncPointer
	argList
	argGroup   // the article's keyword
	argSymbol  // an article operator's address: bare or in brackets
	argCounter // an article operator's count
)

var argumentNames = map[string]argumentKind{
	"i": argAny32, "p": argPred, "#": argConstant, "pack": argPack, "pointer": argPointer, "opaque": argOpaque,
	"offset": argOffset, "gradient": argGradient, "preg": argPredRegister, "im2col": argIm2col, "lanes": argLanes, "meta": argMeta, "scale": argScale, "label": argLabel, "table": argTable,
	"func": argFunc, "fptr": argFuncPointer, "list": argList, "group": argGroup, "place": argSymbol, "count": argCounter,
}

// limit bounds an integer constant. The zero limit allows all.
type limit struct {
	bounded bool
	low     int64
	high    int64
	step    int64
	notZero bool
	oneOf   []int64
}

const noBound = int64(1) << 62

func (l *limit) allows(v int64) bool {
	if l.oneOf != nil {
		return contains(l.oneOf, v)
	}
	return !l.bounded || v >= l.low && v <= l.high && (l.step == 0 || v%l.step == 0) && !(l.notZero && v == 0)
}

// String says what is allowed, for a message.
func (l *limit) String() string {
	switch {
	case l.oneOf != nil:
		var parts []string
		for _, v := range l.oneOf {
			parts = append(parts, strconv.FormatInt(v, 10))
		}
		return strings.Join(parts, ", ")
	case l.low == -noBound:
		s := "a multiple of " + strconv.FormatInt(l.step, 10)
		if l.notZero {
			s += ", not 0"
		}
		return s
	case l.high == noBound:
		return "at least " + strconv.FormatInt(l.low, 10)
	}
	s := strconv.FormatInt(l.low, 10) + " to " + strconv.FormatInt(l.high, 10)
	if l.step > 1 {
		s += " in steps of " + strconv.FormatInt(l.step, 10)
	}
	return s
}

// readLimit reads what stands between the parentheses of an argument.
func readLimit(s string) limit {
	l := limit{bounded: true, low: -noBound, high: noBound}
	if strings.Contains(s, "|") || !strings.ContainsAny(s, "./") {
		for _, part := range strings.Split(s, "|") {
			v, _ := strconv.ParseInt(part, 10, 64)
			l.oneOf = append(l.oneOf, v)
		}
		return l
	}
	s, l.notZero = strings.CutSuffix(s, "!0")
	bounds, step, _ := strings.Cut(s, "/")
	l.step, _ = strconv.ParseInt(step, 10, 64)
	if low, high, ok := strings.Cut(bounds, ".."); ok {
		if low != "" {
			l.low, _ = strconv.ParseInt(low, 10, 64)
		}
		if high != "" {
			l.high, _ = strconv.ParseInt(high, 10, 64)
		}
	}
	return l
}

// argumentsOf reads the Args of a syntax line.
func argumentsOf(line *Form) []argument {
	spec := line.Args
	if spec == "" {
		n := operandCount(line.Syntax)
		if n == 0 {
			return nil
		}
		spec = "=0" + strings.Repeat(" 0", n-1)
	}
	var args []argument
	for _, word := range strings.Fields(spec) {
		args = append(args, readArgument(word))
	}
	return args
}

// readArgument reads one word of Form.Args.
func readArgument(word string) argument {
	if first, second, ok := cutPair(word); ok {
		second, optional := strings.CutSuffix(second, "?")
		a, b := readArgument(first), readArgument("="+second)
		b.optional = optional
		a.second = &b
		return a
	}
	a := argument{index: -1}
	word, condition, conditional := strings.Cut(word, "@")
	if conditional {
		a.onlyIf, _ = LookupMod(condition)
	}
	word, a.optional = strings.CutSuffix(word, "?")
	if w, ok := strings.CutSuffix(word, ".!"); ok {
		word, a.selector = w, 2
	} else if w, ok := strings.CutSuffix(word, "."); ok {
		word, a.selector = w, 1
	}
	if open := strings.IndexByte(word, '('); open >= 0 {
		a.limit = readLimit(strings.TrimSuffix(word[open+1:], ")"))
		word = word[:open]
	}
	if word == "_" {
		a.kind = argSink
		return a
	}
	word, a.sink = strings.CutSuffix(word, "_")
	word, a.destination = strings.CutPrefix(word, "=")
	word, a.loose = strings.CutPrefix(word, "~")
	word, a.negatable = strings.CutPrefix(word, "!")
	word, a.minus = strings.CutPrefix(word, "-")
	if kind, ok := argumentNames[word]; ok {
		a.kind = kind
		return a
	}
	switch first := word[0]; {
	case first == '[':
		a.kind, a.space = argAddress, strings.Trim(word, "[]")
	case len(word) == 1 && first >= 'A' && first <= 'R':
		a.kind, a.fragment = argFragment, first
	case first == 'V':
		a.kind = argByWidth
		a.readType(word[1:])
	case first == 'w' && len(word) == 2:
		a.kind = argDouble
		a.readType(word[1:])
	case first == 'm' && len(word) == 2:
		a.kind = argMove
		a.readType(word[1:])
	case first == 'a' && len(word) == 2:
		a.kind = argPlace
		a.readType(word[1:])
	case strings.Contains(word, "*"):
		count, typ, _ := strings.Cut(word, "*")
		a.kind = argVector
		a.count, _ = strconv.Atoi(count)
		a.readType(typ)
	default:
		a.readType(word)
	}
	return a
}

// cutPair splits d|p; the bars between parentheses belong to a limit.
func cutPair(word string) (first, second string, ok bool) {
	if strings.Contains(word, "(") {
		return word, "", false
	}
	return strings.Cut(word, "|")
}

func (a *argument) readType(s string) {
	if n, err := strconv.Atoi(s); err == nil {
		a.index = n
		return
	}
	a.typ, _ = LookupType(s)
}

// typeIn returns the type that the argument has in the instruction.
func (a *argument) typeIn(in *Inst) Type {
	if a.index >= 0 {
		return in.Type(a.index)
	}
	return a.typ
}

// operandCount counts the operands that a syntax line names, optional ones included.
func operandCount(syntax string) int {
	_, operands, ok := strings.Cut(syntax, " ")
	operands = strings.TrimSpace(operands)
	if !ok || operands == "" {
		return 0
	}
	n, depth := 1, 0
	for i := 0; i < len(operands); i++ {
		switch operands[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case '{':
			if !optionalBrace(operands[i:]) {
				depth++
			}
		case '}':
			if depth > 0 && !closesOptional(operands[:i]) {
				depth--
			}
		case ',':
			if depth == 0 {
				n++
			}
		}
	}
	return n
}

// optionalBrace reports whether the brace at the start of s opens an optional part ({, b} {!} {.asel} {|p}) rather than a vector.
func optionalBrace(s string) bool {
	s = strings.TrimLeft(s[1:], " ")
	return s == "" || strings.ContainsRune(",!-.|", rune(s[0]))
}

// closesOptional reports whether the brace that ends s closes an optional part.
func closesOptional(s string) bool {
	open := strings.LastIndexByte(s, '{')
	return open >= 0 && optionalBrace(s[open:])
}
