package parser

import (
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"
	"unicode"

	"github.com/tollgate-sim/tollgate/isa"
)

// Severity says how bad a Diagnostic is.
type Severity uint8

// The severities.
const (
	Error   Severity = iota // the module can't be used
	Warning                 // suspicious, or refused by other tools
	Note                    // the article's dialect, and how PTX spells it
)

// String returns the word that messages use.
func (s Severity) String() string { return [...]string{"error", "warning", "note"}[s] }

// MarshalText gives JSON the same word.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// The codes of diagnostics. A note on the article's dialect has its row of the design, D1 to D10.
const (
	codeSyntax    = "syntax"
	codeUnknown   = "unknown-instruction"
	codeUndefined = "undefined-symbol"
	codeDuplicate = "duplicate"
	codeType      = "type"
	codeArgument  = "argument-mismatch"
	codeRange     = "range"
	codeAlignment = "alignment"
	codeSpace     = "address-space"
	codeVersion   = "version"
	codeOther     = "other"
)

// sections is where the PTX ISA has the rules that mistakes of a kind break, for those that name no section of their own.
var sections = map[string]string{
	codeSyntax:        "Syntax: Statements",
	codeUnknown:       "Syntax: Instruction Statements",
	codeUndefined:     "Syntax: Identifiers",
	codeDuplicate:     "Syntax: Identifiers",
	codeType:          "State Spaces, Types, and Variables: Types",
	codeArgument:      "Instruction Operands",
	codeRange:         "State Spaces, Types, and Variables: Variables",
	codeAlignment:     "Variables: Alignment",
	codeSpace:         "State Spaces, Types, and Variables: State Spaces",
	codeVersion:       "PTX Module Directives: .version",
	codeOther:         "Directives",
	"ascii":           "Syntax: Source Format",
	isa.CodeModifiers: "Instruction Set",
	isa.CodeVersion:   "PTX Module Directives: .version",
	isa.CodeTarget:    "PTX Module Directives: .target",
}

// Diagnostic is one message about a place in a source.
type Diagnostic struct {
	Severity Severity
	Code     string // D1 to D10, or the kind of mistake: syntax, type, undefined-symbol, ...
	Source   *isa.Source
	Pos      isa.Pos
	End      isa.Pos // one past the last byte meant; at least Pos
	Message  string
	Hint     string
	Section  string // of the PTX ISA, or ""

	lenient bool // ptxas refuses this; Options.Strict makes it an error
}

// MarshalJSON writes severity, code, file, line, column, end_column, message, hint and section.
func (d Diagnostic) MarshalJSON() ([]byte, error) {
	line, column, end := d.place()
	var file string
	if d.Source != nil {
		file = d.Source.Name
	}
	return json.Marshal(struct {
		Severity  Severity `json:"severity"`
		Code      string   `json:"code"`
		File      string   `json:"file"`
		Line      int      `json:"line"`
		Column    int      `json:"column"`
		EndColumn int      `json:"end_column"`
		Message   string   `json:"message"`
		Hint      string   `json:"hint,omitempty"`
		Section   string   `json:"section,omitempty"`
	}{d.Severity, d.Code, file, line, column, end, d.Message, d.Hint, d.Section})
}

// place returns the line, the first column and the column after the last character, all from 1.
func (d Diagnostic) place() (line, column, end int) {
	line, column = d.Source.LineCol(d.Pos)
	end = column + 1
	if l, c := d.Source.LineCol(d.End); l == line && c > column {
		end = c
	}
	return line, column, end
}

// String returns the message as its first line is printed.
func (d Diagnostic) String() string {
	text := fmt.Sprintf("%s: %s: %s", d.Source.At(d.Pos), d.Severity, d.Message)
	if len(d.Code) > 1 && d.Code[0] == 'D' {
		text += " [" + d.Code + "]"
	}
	return text
}

// Diagnostics are messages in the order of their places.
type Diagnostics []Diagnostic

// HasErrors reports whether the module can't be used.
func (ds Diagnostics) HasErrors() bool { return ds.Count(Error) > 0 }

// Count returns how many have that severity.
func (ds Diagnostics) Count(severity Severity) int {
	n := 0
	for _, d := range ds {
		if d.Severity == severity {
			n++
		}
	}
	return n
}

// DefaultMaxPrinted is how many errors Write prints when it is not told.
const DefaultMaxPrinted = 20

