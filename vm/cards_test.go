package vm_test

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
)

const head = ".version 8.3\n.target sm_90\n.address_size 64\n"

// flag: card 0 stores a value into card 1's memory, fences, and sets a flag there; card 1 polls the flag of its own
// memory, then reads the value. One kernel; the first parameter says which part a card plays.
const flag = head + `
.visible .entry flag(.param .u32 rank, .param .u64 data, .param .u64 flags, .param .u64 out)
{
	.reg .pred %p;
	.reg .b32 %r<8>;
	.reg .b64 %d, %f, %o;
	ld.param.u32 %r0, [rank];
	ld.param.u64 %d, [data];
	ld.param.u64 %f, [flags];
	ld.param.u64 %o, [out];
	setp.ne.u32 %p, %r0, 0;
	@%p bra WAIT;
	mov.u32 %r1, 4711;
	st.global.u32 [%d], %r1;
	fence.acq_rel.sys;
	mov.u32 %r2, 1;
	st.relaxed.sys.global.u32 [%f], %r2;
	ret;
WAIT:
	ld.acquire.sys.global.u32 %r3, [%f];
	setp.eq.u32 %p, %r3, 0;
	@%p bra WAIT;
	ld.relaxed.sys.global.u32 %r4, [%d];
	st.global.u32 [%o], %r4;
	ret;
}
`

func runFlag(t *testing.T, opt vm.Options, late uint64) (*vm.Result, uint32) {
	t.Helper()
	m := parsed(t, "flag.ptx", flag)
	k := m.EntryNamed("flag")
	opt.Cards = 2
	n := node(t, "h200-sxm", opt)
	zero := func(_ int, dst []byte) { clear(dst) }
	data, err := n.Buffer("data", 4, nil)
	must(t, err)
	flags, err := n.Buffer("flags", 4, zero)
	must(t, err)
	out, err := n.Buffer("out", 4, nil)
	must(t, err)
	if late > 0 {
		must(t, n.Delay([]int{0}, "", late))
	}
	must(t, n.Launch(vm.Launch{Module: m, Entry: k, Params: func(card int) []byte {
		return params(k, uint64(card), data.Addr(1), flags.Addr(1), out.Addr(card))
	}}))
	r, err := n.Finish(context.Background())
	must(t, err)
	got, err := n.Read(out, 1)
	must(t, err)
	return r, binary.LittleEndian.Uint32(got)
}

// TestFlag: a flag never overtakes its data, and a poll is charged to the card that set the flag.
//
// Card 0 starts 10,000 late. Card 1 polls meanwhile: its wait reads skew until the flag is issued, and barrier while
// the flag crosses. Card 0's fence stands until the store is acknowledged: two crossings.
func TestFlag(t *testing.T) {
	r, got := runFlag(t, vm.Options{}, 10_000)
	if got != 4711 {
		t.Errorf("read %d behind the flag, want 4711", got)
	}
	zero, one := r.Cards[0].Sheet, r.Cards[1].Sheet
	// Card 0 waits for its own store to arrive and be acknowledged, 570 each way, then for the rest of 1,510.
	within(t, "card 0: copy", entry(zero, "copy"), 1140+570+570, 20) // the fence, and the drain at the end
	within(t, "card 0: fence", entry(zero, "fence"), 1510-1140, 20)
	// Card 1 has polled since about 4,620; the flag issues at about 4,612 + 10,000 + 1,510 + a few.
	within(t, "card 1: skew and what card 0 did", entry(one, "skew")+entry(one, "copy")+entry(one, "fence"), 11_510-2*263, 100)
	within(t, "card 1: barrier", entry(one, "barrier"), 570, 20)
	if r.Local == nil || !r.Local.SameResults {
		t.Fatalf("Cycle_local %+v", r.Local)
	}
	// Ideal fabric: card 0 pays its fence; card 1 stands until the flag is there.
	within(t, "Cycle_local", r.Local.Total, 4612+10_000+1510, 60)
	if _, got := runFlag(t, vm.Options{Functional: true}, 0); got != 4711 {
		t.Errorf("functional: read %d behind the flag, want 4711", got)
	}
}

