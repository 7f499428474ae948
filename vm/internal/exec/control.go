package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// branchTable are the targets of brx.idx.
type branchTable struct{ targets []int32 }

// runBra branches the active lanes; the others go on. The closing branch of a polling loop lets others go first when
// nothing has changed.
func runBra(w *state.Warp, op *state.Op) state.Signal {
	f := current(w)
	if w.Active == f.Mask {
		if op.Poll != 0 && lapped(w, f, op) {
			jump(f, op.Target)
			if f.State == state.Runnable {
				f.State = state.Spinning
			}
			return state.Jumped
		}
		jump(f, op.Target)
		return state.Jumped
	}
	pc, depth := meeting(f, op)
	taken := split(w, w.Active, pc, depth)
	jump(&w.Frags[w.Current], w.Frags[w.Current].PC+1)
	jump(&w.Frags[taken], op.Target)
	return state.Jumped
}

// runBrx branches each active lane by its index into the table; an index beyond the table, undefined in the ISA, is a
// fault.
func runBrx(w *state.Warp, op *state.Op) state.Signal {
	table, index := op.Extra.(*branchTable).targets, *w.Src32(op.A)
	f := current(w)
	at := f.PC
	pc, depth := meeting(f, op)
	rest := w.Active
	for rest != 0 {
		first := bits.TrailingZeros32(rest)
		if index[first] >= uint32(len(table)) {
			return fault(w, op, state.FaultBounds, first, "branch index %d, the table has %d targets", index[first], len(table))
		}
		target := table[index[first]]
		var group uint32
		for m := rest; m != 0; m &= m - 1 {
			if l := bits.TrailingZeros32(m); index[l] < uint32(len(table)) && table[index[l]] == target {
				group |= 1 << l
			}
		}
		rest &^= group
		if f = current(w); group == f.Mask {
			jump(f, target)
			return state.Jumped
		}
		jump(&w.Frags[split(w, group, pc, depth)], target)
	}
	jump(current(w), at+1) // the lanes whose guard was false
	return state.Jumped
}

// runExit ends the active lanes.
func runExit(w *state.Warp, op *state.Op) state.Signal {
	f := current(w)
	mask := w.Active
	w.Live &^= mask
	if f.Mask &^= mask; f.Mask == 0 {
		remove(w, w.Current)
	} else {
		jump(f, f.PC+1)
	}
	if signal := lanesGone(w); signal != state.Next {
		return signal
	}
	return state.Jumped
}

// runRet returns the active lanes to where their call came from; from the launched entry they exit.
func runRet(w *state.Warp, op *state.Op) state.Signal {
	f := current(w)
	depth := len(f.Calls)
	if depth == 0 {
		return runExit(w, op)
	}
	if w.Active != f.Mask {
		i := split(w, w.Active, f.Calls[depth-1].Return, depth-1)
		jump(&w.Frags[w.Current], w.Frags[w.Current].PC+1)
		f = &w.Frags[i]
	}
	frame := f.Calls[depth-1]
	f.Calls = f.Calls[:depth-1]
	f.Base, f.Stack = frame.Base, frame.Stack
	if f.Loop != 0 && int(f.LoopDepth) > len(f.Calls) {
		f.Loop = 0
	}
	handBack(w, f, &frame)
	jump(f, frame.Return)
	return state.Jumped
}

// runTrap stops the kernel (PTX ISA, "Miscellaneous Instructions: trap").
func runTrap(w *state.Warp, op *state.Op) state.Signal {
	return fault(w, op, state.FaultTrap, bits.TrailingZeros32(w.Active), "trap executed")
}

// runBreakpoint stops too: nobody listens for it.
func runBreakpoint(w *state.Warp, op *state.Op) state.Signal {
	return fault(w, op, state.FaultTrap, bits.TrailingZeros32(w.Active), "breakpoint reached without a debugger")
}

// runUnsupported stands where decode found an instruction that can't run.
func runUnsupported(w *state.Warp, op *state.Op) state.Signal {
	return fault(w, op, state.FaultUnsupported, bits.TrailingZeros32(w.Active), "`%s` in this form can't run yet", op.Inst.Op)
}

// runNothing is for what changes no register and no memory: fences (memory here is sequentially consistent), hints.
func runNothing(*state.Warp, *state.Op) state.Signal { return state.Next }

// runNanosleep notes how long the warp sleeps: the longest of its lanes.
func runNanosleep(w *state.Warp, op *state.Op) state.Signal {
	longest := uint32(0)
	ns := w.Src32(op.A)
	for m := w.Active; m != 0; m &= m - 1 {
		longest = max(longest, ns[bits.TrailingZeros32(m)])
	}
	w.SleepNS = uint64(longest)
	return state.Next
}

// runNotP negates a predicate for an operand `!p`.
func runNotP(w *state.Warp, op *state.Op) state.Signal {
	w.P[op.D] = w.P[op.D]&^w.Active | ^w.SrcP(op.A)&w.Active
	return state.Next
}

// runZero64 writes zeros.
func runZero64(w *state.Warp, op *state.Op) state.Signal {
	d := &w.R64[op.D]
	for m := w.Active; m != 0; m &= m - 1 {
		d[bits.TrailingZeros32(m)] = 0
	}
	return state.Next
}

// runLow32 takes the low half of a 64-bit register.
func runLow32(w *state.Warp, op *state.Op) state.Signal {
	d, a := &w.R32[op.D], w.Src64(op.A)
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l] = uint32(a[l])
	}
	return state.Next
}

// extension widens a value of `from` bits to `to` bits.
type extension struct {
	from, to uint
	signed   bool
}

// runExtend32 widens a signed value in its 32-bit slot.
func runExtend32(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(extension)
	d, a := &w.R32[op.D], w.Src32(op.A)
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l] = uint32(int32(a[l]<<(32-x.from))>>(32-x.from)) & (1<<x.to - 1)
	}
	return state.Next
}

// runExtend64 widens a 32-bit slot into a 64-bit one.
func runExtend64(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(extension)
	d, a := &w.R64[op.D], w.Src32(op.A)
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		if x.signed {
			d[l] = uint64(int64(int32(a[l]<<(32-x.from))) >> (32 - x.from))
		} else {
			d[l] = uint64(a[l])
		}
	}
	return state.Next
}

// bitsOf is the width of a register of a type.
func bitsOf(t isa.Type) uint8 { return uint8(min(t.Bits(), 64)) }
