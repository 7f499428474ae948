package vm_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
)

// chain is a kernel of n dependent integer adds: 4 cycles each.
func chain(t testing.TB, n int, head2 string) (*isa.Module, *isa.Func) {
	var b strings.Builder
	b.WriteString(head + "\n.visible .entry chain()" + head2 + "\n{\n\t.reg .b32 %r<2>;\n\tmov.b32 %r0, 0;\n")
	for range n {
		b.WriteString("\tadd.s32 %r0, %r0, 1;\n")
	}
	b.WriteString("\tret;\n}\n")
	m := parsed(t, "chain.ptx", b.String())
	return m, m.EntryNamed("chain")
}

func finish(t testing.TB, n *vm.Node) *vm.Result {
	t.Helper()
	r, err := n.Finish(context.Background())
	must(t, err)
	return r
}

// TestDependentChain: launch 4,612; mov issues at once, its result is there the next cycle; the adds issue 4 apart; ret
// does not read the last result and issues the cycle after the last add. 100 adds: mov at 0, adds at 1, 5, … 397, ret at
// 398: 399 cycles.
func TestDependentChain(t *testing.T) {
	m, k := chain(t, 100, "")
	n := node(t, "h200-sxm", vm.Options{})
	must(t, n.Launch(vm.Launch{Module: m, Entry: k, Block: [3]int{32, 1, 1}}))
	r := finish(t, n)
	if r.Total != 4612+399 {
		t.Errorf("T = %d, want 4,612 + 399", r.Total)
	}
	s := r.Cards[0].Sheet
	if got := [3]uint64{entry(s, "issue"), entry(s, "alu"), entry(s, "launch")}; got != [3]uint64{102, 297, 4612} {
		t.Errorf("issue, alu, launch = %v, want 102 (mov, 100 adds, ret), 297 (99 × 3), 4,612", got)
	}
	if r.Local == nil || r.Local.Total != r.Total {
		t.Errorf("Cycle_local %+v: one card that nothing crosses loses nothing", r.Local)
	}
}

// TestWaves: a CTA of 1,024 threads; two fit on an SM of 2,048. 132 SMs take 264 CTAs at once; a CTA more is a second
// wave, which starts the cycle after the first CTA ends.
func TestWaves(t *testing.T) {
	m, k := chain(t, 200, "")
	total := func(ctas int) uint64 {
		n := node(t, "h200-sxm", vm.Options{})
		must(t, n.Launch(vm.Launch{Module: m, Entry: k, Grid: [3]int{ctas, 1, 1}, Block: [3]int{1024, 1, 1}}))
		return finish(t, n).Total - 4612
	}
	one, full, more := total(1), total(264), total(265)
	// 64 warps an SM, 16 a quarter, one issue in 2 cycles for the alu: 16 × 2 = 32 cycles a step of the chain instead
	// of 4; alone 8 warps a quarter, 16 cycles.
	within(t, "one CTA", one, 200*16, 40)
	within(t, "264 CTAs", full, 200*32, 80)
	// The last CTA has its SM's alu to itself only in part: the others of its SM are still running when it starts.
	if more < full+one/2 || more > full+one+100 {
		t.Errorf("265 CTAs take %d, want the %d of a wave and most of the %d of one CTA more", more, full, one)
	}
}

// TestStreams: launches of one stream run one after another, 2,507 between them; of two streams side by side.
func TestStreams(t *testing.T) {
	m, k := chain(t, 5000, "")
	run := func(second string) uint64 {
		n := node(t, "h200-sxm", vm.Options{})
		for _, s := range []string{"", second} {
			must(t, n.Launch(vm.Launch{Module: m, Entry: k, Block: [3]int{32, 1, 1}, Stream: s}))
		}
		return finish(t, n).Total
	}
	const length = 1 + 4999*4 + 2
	if got, want := run(""), uint64(4612+length+2507+length); got != want {
		t.Errorf("one stream: %d, want %d", got, want)
	}
	// The second call is over at 9,224, while the first kernel still runs.
	if got, want := run("other"), uint64(2*4612+length); got != want {
		t.Errorf("two streams: %d, want %d", got, want)
	}
}

