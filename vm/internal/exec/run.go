package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Run executes a warp until it can't go on, or for about budget operations, and returns why it stopped (Next: the
// budget is used up) and how many it has executed. Each counts as one cycle of the card's clock. It is the loop of
// functional mode.
func Run(w *state.Warp, budget int) (state.Signal, int) {
	card, ops := w.CTA.Card, w.Prog.Ops
	n, threads := 0, 0
	signal := state.Next
	for n < budget && signal == state.Next {
		if !pick(w, true) {
			signal = state.Waiting
			break
		}
		f := current(w)
		mask, pc, stop, start := f.Mask, f.PC, stopAt(f), n
		lanes, depth := bits.OnesCount32(mask), len(f.Calls)
	fragment:
		for {
			op := &ops[pc]
			active := mask
			if op.Guard >= 0 {
				p := w.P[op.Guard]
				if op.Neg {
					p = ^p
				}
				active &= p
			}
			if active != 0 {
				f.PC = pc
				w.Active, w.Full = active, active == w.Live
				if (op.Kind >= state.WarpSync || op.Sync == state.SlotAllLanes) && !ready(w, f, op) {
					break fragment
				}
				if op.Kind == state.Tensor && card.GateShut {
					signal = state.Gated
					break fragment
				}
				switch got := op.Run(w, op); got {
				case state.Next:
				case state.Jumped, state.Waiting:
					n++
					card.Now++
					threads += lanes
					if op.Hidden {
						n--
						card.Now--
						threads -= lanes
					}
					if got == state.Jumped && n < budget && wentOn(w, f, mask, depth) && onlyRunnable(w) {
						pc = f.PC // a branch that all lanes took: there is nothing to settle
						continue
					}
					break fragment
				default:
					signal = got
					if got == state.AtOperator || got == state.Faulted {
						break fragment
					}
					n++
					card.Now++
					threads += lanes
					if got == state.Pending {
						f.Steps += uint32(n - start)
						jump(f, pc+1)
					}
					break fragment
				}
			}
			if !op.Hidden {
				n++
				card.Now++
				threads += lanes
			}
			pc++
			if pc == stop {
				jump(f, pc)
				break
			}
			if n >= budget {
				f.PC = pc
				break
			}
		}
		w.Settled = false
		tire(w, uint32(n-start))
	}
	w.Thread.WarpInstructions += uint64(n)
	w.Thread.ThreadInstructions += uint64(threads)
	card.Counts.WarpInstructions += uint64(n)
	card.Counts.ThreadInstructions += uint64(threads)
	return signal, n
}

// tire lets the current fragment's siblings go first when it has run long without arriving anywhere.
func tire(w *state.Warp, steps uint32) {
	if w.Current < 0 || len(w.Frags) == 1 {
		return
	}
	f := current(w)
	f.Steps += steps
	if f.State == state.Runnable && f.Steps > longRun {
		f.State = state.Yielded
	}
}

// ready reports whether the lanes that an operation needs together stand at it; if not, the fragment waits for them.
// Lanes of this fragment whose guard is false are not waited for.
func ready(w *state.Warp, f *state.Fragment, op *state.Op) bool {
	if op.Kind != state.WarpSync && op.Sync != state.SlotAllLanes {
		return true
	}
	want := w.Live &^ (f.Mask &^ w.Active)
	if op.Sync != state.SlotAllLanes {
		want &= members(w, op)
	}
	if want&^f.Mask == 0 {
		return true
	}
	f.State, f.Await = state.AtWarpSync, want
	return false
}

// members returns the lanes that the member masks of the active lanes name: sub-groups of a warp may stand at one
// operation, each lane naming its own.
func members(w *state.Warp, op *state.Op) (named uint32) {
	masks := w.Src32(op.Sync)
	if op.Sync < 0 {
		return masks[0]
	}
	for m := w.Active; m != 0; m &= m - 1 {
		named |= masks[bits.TrailingZeros32(m)&31]
	}
	return named
}

// byMask runs a .sync lane function for each group of active lanes that name the same members.
func byMask(run func(*state.Warp, *state.Op) state.Signal) func(*state.Warp, *state.Op) state.Signal {
	return func(w *state.Warp, op *state.Op) state.Signal {
		if op.Sync < 0 {
			return run(w, op)
		}
		active, full := w.Active, w.Full
		masks := *w.Src32(op.Sync)
		for rest := active; rest != 0; {
			mask := masks[bits.TrailingZeros32(rest)&31]
			var group uint32
			for m := rest; m != 0; m &= m - 1 {
				if l := bits.TrailingZeros32(m) & 31; masks[l] == mask {
					group |= 1 << l
				}
			}
			rest &^= group
			w.Active, w.Full = group, full && group == active
			if signal := run(w, op); signal != state.Next {
				return signal
			}
		}
		w.Active, w.Full = active, full
		return state.Next
	}
}

// NextOp returns the operation that the warp would execute next, or nil when none of its fragments can go on. It runs
// the hidden operations before it.
func NextOp(w *state.Warp) *state.Op {
	for pick(w, false) {
		f := current(w)
		op := &w.Prog.Ops[f.PC]
		w.Active = guarded(w, f, op)
		w.Full = w.Active == w.Live
		if op.Hidden && w.Active != 0 && op.Kind != state.Control {
			op.Run(w, op)
		}
		switch {
		case op.Hidden && op.Kind != state.Control:
			jump(f, f.PC+1)
		case w.Active == 0 || ready(w, f, op):
			return op
		}
	}
	return nil
}

// guarded returns the lanes of a fragment for which an operation's guard holds.
func guarded(w *state.Warp, f *state.Fragment, op *state.Op) uint32 {
	if op.Guard < 0 {
		return f.Mask
	}
	p := w.P[op.Guard]
	if op.Neg {
		p = ^p
	}
	return f.Mask & p
}

// Step executes the operation that NextOp returns. Waiting with none executed means that no fragment can go on.
func Step(w *state.Warp) state.Signal {
	op := NextOp(w)
	if op == nil {
		return state.Waiting
	}
	return Issue(w, op)
}

// Issue executes the operation that NextOp has returned; nothing of the warp may have changed since.
func Issue(w *state.Warp, op *state.Op) state.Signal {
	f := current(w)
	lanes, depth, settled := f.Mask, len(f.Calls), w.Settled
	w.Settled = false
	signal := state.Next
	if w.Active != 0 {
		signal = op.Run(w, op)
	}
	w.Settled = settled && (signal == state.Next && op.Kind != state.Barrier || signal == state.Jumped && wentOn(w, f, lanes, depth))
	if signal != state.AtOperator && signal != state.Faulted && !op.Hidden {
		count(w, lanes)
	}
	switch signal {
	case state.Next, state.Pending:
		jump(f, f.PC+1)
	}
	tire(w, 1)
	return signal
}

// count adds one executed operation to the totals. Lanes whose guard is false have executed it too.
func count(w *state.Warp, lanes uint32) {
	threads := uint64(bits.OnesCount32(lanes))
	w.Thread.WarpInstructions++
	w.Thread.ThreadInstructions += threads
	w.CTA.Card.Counts.WarpInstructions++
	w.CTA.Card.Counts.ThreadInstructions += threads
}
