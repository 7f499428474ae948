package vm_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tollgate-sim/tollgate/vm"
)

// endless adds for ever: no memory is touched and no lane waits, so that it is no deadlock.
const endless = head + `
.visible .entry endless()
{
	.reg .b32 %r;
	mov.u32 %r, 0;
AGAIN:
	add.u32 %r, %r, 1;
	bra AGAIN;
}
`

// TestInterrupted: with or without a clock, on one card or two, a full machine stops soon after its context ends, and
// says what is known so far.
func TestInterrupted(t *testing.T) {
	m := parsed(t, "endless.ptx", endless)
	for _, functional := range []bool{false, true} {
		for cards := 1; cards <= 2; cards++ {
			n := node(t, "h200-sxm", vm.Options{Cards: cards, Functional: functional})
			must(t, n.Launch(vm.Launch{Module: m, Entry: m.EntryNamed("endless"), Grid: [3]int{264, 1, 1}, Block: [3]int{1024, 1, 1}}))
			ctx, stop := context.WithTimeout(context.Background(), 10*time.Millisecond)
			result, err := n.Finish(ctx)
			stop()
			if !errors.Is(err, context.DeadlineExceeded) || result == nil || result.Counts.ThreadInstructions == 0 {
				t.Errorf("functional %v, %d cards: %v, want what is known after the deadline", functional, cards, err)
			}
		}
	}
}

// TestMaxCyclesPerCard: the bound of a run without a clock holds for each card, however many run beside it.
func TestMaxCyclesPerCard(t *testing.T) {
	m, k := chain(t, 1000, "") // mov, 1,000 adds, ret: 1,002 warp instructions a card
	for most, ok := range map[uint64]bool{1001: false, 1002: true} {
		n := node(t, "h200-sxm", vm.Options{Cards: 8, Functional: true, MaxCycles: most})
		must(t, n.Launch(vm.Launch{Module: m, Entry: k, Block: [3]int{32, 1, 1}}))
		if _, err := n.Finish(context.Background()); (err == nil) != ok {
			t.Errorf("at most %d warp instructions a card: %v", most, err)
		}
	}
}
