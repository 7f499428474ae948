package lane

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// machine runs the straight-line kernels of the vectors without the rooms that come after this one: every register has a
// slot of its own, ld and st know global memory and parameters, a branch leaves the kernel.
type machine struct {
	f       *isa.Func
	slots   []int32
	w       *state.Warp
	prog    *state.Program
	ops     []step
	buffers [][]byte
	params  []uint64
}

// step runs one instruction on the warp.
type step struct {
	guard isa.Guard
	run   func()
}

// errUnknown names an instruction that belongs to another room.
type errUnknown struct{ op isa.Opcode }

func (e errUnknown) Error() string { return "not a register instruction: " + e.op.String() }

func newMachine(f *isa.Func) (*machine, error) {
	m := &machine{f: f, prog: &state.Program{}}
	var n32, n64, np int32
	for _, r := range f.Regs {
		switch {
		case r.Type == isa.Pred:
			m.slots = append(m.slots, np)
			np++
		case r.Type.Bits() == 128:
			m.slots = append(m.slots, n64)
			n64 += 2
		case r.Type.Bits() == 64:
			m.slots = append(m.slots, n64)
			n64++
		default:
			m.slots = append(m.slots, n32)
			n32++
		}
	}
	m.w = &state.Warp{R32: make([][32]uint32, n32+1), R64: make([][32]uint64, n64+1), P: make([]uint32, np+1), Prog: m.prog}
	for i := range f.Code {
		run, err := m.decode(&f.Code[i], n32, n64, np)
		if err != nil {
			return nil, err
		}
		m.ops = append(m.ops, step{f.Code[i].Guard, run})
	}
	return m, nil
}

