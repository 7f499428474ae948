package star

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tollgate-sim/tollgate/vm/host"
)

// Figures prints what a program has beside the report of its one machine: where it made several a line for each, and
// what it measured.
func Figures(out *host.Outcome) string {
	var b strings.Builder
	if len(out.Machines) > 0 {
		b.WriteString("\n")
		columns(&b, machineRows(out.Machines), func(column int) bool { return column >= 1 && column <= 4 })
	}
	if len(out.Metrics) > 0 {
		b.WriteString("\n")
		width := 0
		for _, m := range out.Metrics {
			width = max(width, len([]rune(m.Name)))
		}
		for _, m := range out.Metrics {
			fmt.Fprintf(&b, "%-*s = %s\n", width, m.Name, m.Value)
		}
	}
	return b.String()
}

// machineRows is a line for each machine: what it is, how long it ran, what it lost to its links.
func machineRows(machines []*host.Outcome) [][]string {
	rows := [][]string{{"machine", "cards", "cycles", "us", "Loss_nv", "what", "result"}}
	for _, m := range machines {
		r := m.Result
		row := []string{m.Name, strconv.Itoa(len(r.Cards)), "-", "-", "-", r.Machine.Name, m.Results}
		if !r.Functional {
			row[2], row[3] = grouped(r.Total), fmt.Sprintf("%.1f", microseconds(r.Total, r.Machine.ClockMHz))
		}
		if r.Local != nil && r.Local.SameResults && r.Local.Total > 0 {
			row[4] = lossText((float64(r.Total) - float64(r.Local.Total)) / float64(r.Local.Total))
		}
		rows = append(rows, row)
	}
	return rows
}

// lossText prints a loss in percent, from 1000 % on as a factor.
func lossText(loss float64) string {
	if loss >= 10 {
		return fmt.Sprintf("%.1f x", loss)
	}
	return fmt.Sprintf("%.1f %%", 100*loss)
}

// columns prints rows in columns, some of them set to the right.
func columns(b *strings.Builder, rows [][]string, right func(column int) bool) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if right(i) {
				cell = space + cell
			} else {
				cell += space
			}
			line += cell + "  "
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// grouped prints a number with commas.
func grouped(n uint64) string { return groupDigits(strconv.FormatUint(n, 10)) }

func groupDigits(s string) string {
	var b strings.Builder
	for i, digit := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}
