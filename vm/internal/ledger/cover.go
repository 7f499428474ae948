package ledger

import (
	"math/bits"
	"slices"
	"sort"
)

// Cover works out a card's sheet from the timelines of its SMs: each cycle goes to the first entry, in rank
// order, that any SM put on it. For the stretch that is still open it keeps one bit a cycle and entry, in pages; what
// covers whole pages is kept as a span, so that a wait costs no memory for its length.
type Cover struct {
	pages  []*page // that have bits, ascending
	last   *page   // where bits were set last
	spare  []*page // to be used again
	whole  []Span  // by page, not by cycle
	sheet  Sheet
	hidden uint64
	closed uint64 // all before is final
}

const (
	pageBits   = 12
	pageCycles = 1 << pageBits
	pageWords  = pageCycles / 64
)

// page holds the bits of some consecutive cycles, by entry; nil where no cycle has one.
type page struct {
	index uint64 // its first cycle >> pageBits
	rows  [NumEntries]*[pageWords]uint64
}

// Add puts entry e on the cycles [start, end). Cycles already closed are left alone.
func (c *Cover) Add(e Entry, start, end uint64) {
	start = max(start, c.closed)
	if end <= start {
		return
	}
	first, last := start>>pageBits, (end-1)>>pageBits
	if first == last {
		c.page(first).set(e, start, end)
		return
	}
	if start > first<<pageBits {
		c.page(first).set(e, start, (first+1)<<pageBits)
		first++
	}
	if end < (last+1)<<pageBits {
		c.page(last).set(e, last<<pageBits, end)
		last--
	}
	if first <= last {
		c.whole = append(c.whole, Span{Entry: e, Start: first, End: last + 1})
	}
}

// page returns the page with that index.
func (c *Cover) page(index uint64) *page {
	if c.last != nil && c.last.index == index {
		return c.last
	}
	at := len(c.pages)
	if at > 0 && c.pages[at-1].index >= index {
		at = sort.Search(len(c.pages), func(i int) bool { return c.pages[i].index >= index })
	}
	if at == len(c.pages) || c.pages[at].index != index {
		var fresh *page
		if n := len(c.spare); n > 0 {
			fresh, c.spare = c.spare[n-1], c.spare[:n-1]
		} else {
			fresh = &page{}
		}
		fresh.index = index
		c.pages = slices.Insert(c.pages, at, fresh)
	}
	c.last = c.pages[at]
	return c.last
}

// set puts an entry on cycles of the page.
func (p *page) set(e Entry, start, end uint64) {
	row := p.rows[e]
	if row == nil {
		row = new([pageWords]uint64)
		p.rows[e] = row
	}
	first, last := start/64%pageWords, (end-1)/64%pageWords
	low, high := ^uint64(0)<<(start%64), ^uint64(0)>>(63-(end-1)%64)
	if first == last {
		row[first] |= low & high
		return
	}
	row[first] |= low
	for i := first + 1; i < last; i++ {
		row[i] = ^uint64(0)
	}
	row[last] |= high
}

// Close makes everything before cycle final and forgets it.
func (c *Cover) Close(cycle uint64) {
	for dense := 0; c.closed < cycle; {
		index := c.closed >> pageBits
		for dense < len(c.pages) && c.pages[dense].index < index {
			dense++
		}
		// Up to where nothing changes: the next page with bits, or a span's end.
		next := (cycle-1)>>pageBits + 1
		if dense < len(c.pages) {
			next = min(next, max(index+1, c.pages[dense].index))
		}
		var throughout [NumEntries]bool
		for _, s := range c.whole {
			if s.Start <= index && index < s.End {
				throughout[s.Entry] = true
				next = min(next, s.End)
			} else if s.Start > index {
				next = min(next, s.Start)
			}
		}
		end := min(next<<pageBits, cycle)
		if dense < len(c.pages) && c.pages[dense].index == index {
			c.count(c.pages[dense], &throughout, c.closed, end)
		} else {
			c.plain(&throughout, end-c.closed)
		}
		c.closed = end
	}
	c.forget(c.closed >> pageBits)
}

// forget drops the pages before one.
func (c *Cover) forget(index uint64) {
	n := 0
	for n < len(c.pages) && c.pages[n].index < index {
		p := c.pages[n]
		for _, row := range p.rows {
			if row != nil {
				*row = [pageWords]uint64{}
			}
		}
		c.spare = append(c.spare, p)
		if c.last == p {
			c.last = nil
		}
		n++
	}
	c.pages = slices.Delete(c.pages, 0, n)
	c.whole = slices.DeleteFunc(c.whole, func(s Span) bool { return s.End <= index })
}

// plain sums cycles that some entries cover throughout.
func (c *Cover) plain(throughout *[NumEntries]bool, cycles uint64) {
	won, local, others := Idle, false, false
	for i, covered := range throughout {
		if e := Entry(i); covered {
			won = min(won, e)
			local, others = local || e.local(), others || e.awaitsOthers()
		}
	}
	c.sheet[won] += cycles
	if local && others {
		c.hidden += cycles
	}
}

// count sums the cycles [start, end) of a page.
func (c *Cover) count(p *page, throughout *[NumEntries]bool, start, end uint64) {
	for at := start &^ 63; at < end; at += 64 {
		mask := ^uint64(0)
		if at < start {
			mask <<= start - at
		}
		if end < at+64 {
			mask &= ^uint64(0) >> (at + 64 - end)
		}
		word := at / 64 % pageWords
		free, local, others := mask, uint64(0), uint64(0)
		for e, row := range p.rows {
			w := uint64(0)
			if throughout[e] {
				w = mask
			} else if row != nil {
				w = row[word] & mask
			}
			if w == 0 {
				continue
			}
			switch e := Entry(e); {
			case e.local():
				local |= w
			case e.awaitsOthers():
				others |= w
			}
			if won := w & free; won != 0 {
				c.sheet[e] += uint64(bits.OnesCount64(won))
				free &^= won
			}
		}
		c.sheet[Idle] += uint64(bits.OnesCount64(free))
		c.hidden += uint64(bits.OnesCount64(local & others))
	}
}

// local reports local work, which hides what other cards are waited for meanwhile.
func (e Entry) local() bool { return e <= CTABarrier }

// awaitsOthers reports a wait for other cards.
func (e Entry) awaitsOthers() bool { return Reduce <= e && e <= Skew }

// Sheet closes at cycle total and returns the sheet, which sums to total, and the cycles in which a wait for
// other cards went on under local work.
func (c *Cover) Sheet(total uint64) (sheet Sheet, hidden uint64) {
	c.Close(total)
	return c.sheet, c.hidden
}
