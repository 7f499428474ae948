package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// noticeable is the part of the run that a card must lose to a late one for the report to speak of skew;
// from leading on, skew is the top cause.
const (
	noticeable = 0.01
	leading    = 0.05
)

// late is the card that the others waited for longest.
type late struct {
	card    int
	reached *vm.OperatorResult // the first line that it reached late; nil: none known
	cycles  uint64             // by how much after the median card
	wait    *vm.WaitResult     // where the others waited for it longest
	only    bool               // all of that waiting was at one line
	waiters int                // cards that lost noticeably much to skew
	each    uint64             // the most that one of them lost
	equal   bool               // all of them lost that much
	behind  float64            // its local cycles above the median's, as a fraction
	work    string             // what it did meanwhile: "its mma loop"; "" if it only came later
	where   string             // and where: "mma_loop.ptx:31"
}

// findLate finds the late card, or nil where no card lost 1 % of the run to skew.
func (f *figures) findLate() *late {
	threshold := max(1, uint64(float64(f.r.Total)*noticeable))
	l := &late{card: -1, equal: true}
	for _, c := range f.r.Cards {
		lost := c.Sheet[ledger.Skew] + c.Sheet[ledger.BlockedSkew]
		if lost < threshold {
			continue
		}
		l.equal = l.equal && (l.waiters == 0 || lost == l.each)
		l.waiters++
		l.each = max(l.each, lost)
	}
	if l.waiters == 0 {
		return nil
	}
	if l.card = f.mostWaitedFor(); l.card < 0 {
		l.card = f.leastWaiting()
	}
	if l.card < 0 {
		return nil
	}
	f.whereItWaits(l)
	f.findWork(l)
	for i := range f.r.Operators {
		o := &f.r.Operators[i]
		if l.card < len(o.Late) && o.Late[l.card] > 0 {
			l.reached, l.cycles = o, uint64(o.Late[l.card])
			break
		}
	}
	if l.cycles == 0 {
		l.cycles = l.each
	}
	if median := f.medianLocal(); median > 0 {
		l.behind = float64(f.groups[l.card][ledger.Local])/float64(median) - 1
	}
	return l
}

// mostWaitedFor is the card with most cycles waited for it, -1 if the waits name none.
func (f *figures) mostWaitedFor() int {
	sums := make([]uint64, len(f.r.Cards))
	for _, row := range f.r.WaitedFor {
		for card := range min(len(row), len(sums)) {
			sums[card] += row[card]
		}
	}
	known := slices.ContainsFunc(sums, func(n uint64) bool { return n > 0 })
	for _, w := range f.r.Waits {
		if !known && isSkew(w) && 0 <= w.For && w.For < len(sums) {
			sums[w.For] += w.Cycles
		}
	}
	best := -1
	for card, n := range sums {
		if n > 0 && (best < 0 || n > sums[best]) {
			best = card
		}
	}
	return best
}

// leastWaiting is the card that the others must have waited for where no operator names one (flags in memory): it
// lost less than half of what the median card lost to skew, and did more work of its own; -1: none stands out.
func (f *figures) leastWaiting() int {
	var skews []uint64
	best := 0
	for card, g := range f.groups {
		skews = append(skews, g[ledger.SkewGroup])
		if g[ledger.SkewGroup] < f.groups[best][ledger.SkewGroup] {
			best = card
		}
	}
	least := skews[best]
	slices.Sort(skews)
	if median := skews[len(skews)/2]; 2*least >= median || f.groups[best][ledger.Local] <= f.medianLocal() {
		return -1
	}
	return best
}

// whereItWaits finds the line where the others waited longest for the late card.
func (f *figures) whereItWaits(l *late) {
	l.only = true
	for i := range f.r.Waits {
		w := &f.r.Waits[i]
		if !isSkew(*w) || w.For != l.card || w.Cycles == 0 {
			continue
		}
		if l.wait != nil {
			l.only = false
		}
		if l.wait == nil || w.Cycles > l.wait.Cycles {
			l.wait = w
		}
	}
}

func isSkew(w vm.WaitResult) bool {
	e := ledger.Entry(w.Entry)
	return e == ledger.Skew || e == ledger.BlockedSkew
}

