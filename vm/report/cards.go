package report

import (
	"fmt"
	"slices"

	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

const (
	// maxRows is the number of rows of the card table; what goes beyond is averaged in the last one.
	maxRows = 4
	// alike is the part of the run by which the columns of cards that share a row may differ.
	alike = 0.001
)

// row is one row of the card table: cards whose columns are equal, or nearly so.
type row struct {
	cards  []int
	groups [ledger.NumGroups]uint64 // of the first card; of a mean row the rounded mean
	late   bool
	near   bool // not quite equal
	mean   bool
}

// rows groups the cards. The late card stands alone and first.
func (f *figures) rows() []row {
	tolerance := uint64(float64(f.r.Total) * alike)
	var rows []row
	if f.late != nil {
		rows = append(rows, row{cards: []int{f.late.card}, groups: f.groups[f.late.card], late: true})
	}
	for card, groups := range f.groups {
		if f.late != nil && card == f.late.card {
			continue
		}
		i := slices.IndexFunc(rows, func(r row) bool { return !r.late && near(r.groups, groups, tolerance) })
		if i < 0 {
			rows = append(rows, row{cards: []int{card}, groups: groups})
			continue
		}
		rows[i].cards = append(rows[i].cards, card)
		rows[i].near = rows[i].near || rows[i].groups != groups
	}
	if len(rows) > maxRows {
		rows = append(rows[:maxRows-1:maxRows-1], f.meanRow(rows[maxRows-1:]))
	}
	return rows
}

// meanRow is the mean over the cards of several rows.
func (f *figures) meanRow(rows []row) row {
	var all row
	all.mean = true
	for _, r := range rows {
		all.cards = append(all.cards, r.cards...)
	}
	slices.Sort(all.cards)
	for g := range all.groups {
		var sum uint64
		for _, card := range all.cards {
			sum += f.groups[card][g]
		}
		all.groups[g] = sum / uint64(len(all.cards))
	}
	return all
}

// near reports whether no column differs by more than the tolerance.
func near(a, b [ledger.NumGroups]uint64, tolerance uint64) bool {
	for g := range a {
		if max(a[g], b[g])-min(a[g], b[g]) > tolerance {
			return false
		}
	}
	return true
}

// label is the row's first cell: "0-4,6,7", "5  LATE", "0-7 ~" for cards that are nearly equal.
func (r row) label() string {
	s := cardList(r.cards)
	switch {
	case r.late:
		return s + "  LATE"
	case r.mean:
		return s + " mean"
	case r.near:
		return s + " ~"
	}
	return s
}

// cardTable is one row a card by group, equal cards together.
func (f *figures) cardTable() []string {
	columns := []column{{"card", 6}}
	for _, name := range ledger.GroupNames() {
		columns = append(columns, column{name, 7})
	}
	columns = append(columns, column{"total cycles", 0}, column{"us", 7})
	var cells [][]string
	for _, r := range f.rows() {
		line := []string{r.label()}
		for _, n := range r.groups {
			line = append(line, thousands(n))
		}
		line = append(line, thousands(f.r.Total), fmt.Sprintf("%.1f", micros(f.r.Total, f.clock)))
		cells = append(cells, line)
	}
	return table(columns, cells)
}
