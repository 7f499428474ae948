package isa

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The rows of the test data are single instructions over fixed names: registers whose type follows from the prefix,
// and a handful of variables, functions and labels. readInst is a reader for just these.

var testRegisters = map[string]Type{
	"%p": Pred, "%bb": B8, "%ub": U8, "%sb": S8, "%bh": B16, "%uh": U16, "%sh": S16, "%h": F16, "%b": B32, "%u": U32,
	"%s": S32, "%f": F32, "%hx": F16x2, "%bd": B64, "%ud": U64, "%sd": S64, "%d": F64, "%q": B128,
}

var testRegisterCounts = map[string]int{"%b": 260, "%u": 32, "%s": 140, "%f": 140, "%bd": 32, "%ud": 32, "%sd": 32, "%d": 32, "%q": 8}

var testVars = map[string]*Var{
	"gbuf": {Name: "gbuf", Space: SpaceGlobal, Type: B8}, "cbuf": {Name: "cbuf", Space: SpaceConst, Type: B8},
	"sbuf": {Name: "sbuf", Space: SpaceShared, Type: B8}, "mbar": {Name: "mbar", Space: SpaceShared, Type: B64},
	"gu32": {Name: "gu32", Space: SpaceGlobal, Type: U32}, "gf32": {Name: "gf32", Space: SpaceGlobal, Type: F32},
	"gu64": {Name: "gu64", Space: SpaceGlobal, Type: U64}, "su32": {Name: "su32", Space: SpaceShared, Type: U32},
	"cu32": {Name: "cu32", Space: SpaceConst, Type: U32}, "tx": {Name: "tx", Space: SpaceGlobal, Type: TexRef},
	"smp": {Name: "smp", Space: SpaceGlobal, Type: SamplerRef}, "sf": {Name: "sf", Space: SpaceGlobal, Type: SurfRef},
	"kp0": {Name: "kp0", Space: SpaceParam, Type: U64}, "kp1": {Name: "kp1", Space: SpaceParam, Type: U32},
	"kp2": {Name: "kp2", Space: SpaceParam, Type: F32}, "kpa": {Name: "kpa", Space: SpaceParam, Type: B8},
	"lbuf": {Name: "lbuf", Space: SpaceLocal, Type: B8}, "lu32": {Name: "lu32", Space: SpaceLocal, Type: U32},
	"pa0": {Name: "pa0", Space: SpaceParam, Type: B32}, "pa1": {Name: "pa1", Space: SpaceParam, Type: B64},
	"pr0": {Name: "pr0", Space: SpaceParam, Type: B32},
}

var (
	param32   = &Var{Name: "a", Space: SpaceParam, Type: B32}
	param64   = &Var{Name: "b", Space: SpaceParam, Type: B64}
	testFuncs = map[string]*Func{
		"fn0": {Name: "fn0"}, "fn1": {Name: "fn1", Params: []*Var{param32}, Results: []*Var{param32}}, "fn2": {Name: "fn2", Params: []*Var{param32, param64}},
		"fr1": {Name: "fr1", Params: []*Var{{Name: "a", Space: SpaceReg, Type: B32}}, Results: []*Var{{Name: "r", Space: SpaceReg, Type: B32}}}, "k2": {Name: "k2", Entry: true},
	}
	testProtos = map[string]*Proto{"pt": {Name: "pt", Params: []*Var{param32}, Results: []*Var{param32}}, "pt0": {Name: "pt0"}, "pt2": {Name: "pt2", Params: []*Var{param32, param64}}}
	testTables = map[string]*Table{"ts": {Name: "ts"}, "cl": {Name: "cl", Funcs: []*Func{testFuncs["fn1"]}}, "cl0": {Name: "cl0", Funcs: []*Func{testFuncs["fn0"]}}}
)

// reader reads one instruction.
type reader struct {
	s    string
	f    *Func
	seen map[string]Reg
	call bool // parentheses are lists
}

