package ledger

// Span is the cycles from Start up to but not including End, all of one entry.
type Span struct {
	Start, End uint64
	Entry      Entry
}

// Append adds a span to spans, joining it with the last one where both are alike and touch. Empty spans vanish.
func Append(spans []Span, start, end uint64, e Entry) []Span {
	if end <= start {
		return spans
	}
	if n := len(spans); n > 0 && spans[n-1].Entry == e && spans[n-1].End == start {
		spans[n-1].End = end
		return spans
	}
	return append(spans, Span{start, end, e})
}

// Fill appends to out the part of spans (ordered, disjoint) that lies within [start, end), with the gaps between
// them filled with gap.
func Fill(out, spans []Span, start, end uint64, gap Entry) []Span {
	at := start
	for _, s := range spans {
		if s.End <= at {
			continue
		}
		if s.Start >= end {
			break
		}
		from, to := max(s.Start, at), min(s.End, end)
		out = Append(out, at, from, gap)
		out = Append(out, from, to, s.Entry)
		at = to
	}
	return Append(out, at, end, gap)
}