// TestRemoteRoundTrip: a dependent load from a peer takes two crossings and the owner's L2: 2 · 570 + 263 = 1,403 and
// what its few bytes take on four ports. Measured: 811 to 885 ns, 1,484 to 1,620 cycles (facts: timing.md, C).
func TestRemoteRoundTrip(t *testing.T) {
	text := head + `
.visible .entry chase(.param .u64 from, .param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %a, %o, %t0, %t1;
	ld.param.u64 %a, [from];
	ld.param.u64 %o, [out];
	mov.u64 %t0, %clock64;
	ld.global.u32 %r0, [%a];
	add.u32 %r1, %r0, 0;
	mov.u64 %t1, %clock64;
	sub.s64 %t1, %t1, %t0;
	st.global.u64 [%o], %t1;
	atom.global.add.u32 %r2, [%a], 5;
	red.global.add.u32 [%a], 7;
	ret;
}
`
	m := parsed(t, "chase.ptx", text)
	k := m.EntryNamed("chase")
	n := node(t, "h200-sxm", vm.Options{Cards: 2})
	from, err := n.Buffer("from", 4, func(_ int, dst []byte) { clear(dst) })
	must(t, err)
	out, err := n.Buffer("out", 8, nil)
	must(t, err)
	must(t, n.Launch(vm.Launch{Module: m, Entry: k, Cards: []int{0}, Block: [3]int{32, 1, 1}, Params: func(int) []byte { return params(k, from.Addr(1), out.Addr(0)) }}))
	_, err = n.Finish(context.Background())
	must(t, err)
	got, err := n.Read(out, 0)
	must(t, err)
	// mov, ld, wait, add 4 before the second mov is in order behind it: it issues a cycle after the add.
	within(t, "round trip", binary.LittleEndian.Uint64(got), 2*570+263+2, 10)
	sum, err := n.Read(from, 1)
	must(t, err)
	// One lane each of 32: 32 · 5 + 32 · 7 on card 1.
	if v := binary.LittleEndian.Uint32(sum); v != 32*12 {
		t.Errorf("card 1 holds %d after the atomics, want %d", v, 32*12)
	}
}

// TestAnyQuantumAnyThreads: quantum 1 is cycle-by-cycle lockstep; the default and any number of host threads give the
// same account.
func TestAnyQuantumAnyThreads(t *testing.T) {
	ignore := cmp.Options{cmpopts.IgnoreFields(vm.Result{}, "Host", "Machine"), cmpopts.IgnoreUnexported(vm.Result{}),
		cmp.Comparer(func(a, b *isa.Func) bool { return (a == nil) == (b == nil) && (a == nil || a.Name == b.Name) })}
	for _, program := range []struct {
		name string
		run  func(vm.Options) *vm.Result
	}{
		{"flag", func(o vm.Options) *vm.Result { r, _ := runFlag(t, o, 3000); return r }},
		{"all-reduce", func(o vm.Options) *vm.Result {
			o.Cards = 8
			return step(t, o, func(card int) uint64 { return 16 + uint64(card) }, [2]string{"main", "comm"})
		}},
	} {
		want := program.run(vm.Options{Threads: 1})
		for _, o := range []vm.Options{{Threads: 1, Quantum: 1}, {Threads: 8}, {Threads: 3, Quantum: 97}} {
			if d := cmp.Diff(want, program.run(o), ignore); d != "" {
				t.Errorf("%s, %d threads, quantum %d (-want +got):\n%s", program.name, o.Threads, o.Quantum, d)
			}
		}
		for _, c := range want.Cards {
			if sum := sheetSum(c.Sheet); sum != want.Total {
				t.Errorf("%s: card %d's sheet sums to %d, want %d", program.name, c.Card, sum, want.Total)
			}
		}
		for _, s := range want.SMs {
			if sum := sheetSum(s.Sheet); sum != want.Total {
				t.Errorf("%s: the sheet of SM %d of card %d sums to %d, want %d", program.name, s.SM, s.Card, sum, want.Total)
			}
		}
	}
}

