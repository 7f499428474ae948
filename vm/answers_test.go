package vm_test

import (
	"context"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
)

// barrierLate runs the article's barrier on two cards, card 1 a thousand cycles late, some times over.
func barrierLate(t *testing.T, times int, opt vm.Options) *vm.Result {
	m := module(t, "nvlink_allreduce.ptx")
	opt.Cards = 2
	n := node(t, "h200-sxm", opt)
	barrier := m.EntryNamed("nvlink_barrier_sync")
	for range times {
		must(t, n.Delay([]int{1}, "", 1000))
		must(t, n.Launch(vm.Launch{Module: m, Entry: barrier, Block: [3]int{32, 1, 1}, Params: func(int) []byte { return params(barrier, 0) }}))
	}
	return finish(t, n)
}

// The run of TestTwoCardsOneLate, T = 59,759. With card 1 like card 0 (the lower median of two) it is shorter by the
// 1,000 cycles; with one round in place of 64 by 63 x 833. Twice in a row the 1,000 are saved twice. With one
// round each the first kernel, over at 7,280, no longer keeps the second waiting until 2,507 later: the host's two calls
// are over at 9,224, 563 cycles earlier.
func TestWhatIf(t *testing.T) {
	r := barrierLate(t, 1, vm.Options{})
	if r.LikeMedian == nil || r.Late != 1 || r.LikeMedian.Total != 58_759 || !r.LikeMedian.SameResults {
		t.Errorf("like the median: card %d, %+v, want card 1, 58,759", r.Late, r.LikeMedian)
	}
	if r.OneRound == nil || r.OneRound.Total != 59_759-63*833 || !r.OneRound.SameResults {
		t.Errorf("one round: %+v, want %d", r.OneRound, 59_759-63*833)
	}
	twice := barrierLate(t, 2, vm.Options{})
	if twice.LikeMedian == nil || twice.LikeMedian.Total != twice.Total-2000 {
		t.Errorf("twice: %+v, want %d", twice.LikeMedian, twice.Total-2000)
	}
	if twice.OneRound == nil || twice.OneRound.Total != twice.Total-2*63*833-563 {
		t.Errorf("twice, one round each: %+v, want %d", twice.OneRound, twice.Total-2*63*833-563)
	}
}

// Card 0 waits 1,000 and 833 in the first round, 833 in each of the others, card 1 always 833. Card 1 comes last at
// all times: first since it is late, later since of two in the same cycle the higher counts.
func TestBarrierWaits(t *testing.T) {
	r := barrierLate(t, 1, vm.Options{})
	if len(r.Barriers) != 1 {
		t.Fatalf("%d barriers, want one", len(r.Barriers))
	}
	b := r.Barriers[0]
	want := []vm.BarrierCard{{Card: 0, Count: 64, Cycles: 64*833 + 1000, Longest: 1833}, {Card: 1, Count: 64, Cycles: 64 * 833, Longest: 833}}
	if b.Flag || len(b.Cards) != 2 || b.Cards[0] != want[0] || b.Cards[1] != want[1] {
		t.Errorf("%+v, want %+v", b.Cards, want)
	}
	if b.By[0] != 0 || b.By[1] != 128 {
		t.Errorf("last arrivers %v, want card 1 in all of 128 waits", b.By)
	}
	if r.WaitedFor[0][1] != 1000 || r.WaitedFor[1][0] != 0 {
		t.Errorf("waited for %v, want card 0 1,000 for card 1", r.WaitedFor)
	}
}

