package machine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/isa"
)

func load(t *testing.T, name string) *Machine {
	t.Helper()
	m, err := Load(name)
	if err != nil {
		t.Fatalf("Load(%q):\n%v", name, err)
	}
	return m
}

func TestNames(t *testing.T) {
	want := []string{"a100-sxm", "h100-pcie", "h100-sxm", "h200-sxm", "rtx-4090"}
	if diff := cmp.Diff(want, Names()); diff != "" {
		t.Error(diff)
	}
}

func TestEveryFigureHasASource(t *testing.T) {
	for _, name := range Names() {
		m := load(t, name)
		if m.Name != name || m.Description == "" || len(m.NotModelled) < 8 {
			t.Errorf("%s: name %q, description %q, %d lines of what is not modelled", name, m.Name, m.Description, len(m.NotModelled))
		}
		var keys []string
		for _, f := range fields {
			keys = append(keys, f.key)
		}
		for c := isa.Class(0); c < isa.NumClasses; c++ {
			keys = append(keys, "class."+c.String()+".latency", "class."+c.String()+".interval")
		}
		for _, key := range keys {
			if s, ok := m.SourceOf(key); !ok || len(s.Source) < 3 || s.Confidence == "" || s.Value == "" {
				t.Errorf("%s: %s: %+v, %v", name, key, s, ok)
			}
		}
		if len(m.Sources) != len(keys) {
			t.Errorf("%s: %d sources for %d figures", name, len(m.Sources), len(keys))
		}
	}
}

// The data sheets' peaks follow from the parts: TFLOPS of dense bf16 = MHz × SMs × FLOP a cycle and SM.
func TestPeaksOfTheDataSheets(t *testing.T) {
	for _, c := range []struct {
		name   string
		tflops int64 // data sheet, dense bf16 with f32 sums
	}{
		{"h200-sxm", 989}, {"h100-sxm", 989}, {"a100-sxm", 312}, {"rtx-4090", 165},
	} {
		m := load(t, c.name)
		flops := m.ClockMHz * 1e6 * int64(m.Card.SMs) * m.Card.TensorFlops
		if got := flops / 1e12; got < c.tflops-1 || got > c.tflops {
			t.Errorf("%s: %d TFLOPS, data sheet %d", c.name, got, c.tflops)
		}
	}
	// mma.sync reaches 65 % of that on Hopper: m16n8k16 is 2·16·8·16 FLOP, 4 quarters an SM.
	m := load(t, "h200-sxm")
	i := m.Classes[isa.ClassMMA].Interval
	if percent := 100 * 4 * 2 * 16 * 8 * 16 * i.Den / (i.Num * m.Card.TensorFlops); percent != 65 {
		t.Errorf("mma.sync reaches %d %% of peak", percent)
	}
}

// The figures by which the reports were worked out by hand.
func TestFiguresOfTheReports(t *testing.T) {
	m := load(t, "h200-sxm")
	for _, c := range []struct {
		what      string
		got, want int64
	}{
		{"launch call, 2.52 us", m.Host.LaunchCall, 4612},           // 2.52 · 1830 = 4611.6
		{"dependent launch, 1.37 us", m.Host.DependentLaunch, 2507}, // 1.37 · 1830 = 2507.1
		{"a barrier round", m.Fabric.Crossing + m.Fabric.LocalPoll, 833},
		{"the rate of copies", m.Fabric.Links * m.Fabric.LinkBytesPerSec * m.Fabric.CopyEfficiency.Num / m.Fabric.CopyEfficiency.Den, 369e9},
		{"a system fence", m.Classes[isa.ClassFenceSys].Latency, 1510},
		{"refill", m.Article.Refill, 48},
		// An iteration of the article's barrier: sync is released at R; add issues at R, setp at R+4, bra at R+8,
		// sync at R+12, and its operation starts the cycle after.
		{"a loop iteration", m.Classes[isa.ClassInt].Latency + m.Classes[isa.ClassCompare].Latency + m.Classes[isa.ClassBranch].Latency + 1, 13},
		{"a reduction of nine times 2 MiB", 9 * 2 << 20 * m.ClockMHz / (m.Card.HBMBytesPerSecond / 1e6), 8613},
		{"ns of 342,193 cycles", m.Nanoseconds(342_193), 186_990}, // 342193 / 1.83
		{"ns of many cycles", m.Nanoseconds(1830 << 50), 1000 << 50},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.what, c.got, c.want)
		}
	}
	if !m.Fabric.Multicast || !load(t, "h100-sxm").Fabric.Multicast || load(t, "a100-sxm").Fabric.Multicast {
		t.Error("multicast is for Hopper behind NVSwitch only")
	}
	if !m.Article.GateStopsTensorCores {
		t.Error("the article's rule is on unless switched off")
	}
}

