package vm_test

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/programs"
	"github.com/tollgate-sim/tollgate/vm"
)

// The costs below are derived by hand from the figures of h200-sxm: 1.83 GHz; launch call 4,612; dependent
// launch 2,507; crossing 570 + local poll 263 = 833 a barrier round; system fence 1,510; copies 369 GB/s;
// HBM 4,010 GB/s; mma.sync 6.1 cycles; refill 48; int, compare and branch 4; all else of the article's kernels 1.

func module(t testing.TB, name string) *isa.Module {
	t.Helper()
	text, err := programs.FS.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, name, string(text))
}

func parsed(t testing.TB, name, text string) *isa.Module {
	t.Helper()
	m, diagnostics := parser.Parse(name, text, parser.Options{})
	if diagnostics.HasErrors() {
		t.Fatalf("%s: %v", name, diagnostics)
	}
	return m
}

func node(t testing.TB, name string, opt vm.Options) *vm.Node {
	t.Helper()
	m, err := machine.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	opt.Machine = m
	n, err := vm.NewNode(opt)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// params lays values out as an entry's parameters.
func params(f *isa.Func, values ...uint64) []byte {
	var block []byte
	for i, p := range f.Params {
		end := p.Offset + max(p.Size, p.Type.Bytes())
		block = append(block, make([]byte, max(0, end-len(block)))...)
		var v [8]byte
		binary.LittleEndian.PutUint64(v[:], values[i])
		copy(block[p.Offset:end], v[:])
	}
	return block
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// groups sums a sheet by the report's columns.
func groups(s vm.Sheet) map[string]uint64 {
	sums := map[string]uint64{}
	for e, cycles := range s {
		if cycles > 0 {
			sums[vm.Entry(e).Group()] += cycles
		}
	}
	return sums
}

// TestTwoCardsOneLate: the article's barrier on two cards, card 1 delayed by 1,000.
//
// Card 0 starts at 4,612: mov at 4,612, sync at 4,613, its operation arrives at 4,614; card 1 at 5,614. The first
// release is 5,614 + 833 = 6,447. A round takes 13 cycles of its own (add 4, setp 4, bra 4, sync starts a cycle after
// its issue) and 833: the 64th release is 6,447 + 63·846 = 59,745. Then add, setp, bra: unblock.tc issues at 59,757,
// starts at 59,758, ret issues at 59,758, so T = 59,759.
//
// Card 0: launch 4,612; skew 1,000; barrier 64·833 = 53,312; local 2 + 63·13 + 14 = 835. Card 1 is idle for 1,000
// instead, and is nobody's victim. No fence: nothing was copied before.
func TestTwoCardsOneLate(t *testing.T) {
	m := module(t, "nvlink_allreduce.ptx")
	n := node(t, "h200-sxm", vm.Options{Cards: 2})
	barrier := m.EntryNamed("nvlink_barrier_sync")
	must(t, n.Delay([]int{1}, "", 1000))
	must(t, n.Launch(vm.Launch{Module: m, Entry: barrier, Block: [3]int{32, 1, 1}, Params: func(int) []byte { return params(barrier, 0) }}))
	r, err := n.Finish(context.Background())
	must(t, err)
	if r.Total != 59_759 {
		t.Errorf("T = %d, want 59,759", r.Total)
	}
	want := []map[string]uint64{
		{"local": 835, "skew": 1000, "interruption": 53_312, "host": 4612},
		{"local": 835, "interruption": 53_312, "host": 5612},
	}
	for card, w := range want {
		if d := cmp.Diff(w, groups(r.Cards[card].Sheet)); d != "" {
			t.Errorf("card %d (-want +got):\n%s", card, d)
		}
	}
	// On an ideal fabric a round costs its own 13 cycles: 4,612 + 835 on card 0, 1,000 later on card 1.
	if r.Local == nil || r.Local.Total != 4612+1000+835 {
		t.Errorf("Cycle_local %+v, want %d", r.Local, 4612+1000+835)
	}
}

// step is the all-reduce with an mma loop of so many turns a card, on one stream or on two.
func step(t testing.TB, opt vm.Options, turns func(card int) uint64, streams [2]string) *vm.Result {
	t.Helper()
	n := node(t, "h200-sxm", opt)
	loops, article := module(t, "mma_loop.ptx"), module(t, "nvlink_allreduce.ptx")
	loop, reduce := loops.EntryNamed("mma_loop"), article.EntryNamed("nvlink_allreduce_fp16")
	const elements = 1 << 20
	out, err := n.Buffer("out", 4*16*8*4, nil)
	must(t, err)
	grad, err := n.Buffer("grad", 2*elements, func(card int, dst []byte) {
		for i := range elements {
			// Small integers: i mod 100 + card is exact in bf16 up to 256, and so is the sum of eight.
			binary.LittleEndian.PutUint16(dst[2*i:], bf16(float32(i%16+card)))
		}
	})
	must(t, err)
	total, err := n.Buffer("total", 2*elements, nil)
	must(t, err)
	for card := range n.Cards() {
		must(t, n.Launch(vm.Launch{Module: loops, Entry: loop, Block: [3]int{128, 1, 1}, Stream: streams[0], Cards: []int{card},
			Params: func(card int) []byte { return params(loop, out.Addr(card), turns(card)) }}))
	}
	must(t, n.Launch(vm.Launch{Module: article, Entry: reduce, Block: [3]int{32, 1, 1}, Stream: streams[1],
		Params: func(card int) []byte { return params(reduce, grad.Addr(card), total.Addr(card), elements) }}))
	r, err := n.Finish(context.Background())
	must(t, err)
	for card := range n.Cards() {
		got, err := n.Read(total, card)
		must(t, err)
		for i := range elements {
			// Sum over 8 cards of (i mod 16 + card) = 8 (i mod 16) + 28.
			if want := bf16(float32(8*(i%16) + 28)); binary.LittleEndian.Uint16(got[2*i:]) != want {
				t.Fatalf("card %d, element %d: %04x, want %04x", card, i, binary.LittleEndian.Uint16(got[2*i:]), want)
			}
		}
	}
	return r
}

// bf16 converts a float that bfloat16 holds exactly.
func bf16(v float32) uint16 { return uint16(math.Float32bits(v) >> 16) }

// within checks a figure against one derived by hand.
func within(t *testing.T, what string, got, want, tolerance uint64) {
	t.Helper()
	if got+tolerance < want || want+tolerance < got {
		t.Errorf("%s: %d, by hand %d (± %d)", what, got, want, tolerance)
	}
}

// edges is what the mma loop takes beside its mma: some 90 instructions before the first (moves of one cycle, a few
// dependent integer operations of 4, a conversion of 23), the last result and the sums and stores after it.
const edges = 190

// TestDemo: the mma loop (1 CTA × 4 warps, 32,768 mma a warp) beside the article's all-reduce on 8 cards.
//
// The loop starts at 4,612 and takes 32,768 × 6.1 = 199,884.8 cycles and its edges. The second call is over at S =
// 9,224. The all-reduce: copy issues at S and starts at S + 1. Seven tensors of 2 MiB leave at 369 GB/s in 14,680,064 /
// 369e9 · 1.83e9 = 72,804 cycles, and cross in 570: all are in at S + 73,375. The reduction reads 8 and writes 1 × 2
// MiB at 4,010 GB/s: 8,614. Then call, mov, sync (3), the fence 1,510, 64 rounds of 833, 63 × 13 between them, and 13
// until unblock.tc has started: the window is open from S + 1 to S + 137,646, and the pipeline refills for 48. All
// this time the mma waits: 137,693 cycles, less the part of an interval that the last mma before it still takes.
func TestDemo(t *testing.T) {
	r := step(t, vm.Options{Cards: 8}, func(int) uint64 { return 4096 }, [2]string{"main", "comm"})
	const local = 199_885
	const blocked = 137_645 + 48
	within(t, "T", r.Total, 4612+local+blocked+edges/2, edges/2)
	for _, c := range r.Cards {
		g := groups(c.Sheet)
		within(t, "local", g["local"], local+edges/2, edges/2)
		within(t, "interruption", g["interruption"], blocked, 7)
		if g["host"] != 4612 || g["copy"]+g["skew"]+g["contention"] != 0 {
			t.Errorf("card %d: %v, want host 4,612 and nothing else", c.Card, g)
		}
		for e, want := range map[string]uint64{"copy": 73_374, "reduce": 8614, "fence": 1510, "barrier": 53_312, "work": 3 + 63*13 + 13, "refill": 48} {
			within(t, e, entry(c.Sheet, "tc_blocked."+e), want, 7)
		}
	}
	// With the gate open, and on an ideal fabric, the all-reduce hides behind the mma.
	within(t, "open gate", r.Gate.Total, 4612+local+edges/2, edges/2)
	if r.Local.Total != r.Gate.Total || !r.Local.SameResults || !r.Gate.SameResults {
		t.Errorf("Cycle_local %+v, open gate %+v, want the same totals and results", r.Local, r.Gate)
	}
	tc := r.Tensor
	within(t, "Tensor Cores busy", tc.Busy, 8*local, 8)
	within(t, "Tensor Cores blocked", tc.BlockedWaiting, 8*blocked, 8*7)
	if want := uint64(8 * 4 * 32_768 * 4096); tc.Flops != want {
		t.Errorf("%d FLOP, want %d: 4,096 an mma.m16n8k16", tc.Flops, want)
	}
}

// TestStraggler: the mma loop, then the all-reduce, on one stream; card 5's loop is 25 % longer.
//
// Every launch but a card's first pays 4,612 for its call while the loop runs, and 2,507 after the loop's end. The early
// cards come to the copy 49,971 cycles before card 5 (8,192 × 6.1): skew. From card 5's issue on it is copy 73,374, then
// reduce 8,614, fence 1,510 and 64 rounds. Card 5 itself reduces at once (its peers' bytes are long in), stands at the
// fence until its own last byte is acknowledged (73,374 + 570 after its issue), and takes over what the last card to
// arrive was doing from then on: 8,043 of reduce and the fence.
func TestStraggler(t *testing.T) {
	r := step(t, vm.Options{Cards: 8}, func(card int) uint64 {
		if card == 5 {
			return 5120
		}
		return 4096
	}, [2]string{})
	const loop, longer = 199_885, 49_971
	const own = 839 // of the all-reduce: see TestDemo, and two until its end
	const reduced = 73_374 + 8614
	within(t, "T", r.Total, 4612+loop+longer+2507+reduced+1510+53_312+own+edges/2, edges/2)
	for _, c := range r.Cards {
		g := groups(c.Sheet)
		if c.Card == 5 {
			within(t, "local", g["local"], loop+longer+own+edges/2, edges/2)
			within(t, "copy", g["copy"], reduced, 10)
			within(t, "skew", g["skew"], 0, 10)
			within(t, "reduce", entry(c.Sheet, "reduce"), 8614+8043, 70)
		} else {
			// The receivers share card 5's port in turns: the first to be done is up to six packets of 10 cycles
			// before the last, and waits for it at the barrier, where it takes over its fence.
			within(t, "local", g["local"], loop+own+edges/2, edges/2)
			within(t, "copy", g["copy"], reduced, 70)
			within(t, "skew", g["skew"], longer, 10)
			within(t, "interruption", g["interruption"], 1510+53_312, 70)
		}
		if g["host"] != 4612+2507 {
			t.Errorf("card %d: host %d, want 7,119", c.Card, g["host"])
		}
	}
	within(t, "Cycle_local", r.Local.Total, 4612+2507+loop+longer+own+edges/2, edges/2)
	if r.Gate != nil {
		t.Errorf("an open-gate run %+v, though no mma ever waited", r.Gate)
	}
}

func entry(s vm.Sheet, name string) uint64 {
	for e, cycles := range s {
		if vm.Entry(e).String() == name {
			return cycles
		}
	}
	return 0
}