// readInst reads one instruction of the test data.
func readInst(text string) (f *Func, in *Inst, err error) {
	r := &reader{s: strings.TrimSpace(text), f: &Func{Params: []*Var{testVars["kp0"], testVars["kp1"], testVars["kp2"], testVars["kpa"]}}, seen: map[string]Reg{}}
	in = &Inst{Guard: Guard{Reg: NoReg}}
	defer func() {
		if e := recover(); e != nil {
			msg, ok := e.(string)
			if !ok {
				panic(e)
			}
			err = fmt.Errorf("%s", msg)
		}
	}()
	if r.take("@") {
		in.Guard.Neg = r.take("!")
		o := r.primary()
		if o.Kind != OperandReg || o.Neg || o.Minus {
			panic("guard")
		}
		in.Guard.Reg = o.Reg
	}
	r.space()
	end := strings.IndexAny(r.s, " \t;[{(")
	if end < 0 {
		panic("no end")
	}
	word := r.s[:end]
	r.s = r.s[end:]
	r.space()
	for strings.HasPrefix(r.s, ".") {
		end := strings.IndexAny(r.s, " \t;[{(")
		word += r.s[:end]
		r.s = r.s[end:]
		r.space()
	}
	op, mods, types, wordErr := Split(word)
	if wordErr != nil {
		panic(wordErr.Error())
	}
	in.Op, in.Mods, in.Types = op, mods, types
	r.call = op == OpCall
	if !r.take(";") {
		for {
			in.Operands = append(in.Operands, r.operand())
			if r.take(";") {
				break
			}
			if !r.take(",") {
				panic("syntax at " + r.s)
			}
		}
	}
	if r.space(); r.s != "" {
		panic("text after the semicolon")
	}
	return r.f, in, nil
}

func (r *reader) space() { r.s = strings.TrimLeft(r.s, " \t\n") }

func (r *reader) take(p string) bool {
	r.space()
	if strings.HasPrefix(r.s, p) {
		r.s = r.s[len(p):]
		return true
	}
	return false
}

func (r *reader) operand() Operand {
	o := r.primary()
	if r.take("|") {
		o = Operand{Kind: OperandPair, Reg: NoReg, List: []Operand{o, r.primary()}}
	}
	return o
}

func (r *reader) primary() Operand {
	r.space()
	if r.s == "" {
		panic("operand missing")
	}
	switch {
	case r.take("["):
		return r.address()
	case r.take("{"):
		return Operand{Kind: OperandVector, Reg: NoReg, List: r.list("}")}
	case strings.HasPrefix(r.s, "(") && (r.call || strings.HasPrefix(r.s, "(%") || strings.HasPrefix(r.s, "(p") || strings.HasPrefix(r.s, "(_")):
		r.take("(")
		return Operand{Kind: OperandList, Reg: NoReg, List: r.list(")")}
	case strings.HasPrefix(r.s, "!%"):
		r.take("!")
		o := r.primary()
		o.Neg = true
		return o
	case strings.HasPrefix(r.s, "-%"):
		r.take("-")
		o := r.primary()
		o.Minus = true
		return o
	}
	if name := r.name(); name != "" {
		return r.named(name)
	}
	return r.constant()
}

// name takes a name off the text, WARP_SZ excepted.
func (r *reader) name() string {
	i := 0
	for i < len(r.s) {
		c := r.s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '%' && i == 0
		if !letter && !(i > 0 && c >= '0' && c <= '9') {
			break
		}
		i++
	}
	if i == 0 || r.s[:i] == "WARP_SZ" {
		return ""
	}
	name := r.s[:i]
	r.s = r.s[i:]
	return name
}

