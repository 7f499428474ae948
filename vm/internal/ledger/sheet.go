package ledger

import "math/bits"

// Sheet counts cycles by entry.
type Sheet [NumEntries]uint64

// Sum returns the cycles of all entries.
func (s *Sheet) Sum() (n uint64) {
	for _, c := range s {
		n += c
	}
	return n
}

// Cover works out a card's sheet from the timelines of its SMs: each cycle goes to the first entry, in rank
// order, that any SM put on it. It keeps one bit a cycle and entry for the stretch that is still open.
type Cover struct {
	base   uint64 // first open cycle, a multiple of 64
	rows   [NumEntries][]uint64
	sheet  Sheet
	hidden uint64
	closed uint64 // all before is final; base <= closed
}

// Add puts entry e on the cycles [start, end). Cycles already closed are left alone.
func (c *Cover) Add(e Entry, start, end uint64) {
	start = max(start, c.closed)
	if end <= start {
		return
	}
	first, last := (start-c.base)/64, (end-1-c.base)/64
	row := c.rows[e]
	if need := int(last) + 1; need > len(row) {
		if need > cap(row) {
			grown := make([]uint64, need, need+need/2+16)
			copy(grown, row)
			row = grown
		} else {
			old := len(row)
			row = row[:need]
			clear(row[old:])
		}
		c.rows[e] = row
	}
	low := ^uint64(0) << ((start - c.base) % 64)
	high := ^uint64(0) >> (63 - (end-1-c.base)%64)
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
	if cycle <= c.closed {
		return
	}
	words := int((cycle - c.base + 63) / 64)
	for i := range words {
		mask := ^uint64(0)
		at := c.base + uint64(i)*64
		if at < c.closed {
			mask &= ^uint64(0) << (c.closed - at)
			if c.closed-at >= 64 {
				continue
			}
		}
		if at+64 > cycle {
			mask &= ^uint64(0) >> (64 - (cycle - at))
		}
		c.count(i, mask)
	}
	c.closed = cycle
	if whole := int((cycle - c.base) / 64); whole > 0 {
		for e := range c.rows {
			row := c.rows[e]
			if whole >= len(row) {
				c.rows[e] = row[:0]
			} else {
				n := copy(row, row[whole:])
				c.rows[e] = row[:n]
			}
		}
		c.base += uint64(whole) * 64
	}
}

// count sums word i under mask.
func (c *Cover) count(i int, mask uint64) {
	var local, others uint64
	free := mask
	for e, row := range c.rows {
		if i >= len(row) {
			continue
		}
		w := row[i] & mask
		if w == 0 {
			continue
		}
		switch e := Entry(e); {
		case e <= CTABarrier:
			local |= w
		case Reduce <= e && e <= Skew:
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

// Sheet closes at cycle total and returns the sheet, which sums to total, and the cycles in which a wait for
// other cards went on under local work.
func (c *Cover) Sheet(total uint64) (sheet Sheet, hidden uint64) {
	c.Close(total)
	return c.sheet, c.hidden
}
