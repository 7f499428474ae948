package report

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// randomResult is a result of any shape, sense or not: sheets of zeros, operators without groups, waits for cards that
// do not exist.
func randomResult(r *rand.Rand) *vm.Result {
	cycles := func() uint64 { return r.Uint64N(1 << r.UintN(40)) }
	pos := func() isa.Pos { return isa.Pos(r.IntN(700) - 1) }
	fn := func() *isa.Func { return []*isa.Func{article, step, nil}[r.IntN(3)] }
	res := &vm.Result{
		Machine: h200(), Total: cycles(), Host: time.Duration(r.IntN(2)) * time.Second, Functional: r.IntN(10) == 0,
		Tensor: vm.TensorResult{SMCycles: cycles(), Busy: cycles(), BlockedWaiting: cycles(), BlockedIdle: cycles(), Flops: cycles()},
		Counts: vm.CountsResult{ThreadInstructions: cycles(), UninitReads: uint64(r.IntN(2))},
	}
	for card := range r.IntN(9) {
		c := vm.CardResult{Card: card, End: cycles(), Hidden: cycles(), BytesOut: cycles(), BytesIn: cycles(), BusyOut: cycles(), CopyBusy: cycles(), Window: cycles()}
		for e := range c.Sheet {
			if r.IntN(3) == 0 {
				c.Sheet[e] = cycles()
			}
		}
		res.Cards = append(res.Cards, c)
		res.SMs = append(res.SMs, vm.SMResult{Card: card, Sheet: c.Sheet})
		res.Tensor.PerCard = append(res.Tensor.PerCard, vm.TensorCard{Card: card, SMCycles: cycles(), Busy: cycles(), Waiting: cycles(), Shut: cycles()})
		for range r.IntN(3) {
			res.Launches = append(res.Launches, vm.LaunchResult{Card: card, Name: "k", Entry: fn(), Start: cycles(), End: cycles(), Operators: r.IntN(2) == 0})
		}
	}
	ops := []isa.Opcode{isa.OpCopyNVLink, isa.OpReduce, isa.OpSyncNVLink, isa.OpUnblockTC}
	for range r.IntN(5) {
		o := vm.OperatorResult{Func: fn(), Pos: pos(), Op: ops[r.IntN(4)], Bytes: cycles(), PerCard: cycles(), Cycles: cycles(), Fence: cycles(),
			Rounds: cycles(), Period: cycles(), Group: r.IntN(9)}
		for range r.IntN(9) {
			o.Late = append(o.Late, int64(cycles()))
		}
		res.Operators = append(res.Operators, o)
	}
	for range r.IntN(9) {
		res.Waits = append(res.Waits, vm.WaitResult{Func: fn(), Pos: pos(), Entry: vm.Entry(r.IntN(int(ledger.NumEntries))), Cycles: cycles(), Worst: cycles(),
			Card: r.IntN(9), For: r.IntN(12) - 1, ForFunc: fn(), ForPos: pos()})
		res.Warnings = append(res.Warnings, vm.Warning{Func: fn(), Pos: pos(), Message: strings.Repeat("word ", r.IntN(40))})
	}
	if r.IntN(2) == 0 {
		res.Local = &vm.SilentResult{Total: cycles(), SameResults: r.IntN(2) == 0}
		res.Gate = &vm.SilentResult{Total: cycles(), SameResults: true}
		res.OneRound, res.LikeMedian, res.Late = &vm.SilentResult{Total: cycles(), SameResults: true}, &vm.SilentResult{Total: cycles(), SameResults: true}, r.IntN(9)
	}
	for card := range res.Cards {
		res.Links = append(res.Links, vm.LinkResult{Card: card, Egress: r.IntN(2) == 0, Bytes: cycles(), Busy: cycles(), Mean: float64(cycles()), Longest: cycles()})
		res.Barriers = append(res.Barriers, vm.BarrierResult{Func: fn(), Pos: pos(), Flag: r.IntN(2) == 0, By: []uint64{cycles()},
			Cards: []vm.BarrierCard{{Card: card, Count: cycles(), Cycles: cycles()}}})
		res.WaitedFor = append(res.WaitedFor, make([]uint64, r.IntN(9)))
		res.Numerics = append(res.Numerics, vm.NumericsResult{Func: fn(), Pos: pos(), Orders: []vm.NumericsOrder{{Differ: cycles()}}})
	}
	return res
}

// No result makes the report panic or stray from its form.
func TestAnyResult(t *testing.T) {
	for seed := range uint64(1000) {
		result := randomResult(rand.New(rand.NewPCG(seed, 1)))
		var text, object bytes.Buffer
		if err := Text(&text, result, Options{Program: "any", Ledger: SMLedger}); err != nil {
			t.Fatal(err)
		}
		var sections bytes.Buffer
		if err := Text(&sections, result, Options{Sections: Sections()[2:]}); err != nil {
			t.Fatal(err)
		}
		if err := JSON(&object, result, Options{Sections: Sections()}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		page, _, _ := strings.Cut(text.String(), "\n\nSM sheet")
		if n := strings.Count(page, "\n") + 1; n > MaxLines && len(result.SMs) > 0 {
			t.Errorf("seed %d: %d lines\n%s", seed, n, page)
		}
		for _, bad := range []string{"NaN", "Inf", "%!"} {
			if s := text.String() + sections.String(); strings.Contains(s, bad) {
				t.Errorf("seed %d: %s in\n%s", seed, bad, s)
			}
		}
	}
}
