package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// whyLines is the length of the critical path as text, its title left out.
const whyLines = 9

// Why prints the critical path to the end of a card (-1: of the one that ends last), in at most ten lines.
func Why(w io.Writer, r *vm.Result, card int, opt Options) error {
	return write(w, derive(r).why(card, opt))
}

// WhyObject returns the critical path for JSON, every step of it.
func WhyObject(r *vm.Result, card int, opt Options) map[string]any {
	f := derive(r)
	steps := []object{}
	for _, s := range r.CriticalPath(card) {
		o := place(s.Func, s.Pos)
		o["card"], o["from_card"], o["start"], o["end"], o["cycles"] = s.Card, s.From, s.Start, s.End, s.End-s.Start
		o["kernel"], o["what"] = s.Launch, ledger.Entry(s.Entry).String()
		steps = append(steps, o)
	}
	return object{"format": Format, "program": opt.Program, "machine": r.Machine.Name, "total_cycles": r.Total, "critical_path": steps, "text": f.why(card, opt)}
}

// leg is one line of the path: steps of the same kind that follow on each other.
type leg struct {
	vm.PathStep
	cards  []int
	cycles uint64
	waits  int // rounds of the same wait
	mixed  int // steps of different kinds; 0: one kind
	// stretches is the number of separate ones of its kind, summed up; 0 and 1: one.
	stretches int
}

func (l *leg) work() bool { return l.mixed == 0 && l.Func == nil && l.Launch != "" }

func (l *leg) same(o *leg) bool {
	return l.mixed == 0 && o.mixed == 0 && l.Func == o.Func && l.Pos == o.Pos && l.Launch == o.Launch && l.Entry == o.Entry &&
		(l.Func != nil || slices.Equal(l.cards, o.cards))
}

func (l *leg) take(o *leg) {
	for _, card := range o.cards {
		if !slices.Contains(l.cards, card) {
			l.cards = append(l.cards, card)
		}
	}
	l.cycles += o.cycles
	l.End = max(l.End, o.End)
}

func (f *figures) why(card int, opt Options) []string {
	path := f.r.CriticalPath(card)
	if len(path) == 0 {
		return append(f.title(opt), labelled("Critical path", "nothing ran")...)
	}
	last := path[len(path)-1]
	lines := []string{fmt.Sprintf("%s%s (modelled): the %s cycles to the end of %s on card %d", head(opt), f.cardsOf(), thousands(last.End), last.Launch, last.Card)}
	legs := joined(path)
	if len(legs) > whyLines {
		legs = byKind(legs, func(a, b *leg) bool { return a.Launch == b.Launch })
	}
	if len(legs) > whyLines {
		legs = byKind(legs, func(*leg, *leg) bool { return true })
	}
	legs = shorten(legs)
	width, place := len("cycles"), 0
	for i := range legs {
		width, place = max(width, len(thousands(legs[i].cycles))), max(place, len(route(&legs[i])))
	}
	for i := range legs {
		l := &legs[i]
		lines = append(lines, fmt.Sprintf("  %-*s  %*s  %4s  %s", place, route(l), width, thousands(l.cycles), percent(ratio(l.cycles, last.End)), f.leg(l)))
	}
	return lines
}

// joined makes legs of the steps: those of one kind that follow on each other, and the rounds of one wait with the
// instructions between them.
func joined(path []vm.PathStep) (legs []leg) {
	for _, s := range path {
		l := leg{PathStep: s, cards: []int{s.Card}, cycles: s.End - s.Start}
		if s.Func != nil {
			l.waits = 1
			if s.From != s.Card {
				l.cards = append([]int{s.From}, l.cards...)
			}
		}
		n := len(legs)
		switch {
		case n > 0 && legs[n-1].same(&l):
			legs[n-1].take(&l)
			legs[n-1].waits += l.waits
		case n > 1 && l.waits > 0 && legs[n-2].same(&l) && legs[n-1].work() && legs[n-1].cycles < legs[n-2].cycles:
			legs[n-2].take(&legs[n-1])
			legs[n-2].take(&l)
			legs[n-2].waits++
			legs = legs[:n-1]
		default:
			legs = append(legs, l)
		}
	}
	return legs
}

