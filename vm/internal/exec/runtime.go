package exec

import (
	"bytes"
	"io"
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// The functions that a module declares and the system supplies (CUDA C++ Programming Guide, "Formatted Output",
// "Assertion", "Dynamic Global Memory Allocation and Operations").
var runtimeFunctions = map[string]struct {
	args, results int
	run           func(w *state.Warp, op *state.Op, lane int, args []uint64) (uint64, state.Signal)
}{
	"vprintf":      {2, 1, devicePrintf},
	"__assertfail": {5, 0, deviceAssert},
	"malloc":       {1, 1, deviceMalloc},
	"free":         {1, 0, deviceFree},
}

// runtimeCall is a call of one of them.
type runtimeCall struct {
	run    func(w *state.Warp, op *state.Op, lane int, args []uint64) (uint64, state.Signal)
	args   []runtimeArg
	result *runtimeArg
}

// runtimeArg is a register, or a .param variable in the caller's frame.
type runtimeArg struct {
	element
	inFrame      bool
	offset, size int
}

func (c *runtimeCall) slots(see func(*int32, bool)) {
	for i := range c.args {
		if a := &c.args[i]; !a.inFrame && a.slot >= 0 {
			see(&a.slot, false)
		}
	}
	if c.result != nil && !c.result.inFrame {
		see(&c.result.slot, true)
	}
}

// emitRuntimeCall decodes a call of a function that the module only declares.
func (in *instance) emitRuntimeCall(inst *isa.Inst, name string, results, args []isa.Operand) {
	fn, ok := runtimeFunctions[name]
	if !ok || len(args) != fn.args || len(results) != fn.results {
		in.emitUnsupported(inst)
		return
	}
	call := &runtimeCall{run: fn.run}
	place := func(o *isa.Operand, write bool) (a runtimeArg, ok bool) {
		if o.Kind == isa.OperandVar && o.Var.Space == isa.SpaceParam {
			at, ok := in.frameVars[o.Var]
			return runtimeArg{inFrame: true, offset: at + int(o.Offset), size: min(8, max(o.Var.Size, o.Var.Type.Bytes()))}, ok
		}
		if write {
			slot := in.destination(inst, o, isa.B32)
			return runtimeArg{element: element{slot: slot, wide: in.vars[slot].class == class64, bits: 32}}, true
		}
		slot, wide := in.value(inst, o, isa.B64)
		return runtimeArg{element: element{slot: slot, wide: wide}}, true
	}
	for i := range args {
		a, ok := place(&args[i], false)
		if !ok {
			in.emitUnsupported(inst)
			return
		}
		call.args = append(call.args, a)
	}
	if len(results) == 1 {
		a, ok := place(&results[0], true)
		if !ok {
			in.emitUnsupported(inst)
			return
		}
		call.result = &a
	}
	if name == "malloc" || name == "free" {
		in.prog.Heap = true
	}
	op := newOp(inst, runRuntimeCall)
	op.Class, op.Extra = isa.ClassOf(inst), call
	in.emit(op)
}

// runRuntimeCall calls the function for one active lane after another.
func runRuntimeCall(w *state.Warp, op *state.Op) state.Signal {
	call := op.Extra.(*runtimeCall)
	base := int(current(w).Base)
	args := make([]uint64, len(call.args))
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		for i := range call.args {
			if a := &call.args[i]; a.inFrame {
				args[i] = get(localBytes(w, l, base+a.offset), a.size)
			} else {
				args[i] = a.value(w, l)
			}
		}
		result, signal := call.run(w, op, l, args)
		if signal != state.Next {
			return signal
		}
		if r := call.result; r != nil && r.inFrame {
			put(localBytes(w, l, base+r.offset), r.size, result)
		} else if r != nil {
			r.set(w, l, 8, false, result)
		}
	}
	return state.Next
}

// read copies size bytes at a generic address that one lane gives.
func read(w *state.Warp, op *state.Op, lane int, addr uint64, size int) ([]byte, state.Signal) {
	a := &access{space: isa.SpaceGeneric, size: 1, count: size, align: 1, load: true}
	card := w.CTA.Card
	if owner := memory.Owner(addr); owner >= 0 && owner < len(card.Node.Cards) {
		if owner != card.Index && !card.Direct {
			return nil, fault(w, op, state.FaultUnsupported, lane, "the argument at 0x%x is in another card's memory", addr)
		}
		card = card.Node.Cards[owner]
	}
	p, signal := a.resolve(w, op, card, lane, addr)
	if signal != state.Next {
		return nil, signal
	}
	return p.bytes[:size], state.Next
}

// maxString bounds the strings that device code hands to the system.
const maxString = 1 << 20

