package vm_test

import (
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/vm"
)

// copyIn copies a word of global memory into the thread's word of shared memory.
const copyIn = `
	.reg .b64 %g;
	mov.u64 %g, source;
	cp.async.ca.shared.global [%a], [%g], 4;
`

// racing wraps the body of a kernel over 64 threads: %t is the thread, %a the address of its word of `data`, %n that of
// the word of the thread 32 further on (in the other warp), %m that of its neighbour in the warp, %p true in warp 0.
func racing(body string) string {
	return head + `
.shared .align 4 .b8 data[256];
.shared .align 4 .u32 flag;
.global .align 16 .b8 source[16];
.visible .entry racing()
{
	.reg .pred %p, %q;
	.reg .b32 %t, %a, %n, %m, %r<8>;
	mov.u32 %t, %tid.x;
	mov.u32 %r0, data;
	shl.b32 %a, %t, 2;
	xor.b32 %n, %a, 128;
	xor.b32 %m, %a, 4;
	add.u32 %a, %a, %r0;
	add.u32 %n, %n, %r0;
	add.u32 %m, %m, %r0;
	setp.lt.u32 %p, %t, 32;
` + body + `
	ret;
}
`
}

// TestRaces: what orders two accesses and what does not (PTX ISA, "Memory Consistency Model" and "bar, barrier").
func TestRaces(t *testing.T) {
	for _, c := range []struct {
		name, body string
		races      int
	}{
		{"store, then load of another warp's word", "st.shared.u32 [%a], %t; ld.shared.u32 %r1, [%n];", 1},
		{"with a barrier", "st.shared.u32 [%a], %t; bar.sync 0; ld.shared.u32 %r1, [%n];", 0},
		{"load, then store to another warp's word", "ld.shared.u32 %r1, [%a]; st.shared.u32 [%n], %t;", 1},
		{"two stores", "st.shared.u32 [%a], %t; st.shared.u32 [%n], %t;", 1},
		{"the thread's own word", "st.shared.u32 [%a], %t; ld.shared.u32 %r1, [%a]; st.shared.u32 [%a], %r1;", 0},
		{"a neighbour's word", "st.shared.u32 [%a], %t; ld.shared.u32 %r1, [%m];", 1},
		{"with bar.warp.sync", "st.shared.u32 [%a], %t; bar.warp.sync -1; ld.shared.u32 %r1, [%m];", 0},
		{"bar.warp.sync is no barrier of the CTA", "st.shared.u32 [%a], %t; bar.warp.sync -1; ld.shared.u32 %r1, [%n];", 1},
		{"shfl orders no memory", "st.shared.u32 [%a], %t; shfl.sync.idx.b32 %r2, %t, 0, 31, -1; ld.shared.u32 %r1, [%m];", 1},
		{"a load is over at shfl", "ld.shared.u32 %r1, [%m]; shfl.sync.idx.b32 %r2, %t, 0, 31, -1; st.shared.u32 [%a], %t;", 0},
		{"lanes of a warp at an mbarrier", `
	{ .reg .b64 %o, %z; .shared .align 8 .b64 gate;
	@%p bra INIT; ret;
INIT:
	setp.eq.u32 %q, %t, 0;
	@%q mbarrier.init.shared.b64 [gate], 32;
	bar.warp.sync -1;
	st.shared.u32 [%a], %t;
	mbarrier.arrive.shared.b64 %z, [gate];
WAIT:
	mbarrier.test_wait.shared.b64 %q, [gate], %z;
	@!%q bra WAIT;
	ld.shared.u32 %r1, [%m]; }`, 0},
		{"bar.warp.sync at two places", `
	st.shared.u32 [%a], %t;
	and.b32 %r1, %t, 1;
	setp.eq.u32 %q, %r1, 0;
	@%q bra EVEN;
	bar.warp.sync -1;
	ld.shared.u32 %r2, [%m];
	bra BOTH;
EVEN:
	bar.warp.sync -1;
	ld.shared.u32 %r3, [%m];
BOTH:`, 0},
		{"one value", "st.shared.u32 [data], 7;", 0},
		{"one value by two lines", "@%p st.shared.u32 [data], 7; @!%p st.shared.u32 [data], 7;", 0},
		{"one store of a warp, many values", "@%p st.shared.u32 [data], %t;", 1},
		{"atomics", "atom.shared.add.u32 %r1, [data], 1; red.shared.add.u32 [data], 1;", 0},
		{"an atomic and a plain load", "red.shared.add.u32 [data], 1; ld.shared.u32 %r1, [data];", 1},
		{"generic addresses", "st.shared.u32 [%a], %t; { .reg .b64 %g; cvt.u64.u32 %g, %n; cvta.shared.u64 %g, %g; ld.u32 %r1, [%g]; }", 1},
		{"bytes side by side", "{ .reg .b32 %x; mov.u32 %x, data; add.u32 %x, %x, %t; st.shared.u8 [%x], %t; }", 0},
		{"a word over another's bytes", "{ .reg .b32 %x; mov.u32 %x, data; add.u32 %x, %x, %t; st.shared.u8 [%x], %t; @%p st.shared.u32 [data+60], %t; }", 2}, // also lane against lane
		{"a flag that is released and acquired", `
	@!%p bra WAIT;
	st.shared.u32 [%a], %t;
	bar.warp.sync -1;
	mov.u32 %r1, 1;
	st.release.cta.shared.u32 [flag], %r1;
	bra DONE;
WAIT:
	ld.acquire.cta.shared.u32 %r2, [flag];
	setp.eq.u32 %q, %r2, 0;
	@%q bra WAIT;
	ld.shared.u32 %r3, [%n];
DONE:`, 0},
		{"a flag that is neither", `
	mov.u32 %r1, 1;
	@%p st.shared.u32 [%a], %t;
	@%p st.shared.u32 [flag], %r1;
	@!%p ld.shared.u32 %r2, [flag];`, 1},
		{"producer and consumer at a named barrier", `
	@!%p bra TAKE;
	st.shared.u32 [%a], %t;
	bar.arrive 1, 64;
	bra OVER;
TAKE:
	bar.sync 1, 64;
	ld.shared.u32 %r3, [%n];
OVER:`, 0},
		{"the producer that only arrives learns nothing", `
	@!%p bra TAKE;
	bar.arrive 1, 64;
	st.shared.u32 [%n], %t;
	bra OVER;
TAKE:
	st.shared.u32 [%a], %t;
	bar.sync 1, 64;
OVER:`, 1},
		{"bar.red is a barrier too", "st.shared.u32 [%a], %t; bar.red.popc.u32 %r1, 0, %p; ld.shared.u32 %r2, [%n];", 0},
		{"a copy that is waited for", copyIn + "cp.async.wait_all; bar.sync 0; ld.shared.u32 %r1, [%n];", 0},
		{"a copy, and a barrier alone", copyIn + "bar.sync 0; ld.shared.u32 %r1, [%n];", 1},
		{"a copy that is waited for behind the barrier", copyIn + "bar.sync 0; cp.async.wait_all; ld.shared.u32 %r1, [%n];", 1},
		{"a copy that is waited for without a barrier", copyIn + "cp.async.wait_all; ld.shared.u32 %r1, [%n];", 1},
		{"the thread's own copy", copyIn + "ld.shared.u32 %r1, [%a];", 1},
		{"the thread's own copy, waited for", copyIn + "cp.async.commit_group; cp.async.wait_group 0; ld.shared.u32 %r1, [%a];", 0},
		{"the older of two groups is over", copyIn + "cp.async.commit_group; cp.async.ca.shared.global [%n], [%g], 4; cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %r1, [%a];", 2}, // the copies of the two warps race
		{"a group that is not committed", copyIn + "cp.async.wait_group 0; ld.shared.u32 %r1, [%a];", 1},
		{"a copy and an mbarrier", `
	.shared .align 8 .b64 full;
	.reg .b64 %z;
	setp.eq.u32 %q, %t, 0;
	@%q mbarrier.init.shared.b64 [full], 64;
	bar.sync 0;
	` + copyIn + `
	cp.async.mbarrier.arrive.noinc.shared.b64 [full];
FILL:
	mbarrier.test_wait.parity.shared.b64 %q, [full], 0;
	@!%q bra FILL;
	ld.shared.u32 %r1, [%n];`, 0},
		{"a barrier between rounds, none before the next", `
	mov.u32 %r1, 0;
ROUND:
	st.shared.u32 [%a], %r1;
	bar.sync 0;
	ld.shared.u32 %r2, [%n];
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %q, %r1, 3;
	@%q bra ROUND;`, 1},
	} {
		m := parsed(t, "racing.ptx", racing(c.body))
		for _, functional := range []bool{true, false} {
			n := node(t, "h200-sxm", vm.Options{Functional: functional, Silent: true, Race: true})
			must(t, n.Launch(vm.Launch{Module: m, Entry: m.EntryNamed("racing"), Grid: [3]int{2, 1, 1}, Block: [3]int{64, 1, 1}}))
			r := finish(t, n)
			if len(r.Warnings) != c.races {
				t.Errorf("%s (functional %v): %d warnings, want %d: %v", c.name, functional, len(r.Warnings), c.races, r.Warnings)
			}
			for _, w := range r.Warnings {
				if !strings.Contains(w.Message, "shared-memory race") || !strings.Contains(w.Message, "racing.ptx:") || w.Func == nil {
					t.Errorf("%s: %s", c.name, w.Message)
				}
			}
		}
	}
}

