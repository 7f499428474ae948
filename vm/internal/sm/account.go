package sm

import "github.com/tollgate-sim/tollgate/vm/internal/ledger"

// account puts the cycles since an SM was last accounted for, up to and including now, on its sheet and on the
// card's: the warp issues now, so the gap before is what it waited for.
func (c *Card) account(w *Warp, now, unitFrom uint64) {
	s := w.sm
	reason := w.late
	if unitFrom > w.ready {
		reason = c.units.reason[w.next.Class]
	}
	if w.blocked != Never {
		w.wait(c.gate.causes(nil, w.blocked, now), c.History)
		c.hopGate(w, now)
		w.blocked = Never
	}
	switch {
	case s.upto >= now:
	case len(w.spans) == 0 && reason < localEntries: // nearly all
		c.put(s, w.launch, ledger.Span{Start: s.upto, End: now, Entry: reason})
		w.launch.places.local(w, reason, now-s.upto, unitFrom > w.ready)
		s.upto = now
	default:
		c.gap = ledger.Fill(c.gap[:0], w.spans, s.upto, now, reason)
		for _, span := range c.gap {
			c.put(s, w.launch, span)
		}
		c.blame(w, unitFrom > w.ready)
		s.upto = now
	}
	w.spans = w.spans[:0]

	e := ledger.Issue
	if win := w.launch.window; win != nil && win.start <= now && now < win.end {
		e = ledger.WindowIssue
	}
	switch {
	case s.issuedAt != now:
		s.issuedAt, s.issuedAs = now, e
		s.sheet[e]++
		s.upto = now + 1
		c.cover.Add(e, now, now+1)
	case e < s.issuedAs:
		s.sheet[s.issuedAs]--
		s.sheet[e]++
		s.issuedAs = e
		c.cover.Add(e, now, now+1)
	}
}

// put enters a span on an SM's sheet and the card's. Local work of a launch whose window is open has entries of
// its own.
func (c *Card) put(s *sm, l *launch, span ledger.Span) {
	if win := l.window; win != nil && span.Entry <= ledger.CTABarrier && win.start < span.End && span.Start < win.end {
		from, to := max(span.Start, win.start), min(span.End, win.end)
		c.enter(s, span.Entry, span.Start, from)
		c.enter(s, span.Entry.InWindow(), from, to)
		c.enter(s, span.Entry, to, span.End)
		return
	}
	c.enter(s, span.Entry, span.Start, span.End)
}

func (c *Card) enter(s *sm, e ledger.Entry, start, end uint64) {
	if start < end {
		s.sheet[e] += end - start
		c.cover.Add(e, start, end)
	}
}

// settle accounts for an SM without live warps up to a cycle: what the host was doing, else idle.
func (c *Card) settle(s *sm, upto uint64) {
	if s.upto >= upto {
		return
	}
	c.gap = ledger.Fill(c.gap[:0], c.host.spans, s.upto, upto, ledger.Idle)
	for _, span := range c.gap {
		c.enter(s, span.Entry, span.Start, span.End)
	}
	s.upto = upto
}

// Close makes the account of all cycles final that every used SM has passed, and forgets the details.
func (c *Card) Close() {
	upto := min(c.Now, c.host.drainFrom) // what a launch that drains waited for is known at its end
	for i := range c.sms {
		if s := &c.sms[i]; s.used {
			if s.live == 0 {
				c.settle(s, upto)
			}
			upto = min(upto, s.upto)
		}
	}
	for _, span := range c.host.spans {
		c.cover.Add(span.Entry, span.Start, min(span.End, upto))
	}
	c.cover.Close(upto)
}

// Waiting returns the earliest cycle since which a warp of the card waits for another card, or Never: histories
// before are of no use to anyone here.
func (c *Card) Waiting() uint64 {
	since := Never
	for i := range c.sms {
		for _, w := range c.sms[i].warps {
			since = min(since, w.since)
		}
	}
	return since
}

// Prune forgets histories that ended before a cycle.
func (c *Card) Prune(cycle uint64) {
	for i := range c.sms {
		for _, w := range c.sms[i].warps {
			w.history.Prune(cycle)
		}
	}
}

// Account is the finished account of a card.
type Account struct {
	Sheet  ledger.Sheet
	Hidden uint64
	SMs    []SMAccount
	Shut   uint64 // cycles in which the gate was shut or the pipeline refilled
	Window uint64 // cycles with a window open
}

// SMAccount is the finished account of an SM that received a CTA.
type SMAccount struct {
	Index  int
	Sheet  ledger.Sheet
	Tensor bool
	Busy   uint64 // cycles the Tensor Cores worked, mean of the quarters, rounded
	Flops  uint64
}

// Finish closes the account at cycle total: every sheet sums to it.
func (c *Card) Finish(total uint64) Account {
	a := Account{Shut: c.gate.Shut, Window: c.gate.Open}
	if c.gate.shut() && c.gate.shutFrom < total {
		a.Shut += total - c.gate.shutFrom
	}
	if c.gate.open != nil {
		a.Window += total - c.gate.open.start
	}
	quarters := uint64(c.Machine.Card.QuartersPerSM)
	for i := range c.sms {
		s := &c.sms[i]
		if !s.used {
			continue
		}
		if s.live > 0 && s.upto < total {
			// Cut off by a fault: the oldest live warp says what the SM waited for.
			w := s.warps[0]
			c.gap = ledger.Fill(c.gap[:0], w.spans, s.upto, total, cutOff(w))
			for _, span := range c.gap {
				c.put(s, w.launch, span)
			}
			s.upto = total
		}
		c.settle(s, total)
		unit := quarters * c.units.scale
		a.SMs = append(a.SMs, SMAccount{Index: i, Sheet: s.sheet, Tensor: s.tensor, Busy: (s.busy + unit/2) / unit, Flops: s.flops})
	}
	for _, span := range c.host.spans {
		c.cover.Add(span.Entry, span.Start, min(span.End, total))
	}
	a.Sheet, a.Hidden = c.cover.Sheet(total)
	return a
}

// cutOff returns the entry of a wait that the end of the run cut off.
func cutOff(w *Warp) ledger.Entry {
	switch w.waits {
	case waitsForOperatorEnd, waitsForWrite:
		return ledger.Skew
	case waitsForGate:
		return ledger.BlockedWork
	case waitsForFence:
		return ledger.Fence
	case waitsForMemory:
		return ledger.Remote
	case waitsForCTA, waitsForOperatorStart:
		return ledger.CTABarrier
	}
	return w.late
}