// readString reads a string up to its zero byte, which is not returned.
func readString(w *state.Warp, op *state.Op, lane int, addr uint64) (string, state.Signal) {
	var text []byte
	for len(text) < maxString {
		b, signal := read(w, op, lane, addr+uint64(len(text)), 1)
		if signal != state.Next {
			return "", signal
		}
		if b[0] == 0 {
			break
		}
		text = append(text, b[0])
	}
	return string(text), state.Next
}

// devicePrintf is vprintf: it formats and writes, and returns the number of arguments.
func devicePrintf(w *state.Warp, op *state.Op, lane int, args []uint64) (uint64, state.Signal) {
	if args[0] == 0 {
		return uint64(1<<32 - 1), state.Next // no format: -1
	}
	format, signal := readString(w, op, lane, args[0])
	if signal != state.Next {
		return 0, signal
	}
	p := &printer{w: w, op: op, lane: lane, list: args[1]}
	p.print(format)
	if p.signal != state.Next {
		return 0, p.signal
	}
	if out := w.CTA.Card.Stdout; out != nil {
		_, _ = io.Copy(out, &p.out)
	}
	return uint64(p.count), state.Next
}

// deviceAssert is __assertfail(message, file, line, function, character size).
func deviceAssert(w *state.Warp, op *state.Op, lane int, args []uint64) (uint64, state.Signal) {
	var text [3]string
	for i, addr := range []uint64{args[0], args[1], args[3]} {
		if addr == 0 {
			continue
		}
		s, signal := readString(w, op, lane, addr)
		if signal != state.Next {
			return 0, signal
		}
		text[i] = s
	}
	return 0, fault(w, op, state.FaultAssert, lane, "%s:%d: %s: assertion `%s` failed", text[1], uint32(args[2]), text[2], text[0])
}

// heapSize is how much device code can have allocated at once (CUDA's default of cudaLimitMallocHeapSize).
const heapSize = 8 << 20

// heapUnit is the granularity and alignment of the device heap.
const heapUnit = 16

// deviceMalloc takes the first free piece that is large enough; null when there is none.
func deviceMalloc(w *state.Warp, _ *state.Op, _ int, args []uint64) (uint64, state.Signal) {
	h := w.CTA.Card.Heap
	size := (max(args[0], 1) + heapUnit - 1) &^ (heapUnit - 1)
	if args[0] > heapSize {
		return 0, state.Next
	}
	for i := range h.Free {
		if f := &h.Free[i]; f.Size >= size {
			addr := f.Addr
			h.Used[addr] = size
			if f.Addr, f.Size = f.Addr+size, f.Size-size; f.Size == 0 {
				h.Free = append(h.Free[:i], h.Free[i+1:]...)
			}
			return addr, state.Next
		}
	}
	return 0, state.Next
}

// deviceFree gives a piece back and joins it with its free neighbours.
func deviceFree(w *state.Warp, op *state.Op, lane int, args []uint64) (uint64, state.Signal) {
	h, addr := w.CTA.Card.Heap, args[0]
	if addr == 0 {
		return 0, state.Next
	}
	size, ok := h.Used[addr]
	if !ok {
		return 0, fault(w, op, state.FaultCall, lane, "free of 0x%x, which malloc has not handed out", addr)
	}
	delete(h.Used, addr)
	i := 0
	for i < len(h.Free) && h.Free[i].Addr < addr {
		i++
	}
	h.Free = append(h.Free, state.HeapPiece{})
	copy(h.Free[i+1:], h.Free[i:])
	h.Free[i] = state.HeapPiece{Addr: addr, Size: size}
	if i+1 < len(h.Free) && addr+size == h.Free[i+1].Addr {
		h.Free[i].Size += h.Free[i+1].Size
		h.Free = append(h.Free[:i+1], h.Free[i+2:]...)
	}
	if i > 0 && h.Free[i-1].Addr+h.Free[i-1].Size == addr {
		h.Free[i-1].Size += h.Free[i].Size
		h.Free = append(h.Free[:i], h.Free[i+1:]...)
	}
	return 0, state.Next
}

// printer formats as C does, with the arguments packed in memory at their natural alignment.
type printer struct {
	w      *state.Warp
	op     *state.Op
	lane   int
	list   uint64 // address of the next argument
	count  int
	out    bytes.Buffer
	signal state.Signal
}

// argument reads the next argument.
func (p *printer) argument(size int) uint64 {
	p.list = (p.list + uint64(size) - 1) &^ uint64(size-1)
	b, signal := read(p.w, p.op, p.lane, p.list, size)
	if signal != state.Next {
		p.signal = signal
		return 0
	}
	p.list += uint64(size)
	p.count++
	return get(b, size)
}
