package exec

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

func alignUp(n, align int) int { return (n + max(align, 1) - 1) &^ (max(align, 1) - 1) }

// codeAddress is the generic address of the i-th function of a module.
func codeAddress(i int) uint64 { return memory.CodeWindow + uint64(i+1)<<4 }

// paramOffsets lays an entry's parameters out as C does a struct's members, and returns the size of the whole.
func paramOffsets(fn *isa.Func) (offsets []int, size int) {
	for _, p := range fn.Params {
		align := max(p.Align, p.Type.Bytes())
		size = alignUp(size, align)
		offsets = append(offsets, size)
		size += max(p.Size, p.Type.Bytes())
	}
	return offsets, size
}

// paramOffset is the offset of one of an entry's parameters in its parameter block.
func paramOffset(fn *isa.Func, v *isa.Var) (int, bool) {
	offsets, _ := paramOffsets(fn)
	for i, p := range fn.Params {
		if p == v {
			return offsets[i], true
		}
	}
	return 0, false
}

// reservedShared is what the system keeps at the start of shared memory for programs that ask where that is
// (PTX ISA, "%reserved_smem_offset_begin"; 1 KB on sm_80 and later: CUDA C++ Programming Guide, "Technical Specifications").
const reservedShared = 1 << 10

// layShared gives every shared variable that the entry can reach its address: those with a size first, the unsized
// ones after them, all at the same place (they share the launch's bytes).
func (d *decoder) layShared(root *isa.Func) {
	var sized, unsized []*isa.Var
	d.reach(root, func(o *isa.Operand) {
		v := o.Var
		if o.Kind == isa.OperandSpecial && isa.SpecialReservedSmemOffsetBegin <= o.Special && o.Special <= isa.SpecialReservedSmemOffset_1 {
			d.prog.SharedStatic = reservedShared
		}
		if v == nil || v.Space != isa.SpaceShared {
			return
		}
		if _, known := d.shared[v]; known {
			return
		}
		d.shared[v] = 0
		if v.Size == 0 {
			unsized = append(unsized, v)
		} else {
			sized = append(sized, v)
		}
	})
	for _, v := range sized {
		at := alignUp(d.prog.SharedStatic, max(v.Align, v.Type.Bytes()))
		d.shared[v], d.prog.SharedStatic = uint64(at), at+v.Size
	}
	for _, v := range unsized { // StartCTA aligns what follows the sized ones to 16 as well
		d.shared[v] = uint64(alignUp(alignUp(d.prog.SharedStatic, 16), max(v.Align, v.Type.Bytes())))
	}
}

// reach shows every operand of every function that can be reached from root.
func (d *decoder) reach(root *isa.Func, see func(*isa.Operand)) {
	seen := map[*isa.Func]bool{}
	work := []*isa.Func{root}
	var operand func(o *isa.Operand)
	operand = func(o *isa.Operand) {
		see(o)
		if o.Func != nil {
			work = append(work, o.Func)
		}
		if o.Table != nil {
			work = append(work, o.Table.Funcs...)
		}
		if o.Var != nil {
			for _, item := range o.Var.Init {
				if item.Func != nil {
					work = append(work, item.Func)
				}
			}
		}
		for i := range o.List {
			operand(&o.List[i])
		}
	}
	for len(work) > 0 {
		fn := d.body(work[len(work)-1])
		work = work[:len(work)-1]
		if fn == nil || seen[fn] {
			continue
		}
		seen[fn] = true
		for i := range fn.Code {
			for j := range fn.Code[i].Operands {
				operand(&fn.Code[i].Operands[j])
			}
		}
	}
}

// layLocals places what lives in local memory: .local variables, .param variables of calls, and, in a function that is
// called, its parameters and results.
func (in *instance) layLocals() {
	place := func(v *isa.Var) {
		in.frameSize = alignUp(in.frameSize, max(v.Align, v.Type.Bytes()))
		in.frameVars[v] = in.frameSize
		in.frameSize += max(v.Size, v.Type.Bytes())
	}
	if in.callee {
		for _, list := range [][]*isa.Var{in.fn.Params, in.fn.Results} {
			for _, v := range list {
				if v.Space == isa.SpaceParam {
					place(v)
				}
			}
		}
	}
	for _, v := range in.fn.Vars {
		if v.Space == isa.SpaceLocal || v.Space == isa.SpaceParam {
			place(v)
		}
	}
	in.frameSize = alignUp(in.frameSize, 16)
}