func TestBaseGivesWhatAFileLeavesOut(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("slow.toml", `
name = "slow"
base = "h200-sxm"
not_modelled = ["the cooling"]
[node]
clock = { value = 1000, unit = "MHz", source = "mine", confidence = "high" }
`)
	m := load(t, write("mine.toml", `
name = "mine"
base = "slow.toml" # beside this file
description = "two slow cards"
[node]
max_cards = { value = 2, unit = "cards", source = "mine", confidence = "high" }
[fabric.crossing] # a table of its own is the same in TOML
value = 0.25
unit = "us"
source = "measured"
confidence = "low"
[class]
mma = { pipe = "tensor", latency = 30, interval = 7.25, unit = "cycles", source = "mine", confidence = "low" }
`))
	h200 := load(t, "h200-sxm")
	want := *h200
	want.Name, want.Description = "mine", "two slow cards"
	want.ClockMHz, want.MaxCards = 1000, 2
	want.Fabric.Crossing = 250
	want.Host = Host{LaunchCall: 2520, DependentLaunch: 1370} // times become cycles of the new clock
	want.Classes[isa.ClassMMA] = Class{Unit: "tensor", Latency: 30, Interval: Fraction{29, 4}}
	want.NotModelled = append(append([]string{}, h200.NotModelled...), "the cooling")
	want.Sources = append([]Source{}, h200.Sources...)
	for i, s := range want.Sources {
		switch s.Key {
		case "node.clock":
			want.Sources[i] = Source{s.Key, "1000", "MHz", "mine", "high"}
		case "node.max_cards":
			want.Sources[i] = Source{s.Key, "2", "cards", "mine", "high"}
		case "fabric.crossing":
			want.Sources[i] = Source{s.Key, "0.25", "us", "measured", "low"}
		case "class.mma.latency":
			want.Sources[i] = Source{s.Key, "30", "cycles", "mine", "low"}
		case "class.mma.interval":
			want.Sources[i] = Source{s.Key, "7.25", "cycles", "mine", "low"}
		}
	}
	if diff := cmp.Diff(&want, m); diff != "" {
		t.Error(diff)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	folder := t.TempDir()
	big := filepath.Join(folder, "big.toml")
	if err := os.WriteFile(big, []byte(strings.Repeat("#", maxFile+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	loop := filepath.Join(folder, "loop.toml")
	if err := os.WriteFile(loop, []byte("name = \"loop\"\nbase = \"loop.toml\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{"h200-sx", `no machine "h200-sx"; there are a100-sxm, h100-pcie, h100-sxm, h200-sxm, rtx-4090`},
		{"h200-sx", "hint: did you mean h200-sxm?"},
		{"cray-1", `no machine "cray-1"`},
		{"", `no machine ""`},
		{filepath.Join(folder, "none.toml"), "none.toml: error: cannot read: no such file or directory"},
		{folder + "/", "error: a folder, not a machine file"},
		{big, "a machine file has at most 262144"},
		{"/dev/zero", "a machine file has at most 262144"},
		{loop, `loop.toml:2:1: error: base "loop.toml" leads back to`},
	} {
		if _, err := Load(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Load(%q): %v\nwant %s", c.path, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range Names() {
		text, err := files.ReadFile("files/" + name + ".toml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("name = \"x\"\nbase = \"h200-sxm\"\n[card]\nsms = { value = 0x10, unit = \"SM\", source = \"s\", confidence = \"low\" }\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(isa.NewSource("fuzz.toml", text))
		if err == nil && (m.ClockMHz < 1 || m.Card.SMs < 1 || m.Classes[isa.ClassMMA].Interval.Den < 1) {
			t.Errorf("accepted a machine that can't run: %+v", m)
		}
	})
}
