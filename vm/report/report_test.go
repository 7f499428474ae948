package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/vm"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// runs are the results that the golden files are of.
var runs = []struct {
	name   string
	result func() *vm.Result
	opt    Options
}{
	{"demo", demoResult, Options{Program: "tollgate demo", Title: "the article's all-reduce beside an mma loop", Outcome: "result exact on 8 of 8 cards"}},
	{"straggler", stragglerResult, Options{Program: "straggler", Title: "mma loop, then all-reduce, one stream", Outcome: "result exact on 8 of 8 cards"}},
	{"barrier_late", barrierResult, Options{Program: "barrier_late", Title: "the article's barrier, one card 1,000 cycles late"}},
	{"one_card", oneCardResult, Options{Program: "vecadd.ptx", Outcome: "c = 1 2 3 4"}},
	{"pcie", pcieResult, Options{Program: "pcie", Title: "the article's all-reduce relayed", Outcome: "result exact on 2 of 2 cards"}},
	{"functional", functionalResult, Options{Program: "vecadd.ptx", Outcome: "c = 1 2 3 4"}},
	{"uneven", unevenResult, Options{Program: "uneven.ptx"}},
	{"racing", racingResult, Options{Program: "racing.ptx"}},
	{"flags", flagsResult, Options{Program: "flags.json", Title: "a barrier of flags in memory"}},
	{"empty", emptyResult, Options{Program: "empty.json"}},
}

func TestText(t *testing.T) {
	for _, run := range runs {
		t.Run(run.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Text(&b, run.result(), run.opt); err != nil {
				t.Fatal(err)
			}
			golden(t, run.name+".txt", b.String())
			if n := strings.Count(b.String(), "\n"); n > MaxLines {
				t.Errorf("%d lines, more than %d", n, MaxLines)
			}
		})
	}
}

func TestLedgers(t *testing.T) {
	for _, sheet := range []Ledger{CardLedger, SMLedger} {
		var b bytes.Buffer
		if err := Text(&b, stragglerResult(), Options{Program: "straggler", Ledger: sheet}); err != nil {
			t.Fatal(err)
		}
		_, below, found := strings.Cut(b.String(), "M/s\n\n")
		if !found {
			t.Fatalf("no sheet below the report:\n%s", b.String())
		}
		golden(t, "ledger_"+string(sheet)+".txt", below)
	}
}

func TestJSON(t *testing.T) {
	for _, run := range runs {
		t.Run(run.name, func(t *testing.T) {
			opt := run.opt
			opt.Extra = map[string]any{"buffers": []any{"kept"}, "format": "lost"}
			var b bytes.Buffer
			if err := JSON(&b, run.result(), opt); err != nil {
				t.Fatal(err)
			}
			var o map[string]any
			if err := json.Unmarshal(b.Bytes(), &o); err != nil {
				t.Fatal(err)
			}
			if o["format"] != 1.0 || o["program"] != opt.Program || o["buffers"] == nil {
				t.Errorf("format %v, program %v, buffers %v", o["format"], o["program"], o["buffers"])
			}
		})
	}
}

// The JSON form of the demo, its names and values: others parse them.
func TestJSONGolden(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, stragglerResult(), runs[1].opt); err != nil {
		t.Fatal(err)
	}
	golden(t, "straggler.json", b.String())
}

// A report that is too long gives up its least important lines, never its formulas of loss or its cause.
func TestFit(t *testing.T) {
	r := demoResult()
	for i := range r.Cards { // four rows that are not alike, and three warnings
		r.Cards[i].Sheet[0] += uint64(i) * 5000
		r.Cards[i].Sheet[len(r.Cards[i].Sheet)-1] += uint64(7-i) * 5000
		r.Warnings = append(r.Warnings, vm.Warning{Message: "something to know"})
	}
	r.Total += 35000
	var b bytes.Buffer
	if err := Text(&b, r, runs[0].opt); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := strings.Count(text, "\n"); n > MaxLines {
		t.Errorf("%d lines:\n%s", n, text)
	}
	for _, want := range []string{"Loss_nv", "T_sync", "Gate open", "Top cause", "and 7 more, --json", "3-7 mean"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}
