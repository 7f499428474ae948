package vm_test

import (
	"context"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/programs/corpus"
	"github.com/tollgate-sim/tollgate/vm"
)

// kernels are what the throughput benchmarks run: a memory-bound one and one that is all shared memory and fma.
var kernels = []struct {
	name  string
	load  func(testing.TB) *isa.Module
	setup func(b *testing.B, n *vm.Node, m *isa.Module) vm.Launch
}{
	{"vecadd", func(t testing.TB) *isa.Module { return module(t, "vecadd.ptx") }, func(b *testing.B, n *vm.Node, m *isa.Module) vm.Launch {
		const count = 1 << 20
		k := m.EntryNamed("vecadd")
		x, y, z := buffer(b, n, "a", 4*count), buffer(b, n, "b", 4*count), buffer(b, n, "c", 4*count)
		return vm.Launch{Module: m, Entry: k, Grid: [3]int{count / 256, 1, 1}, Block: [3]int{256, 1, 1},
			Params: func(card int) []byte { return params(k, x.Addr(card), y.Addr(card), z.Addr(card), count) }}
	}},
	{"matmul512", func(t testing.TB) *isa.Module {
		files, err := corpus.Load("perf/matmul512.ptx")
		must(t, err)
		return parsed(t, files[0].Path, files[0].Text)
	}, func(b *testing.B, n *vm.Node, m *isa.Module) vm.Launch {
		const size = 512
		k := m.EntryNamed("matmul512")
		x, y, z := buffer(b, n, "A", 4*size*size), buffer(b, n, "B", 4*size*size), buffer(b, n, "C", 4*size*size)
		return vm.Launch{Module: m, Entry: k, Grid: [3]int{size / 16, size / 16, 1}, Block: [3]int{16, 16, 1},
			Params: func(card int) []byte { return params(k, x.Addr(card), y.Addr(card), z.Addr(card), size) }}
	}},
}

func buffer(t testing.TB, n *vm.Node, name string, bytes int64) *vm.Buffer {
	b, err := n.Buffer(name, bytes, func(_ int, dst []byte) { clear(dst) })
	must(t, err)
	return b
}

func throughput(b *testing.B, functional bool) {
	for _, k := range kernels {
		b.Run(k.name, func(b *testing.B) {
			m := k.load(b)
			var threads uint64
			for b.Loop() {
				b.StopTimer()
				n := node(b, "h200-sxm", vm.Options{Functional: functional, Threads: 1, Silent: true})
				launch := k.setup(b, n, m)
				b.StartTimer()
				must(b, n.Launch(launch))
				r, err := n.Finish(context.Background())
				must(b, err)
				threads += r.Counts.ThreadInstructions
			}
			b.ReportMetric(float64(threads)/b.Elapsed().Seconds()/1e6, "Mthread-instr/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkFunctional and BenchmarkTimed report thread instructions a second on one host thread.
func BenchmarkFunctional(b *testing.B) { throughput(b, true) }

func BenchmarkTimed(b *testing.B) { throughput(b, false) }

// TestThreadInstructions: the corpus counts matmul512's thread instructions from its text: 262,144 threads × (prologue,
// 32 tiles × loop body, epilogue) = 538,705,920. A smaller launch of the same kernel checks the same formula: a grid of
// 2 × 2 CTAs of 256 threads on 512 × 512 matrices executes 1,024 / 262,144 of them.
func TestThreadInstructions(t *testing.T) {
	for _, functional := range []bool{true, false} {
		m := kernels[1].load(t)
		k := m.EntryNamed("matmul512")
		n := node(t, "h200-sxm", vm.Options{Functional: functional})
		x, y, z := buffer(t, n, "A", 4<<18), buffer(t, n, "B", 4<<18), buffer(t, n, "C", 4<<18)
		must(t, n.Launch(vm.Launch{Module: m, Entry: k, Grid: [3]int{2, 2, 1}, Block: [3]int{16, 16, 1},
			Params: func(card int) []byte { return params(k, x.Addr(card), y.Addr(card), z.Addr(card), 512) }}))
		if got, want := finish(t, n).Counts.ThreadInstructions, uint64(538_705_920/256); got != want {
			t.Errorf("functional %v: %d thread instructions, want %d", functional, got, want)
		}
	}
}
