package programs_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
	"github.com/tollgate-sim/tollgate/vm/host/star"
	"github.com/tollgate-sim/tollgate/vm/report"
)

// Every host program of this folder has a golden file and comes to it; its own checks hold without a clock too.
func TestHostPrograms(t *testing.T) {
	files, err := filepath.Glob("*.star")
	if err != nil || len(files) == 0 {
		t.Fatal("no host programs", err)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			if _, err := os.Stat(strings.TrimSuffix(file, ".star") + ".golden"); err != nil && *update == "" {
				t.Error(err)
			}
			s, err := host.Test(context.Background(), host.TestRequest{
				Paths: []string{file}, Load: load, Timing: host.TimingBoth, Update: *update,
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
		})
	}
}

// The table in the page about sweeps is what its command prints.
func TestSweepPage(t *testing.T) {
	sweep, err := star.RunSweep(context.Background(), star.SweepRequest{
		Program: star.Request{Path: "distributed_grad_sync.star", Load: load},
		Axes:    []star.Axis{{Name: "cards", Values: []string{"2"}}, {Name: "elements", Values: []string{"1024", "4096", "16384"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	page := map[string]bool{}
	for line := range strings.Lines(readFile(t, "../docs/sweeps.md")) {
		page[strings.Join(strings.Fields(line), " ")] = true
	}
	for line := range strings.Lines(sweep.Text()) {
		if !page[strings.Join(strings.Fields(line), " ")] {
			t.Errorf("docs/sweeps.md lacks %s", line)
		}
	}
}
