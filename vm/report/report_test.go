package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
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

// Each section alone, and all of them together.
func TestSections(t *testing.T) {
	for _, section := range Sections() {
		var b bytes.Buffer
		if err := Text(&b, stragglerResult(), Options{Program: "straggler", Sections: []Section{section}}); err != nil {
			t.Fatal(err)
		}
		golden(t, "section_"+string(section)+".txt", b.String())
	}
	var all bytes.Buffer
	if err := Text(&all, stragglerResult(), Options{Program: "straggler", Sections: Sections()}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(all.String(), "straggler: "); n != 1 {
		t.Errorf("%d titles, want one:\n%s", n, all.String())
	}
}

// A run in which nothing crossed has no sections but sentences.
func TestSectionsOfOneCard(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, oneCardResult(), Options{Program: "vecadd.ptx", Sections: []Section{Barriers, Links, Tensor, Numerics}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"no card waited", "nothing crossed", "no launch reaches an mma", "no reduce.add"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing:\n%s", want, b.String())
		}
	}
}

func TestSectionsJSON(t *testing.T) {
	o := Object(stragglerResult(), Options{Sections: Sections()})
	text, err := json.MarshalIndent(o["report"], "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "sections.json", string(text)+"\n")
}

func TestParseSections(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Section
	}{
		{"all", Sections()},
		{"links,barriers", []Section{Barriers, Links}},
		{"tensor, tensor", []Section{Tensor}},
		{"speed", nil},
		{"", nil},
	} {
		got, err := ParseSections(c.text)
		if (err != nil) != (c.want == nil) || err == nil && !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, %v, want %v", c.text, got, err, c.want)
		}
	}
}

// nccl-tests' factors (its doc/PERFORMANCE.md) on 8 cards: 2 x 7/8, 7/8, 1; 8 MB in 1 ms are 8 GB/s.
func TestCollective(t *testing.T) {
	for text, want := range map[string]float64{"all-reduce:8000000": 14, "all-gather:8000000": 7, "broadcast:8000000B": 8, "reduce-scatter:8000000": 7} {
		c, err := ParseCollective(text)
		if err != nil {
			t.Fatal(err)
		}
		x := exchange{calls: 1, cards: 8, cycles: 1_000_000, bytes: c.Bytes, kind: collectiveNamed(c.Kind)} // at 1 GHz
		if got := x.busbw(1000); got != want {
			t.Errorf("%s: busbw %v GB/s, want %v", text, got, want)
		}
	}
	if c, err := ParseCollective("all-reduce:2MiB"); err != nil || c.Bytes != 2<<20 {
		t.Errorf("2MiB: %+v, %v", c, err)
	}
	for _, text := range []string{"", "all-reduce", "all-reduce:", "all-reduce:x", "all-reduce:0", "sum:8", "reduce:8TB", "reduce:99999999999GiB"} {
		if c, err := ParseCollective(text); err == nil {
			t.Errorf("%q: %+v, want an error", text, c)
		}
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