// The path to the end: card 1's launch and delay, two instructions of its barrier kernel (4,614 + 1,000), then 64
// rounds of 833 with 13 cycles between two, and the last 14: 5,614 + 64 x 833 + 63 x 13 + 14 = 59,759.
func TestCriticalPath(t *testing.T) {
	r := barrierLate(t, 1, vm.Options{Path: true, Silent: true})
	path := r.CriticalPath(-1)
	at, rounds := uint64(0), 0
	for i, s := range path {
		if s.Start != at || s.End <= s.Start {
			t.Fatalf("step %d is from %d to %d, the one before ended at %d", i, s.Start, s.End, at)
		}
		at = s.End
		if s.Func != nil {
			if s.End-s.Start != 833 || s.From != 1 {
				t.Errorf("step %d: %d cycles from card %d, want 833 from card 1", i, s.End-s.Start, s.From)
			}
			rounds++
		}
	}
	if at != r.Total || rounds != 64 {
		t.Errorf("the path ends at %d after %d rounds, want %d and 64", at, rounds, r.Total)
	}
	if first := path[0]; first.Card != 1 || first.End != 5612 || first.Launch != "" {
		t.Errorf("the path begins with %+v, want card 1's launch at 5,612", first)
	}
	for card := range 2 {
		if own := r.CriticalPath(card); own[len(own)-1].Card != card {
			t.Errorf("the path to the end of card %d ends on card %d", card, own[len(own)-1].Card)
		}
	}
	if quiet := barrierLate(t, 1, vm.Options{Silent: true}); quiet.CriticalPath(-1) != nil {
		t.Error("a path without Options.Path")
	}
}

const flagKernel = `
.visible .entry flags(.param .u64 mine, .param .u64 peer, .param .u32 rounds)
{
	.reg .pred %p;
	.reg .b32 %r<4>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [mine];
	ld.param.u64 %rd2, [peer];
	ld.param.u32 %r1, [rounds];
WORK:
	sub.u32 %r1, %r1, 1;
	setp.ne.u32 %p, %r1, 0;
	@%p bra WORK;
	st.release.sys.global.u32 [%rd2], 1;
WAIT:
	ld.acquire.sys.global.u32 %r2, [%rd1];
	setp.eq.u32 %p, %r2, 0;
	@%p bra WAIT;
	ret;
}
`

// Two cards set each other's flag; card 0 works 1,000 times round a loop of 12 cycles, card 1 ten times. Card 1 alone
// waits, at the load of its polling loop, for card 0; what it loses to skew is what the ledger says.
func TestFlagWaits(t *testing.T) {
	m := parsed(t, "flags.ptx", head+flagKernel)
	k := m.EntryNamed("flags")
	n := node(t, "h200-sxm", vm.Options{Cards: 2, Path: true})
	flag, err := n.Buffer("flag", 4, func(_ int, b []byte) { clear(b) })
	must(t, err)
	must(t, n.Launch(vm.Launch{Module: m, Entry: k, Block: [3]int{1, 1, 1}, Params: func(card int) []byte {
		return params(k, flag.Addr(card), flag.Addr(1-card), []uint64{1000, 10}[card])
	}}))
	r := finish(t, n)
	skew := entry(r.Cards[1].Sheet, "skew")
	if r.WaitedFor[1][0] != skew || skew < 990*12-3000 || skew > 990*12 || r.WaitedFor[0][1] != 0 {
		t.Errorf("waited for %v, want card 1 %d for card 0: 990 x 12 less some polls", r.WaitedFor, skew)
	}
	at := func(pos isa.Pos) int { line, _ := k.Source.LineCol(pos); return line }
	load := 0
	for i := range k.Code {
		if k.Code[i].Op == isa.OpLd && k.Code[i].Has(isa.ModAcquire) {
			load = at(k.Code[i].OpPos)
		}
	}
	found := false
	for _, b := range r.Barriers {
		if b.Flag && at(b.Pos) == load && len(b.Cards) >= 1 && b.By[0] == 1 {
			found = true
		}
	}
	if !found {
		t.Errorf("barriers %+v, want the flag at line %d, set by card 0 once", r.Barriers, load)
	}
	found = false
	for _, w := range r.Waits {
		if w.Entry.String() == "skew" {
			found = at(w.Pos) == load && w.For == 0 && w.Cycles == skew
		}
	}
	if !found {
		t.Errorf("no skew of %d cycles for card 0 at line %d in %+v", skew, load, r.Waits)
	}
	if r.LikeMedian == nil || r.Late != 0 || r.LikeMedian.Total > r.Total-skew+300 || r.LikeMedian.Total < r.Total-skew {
		t.Errorf("like the median: card %d, %+v, want card 0 and %d but for one poll", r.Late, r.LikeMedian, r.Total-skew)
	}
	path := r.CriticalPath(1)
	if last := path[0]; last.Card != 0 {
		t.Errorf("the path begins on card %d, want 0, which works longest: %+v", last.Card, path)
	}
}