// TestHold: suspend_tensor_core in one stream stops the mma of another until resume_tensor_core.
func TestHold(t *testing.T) {
	loops := module(t, "mma_loop.ptx")
	loop := loops.EntryNamed("mma_loop")
	m, k := chain(t, 5000, "")
	n := node(t, "h200-sxm", vm.Options{})
	out, err := n.Buffer("out", 4*16*8*4, nil)
	must(t, err)
	must(t, n.Launch(vm.Launch{Module: loops, Entry: loop, Block: [3]int{128, 1, 1}, Stream: "main",
		Params: func(card int) []byte { return params(loop, out.Addr(card), 1024) }}))
	must(t, n.Suspend(nil, "comm"))
	must(t, n.Launch(vm.Launch{Module: m, Entry: k, Block: [3]int{32, 1, 1}, Stream: "comm"}))
	must(t, n.Resume(nil, "comm"))
	r := finish(t, n)
	// Held from the call's turn, 4,612, to the chain's end: its call is over at 9,224, it takes 19,999. The loop comes to
	// its first mma some 100 instructions later. On the card's sheet the chain's own work hides the wait.
	within(t, "SM 0: tc_blocked.hold", entry(r.SMs[0].Sheet, "tc_blocked.hold"), 4612+19_999, 190)
	within(t, "SM 0: tc_blocked.refill", entry(r.SMs[0].Sheet, "tc_blocked.refill"), 48, 1)
	within(t, "card: tc_blocked.hold", entry(r.Cards[0].Sheet, "tc_blocked.hold"), 4612, 190)
	if r.Gate == nil || r.Gate.Total >= r.Total {
		t.Errorf("open gate %+v, want an earlier end than %d: the host's hold does not shut it", r.Gate, r.Total)
	}
	if !warnsOfHold(t) {
		t.Error("a hold never resumed is no warning")
	}
}

// warnsOfHold suspends without resuming.
func warnsOfHold(t *testing.T) bool {
	m, k := chain(t, 10, "")
	n := node(t, "h200-sxm", vm.Options{})
	must(t, n.Suspend(nil, ""))
	must(t, n.Launch(vm.Launch{Module: m, Entry: k, Block: [3]int{32, 1, 1}}))
	r := finish(t, n)
	return len(r.Warnings) == 1 && strings.Contains(r.Warnings[0].Message, "never resumed")
}

// TestFabrics: the same all-reduce on NVLink, on PCIe peer to peer, and staged through the host: slower in this order,
// and the relayed ones say so.
func TestFabrics(t *testing.T) {
	m := module(t, "nvlink_allreduce.ptx")
	k := m.EntryNamed("nvlink_allreduce_fp16")
	var totals []uint64
	for _, name := range []string{"h100-sxm", "h100-pcie", "rtx-4090"} {
		n := node(t, name, vm.Options{Cards: 2, Silent: true})
		const elements = 1 << 18
		src, err := n.Buffer("src", 2*elements, func(_ int, dst []byte) { clear(dst) })
		must(t, err)
		dst, err := n.Buffer("dst", 2*elements, nil)
		must(t, err)
		must(t, n.Launch(vm.Launch{Module: m, Entry: k, Block: [3]int{32, 1, 1},
			Params: func(card int) []byte { return params(k, src.Addr(card), dst.Addr(card), elements) }}))
		r := finish(t, n)
		totals = append(totals, uint64(r.Machine.Nanoseconds(int64(r.Total))))
		if relayed := len(r.Warnings) > 0; relayed != (name != "h100-sxm") {
			t.Errorf("%s: warnings %v", name, r.Warnings)
		}
	}
	if !(totals[0] < totals[1] && totals[1] < totals[2]) {
		t.Errorf("ns %v, want NVLink < PCIe peer to peer < staged", totals)
	}
	n := node(t, "rtx-4090", vm.Options{Cards: 2, NoRelay: true})
	barrier := m.EntryNamed("nvlink_barrier_sync")
	must(t, n.Launch(vm.Launch{Module: m, Entry: barrier, Params: func(int) []byte { return params(barrier, 0) }}))
	_, err := n.Finish(context.Background())
	var fault *vm.Fault
	if !errors.As(err, &fault) || !strings.Contains(fault.Message, "no NVLink") {
		t.Errorf("--no-relay: %v, want a fault", err)
	}
}

