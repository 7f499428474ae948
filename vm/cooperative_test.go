package vm_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/vm"
)

// cooperative has a barrier of the whole grid, as the toolkit's headers write it: thread 0 of each CTA adds to the word at
// 4 bytes into the workspace, CTA 0 so much that the top bit turns when all have come. Then each CTA reads what the
// next one has written before the barrier.
const cooperative = head + `
.visible .entry cooperative(.param .u64 words, .param .u64 out)
{
	.reg .pred %p;
	.reg .b32 %hi, %lo, %id, %n, %one, %old, %now, %v;
	.reg .b64 %w, %h, %l, %o, %a;
	ld.param.u64 %a, [words];
	ld.param.u64 %o, [out];
	mov.u32 %hi, %envreg1;
	mov.u32 %lo, %envreg2;
	cvt.u64.u32 %h, %hi;
	cvt.u64.u32 %l, %lo;
	shl.b64 %h, %h, 32;
	or.b64 %w, %h, %l;
	setp.eq.u64 %p, %w, 0;
	@%p trap;
	mov.u32 %id, %ctaid.x;
	mov.u32 %n, %nctaid.x;
	mul.wide.u32 %h, %id, 4;
	add.u64 %h, %h, %a;
	add.u32 %v, %id, 1000;
	st.global.u32 [%h], %v;
	mov.u32 %one, 1;
	setp.eq.u32 %p, %id, 0;
	@%p sub.u32 %one, 0x80000001, %n;
	atom.add.release.gpu.global.u32 %old, [%w+4], %one;
WAIT:
	ld.acquire.gpu.global.u32 %now, [%w+4];
	xor.b32 %now, %now, %old;
	setp.ge.s32 %p, %now, 0;
	@%p bra WAIT;
	add.u32 %v, %id, 1;
	rem.u32 %v, %v, %n;
	mul.wide.u32 %l, %v, 4;
	add.u64 %l, %l, %a;
	ld.global.u32 %v, [%l];
	mul.wide.u32 %l, %id, 4;
	add.u64 %l, %l, %o;
	st.global.u32 [%l], %v;
	ret;
}
`

// TestCooperative: a barrier of the grid on two cards at once, twice, and grids that can't have one.
func TestCooperative(t *testing.T) {
	m := parsed(t, "cooperative.ptx", cooperative)
	k := m.EntryNamed("cooperative")
	for _, functional := range []bool{true, false} {
		n := node(t, "h200-sxm", vm.Options{Functional: functional, Silent: true, Cards: 2})
		words, out := buffer(t, n, "words", 400), buffer(t, n, "out", 400)
		launch := vm.Launch{Module: m, Entry: k, Grid: [3]int{100, 1, 1}, Block: [3]int{1, 1, 1}, Cooperative: true,
			Params: func(card int) []byte { return params(k, words.Addr(card), out.Addr(card)) }}
		must(t, n.Launch(launch))
		must(t, n.Launch(launch)) // each launch has a workspace of its own, zeroed
		for card := range 2 {
			got, err := n.Read(out, card)
			must(t, err)
			for i := range 100 {
				if v := binary.LittleEndian.Uint32(got[4*i:]); v != uint32(1000+(i+1)%100) {
					t.Fatalf("functional %v, card %d: CTA %d reads %d", functional, card, i, v)
				}
			}
		}
		launch.Grid[0], launch.Cooperative = 1_000_000, false // the entry asks for the workspace: that is enough
		if err := n.Launch(launch); err == nil || !strings.Contains(err.Error(), "can be resident at once") {
			t.Errorf("a million CTAs: %v", err)
		}
	}
	plain := parsed(t, "plain.ptx", head+".visible .entry plain() { ret; }")
	n := node(t, "h200-sxm", vm.Options{Functional: true})
	launch := vm.Launch{Module: plain, Entry: plain.EntryNamed("plain"), Grid: [3]int{1_000_000, 1, 1}, Cooperative: true}
	if err := n.Launch(launch); err == nil {
		t.Error("a cooperative launch of a million CTAs is not refused")
	}
	launch.Cooperative = false
	must(t, n.Launch(launch))
}
