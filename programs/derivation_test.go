package programs_test

import (
	"testing"

	"github.com/tollgate-sim/tollgate/vm"
)

// The figures below were worked out by hand from those of h200-sxm: 1.83 GHz. A launch call takes 4,612 cycles, a
// launch that waited for its stream starts 2,507 after that. A crossing is 570 cycles, a poll 263, so a barrier round
// 833. A system fence takes 1,510. Copies reach 369 GB/s, a reduction 4,010 GB/s. An mma takes 24 cycles, and a
// quarter issues one every 6.1. Integer operations, compares and branches take 4 cycles, their pipe 2; 64-bit adds 5;
// int-to-float conversions 23; moves, ld.param and the operators' own issue 1.
//
//	mma_loop.ptx, cycles from the launch's start:
//	  0-2      two ld.param, mov %laneid
//	  3, 5     shr, and (the pipe is taken for 2)
//	  7-43     add 4, cvt 23, mov 1, shr 4, or 4
//	  41-77    the same for the lower rows: add at 41 behind the or, cvt 45, mov 68, shr 69, or 73
//	  74-105   32 moves; the first mma issues at 106
//	  106+6.1k the k-th mma, whole cycles rounded up; after it bra, 4 cycles, which hides behind the interval
//	  last mma at L, the three before it 6.1, 12.2, 18.3 earlier; their results 24 later
//	  L+24     the last of the first 16 adds waits for the last mma and issues at L+27
//	  L+28..39 8 + 4 adds; each waits for nothing
//	  L+40     mov %tid, shr 41, mov, shr 43, mov, mad 47 (waits for the shr), shl, shl, shl 51-55
//	  L+57     add, add 61, mul.wide 65, add.s64 69, st 74, st 78 (4 cycles a store), ret 79
//	  so it ends 80 after L
const (
	launch    = 4612
	dependent = 2507
	round     = 833
	fence     = 1510
	rounds    = 64
	barrier   = rounds * round // 53,312
	firstMMA  = 106
	epilogue  = 80
)

// loop is how long mma_loop runs: 6.1 cycles for each mma but the last, and what comes before and after.
func loop(mma uint64) uint64 { return firstMMA + (61*(mma-1)+9)/10 + epilogue }

// The article's all-reduce of 2 MiB on eight cards, without waiting for anyone:
//
//	copy     7 x 2 MiB at 369 GB/s = 14,680,064 x 1.83 / 369 = 72,804, + 570 until the last byte is in = 73,374
//	reduce   9 x 2 MiB at 4,010 GB/s = 18,874,368 x 1.83 / 4,010                                      =  8,613
//	fence                                                                                                1,510
//	barrier  64 x 833                                                                                 = 53,312
//	own      the issue of copy, reduce, call and mov; 63 turns of 13 cycles (add 4, setp 4, bra 4, and the
//	         operator starts a cycle after its issue) and the last one with unblock.tc and ret            839
const (
	copying    = 73374
	reducing   = 8613
	own        = 839
	allReduced = copying + reducing + fence + barrier + own // 137,648
)

// derivations are the hand-made expectations, by case.
var derivations = map[string]func(*testing.T, *vm.Result){
	"barrier_late.json": barrierLate,
	"demo.json":         demo,
	"one_card.json":     oneCard,
	"straggler.json":    straggler,
}

// near fails unless a figure is within some cycles of what was derived. Rounding of 6.1, 72,803.5 and 8,613.5 costs
// a cycle each time it happens.
func near(t *testing.T, what string, got, want, within uint64) {
	t.Helper()
	if max(got, want)-min(got, want) > within {
		t.Errorf("%s is %d, derived %d (within %d)", what, got, want, within)
	}
}

// group sums a card's entries of a column.
func group(c vm.CardResult, name string) (n uint64) {
	for e, cycles := range c.Sheet {
		if vm.Entry(e).Group() == name {
			n += cycles
		}
	}
	return n
}