func sheetSum(s vm.Sheet) (sum uint64) {
	for _, cycles := range s {
		sum += cycles
	}
	return sum
}

// TestTenant: a tenant that takes a share f of a card's egress stretches its copies to 1/(1-f), and what it adds is
// contention.
func TestTenant(t *testing.T) {
	m := module(t, "nvlink_allreduce.ptx")
	k := m.EntryNamed("nvlink_allreduce_fp16")
	run := func(num, den int64) *vm.Result {
		n := node(t, "h200-sxm", vm.Options{Cards: 4, Silent: true})
		const elements = 1 << 18
		src, err := n.Buffer("src", 2*elements, func(_ int, dst []byte) { clear(dst) })
		must(t, err)
		dst, err := n.Buffer("dst", 2*elements, nil)
		must(t, err)
		if num > 0 {
			for card := range 4 {
				must(t, n.Tenant(card, "egress", num, den))
			}
		}
		must(t, n.Launch(vm.Launch{Module: m, Entry: k, Params: func(card int) []byte { return params(k, src.Addr(card), dst.Addr(card), elements) }}))
		r, err := n.Finish(context.Background())
		must(t, err)
		return r
	}
	alone := run(0, 1)
	// 3 × 512 KiB at 369 GB/s.
	const copied = 3 << 19 * 1830 / 369_000
	for _, share := range [][2]int64{{1, 4}, {1, 2}, {3, 4}} {
		r := run(share[0], share[1])
		extra := uint64(copied * share[0] / (share[1] - share[0]))
		within(t, "T with a tenant", r.Total, alone.Total+extra, extra/50)
		within(t, "contention", entry(r.Cards[0].Sheet, "contention"), extra, extra/50)
	}
}

// TestFaults: what stops a run says where, and who waits for whom.
func TestFaults(t *testing.T) {
	article := module(t, "nvlink_allreduce.ptx")
	for _, c := range []struct {
		name string
		run  func(n *vm.Node) error
		kind string
		want []string
	}{
		{"missing peer", func(n *vm.Node) error {
			k := article.EntryNamed("nvlink_barrier_sync")
			return n.Launch(vm.Launch{Module: article, Entry: k, Cards: []int{0}, Params: func(int) []byte { return params(k, 0) }})
		}, "deadlock", []string{"nvlink_allreduce.ptx:10", "card 0", "waits for card 1"}},
		{"no such group", func(n *vm.Node) error {
			k := article.EntryNamed("nvlink_barrier_sync")
			return n.Launch(vm.Launch{Module: article, Entry: k, Params: func(int) []byte { return params(k, 3) }})
		}, "operator", []string{"nvlink_allreduce.ptx:10", "no group 3"}},
		{"gate never opened", func(n *vm.Node) error {
			loops := module(t, "mma_loop.ptx")
			k := loops.EntryNamed("mma_loop")
			out, err := n.Buffer("out", 4*16*8*4, nil)
			must(t, err)
			must(t, n.Suspend(nil, ""))
			return n.Launch(vm.Launch{Module: loops, Entry: k, Params: func(card int) []byte { return params(k, out.Addr(card), 4) }})
		}, "deadlock", []string{"gate never opened", "mma_loop.ptx:"}},
		{"mma and operator in one launch", func(n *vm.Node) error {
			m := parsed(t, "both.ptx", head+`
.entry both()
{
	.reg .b32 %r<4>; .reg .f32 %f<4>;
	mov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0;
	mov.f32 %f0, 0f00000000; mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f00000000; mov.f32 %f3, 0f00000000;
	sync.nvlink group, 0;
	mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r0,%r1}, {%f0,%f1,%f2,%f3};
	unblock.tc;
	ret;
}
`)
			return n.Launch(vm.Launch{Module: m, Entry: m.EntryNamed("both"), Block: [3]int{32, 1, 1}})
		}, "deadlock", []string{"both.ptx:11", "holds shut"}},
		{"nobody sets the flag", func(n *vm.Node) error {
			m := parsed(t, "flag.ptx", flag)
			k := m.EntryNamed("flag")
			b, err := n.Buffer("b", 4, func(_ int, dst []byte) { clear(dst) })
			must(t, err)
			return n.Launch(vm.Launch{Module: m, Entry: k, Params: func(card int) []byte { return params(k, 1, b.Addr(1), b.Addr(1), b.Addr(1)) }, Cards: []int{1}})
		}, "deadlock", []string{"flag.ptx:", "nobody"}},
		{"nobody sets the flag on another card", func(n *vm.Node) error {
			m := parsed(t, "flag.ptx", flag)
			k := m.EntryNamed("flag")
			b, err := n.Buffer("b", 4, func(_ int, dst []byte) { clear(dst) })
			must(t, err)
			return n.Launch(vm.Launch{Module: m, Entry: k, Params: func(card int) []byte { return params(k, 1, b.Addr(0), b.Addr(0), b.Addr(0)) }, Cards: []int{1}})
		}, "deadlock", []string{"flag.ptx:"}},
	} {
		for _, functional := range []bool{false, true} {
			n := node(t, "h200-sxm", vm.Options{Cards: 2, Functional: functional})
			must(t, c.run(n))
			_, err := n.Finish(context.Background())
			var fault *vm.Fault
			if !errors.As(err, &fault) {
				t.Errorf("%s (functional %v): %v, want a fault", c.name, functional, err)
				continue
			}
			if string(fault.Kind) != c.kind {
				t.Errorf("%s (functional %v): kind %s, want %s", c.name, functional, fault.Kind, c.kind)
			}
			for _, w := range c.want {
				if text := fault.Error(); !strings.Contains(text, w) {
					t.Errorf("%s (functional %v): %q does not say %q", c.name, functional, text, w)
				}
			}
		}
	}
}