// enter starts the function: register parameters of a launched entry come from the parameter block, those of a called
// function from the call (the hidden operation only marks them as written).
func (in *instance) enter() {
	start := &isa.Inst{Op: isa.OpMov, Guard: isa.Guard{Reg: isa.NoReg}, Pos: in.fn.Pos, OpPos: in.fn.Pos, Loc: -1}
	if in.callee {
		var formals registers
		for _, p := range in.fn.Params {
			if p.Space == isa.SpaceReg {
				formals = append(formals, in.regVar[p.Reg])
			}
		}
		if len(formals) > 0 {
			op := newOp(start, runNothing)
			op.Extra, op.Hidden = formals, true
			in.emit(op)
		}
		return
	}
	offsets, size := paramOffsets(in.fn)
	in.prog.ParamBytes = size
	for i, p := range in.fn.Params {
		if p.Space != isa.SpaceReg {
			continue
		}
		v := in.regVar[p.Reg]
		op := newOp(start, runLoadParam)
		op.Hidden = true
		op.Extra = &access{space: isa.SpaceParam, size: p.Type.Bytes(), count: 1, load: true, offset: uint64(offsets[i]), base: baseNone,
			signed: p.Type.Signed(), data: []element{{v, in.vars[v].class == class64, bitsOf(in.fn.Regs[p.Reg].Type), false}}}
		in.emit(op)
	}
}

// registers are the register parameters that a call writes.
type registers []int32

func (r registers) slots(see func(*int32, bool)) {
	for i := range r {
		see(&r[i], true)
	}
}

// leaving marks operations that may leave the function; they read its register results.
type leaving struct{ results []int32 }

func (l leaving) slots(see func(*int32, bool)) {
	for i := range l.results {
		see(&l.results[i], false)
	}
}

// results lists the variables of the function's register results.
func (in *instance) results() (list []int32) {
	for _, r := range in.fn.Results {
		if r.Space == isa.SpaceReg && r.Reg != isa.NoReg {
			list = append(list, in.regVar[r.Reg])
		}
	}
	return list
}

// layFrames gives every function its range of slots: above the deepest of its callers; functions that may call each
// other in a circle stand side by side, and a call inside the circle puts the callee's registers aside.
func (d *decoder) layFrames() {
	for _, in := range d.order {
		for i := range in.ops {
			if call, ok := in.ops[i].Extra.(*callInfo); ok {
				call.each(func(target *callTarget) { in.calls = append(in.calls, target.callee) })
			}
		}
	}
	components := d.components()
	type size struct{ n32, n64, np, pressure int }
	base := make([]size, len(components))
	for c := len(components) - 1; c >= 0; c-- { // callers come last
		at := base[c]
		pressure := 0
		for _, in := range components[c] {
			in.base32, in.base64, in.baseP = at.n32, at.n64, at.np
			at.n32, at.n64, at.np = at.n32+in.n32, at.n64+in.n64, at.np+in.np
			pressure = max(pressure, in.pressure)
			in.recursive = len(components[c]) > 1
		}
		at.pressure += pressure
		d.prog.N32, d.prog.N64, d.prog.NP = max(d.prog.N32, at.n32), max(d.prog.N64, at.n64), max(d.prog.NP, at.np)
		d.prog.Registers = max(d.prog.Registers, at.pressure)
		for _, in := range components[c] {
			for _, callee := range in.calls {
				if callee == in {
					in.recursive = true
				}
				if to := callee.component; to != c {
					b := &base[to]
					b.n32, b.n64, b.np = max(b.n32, at.n32), max(b.n64, at.n64), max(b.np, at.np)
					b.pressure = max(b.pressure, at.pressure)
				}
			}
		}
	}
}

// components returns the strongly connected components of the call graph (Tarjan), callees before callers.
func (d *decoder) components() (list [][]*instance) {
	index, low, onStack := map[*instance]int{}, map[*instance]int{}, map[*instance]bool{}
	var stack []*instance
	var connect func(in *instance)
	connect = func(in *instance) {
		index[in], low[in] = len(index)+1, len(index)+1
		stack, onStack[in] = append(stack, in), true
		for _, to := range in.calls {
			if index[to] == 0 {
				connect(to)
				low[in] = min(low[in], low[to])
			} else if onStack[to] {
				low[in] = min(low[in], index[to])
			}
		}
		if low[in] != index[in] {
			return
		}
		var component []*instance
		for {
			top := stack[len(stack)-1]
			stack, onStack[top] = stack[:len(stack)-1], false
			top.component = len(list)
			component = append(component, top)
			if top == in {
				break
			}
		}
		list = append(list, component)
	}
	for _, in := range d.order {
		if index[in] == 0 {
			connect(in)
		}
	}
	return list
}

// registersOf estimates how many registers a thread takes in machine code from the most that are live in PTX: ptxas
// recomputes values and folds 64-bit addresses into instructions, and needs a few of its own. Fitted to its listing for
// 214 kernels of the collectives corpus (ptxas 13.0, sm_80 to sm_100): mean error 14 %, nine in ten within 29 %.
func registersOf(live int) int { return live*3/5 + 7 }

