package vm_test

import (
	"context"
	"embed"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/programs"
	"github.com/tollgate-sim/tollgate/programs/corpus"
	"github.com/tollgate-sim/tollgate/vm"
)

//go:embed testdata/*.ptx
var testdata embed.FS

// kernel is one that the throughput benchmarks run. Its parameters are addresses followed by 32-bit words.
type kernel struct {
	name        string
	text        func(testing.TB) string
	cards       int
	grid, block [3]int
	buffers     []contents
	addresses   func(b []*vm.Buffer, card int) []uint64 // nil: the buffers in order
	words       func(card int) []uint32
}

// contents are the bytes of a buffer: 32-bit words by index.
type contents struct {
	words int
	at    func(i uint32) uint32
}

// The buffers' words: zeros, all bits, floats and pairs of bf16 in [1/2, 2) that use their whole mantissa.
func zeros(words int) contents { return contents{words, func(uint32) uint32 { return 0 }} }

func bits(words int) contents {
	return contents{words, func(i uint32) uint32 { return i * 2654435761 }}
}

func floats(words int) contents {
	return contents{words, func(i uint32) uint32 { return 0x3f000000 + i*2654435761>>8 }}
}

func pairs(words int) contents {
	return contents{words, func(i uint32) uint32 { return (0x3f00 + i*2654435761>>24) * 0x10001 }}
}

func words(list ...uint32) func(int) []uint32 { return func(int) []uint32 { return list } }

func fromPrograms(name string) func(testing.TB) string {
	return func(t testing.TB) string {
		text, err := programs.FS.ReadFile(name)
		must(t, err)
		return string(text)
	}
}

func fromCorpus(name string) func(testing.TB) string {
	return func(t testing.TB) string {
		files, err := corpus.Load(name)
		must(t, err)
		return files[0].Text
	}
}

func fromTestdata(name string) func(testing.TB) string {
	return func(t testing.TB) string {
		text, err := testdata.ReadFile("testdata/" + name)
		must(t, err)
		return string(text)
	}
}

// kernels are the corpus' perf cases, on a grid or a problem small enough for a second, a memory-bound kernel and two
// more matrix products.
var kernels = []kernel{
	{name: "vecadd", text: fromPrograms("vecadd.ptx"), grid: [3]int{1 << 12, 1, 1}, block: [3]int{256, 1, 1},
		buffers: []contents{floats(1 << 20), floats(1 << 20), zeros(1 << 20)}, words: words(1 << 20)},
	{name: "matmul512", text: fromCorpus("perf/matmul512.ptx"), grid: [3]int{32, 4, 1}, block: [3]int{16, 16, 1},
		buffers: []contents{floats(1 << 18), floats(1 << 18), zeros(1 << 18)}, words: words(512)},
	{name: "matmul_naive", text: fromTestdata("matmul_naive.ptx"), grid: [3]int{16, 4, 1}, block: [3]int{32, 8, 1},
		buffers: []contents{floats(1 << 18), floats(1 << 18), zeros(1 << 18)}, words: words(512)},
	{name: "matmul_tiled", text: fromTestdata("matmul_tiled.ptx"), grid: [3]int{16, 2, 1}, block: [3]int{32, 8, 1},
		buffers: []contents{floats(1 << 18), floats(1 << 18), zeros(1 << 18)}, words: words(512)},
	{name: "mandelbrot1024", text: fromCorpus("perf/mandelbrot1024.ptx"), grid: [3]int{16, 32, 1}, block: [3]int{16, 8, 1}, // 256 × 256 points
		buffers: []contents{zeros(1 << 15)}, words: words(256, math.Float32bits(-2), math.Float32bits(-1.25), math.Float32bits(2.5/256), 256)},
	{name: "nbody4096", text: fromCorpus("perf/nbody4096.ptx"), grid: [3]int{4, 1, 1}, block: [3]int{256, 1, 1},
		buffers: []contents{floats(1 << 14), zeros(1 << 14)}, words: words(4096, math.Float32bits(1./128))},
	{name: "reduce16m", text: fromCorpus("perf/reduce16m.ptx"), grid: [3]int{256, 1, 1}, block: [3]int{256, 1, 1}, // 8 M of them
		buffers: []contents{floats(1 << 23), zeros(256)}, words: words(1 << 23)},
	{name: "sha_mix1m", text: fromCorpus("perf/sha_mix1m.ptx"), grid: [3]int{64, 1, 1}, block: [3]int{256, 1, 1},
		buffers: []contents{bits(1 << 18), zeros(1 << 17)}},
	{name: "allreduce8", text: fromCorpus("perf/allreduce8.ptx"), cards: 8, grid: [3]int{8, 1, 1}, block: [3]int{256, 1, 1},
		buffers: []contents{pairs(1 << 17), zeros(64), zeros(1 << 17)},
		addresses: func(b []*vm.Buffer, card int) (list []uint64) { // the peers' inputs and flags, the own output
			for _, peers := range b[:2] {
				for c := range 8 {
					list = append(list, peers.Addr(c))
				}
			}
			return append(list, b[2].Addr(card))
		},
		words: func(card int) []uint32 { return []uint32{uint32(card), 1 << 15} }},
}

