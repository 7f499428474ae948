package vm

import (
	"cmp"
	"slices"
	"sort"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
)

// waitTable merges the cards' waits by line, entry and the card waited for.
type waitTable map[waitKey]*WaitResult

type waitKey struct {
	inst  *isa.Inst
	entry ledger.Entry
	late  int
}

// add enters what a card lost at a line. late sums skew by what was waited for; it may be empty.
func (t waitTable) add(fn *isa.Func, in *isa.Inst, e ledger.Entry, card int, cycles uint64, late map[sm.LateCard]uint64) {
	if cycles == 0 {
		return
	}
	w := WaitResult{Func: fn, Pos: in.OpPos, Entry: Entry(e), Card: card, For: -1}
	if e == ledger.Skew {
		var most uint64
		for l, n := range late {
			if n > most || n == most && (l.Card > w.For || l.Card == w.For && l.Inst.OpPos < w.ForPos) {
				most, w.For, w.ForFunc, w.ForPos = n, l.Card, l.Func, l.Inst.OpPos
			}
		}
	}
	k := waitKey{in, e, w.For}
	if t[k] == nil {
		t[k] = &w
	}
	x := t[k]
	x.Cycles += cycles
	if cycles > x.Worst {
		x.Worst, x.Card = cycles, card
	}
}

// list returns the waits, most first.
func (t waitTable) list() (list []WaitResult) {
	for _, w := range t {
		list = append(list, *w)
	}
	slices.SortFunc(list, func(a, b WaitResult) int {
		return cmp.Or(cmp.Compare(b.Cycles, a.Cycles), cmp.Compare(sourceName(a.Func), sourceName(b.Func)), cmp.Compare(a.Pos, b.Pos),
			cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.For, b.For), cmp.Compare(a.Func.Name, b.Func.Name))
	})
	return list
}

func sourceName(fn *isa.Func) string {
	if fn.Source == nil {
		return ""
	}
	return fn.Source.Name
}

// places enters what SMs waited for at lines that are no operators.
func (r *run) places(t waitTable) {
	for _, c := range r.cards {
		late := map[*isa.Inst]map[sm.LateCard]uint64{}
		for _, f := range c.Flags() {
			late[f.Inst] = f.For
		}
		for _, p := range c.Places() {
			t.add(p.Func, p.Inst, p.Entry, c.Index, p.Cycles, late[p.Inst])
		}
	}
}

// barriers merges the cards' accounts of each barrier.
func (r *run) barriers(res *Result) {
	byLine := map[*isa.Inst]*BarrierResult{}
	var order []*isa.Inst
	add := func(card int, fn *isa.Func, in *isa.Inst, b *sm.Barrier, flag bool) {
		if b.Count == 0 {
			return
		}
		x := byLine[in]
		if x == nil {
			x = &BarrierResult{Func: fn, Pos: in.OpPos, Flag: flag, By: make([]uint64, len(r.cards))}
			byLine[in], order = x, append(order, in)
		}
		x.Cards = append(x.Cards, BarrierCard{card, b.Count, b.Cycles, b.Longest, b.Lost})
		for by, n := range b.By {
			x.By[by] += n
		}
	}
	for _, c := range r.cards {
		for _, l := range c.Lines() {
			add(c.Index, l.Func, l.Inst, &l.Barrier, false)
		}
		flags := c.Flags()
		sort.Slice(flags, func(i, j int) bool {
			a, b := flags[i], flags[j]
			return cmp.Or(cmp.Compare(sourceName(a.Func), sourceName(b.Func)), cmp.Compare(a.Inst.OpPos, b.Inst.OpPos)) < 0
		})
		for _, f := range flags {
			add(c.Index, f.Func, f.Inst, &f.Barrier, true)
		}
		row := make([]uint64, len(r.cards))
		for late, n := range c.Lost.By {
			row[late] = n
		}
		res.WaitedFor = append(res.WaitedFor, row)
		if c.Trace {
			res.hops = append(res.hops, c.Hops)
		}
	}
	for _, in := range order {
		res.Barriers = append(res.Barriers, *byLine[in])
	}
}

// links sums up the ports that moved bytes.
func (r *run) links(res *Result) {
	if r.real == nil {
		return
	}
	names := map[int]string{}
	for _, l := range res.Launches {
		names[l.Step] = l.Name
	}
	for _, c := range r.cards {
		out, in := r.real.Ports(c.Index)
		for _, q := range []*sm.Queue{out, in} {
			if q.Moves == 0 {
				continue
			}
			const fine = 1 << sm.FineBits
			l := LinkResult{Card: c.Index, Egress: q == out, Bytes: q.Bytes, Busy: q.Busy >> sm.FineBits, Pieces: q.Moves,
				Mean: float64(q.Waited) / fine / float64(q.Moves), Longest: sm.Ceil(q.Longest), Tenants: q.Taken()}
			for step, s := range q.Shares() {
				l.Shares = append(l.Shares, LinkShare{step, names[step], s.Bytes})
			}
			slices.SortFunc(l.Shares, func(a, b LinkShare) int {
				return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Step, b.Step))
			})
			res.Links = append(res.Links, l)
		}
	}
}
