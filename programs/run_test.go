package programs_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/programs"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
	"github.com/tollgate-sim/tollgate/vm/report"
)

var update = flag.String("update", "", "rewrite a section of the golden files: results or cycles")

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

// Every case comes to the results that it expects, functional and timed, to the report in its golden file, and to
// the figures that were derived by hand.
func TestCases(t *testing.T) {
	for _, file := range programs.Cases() {
		t.Run(programs.Name(file), func(t *testing.T) {
			if _, err := os.Stat(programs.Name(file) + ".golden"); err != nil && *update == "" {
				t.Error(err)
			}
			var timed *vm.Result
			s, err := host.Test(context.Background(), host.TestRequest{
				Paths: []string{file}, Load: load, Timing: host.TimingBoth, Update: *update,
				Report: func(c *host.Case, out *host.Outcome) (string, error) {
					timed = out.Result
					return report.Golden(out.Result, report.Options{Program: c.Name, Title: c.Description, Outcome: out.Results}), nil
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
			if timed == nil {
				t.Fatal("no timed run")
			}
			sheetsSum(t, timed)
			if derived := derivations[file]; derived != nil {
				derived(t, timed)
			}
		})
	}
}

// sheetsSum checks that every sheet accounts for every cycle once.
func sheetsSum(t *testing.T, r *vm.Result) {
	t.Helper()
	check := func(name string, sheet vm.Sheet) {
		var sum uint64
		for _, n := range sheet {
			sum += n
		}
		if sum != r.Total {
			t.Errorf("%s sums to %d of %d cycles", name, sum, r.Total)
		}
	}
	for _, c := range r.Cards {
		check(fmt.Sprintf("card %d's sheet", c.Card), c.Sheet)
	}
	for _, s := range r.SMs {
		check(fmt.Sprintf("the sheet of card %d's SM %d", s.Card, s.SM), s.Sheet)
	}
}
