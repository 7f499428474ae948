package isa

import "strings"

// Row is one opcode of the instruction table: what the PTX ISA says about it, and what the machine needs to know.
type Row struct {
	Op      Opcode
	Meaning string // the instruction as a transfer: d = a * b + c
	Unit    Unit   // the functional unit that executes it, whatever its type; see UnitOf
	Wait    string // ledger entry of a wait for its result or its end
	Origin  string // "ptx", or "article" for an operator that only the article knows
	Chapter string // title of the PTX ISA chapter
	Lead    string // modifiers that must follow the opcode at once; all others are a set
	With    string // choices of the placeholders in Syntax, for all forms: "rnd=rn rz, type=f32 f64"
	Forms   []Form
	Rule    func(*checker) // what the syntax lines don't say
}

// Form is one syntax line of an opcode.
type Form struct {
	Chapter string // where it differs from the row's
	Syntax  string // the line as the PTX ISA prints it
	With    string // choices of its placeholders; these come before the row's
	Args    string // what each operand may be, see argument; "" is "=0 0 0 ...", all of the first type
	Lenient string // why it is accepted with a warning although the assembler refuses it; "" for what it takes
	Rule    func(*checker)
}

// Unit is the functional unit of an SM that executes an instruction.
type Unit string

// The units, named as in Nsight Compute where it has a name.
const (
	UnitALU     Unit = "ALU"         // integer, logic, compare, move
	UnitFMA     Unit = "FMA"         // f32 and packed half arithmetic, integer multiply-add
	UnitFP64    Unit = "FP64"        // f64 arithmetic
	UnitXU      Unit = "XU"          // transcendentals, conversions, bit counts
	UnitLSU     Unit = "LSU"         // loads, stores, atomics, barriers on memory, shuffles
	UnitTEX     Unit = "TEX"         // textures and surfaces
	UnitTMA     Unit = "TMA"         // bulk copies
	UnitTensor  Unit = "Tensor Core" // matrix multiply-accumulate
	UnitBranch  Unit = "branch"      // control flow
	UnitBarrier Unit = "barrier"     // CTA, cluster and warp barriers
	UnitNVLink  Unit = "NVLink"      // the article's operators
)

// UnitOf returns the functional unit that executes an instruction: its row's, except where the type decides.
func UnitOf(in *Inst) Unit {
	switch ClassOf(in) {
	case ClassFloat64, ClassDiv64:
		return UnitFP64
	case ClassFloat32, ClassFloat16:
		return UnitFMA
	}
	if r := RowOf(in.Op); r != nil {
		return r.Unit
	}
	return UnitALU
}

// The ledger entries (design, section 5) that a wait for an instruction's result is booked under.
const (
	WaitALU        = "alu"
	WaitTensor     = "tensor"
	WaitMemory     = "memory"
	WaitCTABarrier = "cta_barrier"
	WaitCopy       = "copy"
	WaitReduce     = "reduce"
	WaitRemote     = "remote"
	WaitFence      = "fence"
	WaitBarrier    = "barrier"
)

// rows is the instruction table, indexed by opcode, put together from the chapters once.
var rows = func() *[NumOpcodes]Row {
	all := new([NumOpcodes]Row)
	for _, chapter := range [][]Row{
		integerRows, floatRows, compareRows, logicRows, moveRows, copyRows, textureRows, controlRows,
		synchronizationRows, mbarrierRows, matrixRows, warpgroupRows, tcgen05Rows, stackRows, videoRows, miscRows, articleRows,
	} {
		for _, r := range chapter {
			if r.Origin == "" {
				r.Origin = "ptx"
			}
			all[r.Op] = r
		}
	}
	return all
}()

// Rows returns the table in the order of the PTX manual, the article's operators last. It must not be changed.
func Rows() []Row { return rows[OpNone+1:] }

// RowOf returns the row of an opcode, or nil where there is none.
func RowOf(op Opcode) *Row {
	if op == OpNone || op >= NumOpcodes {
		return nil
	}
	return &rows[op]
}

// Section returns the titles of the PTX ISA sections that describe the opcode, without repetition.
func (r *Row) Section() []string {
	var sections []string
	for i := range r.Forms {
		s := r.section(&r.Forms[i])
		if len(sections) == 0 || sections[len(sections)-1] != s {
			sections = append(sections, s)
		}
	}
	return sections
}

func (r *Row) section(f *Form) string {
	chapter := r.Chapter
	if f.Chapter != "" {
		chapter = f.Chapter
	}
	return chapter + ": " + r.Op.String()
}

// Placeholder is a name in a syntax line that stands for one of several words.
type Placeholder struct {
	Name    string
	Choices []string
}

// Placeholders returns what the names in the syntax lines stand for, in the order in which they appear. A name that means
// different things in different lines appears once for each.
func (r *Row) Placeholders() []Placeholder {
	var list []Placeholder
	seen := map[string]bool{}
	shared := choices(r.With)
	for i := range r.Forms {
		own := choices(r.Forms[i].With)
		for _, it := range syntaxItems(r.Forms[i].Syntax) {
			words, ok := own[it.name]
			if !ok {
				words, ok = shared[it.name]
			}
			if !ok {
				words, ok = common[it.name]
			}
			key := it.name + "=" + strings.Join(words, " ")
			if ok && !seen[key] {
				seen[key] = true
				list = append(list, Placeholder{it.name, words})
			}
		}
	}
	return list
}

// Syntax returns the syntax lines, each once.
func (r *Row) Syntax() []string {
	var lines []string
	seen := map[string]bool{}
	for _, f := range r.Forms {
		if !seen[f.Syntax] {
			seen[f.Syntax] = true
			lines = append(lines, f.Syntax)
		}
	}
	return lines
}
