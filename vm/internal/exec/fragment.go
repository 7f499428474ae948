package exec

import (
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// A warp is a list of fragments, each some lanes at one place. They part at branches and meet again at the branch's
// immediate post-dominator, where a fragment waits for its siblings as a preference: as soon as no other fragment can
// go on, or those that can have looped long without arriving, it goes on without them. So lanes that wait for each other
// (a spin lock between the lanes of a warp) always get where they want.

// longRun is after how many operations without an event a fragment lets its siblings go first. A loop that can be seen
// to wait (state.Poll) yields at once; this is for those that hide it.
const longRun = 1 << 16

// noEnd is the Imm of a branch whose sides meet only at the end of the function.
const noEnd = 1<<64 - 1

// current returns the fragment that runs.
func current(w *state.Warp) *state.Fragment { return &w.Frags[w.Current] }

// add appends a copy of fragment i for some of its lanes, reusing the stacks of a fragment that has gone.
func add(w *state.Warp, i int, mask uint32) int {
	n := len(w.Frags)
	if n < cap(w.Frags) {
		w.Frags = w.Frags[:n+1]
	} else {
		w.Frags = append(w.Frags, state.Fragment{})
	}
	from, to := &w.Frags[i], &w.Frags[n]
	calls, recon := to.Calls[:0], to.Recon[:0]
	*to = *from
	to.Calls, to.Recon = append(calls, from.Calls...), append(recon, from.Recon...)
	to.Mask = mask
	from.Mask &^= mask
	return n
}

// remove drops fragment i; its stacks stay behind the list's end for add.
func remove(w *state.Warp, i int) {
	last := len(w.Frags) - 1
	w.Frags[i], w.Frags[last] = w.Frags[last], w.Frags[i]
	w.Frags = w.Frags[:last]
	switch {
	case w.Current == i:
		w.Current = -1
	case w.Current == last:
		w.Current = i
	}
}

// split parts some lanes of the current fragment from it and returns the index of their fragment. If the branch op says
// so, both sides wait for each other at pc and depth.
func split(w *state.Warp, mask uint32, pc int32, depth int) int {
	f := current(w)
	if pc >= 0 {
		n := len(f.Recon)
		if n == 0 || f.Recon[n-1].PC != pc || int(f.Recon[n-1].Depth) != depth {
			w.Recons++
			f.Recon = append(f.Recon, state.Recon{ID: w.Recons, PC: pc, Depth: int32(depth)})
		}
	}
	return add(w, w.Current, mask)
}

// meeting returns where the two sides of a divergence at a control operation meet: its post-dominator, or the place
// that the function returns to; -1: nowhere, the lanes end.
func meeting(f *state.Fragment, op *state.Op) (pc int32, depth int) {
	depth = len(f.Calls)
	switch {
	case op.Imm != noEnd:
		return int32(op.Imm), depth
	case depth > 0:
		return f.Calls[depth-1].Return, depth - 1
	}
	return -1, 0
}

// jump moves a fragment and lets it wait if it has arrived where its siblings will come.
func jump(f *state.Fragment, pc int32) {
	f.PC = pc
	if n := len(f.Recon); n > 0 && f.Recon[n-1].PC == pc && int(f.Recon[n-1].Depth) == len(f.Calls) {
		f.State = state.AtReconvergence
	}
}

// stopAt is the operation at which the fragment must look up: where it meets its siblings; -1: none in this function.
func stopAt(f *state.Fragment) int32 {
	if n := len(f.Recon); n > 0 && int(f.Recon[n-1].Depth) == len(f.Calls) {
		return f.Recon[n-1].PC
	}
	return -1
}

// pick makes Current a fragment that can run, or -1. Park leaves fragments that spin where they are until memory has
// changed; without it they are merely the last choice.
func pick(w *state.Warp, park bool) bool {
	if len(w.Frags) == 1 {
		if f := &w.Frags[0]; f.State == state.Runnable {
			w.Current = 0
			return true
		}
	}
	if w.Settled && onlyRunnable(w) {
		return true
	}
	for {
		for settle(w) {
		}
		if choose(w, park) {
			w.Settled = true
			return true
		}
		if !release(w) {
			w.Current = -1
			return false
		}
	}
}

// onlyRunnable reports whether the current fragment is the only one that can run.
func onlyRunnable(w *state.Warp) bool {
	if w.Current < 0 {
		return false
	}
	for i := range w.Frags {
		if (w.Frags[i].State == state.Runnable) != (i == w.Current) {
			return false
		}
	}
	return true
}

// wentOn reports whether a control operation has moved the current fragment f as a whole, as a branch does that all its
// lanes take.
func wentOn(w *state.Warp, f *state.Fragment, mask uint32, depth int) bool {
	return w.Current >= 0 && f == current(w) && f.Mask == mask && len(f.Calls) == depth
}

// settle merges fragments that have met and wakes those that have what they waited for. It reports whether it changed
// anything that may let others meet.
func settle(w *state.Warp) (changed bool) {
	for i := 0; i < len(w.Frags); i++ {
		f := &w.Frags[i]
		switch f.State {
		case state.AtReconvergence:
			if together(w, i) {
				return true
			}
		case state.AtWarpSync:
			if gathered(w, i) {
				return true
			}
		case state.AtOperatorFrag:
			var mask uint32
			for j := range w.Frags {
				if g := &w.Frags[j]; g.State == state.AtOperatorFrag && g.PC == f.PC {
					mask |= g.Mask
				}
			}
			if mask == w.Live {
				f.State = state.Runnable
				return true
			}
		case state.Runnable:
			for j := i + 1; j < len(w.Frags); j++ {
				if g := &w.Frags[j]; g.State == state.Runnable && g.PC == f.PC && samePath(f, g) {
					merge(w, i, j)
					return true
				}
			}
		}
	}
	return false
}

// together merges the fragments that wait where fragment i does, if no other can still come there.
func together(w *state.Warp, i int) bool {
	id := top(&w.Frags[i]).ID
	for j := range w.Frags {
		g := &w.Frags[j]
		if g.State == state.AtReconvergence && top(g).ID == id {
			continue
		}
		for _, r := range g.Recon {
			if r.ID == id {
				return false
			}
		}
	}
	for j := len(w.Frags) - 1; j > i; j-- {
		if g := &w.Frags[j]; g.State == state.AtReconvergence && top(g).ID == id {
			w.Frags[i].Mask |= g.Mask
			w.Frags[i].Stack = max(w.Frags[i].Stack, g.Stack)
			remove(w, j)
		}
	}
	leave(&w.Frags[i])
	return true
}

func top(f *state.Fragment) *state.Recon { return &f.Recon[len(f.Recon)-1] }

// leave lets a fragment go on from the place where it waited for its siblings; it may be an outer one's too.
func leave(f *state.Fragment) {
	f.Recon = f.Recon[:len(f.Recon)-1]
	f.State, f.Steps = state.Runnable, 0
	jump(f, f.PC)
}

// gathered merges the fragments that wait at the same .sync operation as fragment i once all lanes waited for are
// there. bar.warp.sync lets lanes meet that stand at different ones.
func gathered(w *state.Warp, i int) bool {
	f := &w.Frags[i]
	want := f.Await & w.Live
	op := &w.Prog.Ops[f.PC]
	meets := func(g *state.Fragment) bool {
		return g.State == state.AtWarpSync && g.PC == f.PC && samePath(f, g)
	}
	var mask uint32
	for j := range w.Frags {
		if g := &w.Frags[j]; meets(g) {
			mask |= g.Mask
		}
	}
	if mask&want == want {
		for j := len(w.Frags) - 1; j > i; j-- {
			if meets(&w.Frags[j]) {
				merge(w, i, j)
			}
		}
		w.Frags[i].State = state.Runnable
		return true
	}
	if op.Inst.Op != isa.OpBarWarpSync {
		return false
	}
	mask = 0
	for j := range w.Frags {
		if g := &w.Frags[j]; g.State == state.AtWarpSync && g.Await == f.Await && w.Prog.Ops[g.PC].Inst.Op == isa.OpBarWarpSync {
			mask |= g.Mask
		}
	}
	if mask&want != want {
		return false
	}
	if w.CTA.Race != nil {
		lanesMet(w, mask)
	}
	await := f.Await
	for j := range w.Frags {
		if g := &w.Frags[j]; g.State == state.AtWarpSync && g.Await == await && w.Prog.Ops[g.PC].Inst.Op == isa.OpBarWarpSync {
			g.State = state.Runnable
			jump(g, g.PC+1)
		}
	}
	return true
}

// samePath reports whether two fragments came to where they are through the same calls.
func samePath(f, g *state.Fragment) bool {
	return slices.EqualFunc(f.Calls, g.Calls, func(a, b state.Frame) bool { return a.Return == b.Return && a.Saved == b.Saved && a.Stack == b.Stack })
}

// merge joins fragment j to fragment i, i < j. They keep the meeting places that both still have before them.
func merge(w *state.Warp, i, j int) {
	f, g := &w.Frags[i], &w.Frags[j]
	f.Mask |= g.Mask
	f.Stack = max(f.Stack, g.Stack)
	n := 0
	for n < len(f.Recon) && n < len(g.Recon) && f.Recon[n].ID == g.Recon[n].ID {
		n++
	}
	f.Recon = f.Recon[:n]
	f.Steps = 0
	remove(w, j)
}

// choose picks a fragment that can run: the current one if it can, else the next in the list that can, else one that
// has yielded, else one that spins.
func choose(w *state.Warp, park bool) bool {
	n := len(w.Frags)
	if n == 0 {
		return false
	}
	start := max(w.Current, 0)
	for k := range n {
		if i := (start + k) % n; w.Frags[i].State == state.Runnable {
			w.Current = i
			return true
		}
	}
	for i := range w.Frags { // those that wait for siblings come before those that let them go first
		if w.Frags[i].State == state.AtReconvergence {
			return false
		}
	}
	return wake(w, park)
}

// wake picks a fragment that has yielded, or one that spins.
func wake(w *state.Warp, park bool) bool {
	n := len(w.Frags)
	best := -1
	for k := 1; k <= n; k++ {
		i := (max(w.Current, 0) + k) % n
		f := &w.Frags[i]
		switch f.State {
		case state.Yielded:
			best = i
		case state.Spinning:
			if park && f.Seen == w.CTA.Card.Node.MemoryVersion() {
				continue
			}
			if best < 0 {
				best = i
			}
			continue
		default:
			continue
		}
		break
	}
	if best < 0 {
		return false
	}
	f := &w.Frags[best]
	f.State, f.Steps = state.Runnable, 0
	w.Current = best
	return true
}

// release lets the fragment that waits innermost go on without its siblings.
func release(w *state.Warp) bool {
	best := -1
	for i := range w.Frags {
		f := &w.Frags[i]
		if f.State == state.AtReconvergence && (best < 0 || len(f.Recon) > len(w.Frags[best].Recon)) {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	leave(&w.Frags[best])
	return true
}

// lapped looks at a fragment that is about to go round a polling loop once more, and reports whether it should let
// others go first: since it last came here, neither what the loop hands from one round to the next nor memory has
// changed.
func lapped(w *state.Warp, f *state.Fragment, op *state.Op) bool {
	if f.Loop != op.Poll {
		f.Loop, f.Laps, f.LoopDepth = op.Poll, 0, int32(len(f.Calls))
	}
	f.Laps++
	if f.Laps > 3 && f.Laps&63 > 1 { // look early once, later rarely
		return false
	}
	version := w.CTA.Card.Memory.Version
	if w.CTA.Card.Direct {
		version = w.CTA.Card.Node.MemoryVersion()
	}
	poll := &w.Prog.Polls[op.Poll-1]
	c := &w.Carry
	if f.Laps > 1 && c.Loop == op.Poll && c.Mask == w.Active && (c.Seen == version || !w.CTA.Card.Direct) && unchanged(w, poll) {
		f.Seen = version
		return true
	}
	c.Loop, c.Mask, c.Seen = op.Poll, w.Active, version
	c.R32, c.R64, c.P = c.R32[:0], c.R64[:0], c.P[:0]
	for _, s := range poll.Carried32 {
		c.R32 = append(c.R32, w.R32[s])
	}
	for _, s := range poll.Carried64 {
		c.R64 = append(c.R64, w.R64[s])
	}
	for _, s := range poll.CarriedP {
		c.P = append(c.P, w.P[s])
	}
	return false
}

// unchanged compares what the loop hands on with what it handed on before.
func unchanged(w *state.Warp, poll *state.Poll) bool {
	c := &w.Carry
	matters := func(lane int) bool { return c.Mask>>lane&1 != 0 }
	for i, s := range poll.Carried32 {
		for l, v := range w.R32[s] {
			if v != c.R32[i][l] && matters(l) {
				return false
			}
		}
	}
	for i, s := range poll.Carried64 {
		for l, v := range w.R64[s] {
			if v != c.R64[i][l] && matters(l) {
				return false
			}
		}
	}
	for i, s := range poll.CarriedP {
		if (w.P[s]^c.P[i])&c.Mask != 0 {
			return false
		}
	}
	return true
}