// decode prepares an instruction; the last slot of each kind is scratch.
func (m *machine) decode(in *isa.Inst, scratch32, scratch64, scratchP int32) (func(), error) {
	switch {
	case in.Op == isa.OpRet:
		return func() {}, nil
	case in.Op == isa.OpBra:
		if target := int(in.Operands[0].Target); target < len(m.f.Code) && m.f.Code[target].Op == isa.OpRet {
			return nil, nil
		}
		return nil, errUnknown{in.Op}
	case in.Op == isa.OpLd && in.Has(isa.ModParam):
		index := -1
		for i, p := range m.f.Params {
			if p == in.Operands[1].Var {
				index = i
			}
		}
		return func() { m.each(func(l int) { m.set(in.Operands[0], l, m.params[index]) }) }, nil
	case in.Op == isa.OpLd && in.Has(isa.ModGlobal):
		return func() {
			m.each(func(l int) {
				at := m.get(in.Operands[1].Reg, l) + uint64(in.Operands[1].Offset)
				list := []isa.Operand{in.Operands[0]}
				if in.Operands[0].Kind == isa.OperandVector {
					list = in.Operands[0].List
				}
				for i, o := range list {
					m.set(o, l, m.load(at+uint64(i*in.Type(0).Bytes()), in.Type(0)))
				}
			})
		}, nil
	case in.Op == isa.OpSt && in.Has(isa.ModGlobal):
		return func() {
			m.each(func(l int) {
				at := m.get(in.Operands[0].Reg, l) + uint64(in.Operands[0].Offset)
				list := []isa.Operand{in.Operands[1]}
				if in.Operands[1].Kind == isa.OperandVector {
					list = in.Operands[1].List
				}
				for i, o := range list {
					m.store(at+uint64(i*in.Type(0).Bytes()), in.Type(0), m.operand(o, l))
				}
			})
		}, nil
	case !Executes(in.Op):
		return nil, errUnknown{in.Op}
	}
	if len(in.Operands) == 2 && in.Operands[1].Kind == isa.OperandSpecial {
		return func() {
			m.each(func(l int) {
				x := uint64(0)
				if in.Operands[1].Special == isa.SpecialTID && in.Operands[1].Part == 0 {
					x = uint64(m.w.Index*32 + l)
				}
				m.set(in.Operands[0], l, x)
			})
		}, nil
	}
	choice, ok := Select(in, m.f)
	if !ok {
		return nil, fmt.Errorf("no lane function for %s", keyOf(in.Op, in.Mods, in.Types))
	}
	op := &state.Op{Run: choice.Run, Imm: choice.Imm, Extra: choice.Extra, D: -1, D2: -1, A: -1, B: -1, C: -1, E: -1, Inst: in}
	scratch := func(t isa.Type) int32 {
		switch {
		case t == isa.Pred:
			return scratchP
		case t.Bits() == 64:
			return scratch64
		}
		return scratch32
	}
	destination := func(o isa.Operand, t isa.Type) int32 {
		if o.Kind == isa.OperandReg {
			return m.slots[o.Reg]
		}
		return scratch(t)
	}
	vector := in.Op == isa.OpMov && in.Type(0) == isa.B128
	for _, o := range in.Operands {
		vector = vector || o.Kind == isa.OperandVector
	}
	if vector && in.Op == isa.OpMov {
		v := &state.Vectors{}
		for i, o := range in.Operands {
			list := []isa.Operand{o}
			t := isa.B64
			if o.Kind == isa.OperandVector {
				list = o.List
				if in.Type(0).Bits()/len(list) < 64 {
					t = isa.B32
				}
			}
			var slots []int32
			for _, e := range list {
				slots = append(slots, destination(e, t))
				if e.Kind == isa.OperandReg && m.f.Regs[e.Reg].Type.Bits() == 128 {
					slots = append(slots, m.slots[e.Reg]+1)
				}
			}
			if i == 0 {
				v.D = slots
			} else {
				v.A = slots
			}
		}
		op.Extra, op.D, op.A = v, v.D[0], v.A[0]
		return func() { choice.Run(m.w, op) }, nil
	}
	to := in.Type(0)
	if in.Op == isa.OpSetp || in.Op == isa.OpTestp || in.Op == isa.OpVote && !in.Has(isa.ModBallot) {
		to = isa.Pred
	}
	first := in.Operands[0]
	if first.Kind == isa.OperandPair {
		op.D, op.D2 = destination(first.List[0], to), destination(first.List[1], isa.Pred)
	} else {
		op.D = destination(first, to)
	}
	sources := in.Operands[1:]
	if in.Op == isa.OpLop3 && len(sources) == 5 {
		sources = append(sources[:3:3], sources[4])
	}
	var before []func()
	fields := []*int32{&op.A, &op.B, &op.C, &op.E}
	for i, o := range sources {
		*fields[i] = m.source(in, i, o, &before)
	}
	run := func() { choice.Run(m.w, op) }
	var after func()
	if in.Op == isa.OpCvt {
		if o := sources[0]; o.Kind == isa.OperandReg && m.f.Regs[o.Reg].Type.Bits() == 64 && in.Type(1).Bits() < 64 {
			op.A = scratch32
			before = append(before, func() { m.each(func(l int) { m.w.R32[scratch32][l] = uint32(m.w.R64[m.slots[o.Reg]][l]) }) })
		}
		if register := m.f.Regs[first.Reg].Type; first.Kind == isa.OperandReg && register.Bits() > to.Bits() {
			op.D = scratch32
			after = func() {
				m.each(func(l int) {
					x := uint64(m.w.R32[scratch32][l])
					if to.Signed() {
						x = readInteger(x, to)
					}
					m.set(first, l, x)
				})
			}
		}
	}
	return func() {
		for _, f := range before {
			f()
		}
		run()
		if after != nil {
			after()
		}
	}, nil
}

