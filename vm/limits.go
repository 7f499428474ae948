package vm

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/vm/internal/sm"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// checkLaunch refuses a launch that the card or the entry's directives forbid (PTX ISA, "Performance-Tuning
// Directives"; limits of the card: facts, hardware.tsv).
func (n *Node) checkLaunch(l *Launch, prog *state.Program) error {
	card := &n.opt.Machine.Card
	fail := func(format string, args ...any) error {
		return fmt.Errorf("launch of %s: %s", l.Entry.Name, fmt.Sprintf(format, args...))
	}
	for i, axis := range "xyz" {
		l.Grid[i], l.Block[i] = max(1, l.Grid[i]), max(1, l.Block[i])
		if l.Grid[i] > mostCTAs[i] {
			return fail("a grid of %d CTAs along %c; CUDA allows %d", l.Grid[i], axis, mostCTAs[i])
		}
		if l.Block[i] > mostThreads[i] {
			return fail("a CTA of %d threads along %c; CUDA allows %d", l.Block[i], axis, mostThreads[i])
		}
	}
	threads := l.Block[0] * l.Block[1] * l.Block[2]
	if threads > card.ThreadsPerCTA {
		return fail("a CTA of %d threads; %s allows %d", threads, n.opt.Machine.Name, card.ThreadsPerCTA)
	}
	// refuse is fail for what a directive of the entry forbids: it names the entry's place.
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%s: error: %w", l.Entry.Source.At(l.Entry.Pos), fail(format+" (PTX ISA, \"Performance-Tuning Directives\")", args...))
	}
	limits := &l.Entry.Limits
	if most := limits.MaxNTID[0] * max(1, limits.MaxNTID[1]) * max(1, limits.MaxNTID[2]); most > 0 && threads > most {
		return refuse("a CTA of %d threads; .maxntid allows %d", threads, most)
	}
	if req := limits.ReqNTID; req[0] > 0 {
		want := [3]int{req[0], max(1, req[1]), max(1, req[2])}
		if l.Block != want && threads != want[0]*want[1]*want[2] {
			return refuse("a CTA of %d×%d×%d threads; .reqntid wants %d×%d×%d", l.Block[0], l.Block[1], l.Block[2], want[0], want[1], want[2])
		}
	}
	if l.Shared < 0 || l.Shared > card.SharedPerCTA-prog.SharedStatic {
		return fail("%d + %d bytes of shared memory; %s allows a CTA %d", prog.SharedStatic, l.Shared, n.opt.Machine.Name, card.SharedPerCTA)
	}
	if prog.LocalBytes > mostLocal {
		return fail("%d bytes of local memory a thread; CUDA allows %d", prog.LocalBytes, mostLocal)
	}
	if err := checkCluster(l); err != "" {
		return fail("%s", err)
	}
	probe := &state.Launch{Prog: prog, Grid: l.Grid, Block: l.Block, SharedDynamic: l.Shared}
	fit := sm.Resident(card, probe)
	if fit < 1 {
		return fail("a CTA takes more of an SM than it has (%d threads, %d registers a thread, %d bytes of shared memory)", threads, prog.Registers, prog.SharedStatic+l.Shared)
	}
	if prog.Operators && probe.CTAs() > uint64(fit*card.SMs) {
		return fail("the grid has %d CTAs, of which %d can be resident at once; an entry that reaches an operator needs all of them", probe.CTAs(), fit*card.SMs)
	}
	if (l.Cooperative || prog.Workspace) && probe.CTAs() > uint64(fit*card.SMs) {
		return fail("a cooperative launch of %d CTAs, of which %d can be resident at once; a barrier of the grid needs all of them", probe.CTAs(), fit*card.SMs)
	}
	return nil
}
