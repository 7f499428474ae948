package vm_test

import (
	"context"
	"testing"

	"github.com/tollgate-sim/tollgate/vm"
)

// TestEvent: a stream that waits for an event of another goes on when that has come to it, at the price of a dependent
// launch. The chain takes 19,999 cycles; calls are over at 4,612 and 9,224, so the first ends at 24,611.
func TestEvent(t *testing.T) {
	m, k := chain(t, 5000, "")
	const length = 1 + 4999*4 + 2
	for _, c := range []struct {
		name  string
		steps func(n *vm.Node, launch func(stream string))
		want  uint64
	}{
		{"after the launch", func(n *vm.Node, launch func(string)) {
			launch("a")
			e, err := n.Record(nil, "a")
			must(t, err)
			must(t, n.Wait(e, "b"))
			launch("b")
		}, 4612 + length + 2507 + length},
		{"before the launch", func(n *vm.Node, launch func(string)) {
			e, err := n.Record(nil, "a")
			must(t, err)
			launch("a")
			must(t, n.Wait(e, "b"))
			launch("b")
		}, 2*4612 + length},
		// b waits for a, a for what b does then: two round trips of one chain each.
		{"there and back", func(n *vm.Node, launch func(string)) {
			launch("a")
			there, err := n.Record(nil, "a")
			must(t, err)
			must(t, n.Wait(there, "b"))
			launch("b")
			back, err := n.Record(nil, "b")
			must(t, err)
			must(t, n.Wait(back, "a"))
			launch("a")
		}, 4612 + 3*length + 2*2507},
	} {
		n := node(t, "h200-sxm", vm.Options{})
		c.steps(n, func(stream string) {
			must(t, n.Launch(vm.Launch{Module: m, Entry: k, Block: [3]int{32, 1, 1}, Stream: stream}))
		})
		if got := finish(t, n).Total; got != c.want {
			t.Errorf("%s: T = %d, want %d", c.name, got, c.want)
		}
	}
}

// TestEventIdeal: the silent run on an ideal fabric waits for events too. The chain ends at 4,612 + 19,999; the barrier
// starts 2,507 later and takes 835 cycles of its own and 64 rounds of 833 (TestTwoCardsOneLate).
func TestEventIdeal(t *testing.T) {
	chains, k := chain(t, 5000, "")
	article := module(t, "nvlink_allreduce.ptx")
	barrier := article.EntryNamed("nvlink_barrier_sync")
	n := node(t, "h200-sxm", vm.Options{Cards: 2})
	must(t, n.Launch(vm.Launch{Module: chains, Entry: k, Block: [3]int{32, 1, 1}, Stream: "a"}))
	e, err := n.Record(nil, "a")
	must(t, err)
	must(t, n.Wait(e, "b"))
	must(t, n.Launch(vm.Launch{Module: article, Entry: barrier, Block: [3]int{32, 1, 1}, Stream: "b",
		Params: func(int) []byte { return params(barrier, 0) }}))
	r := finish(t, n)
	const ideal = 4612 + 19_999 + 2507 + 835
	if r.Total != ideal+64*833 || r.Local == nil || r.Local.Total != ideal {
		t.Errorf("T = %d, Cycle_local = %+v; want %d and %d", r.Total, r.Local, ideal+64*833, ideal)
	}
}

// TestEventOrder: without a clock too, what waits for an event runs after what the event stands behind, on its card.
// Each of the three launches doubles and adds its own number, so that any other order gives another result.
func TestEventOrder(t *testing.T) {
	m := parsed(t, "step.ptx", head+`
.visible .entry step(.param .u64 p, .param .u32 n)
{
	.reg .b64 %rd1;
	.reg .b32 %r<3>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [n];
	ld.global.u32 %r0, [%rd1];
	shl.b32 %r0, %r0, 1;
	add.u32 %r0, %r0, %r1;
	st.global.u32 [%rd1], %r0;
	ret;
}
`)
	k := m.EntryNamed("step")
	for _, functional := range []bool{false, true} {
		n := node(t, "h200-sxm", vm.Options{Cards: 2, Functional: functional})
		b, err := n.Buffer("b", 4, func(_ int, dst []byte) { clear(dst) })
		must(t, err)
		launch := func(stream string, number uint64) {
			must(t, n.Launch(vm.Launch{Module: m, Entry: k, Stream: stream, Block: [3]int{1, 1, 1},
				Params: func(card int) []byte { return params(k, b.Addr(card), number) }}))
		}
		// "late" is known to the node first, and would run first.
		first, err := n.Record([]int{0, 1}, "late")
		must(t, err)
		must(t, n.Wait(first, "early"))
		launch("early", 1)
		e, err := n.Record(nil, "early")
		must(t, err)
		must(t, n.Wait(e, "late"))
		launch("late", 2)
		done, err := n.Record(nil, "late")
		must(t, err)
		must(t, n.Wait(done, "early"))
		launch("early", 3)
		for card := range 2 {
			got, err := n.Read(b, card)
			must(t, err)
			if want := byte(2*(2*(2*0+1)+2) + 3); got[0] != want {
				t.Errorf("functional %v, card %d: %d, want %d", functional, card, got[0], want)
			}
		}
		_, err = n.Finish(context.Background())
		must(t, err)
	}
}
