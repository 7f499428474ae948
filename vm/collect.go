package vm

import (
	"sort"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
)

// result sums a run up. After a fault it says what is known so far.
func (r *run) result() *Result {
	res := &Result{Machine: r.opt.Machine}
	for _, c := range r.node.Cards {
		res.Counts.ThreadInstructions += c.Counts.ThreadInstructions
		res.Counts.WarpInstructions += c.Counts.WarpInstructions
		res.Counts.UninitReads += c.Counts.UninitReads
	}
	if r.still != nil {
		res.Functional = true
		for _, c := range r.node.Cards {
			res.Cards = append(res.Cards, CardResult{Card: c.Index})
		}
		res.Warnings = r.still.warnings()
		r.races(res)
		return res
	}
	r.launches(res)
	for _, c := range r.cards {
		r.card(res, c)
	}
	res.Tensor.sum()
	r.operators(res)
	r.barriers(res)
	r.links(res)
	r.numerics(res)
	r.warnings(res)
	r.races(res)
	return res
}

func (r *run) launches(res *Result) {
	for _, c := range r.cards {
		for _, l := range c.Launches() {
			end := l.End
			if !l.Ended {
				end = c.Now
			}
			res.Launches = append(res.Launches, LaunchResult{Card: c.Index, Step: l.Launch.ID, Name: l.Launch.Name, Entry: l.Launch.Prog.Entry, Stream: l.Stream, Call: l.Call, Start: l.Start, End: end,
				CTAs: l.Launch.CTAs(), Operators: l.Launch.Prog.Operators, Tensor: l.Launch.Prog.Tensor})
			res.Total = max(res.Total, end)
		}
	}
	sort.SliceStable(res.Launches, func(i, j int) bool { return res.Launches[i].Call < res.Launches[j].Call })
}

func (r *run) card(res *Result, c *sm.Card) {
	a := c.Finish(res.Total)
	row := CardResult{Card: c.Index, End: c.End(), Sheet: Sheet(a.Sheet), Hidden: a.Hidden, Window: a.Window}
	if r.real != nil {
		t := r.real.Traffic(c.Index)
		row.BytesOut, row.BytesIn, row.BusyOut, row.BusyIn, row.CopyBusy = t.Out, t.In, t.BusyOut, t.BusyIn, t.Copying
	}
	res.Cards = append(res.Cards, row)
	tc := TensorCard{Card: c.Index}
	for _, s := range a.SMs {
		res.SMs = append(res.SMs, SMResult{Card: c.Index, SM: s.Index, Sheet: Sheet(s.Sheet)})
		if !s.Tensor {
			continue
		}
		tc.SMCycles += res.Total
		tc.Busy += s.Busy
		tc.Flops += s.Flops
		tc.Shut += a.Shut
		for e, cycles := range s.Sheet {
			if ledger.Entry(e).Blocked() {
				tc.Waiting += cycles
			}
		}
	}
	if tc.SMCycles > 0 {
		res.Tensor.PerCard = append(res.Tensor.PerCard, tc)
	}
}

func (t *TensorResult) sum() {
	for _, c := range t.PerCard {
		t.SMCycles += c.SMCycles
		t.Busy += c.Busy
		t.Flops += c.Flops
		t.BlockedWaiting += c.Waiting
		t.BlockedIdle += c.Shut - min(c.Shut, c.Waiting)
	}
}

// operators merges the cards' accounts of each operator line.
func (r *run) operators(res *Result) {
	byLine := map[*isa.Inst]*OperatorResult{}
	waits := waitTable{}
	lines := map[*isa.Inst][]*sm.Line{}
	var order []*isa.Inst
	first := map[*isa.Inst]uint64{}
	for _, c := range r.cards {
		for _, l := range c.Lines() {
			o := byLine[l.Inst]
			if o == nil {
				o = &OperatorResult{Func: l.Func, Pos: l.Inst.OpPos, Op: l.Inst.Op}
				byLine[l.Inst] = o
				order = append(order, l.Inst)
				first[l.Inst] = l.First
				lines[l.Inst] = make([]*sm.Line, len(r.cards))
			}
			lines[l.Inst][c.Index] = l
			first[l.Inst] = min(first[l.Inst], l.First)
			o.Count += l.Count
			o.Bytes, o.Group = l.Bytes, l.Group
			res.rounds += l.Rounds
			if l.Cycles > o.Cycles || l.Count > o.PerCard {
				o.Cycles = max(o.Cycles, l.Cycles)
				o.Fence = max(o.Fence, l.Fence)
				o.PerCard = max(o.PerCard, l.Count)
				o.Rounds = max(o.Rounds, l.Rounds)
			}
			if l.Period > 0 && (o.Period == 0 || l.Period < o.Period) {
				o.Period = l.Period
			}
			for e, cycles := range l.Waits {
				waits.add(l.Func, l.Inst, ledger.Entry(e), c.Index, cycles, l.For)
			}
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return first[order[i]] < first[order[j]] })
	for _, in := range order {
		o := byLine[in]
		o.Late = lateness(lines[in])
		res.Operators = append(res.Operators, *o)
	}
	r.places(waits)
	res.Waits = waits.list()
}

// lateness returns for each card by how many cycles its operations of a line started after the median card's,
// summed over the operations that all cards have in common; nil where only one card executed it.
func lateness(lines []*sm.Line) []int64 {
	common, cards := -1, 0
	for _, l := range lines {
		if l != nil {
			cards++
			if common < 0 || len(l.Starts) < common {
				common = len(l.Starts)
			}
		}
	}
	if cards < 2 {
		return nil
	}
	late := make([]int64, len(lines))
	starts := make([]uint64, 0, cards)
	for k := range common {
		starts = starts[:0]
		for _, l := range lines {
			if l != nil {
				starts = append(starts, l.Starts[k])
			}
		}
		sort.Slice(starts, func(i, j int) bool { return starts[i] < starts[j] })
		median := starts[(len(starts)-1)/2]
		for card, l := range lines {
			if l != nil {
				late[card] += int64(l.Starts[k]) - int64(median)
			}
		}
	}
	return late
}

func (r *run) warnings(res *Result) {
	for _, c := range r.cards {
		for _, w := range c.Warned {
			res.warn(w.Func, w.Pos, w.Message)
		}
		if c.Held() {
			res.warn(nil, isa.NoPos, "the host never resumed the Tensor Cores that it suspended")
		}
		if r.real != nil && r.real.Traffic(c.Index).Left > 0 {
			res.warn(nil, isa.NoPos, "contributions were sent that no reduce took: copy.nvlink without a matching reduce")
		}
	}
}

// races adds a warning for each pair of lines, of the lowest card that has it.
func (r *run) races(res *Result) {
	seen := map[[2]*isa.Inst]bool{}
	for _, c := range r.node.Cards {
		if c.Races == nil {
			continue
		}
		for _, race := range c.Races.List {
			pair := [2]*isa.Inst{race.Inst, race.Other}
			if !seen[pair] && !seen[[2]*isa.Inst{race.Other, race.Inst}] {
				seen[pair] = true
				res.warn(race.Func, race.Inst.OpPos, race.Message)
			}
		}
	}
}

// warn adds a warning, once.
func (res *Result) warn(f *isa.Func, pos isa.Pos, message string) {
	for _, w := range res.Warnings {
		if w.Func == f && w.Pos == pos && w.Message == message {
			return
		}
	}
	res.Warnings = append(res.Warnings, Warning{f, pos, message})
}