func (r *reader) named(name string) Operand {
	o := Operand{Reg: NoReg, Part: -1}
	if name == "_" {
		o.Kind = OperandSink
		return o
	}
	if s, ok := LookupSpecial(name); ok {
		o.Kind, o.Special = OperandSpecial, s
		if s.Vector() && r.take(".") {
			o.Part = int8(strings.IndexByte("xyzw", r.s[0]))
			r.s = r.s[1:]
			if o.Part < 0 {
				panic("part")
			}
		}
		return o
	}
	if strings.HasPrefix(name, "%") {
		prefix := strings.TrimRight(name, "0123456789")
		n, err := strconv.Atoi(name[len(prefix):])
		t, ok := testRegisters[prefix]
		limit := 16
		if l := testRegisterCounts[prefix]; l > 0 {
			limit = l
		}
		if !ok || err != nil || n >= limit {
			panic("unknown register " + name)
		}
		o.Kind = OperandReg
		if id, ok := r.seen[name]; ok {
			o.Reg = id
		} else {
			o.Reg = Reg(len(r.f.Regs))
			r.seen[name] = o.Reg
			r.f.Regs = append(r.f.Regs, RegDecl{Name: name, Type: t})
		}
		if strings.HasPrefix(r.s, ".") {
			r.s = r.s[1:]
			o.Select = r.selector()
		}
		o.Offset = r.offset()
		return o
	}
	if v := testVars[name]; v != nil {
		o.Kind, o.Var = OperandVar, v
		o.Offset = r.offset()
		return o
	}
	if f := testFuncs[name]; f != nil {
		o.Kind, o.Func = OperandFunc, f
		return o
	}
	if name == "L0" || name == "L1" {
		o.Kind = OperandLabel
		return o
	}
	if t, p := testTables[name], testProtos[name]; t != nil || p != nil {
		o.Kind, o.Table, o.Proto = OperandTable, t, p
		return o
	}
	panic("unknown name " + name)
}

func (r *reader) selector() string {
	i := 0
	for i < len(r.s) && (r.s[i] >= 'a' && r.s[i] <= 'z' || r.s[i] >= '0' && r.s[i] <= '9') {
		i++
	}
	s := r.s[:i]
	r.s = r.s[i:]
	if i == 0 || s[0] != 'b' && s[0] != 'h' {
		panic("selector " + s)
	}
	return s
}

func (r *reader) offset() int64 {
	var sum int64
	for r.take("+") {
		o := r.constant()
		sum += int64(o.Bits)
	}
	return sum
}

func (r *reader) list(end string) []Operand {
	var list []Operand
	if r.take(end) {
		return list
	}
	for {
		list = append(list, r.operand())
		if r.take(end) {
			return list
		}
		if !r.take(",") {
			panic("syntax at " + r.s)
		}
	}
}

// address reads what stands in brackets: base, offsets, and further parts of tensor and texture operands.
func (r *reader) address() Operand {
	r.space()
	o := Operand{Kind: OperandAddress, Reg: NoReg, Part: -1}
	base := r.primary()
	switch base.Kind {
	case OperandReg:
		o.Reg, o.Offset = base.Reg, base.Offset
	case OperandVar:
		o.Var, o.Offset = base.Var, base.Offset
	case OperandInt:
		o.Offset = int64(base.Bits)
	case OperandFunc:
		o.Func = base.Func
	default:
		panic("address")
	}
	for r.take(",") {
		o.Kind = OperandTensor
		o.List = append(o.List, r.operand())
	}
	if !r.take("]") {
		panic("] missing at " + r.s)
	}
	return o
}

// constant reads a constant expression, loosely: enough for the test data.
func (r *reader) constant() Operand { return r.binary(0) }

var testPrecedence = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<<", ">>", "<", ">"}, {"+", "-"}, {"*", "/"}}