// link joins the functions into one slice and turns variables into slots.
func (d *decoder) link(root *instance, env Env) {
	p := d.prog
	for _, in := range d.order {
		in.start = int32(len(p.Ops))
		p.Ops = append(p.Ops, in.ops...)
	}
	p.Start = root.start
	for _, in := range d.order {
		in.relocate(p.Ops[in.start : int(in.start)+len(in.ops)])
	}
	for i := range p.Ops {
		p.Ops[i].Index = int32(i)
	}
	p.LocalBytes = d.deepest(root)
	for _, in := range d.order {
		in.linkPolls()
	}
	p.Registers = registersOf(p.Registers)
	if max := p.Entry.Limits.MaxNReg; max > 0 {
		p.Registers = min(p.Registers, max)
	}
	if env.Registers > 0 {
		p.Registers = env.Registers
	}
}

// deepest is the local memory of the deepest chain of calls, each recursive function counted once.
func (d *decoder) deepest(root *instance) int {
	known := map[*instance]int{}
	var depth func(in *instance) int
	depth = func(in *instance) int {
		if n, ok := known[in]; ok {
			return n
		}
		known[in] = in.frameSize
		most := 0
		for _, to := range in.calls {
			most = max(most, depth(to))
		}
		known[in] = in.frameSize + most
		return known[in]
	}
	return depth(root)
}

// slot is where a variable ends up in the warp's registers.
func (in *instance) slot(v int32) int32 {
	x := &in.vars[v]
	switch x.class {
	case class32:
		return x.slot + int32(in.base32)
	case class64:
		return x.slot + int32(in.base64)
	}
	return x.slot + int32(in.baseP)
}

// index is the scoreboard's number for a variable (state.Program.Slots).
func (in *instance) index(v int32) int32 {
	switch in.vars[v].class {
	case class32:
		return in.slot(v)
	case class64:
		return in.slot(v) + int32(in.prog.N32)
	}
	return in.slot(v) + int32(in.prog.N32+in.prog.N64)
}

// relocate turns variables into slots and targets into places in the whole program.
func (in *instance) relocate(ops []state.Op) {
	var fed []int32 // what hidden operations before an instruction read
	for i := range ops {
		op := &ops[i]
		visit(op, func(slot *int32, write bool) {
			if write {
				op.Writes = append(op.Writes, in.index(*slot))
				if in.vars[*slot].width == 2 {
					op.Writes = append(op.Writes, in.index(*slot+1))
				}
			} else {
				op.Reads = append(op.Reads, in.index(*slot))
				if in.vars[*slot].width == 2 {
					op.Reads = append(op.Reads, in.index(*slot+1))
				}
			}
			*slot = in.slot(*slot)
		})
		switch {
		case op.Hidden && i > 0 && !ops[i-1].Hidden && ops[i-1].Inst == op.Inst: // widens the result
			ops[i-1].Writes = append(ops[i-1].Writes, op.Writes...)
		case op.Hidden:
			fed = append(fed, op.Reads...)
		default:
			op.Reads = append(op.Reads, fed...)
			fed = fed[:0]
		}
		for _, s := range [...]*int32{&op.D, &op.D2, &op.A, &op.B, &op.C, &op.E} {
			if *s == none {
				*s = -1
			}
		}
		if op.Guard < 0 {
			op.Guard = -1
		}
		if op.Kind == state.Control {
			if op.Imm != 1<<64-1 {
				op.Imm += uint64(in.start)
			}
			switch x := op.Extra.(type) {
			case nil:
				op.Target += in.start
			case *branchTable:
				for j := range x.targets {
					x.targets[j] += in.start
				}
			case *callInfo:
				x.each(func(t *callTarget) { t.link(in) })
			}
		}
	}
}

// linkPolls enters the function's polling loops into the program.
func (in *instance) linkPolls() {
	for n := range in.polls {
		p := &in.polls[n]
		ops := in.prog.Ops[in.start : int(in.start)+len(in.ops)]
		for _, callee := range p.calls {
			if p.head >= 0 && !callee.quiet(map[*instance]bool{}) {
				p.head = -1
			}
		}
		number := int32(0)
		if p.head >= 0 {
			poll := state.Poll{Head: p.head + in.start, Branch: p.branch + in.start}
			for _, v := range p.carried {
				for half := range in.vars[v].width {
					slot := in.slot(v + half)
					switch in.vars[v].class {
					case class32:
						poll.Carried32 = append(poll.Carried32, slot)
					case class64:
						poll.Carried64 = append(poll.Carried64, slot)
					default:
						poll.CarriedP = append(poll.CarriedP, slot)
					}
				}
			}
			in.prog.Polls = append(in.prog.Polls, poll)
			number = int32(len(in.prog.Polls))
		}
		for i := range ops {
			if in.ops[i].Poll == int32(n+1) {
				ops[i].Poll = number
			}
		}
	}
}

// quiet reports whether neither the function nor what it calls does anything that a polling loop must not.
func (in *instance) quiet(seen map[*instance]bool) bool {
	if seen[in] {
		return false // recursion hands values on in ways that nobody compares
	}
	seen[in] = true
	defer delete(seen, in)
	for i := range in.ops {
		if !quiet(&in.ops[i]) {
			return false
		}
	}
	for _, callee := range in.calls {
		if !callee.quiet(seen) {
			return false
		}
	}
	return true
}
