package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// maxLocal is the most local memory a thread can have (CUDA C++ Programming Guide, "Technical Specifications": 512 KB);
// recursion that needs more overflows the stack.
const maxLocal = 512 << 10

// callInfo is what a call knows: whom it calls, and how arguments and results move.
type callInfo struct {
	direct    *callTarget            // nil: the address decides
	byAddress map[uint64]*callTarget // of an indirect call: every function whose address is taken and that fits
	frame     int                    // bytes of the caller's local frame
}

// callTarget is one function that a call may go to.
type callTarget struct {
	callee  *instance
	entry   int32
	in, out []move // register arguments and results
	bytesIn []copied
	outs    []copied
	stores  []argument
	save    bool // caller and callee call each other in a circle: the callee's registers may hold an earlier activation
	linked  bool
}

// move hands a register over; from and to are slots of the two functions' frames.
type move struct {
	from, to int32
	class    class
}

// copied is a piece of one function's local frame handed over to another's.
type copied struct{ from, to, size int }

// argument is a register or constant that stands for a scalar .param.
type argument struct {
	slot int32
	wide bool
	to   int // offset in the callee's frame; of a result: from
	size int
}

func (c *callInfo) each(see func(*callTarget)) {
	if c.direct != nil {
		see(c.direct)
		return
	}
	for _, fn := range sortedKeys(c.byAddress) {
		see(c.byAddress[fn])
	}
}

func (c *callInfo) slots(see func(*int32, bool)) {
	c.each(func(t *callTarget) {
		for i := range t.in {
			if t.in[i].from >= 0 {
				see(&t.in[i].from, false)
			}
		}
		for i := range t.stores {
			if t.stores[i].slot >= 0 {
				see(&t.stores[i].slot, false)
			}
		}
		for i := range t.out {
			see(&t.out[i].to, true)
		}
	})
}

// link turns the callee's variables into slots; the caller's are done with the other operands.
func (t *callTarget) link(caller *instance) {
	if t.linked {
		return
	}
	t.linked = true
	t.entry = t.callee.start
	for i := range t.in {
		t.in[i].to = t.callee.slot(t.in[i].to)
	}
	for i := range t.out {
		t.out[i].from = t.callee.slot(t.out[i].from)
	}
	t.save = t.callee.component == caller.component
}

// emitCall decodes `call (results), function, (arguments), prototype;` in all its forms.
func emitCall(in *instance, inst *isa.Inst) {
	var results, args []isa.Operand
	var callee *isa.Operand
	var candidates []*isa.Func
	var proto *isa.Proto
	for i := range inst.Operands {
		switch o := &inst.Operands[i]; o.Kind {
		case isa.OperandList:
			if callee == nil {
				results = o.List
			} else {
				args = o.List
			}
		case isa.OperandTable:
			proto = o.Proto
			if o.Table != nil {
				candidates = o.Table.Funcs
			}
		default:
			callee = o
		}
	}
	if callee == nil {
		in.emitUnsupported(inst)
		return
	}
	op := newOp(inst, runCall)
	op.Kind, op.Class = state.Control, isa.ClassOf(inst)
	info := &callInfo{frame: in.frameSize}
	if callee.Kind == isa.OperandFunc {
		body := in.body(callee.Func)
		if body == nil {
			in.emitRuntimeCall(inst, callee.Func.Name, results, args)
			return
		}
		if info.direct = in.target(inst, body, results, args); info.direct == nil {
			return
		}
		op.Extra = info
		in.emit(op)
		return
	}
	if candidates == nil {
		candidates = in.addressTaken(proto, len(results), len(args))
	}
	op.A = in.source(inst, callee, isa.B64)
	info.byAddress = map[uint64]*callTarget{}
	for _, fn := range candidates {
		if body := in.body(fn); body != nil && len(body.Params) == len(args) && len(body.Results) == len(results) {
			if t := in.target(inst, body, results, args); t != nil {
				info.byAddress[in.funcAddress(fn)] = t
			}
		}
	}
	op.Extra = info
	in.emit(op)
}

// addressTaken lists the functions of the module that an indirect call may reach: all whose address some instruction
// or initialiser takes and that have as many parameters and results.
func (in *instance) addressTaken(proto *isa.Proto, results, args int) (list []*isa.Func) {
	taken := map[string]bool{}
	var operand func(o *isa.Operand)
	operand = func(o *isa.Operand) {
		if o.Kind == isa.OperandFunc {
			taken[o.Func.Name] = true
		}
		for i := range o.List {
			operand(&o.List[i])
		}
	}
	note := func(vars []*isa.Var) {
		for _, v := range vars {
			for _, item := range v.Init {
				if item.Func != nil {
					taken[item.Func.Name] = true
				}
			}
		}
	}
	note(in.module.Vars)
	for _, fn := range in.module.Funcs {
		note(fn.Vars)
		for i := range fn.Code {
			if inst := &fn.Code[i]; inst.Op != isa.OpCall {
				for j := range inst.Operands {
					operand(&inst.Operands[j])
				}
			}
		}
	}
	seen := map[string]bool{}
	for _, fn := range in.module.Funcs {
		if taken[fn.Name] && !seen[fn.Name] && len(fn.Params) == args && len(fn.Results) == results && fits(fn, proto) {
			seen[fn.Name] = true
			list = append(list, fn)
		}
	}
	return list
}

