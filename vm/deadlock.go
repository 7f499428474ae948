package vm

import (
	"strings"

	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// deadlock is the fault of a run in which nothing can ever happen again.
func (r *run) deadlock() *state.Fault {
	f := &state.Fault{Kind: state.FaultDeadlock, Message: "nothing can ever run again", Hint: r.whoWaits()}
	for _, c := range r.cards {
		if w := c.Stuck(); len(w) > 0 && f.Func == nil {
			f.Func, f.Pos, f.Kernel, f.Card = w[0].Func, w[0].Pos, w[0].Kernel, c.Index
			f.Message = w[0].Why
		}
	}
	return f
}

// whoWaits lists what each card waits for, a line a place.
func (r *run) whoWaits() string {
	var lines []string
	for _, c := range r.cards {
		for _, w := range c.Stuck() {
			lines = append(lines, w.String())
		}
	}
	return strings.Join(lines, "\n")
}
