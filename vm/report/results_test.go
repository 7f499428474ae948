package report

import (
	"strings"
	"time"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/programs"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// The results below were put together by hand. Their figures come from the machine's: 1.83 GHz; a crossing 570
// cycles, a poll 263, so a round 833; a system fence 1,510; a launch 4,612, a dependent one 2,507; copies reach
// 369 of 450 GB/s, a reduction 4.01 TB/s.
//
//	2 MiB at 450 GB/s                      2,097,152 x 1.83 / 450  =   8,528
//	copy: 7 x 2 MiB at 369 GB/s + crossing    72,804 + 570         =  73,374
//	reduce: 9 x 2 MiB at 4.01 TB/s        18,874,368 x 1.83 / 4010 =   8,613
//	barrier: fence + 64 rounds             1,510 + 64 x 833        =  54,822
//	one round: the 63 others cost nothing      63 x 833            =  52,479 less
//	loop of the barrier: 13 cycles a round, so a period of 846; with call and return 839 cycles
//	mma loop: 32,768 x 6.1                                         = 199,885

// article is the article's kernels, as a parsed module would hold them: the operators' lines are instructions.
var article = funcOf("nvlink_allreduce.ptx", read("nvlink_allreduce.ptx"), "nvlink_allreduce_fp16")

// step is a kernel whose line 31 is an mma.
var step = funcOf("step.ptx", strings.Repeat("\n", 30)+"mma.sync;\n", "mma_loop")

func read(name string) string {
	text, err := programs.FS.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// funcOf is a function over a whole file, with an instruction at each line that starts with one of a few opcodes.
func funcOf(file, text, name string) *isa.Func {
	fn := &isa.Func{Name: name, Entry: true, Source: isa.NewSource(file, text)}
	add, _ := isa.LookupMod("add")
	insts := map[string]isa.Inst{
		"sync.nvlink": {Op: isa.OpSyncNVLink},
		"copy.nvlink": {Op: isa.OpCopyNVLink},
		"reduce.add":  {Op: isa.OpReduce, Mods: []isa.Mod{add}, Types: []isa.Type{isa.BF16}},
		"mma.sync":    {Op: isa.OpMma},
		"add.u32":     {Op: isa.OpAdd},
		"unblock.tc":  {Op: isa.OpUnblockTC},
	}
	pos := 0
	for _, line := range strings.SplitAfter(text, "\n") {
		for start, in := range insts {
			if strings.HasPrefix(line, start) {
				in.Pos, in.OpPos = isa.Pos(pos), isa.Pos(pos)
				fn.Code = append(fn.Code, in)
			}
		}
		pos += len(line)
	}
	return fn
}

// line is the position of a line's first character.
func line(fn *isa.Func, n int) isa.Pos {
	pos := 0
	for _, text := range strings.SplitAfter(fn.Source.Text, "\n")[:n-1] {
		pos += len(text)
	}
	return isa.Pos(pos)
}

func h200() *machine.Machine {
	return &machine.Machine{
		Name: "h200-sxm", ClockMHz: 1830,
		Card:   machine.Card{TensorFlops: 4096},
		Fabric: machine.Fabric{Kind: machine.NVLink, Links: 18, LinkBytesPerSec: 25e9, CopyEfficiency: machine.Fraction{Num: 82, Den: 100}, Crossing: 570, LocalPoll: 263},
	}
}

const tensor2M = 2 << 20

// operators are the article's three lines, for one all-reduce of 2 MiB on 8 cards.
func operators() []vm.OperatorResult {
	return []vm.OperatorResult{
		{Func: article, Pos: line(article, 22), Op: isa.OpCopyNVLink, Count: 8, Bytes: tensor2M, PerCard: 1, Cycles: 73374, Group: 8},
		{Func: article, Pos: line(article, 24), Op: isa.OpReduce, Count: 8, Bytes: tensor2M, PerCard: 1, Cycles: 8613, Group: 8},
		{Func: article, Pos: line(article, 10), Op: isa.OpSyncNVLink, Count: 512, PerCard: 64, Cycles: 54822, Fence: 1510, Rounds: 64, Period: 846, Group: 8},
	}
}

// demoResult is the mma loop on one stream and the all-reduce on another: the gate is shut all through the all-reduce.
func demoResult() *vm.Result {
	r := &vm.Result{
		Machine: h200(), Total: 342193, Operators: operators(),
		Local:    &vm.SilentResult{Total: 204497, SameResults: true},
		Gate:     &vm.SilentResult{Total: 204497, SameResults: true},
		OneRound: &vm.SilentResult{Total: 342193 - 63*833, SameResults: true},
		Counts:   vm.CountsResult{ThreadInstructions: 43000000},
		Host:     2 * time.Second,
		Waits: []vm.WaitResult{
			{Func: article, Pos: line(article, 22), Entry: vm.Entry(ledger.BlockedCopy), Cycles: 8 * 73374, Worst: 73374, For: -1},
		},
	}
	for card := range 8 {
		c := vm.CardResult{
			Card: card, End: 342193, BytesOut: 7 * tensor2M, BytesIn: 7 * tensor2M, BusyOut: 72804, BusyIn: 72804,
			CopyBusy: 73374, Window: 137696,
		}
		c.Sheet[ledger.Tensor] = 199885
		c.Sheet[ledger.BlockedCopy] = 73374
		c.Sheet[ledger.BlockedReduce] = 8613
		c.Sheet[ledger.BlockedFence] = 1510
		c.Sheet[ledger.BlockedBarrier] = 64 * 833
		c.Sheet[ledger.BlockedWork] = 839
		c.Sheet[ledger.BlockedRefill] = 48
		c.Sheet[ledger.Launch] = 4612
		r.Cards = append(r.Cards, c)
		r.Launches = append(r.Launches,
			vm.LaunchResult{Card: card, Name: "mma_loop", Stream: "main", Start: 4612, End: 342193, CTAs: 1, Tensor: true},
			vm.LaunchResult{Card: card, Name: "nvlink_allreduce_fp16", Stream: "comm", Call: 4612, Start: 9224, End: 146872, CTAs: 1, Operators: true})
	}
	// four quarters x 32,768 mma of 2 x 16 x 8 x 16 operations a card
	r.Tensor = vm.TensorResult{SMCycles: 8 * 342193, Busy: 8 * 199885, BlockedWaiting: 8 * 137696, Flops: 8 * 4 * 32768 * 4096}
	return r
}

// stragglerResult is the mma loop and then the all-reduce on one stream; card 5's loop is 25 % longer.
func stragglerResult() *vm.Result {
	r := &vm.Result{
		Machine: h200(), Total: 394652, Operators: operators(),
		Local:      &vm.SilentResult{Total: 257843, SameResults: true},
		OneRound:   &vm.SilentResult{Total: 394652 - 63*833, SameResults: true},
		LikeMedian: &vm.SilentResult{Total: 394652 - 50000, SameResults: true},
		Late:       5,
		Counts:     vm.CountsResult{ThreadInstructions: 45000000},
		Host:       3 * time.Second,
		Waits: []vm.WaitResult{{
			Func: article, Pos: line(article, 24), Entry: vm.Entry(ledger.Skew), Cycles: 7 * 50000, Worst: 50000, Card: 0,
			For: 5, ForFunc: article, ForPos: line(article, 22),
		}},
	}
	for i := range r.Operators {
		r.Operators[i].Late = make([]int64, 8)
	}
	withSections(r)
	r.Operators[0].Late[5] = 50000
	for card := range 8 {
		c := vm.CardResult{
			Card: card, End: 394652, BytesOut: 7 * tensor2M, BytesIn: 7 * tensor2M, BusyOut: 72804, BusyIn: 72804,
			CopyBusy: 73374, Window: 187648,
		}
		c.Sheet[ledger.Tensor] = 199885
		c.Sheet[ledger.WindowIssue] = 839
		c.Sheet[ledger.Copy] = 73374
		c.Sheet[ledger.Reduce] = 8613
		c.Sheet[ledger.Skew] = 50000
		c.Sheet[ledger.Fence] = 1510
		c.Sheet[ledger.Barrier] = 64 * 833
		c.Sheet[ledger.Launch] = 7119
		t := vm.TensorCard{Card: card, SMCycles: 394652, Busy: 199885, Shut: 187648, Flops: 4 * 32768 * 4096}
		start := uint64(207004)
		loop := vm.LaunchResult{Card: card, Name: "mma_loop", Entry: step, Start: 4612, End: 204497, CTAs: 1, Tensor: true}
		if card == 5 {
			c.Window, c.Sheet[ledger.Tensor], c.Sheet[ledger.Skew] = 137648, 249885, 0
			c.Sheet[ledger.Copy], c.Sheet[ledger.Reduce] = 73944-8613, 8613+8043
			t.Busy, t.Shut, t.Flops, start = 249885, 137648, 4*40960*4096, 257004
			loop.End = 254497
		}
		r.Cards = append(r.Cards, c)
		r.SMs = append(r.SMs, vm.SMResult{Card: card, SM: 0, Sheet: c.Sheet})
		r.Tensor.PerCard = append(r.Tensor.PerCard, t)
		r.Tensor.SMCycles += t.SMCycles
		r.Tensor.Busy += t.Busy
		r.Tensor.BlockedIdle += t.Shut
		r.Launches = append(r.Launches, loop, vm.LaunchResult{Card: card, Step: 3, Name: "nvlink_allreduce_fp16", Entry: article, Start: start, End: 394652, CTAs: 1, Operators: true})
	}
	return r
}

// withSections adds to the straggler's result what the sections beside the summary are made of. Card 5 is the first at
// the barrier: it waits 8,043 for the others' reductions, and 1,510 for their fences beside its own. A port's packets
// of 16 KiB, 128 to each of 7 receivers, all stand before it at the start: the last of 896 waits for 895 of 81.25
// cycles, the mean for half of that. Of 4 elements a sum in another order is off by one unit in two.
func withSections(r *vm.Result) {
	b := vm.BarrierResult{Func: article, Pos: line(article, 10), By: []uint64{4: 8, 7: 504}}
	for card := range 8 {
		c := vm.BarrierCard{Card: card, Count: 64, Cycles: 64 * 833, Longest: 833}
		waited := make([]uint64, 8)
		waited[5] = 50000
		if card == 5 {
			c.Cycles, c.Longest = c.Cycles+9553, c.Longest+9553
			waited[5] = 0
		}
		b.Cards = append(b.Cards, c)
		r.WaitedFor = append(r.WaitedFor, waited)
		for _, egress := range []bool{true, false} {
			l := vm.LinkResult{Card: card, Egress: egress, Bytes: 7 * tensor2M, Busy: 72804, Pieces: 896,
				Shares: []vm.LinkShare{{Step: 3, Name: "nvlink_allreduce_fp16", Bytes: 7 * tensor2M}}}
			if egress {
				l.Mean, l.Longest = 895*81.25/2, 72719
			}
			r.Links = append(r.Links, l)
		}
	}
	flag := vm.BarrierResult{Func: step, Pos: line(step, 31), Flag: true, By: []uint64{0, 0, 1, 0, 0, 3, 0, 2},
		Cards: []vm.BarrierCard{{Card: 0, Count: 4, Cycles: 8000, Longest: 5000}, {Card: 1, Count: 2, Cycles: 1000, Longest: 500}}}
	r.Barriers = append(r.Barriers, b, flag)
	r.Numerics = []vm.NumericsResult{{Func: article, Pos: line(article, 24), Type: isa.BF16, Cards: 8, Orders: []vm.NumericsOrder{
		{Name: "card order, f32, rounded once (reduce)", Elements: 4},
		{Name: "ring, rounded at every hop", Elements: 4, Differ: 2, Most: 1, Mean: 0.5, FromExact: 1},
	}}}
}

// barrierResult is the article's barrier alone on two cards, the second delayed by 1,000 cycles: arrivals 4,614 and
// 5,614, the first release at 6,447, the 64th 63 x 846 later, at 59,745; the end at 59,759.
func barrierResult() *vm.Result {
	r := &vm.Result{
		Machine: h200(), Total: 59759,
		Operators: []vm.OperatorResult{{
			Func: article, Pos: line(article, 10), Op: isa.OpSyncNVLink, Count: 128, PerCard: 64,
			Cycles: 64 * 833, Rounds: 64, Period: 846, Group: 2, Late: []int64{0, 1000},
		}},
		// 4,612 + 1,000 + 835 own cycles
		Local:      &vm.SilentResult{Total: 6447, SameResults: true},
		OneRound:   &vm.SilentResult{Total: 59759 - 63*833, SameResults: true},
		LikeMedian: &vm.SilentResult{Total: 58759, SameResults: true},
		Late:       1,
		Counts:     vm.CountsResult{ThreadInstructions: 16512},
		Host:       10 * time.Millisecond,
		Waits: []vm.WaitResult{{
			Func: article, Pos: line(article, 10), Entry: vm.Entry(ledger.Skew), Cycles: 1000, Worst: 1000, For: 1,
		}},
	}
	for card := range 2 {
		c := vm.CardResult{Card: card, End: 59759, Window: 59757 - 4614 - uint64(card)*1000}
		c.Sheet[ledger.Launch] = 4612
		c.Sheet[ledger.WindowIssue] = 835
		c.Sheet[ledger.Barrier] = 64 * 833
		c.Sheet[[]ledger.Entry{ledger.Skew, ledger.Idle}[card]] = 1000
		r.Cards = append(r.Cards, c)
		r.Launches = append(r.Launches, vm.LaunchResult{Card: card, Name: "nvlink_barrier_sync", Start: 4612 + uint64(card)*1000, End: 59759, CTAs: 1, Operators: true})
	}
	return r
}

// oneCardResult is a kernel without operators or mma on one card: nothing crossed, so Cycle_local is T.
func oneCardResult() *vm.Result {
	vecadd := funcOf("vecadd.ptx", read("vecadd.ptx"), "vecadd")
	r := &vm.Result{
		Machine: h200(), Total: 6100,
		Local:  &vm.SilentResult{Total: 6100, SameResults: true},
		Counts: vm.CountsResult{ThreadInstructions: 19000, UninitReads: 4},
		Host:   time.Millisecond,
		Waits:  []vm.WaitResult{{Func: vecadd, Pos: line(vecadd, 34), Entry: vm.Entry(ledger.Memory), Cycles: 1200, Worst: 1200, For: -1}},
	}
	c := vm.CardResult{End: 6100}
	c.Sheet[ledger.Launch] = 4612
	c.Sheet[ledger.Issue] = 88
	c.Sheet[ledger.ALU] = 200
	c.Sheet[ledger.Memory] = 1200
	r.Cards = append(r.Cards, c)
	return r
}

// pcieResult is an all-reduce relayed by the host of a machine without NVLink: no coefficient, 18 GB/s, so 2 MiB take
// 2,097,152 x 1.83 / 18 = 213,210 cycles; a loss of more than 1000 %.
func pcieResult() *vm.Result {
	m := h200()
	m.Name, m.Fabric.Kind, m.Fabric.Links, m.Fabric.LinkBytesPerSec = "rtx-4090", machine.PCIeStaged, 1, 31.5e9
	r := &vm.Result{
		Machine: m, Total: 235000, Operators: operators(),
		Local:    &vm.SilentResult{Total: 20000, SameResults: true},
		Warnings: []vm.Warning{{Func: article, Pos: line(article, 22), Message: "copy.nvlink is relayed through the host: no NVLink in this machine"}},
		Counts:   vm.CountsResult{ThreadInstructions: 20000}, Host: time.Millisecond,
	}
	for i := range r.Operators {
		r.Operators[i].Group = 2
	}
	r.Operators[0].Cycles = 215000
	r.Operators[2].Cycles, r.Operators[2].Fence, r.Operators[2].Rounds, r.Operators[2].Period = 2000, 1000, 1, 0
	for card := range 2 {
		c := vm.CardResult{Card: card, End: 235000, BytesOut: tensor2M, BytesIn: tensor2M, BusyOut: 213210, BusyIn: 213210, CopyBusy: 215000, Window: 226000}
		c.Sheet[ledger.Launch], c.Sheet[ledger.Issue], c.Sheet[ledger.Copy] = 4612, 4775, 215000
		c.Sheet[ledger.Reduce], c.Sheet[ledger.Fence], c.Sheet[ledger.Barrier] = 8613, 1000, 1000
		r.Cards = append(r.Cards, c)
	}
	return r
}

// functionalResult has results and counts only.
func functionalResult() *vm.Result {
	return &vm.Result{
		Machine: h200(), Functional: true, Cards: []vm.CardResult{{}},
		Counts: vm.CountsResult{ThreadInstructions: 1234567, WarpInstructions: 38581}, Host: 4 * time.Millisecond,
	}
}

// unevenResult has six cards that are all different, so that the last rows become a mean.
func unevenResult() *vm.Result {
	r := &vm.Result{Machine: h200(), Total: 10000, Counts: vm.CountsResult{ThreadInstructions: 1}, Host: time.Second}
	for card := range 6 {
		c := vm.CardResult{Card: card, End: 10000}
		c.Sheet[ledger.Launch] = 4612
		c.Sheet[ledger.Memory] = 5388 - 500*uint64(card)
		c.Sheet[ledger.Idle] = 500 * uint64(card)
		r.Cards = append(r.Cards, c)
	}
	return r
}

// racingResult is a run whose results depend on timing: no loss is stated.
func racingResult() *vm.Result {
	r := &vm.Result{Machine: h200(), Total: 9000, Local: &vm.SilentResult{Total: 7000}, Counts: vm.CountsResult{ThreadInstructions: 1}, Host: time.Second}
	for card := range 2 {
		c := vm.CardResult{Card: card, End: 9000}
		c.Sheet[ledger.Launch], c.Sheet[ledger.Remote] = 4612, 4388
		r.Cards = append(r.Cards, c)
	}
	return r
}

// flagsResult is a kernel in real PTX whose cards wait for each other at a flag in memory; card 2 works longer.
func flagsResult() *vm.Result {
	kernel := funcOf("flags.ptx", ".version 8.3\n.target sm_90\n.entry step ()\n", "step")
	kernel.Pos = line(kernel, 3)
	r := &vm.Result{
		Machine: h200(), Total: 20000, Local: &vm.SilentResult{Total: 18000, SameResults: true},
		Counts: vm.CountsResult{ThreadInstructions: 5000}, Host: time.Millisecond,
		LikeMedian: &vm.SilentResult{Total: 15000, SameResults: true}, Late: 2,
	}
	for card := range 4 {
		c := vm.CardResult{Card: card, End: 20000, BytesOut: 96, BytesIn: 96, BusyOut: 3, BusyIn: 3}
		c.Sheet[ledger.Launch], c.Sheet[ledger.Memory], c.Sheet[ledger.Skew], c.Sheet[ledger.Barrier] = 4612, 9000, 5000, 1388
		if card == 2 {
			c.Sheet[ledger.Memory], c.Sheet[ledger.Skew] = 14000, 0
		}
		r.Cards = append(r.Cards, c)
		r.Launches = append(r.Launches, vm.LaunchResult{Card: card, Name: "step", Entry: kernel, Start: 4612, End: 20000, CTAs: 1})
	}
	return r
}

// emptyResult is a run in which nothing was launched.
func emptyResult() *vm.Result {
	return &vm.Result{Machine: h200(), Cards: []vm.CardResult{{}}}
}
