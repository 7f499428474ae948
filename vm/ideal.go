package vm

import (
	"bytes"
	"context"

	"github.com/tollgate-sim/tollgate/vm/internal/sm"
)

// drainIdeal runs the cards on an ideal fabric: one at a time, the lowest that can go on first. A card that must
// wait for another stands, and later goes on at the cycle at which it stopped.
func (r *run) drainIdeal(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := r.runnable()
		if c == nil {
			if c = r.lowest(); c == nil {
				break
			}
			// All cards stand: the one with the lowest clock runs on without its waiting warps.
			c.Stalled = false
			c.Run(c.Next() + 1)
			c.Stalled = r.ideal.Waits(c.Index) || c.Spins()
		} else {
			c.Run(c.Next() + alone)
		}
		if f := r.fault(); f != nil {
			return f
		}
		for i, c := range r.cards {
			r.ideal.Retry(i)
			c.Stalled = r.ideal.Waits(i) || c.Spins()
		}
		if r.runnable() == nil { // a poll in vain costs its loop: try when the others have come as far as they can
			for i, c := range r.cards {
				c.RetrySpins()
				c.Stalled = r.ideal.Waits(i) || c.Spins()
			}
		}
		if most := r.most(); c.Now >= most {
			return r.tooLong(most)
		}
	}
	return r.ended()
}

// runnable returns the lowest card that does not stand and has something to do.
func (r *run) runnable() *sm.Card {
	for _, c := range r.cards {
		if c.Next() != sm.Never {
			return c
		}
	}
	return nil
}

// lowest returns the standing card with the lowest clock that has something to do beside what it waits for.
func (r *run) lowest() (best *sm.Card) {
	for _, c := range r.cards {
		if !c.Stalled {
			continue
		}
		c.Stalled = false
		if c.Next() != sm.Never && (best == nil || c.Now < best.Now) {
			best = c
		}
		c.Stalled = true
	}
	return best
}

// silent makes the additional runs that the result asks for: the ideal fabric where anything crossed cards or the
// gate was shut, the open gate where the article's rule cost cycles, and what if.
func (n *Node) silent(ctx context.Context, result *Result) {
	crossed, gated := false, false
	for _, c := range result.Cards {
		crossed = crossed || c.BytesIn+c.BytesOut+c.Window > 0
		for e := range c.Sheet {
			gated = gated || Entry(e).Blocked() && c.Sheet[e] > 0
		}
	}
	crossed = crossed || result.rounds > 0
	if !crossed && !gated {
		local := &SilentResult{Total: result.Total, SameResults: true}
		for _, c := range result.Cards {
			local.Ends = append(local.Ends, c.End)
		}
		result.Local = local
		return
	}
	var group guard
	var local, open *run
	group.Go(func() { local = n.again(ctx, rules{Rules: sm.Rules{Ideal: true}}) })
	if gated {
		group.Go(func() { open = n.again(ctx, rules{Rules: sm.Rules{OpenGate: true}}) })
	}
	group.Go(func() { n.whatIf(ctx, result) })
	group.Wait()
	result.Local, result.Gate = n.compare(local), n.compare(open)
}

// again executes the recorded steps under other rules; nil when that run does not come to its end.
func (n *Node) again(ctx context.Context, rule rules) *run {
	opt := n.opt
	opt.Threads = 1
	rule.silent = true
	r := newRun(opt, rule)
	for _, step := range n.steps {
		if step(r) != nil {
			return nil
		}
	}
	if r.left() && r.drain(ctx) != nil {
		return nil
	}
	return r
}

// compare sums a silent run up: when its cards ended, and whether all buffers hold what they do in the timed run.
func (n *Node) compare(r *run) *SilentResult {
	if r == nil {
		return nil
	}
	s := &SilentResult{SameResults: true}
	for _, c := range r.cards {
		s.Ends = append(s.Ends, c.End())
		s.Total = max(s.Total, c.End())
	}
	for _, b := range n.buffers {
		for card := range r.cards {
			if b.Bytes == 0 {
				continue
			}
			mine, err1 := n.run.node.Cards[card].Memory.Bytes(b.Addr(card), uint64(b.Bytes))
			other, err2 := r.node.Cards[card].Memory.Bytes(b.Addr(card), uint64(b.Bytes))
			if err1 != nil || err2 != nil || !bytes.Equal(mine, other) {
				s.SameResults = false
			}
		}
	}
	return s
}
