package vm

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
)

// PathStep is a stretch of the critical path: cycles that the end of the run waited for. Steps follow on each other
// without a gap, from the first call to the end.
type PathStep struct {
	Card       int
	Start, End uint64
	Entry      Entry     // what passed: "issue" stands for a launch's own work, "launch" for the host
	Launch     string    // the kernel; "" for the host
	Func       *isa.Func // of waits: the line that waited
	Pos        isa.Pos
	From       int // the card that the news came from: another one where the path crosses
}

// CriticalPath follows the run back from the end of a card's last launch (-1: of the card that ends last), through
// whatever ended each wait: another card's arrival, bytes or flag, the gate, the launch before in the stream. It needs
// Options.Path, and is nil without.
func (res *Result) CriticalPath(card int) (path []PathStep) {
	var last *LaunchResult
	for i := range res.Launches {
		if l := &res.Launches[i]; (card < 0 || l.Card == card) && (last == nil || l.End > last.End) {
			last = l
		}
	}
	if last == nil || len(res.hops) == 0 {
		return nil
	}
	w := walk{res: res, at: last.End, launch: last}
	for w.launch != nil && w.at > 0 {
		w.back()
	}
	for i := len(w.steps) - 1; i >= 0; i-- {
		path = append(path, w.steps[i])
	}
	return path
}

// walk goes back along the critical path.
type walk struct {
	res    *Result
	launch *LaunchResult
	at     uint64
	below  *sm.Hop // the hop that was taken last on this launch, or nil: only earlier ones lead on
	steps  []PathStep
}

// back goes from a place in a launch to what it waited for last.
func (w *walk) back() {
	l := w.launch
	h := w.hop()
	if h == nil {
		w.step(PathStep{Card: l.Card, Start: min(l.Start, w.at), End: w.at, Launch: l.Name, From: l.Card})
		w.before()
		return
	}
	w.step(PathStep{Card: l.Card, Start: h.End, End: w.at, Launch: l.Name, From: l.Card})
	w.step(PathStep{Card: l.Card, Start: min(h.At, h.End), End: h.End, Entry: Entry(h.Entry), Launch: l.Name, Func: h.Func, Pos: h.Inst.OpPos, From: h.By})
	w.at, w.below = min(h.At, h.End), h
	if next := w.launchOf(h); next != nil && next != l {
		w.launch, w.below = next, nil
	}
}

// hop is the wait of the launch that ended last.
func (w *walk) hop() (best *sm.Hop) {
	hops := w.res.hops[w.launch.Card]
	for i := range hops {
		h := &hops[i]
		if h == w.below {
			break
		}
		if h.Owner == w.launch.Step && h.End <= w.at && h.End > w.launch.Start && (best == nil || h.End >= best.End) {
			best = h
		}
	}
	return best
}

// launchOf is the launch that a wait's end came from.
func (w *walk) launchOf(h *sm.Hop) *LaunchResult {
	for i := range w.res.Launches {
		l := &w.res.Launches[i]
		if l.Card == h.By && (l.Step == h.ByOwner || h.ByOwner == 0 && l.End == h.At) {
			return l
		}
	}
	return nil
}

// before goes from a launch's start to what it waited for: the launch before in its stream, the last one that had an
// operator, or the host, whose calls wait for all cards after a synchronization.
func (w *walk) before() {
	l := w.launch
	w.at, w.below = min(l.Start, w.at), nil
	var prev *LaunchResult
	for i := range w.res.Launches {
		p := &w.res.Launches[i]
		called := l.Call > 0 && p.End <= l.Call // the host had waited for it
		queued := p.Card == l.Card && (p.Stream == l.Stream || p.Operators && l.Operators) && p.End <= l.Start
		if p != l && p.Step < l.Step && (called || queued) && (prev == nil || p.End > prev.End) {
			prev = p
		}
	}
	start := uint64(0)
	if prev != nil {
		start = prev.End
	}
	if calls := l.Call + uint64(w.res.Machine.Host.LaunchCall); prev != nil && calls >= l.Start && l.Call < prev.End && prev.End < l.Start {
		prev, start = nil, 0 // the call itself took longest
	}
	w.step(PathStep{Card: l.Card, Start: start, End: w.at, Entry: Entry(ledger.Launch), From: l.Card})
	w.at, w.launch = start, prev
}

func (w *walk) step(s PathStep) {
	if s.Start < s.End {
		w.steps = append(w.steps, s)
	}
}