// TestHBMIsShared: loads of one SM alone come back after 555 cycles; when all SMs stream, HBM's 4,010 GB/s (2,191 bytes
// a cycle) bound them.
func TestHBMIsShared(t *testing.T) {
	text := head + `
.visible .entry stream(.param .u64 from, .param .u32 turns)
{
	.reg .pred %p; .reg .b32 %r<8>; .reg .b64 %a, %o;
	ld.param.u64 %a, [from];
	ld.param.u32 %r7, [turns];
	mov.u32 %r0, %ctaid.x;
	mov.u32 %r1, %ntid.x;
	mov.u32 %r2, %tid.x;
	mad.lo.u32 %r0, %r0, %r1, %r2;
	mul.wide.u32 %o, %r0, 16;
	add.u64 %a, %a, %o;
LOOP:
	ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%a];
	add.s32 %r7, %r7, -1;
	setp.ne.s32 %p, %r7, 0;
	@%p bra LOOP;
	ret;
}
`
	m := parsed(t, "stream.ptx", text)
	k := m.EntryNamed("stream")
	run := func(ctas int) uint64 {
		n := node(t, "h200-sxm", vm.Options{})
		from := buffer(t, n, "from", int64(16*1024*ctas))
		must(t, n.Launch(vm.Launch{Module: m, Entry: k, Grid: [3]int{ctas, 1, 1}, Block: [3]int{1024, 1, 1},
			Params: func(card int) []byte { return params(k, from.Addr(card), 100) }}))
		return finish(t, n).Total - 4612
	}
	const bytes = 16 * 1024 * 100 // a CTA
	// Less what the HBM takes of the last loads while their latency passes, and with the first latency before them.
	within(t, "264 CTAs", run(264), 264*bytes*1830/4_010_000, 264*bytes*1830/4_010_000/100)
	// One CTA: 32 warps, each waits 555 for a load before it may overwrite its registers with the next.
	within(t, "one CTA", run(1), 100*(555+4), 1500)
}

// TestResident: a grid that can't be resident at once is refused if its entry reaches an operator.
func TestResident(t *testing.T) {
	m := module(t, "nvlink_allreduce.ptx")
	k := m.EntryNamed("nvlink_barrier_sync")
	for _, c := range []struct {
		grid int
		ok   bool
	}{{2 * 132, true}, {2*132 + 1, false}} {
		n := node(t, "h200-sxm", vm.Options{Silent: true})
		err := n.Launch(vm.Launch{Module: m, Entry: k, Grid: [3]int{c.grid, 1, 1}, Block: [3]int{1024, 1, 1}, Params: func(int) []byte { return params(k, 0) }})
		if (err == nil) != c.ok {
			t.Errorf("%d CTAs of 1,024 threads: %v", c.grid, err)
		}
	}
}

