package collectives_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
	"github.com/tollgate-sim/tollgate/vm/host/star"
	"github.com/tollgate-sim/tollgate/vm/report"
)

// load parses a PTX file of this folder.
func load(path string) (*isa.Module, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, diagnostics := parser.Parse(path, string(text), parser.Options{})
	if diagnostics.HasErrors() {
		return nil, fmt.Errorf("%v", diagnostics)
	}
	return m, nil
}

func run(t *testing.T, file string, opt vm.Options, set map[string]string) *host.Outcome {
	t.Helper()
	out, err := star.Run(context.Background(), star.Request{Path: file, Load: load, Options: opt, Set: set})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every program comes to what it expects on 2, 4 and 8 cards, with a clock and without one, and every card's sheet adds
// up. The expected values are worked out on the host, card by card in ascending order in f32.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("*.star")
	if err != nil || len(files) < 9 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if file == "collectives.star" { // only functions
			continue
		}
		for _, cards := range []string{"2", "4", "8"} {
			t.Run(file+"/"+cards, func(t *testing.T) {
				set := map[string]string{"cards": cards}
				for _, d := range run(t, file, vm.Options{Functional: true, Silent: true}, set).Differences {
					t.Error("functional:", d)
				}
				out := run(t, file, vm.Options{Silent: true}, set)
				for _, d := range out.Differences {
					t.Error("timed:", d)
				}
				for _, c := range out.Result.Cards {
					var sum uint64
					for _, n := range c.Sheet {
						sum += n
					}
					if sum != out.Result.Total {
						t.Errorf("card %d's sheet sums to %d of %d cycles", c.Card, sum, out.Result.Total)
					}
				}
			})
		}
	}
}

// The programs that have a golden file come to its results and to its ledger.
func TestGoldens(t *testing.T) {
	goldens, err := filepath.Glob("*.golden")
	if err != nil || len(goldens) < 4 {
		t.Fatal(goldens, err)
	}
	var paths []string
	for _, golden := range goldens {
		paths = append(paths, strings.TrimSuffix(golden, ".golden")+".star")
	}
	s, err := host.Test(context.Background(), host.TestRequest{
		Paths: paths, Load: load, Timing: host.TimingOn,
		Program: func(ctx context.Context, path string, load host.LoadModule, opt vm.Options) (*host.Outcome, error) {
			return star.Run(ctx, star.Request{Path: path, Load: load, Options: opt})
		},
		Report: func(c *host.Case, out *host.Outcome) (string, error) {
			return report.Golden(out.Result, report.Options{Program: c.Name, Title: c.Description, Outcome: out.Results}) + star.Figures(out), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range s.Rows {
		if !row.Passed {
			t.Error(row)
		}
	}
}