// reduction sums 256 numbers in shared memory, halving the threads; without the barrier in the loop each round races with
// the one before.
func reduction(barrier string) string {
	return head + `
.shared .align 4 .b8 sums[1024];
.visible .entry reduction(.param .u64 out)
{
	.reg .pred %p, %q;
	.reg .b32 %t, %a, %b, %s, %r<4>;
	.reg .b64 %o;
	ld.param.u64 %o, [out];
	mov.u32 %t, %tid.x;
	mov.u32 %r0, sums;
	shl.b32 %a, %t, 2;
	add.u32 %a, %a, %r0;
	st.shared.u32 [%a], %t;
	bar.sync 0;
	mov.u32 %s, 128;
HALF:
	setp.ge.u32 %p, %t, %s;
	@%p bra SKIP;
	shl.b32 %b, %s, 2;
	add.u32 %b, %b, %a;
	ld.shared.u32 %r1, [%b];
	ld.shared.u32 %r2, [%a];
	add.u32 %r1, %r1, %r2;
	st.shared.u32 [%a], %r1;
SKIP:
	` + barrier + `
	shr.u32 %s, %s, 1;
	setp.ne.u32 %q, %s, 0;
	@%q bra HALF;
	setp.ne.u32 %p, %t, 0;
	@%p ret;
	ld.shared.u32 %r3, [%a];
	st.global.u32 [%o], %r3;
	ret;
}
`
}

// TestRacyReduction: the warning names both lines, and the clean form has none.
func TestRacyReduction(t *testing.T) {
	for barrier, races := range map[string]bool{"bar.sync 0;": false, "": true} {
		m := parsed(t, "reduction.ptx", reduction(barrier))
		n := node(t, "h200-sxm", vm.Options{Functional: true, Race: true})
		out := buffer(t, n, "out", 4)
		k := m.EntryNamed("reduction")
		must(t, n.Launch(vm.Launch{Module: m, Entry: k, Block: [3]int{256, 1, 1}, Params: func(card int) []byte { return params(k, out.Addr(card)) }}))
		r := finish(t, n)
		named := false
		for _, w := range r.Warnings {
			line, _ := w.Func.Source.LineCol(w.Pos)
			load := w.Func.Source.Line(line)
			named = named || strings.Contains(load, "ld.shared.u32 %r1, [%b];") && strings.Contains(w.Message, "written at reduction.ptx:27:")
		}
		if named != races || !races && len(r.Warnings) > 0 {
			t.Errorf("barrier %q: %v", barrier, r.Warnings)
		}
	}
}