// TestReplyAfterExit: a warp may exit while the reply to a load that nobody uses is on its way. The CTA that takes its
// place must not see it.
func TestReplyAfterExit(t *testing.T) {
	var b strings.Builder
	b.WriteString(head + `
.visible .entry late(.param .u64 peer, .param .u64 out)
{
	.reg .b32 %r<8>; .reg .b64 %a, %o, %d;
	ld.param.u64 %a, [peer];
	ld.param.u64 %o, [out];
	mov.u32 %r0, %ctaid.x;
	mov.u32 %r1, %tid.x;
	mad.lo.u32 %r2, %r0, 32, %r1;
	mul.wide.u32 %d, %r2, 4;
	add.u64 %o, %o, %d;
	add.u32 %r3, %r2, 7;
	add.u32 %r4, %r2, 8;
	add.u32 %r5, %r2, 9;
	mov.u32 %r6, 0;
`)
	for range 600 {
		b.WriteString("\tadd.u32 %r6, %r6, 1;\n")
	}
	b.WriteString(`	add.u32 %r6, %r6, %r3;
	add.u32 %r6, %r6, %r4;
	add.u32 %r6, %r6, %r5;
	st.global.u32 [%o], %r6;
	ld.global.u32 %r3, [%a];
	ld.global.u32 %r4, [%a];
	ld.global.u32 %r5, [%a];
	ld.global.u32 %r6, [%a];
	ret;
}
`)
	m := parsed(t, "late.ptx", b.String())
	k := m.EntryNamed("late")
	n := node(t, "h200-sxm", vm.Options{Cards: 2, Silent: true})
	const ctas = 2*132*32 + 100 // two waves and a bit
	peer := buffer(t, n, "peer", 4)
	out := buffer(t, n, "out", 4*32*ctas)
	must(t, n.Launch(vm.Launch{Module: m, Entry: k, Grid: [3]int{ctas, 1, 1}, Block: [3]int{32, 1, 1}, Cards: []int{0},
		Params: func(int) []byte { return params(k, peer.Addr(1), out.Addr(0)) }}))
	finish(t, n)
	got, err := n.Read(out, 0)
	must(t, err)
	for i := range 32 * ctas {
		if v, want := binary.LittleEndian.Uint32(got[4*i:]), uint32(600+3*i+24); v != want {
			t.Fatalf("thread %d: %d, want %d", i, v, want)
		}
	}
}