// on returns a node with the kernel launched.
func (k *kernel) on(t testing.TB, m *isa.Module, functional bool) *vm.Node {
	n := node(t, "h200-sxm", vm.Options{Functional: functional, Threads: 1, Silent: true, Cards: k.cards})
	var buffers []*vm.Buffer
	for _, c := range k.buffers {
		b, err := n.Buffer("buffer", 4*int64(c.words), func(_ int, dst []byte) {
			for i := range uint32(c.words) {
				binary.LittleEndian.PutUint32(dst[4*i:], c.at(i))
			}
		})
		must(t, err)
		buffers = append(buffers, b)
	}
	must(t, n.Launch(vm.Launch{Module: m, Entry: m.EntryNamed(k.name), Grid: k.grid, Block: k.block, Params: func(card int) (block []byte) {
		if k.addresses != nil {
			for _, a := range k.addresses(buffers, card) {
				block = binary.LittleEndian.AppendUint64(block, a)
			}
		} else {
			for _, b := range buffers {
				block = binary.LittleEndian.AppendUint64(block, b.Addr(card))
			}
		}
		if k.words != nil {
			for _, word := range k.words(card) {
				block = binary.LittleEndian.AppendUint32(block, word)
			}
		}
		return block
	}}))
	return n
}

// buffer returns a buffer of zeros.
func buffer(t testing.TB, n *vm.Node, name string, bytes int64) *vm.Buffer {
	b, err := n.Buffer(name, bytes, func(_ int, dst []byte) { clear(dst) })
	must(t, err)
	return b
}

// rate reports and returns the thread instructions a second of one host thread, in millions.
func (k *kernel) rate(b *testing.B, functional bool) float64 {
	m := parsed(b, k.name+".ptx", k.text(b))
	var threads uint64
	var busy time.Duration
	for b.Loop() {
		b.StopTimer()
		n := k.on(b, m, functional)
		runtime.GC()
		start := processTime()
		b.StartTimer()
		r, err := n.Finish(context.Background())
		must(b, err)
		busy += processTime() - start
		threads += r.Counts.ThreadInstructions
	}
	rate := float64(threads) / busy.Seconds() / 1e6
	b.ReportMetric(rate, "Mthread-instr/s")
	b.ReportMetric(0, "ns/op")
	return rate
}

