// Package report turns a run's result into text and JSON.
//
// The text is at most 25 lines: what ran and what came out, a row a card, what the Tensor Cores did and why
// they stood, the article's formulas with their inputs filled in, and one sentence that names the top cause.
// Every figure is modelled, and the title says so.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
)

// MaxLines is the length of a report without its ledger.
const MaxLines = 25

// Ledger chooses the sheet that is printed below the report.
type Ledger string

// The sheets.
const (
	NoLedger   Ledger = ""
	CardLedger Ledger = "card" // every entry of every card
	SMLedger   Ledger = "sm"   // every entry of every SM that received a CTA
)

// Options say what a result can't know.
type Options struct {
	Program string // what ran, as the user called it: "tollgate demo", "vecadd.ptx"
	Title   string // what it is, in a phrase; may be empty
	Outcome string // what came out: "result exact on 8 of 8 cards"; may be empty
	Ledger  Ledger
	// Sections are what is printed; none: the summary alone.
	Sections []Section
	// Collective says what kernels in real PTX do together, for algbw and busbw; zero: not known.
	Collective Collective
	Extra      map[string]any // JSON: further members of the object (buffers, checks); names of the report win
}

// Text prints the report of a run.
func Text(w io.Writer, r *vm.Result, opt Options) error {
	if r.Functional {
		return write(w, functional(r, opt))
	}
	f := derive(r)
	if len(opt.Sections) == 0 {
		opt.Sections = []Section{Summary}
	}
	page := f.sections(opt)
	switch opt.Ledger {
	case CardLedger:
		page = append(page, "")
		page = append(page, cardSheet(r)...)
	case SMLedger:
		page = append(page, "")
		page = append(page, smSheet(r)...)
	}
	return write(w, page)
}

// Golden is the text of a golden file's cycles section: the report and the card sheet, without the host's time,
// which differs from run to run.
func Golden(r *vm.Result, opt Options) string {
	still := *r
	still.Host = 0
	opt.Ledger = CardLedger
	var b strings.Builder
	_ = Text(&b, &still, opt) // a strings.Builder takes everything
	return b.String()
}

// functional is the whole report of a run without a clock: what ran, what came out, what it took.
func functional(r *vm.Result, opt Options) []string {
	f := &figures{r: r, main: mainSource(r)}
	page := []string{head(opt) + fmt.Sprintf("%s, functional: no clock", f.cardsOf())}
	if s := f.outcome(opt); s != "" {
		page = append(page, s)
	}
	page = append(page, f.warnings(maxWarnings, false)...)
	return append(page, f.counts()...)
}

// mostSpare is the highest part.spare.
const mostSpare = 9

// part is a few lines of the report, and how early it makes room when the page is full: 0 never.
type part struct {
	lines []string
	spare int
}

// page puts the report together, leaving out what can be spared until it fits.
func (f *figures) page(opt Options) []string {
	parts := []part{{lines: f.title(opt)}, {lines: []string{""}}, {lines: f.cardTable()}, {lines: []string{""}}}
	why := f.whyBlocked()
	first := min(len(why), 3)
	upper := []part{
		{lines: f.lateCard()},
		{lines: f.whoWaits(), spare: 1},
		{lines: f.tensorCores()},
		{lines: why[:first]},
		{lines: why[first:], spare: 2},
		{lines: f.criticalPath(), spare: 5},
		{lines: f.linksLine(), spare: 7},
	}
	lower := []part{
		{lines: f.loss()},
		{lines: f.syncTime()},
		{lines: f.syncRemark(), spare: 9},
		{lines: f.coefficient(), spare: 4},
		{lines: f.openGate()},
		{lines: f.realGPUs(), spare: 6},
		{lines: f.whatIf(), spare: 3},
		{lines: f.topCause()},
	}
	parts = append(parts, upper...)
	if count(upper) > 0 {
		parts = append(parts, part{lines: []string{""}})
	}
	parts = append(parts, lower...)
	last := part{lines: f.counts()}
	all := f.warnings(maxWarnings, false)
	if whole := append(slices.Clip(parts), part{lines: all}, last); count(whole) > MaxLines {
		all = f.warnings(1, true)
	}
	return fit(append(parts, part{lines: all}, last))
}

