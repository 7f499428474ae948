package report

import (
	"cmp"
	"slices"

	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// straggler sets one card's own work against its waits.
type straggler struct {
	card   int
	own    uint64 // local work
	groups [ledger.NumGroups]uint64
	cost   uint64 // what other cards lost waiting for it
}

// stragglers are the cards, the one that the others waited for most first, then by own work.
func (f *figures) stragglers() []straggler {
	var list []straggler
	for i, g := range f.groups {
		s := straggler{card: f.r.Cards[i].Card, own: g[ledger.Local], groups: g}
		for _, row := range f.r.WaitedFor {
			if i < len(row) {
				s.cost += row[i]
			}
		}
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b straggler) int { return cmp.Or(cmp.Compare(b.cost, a.cost), cmp.Compare(b.own, a.own)) })
	return list
}

// stragglerSection lists own work against waits, culprit first.
func (f *figures) stragglerSection(Options) []string {
	list := f.stragglers()
	columns := []column{{"card", 9}, {"own work", 9}, {"of the run", 10}, {"waits", 9}, {"skew", 9}, {"copy", 9}, {"interruption", 12}, {"contention", 10}, {"host", 7}, {"cost others", 11}}
	var rows [][]string
	for _, s := range list {
		g := s.groups
		waits := g[ledger.SkewGroup] + g[ledger.CopyGroup] + g[ledger.Interruption] + g[ledger.ContentionGroup]
		name := cardList([]int{s.card})
		if f.late != nil && f.late.card == s.card {
			name += "  LATE"
		}
		rows = append(rows, []string{name, thousands(s.own), percent1(ratio(s.own, f.r.Total)), thousands(waits), thousands(g[ledger.SkewGroup]), thousands(g[ledger.CopyGroup]),
			thousands(g[ledger.Interruption]), thousands(g[ledger.ContentionGroup]), thousands(g[ledger.Host]), thousands(s.cost)})
	}
	lines := table(columns, rows)
	lines = append(lines, note("waits = skew + copy + interruption + contention; cost others: cycles that other cards lost to skew because this card came last.")...)
	switch {
	case f.late == nil:
		lines = append(lines, labelled("Late card", "none: no card lost 1 % of the run waiting for another")...)
	default:
		lines = append(lines, f.lateCard()...)
		lines = append(lines, f.whoWaits()...)
		if t := f.likeMedian(); t > 0 {
			lines = append(lines, f.whatIf()...)
		}
	}
	return lines
}

func (f *figures) stragglerObjects(Options) any {
	list := []object{}
	for _, s := range f.stragglers() {
		list = append(list, object{"card": s.card, "own_work": s.own, "skew": s.groups[ledger.SkewGroup], "copy": s.groups[ledger.CopyGroup],
			"interruption": s.groups[ledger.Interruption], "contention": s.groups[ledger.ContentionGroup], "host": s.groups[ledger.Host],
			"cost_others": s.cost, "late": f.late != nil && f.late.card == s.card})
	}
	return list
}
