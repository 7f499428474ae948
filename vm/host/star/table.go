package star

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tollgate-sim/tollgate/vm/host"
)

// MachineTable is a line for each machine of a program: what it is, how long it ran, what it lost to its links.
func MachineTable(machines []*host.Outcome) [][]string {
	rows := [][]string{{"machine", "what", "cards", "cycles", "us", "Loss_nv", "result"}}
	for _, m := range machines {
		r := m.Result
		loss := "-"
		if r.Local != nil && r.Local.SameResults && r.Local.Total > 0 {
			loss = fmt.Sprintf("%.1f %%", 100*(float64(r.Total)-float64(r.Local.Total))/float64(r.Local.Total))
		}
		rows = append(rows, []string{m.Name, r.Machine.Name, strconv.Itoa(len(r.Cards)), grouped(r.Total),
			fmt.Sprintf("%.1f", microseconds(r.Total, r.Machine.ClockMHz)), loss, m.Results})
	}
	return rows
}

// grouped prints a number with commas.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	var b strings.Builder
	for i, digit := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}