// Write prints each message with its source line, a caret under the place, the hint and the section of the ISA:
// the first maxErrors errors (0: 20; below 0: all), and how many more there are. The first error of an unreadable
// writer is returned.
func (ds Diagnostics) Write(w io.Writer, maxErrors int) error {
	if maxErrors == 0 {
		maxErrors = DefaultMaxPrinted
	}
	errors := 0
	for _, d := range ds {
		if d.Severity == Error {
			if errors++; maxErrors >= 0 && errors > maxErrors {
				continue
			}
		}
		if _, err := io.WriteString(w, d.text()); err != nil {
			return err
		}
	}
	if more := errors - maxErrors; maxErrors >= 0 && more > 0 {
		_, err := fmt.Fprintf(w, "%s not shown\n", plural(more, "more error"))
		return err
	}
	return nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (d Diagnostic) text() string {
	var b strings.Builder
	fmt.Fprintln(&b, d)
	if line, column, end := d.place(); line > 0 {
		if text := d.Source.Line(line); strings.TrimSpace(text) != "" {
			shown, caret := underline(text, column, end)
			fmt.Fprintf(&b, "  %s\n  %s\n", shown, caret)
		}
	}
	if d.Hint != "" {
		fmt.Fprintf(&b, "  hint: %s\n", d.Hint)
	}
	if d.Section != "" {
		fmt.Fprintf(&b, "  see:  PTX ISA, %s\n", d.Section)
	}
	return b.String()
}

// longestShown bounds the columns of a source line that are printed; longer lines are cut around the place.
const longestShown = 160

// underline returns a source line and the line below it with a caret and tildes from column to end (characters,
// from 1). Tabs stay tabs in both, and a wide character takes two columns, so that they stay aligned.
func underline(text string, column, end int) (shown, caret string) {
	line := []rune(text)
	column, end = min(column, len(line)+1), min(end, len(line)+1)
	from, to := 0, len(line)
	if len(line) > longestShown {
		from = max(0, column-1-longestShown/2)
		to = min(len(line), from+longestShown)
	}
	var s, c strings.Builder
	if from > 0 {
		s.WriteString("…")
		c.WriteString(" ")
	}
	for i := from; i < to; i++ {
		r := line[i]
		mark := " "
		switch {
		case r == '\t':
			mark = "\t"
		case !unicode.IsPrint(r):
			r = '\ufffd'
		}
		switch {
		case i == column-1:
			mark = "^"
		case i > column-1 && i < end-1:
			mark = "~"
		}
		s.WriteRune(r)
		if i < max(end-1, column) {
			c.WriteString(mark)
			if wide(r) {
				c.WriteString(strings.Replace(mark, "^", "~", 1))
			}
		}
	}
	if column-1 >= to {
		c.WriteString("^")
	}
	if to < len(line) {
		s.WriteString("…")
	}
	return s.String(), c.String()
}

// wide reports a character that terminals give two columns: East Asian wide and full-width forms, and emoji.
func wide(r rune) bool {
	return r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 ||
		r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 ||
		r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd)
}

// defaultMaxErrors is how many errors Parse keeps when Options does not say.
const defaultMaxErrors = 1000

// reporter collects diagnostics while a text is scanned, parsed and lowered.
type reporter struct {
	source *isa.Source
	opt    Options
	list   Diagnostics
	errors int
	cut    bool // the scanner gave up; what else is wrong follows from that
}

// add keeps a diagnostic. The errors beyond the maximum are counted and dropped.
func (r *reporter) add(d Diagnostic) {
	d.Source = r.source
	if d.End < d.Pos {
		d.End = d.Pos
	}
	if d.lenient && r.opt.Strict {
		d.Severity = Error
	}
	if d.Severity == Error {
		if d.Section == "" {
			d.Section = sections[d.Code]
		}
		r.errors++
		limit := r.opt.MaxErrors
		if limit <= 0 {
			limit = defaultMaxErrors
		}
		if r.errors > limit {
			return
		}
	}
	r.list = append(r.list, d)
}

func (r *reporter) failed() bool { return r.errors > 0 }

// sorted returns the diagnostics by place, notes after errors of the same place, without repetitions.
func (r *reporter) sorted() Diagnostics {
	sort.SliceStable(r.list, func(i, j int) bool {
		a, b := r.list[i], r.list[j]
		if a.Pos != b.Pos {
			return a.Pos < b.Pos
		}
		return a.Severity < b.Severity
	})
	kept := r.list[:0]
	for i, d := range r.list {
		if i > 0 && d.Pos == r.list[i-1].Pos && d.Message == kept[len(kept)-1].Message {
			continue
		}
		kept = append(kept, d)
	}
	return kept
}
