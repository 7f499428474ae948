package report

import (
	"fmt"
	"strings"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// topCause is the sentence that names what cost most, with the card and the line to look at.
func (f *figures) topCause() []string {
	s := f.causeText()
	if s == "" {
		return nil
	}
	return labelled("Top cause", s)
}

func (f *figures) causeText() string {
	if f.r.Total == 0 || len(f.r.Cards) == 0 {
		return ""
	}
	if f.late != nil && float64(f.late.each) >= leading*float64(f.r.Total) {
		return f.skewCause()
	}
	if f.gatedWait() && ratio(blockedCycles(f.blocked.Sheet), f.r.Total) >= noticeable {
		return f.gateCause()
	}
	entry, mean := f.largest()
	switch entry.Group() {
	case ledger.CopyGroup, ledger.Interruption, ledger.ContentionGroup, ledger.SkewGroup:
		return f.exposedCause(entry, mean)
	case ledger.Host:
		return f.hostCause(entry, mean)
	}
	return "local work, most of it " + f.localPart(entry, mean)
}

// hostCause: "launch cost, 4,612 of 6,100 cycles (76 %); then memory, 1,200 cycles a card (20 %), most at :34".
func (f *figures) hostCause(entry ledger.Entry, mean uint64) string {
	s := fmt.Sprintf("%s, %s of %s cycles (%s)", hostWords[entry], thousands(mean), thousands(f.r.Total), percent(ratio(mean, f.r.Total)))
	if e, n := f.most(func(g ledger.Group) bool { return g != ledger.Host }); n > 0 {
		s += "; then " + f.localPart(e, n)
	}
	return s
}

// localPart is "memory, 1,200 cycles a card (20 %), most at :34".
func (f *figures) localPart(entry ledger.Entry, mean uint64) string {
	s := fmt.Sprintf("%s, %s cycles a card (%s)", entry, thousands(mean), percent(ratio(mean, f.r.Total)))
	if w := f.worstAt(entry); w != nil {
		s += ", most at " + f.at(w.Func, w.Pos)
	}
	return s
}

var hostWords = map[ledger.Entry]string{ledger.Launch: "launch cost", ledger.Idle: "nothing to run"}

var numberWords = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight"}

// skewCause: "card 5: seven cards lose 50,000 cycles each to its longer mma loop (step.ptx:31)".
func (f *figures) skewCause() string {
	l := f.late
	who := thousands(uint64(l.waiters))
	if l.waiters < len(numberWords) {
		who = numberWords[l.waiters]
	}
	verb := map[bool]string{true: "card loses", false: "cards lose"}[l.waiters == 1]
	amount := thousands(l.each) + " cycles"
	if !l.equal {
		amount = "up to " + amount
	}
	if l.waiters > 1 {
		amount += " each"
	}
	if l.work == "" {
		return fmt.Sprintf("card %d: %s %s %s to its later start", l.card, who, verb, amount)
	}
	return fmt.Sprintf("card %d: %s %s %s to %s (%s)", l.card, who, verb, amount, strings.Replace(l.work, "its ", "its longer ", 1), l.where)
}

// gateCause names the largest share of the time the gate was shut, and what fewer rounds would bring.
func (f *figures) gateCause() string {
	sheet := f.blocked.Sheet
	total := blockedCycles(sheet)
	copying, barrier := sheet[ledger.BlockedCopy]+sheet[ledger.BlockedContention], sheet[ledger.BlockedFence]+sheet[ledger.BlockedBarrier]
	share := func(n uint64) string { return "(" + percent(ratio(n, total)) + ")" }
	rounds := ""
	if t := f.oneRound(); t > 0 && t < f.r.Total {
		rounds = fmt.Sprintf("%s: one round instead of %d would end the run at %s", f.at(f.sync.Func, f.sync.Pos), f.sync.Rounds/f.collectives, f.changed(t))
	}
	first, second := "", ""
	switch most := max(copying, barrier, sheet[ledger.BlockedReduce], sheet[ledger.BlockedHold], sheet[ledger.BlockedSkew], sheet[ledger.BlockedWork]); {
	case most == copying && f.copy != nil:
		first = fmt.Sprintf("%s moves %s a card behind a shut gate %s", f.at(f.copy.Func, f.copy.Pos), plural(f.peers*f.collectives, "tensor"), share(copying))
		second = rounds
	case most == barrier && rounds != "":
		return rounds + fmt.Sprintf("; the barrier keeps the gate shut for %s cycles %s", thousands(barrier), share(barrier))
	case most == sheet[ledger.BlockedHold]:
		first = fmt.Sprintf("card %d: the host holds the Tensor Cores for %s cycles %s with an mma waiting", f.blocked.Card, thousands(most), share(most))
		second = rounds
	case most == sheet[ledger.BlockedReduce] && f.reduce != nil:
		first = fmt.Sprintf("%s reduces behind a shut gate %s", f.at(f.reduce.Func, f.reduce.Pos), share(most))
		second = rounds
	default:
		first = fmt.Sprintf("card %d: the gate is shut for %s cycles with an mma waiting", f.blocked.Card, thousands(total))
		second = rounds
	}
	if second != "" {
		first += "; then " + second
	}
	return first
}

// exposedCause names the communication that cost most.
func (f *figures) exposedCause(entry ledger.Entry, mean uint64) string {
	where := f.worstAt(entry)
	var s string
	switch {
	case entry == ledger.Barrier && f.sync != nil:
		s = fmt.Sprintf("%s: %s of the barrier", f.at(f.sync.Func, f.sync.Pos), plural(f.sync.Rounds, "round"))
	case entry == ledger.Copy && f.copy != nil:
		s = fmt.Sprintf("%s: %s a card on the links", f.at(f.copy.Func, f.copy.Pos), plural(f.peers*f.collectives, "tensor"))
	case where != nil:
		s = fmt.Sprintf("%s: %s (%s)", f.at(where.Func, where.Pos), entry, entry.Meaning())
	default:
		s = fmt.Sprintf("%s (%s)", entry, entry.Meaning())
	}
	s += fmt.Sprintf(", %s cycles a card (%s of the run)", thousands(mean), percent(ratio(mean, f.r.Total)))
	if t := f.oneRound(); entry == ledger.Barrier && t > 0 && t < f.r.Total {
		s += fmt.Sprintf("; one round instead of %d would end the run at %s", f.sync.Rounds/f.collectives, f.changed(t))
	}
	return s
}

// largest is the entry that cost most: exposed communication if it is 5 % of the run, else anything.
func (f *figures) largest() (ledger.Entry, uint64) {
	e, n := f.most(func(g ledger.Group) bool { return g != ledger.Local && g != ledger.Host })
	if ratio(n, f.r.Total) >= leading {
		return e, n
	}
	return f.most(func(ledger.Group) bool { return true })
}

// most is the entry with most cycles among some groups, and its mean per card.
func (f *figures) most(among func(ledger.Group) bool) (best ledger.Entry, mean uint64) {
	var sums [ledger.NumEntries]uint64
	for _, c := range f.r.Cards {
		for e, n := range c.Sheet {
			sums[e] += n
		}
	}
	for e := ledger.Entry(0); e < ledger.NumEntries; e++ {
		if among(e.Group()) && sums[e] > sums[best] || !among(best.Group()) {
			best = e
		}
	}
	return best, sums[best] / uint64(len(f.r.Cards))
}

// worstAt is the line that lost most under an entry, nil if none is known.
func (f *figures) worstAt(entry ledger.Entry) *vm.WaitResult {
	var best *vm.WaitResult
	for i := range f.r.Waits {
		w := &f.r.Waits[i]
		if (ledger.Entry(w.Entry) == entry || ledger.Entry(w.Entry).InWindow() == entry) && w.Func != nil && (best == nil || w.Cycles > best.Cycles) {
			best = w
		}
	}
	return best
}