// columns checks a card's row of the report.
func columns(t *testing.T, c vm.CardResult, within uint64, want map[string]uint64) {
	t.Helper()
	for _, name := range vm.Groups() {
		near(t, name, group(c, name), want[name], within)
	}
}

// Two cards, the second 1,000 cycles late. Card 0's first operation starts at 4,614 (mov, sync, one cycle), card 1's
// at 5,614. The first release is at 6,447, the 64th 63 x (833 + 13) later, at 59,745; then add, setp, bra, unblock.tc
// and ret, 14 cycles. Own: 2 + 63 x 13 + 14 = 835. Nothing was copied, so there is no fence.
func barrierLate(t *testing.T, r *vm.Result) {
	const own = 835
	near(t, "T", r.Total, 5614+round+63*(round+13)+14, 0)
	columns(t, r.Cards[0], 0, map[string]uint64{"host": launch, "skew": 1000, "interruption": barrier, "local": own})
	columns(t, r.Cards[1], 0, map[string]uint64{"host": launch + 1000, "interruption": barrier, "local": own})
	near(t, "Cycle_local", r.Local.Total, launch+1000+own, 0)
}

// One card alone: operators cost their issue, and no gate shuts. The all-reduce hides behind the mma loop.
func oneCard(t *testing.T, r *vm.Result) {
	near(t, "T", r.Total, launch+loop(32768), 0)
	near(t, "Cycle_local", r.Local.Total, r.Total, 0)
	if r.Gate != nil {
		t.Error("the gate cost cycles on one card")
	}
}

// The mma loop on one stream and the all-reduce on another. The loop starts at 4,612, the all-reduce at 9,224, when
// the second call is over; its window opens at 9,225 and an mma is ready at most 6.1 cycles later. It issues when the
// window has closed, at the start of unblock.tc (the ret's cycle is not waited for), and the pipeline has refilled, 48
// cycles. What is left of the loop comes after that. With the gate open the loop hides all of it.
func demo(t *testing.T, r *vm.Result) {
	const (
		within  = 8 // the interval that the window opens in, and roundings
		refill  = 48
		blocked = allReduced + refill // 137,696
	)
	near(t, "T", r.Total, launch+loop(32768)+blocked, within)
	near(t, "Cycle_local", r.Local.Total, launch+loop(32768), 0)
	near(t, "T with the gate open", r.Gate.Total, launch+loop(32768), 0)
	for _, c := range r.Cards {
		columns(t, c, within, map[string]uint64{"local": loop(32768), "interruption": blocked, "host": launch})
	}
	near(t, "busy", r.Tensor.Busy, 8*199885, 8*within)
	near(t, "blocked", r.Tensor.BlockedWaiting, 8*blocked, 8*within)
}

// The mma loop and then the all-reduce on one stream; card 5's loop is 25 % longer. The all-reduce starts 2,507 after
// the loop, so card 5 is late by the difference of the loops, 8,192 x 6.1 = 49,971. From its start on it runs like an
// all-reduce in which nobody is late. An early card waits for card 5's bytes: skew until card 5 sends them, then the
// copy. Card 5 finds the others' bytes there, reduces at once, drains its copy (both copy), and then waits for the
// others' reductions, which it inherits as such; its columns are therefore the same.
func straggler(t *testing.T, r *vm.Result) {
	const within = 4
	lateness := loop(40960) - loop(32768)
	near(t, "lateness", lateness, 49971, 0)
	near(t, "T", r.Total, launch+loop(40960)+dependent+allReduced, within)
	near(t, "Cycle_local", r.Local.Total, launch+loop(40960)+dependent+own, within)
	for _, c := range r.Cards {
		want := map[string]uint64{"local": loop(32768) + own, "copy": copying + reducing, "skew": lateness, "interruption": fence + barrier, "host": launch + dependent}
		if c.Card == 5 {
			want["local"], want["skew"] = loop(40960)+own, 0
			columns(t, c, within, want)
			continue
		}
		// Card 5 serves its receivers packet by packet, so they are done up to 7 x 10 cycles apart; the early ones
		// wait for the last in their fences.
		columns(t, c, 7*10, want)
	}
}