// medianLocal is the (lower) median of the cards' local cycles.
func (f *figures) medianLocal() uint64 {
	var list []uint64
	for _, g := range f.groups {
		list = append(list, g[ledger.Local])
	}
	slices.SortFunc(list, cmp.Compare)
	if len(list) == 0 {
		return 0
	}
	return list[(len(list)-1)/2]
}

// findWork finds what the late card did while the others waited: the instruction that the waits name, if it is none
// of the operators, else the launch before the operators' in the same stream, if that took longer than on other cards.
func (f *figures) findWork(l *late) {
	if w := l.wait; w != nil && w.ForFunc != nil {
		if in := instAt(w.ForFunc, w.ForPos); in == nil || !isOperator(in.Op) {
			l.work, l.where = "its work in "+w.ForFunc.Name, f.at(w.ForFunc, w.ForPos)
			if most := f.longestOf(l.card, w.ForFunc); most != nil { // rather than the write that ended it
				l.where = f.at(most.Func, most.Pos)
			}
			if in != nil && isMMA(in.Op) {
				l.work = "its mma loop"
			}
			return
		}
	}
	before := f.launchBefore(l.card)
	if before == nil {
		before = f.longestLaunch(l.card)
	}
	if before == nil || before.Entry == nil {
		return
	}
	var others []uint64
	for card := range f.r.Cards {
		if b := f.launchBefore(card); card != l.card && b != nil {
			others = append(others, b.End-b.Start)
		}
	}
	slices.Sort(others)
	if len(others) > 0 && before.End-before.Start <= others[len(others)/2] {
		return
	}
	l.work, l.where = "its "+before.Name, f.at(before.Entry, before.Entry.Pos)
	for i := range before.Entry.Code {
		if in := &before.Entry.Code[i]; isMMA(in.Op) {
			l.work, l.where = "its mma loop", f.at(before.Entry, in.OpPos)
			return
		}
	}
}

// longestOf is the line of a function at which a card, longer than the others, worked or waited for its own; nil: none.
func (f *figures) longestOf(card int, fn *isa.Func) (most *vm.WaitResult) {
	for i := range f.r.Waits {
		w := &f.r.Waits[i]
		if w.Func == fn && w.Card == card && ledger.Entry(w.Entry).Group() == ledger.Local && (most == nil || w.Worst > most.Worst) {
			most = w
		}
	}
	return most
}

// launchBefore is the launch that a card's first launch with operators waited for in its stream; nil: none.
func (f *figures) launchBefore(card int) (before *vm.LaunchResult) {
	var first *vm.LaunchResult
	for i := range f.r.Launches {
		if l := &f.r.Launches[i]; l.Card == card && l.Operators && (first == nil || l.Start < first.Start) {
			first = l
		}
	}
	for i := range f.r.Launches {
		l := &f.r.Launches[i]
		if first != nil && l.Card == card && l.Stream == first.Stream && l.Start < first.Start && (before == nil || l.Start > before.Start) {
			before = l
		}
	}
	return before
}

// longestLaunch is a card's longest launch where none has operators: the kernels wait for each other inside.
func (f *figures) longestLaunch(card int) (longest *vm.LaunchResult) {
	for i := range f.r.Launches {
		l := &f.r.Launches[i]
		if l.Operators {
			return nil
		}
		if l.Card == card && (longest == nil || l.End-l.Start > longest.End-longest.Start) {
			longest = l
		}
	}
	return longest
}

// isOperator reports one of the article's instructions.
func isOperator(op isa.Opcode) bool {
	switch op {
	case isa.OpSyncNVLink, isa.OpCopyNVLink, isa.OpReduce, isa.OpUnblockTC:
		return true
	}
	return false
}

// isMMA reports an instruction that the Tensor Cores execute.
func isMMA(op isa.Opcode) bool {
	switch op {
	case isa.OpMma, isa.OpMmaSp, isa.OpWmmaMma, isa.OpWgmmaMmaAsync, isa.OpWgmmaMmaAsyncSp:
		return true
	}
	return false
}