// fits compares the sizes of a function's parameters with a prototype's.
func fits(fn *isa.Func, proto *isa.Proto) bool {
	if proto == nil {
		return true
	}
	same := func(a, b []*isa.Var) bool {
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if max(a[i].Size, a[i].Type.Bytes()) != max(b[i].Size, b[i].Type.Bytes()) {
				return false
			}
		}
		return true
	}
	return same(fn.Params, proto.Params) && same(fn.Results, proto.Results)
}

// target works out how arguments and results reach one function. A call whose operands don't fit is an error.
func (in *instance) target(inst *isa.Inst, fn *isa.Func, results, args []isa.Operand) *callTarget {
	if len(args) != len(fn.Params) || len(results) != len(fn.Results) {
		in.fail(in.fn, inst.OpPos, "`%s` takes %d arguments and gives %d results; the call has %d and %d", fn.Name, len(fn.Params), len(fn.Results), len(args), len(results))
		return nil
	}
	t := &callTarget{callee: in.decoder.instance(fn, true)}
	t.callee.prepare()
	for i, formal := range fn.Params {
		o := &args[i]
		switch {
		case formal.Space == isa.SpaceReg:
			v := t.callee.regVar[formal.Reg]
			c, _ := classOf(fn.Regs[formal.Reg].Type)
			t.in = append(t.in, move{from: in.source(inst, o, fn.Regs[formal.Reg].Type), to: v, class: c})
		case o.Kind == isa.OperandVar && o.Var.Space == isa.SpaceParam:
			from, ok := in.frameVars[o.Var]
			if !ok {
				in.emitUnsupported(inst)
				return nil
			}
			t.bytesIn = append(t.bytesIn, copied{from + int(o.Offset), t.callee.frameVars[formal], max(formal.Size, formal.Type.Bytes())})
		default:
			slot, wide := in.value(inst, o, formal.Type)
			t.stores = append(t.stores, argument{slot, wide, t.callee.frameVars[formal], formal.Type.Bytes()})
		}
	}
	for i, formal := range fn.Results {
		o := &results[i]
		switch {
		case o.Kind == isa.OperandSink:
		case formal.Space == isa.SpaceReg && o.Kind == isa.OperandReg:
			c, _ := classOf(fn.Regs[formal.Reg].Type)
			t.out = append(t.out, move{from: t.callee.regVar[formal.Reg], to: in.register(o), class: c})
		case formal.Space == isa.SpaceParam && o.Kind == isa.OperandVar:
			t.outs = append(t.outs, copied{t.callee.frameVars[formal], in.frameVars[o.Var] + int(o.Offset), max(formal.Size, formal.Type.Bytes())})
		default:
			in.emitUnsupported(inst)
			return nil
		}
	}
	return t
}

// runCall enters the callee with the active lanes. An indirect call enters one function after another, each with the
// lanes that call it.
func runCall(w *state.Warp, op *state.Op) state.Signal {
	info := op.Extra.(*callInfo)
	f := current(w)
	if info.direct != nil {
		if w.Active != f.Mask {
			i := split(w, w.Active, f.PC+1, len(f.Calls))
			jump(&w.Frags[w.Current], w.Frags[w.Current].PC+1)
			f = &w.Frags[i]
		}
		return enterCall(w, f, op, info, info.direct)
	}
	address := *w.Src64(op.A)
	for rest := w.Active; rest != 0; {
		first := bits.TrailingZeros32(rest)
		target := info.byAddress[address[first]]
		if target == nil {
			return fault(w, op, state.FaultCall, first, "call of 0x%x, which is no function that fits", address[first])
		}
		var group uint32
		for m := rest; m != 0; m &= m - 1 {
			if l := bits.TrailingZeros32(m); address[l] == address[first] {
				group |= 1 << l
			}
		}
		rest &^= group
		f = current(w)
		if group == f.Mask {
			return enterCall(w, f, op, info, target)
		}
		i := split(w, group, f.PC+1, len(f.Calls))
		if signal := enterCall(w, &w.Frags[i], op, info, target); signal != state.Jumped {
			return signal
		}
	}
	jump(current(w), current(w).PC+1)
	return state.Jumped
}

