package functional

import (
	"fmt"
	"strings"

	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// deadlock is the report of a node on which nothing can ever run again: who waits, where, for what.
func (n *Node) deadlock() *state.Fault {
	type group struct {
		text  string
		warps int
		first *state.Warp
		op    *state.Op
	}
	var groups []*group
	byText := map[string]*group{}
	for i := range n.cards {
		for _, r := range n.cards[i].ctas {
			for _, w := range r.Warps {
				for j := range w.Frags {
					f := &w.Frags[j]
					op := &w.Prog.Ops[f.PC]
					text := fmt.Sprintf("card %d: %s: %s", i, op.Func.Source.At(op.Inst.OpPos), n.waits(w, f, op))
					g := byText[text]
					if g == nil {
						g = &group{text: text, first: w, op: op}
						byText[text] = g
						groups = append(groups, g)
					}
					g.warps++
				}
			}
		}
	}
	if len(groups) == 0 {
		for i := range n.cards {
			for _, l := range n.cards[i].launches {
				return &state.Fault{Kind: state.FaultDeadlock, Kernel: l.Name, Card: i, Func: l.Prog.Entry, Pos: l.Prog.Entry.Pos,
					Message: fmt.Sprintf("launch `%s` finds no room on the card", l.Name)}
			}
		}
		return &state.Fault{Kind: state.FaultDeadlock, Message: "nothing can run"}
	}
	var lines []string
	for _, g := range groups {
		plural := "s"
		if g.warps == 1 {
			plural = ""
		}
		lines = append(lines, fmt.Sprintf("%s (%d warp%s, first: CTA (%d,%d,%d) warp %d)", g.text, g.warps, plural, g.first.CTA.ID[0], g.first.CTA.ID[1], g.first.CTA.ID[2], g.first.Index))
	}
	first := groups[0]
	f := n.faultAt(first.first, first.op, state.FaultDeadlock, "nothing can run any more")
	f.Hint = "who waits:\n  " + strings.Join(lines, "\n  ")
	return f
}

// waits says what a fragment waits for.
func (n *Node) waits(w *state.Warp, f *state.Fragment, op *state.Op) string {
	switch f.State {
	case state.AtBarrier:
		b := &w.CTA.Barriers[f.Bar]
		expected := b.Expected
		if b.All {
			expected = 32 * w.CTA.LiveWarps
		}
		return fmt.Sprintf("waits at barrier %d, to which %d of %d threads have come", f.Bar, b.Arrived, expected)
	case state.AtWarpSync:
		return fmt.Sprintf("waits at `%s` for lanes 0x%08x of its warp", op.Inst.Op, f.Await&w.Live&^f.Mask)
	case state.AtOperatorFrag:
		if w.Parked && w.Park == state.ParkOperator && n.Operators != nil {
			return n.Operators.Waiting(w)
		}
		return fmt.Sprintf("waits at operator `%s` for lanes 0x%08x of its warp", op.Inst.Op, w.Live&^f.Mask)
	case state.Spinning:
		return "spins on memory that nobody changes"
	}
	if w.Parked && w.Park == state.ParkGate {
		return fmt.Sprintf("waits with `%s` for the gate, which never opens", op.Inst.Op)
	}
	return "can't go on"
}
