package exec

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// fault stops a warp at an operation; lane is the first one concerned.
func fault(w *state.Warp, op *state.Op, kind state.FaultKind, lane int, format string, args ...any) state.Signal {
	c := w.CTA
	w.Fault = &state.Fault{
		Kind:      kind,
		Message:   fmt.Sprintf(format, args...),
		Func:      op.Func,
		Pos:       op.Inst.OpPos,
		Kernel:    c.Launch.Name,
		Card:      c.Card.Index,
		CTA:       c.ID,
		Thread:    threadIndex(c.Launch, w.Index*32+lane),
		HasThread: true,
	}
	return state.Faulted
}

// lanesText lists lanes for a message: "0-3, 7".
func lanesText(mask uint32) string {
	s := ""
	for l := 0; l < 32; l++ {
		if mask>>l&1 == 0 {
			continue
		}
		last := l
		for last < 31 && mask>>(last+1)&1 != 0 {
			last++
		}
		if s != "" {
			s += ", "
		}
		if last > l {
			s += fmt.Sprintf("%d-%d", l, last)
		} else {
			s += fmt.Sprint(l)
		}
		l = last
	}
	return s
}

// sortedKeys returns a map's keys in ascending order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
