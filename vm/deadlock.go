package vm

import "github.com/tollgate-sim/tollgate/vm/internal/state"

// deadlock is the fault of a run in which nothing can ever happen again.
func (r *run) deadlock() *state.Fault { return r.stuck().Deadlock() }

// stuck lists what the cards wait for.
func (r *run) stuck() (all state.StuckList) {
	for _, c := range r.cards {
		all = append(all, c.Stuck()...)
	}
	return all
}
