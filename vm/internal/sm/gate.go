package sm

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// gate is the article's stop of the Tensor Cores of one card. It is shut while the host holds them or while a
// launch has a window open. An mma that would issue meanwhile waits; reopening costs a refill.
type gate struct {
	rule     bool // the article's rule is in force
	holds    int
	holdFrom uint64
	open     *window // of the launch whose window is open
	windows  []*window
	held     []ledger.Span // past holds
	openFrom uint64        // when open: the first cycle at which an mma may issue
	shutFrom uint64
	waiting  []*Warp
	// Shut sums the cycles in which the gate was shut or the pipeline refilled.
	Shut uint64
	Open uint64 // cycles with a window open
	// closed is when the latest window closed or hold ended, closer the launch step of the window, or 0.
	closed uint64
	closer int
}

// window is one stretch in which a launch had its window open, and what it waited for meanwhile.
type window struct {
	launch *launch
	start  uint64
	end    uint64 // Never while open
	spans  []ledger.Span
	last   *isa.Inst // the last operator that started
	syncs  []stretch // its barriers that are over
}

func (g *gate) shut() bool { return g.holds > 0 || g.open != nil }

// blocks reports whether the gate keeps a warp's mma from issuing now, and if so sets the warp aside.
func (g *gate) blocks(c *Card, w *Warp, now uint64) bool {
	if !g.rule {
		return false
	}
	if g.shut() {
		w.blocked = min(w.blocked, now)
		w.waits = waitsForGate
		w.setReady(c, Never)
		g.waiting = append(g.waiting, w)
		return true
	}
	if now < g.openFrom {
		w.blocked = min(w.blocked, now)
		w.setReady(c, g.openFrom)
		c.wakeQuarter(w.quarter, g.openFrom)
		return true
	}
	return false
}

// openWindow shuts the gate for a launch.
func (c *Card) openWindow(l *launch, now uint64) {
	g := &c.gate
	if l.window != nil && l.window.end == Never {
		return
	}
	if !g.shut() {
		g.shutFrom = now
	}
	l.window = &window{launch: l, start: now, end: Never}
	g.open = l.window
	g.windows = append(g.windows, l.window)
}

// closeWindow ends a launch's window.
func (c *Card) closeWindow(l *launch, now uint64) {
	g := &c.gate
	if l.window == nil || l.window.end != Never {
		return
	}
	l.window.end = now
	g.closed, g.closer = now, l.Owner
	g.Open += now - l.window.start
	g.open = nil
	c.reopen(now)
}

// hold shuts the gate for the host (suspend_tensor_core).
func (c *Card) hold(now uint64) {
	g := &c.gate
	if g.holds == 0 {
		if !g.shut() {
			g.shutFrom = now
		}
		g.holdFrom = now
	}
	g.holds++
}

// resume takes a hold of the host back (resume_tensor_core).
func (c *Card) resume(now uint64) {
	g := &c.gate
	if g.holds == 0 {
		return
	}
	if g.holds--; g.holds == 0 {
		g.closed, g.closer = now, 0
		g.held = ledger.Append(g.held, g.holdFrom, now, ledger.BlockedHold)
		c.reopen(now)
	}
}

// reopen lets the waiting warps issue their mma once the pipeline has refilled, unless the gate is still shut.
func (c *Card) reopen(now uint64) {
	g := &c.gate
	if g.shut() {
		return
	}
	g.openFrom = now + uint64(c.Machine.Article.Refill)
	g.Shut += g.openFrom - g.shutFrom
	waiting := g.waiting
	g.waiting = nil
	for _, w := range waiting {
		w.waits = waitsNot
		w.setReady(c, g.openFrom)
		c.wakeQuarter(w.quarter, w.ready)
	}
}

// note records what the launch whose window is open waited for.
func (l *launch) note(spans []ledger.Span) {
	if l.window == nil || l.window.end != Never {
		return
	}
	at := l.window.start
	if n := len(l.window.spans); n > 0 {
		at = l.window.spans[n-1].End
	}
	for _, s := range spans {
		l.window.spans = ledger.Append(l.window.spans, max(s.Start, at), s.End, s.Entry)
	}
}

// causes appends what kept the gate shut from start to end, as parts of tc_blocked.
func (g *gate) causes(out []ledger.Span, start, end uint64) []ledger.Span {
	var shut []ledger.Span
	first := len(g.windows)
	for first > 0 && g.windows[first-1].end > start {
		first--
	}
	for _, win := range g.windows[first:] {
		from, to := max(win.start, start), min(win.end, end)
		for _, s := range ledger.Fill(nil, win.spans, from, max(from, to), ledger.BlockedWork) {
			shut = ledger.Append(shut, s.Start, s.End, blockedBy(s.Entry))
		}
	}
	held := g.held
	if g.holds > 0 {
		held = append(held[:len(held):len(held)], ledger.Span{Start: g.holdFrom, End: Never, Entry: ledger.BlockedHold})
	}
	// Where no window is open the host holds the Tensor Cores; where it does not, they refill.
	at := start
	for _, s := range shut {
		out = ledger.Fill(out, held, at, s.Start, ledger.BlockedRefill)
		out = ledger.Append(out, s.Start, s.End, s.Entry)
		at = s.End
	}
	return ledger.Fill(out, held, at, end, ledger.BlockedRefill)
}

// blockedBy returns the part of tc_blocked for what the operator launch waited for.
func blockedBy(e ledger.Entry) ledger.Entry {
	switch e {
	case ledger.Copy, ledger.Remote:
		return ledger.BlockedCopy
	case ledger.Contention:
		return ledger.BlockedContention
	case ledger.Reduce:
		return ledger.BlockedReduce
	case ledger.Fence:
		return ledger.BlockedFence
	case ledger.Barrier:
		return ledger.BlockedBarrier
	case ledger.Skew:
		return ledger.BlockedSkew
	}
	return ledger.BlockedWork
}
