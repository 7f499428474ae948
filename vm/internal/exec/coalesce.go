package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// What an access costs the memory system: the sectors that its lanes touch, and the passes that banks need for it.

// account describes a located access to the timing.
func account(w *state.Warp, a *access, b *located) {
	space := a.space
	switch {
	case b.owner != nil:
		space = isa.SpaceGlobal
	case b.shared:
		space = isa.SpaceShared
	}
	w.Access = state.Access{Space: space, Load: a.load, Store: a.store, Atomic: a.update != nil || a.pair != nil, Bytes: int32(a.size * a.count * bits.OnesCount32(w.Active))}
	w.Access.Ways = 1
	switch space {
	case isa.SpaceShared:
		// 32 neighbouring words lie in 32 banks: lanes that stay within them never meet.
		if size := uint32(a.size * a.count); (b.high+size-1)>>2-b.low>>2 >= 32 {
			w.Access.Ways = ways(&b.at, w.Active, int(size))
		}
	case isa.SpaceGlobal:
		w.Access.Sectors = sectors(&b.at, w.Active, a.size*a.count)
	}
}

// sectors counts the distinct 32-byte sectors that the lanes touch.
func sectors(at *[32]uint32, lanes uint32, size int) int32 {
	if first, n, ok := contiguous(at, lanes, size); ok {
		return int32((first+uint32(n)-1)>>5 - first>>5 + 1)
	}
	var seen [128]uint32
	n := 0
	for m := lanes; m != 0; m &= m - 1 {
		from := at[bits.TrailingZeros32(m)]
	next:
		for s := from >> 5; s <= (from+uint32(size)-1)>>5; s++ {
			for i := n - 1; i >= 0; i-- { // the last is the likeliest
				if seen[i] == s {
					continue next
				}
			}
			if n < len(seen) {
				seen[n] = s
				n++
			}
		}
	}
	return int32(n)
}

// contiguous reports whether the lanes access one piece of memory, each its part in order, or all the same part. It
// returns where the piece starts and its bytes.
func contiguous(at *[32]uint32, lanes uint32, size int) (first uint32, bytes int, ok bool) {
	if lanes == 0 {
		return 0, 0, false
	}
	low := bits.TrailingZeros32(lanes)
	first = at[low]
	if n := bits.OnesCount32(lanes); n == 1 || at[31-bits.LeadingZeros32(lanes)] != first {
		bytes = n * size
	} else {
		for m := lanes; m != 0; m &= m - 1 {
			if at[bits.TrailingZeros32(m)] != first {
				return 0, 0, false
			}
		}
		return first, size, true
	}
	want := first
	for m := lanes; m != 0; m &= m - 1 {
		if at[bits.TrailingZeros32(m)] != want {
			return 0, 0, false
		}
		want += uint32(size)
	}
	return first, bytes, true
}

// ways counts the passes that a shared-memory access takes: 32 banks of 4 bytes, each giving one word a pass; lanes
// that want the same word share it. Accesses of 8 and 16 bytes go in halves and quarters of the warp.
func ways(at *[32]uint32, lanes uint32, size int) int32 {
	// 32 neighbouring words lie in 32 banks: lanes that stay within them never meet.
	low, high := ^uint32(0), uint32(0)
	for m := lanes; m != 0; m &= m - 1 {
		a := at[bits.TrailingZeros32(m)&31]
		low, high = min(low, a), max(high, a)
	}
	if (high+uint32(size)-1)>>2-low>>2 < 32 {
		return 1
	}
	group := 32
	if size > 4 {
		group = max(1, 128/size)
	}
	passes := int32(0)
	for first := 0; first < 32; first += group {
		mask := lanes >> first
		if group < 32 {
			mask &= 1<<group - 1
		}
		if mask != 0 {
			passes += conflicts(at, first, mask, size)
		}
	}
	return passes
}

// conflicts returns the most distinct words that the lanes of a group want of one bank.
func conflicts(at *[32]uint32, first int, mask uint32, size int) int32 {
	// Distinct words in a list; those of a bank are chained, newest first.
	var words [64]uint32
	var older [64]int8
	var newest [32]int8 // index in words + 1; 0: none
	var count [32]int8
	n, most := 0, int8(1)
	for m := mask; m != 0; m &= m - 1 {
		from := at[first+bits.TrailingZeros32(m)]
	next:
		for word := from >> 2; word <= (from+uint32(size)-1)>>2; word++ {
			bank := word & 31
			for i := newest[bank]; i != 0; i = older[i-1] {
				if words[i-1] == word {
					continue next
				}
			}
			if n == len(words) {
				return int32(most)
			}
			words[n], older[n] = word, newest[bank]
			n++
			newest[bank] = int8(n)
			count[bank]++
			most = max(most, count[bank])
		}
	}
	return int32(most)
}