// lateCard is the line that names the late card, by how much it is late, and through what.
func (f *figures) lateCard() []string {
	l := f.late
	if l == nil {
		return nil
	}
	by := fmt.Sprintf("%s cycles (%.1f us)", thousands(l.cycles), micros(l.cycles, f.clock))
	s := fmt.Sprintf("%d cost the others %s: ", l.card, by)
	if l.reached != nil {
		s = fmt.Sprintf("%d reached %s %s after the median: ", l.card, f.at(l.reached.Func, l.reached.Pos), by)
	}
	if l.work == "" {
		return labelled("Late card", s+"its launch came later")
	}
	s += l.work + ", " + l.where
	if l.behind >= 0.005 {
		s += ", " + signed(l.behind)
	}
	return labelled("Late card", s)
}

// whoWaits says how many cards wait how long, and at which line.
func (f *figures) whoWaits() []string {
	l := f.late
	if l == nil {
		return nil
	}
	s := plural(uint64(l.waiters), "card")
	if l.equal {
		s += " x " + thousands(l.each)
	} else {
		s += ", up to " + thousands(l.each) + " each"
	}
	if w := l.wait; w != nil {
		all := map[bool]string{true: ", all at ", false: ", mostly at "}[l.only]
		s += all + f.waitPlace(w) + f.waitedFor(w)
		if f.sync != nil && !f.skewAt(f.sync) && !sameLine(w, f.sync) {
			s += fmt.Sprintf("; the barrier %s then saw no skew", f.at(f.sync.Func, f.sync.Pos))
		}
	}
	return labelled("Who waits", s)
}

// waitPlace is ":24 reduce.add", or the line alone where no operator stands there.
func (f *figures) waitPlace(w *vm.WaitResult) string {
	for i := range f.r.Operators {
		if o := &f.r.Operators[i]; sameLine(w, o) {
			return f.place(o)
		}
	}
	return f.at(w.Func, w.Pos)
}

// waitedFor is what a wait at an operator is for.
func (f *figures) waitedFor(w *vm.WaitResult) string {
	in := instAt(w.Func, w.Pos)
	switch {
	case in != nil && in.Op == isa.OpReduce:
		return fmt.Sprintf(" for card %d's bytes", f.late.card)
	case in != nil && in.Op == isa.OpSyncNVLink:
		return fmt.Sprintf(" for card %d's arrival", f.late.card)
	}
	return fmt.Sprintf(" for card %d", f.late.card)
}

func sameLine(w *vm.WaitResult, o *vm.OperatorResult) bool { return w.Func == o.Func && w.Pos == o.Pos }

// skewAt reports whether some card lost a noticeable time to skew at an operator's line.
func (f *figures) skewAt(o *vm.OperatorResult) bool {
	for i := range f.r.Waits {
		w := &f.r.Waits[i]
		if isSkew(*w) && sameLine(w, o) && float64(w.Worst) >= noticeable*float64(f.r.Total) {
			return true
		}
	}
	return false
}

// criticalPath follows the late card's work and its bytes to the end.
func (f *figures) criticalPath() []string {
	l := f.late
	if l == nil || f.sync == nil && f.copy == nil {
		return nil
	}
	steps := []string{}
	if busy := f.busyOf(l.card); busy > 0 {
		steps = append(steps, fmt.Sprintf("card %d mma %s", l.card, thousands(busy)))
	} else if l.work != "" {
		steps = append(steps, fmt.Sprintf("card %d, %s, %s", l.card, l.work, thousands(f.groups[l.card][ledger.Local])))
	} else {
		steps = append(steps, fmt.Sprintf("card %d's later start %s", l.card, thousands(l.cycles)))
	}
	if f.copy != nil {
		steps = append(steps, "its copy "+thousands(f.copyCycles()/f.collectives))
	}
	if f.reduce != nil {
		receiver := 0
		if l.card == 0 {
			receiver = 1
		}
		steps = append(steps, fmt.Sprintf("card %d reduce %s", receiver, thousands(f.reduce.Cycles/f.collectives)))
	}
	if f.sync != nil {
		steps = append(steps, "barrier "+thousands(f.barrier))
	}
	return labelled("Critical path", strings.Join(steps, " > "))
}

// busyOf is the time a card's Tensor Cores worked, per SM that had work for them.
func (f *figures) busyOf(card int) uint64 {
	for _, c := range f.r.Tensor.PerCard {
		if c.Card == card && f.r.Total > 0 && c.SMCycles >= f.r.Total {
			return c.Busy / (c.SMCycles / f.r.Total)
		}
	}
	return 0
}