// What warps waited for by line adds up to the SM sheets, entry by entry.
func TestWaitsAddUp(t *testing.T) {
	for _, k := range kernels {
		if k.cards > 1 || k.name == "nbody4096" || k.name == "mandelbrot1024" {
			continue
		}
		k.grid = [3]int{2, 1, 1}
		r := finish(t, k.on(t, parsed(t, k.name+".ptx", k.text(t)), false))
		var sheets, waits vm.Sheet
		for _, s := range r.SMs {
			for e, n := range s.Sheet {
				sheets[e] += n
			}
		}
		for _, w := range r.Waits {
			waits[w.Entry] += w.Cycles
		}
		for _, name := range []string{"alu", "memory", "cta_barrier", "tensor"} {
			if entry(waits, name) != entry(sheets, name) {
				t.Errorf("%s, %s: %d cycles by line, %d on the SM sheets", k.name, name, entry(waits, name), entry(sheets, name))
			}
		}
	}
}

// Two cards exchange a tensor of 1 MiB by the article's all-reduce: a MiB leaves each card, all of it for the one
// launch. Its packets stand before the port together: the last for all but its own time.
func TestLinks(t *testing.T) {
	m := module(t, "nvlink_allreduce.ptx")
	n := node(t, "h200-sxm", vm.Options{Cards: 2, Silent: true, Numerics: true})
	src, err := n.Buffer("src", 1<<20, func(card int, b []byte) {
		for i := range b {
			b[i] = byte(i%64 + card)
		}
	})
	must(t, err)
	dst := buffer(t, n, "dst", 1<<20)
	k := m.EntryNamed("nvlink_allreduce_fp16")
	must(t, n.Launch(vm.Launch{Module: m, Entry: k, Block: [3]int{32, 1, 1}, Params: func(card int) []byte {
		return params(k, src.Addr(card), dst.Addr(card), 1<<19)
	}}))
	r, err := n.Finish(context.Background())
	must(t, err)
	if len(r.Links) != 4 {
		t.Fatalf("%d ports, want two a card", len(r.Links))
	}
	for _, l := range r.Links {
		if l.Bytes != 1<<20 || len(l.Shares) != 1 || l.Shares[0].Bytes != 1<<20 || l.Shares[0].Name != "nvlink_allreduce_fp16" {
			t.Errorf("%+v, want 1 MiB of the launch", l)
		}
		if whole := uint64(1 << 20 * 1830 / 369_000); l.Egress && (l.Longest < whole-whole/l.Pieces-2 || l.Longest > whole) {
			t.Errorf("card %d: the last packet stood for %d cycles, want %d less one of %d packets", l.Card, l.Longest, whole, l.Pieces)
		}
	}
	if len(r.Numerics) != 1 || r.Numerics[0].Cards != 2 || r.Numerics[0].Type != isa.BF16 {
		t.Fatalf("numerics %+v, want one line on two cards", r.Numerics)
	}
	for _, o := range r.Numerics[0].Orders { // two terms add up to the same in any order
		if o.Differ != 0 || o.Elements == 0 {
			t.Errorf("%s: %+v, want no difference", o.Name, o)
		}
	}
}
