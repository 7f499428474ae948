package exec

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// benchWarp returns a full warp of a kernel around some lines, with %d1 the address of 4 KB in shared memory plus four
// bytes a lane, %d2 the same in global memory, and what puts the warp back to its start.
func benchWarp(tb testing.TB, lines string) (w *state.Warp, restart func()) {
	tb.Helper()
	text := `.version 8.3
.target sm_90
.address_size 64
.entry k(.param .u64 p)
{
	.shared .align 16 .b8 box[4096];
	.reg .pred %p<4>;
	.reg .b32 %r<40>;
	.reg .b64 %d<8>;
	ld.param.u64 %d0, [p];
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %d3, %r0, 4;
	mov.u64 %d4, box;
	add.u64 %d1, %d4, %d3;
	add.u64 %d2, %d0, %d3;
	setp.lt.u32 %p1, %r0, 16;
` + lines + "\n\tret;\n}\n"
	m, diagnostics := parser.Parse("bench.ptx", text, parser.Options{})
	if m == nil {
		var out strings.Builder
		_ = diagnostics.Write(&out, 3)
		tb.Fatal(out.String())
	}
	prog, err := Decode(m, m.EntryNamed("k"), Env{})
	if err != nil {
		tb.Fatal(err)
	}
	node := &state.Node{}
	card := &state.Card{Node: node, Memory: memory.NewCard(0), Direct: true}
	node.Cards = []*state.Card{card}
	addr, err := card.Memory.Alloc("data", 4096, 256, false)
	if err != nil {
		tb.Fatal(err)
	}
	if err := card.Memory.Write(addr, make([]byte, 4096)); err != nil {
		tb.Fatal(err)
	}
	params := make([]byte, 8)
	put(params, 8, addr)
	l := &state.Launch{Prog: prog, Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1}, Params: params, Card: card}
	cta := StartCTA(l, 0, 0)
	cta.SharedUnwritten = 0
	w = cta.Warps[0]
	return w, func() {
		w.Live, cta.LiveWarps, w.Current = allLanes, 1, 0
		w.Frags = append(w.Frags[:0], state.Fragment{PC: prog.Start, Mask: allLanes})
	}
}

// BenchmarkRun reports nanoseconds a warp instruction for 200 of a kind in a row.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"add", "add.u32 %r1, %r2, %r3;"},
		{"load shared", "ld.shared.u32 %r1, [%d1];"},
		{"load global", "ld.global.u32 %r1, [%d2];"},
		{"load vector", "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d0];"},
		{"store global", "st.global.u32 [%d2], %r0;"},
		{"atomic", "red.global.add.u32 [%d2], 1;"},
		{"guarded", "@%p1 add.u32 %r1, %r2, %r3;"},
		{"uniform branch", "bra L#;\nL#:"},
		{"divergent branch", "@%p1 bra L#;\nadd.u32 %r1, %r2, %r3;\nL#:"},
		{"barrier", "bar.sync 0;"},
	} {
		b.Run(c.name, func(b *testing.B) {
			var lines strings.Builder
			for i := range 200 {
				lines.WriteString(strings.ReplaceAll(c.line, "#", fmt.Sprint(i)) + "\n")
			}
			w, restart := benchWarp(b, lines.String())
			executed := 0
			for b.Loop() {
				restart()
				signal, n := Run(w, 1<<20)
				if signal != state.Exited {
					b.Fatalf("signal %d: %v", signal, w.Fault)
				}
				executed += n
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(executed), "ns/warp-instr")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkOccupiedCard reports bytes a thread of a card whose 132 SMs hold 2,048 threads each, 32 registers live.
func BenchmarkOccupiedCard(b *testing.B) {
	prog := &state.Program{N32: 32, N64: 4, NP: 4, Entry: &isa.Func{}}
	card := &state.Card{Memory: memory.NewCard(0), Images: map[*isa.Module]map[*isa.Var]uint64{}}
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		l := &state.Launch{Prog: prog, Grid: [3]int{132 * 8, 1, 1}, Block: [3]int{256, 1, 1}, Card: card}
		var ctas []*state.CTA
		for i := range l.CTAs() {
			ctas = append(ctas, StartCTA(l, i, 0))
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(132*2048), "B/thread")
		runtime.KeepAlive(ctas)
	}
}
