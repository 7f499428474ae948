package parser

import (
	"os"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/programs/corpus"
)

// The verdicts of the real assembler (ptxas 13.0) on 10,563 inputs: instructions, lines of a kernel's body, whole
// modules. Each is parsed as a module of its own.
const (
	goalAccepted = 0.99 // of what it accepts, accepted here
	goalRefused  = 0.97 // of what it refuses, refused here
	goalLine     = 0.99 // of what both refuse, with the first error on its line
)

// deliberate lists the rows that are judged otherwise on purpose.
const deliberate = "testdata/verdicts.tsv"

// TestVerdicts compares every row with what Parse says, and fails below the goals; with -v it prints the rows that
// differ.
func TestVerdicts(t *testing.T) {
	known := readDeliberate(t)
	verdicts, err := corpus.Verdicts()
	if err != nil {
		t.Fatal(err)
	}
	var accepted, acceptedHere, refused, refusedHere, lined, linedHere, warned, warnedHere int
	for _, v := range verdicts {
		text, first := v.Module()
		_, diagnostics := Parse(v.ID, text, Options{})
		failed := diagnostics.HasErrors()
		reason, listed := known[v.ID]
		delete(known, v.ID)
		if listed {
			if failed == !v.Accepted {
				t.Errorf("%s is judged as the assembler does: take it out of %s (%s)", v.ID, deliberate, reason)
			}
			continue
		}
		if v.Accepted {
			accepted++
			if !failed {
				acceptedHere++
				if v.Warned {
					warned++
					if diagnostics.Count(Warning) > 0 {
						warnedHere++
					} else {
						t.Logf("%s %s: the assembler warns:\n\t%s", v.ID, v.Kind, strings.ReplaceAll(v.Text, "\n", "\n\t"))
					}
				}
				continue
			}
			t.Logf("%s %s is accepted by the assembler: %s\n\t%s", v.ID, v.Kind, firstError(diagnostics), strings.ReplaceAll(v.Text, "\n", "\n\t"))
			continue
		}
		refused++
		if !failed {
			t.Logf("%s %s is refused by the assembler (%s %s):\n\t%s", v.ID, v.Kind, v.Version, v.Target, strings.ReplaceAll(v.Text, "\n", "\n\t"))
			continue
		}
		refusedHere++
		if v.Line == 0 {
			continue
		}
		lined++
		at := firstError(diagnostics)
		if at.line-first+1 == v.Line || v.Kind != "module" && at.line < first { // declared for the text: it can't be told from the verdict
			linedHere++
		} else {
			t.Logf("%s %s: the assembler's first error is on line %d, here %d: %s\n\t%s", v.ID, v.Kind, v.Line, at.line-first+1, at, strings.ReplaceAll(v.Text, "\n", "\n\t"))
		}
	}
	t.Logf("%d of %d warnings", warnedHere, warned)
	if warnedHere*100 < warned*85 || warned == 0 {
		t.Errorf("%d of the assembler's %d warnings", warnedHere, warned)
	}
	for id := range known {
		t.Errorf("%s names what is not there: %s", deliberate, id)
	}
	for _, rate := range []struct {
		name      string
		got, want int
		goal      float64
	}{
		{"accepted", acceptedHere, accepted, goalAccepted},
		{"refused", refusedHere, refused, goalRefused},
		{"on the line", linedHere, lined, goalLine},
	} {
		share := float64(rate.got) / float64(rate.want)
		t.Logf("%d of %d %s: %.2f %%", rate.got, rate.want, rate.name, 100*share)
		if share < rate.goal || rate.want < 4000 {
			t.Errorf("%s: %d of %d, the goal is %.0f %%", rate.name, rate.got, rate.want, 100*rate.goal)
		}
	}
}

type placed struct {
	line int
	text string
}

func (p placed) String() string { return p.text }

func firstError(list Diagnostics) placed {
	for _, d := range list {
		if d.Severity == Error {
			line, _, _ := d.place()
			return placed{line, d.String()}
		}
	}
	return placed{}
}

// readDeliberate reads rows of id and reason.
func readDeliberate(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(deliberate)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for line := range strings.SplitSeq(string(text), "\n") {
		if id, reason, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			known[id] = reason
		}
	}
	return known
}