// title is what ran, and what came out.
func (f *figures) title(opt Options) []string {
	title := []string{head(opt) + fmt.Sprintf("%s (modelled), %s GHz", f.cardsOf(), ghz(f.r.Machine.ClockMHz))}
	if s := f.outcome(opt); s != "" {
		title = append(title, s)
	}
	return title
}

func count(parts []part) (n int) {
	for _, p := range parts {
		n += len(p.lines)
	}
	return n
}

// fit joins the parts, the most spareable ones left out first until the page has MaxLines lines.
func fit(parts []part) []string {
	for spare := mostSpare; spare > 0 && count(parts) > MaxLines; spare-- {
		for i := range parts {
			if parts[i].spare == spare {
				parts[i].lines = nil
			}
		}
	}
	var page []string
	for _, p := range parts {
		page = append(page, p.lines...)
	}
	return page
}

// head is the start of the title: the program and, where there is one, its title.
func head(opt Options) string {
	switch {
	case opt.Program == "":
		return ""
	case opt.Title == "":
		return opt.Program + ": "
	}
	return opt.Program + ": " + opt.Title + ", "
}

// cardsOf is "8 x h200-sxm".
func (f *figures) cardsOf() string {
	return fmt.Sprintf("%d x %s", len(f.r.Cards), f.r.Machine.Name)
}

// outcome is the line about results: the payload of the collective, if there was one, and what the checks said.
func (f *figures) outcome(opt Options) string {
	payload := f.payloadLine()
	switch {
	case payload == "":
		return opt.Outcome
	case opt.Outcome == "":
		return payload
	}
	// A case file's outcome may name the size of its first buffer, which the payload says too.
	outcome := opt.Outcome
	if _, rest, found := strings.Cut(outcome, " a card; "); found {
		outcome = rest
	}
	return payload + "; " + outcome + f.orderOfSum()
}

// maxWarnings is the number of warnings that a report with room for them shows.
const maxWarnings = 3

// warnings are the first of the run's warnings and how many more there are; short keeps each to one line.
func (f *figures) warnings(most int, short bool) []string {
	list := f.r.Warnings
	if n := f.r.Counts.UninitReads; n > 0 {
		list = append(list[:len(list):len(list)], vm.Warning{Message: plural(n, "byte") + " read that were never written"})
	}
	var lines []string
	for i, warning := range list {
		if i == most {
			more := fmt.Sprintf("and %d more, --json lists them", len(list)-most)
			return append(lines, labelled("", more)...)
		}
		text := warning.Message
		if warning.Func != nil {
			text = f.at(warning.Func, warning.Pos) + " " + text
		}
		whole := labelled("Warning", text)
		if short && len(whole) > 1 {
			whole = []string{whole[0] + " …"}
		}
		lines = append(lines, whole...)
	}
	return lines
}

// counts is the last line: what was executed, how long the host took, and the ratio; a host time of 0 is not known.
func (f *figures) counts() []string {
	c, seconds := f.r.Counts, f.r.Host.Seconds()
	text := plural(c.ThreadInstructions, "thread instruction")
	if seconds > 0 {
		text += fmt.Sprintf(" in %.3g s of host time: %s", seconds, perTime(float64(c.ThreadInstructions)/seconds))
	}
	return labelled("Simulation", text)
}

// mainSource is the file that lines without a name belong to: that of the operators, else the first one waited in.
func mainSource(r *vm.Result) *isa.Source {
	for i := range r.Operators {
		if fn := r.Operators[i].Func; fn != nil {
			return fn.Source
		}
	}
	for i := range r.Waits {
		if fn := r.Waits[i].Func; fn != nil {
			return fn.Source
		}
	}
	return nil
}

func write(w io.Writer, lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
