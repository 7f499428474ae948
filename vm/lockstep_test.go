package vm_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
)

// sameAccount compares results but for the host's time.
var sameAccount = cmp.Options{cmpopts.IgnoreFields(vm.Result{}, "Host", "Machine"), cmpopts.IgnoreUnexported(vm.Result{}),
	cmp.Comparer(func(a, b *isa.Func) bool { return (a == nil) == (b == nil) && (a == nil || a.Name == b.Name) })}

// FuzzLockstep: of random programs without races, the results are those of the run without a clock, any quantum and
// number of host threads give the same account, and each sheet of it sums to the run's length.
func FuzzLockstep(f *testing.F) {
	for seed := range uint64(32) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		p := newRandomProgram(t, seed)
		want, contents := p.run(t, vm.Options{Threads: 1})
		for _, c := range want.Cards {
			if sum := sheetSum(c.Sheet); sum != want.Total {
				t.Errorf("card %d's sheet sums to %d, want %d", c.Card, sum, want.Total)
			}
		}
		for _, s := range want.SMs {
			if sum := sheetSum(s.Sheet); sum != want.Total {
				t.Errorf("the sheet of SM %d of card %d sums to %d, want %d", s.SM, s.Card, sum, want.Total)
			}
		}
		if want.Local == nil || !want.Local.SameResults {
			t.Errorf("on the ideal fabric: %+v, want the same results", want.Local)
		}
		for _, o := range []vm.Options{{Threads: 1, Quantum: 1}, {Threads: 4, Quantum: 97}, {Functional: true}} {
			result, got := p.run(t, o)
			for name := range contents {
				if !bytes.Equal(contents[name], got[name]) {
					t.Errorf("%+v: %s differs", o, name)
				}
			}
			if d := cmp.Diff(want, result, sameAccount); d != "" && !o.Functional {
				t.Errorf("%d threads, quantum %d (-want +got):\n%s", o.Threads, o.Quantum, d)
			}
		}
		if t.Failed() {
			t.Logf("seed %d: %s, %d cards, kernels:\n%s\n%s", seed, p.machine, p.cards, p.modules[0].Source.Text, p.modules[1].Source.Text)
		}
	})
}

// randomProgram is two random kernels, in one stream or in two.
type randomProgram struct {
	machine string
	cards   int
	streams [2]string
	late    []uint64 // a card: by how much its first launch starts later
	kernels [2]*randomKernel
	modules [2]*isa.Module
}

func newRandomProgram(t *testing.T, seed uint64) *randomProgram {
	random := rand.New(rand.NewPCG(seed, 3))
	p := &randomProgram{machine: [...]string{"h200-sxm", "h200-sxm", "h100-pcie", "rtx-4090"}[random.IntN(4)], cards: 1 + random.IntN(4)}
	if random.IntN(2) == 0 {
		p.streams[1] = "beside"
	}
	for range p.cards {
		p.late = append(p.late, uint64(random.IntN(2)*random.IntN(8000)))
	}
	for i := range p.kernels {
		k := &randomKernel{Rand: random, cards: p.cards, ctas: 1 + random.IntN(3), block: 1 + random.IntN(80)}
		p.kernels[i], p.modules[i] = k, parsed(t, fmt.Sprintf("random%d.ptx", i), k.kernel())
	}
	return p
}

// run runs the program and returns its account and what every buffer holds on every card.
func (p *randomProgram) run(t *testing.T, opt vm.Options) (*vm.Result, map[string][]byte) {
	t.Helper()
	opt.Cards, opt.MaxCycles = p.cards, 20e6
	n := node(t, p.machine, opt)
	for card, cycles := range p.late {
		must(t, n.Delay([]int{card}, "", cycles))
	}
	var all []*vm.Buffer
	for i, k := range p.kernels {
		var own []*vm.Buffer
		for _, name := range kernelBuffers {
			b, err := n.Buffer(fmt.Sprintf("%s of kernel %d", name, i), k.bytes(name), k.fill(name))
			must(t, err)
			own = append(own, b)
		}
		all = append(all, own...)
		entry := p.modules[i].EntryNamed("k")
		must(t, n.Launch(vm.Launch{Module: p.modules[i], Entry: entry, Grid: [3]int{k.ctas, 1, 1}, Block: [3]int{k.block, 1, 1},
			Stream: p.streams[i], Params: k.params(entry, own)}))
	}
	result, err := n.Finish(context.Background())
	if err != nil {
		t.Fatalf("%+v: %v\n%s\n%s", opt, err, p.modules[0].Source.Text, p.modules[1].Source.Text)
	}
	contents := map[string][]byte{}
	for _, b := range all {
		for card := range p.cards {
			bytes, err := n.Read(b, card)
			must(t, err)
			contents[fmt.Sprintf("%s, card %d", b.Name, card)] = bytes
		}
	}
	return result, contents
}
