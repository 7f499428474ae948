package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tollgate-sim/tollgate/vm"
)

// barrierSection lists the waits at each barrier: how many, how long, and who came last.
func (f *figures) barrierSection(Options) []string {
	if len(f.r.Barriers) == 0 {
		return labelled("Barriers", "no card waited for another at sync.nvlink or at a flag in memory")
	}
	columns := []column{{"barrier", 24}, {"cards", 5}, {"waits", 6}, {"mean", 9}, {"longest", 9}, {"mma lost", 9}, {"last arriver", words}}
	var rows [][]string
	for i := range f.r.Barriers {
		b := &f.r.Barriers[i]
		var cards []int
		for _, c := range b.Cards {
			cards = append(cards, c.Card)
		}
		for n, row := range alikeCards(cards, func(i int) []string {
			c := b.Cards[i]
			return []string{thousands(c.Count), thousands(round(ratio(c.Cycles, c.Count))), thousands(c.Longest), thousands(c.Lost)}
		}) {
			name, last := "", ""
			if n == 0 {
				name, last = f.barrierName(b), arrivers(b)
			}
			rows = append(rows, slices.Concat([]string{name}, row, []string{last}))
		}
	}
	lines := table(columns, rows)
	text := "Cycles a wait takes from the card's own arrival to its release; mma lost: SM-cycles in which an mma stood behind the gate for it. Of cards that come in the same cycle the highest counts as the last."
	if slices.ContainsFunc(f.r.Barriers, func(b vm.BarrierResult) bool { return b.Flag }) {
		text += " A flag's waits are those that found it not set, from the first poll in vain on, of every warp that polls."
	}
	return append(lines, note(text)...)
}

// barrierName is ":10 sync.nvlink", or ":34 flag ld.acquire.sys.u32".
func (f *figures) barrierName(b *vm.BarrierResult) string {
	name := f.at(b.Func, b.Pos)
	if b.Flag {
		name += " flag"
	}
	if in := instAt(b.Func, b.Pos); in != nil {
		name += " " + in.Spelling()
	}
	return name
}

// arrivers names the cards that ended most waits: "card 5: 7 of 448, card 7: 441".
func arrivers(b *vm.BarrierResult) string {
	var cards []int
	var sum uint64
	for card, n := range b.By {
		if sum += n; n > 0 {
			cards = append(cards, card)
		}
	}
	slices.SortStableFunc(cards, func(x, y int) int { return int(b.By[y]) - int(b.By[x]) })
	const most = 3
	var parts []string
	for i, card := range cards {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d more", len(cards)-most))
			break
		}
		s := fmt.Sprintf("card %d %s", card, thousands(b.By[card]))
		if i == 0 {
			s += " of " + thousands(sum)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

func (f *figures) barrierObjects(Options) any {
	list := []object{}
	for i := range f.r.Barriers {
		b := &f.r.Barriers[i]
		o := place(b.Func, b.Pos)
		cards := []object{}
		for _, c := range b.Cards {
			cards = append(cards, object{"card": c.Card, "count": c.Count, "cycles": c.Cycles, "mean": ratio(c.Cycles, c.Count),
				"longest": c.Longest, "tensor_cycles_lost": c.Lost})
		}
		maps.Copy(o, object{"kind": map[bool]string{false: "sync.nvlink", true: "flag"}[b.Flag], "cards": cards, "last_arriver": b.By})
		list = append(list, o)
	}
	return list
}
