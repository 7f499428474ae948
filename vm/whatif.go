package vm

import (
	"context"
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// whatIf runs the program again with single changes: one round in place of many, the late card like the median.
func (n *Node) whatIf(ctx context.Context, result *Result) {
	if slices.ContainsFunc(result.Operators, func(o OperatorResult) bool { return o.Period > 0 }) {
		result.OneRound = n.compare(n.again(ctx, rules{Rules: sm.Rules{OneRound: true}}))
	}
	m := n.run.late(result)
	if m == nil {
		return
	}
	r := n.again(ctx, rules{median: m})
	s := n.compare(r)
	if s == nil {
		return
	}
	s.Total = 0
	for card := range s.Ends {
		s.Ends[card] -= min(m.shift(card), s.Ends[card])
		s.Total = max(s.Total, s.Ends[card])
	}
	result.LikeMedian, result.Late = s, m.card
}

// median lets the late card come when the median card does. No card can start before the first call, so the other
// cards come later by as much and the clock is set back by that in the end: to all cards it looks the same.
type median struct {
	card  int
	first uint64         // the others' hosts begin that much later
	steps map[int]uint64 // or their launches of a step
	moved []uint64       // by card: what its launches were moved by
}

func (m *median) begin(r *run) {
	if m == nil {
		return
	}
	m.moved = make([]uint64, len(r.cards))
	for i, c := range r.cards {
		if i != m.card {
			c.Synchronized(m.first)
		}
	}
}

func (m *median) launch(r *run, card, step int, stream string) {
	if m == nil || m.steps[step] == 0 {
		return
	}
	m.moved[card] += m.steps[step]
	if card != m.card {
		r.cards[card].Delay(stream, m.steps[step])
	}
}

// shift is by how much a card's clock is ahead in the end.
func (m *median) shift(card int) uint64 { return m.first + m.moved[card] }

// noticeable is the part of the run that a card must lose to another for that one to count as late: 1 in 100.
const noticeable = 100

// late finds the card that the others waited for most, and by how much it came after the median; nil if nobody waited
// noticeably, or if launches on several streams and collectives make it impossible to move one alone.
func (r *run) late(result *Result) *median {
	m := &median{card: -1, steps: map[int]uint64{}}
	var most uint64
	waited := false
	for card := range r.cards {
		var sum uint64
		for _, row := range result.WaitedFor {
			sum += row[card]
			waited = waited || row[card] > 0 && row[card]*noticeable >= result.Total
		}
		if sum > most {
			most, m.card = sum, card
		}
	}
	if !waited {
		return nil
	}
	steps, one := r.collectives(), true
	for _, l := range result.Launches {
		one = one && l.Stream == result.Launches[0].Stream
	}
	if len(result.Operators) > 0 {
		m.steps = r.lateSteps(m.card)
	}
	switch {
	case len(steps) == 1 && len(m.steps) == 1:
		m.first, m.steps = m.steps[steps[0]], nil
	case len(steps) == 1 && len(result.Operators) == 0:
		m.first = lowerMedian(others(result.WaitedFor, m.card))
	case !one || len(m.steps) == 0:
		return nil
	}
	if m.first == 0 && len(m.steps) == 0 {
		return nil
	}
	return m
}

func others(waited [][]uint64, late int) (list []uint64) {
	for card, row := range waited {
		if card != late {
			list = append(list, row[late])
		}
	}
	return list
}

func lowerMedian(list []uint64) uint64 {
	slices.Sort(list)
	return list[(len(list)-1)/2]
}

// collectives returns the launch steps in which cards can wait for each other.
func (r *run) collectives() (steps []int) {
	flags := map[*isa.Func]bool{}
	for _, c := range r.cards {
		for _, f := range c.Flags() {
			flags[f.Func] = true
		}
	}
	for _, c := range r.cards {
		for _, l := range c.Launches() {
			if !slices.Contains(steps, l.Launch.ID) && (l.Launch.Prog.Operators || reaches(l.Launch.Prog, flags)) {
				steps = append(steps, l.Launch.ID)
			}
		}
	}
	return steps
}

// reaches reports whether a program contains one of some functions.
func reaches(p *state.Program, funcs map[*isa.Func]bool) bool {
	for i := range p.Ops {
		if funcs[p.Ops[i].Func] {
			return true
		}
	}
	return false
}

// lateSteps returns for each launch step by how much a card's first operation started after the median card's.
func (r *run) lateSteps(card int) map[int]uint64 {
	starts := map[int][]uint64{} // by step, of the cards in order
	for i, c := range r.cards {
		for _, l := range c.Lines() {
			for k, step := range l.Steps {
				if starts[step] == nil {
					starts[step] = slices.Repeat([]uint64{sm.Never}, len(r.cards))
				}
				starts[step][i] = min(starts[step][i], l.Starts[k])
			}
		}
	}
	late := map[int]uint64{}
	for step, list := range starts {
		own := list[card]
		came := slices.DeleteFunc(slices.Clone(list), func(at uint64) bool { return at == sm.Never })
		if at := lowerMedian(came); own != sm.Never && own > at {
			late[step] = own - at
		}
	}
	return late
}
