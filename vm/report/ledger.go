package report

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// cardSheet prints every entry of every card, an entry a row. Entries that no card has are left out.
func cardSheet(r *vm.Result) []string {
	heads := make([]string, len(r.Cards))
	sheets := make([]vm.Sheet, len(r.Cards))
	for i, c := range r.Cards {
		heads[i], sheets[i] = fmt.Sprintf("card %d", c.Card), c.Sheet
	}
	return sheetTable("card sheet", heads, sheets)
}

// smSheet prints every entry of every SM that received a CTA, an entry a row.
func smSheet(r *vm.Result) []string {
	const across = 8
	var lines []string
	for i := 0; i < len(r.SMs); i += across {
		part := r.SMs[i:min(i+across, len(r.SMs))]
		heads := make([]string, len(part))
		sheets := make([]vm.Sheet, len(part))
		for j, s := range part {
			heads[j], sheets[j] = fmt.Sprintf("%d/SM %d", s.Card, s.SM), s.Sheet
		}
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, sheetTable("SM sheet", heads, sheets)...)
	}
	return lines
}

// sheetTable is one column a sheet and one row an entry that occurs, with the sum below.
func sheetTable(name string, heads []string, sheets []vm.Sheet) []string {
	columns := []column{{name, 22}, {"group", 12}}
	for _, h := range heads {
		columns = append(columns, column{h, 9})
	}
	var rows [][]string
	sums := make([]uint64, len(sheets))
	for e := ledger.Entry(0); e < ledger.NumEntries; e++ {
		line := []string{e.String(), e.Group().String()}
		var any uint64
		for i := range sheets {
			n := sheets[i][e]
			any += n
			sums[i] += n
			line = append(line, thousands(n))
		}
		if any > 0 {
			rows = append(rows, line)
		}
	}
	total := []string{"sum", ""}
	for _, n := range sums {
		total = append(total, thousands(n))
	}
	return table(columns, append(rows, total))
}