// enterCall moves a fragment into a function.
func enterCall(w *state.Warp, f *state.Fragment, op *state.Op, info *callInfo, t *callTarget) state.Signal {
	lanes := f.Mask
	base := f.Base + int32(info.frame) + f.Stack
	if !growLocal(w.CTA, int(base)+t.callee.frameSize) {
		return fault(w, op, state.FaultCall, bits.TrailingZeros32(lanes), "stack overflow: the call of `%s` needs more than %d bytes of local memory a thread", t.callee.fn.Name, maxLocal)
	}
	frame := state.Frame{Return: f.PC + 1, Func: t.callee.fn, Call: op, Base: f.Base, Stack: f.Stack}
	type value struct {
		v32 [32]uint32
		v64 [2][32]uint64
		p   uint32
	}
	values := make([]value, len(t.in))
	for i, m := range t.in {
		switch m.class {
		case class32:
			values[i].v32 = *w.Src32(m.from)
		case class64:
			values[i].v64[0] = *w.Src64(m.from)
		default:
			values[i].p = w.SrcP(m.from)
		}
	}
	for _, a := range t.stores {
		for m := lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			v := uint64(0)
			if a.wide {
				v = w.Src64(a.slot)[l]
			} else {
				v = uint64(w.Src32(a.slot)[l])
			}
			put(localBytes(w, l, int(base)+a.to), a.size, v)
		}
	}
	for _, c := range t.bytesIn {
		for m := lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			copy(localBytes(w, l, int(base)+c.to)[:c.size], localBytes(w, l, int(f.Base)+c.from))
		}
	}
	if t.save {
		frame.Saved = save(w, t.callee)
	}
	for i, m := range t.in {
		writeRegister(w, m.to, m.class, lanes, &values[i].v32, &values[i].v64[0], values[i].p)
	}
	f.Calls = append(f.Calls, frame)
	f.Base, f.Stack = base, 0
	jump(f, t.entry)
	return state.Jumped
}

// writeRegister writes the given lanes of a register.
func writeRegister(w *state.Warp, slot int32, c class, lanes uint32, v32 *[32]uint32, v64 *[32]uint64, p uint32) {
	switch c {
	case class32:
		d := &w.R32[slot]
		for m := lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			d[l] = v32[l]
		}
	case class64:
		d := &w.R64[slot]
		for m := lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			d[l] = v64[l]
		}
	default:
		w.P[slot] = w.P[slot]&^lanes | p&lanes
	}
}

// save copies a function's registers.
func save(w *state.Warp, in *instance) *state.Saved {
	return &state.Saved{
		R32: append([][32]uint32(nil), w.R32[in.base32:in.base32+in.n32]...),
		R64: append([][32]uint64(nil), w.R64[in.base64:in.base64+in.n64]...),
		P:   append([]uint32(nil), w.P[in.baseP:in.baseP+in.np]...),
	}
}

// handBack gives the results of an activation that has ended to its caller, for the lanes of fragment f, and restores
// the registers that the call put aside.
func handBack(w *state.Warp, f *state.Fragment, frame *state.Frame) {
	info := frame.Call.Extra.(*callInfo)
	var t *callTarget
	info.each(func(c *callTarget) {
		if c.callee.fn == frame.Func {
			t = c
		}
	})
	lanes := f.Mask
	base := int(f.Base) + info.frame + int(f.Stack)
	for _, c := range t.outs {
		for m := lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			copy(localBytes(w, l, int(f.Base)+c.to)[:c.size], localBytes(w, l, base+c.from))
		}
	}
	type value struct {
		v32 [32]uint32
		v64 [32]uint64
		p   uint32
	}
	values := make([]value, len(t.out))
	for i, m := range t.out {
		switch m.class {
		case class32:
			values[i].v32 = w.R32[m.from]
		case class64:
			values[i].v64 = w.R64[m.from]
		default:
			values[i].p = w.P[m.from]
		}
	}
	if s := frame.Saved; s != nil {
		in := t.callee
		for i := range s.R32 {
			writeRegister(w, int32(in.base32+i), class32, lanes, &s.R32[i], nil, 0)
		}
		for i := range s.R64 {
			writeRegister(w, int32(in.base64+i), class64, lanes, nil, &s.R64[i], 0)
		}
		for i := range s.P {
			writeRegister(w, int32(in.baseP+i), classP, lanes, nil, nil, s.P[i])
		}
	}
	for i, m := range t.out {
		writeRegister(w, m.to, m.class, lanes, &values[i].v32, &values[i].v64, values[i].p)
	}
}

// localBytes returns a lane's local memory from an offset on.
func localBytes(w *state.Warp, lane, offset int) []byte {
	c := w.CTA
	start := (w.Index*32 + lane) * c.LocalStride
	return c.Local[start+offset : start+c.LocalStride : start+c.LocalStride]
}

// growLocal makes sure that each thread of a CTA has so many bytes of local memory.
func growLocal(c *state.CTA, size int) bool {
	if size <= c.LocalStride {
		return true
	}
	if size > maxLocal {
		return false
	}
	stride := min(maxLocal, alignUp(max(size, 2*c.LocalStride), 16))
	threads := len(c.Warps) * 32
	grown := make([]byte, threads*stride)
	for t := range threads {
		copy(grown[t*stride:], c.Local[t*c.LocalStride:(t+1)*c.LocalStride])
	}
	c.Local, c.LocalStride = grown, stride
	return true
}
