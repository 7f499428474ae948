package functional

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// deadlock is the report of a node on which nothing can ever run again: who waits, where, for what.
func (n *Node) deadlock() *state.Fault {
	var stuck state.StuckList
	for i := range n.cards {
		for _, r := range n.cards[i].ctas {
			for _, w := range r.Warps {
				for j := range w.Frags {
					f := &w.Frags[j]
					op := &w.Prog.Ops[f.PC]
					stuck.Add(state.Stuck{Card: i, Kernel: r.launch.Name, Warps: 1, First: w, Func: op.Func, Pos: op.Inst.OpPos, Why: n.waits(w, f)})
				}
			}
		}
		for _, l := range n.cards[i].launches {
			if l.Next < l.CTAs() {
				stuck.Add(state.Stuck{Card: i, Kernel: l.Name, Pos: isa.NoPos, Why: state.NoRoom(l.CTAs() - l.Next)})
			}
		}
	}
	return stuck.Deadlock()
}

// waits says what a fragment waits for.
func (n *Node) waits(w *state.Warp, f *state.Fragment) string {
	if w.Parked && (w.Park == state.ParkOperator || w.Park == state.ParkGate) && n.Operators != nil {
		return n.Operators.Waiting(w)
	}
	if why := f.Waits(w); why != "" {
		return why
	}
	return "can't go on"
}
