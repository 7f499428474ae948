package sm

import "math/bits"

// wheel says which quarters want to issue at which cycle. Nearly all wake-ups lie within a few hundred cycles,
// so a ring of bit sets, one bit a quarter, holds them: the quarters of a cycle come out in ascending order,
// whatever the order they went in, and none is ever scanned for nothing. What lies beyond the ring waits in a heap.
type wheel struct {
	words   int      // of a cycle's bit set
	slots   []uint64 // wheelSize × words
	busy    [wheelSize / 64]uint64
	far     farHeap
	current uint64 // all wake-ups before are gone
}

const wheelSize = 1024

func newWheel(quarters int) *wheel {
	words := (quarters + 63) / 64
	return &wheel{words: words, slots: make([]uint64, wheelSize*words)}
}

// add wakes a quarter at a cycle that has not gone by.
func (w *wheel) add(cycle uint64, quarter int32) {
	if cycle >= w.current+wheelSize {
		w.far.push(farWake{cycle, quarter})
		return
	}
	slot := cycle % wheelSize
	w.slots[int(slot)*w.words+int(quarter)/64] |= 1 << (quarter % 64)
	w.busy[slot/64] |= 1 << (slot % 64)
}

// next returns the first cycle from current on that has a wake-up, or Never.
func (w *wheel) next() uint64 {
	best := Never
	start := w.current % wheelSize
	for i := range uint64(len(w.busy) + 1) {
		at := (start/64 + i) % uint64(len(w.busy))
		word := w.busy[at]
		if i == 0 {
			word &= ^uint64(0) << (start % 64)
		} else if i == uint64(len(w.busy)) {
			word &= 1<<(start%64) - 1
		}
		if word != 0 {
			slot := at*64 + uint64(bits.TrailingZeros64(word))
			best = w.current + (slot-start)%wheelSize
			break
		}
	}
	if len(w.far) > 0 && w.far[0].cycle < best {
		best = w.far[0].cycle
	}
	return best
}

// take moves to a cycle and appends its quarters to out, in ascending order.
func (w *wheel) take(cycle uint64, out []int32) []int32 {
	w.current = cycle
	for len(w.far) > 0 && w.far[0].cycle < cycle+wheelSize {
		f := w.far.pop()
		w.add(max(f.cycle, cycle), f.quarter)
	}
	slot := cycle % wheelSize
	row := w.slots[int(slot)*w.words : int(slot+1)*w.words]
	for i, word := range row {
		for ; word != 0; word &= word - 1 {
			out = append(out, int32(i*64+bits.TrailingZeros64(word)))
		}
		row[i] = 0
	}
	w.busy[slot/64] &^= 1 << (slot % 64)
	return out
}

type farWake struct {
	cycle   uint64
	quarter int32
}

// farHeap is a binary heap by cycle; among equal cycles the order does not matter, the ring sorts by quarter.
type farHeap []farWake

func (h *farHeap) push(f farWake) {
	*h = append(*h, f)
	s := *h
	for i := len(s) - 1; i > 0; {
		p := (i - 1) / 2
		if s[p].cycle <= s[i].cycle {
			break
		}
		s[p], s[i] = s[i], s[p]
		i = p
	}
}

func (h *farHeap) pop() farWake {
	s := *h
	top := s[0]
	n := len(s) - 1
	s[0] = s[n]
	s = s[:n]
	for i := 0; ; {
		l := 2*i + 1
		if l >= n {
			break
		}
		if l+1 < n && s[l+1].cycle < s[l].cycle {
			l++
		}
		if s[i].cycle <= s[l].cycle {
			break
		}
		s[i], s[l] = s[l], s[i]
		i = l
	}
	*h = s
	return top
}
