package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
	"github.com/tollgate-sim/tollgate/vm/report"
)

func newTest() *cobra.Command {
	var update string
	var jobs int
	var verbose, mainOnly bool
	timing := oneOf("auto", "auto", "on", "off", "both")
	cmd := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Run case files and host programs, and compare results and cycles with what is expected",
		Long: `Test runs the case files (.json) and host programs (.star) that it is given or finds below folders, by default the
current one, a case with every PTX file it names, and compares buffers, output and faults with what the case or
program expects. Beside NAME.json or NAME.star may stand NAME.golden, with the results and the report it must come
to; --update writes one section of it anew.

Exit status 1: something differs.`,
		Example: "  tollgate test\n  tollgate test programs/demo.json\n  tollgate test --update=cycles programs",
		RunE: func(cmd *cobra.Command, paths []string) error {
			request := host.TestRequest{
				Paths: paths, Timing: host.Timing(timing.value), Jobs: jobs, Update: update, Main: mainOnly, Report: goldenReport, Program: runForTest,
				Load: func(name string) (*isa.Module, error) { return loadModule(cmd, name) },
			}
			if timing.value == "auto" {
				request.Timing = host.TimingAuto
			}
			if !wantsJSON(cmd) {
				request.Each = func(row host.Row) {
					if verbose || !row.Passed || row.Updated {
						fmt.Fprintln(cmd.OutOrStdout(), row)
					}
				}
			}
			summary, err := host.Test(cmd.Context(), request)
			if err != nil {
				return err
			}
			return showSummary(cmd, summary)
		},
	}
	f := cmd.Flags()
	f.StringVar(&update, "update", "", "rewrite a section of the golden files: `results|cycles`")
	f.Var(timing, "timing", "auto: with a clock where a golden file asks for cycles")
	f.IntVar(&jobs, "jobs", 0, "runs side by side (default: one a processor)")
	f.BoolVar(&mainOnly, "main", false, "run only the main PTX file of each case")
	f.BoolVarP(&verbose, "verbose", "v", false, "print a row also for what passed")
	return cmd
}

// goldenReport is the cycles section of a golden file.
func goldenReport(c *host.Case, out *host.Outcome) (string, error) {
	var b strings.Builder
	err := writeReport(&b, out, report.Options{Program: c.Name, Title: c.Description, Outcome: out.Results},
		func(w io.Writer, r *vm.Result, opt report.Options) error {
			_, err := io.WriteString(w, report.Golden(r, opt))
			return err
		})
	return b.String(), err
}

func showSummary(cmd *cobra.Command, summary *host.Summary) error {
	if len(summary.Rows) == 0 {
		return fmt.Errorf("no case files or host programs found\n    hint: name files, or folders that hold some, as in tollgate test programs")
	}
	if wantsJSON(cmd) {
		if err := writeJSON(cmd.OutOrStdout(), map[string]any{"rows": summary.Rows, "passed": summary.Passed,
			"failed": summary.Failed, "updated": summary.Updated}); err != nil {
			return err
		}
	} else if _, err := fmt.Fprintln(cmd.OutOrStdout(), summary); err != nil {
		return err
	}
	if slices.ContainsFunc(summary.Rows, func(r host.Row) bool { return r.Kind == host.Internal }) {
		return failed(exitInternal)
	}
	if summary.Failed > 0 {
		return failed(exitFailed)
	}
	return nil
}