// source is the slot of a source operand.
func (m *machine) source(in *isa.Inst, i int, o isa.Operand, before *[]func()) int32 {
	switch o.Kind {
	case isa.OperandReg:
		if !o.Neg {
			return m.slots[o.Reg]
		}
		slot := int32(len(m.w.P))
		m.w.P = append(m.w.P, 0)
		*before = append(*before, func() { m.w.P[slot] = ^m.w.P[m.slots[o.Reg]] })
		return slot
	case isa.OperandInt, isa.OperandFloat:
		t := in.Type(len(in.Types) - 1)
		shift := i > 0 && (in.Op == isa.OpShl || in.Op == isa.OpShr || in.Op == isa.OpBfe) || in.Op == isa.OpShfl
		wide := t.Bits() == 64 && !shift || in.Op == isa.OpMad && in.Has(isa.ModWide) && t.Bits() == 32 && i == 2
		value := o.Bits
		if o.Kind == isa.OperandFloat && o.Single && wide {
			value = math.Float64bits(float64(math.Float32frombits(uint32(value))))
		} else if o.Kind == isa.OperandFloat && !o.Single && !wide {
			value = uint64(math.Float32bits(float32(math.Float64frombits(value))))
		}
		if wide {
			var c [32]uint64
			for l := range c {
				c[l] = value
			}
			m.prog.Const64 = append(m.prog.Const64, c)
			return ^int32(len(m.prog.Const64) - 1)
		}
		if t.Bits() == 16 && !shift {
			value &= 0xffff
		}
		var c [32]uint32
		for l := range c {
			c[l] = uint32(value)
		}
		m.prog.Const32 = append(m.prog.Const32, c)
		return ^int32(len(m.prog.Const32) - 1)
	}
	return -1
}

func (m *machine) each(f func(l int)) {
	for a := m.w.Active; a != 0; a &= a - 1 {
		f(bits.TrailingZeros32(a))
	}
}

func (m *machine) get(r isa.Reg, l int) uint64 {
	switch t := m.f.Regs[r].Type; {
	case t == isa.Pred:
		return uint64(m.w.P[m.slots[r]] >> l & 1)
	case t.Bits() == 64:
		return m.w.R64[m.slots[r]][l]
	}
	return uint64(m.w.R32[m.slots[r]][l])
}

func (m *machine) operand(o isa.Operand, l int) uint64 {
	if o.Kind == isa.OperandReg {
		return m.get(o.Reg, l)
	}
	return o.Bits
}

// set writes a register, cut to its width.
func (m *machine) set(o isa.Operand, l int, x uint64) {
	if o.Kind != isa.OperandReg {
		return
	}
	slot := m.slots[o.Reg]
	switch t := m.f.Regs[o.Reg].Type; {
	case t == isa.Pred:
		m.w.P[slot] = m.w.P[slot]&^(1<<l) | uint32(x&1)<<l
	case t.Bits() == 64:
		m.w.R64[slot][l] = x
	default:
		m.w.R32[slot][l] = uint32(x & (1<<t.Bits() - 1))
	}
}

func (m *machine) load(at uint64, t isa.Type) uint64 {
	b := m.buffers[at>>32][uint32(at):]
	switch t.Bits() {
	case 8:
		return readInteger(uint64(b[0]), t)
	case 16:
		return readInteger(uint64(binary.LittleEndian.Uint16(b)), t)
	case 32:
		return readInteger(uint64(binary.LittleEndian.Uint32(b)), t)
	}
	return binary.LittleEndian.Uint64(b)
}

func (m *machine) store(at uint64, t isa.Type, x uint64) {
	b := m.buffers[at>>32][uint32(at):]
	switch t.Bits() {
	case 8:
		b[0] = byte(x)
	case 16:
		binary.LittleEndian.PutUint16(b, uint16(x))
	case 32:
		binary.LittleEndian.PutUint32(b, uint32(x))
	default:
		binary.LittleEndian.PutUint64(b, x)
	}
}

// run executes one warp whose first thread has the given number within the grid. With full false the loops go over the
// bits of the mask, as if lanes were missing.
func (m *machine) run(warp int, full bool) {
	m.w.Index, m.w.CC = warp, 0
	live := uint32(1<<32 - 1)
	for i, s := range m.ops {
		m.w.Active = live
		if s.guard.Reg != isa.NoReg {
			p := m.w.P[m.slots[s.guard.Reg]]
			if s.guard.Neg {
				p = ^p
			}
			m.w.Active &= p
		}
		if m.f.Code[i].Op == isa.OpBra {
			live &^= m.w.Active
			continue
		}
		m.w.Full = full && m.w.Active == live
		s.run()
	}
}