// TestLimits: what a launch asks for beyond the card or the entry's directives is refused.
func TestLimits(t *testing.T) {
	m, k := chain(t, 1, " .maxntid 64")
	for _, c := range []struct {
		launch vm.Launch
		want   string
	}{
		{vm.Launch{Block: [3]int{65, 1, 1}}, ".maxntid allows 64"},
		{vm.Launch{Block: [3]int{2048, 1, 1}}, "allows 1024"},
		{vm.Launch{Block: [3]int{1, 1, 65}}, "along z; CUDA allows 64"},
		{vm.Launch{Block: [3]int{1 << 30, 1 << 30, 16}}, "along x; CUDA allows 1024"}, // 2^64 threads
		{vm.Launch{Grid: [3]int{1, 1 << 16, 1}}, "along y; CUDA allows 65535"},
		{vm.Launch{Grid: [3]int{1 << 31, 1, 1}}, "along x; CUDA allows 2147483647"},
		{vm.Launch{Block: [3]int{32, 1, 1}, Shared: 1 << 20}, "shared memory"},
		{vm.Launch{Block: [3]int{32, 1, 1}, Shared: math.MaxInt}, "shared memory"},
		{vm.Launch{Block: [3]int{32, 1, 1}, Shared: -1}, "shared memory"},
		{vm.Launch{Grid: [3]int{6, 3, 1}, Cluster: [3]int{2, 2, 1}}, "3 CTAs along y is not a multiple of the cluster's 2"},
		{vm.Launch{Grid: [3]int{34, 1, 1}, Cluster: [3]int{17, 1, 1}}, "a cluster of more than 16 CTAs"},
		{vm.Launch{Block: [3]int{32, 1, 1}, Cards: []int{3}}, "no card 3"},
	} {
		n := node(t, "h200-sxm", vm.Options{})
		c.launch.Module, c.launch.Entry = m, k
		if err := n.Launch(c.launch); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want an error that says %q", c.launch.Block, err, c.want)
		}
	}
	if _, err := vm.NewNode(vm.Options{}); err == nil {
		t.Error("a node without a machine was made")
	}
}

// TestMemoryLimits: a card holds as much as its machine file says, a thread what CUDA allows.
func TestMemoryLimits(t *testing.T) {
	n := node(t, "rtx-4090", vm.Options{}) // 24 GB
	if _, err := n.Buffer("most", 20e9, nil); err != nil {
		t.Error(err)
	}
	if _, err := n.Buffer("more", 5e9, nil); err == nil || !strings.Contains(err.Error(), "24000000000 bytes of memory") {
		t.Errorf("25 GB on a card of 24: %v", err)
	}
	m := parsed(t, "local.ptx", head+".visible .entry k() { .local .b8 much[600000]; .reg .b32 %r; ld.local.b32 %r, [much]; ret; }\n")
	if err := n.Launch(vm.Launch{Module: m, Entry: m.EntryNamed("k")}); err == nil || !strings.Contains(err.Error(), "of local memory a thread") {
		t.Errorf("600,000 bytes of local memory a thread: %v", err)
	}
}

// TestClusterLimits: a launch's cluster and the entry's directives agree (PTX ISA, "Cluster Dimension Directives").
func TestClusterLimits(t *testing.T) {
	for _, c := range []struct {
		directives    string
		grid, cluster int
		want          string // "": it may start
	}{
		{".reqnctapercluster 2", 4, 0, ""},
		{".reqnctapercluster 2", 4, 2, ""},
		{".reqnctapercluster 2", 3, 0, "is not a multiple of the cluster's 2"},
		{".reqnctapercluster 2", 4, 4, ".reqnctapercluster wants 2"},
		{".maxclusterrank 4", 8, 4, ""},
		{".maxclusterrank 4", 8, 8, ".maxclusterrank allows 4"},
		{".explicitcluster", 8, 0, ".explicitcluster wants one"},
		{".explicitcluster", 8, 8, ""},
		{"", 16, 16, ""},
	} {
		m := parsed(t, "cluster.ptx", head+".visible .entry k() "+c.directives+" { ret; }\n")
		n := node(t, "h200-sxm", vm.Options{})
		err := n.Launch(vm.Launch{Module: m, Entry: m.EntryNamed("k"), Grid: [3]int{c.grid, 1, 1}, Cluster: [3]int{c.cluster, 0, 0}})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, grid %d, cluster %d: %v, want %q", c.directives, c.grid, c.cluster, err, c.want)
		}
	}
}
