package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// Section is a part of the report that answers one question.
type Section string

// The sections, in the order in which they are printed.
const (
	Summary    Section = "summary"    // the report of at most MaxLines lines
	LedgerOf   Section = "ledger"     // every entry of every card
	Barriers   Section = "barriers"   // who waits how long at which barrier, and for whom
	Links      Section = "links"      // what the ports moved, how full they were, how long bytes queued
	Stragglers Section = "stragglers" // own work against waits, the card that the others waited for first
	Tensor     Section = "tensor"     // what the Tensor Cores did on each card
	Numerics   Section = "numerics"   // the sums in other orders of summation
)

// Sections returns all sections in order.
func Sections() []Section {
	return []Section{Summary, LedgerOf, Barriers, Links, Stragglers, Tensor, Numerics}
}

// ParseSections reads a list of sections, "barriers,links"; "all" stands for all of them.
func ParseSections(text string) ([]Section, error) {
	var list []Section
	for _, word := range strings.Split(text, ",") {
		s := Section(strings.TrimSpace(word))
		switch {
		case s == "all":
			list = append(list, Sections()...)
		case slices.Contains(Sections(), s):
			list = append(list, s)
		default:
			return nil, fmt.Errorf("%q is no part of the report: it is some of summary, ledger, barriers, links, stragglers, tensor, numerics, or all", word)
		}
	}
	return slices.DeleteFunc(Sections(), func(s Section) bool { return !slices.Contains(list, s) }), nil
}

// sectionForms say how each section is printed: as lines, and as what JSON holds.
var sectionForms = map[Section]struct {
	text   func(*figures, Options) []string
	object func(*figures, Options) any
}{
	Summary:    {func(f *figures, opt Options) []string { return f.page(opt) }, nil},
	LedgerOf:   {func(f *figures, _ Options) []string { return cardSheet(f.r) }, nil},
	Barriers:   {(*figures).barrierSection, (*figures).barrierObjects},
	Links:      {(*figures).linkSection, (*figures).linkObjects},
	Stragglers: {(*figures).stragglerSection, (*figures).stragglerObjects},
	Tensor:     {(*figures).tensorSection, (*figures).tensorObjects},
	Numerics:   {(*figures).numericsSection, (*figures).numericsObjects},
}

// sections prints the chosen ones under the run's title. A summary has its own.
func (f *figures) sections(opt Options) []string {
	var page []string
	if !slices.Contains(opt.Sections, Summary) {
		page = f.title(opt)
	}
	for _, s := range opt.Sections {
		if len(page) > 0 {
			page = append(page, "")
		}
		page = append(page, sectionForms[s].text(f, opt)...)
	}
	return page
}

// sectionObjects are the chosen sections by name; summary and ledger are in the report's object already.
func (f *figures) sectionObjects(opt Options) object {
	o := object{}
	for _, s := range opt.Sections {
		if form := sectionForms[s].object; form != nil {
			o[string(s)] = form(f, opt)
		}
	}
	return o
}

// alikeCards joins cards of which a row's cells are the same. It keeps the order of their first cards.
func alikeCards(cards []int, cells func(i int) []string) (rows [][]string) {
	var members [][]int
	for i, card := range cards {
		row := cells(i)
		at := slices.IndexFunc(rows, func(r []string) bool { return slices.Equal(r[1:], row) })
		if at < 0 {
			rows = append(rows, append([]string{""}, row...))
			members = append(members, []int{card})
			continue
		}
		members[at] = append(members[at], card)
	}
	for i := range rows {
		slices.Sort(members[i])
		rows[i][0] = cardList(members[i])
	}
	return rows
}

// collective is what a run's kernels do together, as nccl-tests names it, for algbw and busbw.
type collective struct {
	name   string
	factor func(n float64) float64 // busbw ÷ algbw on n cards
}

// collectives are those of nccl-tests, with its factors (doc/PERFORMANCE.md there). Sizes are nccl-tests' too: of
// all-gather and reduce-scatter that of the whole, on all cards together.
var collectives = []collective{
	{"all-reduce", func(n float64) float64 { return 2 * (n - 1) / n }},
	{"all-gather", func(n float64) float64 { return (n - 1) / n }},
	{"reduce-scatter", func(n float64) float64 { return (n - 1) / n }},
	{"all-to-all", func(n float64) float64 { return (n - 1) / n }},
	{"broadcast", func(float64) float64 { return 1 }},
	{"reduce", func(float64) float64 { return 1 }},
}

// Collective says what a run's kernels do together and on how many bytes, where they do not say it themselves.
type Collective struct {
	Kind  string
	Bytes uint64
}

// ParseCollective reads "all-reduce:2MiB".
func ParseCollective(text string) (c Collective, err error) {
	kind, size, _ := strings.Cut(text, ":")
	if collectiveNamed(kind) == nil {
		return c, fmt.Errorf("%q is no collective: %s", kind, strings.Join(CollectiveKinds(), ", "))
	}
	bytes, unit := uint64(0), ""
	if n, err := fmt.Sscanf(size, "%d%s", &bytes, &unit); n == 0 || bytes == 0 || err != nil && n == 1 && unit != "" {
		return c, fmt.Errorf("%s needs the bytes it is done on, as in %s:2MiB", kind, kind)
	}
	shift, ok := map[string]int{"": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30}[unit]
	if !ok || bytes > 1<<(50-shift) {
		return c, fmt.Errorf("%q is no size: bytes, or KiB, MiB, GiB", size)
	}
	return Collective{kind, bytes << shift}, nil
}

// CollectiveKinds returns the kinds that ParseCollective knows.
func CollectiveKinds() (names []string) {
	for _, c := range collectives {
		names = append(names, c.name)
	}
	return names
}

func collectiveNamed(name string) *collective {
	i := slices.IndexFunc(collectives, func(c collective) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return &collectives[i]
}

// mostIn is the line of a function that took most but for waits that other cards or the gate ended; nil if none is known.
func (f *figures) mostIn(name string) *vm.WaitResult {
	for i := range f.r.Waits {
		w := &f.r.Waits[i]
		e := ledger.Entry(w.Entry)
		if w.Func != nil && w.Func.Name == name && e != ledger.Skew && e != ledger.Barrier && !e.Blocked() {
			return w
		}
	}
	return nil
}
