// Package exec runs programs: it decodes a module into a flat slice of operations and executes them, a warp
// instruction at a time. It has no clock and no policy about which warp runs; sm and functional decide that.
package exec

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Env is what decoding depends on beside the module.
type Env struct {
	// Registers replaces the estimate of 32-bit registers a thread (`--regs`); 0: .maxnreg or liveness.
	Registers int
	// Race looks for races in shared memory (`--race`): Card.Races.
	Race bool
}

// Decode flattens an entry and every function that it can reach into a Program. Instructions that can't run yet are
// no error: Program.Unsupported names the first. An error is a module that can't be laid out, or a missing name.
func Decode(m *isa.Module, entry *isa.Func, env Env) (*state.Program, error) {
	if !entry.Defined {
		return nil, fmt.Errorf("%s: `%s` has no body", entry.Source.At(entry.Pos), entry.Name)
	}
	d := newDecoder(m, entry)
	d.layShared(entry)
	root := d.instance(entry, false)
	for i := 0; i < len(d.order); i++ { // functions found on the way are appended
		d.order[i].emitAll()
		if d.err != nil {
			return nil, d.err
		}
	}
	for _, in := range d.order {
		in.allocate()
	}
	d.layFrames()
	d.link(root, env)
	if env.Race {
		watchRaces(d.prog)
	}
	return d.prog, d.err
}

// decoder is the state of one Decode.
type decoder struct {
	module    *isa.Module
	prog      *state.Program
	instances map[instanceKey]*instance
	order     []*instance
	const32   map[uint32]int32
	const64   map[uint64]int32
	vars      map[*isa.Var]int // index into Program.Vars
	shared    map[*isa.Var]uint64
	err       error
}

func newDecoder(m *isa.Module, entry *isa.Func) *decoder {
	d := &decoder{
		module:    m,
		prog:      &state.Program{Module: m, Entry: entry},
		instances: map[instanceKey]*instance{},
		const32:   map[uint32]int32{},
		const64:   map[uint64]int32{},
		vars:      map[*isa.Var]int{},
		shared:    map[*isa.Var]uint64{},
	}
	d.constant32(0)
	d.constant64(0)
	return d
}

// instanceKey tells the launched entry from the same entry called like a function (its parameters come from the call).
type instanceKey struct {
	fn     *isa.Func
	callee bool
}

// instance is one function being decoded.
type instance struct {
	*decoder
	fn     *isa.Func
	callee bool

	ops    []state.Op
	at     []int32 // first operation of each instruction, and the end
	vars   []variable
	regVar []int32 // first variable of each register
	calls  []*instance

	polls []pollLoop

	frameVars map[*isa.Var]int // offset in the function's local frame
	frameSize int

	n32, n64, np          int // slots
	base32, base64, baseP int
	pressure              int // most 32-bit registers live at once
	start                 int32
	component             int // strongly connected component of the call graph
	recursive             bool
}

// variable is a register, or an element of one, or a temporary, that gets a slot. One of 128 bits is two variables:
// the first has width 2, the second is its upper half.
type variable struct {
	class class
	width int32 // consecutive slots; 0: the upper half of the variable before
	slot  int32
}

// class is the register file that a variable lives in.
type class uint8

const (
	class32 class = iota
	class64
	classP
	numClasses
)

// none marks a slot field that an operation does not use.
const none int32 = -1 << 30

func (d *decoder) instance(fn *isa.Func, callee bool) *instance {
	key := instanceKey{fn, callee}
	if in := d.instances[key]; in != nil {
		return in
	}
	in := &instance{decoder: d, fn: fn, callee: callee, frameVars: map[*isa.Var]int{}}
	d.instances[key] = in
	d.order = append(d.order, in)
	return in
}

func (d *decoder) fail(fn *isa.Func, pos isa.Pos, format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%s: %s", fn.Source.At(pos), fmt.Sprintf(format, args...))
	}
}

// constant32 returns the slot of a 32-bit constant spread over the lanes.
func (d *decoder) constant32(v uint32) int32 {
	slot, ok := d.const32[v]
	if !ok {
		var lanes [32]uint32
		for l := range lanes {
			lanes[l] = v
		}
		slot = ^int32(len(d.prog.Const32))
		d.prog.Const32 = append(d.prog.Const32, lanes)
		d.const32[v] = slot
	}
	return slot
}

// constant64 returns the slot of a 64-bit constant spread over the lanes.
func (d *decoder) constant64(v uint64) int32 {
	slot, ok := d.const64[v]
	if !ok {
		var lanes [32]uint64
		for l := range lanes {
			lanes[l] = v
		}
		slot = ^int32(len(d.prog.Const64))
		d.prog.Const64 = append(d.prog.Const64, lanes)
		d.const64[v] = slot
	}
	return slot
}

// varIndex numbers a variable of global or const memory; the operations look its address up in Launch.Vars.
func (d *decoder) varIndex(v *isa.Var) int {
	i, ok := d.vars[v]
	if !ok {
		i = len(d.prog.Vars)
		d.prog.Vars = append(d.prog.Vars, v)
		d.vars[v] = i
	}
	return i
}

// funcAddress is the generic address of a function.
func (d *decoder) funcAddress(fn *isa.Func) uint64 { return functionAddress(d.module, fn) }

// body returns the definition of a function that may be a prototype, or nil.
func (d *decoder) body(fn *isa.Func) *isa.Func {
	if fn.Defined {
		return fn
	}
	for _, f := range d.module.Funcs {
		if f.Name == fn.Name && f.Defined {
			return f
		}
	}
	for _, a := range d.module.Aliases {
		if a.Name == fn.Name && a.Target != nil && a.Target.Defined {
			return a.Target
		}
	}
	return nil
}

// newVar makes a variable of a class.
func (in *instance) newVar(c class, width int32) int32 {
	v := int32(len(in.vars))
	in.vars = append(in.vars, variable{class: c, width: width})
	if width == 2 {
		in.vars = append(in.vars, variable{class: c})
	}
	return v
}

// classOf returns the register file and the number of slots for a type.
func classOf(t isa.Type) (class, int32) {
	switch bits := t.Bits(); {
	case t == isa.Pred:
		return classP, 1
	case bits <= 32:
		return class32, 1
	case bits <= 64:
		return class64, 1
	default:
		return class64, 2
	}
}

// prepare gives the function its variables and its local frame, at the first call to it or when its turn comes.
func (in *instance) prepare() {
	if in.regVar == nil {
		in.declare()
		in.layLocals()
	}
}

// declare makes the variables of the function's registers.
func (in *instance) declare() {
	in.regVar = make([]int32, len(in.fn.Regs), len(in.fn.Regs)+1)
	for r, decl := range in.fn.Regs {
		c, width := classOf(decl.Type)
		in.regVar[r] = int32(len(in.vars))
		for range max(1, int(decl.Vec)) {
			in.newVar(c, width)
		}
	}
}

// emit appends an operation.
func (in *instance) emit(op state.Op) *state.Op {
	op.Func = in.fn
	in.ops = append(in.ops, op)
	return &in.ops[len(in.ops)-1]
}

// newOp returns an operation with no operand set.
func newOp(inst *isa.Inst, run func(*state.Warp, *state.Op) state.Signal) state.Op {
	return state.Op{Run: run, D: none, D2: none, A: none, B: none, C: none, E: none, Guard: none, Sync: none, Inst: inst}
}