// byKind sums up the legs that follow on each other and belong together (those within launches of one kernel, to and
// fro between cards, or all): a line for a kernel's own work, a line for each wait. What comes first comes first.
func byKind(legs []leg, together func(a, b *leg) bool) (out []leg) {
	for i := 0; i < len(legs); {
		first := len(out)
		j := i
		for ; j < len(legs) && together(&legs[i], &legs[j]); j++ {
			l := &legs[j]
			at := slices.IndexFunc(out[first:], func(o leg) bool {
				return o.Launch == l.Launch && o.Func == l.Func && o.Pos == l.Pos && o.Entry == l.Entry
			})
			if at < 0 {
				l.stretches = max(l.stretches, 1)
				out = append(out, *l)
				continue
			}
			o := &out[first+at]
			o.take(l)
			o.waits += l.waits
			o.stretches += max(l.stretches, 1)
		}
		i = j
	}
	return out
}

// shorten joins the shortest leg with its shorter neighbour until the path has few enough lines, and what is less than
// a thousandth of the run first.
func shorten(legs []leg) []leg {
	var total uint64
	for i := range legs {
		total += legs[i].cycles
	}
	for len(legs) > 1 {
		short := 0
		for i := range legs {
			if legs[i].cycles < legs[short].cycles {
				short = i
			}
		}
		if len(legs) <= whyLines && legs[short].cycles*1000 >= total {
			break
		}
		to := short - 1
		if to < 0 || short+1 < len(legs) && len(legs) > whyLines && legs[short+1].cycles < legs[to].cycles {
			to = short + 1
		}
		a, b := &legs[min(short, to)], &legs[max(short, to)]
		trifle := legs[short].cycles*1000 < total
		kept := *a
		if trifle && legs[to].cycles > legs[short].cycles { // not worth a word: its cycles go to its neighbour
			kept = legs[to]
			kept.cycles, kept.Start, kept.End = a.cycles+b.cycles, a.Start, b.End
		} else {
			kept.take(b)
			kept.mixed = max(a.mixed, 1) + max(b.mixed, 1)
		}
		legs[min(short, to)] = kept
		legs = slices.Delete(legs, max(short, to), max(short, to)+1)
	}
	return legs
}

// route is "card 5", "card 5 > 0" where the path crosses, "cards 0-7" where it goes to and fro.
func route(l *leg) string {
	switch {
	case len(l.cards) == 2 && l.waits == 1 && l.mixed == 0 && l.stretches < 2:
		return fmt.Sprintf("card %d > %d", l.cards[0], l.cards[1])
	case len(l.cards) > 1:
		cards := slices.Sorted(slices.Values(l.cards))
		return "cards " + cardList(cards)
	}
	return fmt.Sprintf("card %d", l.cards[0])
}

// leg says what a line of the path is.
func (f *figures) leg(l *leg) string {
	e := ledger.Entry(l.Entry)
	switch {
	case l.mixed > 0:
		return plural(uint64(l.mixed), "shorter step")
	case l.work():
		s := l.Launch
		if w := f.mostIn(l.Launch); w != nil {
			s += fmt.Sprintf("%s: most at %s (%s)", inStretches(l), f.at(w.Func, w.Pos), ledger.Entry(w.Entry))
		}
		return s
	case l.Func == nil && l.Start > 0:
		return "launch cost: the next one starts" + inStretches(l)
	case l.Func == nil:
		return "launch cost" + inStretches(l)
	}
	s := f.at(l.Func, l.Pos)
	if in := instAt(l.Func, l.Pos); in != nil {
		s += " " + in.Spelling()
	}
	switch {
	case e == ledger.Barrier && l.waits > 1 && !f.syncs(l):
		s += fmt.Sprintf(": %d waits for another card's flag", l.waits)
	case e == ledger.Barrier && l.waits > 1:
		s += fmt.Sprintf(": %d rounds of the barrier", l.waits)
	case e == ledger.Barrier && !f.syncs(l):
		s += fmt.Sprintf(": from card %d's write to the poll that saw it", l.From)
	case e == ledger.Barrier:
		s += fmt.Sprintf(": from card %d's arrival to the release", l.From)
	case e == ledger.Copy && l.stretches > 1:
		s += ": bytes cross" + inStretches(l)
	case e == ledger.Copy:
		s += fmt.Sprintf(": card %d's bytes cross", l.From)
	case e == ledger.BlockedRefill:
		s += ": the gate has opened, the pipeline refills"
	case e == ledger.CTABarrier:
		s += ": another launch of the card wrote the flag"
	default:
		s += ": " + e.Meaning() + inStretches(l)
	}
	return s
}

// syncs reports a wait at sync.nvlink.
func (f *figures) syncs(l *leg) bool {
	in := instAt(l.Func, l.Pos)
	return in != nil && in.Op == isa.OpSyncNVLink
}

// inStretches is ", in 14 stretches" of what was summed up.
func inStretches(l *leg) string {
	if l.stretches < 2 {
		return ""
	}
	return fmt.Sprintf(", in %d stretches", l.stretches)
}
