package isa

// Reg numbers a register within its function: an index into Func.Regs.
type Reg int32

// NoReg marks the absence of a register.
const NoReg Reg = -1

// Inst is one instruction with all names resolved and its spelling checked against the table.
type Inst struct {
	Op       Opcode
	Mods     []Mod  // every modifier that is no type, as written, left to right
	Types    []Type // every type modifier, as written, left to right (setp.eq.f16.f32: [f16 f32])
	Guard    Guard
	Operands []Operand // destination first, as written
	Pos      Pos       // the first token of the line (guard or opcode)
	OpPos    Pos       // the opcode word
	Loc      int32     // index into Module.Locs of the `.loc` in force, or -1
}

// Guard is `@p` or `@!p`.
type Guard struct {
	Reg Reg // NoReg: unguarded
	Neg bool
}

// Has reports whether the instruction carries the modifier.
func (in *Inst) Has(m Mod) bool {
	for _, x := range in.Mods {
		if x == m {
			return true
		}
	}
	return false
}

// Type returns the i-th type modifier, or TypeNone.
func (in *Inst) Type(i int) Type {
	if i < len(in.Types) {
		return in.Types[i]
	}
	return TypeNone
}

// OperandKind says what an Operand is.
type OperandKind uint8

// The kinds of operands. In parentheses: the fields that hold the value.
const (
	OperandNone    OperandKind = iota
	OperandReg                 // a register (Reg, Neg; Part for one element of a .v2/.v4 register)
	OperandInt                 // an integer constant (Bits: two's complement, 64 bits)
	OperandFloat               // a floating constant (Bits: IEEE bits, of an f32 when Single, else of an f64)
	OperandAddress             // [base+Offset]; base is a register (Reg), a variable (Var) or an absolute Offset alone
	OperandVector              // {a, b, ...} (List)
	OperandVar                 // the address of a variable (Var, Offset)
	OperandFunc                // the address or name of a function (Func)
	OperandLabel               // a place in the code (Target)
	OperandSpecial             // a special register (Special, Part: 0..3 for .x .y .z .w)
	OperandPair                // p|q (List of two: register or sink)
	OperandSink                // _
	OperandList                // ( a, b ) of a call (List)
	OperandTable               // .branchtargets or .calltargets (Table) or .callprototype (Proto)
	OperandGroup               // the keyword `group` of the article's sync.nvlink
	OperandTensor              // [tensorMap, {coords}] and the like: an address operand with further parts (List)
)

// Operand is one operand. Which fields are set follows from Kind.
type Operand struct {
	Kind    OperandKind
	Neg     bool // !p
	Minus   bool // -a of the video instructions
	Single  bool // OperandFloat: Bits are an f32 (written 0f...)
	Decimal bool // OperandFloat: written in decimal (1.5)
	Part    int8 // element of a vector register or special register; -1: whole
	Reg     Reg
	Special Special
	Target  int32 // OperandLabel: index into Func.Code
	Pos     Pos
	Bits    uint64
	Offset  int64
	Var     *Var
	Func    *Func
	Table   *Table
	Proto   *Proto
	List    []Operand
	Select  string // .b0 .. .b3, .h0, .h1 of the video instructions, without the dot
}