func (r *reader) binary(level int) Operand {
	if level == len(testPrecedence) {
		return r.unary()
	}
	left := r.binary(level + 1)
	for {
		found := ""
		r.space()
		for _, op := range testPrecedence[level] {
			if strings.HasPrefix(r.s, op) && !(len(op) == 1 && len(r.s) > 1 && (op == "|" && r.s[1] == '%' || op == "|" && r.s[1] == '|' || op == "&" && r.s[1] == '&')) {
				found = op
				break
			}
		}
		if found == "" {
			if level == 0 && r.take("?") {
				yes := r.binary(0)
				if !r.take(":") {
					panic("?:")
				}
				no := r.binary(0)
				if left.Bits != 0 {
					return yes
				}
				return no
			}
			return left
		}
		r.take(found)
		right := r.binary(level + 1)
		if left.Kind != right.Kind {
			panic("integer and float in one expression")
		}
		a, b := int64(left.Bits), int64(right.Bits)
		truth := map[bool]int64{true: 1}
		switch found {
		case "||":
			a = truth[a != 0 || b != 0]
		case "&&":
			a = truth[a != 0 && b != 0]
		case "|":
			a |= b
		case "^":
			a ^= b
		case "&":
			a &= b
		case "==":
			a = truth[a == b]
		case "!=":
			a = truth[a != b]
		case "<=":
			a = truth[a <= b]
		case ">=":
			a = truth[a >= b]
		case "<":
			a = truth[a < b]
		case ">":
			a = truth[a > b]
		case "<<":
			a <<= uint64(b) & 63
		case ">>":
			a >>= uint64(b) & 63
		case "+":
			a += b
		case "-":
			a -= b
		case "*":
			a *= b
		case "/":
			if b == 0 {
				panic("division by zero")
			}
			a /= b
		}
		left.Bits = uint64(a)
	}
}

func (r *reader) unary() Operand {
	switch {
	case r.take("("):
		if r.take(".s64)") || r.take(".u64)") {
			return r.unary()
		}
		o := r.binary(0)
		if !r.take(")") {
			panic(") missing")
		}
		return o
	case r.take("-"):
		if strings.HasPrefix(r.s, "0f") || strings.HasPrefix(r.s, "0d") {
			panic("minus before 0f")
		}
		o := r.unary()
		if o.Kind == OperandFloat {
			o.Bits ^= 1 << 63
		} else {
			o.Bits = -o.Bits
		}
		return o
	case r.take("+"):
		return r.unary()
	case r.take("~"):
		o := r.unary()
		o.Bits = ^o.Bits
		return o
	case r.take("!"):
		o := r.unary()
		o.Bits = map[bool]uint64{true: 1}[o.Bits == 0]
		return o
	case r.take("WARP_SZ"):
		return Operand{Kind: OperandInt, Reg: NoReg, Bits: 32}
	}
	return r.number()
}

func (r *reader) number() Operand {
	i := 0
	for i < len(r.s) {
		c := r.s[i]
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' ||
			(c == '+' || c == '-') && i > 0 && (r.s[i-1] == 'e' || r.s[i-1] == 'E') && !strings.HasPrefix(r.s, "0x")) {
			break
		}
		i++
	}
	s := r.s[:i]
	r.s = r.s[i:]
	o := Operand{Reg: NoReg, Part: -1}
	switch {
	case s == "":
		panic("operand at " + r.s)
	case len(s) == 10 && (s[:2] == "0f" || s[:2] == "0F"):
		v, err := strconv.ParseUint(s[2:], 16, 32)
		if err != nil {
			panic(s)
		}
		o.Kind, o.Bits, o.Single = OperandFloat, v, true
	case len(s) == 18 && (s[:2] == "0d" || s[:2] == "0D"):
		v, err := strconv.ParseUint(s[2:], 16, 64)
		if err != nil {
			panic(s)
		}
		o.Kind, o.Bits = OperandFloat, v
	case strings.ContainsAny(s, ".") || strings.ContainsAny(s, "eE") && !strings.HasPrefix(s, "0x") && !strings.HasPrefix(s, "0X"):
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic(s)
		}
		o.Kind, o.Bits, o.Decimal = OperandFloat, math.Float64bits(v), true
	default:
		text := strings.TrimSuffix(s, "U")
		base := 10
		switch {
		case strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X"):
			base, text = 16, text[2:]
		case strings.HasPrefix(text, "0b") || strings.HasPrefix(text, "0B"):
			base, text = 2, text[2:]
		case len(text) > 1 && text[0] == '0':
			base = 8
		}
		v, err := strconv.ParseUint(text, base, 64)
		if e, ok := err.(*strconv.NumError); ok && e.Err != strconv.ErrRange {
			panic(s)
		}
		o.Kind, o.Bits = OperandInt, v
	}
	return o
}
