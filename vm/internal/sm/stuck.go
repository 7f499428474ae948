package sm

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Stuck returns what the card's warps and steps wait for, in order.
func (c *Card) Stuck() (out state.StuckList) {
	for i := range c.sms {
		for _, w := range c.sms[i].warps {
			s := state.Stuck{Card: c.Index, Kernel: w.launch.Name, Warps: 1, First: w.Warp, Pos: isa.NoPos}
			if w.waits == waitsForCTA || w.waits == waitsForWrite {
				for j := range w.Frags {
					f := &w.Frags[j]
					op := &w.Prog.Ops[f.PC]
					s.Func, s.Pos, s.Why = op.Func, op.Inst.OpPos, f.Waits(w.Warp)
					if s.Why == "" {
						s.Why = c.whyStuck(w)
					}
					out.Add(s)
				}
				continue
			}
			if op := w.stands(); op != nil {
				s.Func, s.Pos = op.Func, op.Inst.OpPos
			}
			s.Why = c.whyStuck(w)
			out.Add(s)
		}
	}
	for _, l := range c.unplaced {
		out.Add(state.Stuck{Card: c.Index, Kernel: l.Name, Pos: isa.NoPos, Why: state.NoRoom(l.CTAs()-l.Next) + c.besideGate()})
	}
	for _, row := range c.host.rows {
		if !row.Ended && row.Start == 0 && !started(c, row) {
			out.Add(state.Stuck{Card: c.Index, Kernel: row.Launch.Name, Pos: isa.NoPos, Why: "has not started: its call or a step before it is not over"})
		}
	}
	return out
}

func started(c *Card, row *LaunchRow) bool { return row.Launch.Next > 0 || row.Launch.Done }

func (c *Card) besideGate() string {
	if c.gate.shut() {
		return " beside a launch whose mma waits behind the shut gate"
	}
	return ""
}

// stands returns the operation that a warp stands at.
func (w *Warp) stands() *state.Op {
	if w.next != nil {
		return w.next
	}
	for _, f := range w.Frags {
		if int(f.PC) < len(w.Prog.Ops) {
			return &w.Prog.Ops[f.PC]
		}
	}
	return nil
}

func (c *Card) whyStuck(w *Warp) string {
	switch w.waits {
	case waitsForOperatorStart:
		return fmt.Sprintf("waits for %d more warp(s) of its card to come to the operator", w.launch.tracker.Missing())
	case waitsForOperatorEnd:
		if missing := c.Fabric.Missing(c, w.Warp); missing != "" {
			return missing
		}
		return "waits for other cards of its group"
	case waitsForGate:
		if c.gate.open != nil {
			return BehindGate(c.gate.open.launch.Name)
		}
		return NeverOpened
	case waitsForFence:
		return "waits for its posted traffic to be acknowledged"
	case waitsForWrite:
		return state.Spins
	case waitsForMemory:
		return "waits for another card's memory"
	case waitsForCTA:
		return "waits at a barrier for threads that never come"
	}
	return "could run"
}

// NeverOpened is what an mma waits for that the host's hold keeps back for ever.
const NeverOpened = "gate never opened: its mma waits for resume_tensor_core"

// BehindGate is what an mma waits for while a launch has its window open.
func BehindGate(launch string) string {
	return fmt.Sprintf("its mma waits behind the gate, which %s holds shut", launch)
}
