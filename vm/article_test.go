package vm_test

import (
	"context"
	"encoding/binary"
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
