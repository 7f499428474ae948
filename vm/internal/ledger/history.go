package ledger

// History is what a warp has lost to other cards so far: the cycles in which it neither worked nor waited for
// work of its own card. All other cycles are its own. A warp on another card that waited for this one takes
// the history over, so it is kept in the letters that are passed on.
type History struct {
	spans []Span
}

// Add appends the waits of a warp, in order. Only what is passed on is kept: waits for other cards, and the
// parts of tc_blocked that stand for such waits.
func (h *History) Add(spans []Span) {
	for _, s := range spans {
		if e, ok := passedOn(s.Entry); ok {
			h.spans = Append(h.spans, s.Start, s.End, e)
		}
	}
}

// passedOn returns the letter under which a waiter takes over an entry; false for what is the warp's own doing.
func passedOn(e Entry) (Entry, bool) {
	switch e {
	case Reduce, Copy, Remote, Contention, Fence, Barrier, Skew:
		return e, true
	case BlockedCopy:
		return Copy, true
	case BlockedContention:
		return Contention, true
	case BlockedReduce:
		return Reduce, true
	case BlockedFence:
		return Fence, true
	case BlockedBarrier:
		return Barrier, true
	case BlockedSkew:
		return Skew, true
	}
	return 0, false
}

// Since returns the history as it stands, from cycle on. The result stays valid: later additions do not change it.
func (h *History) Since(cycle uint64) []Span {
	i := len(h.spans)
	for i > 0 && h.spans[i-1].End > cycle {
		i--
	}
	out := h.spans[i:len(h.spans):len(h.spans)]
	if n := len(out); n > 0 {
		// The last span may still grow in place; hand out a copy of it.
		last := out[n-1]
		out = append(out[:n-1:n-1], last)
	}
	return out
}

// Prune forgets what ended before cycle.
func (h *History) Prune(cycle uint64) {
	i := 0
	for i < len(h.spans) && h.spans[i].End <= cycle {
		i++
	}
	if i > 0 {
		h.spans = append([]Span(nil), h.spans[i:]...)
	}
}
