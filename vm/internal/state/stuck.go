package state

import (
	"fmt"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// Stuck is a place at which warps, or a launch, of a card wait for something that never comes.
type Stuck struct {
	Card   int
	Kernel string
	Warps  int   // 0: the launch itself
	First  *Warp // one of them
	Func   *isa.Func
	Pos    isa.Pos
	Why    string
}

// String returns the line of a deadlock report.
func (s Stuck) String() string {
	if s.Warps == 0 {
		return fmt.Sprintf("card %d: %s %s", s.Card, s.Kernel, s.Why)
	}
	at, warps := "", "1 warp"
	if s.Func != nil {
		at = " at " + s.Func.Source.At(s.Pos)
	}
	if s.Warps > 1 {
		id := s.First.CTA.ID
		warps = fmt.Sprintf("%d warps, the first in CTA (%d,%d,%d)", s.Warps, id[0], id[1], id[2])
	}
	return fmt.Sprintf("card %d: %s%s, %s: %s", s.Card, s.Kernel, at, warps, s.Why)
}

// StuckList gathers equal places.
type StuckList []Stuck

// Add notes a place.
func (l *StuckList) Add(s Stuck) {
	for i := range *l {
		if x := &(*l)[i]; x.Card == s.Card && x.Kernel == s.Kernel && x.Pos == s.Pos && x.Func == s.Func && x.Why == s.Why {
			x.Warps += s.Warps
			return
		}
	}
	*l = append(*l, s)
}

// mostStuck is how many places a deadlock report names.
const mostStuck = 16

// Lines returns the report's lines, under a heading; "" for an empty list.
func (l StuckList) Lines() string {
	if len(l) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("who waits:")
	for i, s := range l {
		if i == mostStuck {
			fmt.Fprintf(&b, "\n  and %d more places", len(l)-i)
			break
		}
		b.WriteString("\n  " + s.String())
	}
	return b.String()
}

// Deadlock is the fault of a node on which nothing can ever happen again: where the first waits and for what, then all.
func (l StuckList) Deadlock() *Fault {
	if len(l) == 0 {
		return &Fault{Kind: FaultDeadlock, Message: "nothing can run any more", Pos: isa.NoPos}
	}
	first := l[0]
	for _, s := range l {
		if s.Func != nil {
			first = s
			break
		}
	}
	return &Fault{Kind: FaultDeadlock, Message: first.Why, Hint: l.Lines(), Func: first.Func, Pos: first.Pos, Kernel: first.Kernel, Card: first.Card}
}

// NoRoom is what a launch waits for of which CTAs are left to place.
func NoRoom(ctas uint64) string {
	if ctas == 1 {
		return "has 1 CTA that finds no room"
	}
	return fmt.Sprintf("has %d CTAs that find no room", ctas)
}

// Spins is what a warp waits for that polls in vain.
const Spins = "spins, and nobody writes what could end it"

// Waits says what a fragment waits for among the threads of its CTA, or in a polling loop; "" if it does not.
func (f *Fragment) Waits(w *Warp) string {
	op := &w.Prog.Ops[f.PC]
	switch f.State {
	case AtBarrier:
		b := &w.CTA.Barriers[f.Bar]
		expected := b.Expected
		if b.All {
			expected = 32 * w.CTA.LiveWarps
		}
		return fmt.Sprintf("waits at barrier %d, to which %d of %d threads have come", f.Bar, b.Arrived, expected)
	case AtWarpSync:
		return fmt.Sprintf("waits at `%s` for lanes 0x%08x of its warp", op.Inst.Op, f.Await&w.Live&^f.Mask)
	case AtOperatorFrag:
		return fmt.Sprintf("waits at operator `%s` for lanes 0x%08x of its warp", op.Inst.Op, w.Live&^f.Mask)
	case Spinning:
		return Spins
	}
	return ""
}
