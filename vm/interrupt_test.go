package vm_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/tollgate-sim/tollgate/isa/machine"
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

// TestHorizon: on machines so slow that no run comes to an end, the run ends with a fault at the last cycle that all
// sums can hold.
func TestHorizon(t *testing.T) {
	article := module(t, "nvlink_allreduce.ptx")
	k := article.EntryNamed("nvlink_allreduce_fp16")
	for name, slow := range map[string]func(m *machine.Machine){
		"HBM of 1 B/s":            func(m *machine.Machine) { m.Card.HBMBytesPerSecond = 1 },
		"links of 1 B/s":          func(m *machine.Machine) { m.Fabric.LinkBytesPerSec = 1 },
		"crossing of 2^40 cycles": func(m *machine.Machine) { m.Fabric.Crossing = 1 << 40 },
		"launch of 2^40 cycles":   func(m *machine.Machine) { m.Host.LaunchCall = 1 << 40 },
		"everything as slow as it may be": func(m *machine.Machine) {
			m.Card.HBMBytesPerSecond, m.Card.L2BytesPerSecond, m.Fabric.LinkBytesPerSec = 1, 1, 1
			m.Fabric.Crossing, m.Host.LaunchCall, m.Card.HBMLatency = 1<<40, 1<<40, 1<<40
		},
	} {
		m, err := machine.Load("h200-sxm")
		must(t, err)
		slow(m)
		n, err := vm.NewNode(vm.Options{Machine: m, Cards: 2})
		must(t, err)
		const elements = 1 << 16
		src, err := n.Buffer("src", 2*elements, func(_ int, dst []byte) { clear(dst) })
		must(t, err)
		dst, err := n.Buffer("dst", 2*elements, nil)
		must(t, err)
		for range 8 {
			must(t, n.Launch(vm.Launch{Module: article, Entry: k, Block: [3]int{32, 1, 1},
				Params: func(card int) []byte { return params(k, src.Addr(card), dst.Addr(card), elements) }}))
		}
		_, err = n.Finish(context.Background())
		var fault *vm.Fault
		if !errors.As(err, &fault) || fault.Kind != "max-cycles" {
			t.Errorf("%s: %v, want a max-cycles fault", name, err)
		}
		if err := n.Delay(nil, "", math.MaxUint64); err == nil {
			t.Error("a delay of 2^64 cycles was taken")
		}
	}
}
