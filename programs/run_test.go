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

// golden is what belongs into the cycles section of a case's golden file.
func golden(c *host.Case, out *host.Outcome) (string, error) {
	return report.Golden(out.Result, report.Options{Program: c.Name, Title: c.Description, Outcome: out.Results}), nil
}

// Every case comes to the results that it expects, functional and timed, and to the report in its golden file.
func TestCases(t *testing.T) {
	for _, file := range programs.Cases() {
		t.Run(programs.Name(file), func(t *testing.T) {
			if _, err := os.Stat(programs.Name(file) + ".golden"); err != nil && *update == "" {
				t.Error(err)
			}
			s, err := host.Test(context.Background(), host.TestRequest{
				Paths: []string{file}, Load: load, Timing: host.TimingBoth, Report: golden, Update: *update,
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

// run runs a case of this folder.
func run(t *testing.T, file string, opt vm.Options) *vm.Result {
	t.Helper()
	c, err := host.ReadCaseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := host.RunCase(context.Background(), host.CaseRequest{Case: c, Load: load, Options: opt})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range out.Differences {
		t.Error(d)
	}
	return out.Result
}
