package report

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// tensorSection says what the Tensor Cores did on each card, and what blocked them.
func (f *figures) tensorSection(Options) []string {
	t := f.r.Tensor
	if t.SMCycles == 0 {
		return labelled("Tensor Cores", "no launch reaches an mma")
	}
	var cards []int
	for _, c := range t.PerCard {
		cards = append(cards, c.Card)
	}
	columns := []column{{"cards", 6}, {"SM-cycles", 11}, {"busy", 7}, {"blocked", 7}, {"gate shut, no mma", 17}, {"idle", 7}, {"TFLOP/s", 8}, {"of peak while busy", 0}}
	lines := table(columns, alikeCards(cards, func(i int) []string {
		c := t.PerCard[i]
		p := func(n uint64) string { return percent1(ratio(n, c.SMCycles)) }
		return []string{thousands(c.SMCycles), p(c.Busy), p(c.Waiting), p(shutIdle(c)), p(tensorIdle(c)), fmt.Sprintf("%.1f", f.teraflops(c)), percent(f.ofTensorPeak(c))}
	}))
	if rows := f.blockedRows(); len(rows) > 0 {
		lines = append(lines, "")
		lines = append(lines, table([]column{{"blocked for", 22}, {"SM-cycles", 11}, {"of blocked", 0}}, rows)...)
	}
	return append(lines, note("Percent of the cycles of the SMs that had a CTA which reaches an mma. Blocked: an mma was ready and the gate shut or the pipeline refilling. "+
		"That operators stop Tensor Cores is the article's rule (tollgate explain gate).")...)
}

func shutIdle(c vm.TensorCard) uint64 { return c.Shut - min(c.Shut, c.Waiting) }

func tensorIdle(c vm.TensorCard) uint64 {
	return c.SMCycles - min(c.SMCycles, c.Busy+c.Waiting+shutIdle(c))
}

// teraflops is the mean rate of a card's mma over the run.
func (f *figures) teraflops(c vm.TensorCard) float64 {
	return rate(c.Flops, f.r.Total, f.clock) / 1000
}

func (f *figures) ofTensorPeak(c vm.TensorCard) float64 {
	return ratio(c.Flops, c.Busy*uint64(f.r.Machine.Card.TensorFlops))
}

// blockedRows divides the blocked SM-cycles of all cards by what the gate waited for, and its barriers by line.
func (f *figures) blockedRows() (rows [][]string) {
	var sums vm.Sheet
	for _, s := range f.r.SMs {
		for e, n := range s.Sheet {
			sums[e] += n
		}
	}
	total := blockedCycles(sums)
	add := func(name string, n uint64) {
		if n > 0 {
			rows = append(rows, []string{name, thousands(n), percent(ratio(n, total))})
		}
	}
	for e := ledger.BlockedCopy; e <= ledger.BlockedRefill; e++ {
		add(e.String(), sums[e])
	}
	for i := range f.r.Barriers {
		b := &f.r.Barriers[i]
		var lost uint64
		for _, c := range b.Cards {
			lost += c.Lost
		}
		add("  of it at "+f.barrierName(b), lost)
	}
	return rows
}

func (f *figures) tensorObjects(Options) any {
	list := []object{}
	for _, c := range f.r.Tensor.PerCard {
		list = append(list, object{"card": c.Card, "sm_cycles": c.SMCycles, "busy": c.Busy, "blocked": c.Waiting, "gate_shut_idle": shutIdle(c),
			"idle": tensorIdle(c), "teraflops": f.teraflops(c), "of_peak_while_busy": f.ofTensorPeak(c)})
	}
	return list
}
