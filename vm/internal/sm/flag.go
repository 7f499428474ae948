package sm

import (
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Barrier sums up the waits at a barrier's line on one card: a round of sync.nvlink, or a polling loop in which a
// warp waited for a flag.
type Barrier struct {
	Count   uint64 // waits
	Cycles  uint64 // from the own arrival to the release, summed
	Longest uint64
	By      map[int]uint64 // how often which card came last and so ended the wait
	Lost    uint64         // SM-cycles in which an mma waited behind a gate that this barrier kept shut
}

func (b *Barrier) add(cycles uint64, by int) {
	b.Count++
	b.Cycles += cycles
	b.Longest = max(b.Longest, cycles)
	if b.By == nil {
		b.By = map[int]uint64{}
	}
	b.By[by]++
}

// Round counts a round of sync.nvlink that the card has waited for from an arrival on; by came last.
func (l *Line) Round(cycles uint64, by int) { l.Barrier.add(cycles, by) }

// stretch is the cycles that one barrier took.
type stretch struct {
	start, end uint64
	line       *Line
}

// synced notes a barrier that is over in the launch's window.
func (l *launch) synced(o *Operation, now uint64) {
	if l.window != nil && l.window.end == Never {
		l.window.syncs = append(l.window.syncs, stretch{o.Start, now, o.Line})
	}
}

// blameSync divides a stretch in which an mma waited behind the gate among the barriers that kept it shut.
func (c *Card) blameSync(w *Warp, span ledger.Span) {
	switch span.Entry {
	case ledger.BlockedFence, ledger.BlockedBarrier, ledger.BlockedSkew:
	default:
		return
	}
	for i := len(c.gate.windows) - 1; i >= 0 && c.gate.windows[i].end > span.Start; i-- {
		syncs := c.gate.windows[i].syncs
		for k := len(syncs) - 1; k >= 0 && syncs[k].end > span.Start; k-- {
			if from, to := max(span.Start, syncs[k].start), min(span.End, syncs[k].end); from < to {
				syncs[k].line.Barrier.Lost += to - from
			}
		}
	}
}

// Flag is a polling loop whose waits other cards have ended, on one card.
type Flag struct {
	Func *isa.Func
	Inst *isa.Inst // the load that polls
	Barrier
	// For sums skew by the card that was waited for and the write that ended it.
	For map[LateCard]uint64
}

// polling is a warp's wait in a polling loop: it came round at least once.
type polling struct {
	op      *state.Op    // the branch that closes the loop; nil: it waits in none
	came    uint64       // when it first came round
	watched []exec.Range // what it polls; nil: can't be told
	over    uint64       // when something it polls was last written, or it left the loop
	by      Writer       // who wrote then; Card -1: nobody yet
	across  bool         // another card has written
}

// polls follows a warp through its polling loops: it has issued a branch that closes one.
func (c *Card) polls(w *Warp, op *state.Op, now uint64) {
	p := &w.polling
	if c.Rules.Ideal || !c.History {
		return
	}
	if p.op != nil && p.op != op {
		c.pollOver(w)
	}
	round := slices.IndexFunc(w.Frags, func(f state.Fragment) bool { return f.PC == op.Target })
	switch {
	case round >= 0 && p.op == nil && w.Frags[round].Loop == op.Poll:
		*p = polling{op: op, came: now, watched: exec.Watched(w.Warp, []*state.Fragment{&w.Frags[round]}), by: Writer{Card: -1}}
		c.pollers = append(c.pollers, w)
	case round < 0 && p.op != nil:
		if w.polledAway && !p.across { // it has polled another card's memory, and that has been written
			p.by, p.across = Writer{Card: w.away, Owner: w.launch.Owner, Issue: now}, true
		}
		p.over = now
		c.pollOver(w)
	}
}

// pollOver ends a warp's wait in a polling loop. It counts if another card had to do with it.
func (c *Card) pollOver(w *Warp) {
	p := &w.polling
	if p.op == nil {
		return
	}
	if p.across && p.over > p.came {
		f := c.flag(w, p.op)
		f.add(p.over-p.came, p.by.Card)
		c.hop(Hop{Owner: w.launch.Owner, Func: f.Func, Inst: f.Inst, Entry: ledger.Barrier, Start: p.came, End: p.over,
			By: p.by.Card, ByOwner: p.by.Owner, At: min(p.by.Issue, p.over)})
	}
	p.op = nil
	c.pollers = slices.DeleteFunc(c.pollers, func(x *Warp) bool { return x == w })
}

// wroteFor notes who wrote what warps poll.
func (c *Card) wroteFor(now uint64, ranges []exec.Range, by *Writer, local *Warp) {
	for _, w := range c.pollers {
		p := &w.polling
		if !overlap(p.watched, ranges) {
			continue
		}
		switch {
		case by != nil:
			p.by, p.across = *by, p.across || by.Card != c.Index
			p.by.History = nil
		case local != nil:
			p.by = Writer{Card: c.Index, Owner: local.launch.Owner, Issue: now}
		}
		p.over = now
	}
}

// flag returns the account of a polling loop.
func (c *Card) flag(w *Warp, branch *state.Op) *Flag {
	load := pollLoad(w.Prog, branch)
	f := c.flags[load.Inst]
	if f == nil {
		f = &Flag{Func: load.Func, Inst: load.Inst, For: map[LateCard]uint64{}}
		c.flags[load.Inst] = f
	}
	return f
}

// Flags returns the polling loops whose waits other cards have ended, in no order.
func (c *Card) Flags() (flags []*Flag) {
	for _, f := range c.flags {
		flags = append(flags, f)
	}
	return flags
}

// flagSet notes what a parked warp lost until another card wrote what it polls.
func (c *Card) flagSet(w *Warp, by *Writer, spans []ledger.Span) {
	if w.polling.op == nil {
		return
	}
	f := c.flag(w, w.polling.op)
	for _, s := range spans {
		if s.Entry == ledger.Skew {
			f.For[LateCard{by.Card, by.Func, by.Inst}] += s.End - s.Start
			c.Lost.add(by.Card, s.Start, s.End)
		}
	}
}

// Lost sums the cycles that a card lost to skew by the card it waited for. Waits of several warps at the same time
// count once.
type Lost struct {
	By   map[int]uint64
	upto uint64
}

func (l *Lost) add(card int, start, end uint64) {
	start = max(start, l.upto)
	if start >= end {
		return
	}
	l.upto = end
	if l.By == nil {
		l.By = map[int]uint64{}
	}
	l.By[card] += end - start
}