// throughput reports thread instructions a second of one host thread, and their geometric mean over the kernels.
func throughput(b *testing.B, functional bool) {
	product, count := 0.0, 0
	for _, k := range kernels {
		b.Run(k.name, func(b *testing.B) {
			product, count = product+math.Log(k.rate(b, functional)), count+1
		})
	}
	if count > 1 {
		b.Run("geometric mean", func(b *testing.B) {
			for b.Loop() { // nothing to run: the figure is made of those above
			}
			b.ReportMetric(math.Exp(product/float64(count)), "Mthread-instr/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkFunctional and BenchmarkTimed report thread instructions a second on one host thread.
func BenchmarkFunctional(b *testing.B) { throughput(b, true) }

func BenchmarkTimed(b *testing.B) { throughput(b, false) }

// BenchmarkPartialWarp reports lane instructions a second of a loop that all lanes of the warps go round, or some.
func BenchmarkPartialWarp(b *testing.B) {
	for _, c := range []struct {
		name  string
		lanes uint32
	}{{"all", 1<<32 - 1}, {"low half", 0xffff}, {"every other", 0x55555555}, {"eight", 0x11111111}} {
		b.Run(c.name, func(b *testing.B) {
			k := kernel{name: "half_warp", text: fromTestdata("half_warp.ptx"), grid: [3]int{4, 1, 1}, block: [3]int{32, 8, 1},
				buffers: []contents{zeros(32)}, words: words(c.lanes, 4_000)}
			k.rate(b, true)
		})
	}
}

// BenchmarkAllReduce runs the article's all-reduce of bf16 under the clock, by cards and bytes a card. It reports the
// simulated time beside the host's.
func BenchmarkAllReduce(b *testing.B) {
	m := module(b, "nvlink_allreduce.ptx")
	k := m.EntryNamed("nvlink_allreduce_fp16")
	for _, cards := range []int{2, 4, 8} {
		for _, kib := range []int64{16, 256, 4 << 10} {
			b.Run(fmt.Sprintf("%d cards/%d KiB", cards, kib), func(b *testing.B) {
				var cycles uint64
				for b.Loop() {
					n := node(b, "h200-sxm", vm.Options{Cards: cards, Threads: 1, Silent: true})
					src, dst := buffer(b, n, "src", kib<<10), buffer(b, n, "dst", kib<<10)
					must(b, n.Launch(vm.Launch{Module: m, Entry: k, Block: [3]int{32, 1, 1},
						Params: func(card int) []byte { return params(k, src.Addr(card), dst.Addr(card), uint64(kib)<<9) }}))
					r, err := n.Finish(context.Background())
					must(b, err)
					cycles = r.Total
				}
				b.ReportMetric(float64(cycles)/1830, "simulated-us") // h200-sxm: 1,830 MHz
			})
		}
	}
}

// occupying returns a kernel of 32 live registers a thread.
func occupying() string {
	var t strings.Builder
	t.WriteString(".version 8.3\n.target sm_90\n.address_size 64\n.entry occupying(.param .u64 out)\n{\n.reg .b32 %r<33>;\n.reg .b64 %d<3>;\nmov.u32 %r0, %tid.x;\n")
	for i := 1; i <= 32; i++ {
		fmt.Fprintf(&t, "add.u32 %%r%d, %%r0, %d;\n", i, i)
	}
	t.WriteString("bar.sync 0;\n")
	for i := 1; i <= 32; i++ {
		fmt.Fprintf(&t, "xor.b32 %%r0, %%r0, %%r%d;\n", i)
	}
	t.WriteString("ld.param.u64 %d0, [out];\nmul.wide.u32 %d1, %r32, 4;\nadd.u64 %d2, %d0, %d1;\nst.global.u32 [%d2], %r0;\nret;\n}\n")
	return t.String()
}

// BenchmarkFullCards runs eight cards, each of whose 132 SMs holds 2,048 threads of 32 live registers, and reports the
// memory that this takes of the host.
func BenchmarkFullCards(b *testing.B) {
	m := parsed(b, "occupying.ptx", occupying())
	k := m.EntryNamed("occupying")
	for b.Loop() {
		n := node(b, "h200-sxm", vm.Options{Cards: 8, Functional: true, Threads: 1})
		out := buffer(b, n, "out", 4*(256+32))
		must(b, n.Launch(vm.Launch{Module: m, Entry: k, Grid: [3]int{132 * 8, 1, 1}, Block: [3]int{256, 1, 1},
			Params: func(card int) []byte { return params(k, out.Addr(card)) }}))
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, err := n.Finish(context.Background())
		must(b, err)
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/(1<<30), "GiB") // all that it took, freed since or not
	}
}

// TestThreadInstructions: the corpus counts matmul512's thread instructions from its text: 262,144 threads × (prologue,
// 32 tiles × loop body, epilogue) = 538,705,920. A smaller launch of the same kernel checks the same formula: a grid of
// 2 × 2 CTAs of 256 threads on 512 × 512 matrices executes 1,024 / 262,144 of them.
func TestThreadInstructions(t *testing.T) {
	k := kernels[1]
	k.grid = [3]int{2, 2, 1}
	m := parsed(t, k.name, k.text(t))
	for _, functional := range []bool{true, false} {
		if got, want := finish(t, k.on(t, m, functional)).Counts.ThreadInstructions, uint64(538_705_920/256); got != want {
			t.Errorf("functional %v: %d thread instructions, want %d", functional, got, want)
		}
	}
}
