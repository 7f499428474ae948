package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/host/star"
)

// sweepFlags are what a sweep is asked for.
type sweepFlags struct {
	sets   []string
	jobs   int
	shard  string
	merge  bool
	noLoss bool
	csv    string
	plots  []string
	x, y   string
	log    string
}

// reportFlags are the flags of a simulation that a point of a sweep, a row of a table, has no use for.
var reportFlags = []string{"print", "dump", "ledger", "report", "collective", "numerics", "threads"}

func newSweep() *cobra.Command {
	var f sweepFlags
	var s *simulation
	cmd := &cobra.Command{
		Use:   "sweep FILE.star --set NAME=VALUES...",
		Short: "Run a host program for every combination of its parameters' values",
		Long: `Sweep runs a host program once for every combination of the values that --set gives to its param()s, and prints a table
with the cycles, the loss and the metric()s of each. VALUES are parted by commas; each is a value, a range 1..8, a
range with a step 0..1:0.25, or with a factor 8..1024*2. The last --set changes fastest.

Runs are independent: --jobs of them go side by side, and the table does not depend on how many. --shard 0/8 runs every
eighth point only, so that eight machines can share a sweep; --merge puts their files together. Exit status 1: a point
failed, or a file lacks points. docs/sweeps.md shows it all, on a cluster too.`,
		Example: "  tollgate sweep step.star --set cards=2,4,8 --set k=1..8 --csv step.csv --plot step.svg\n" +
			"  tollgate sweep step.star --set k=1..1024*2 --shard $JOB_COMPLETION_INDEX/8 --csv part-$JOB_COMPLETION_INDEX.csv\n" +
			"  tollgate sweep --merge part-*.csv --csv step.csv --plot step.png",
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.merge {
				return f.mergeParts(cmd, args)
			}
			return f.run(s, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.sets, "set", nil, "the values of a param(), `NAME=VALUES` as above; repeatable")
	flags.IntVar(&f.jobs, "jobs", 0, "runs side by side (default: one a processor)")
	flags.StringVar(&f.shard, "shard", "", "run every N-th point, from point `I/N` on: 0/8 to 7/8")
	flags.BoolVar(&f.merge, "merge", false, "put the CSV or JSON files of shards together instead of running anything")
	flags.BoolVar(&f.noLoss, "no-loss", false, "leave the runs for Loss_nv and the open gate out: about twice as fast")
	flags.StringVar(&f.csv, "csv", "", "write the points to a `FILE`; - is standard output, without the table")
	flags.StringArrayVar(&f.plots, "plot", nil, "draw the points into a `FILE.png` or FILE.svg; repeatable")
	flags.StringVar(&f.x, "x", "", "the `PARAMETER` along the plot (default: the one with most values)")
	flags.StringVar(&f.y, "y", "", "the `COLUMN` that the plot shows (default: the first metric, else us)")
	flags.StringVar(&f.log, "log", "auto", "logarithmic axes of the plot: auto, none, x, y, xy")
	s = newSimulation(cmd)
	for _, unused := range reportFlags {
		if flag := flags.Lookup(unused); flag != nil {
			flag.Hidden = true
		}
	}
	return cmd
}

// run runs the sweep and shows it.
func (f *sweepFlags) run(s *simulation, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("sweep takes one host program, not %d\n    hint: tollgate sweep FILE.star --set NAME=VALUES", len(args))
	}
	for _, unused := range reportFlags {
		if s.cmd.Flags().Changed(unused) {
			return fmt.Errorf("--%s does not go with a sweep: a point is a row of the table\n    hint: tollgate run %s --set ... has it", unused, args[0])
		}
	}
	if err := f.check(); err != nil {
		return err
	}
	opt, err := s.options()
	if err != nil {
		return err
	}
	if _, err := readInput(s.cmd, args[0]); err != nil {
		return err
	}
	opt.Silent = f.noLoss
	req := star.SweepRequest{Program: star.Request{Path: args[0], Load: s.load, Options: opt}, Jobs: f.jobs}
	for _, text := range f.sets {
		axis, err := star.ParseAxis(text)
		if err != nil {
			return err
		}
		req.Axes = append(req.Axes, axis)
	}
	if req.Shard, req.Shards, err = parseShard(f.shard); err != nil {
		return err
	}
	errs := s.cmd.ErrOrStderr()
	if terminal(errs) {
		req.Each = progress(errs)
	}
	sweep, err := star.RunSweep(s.cmd.Context(), req)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if show := f.show(s.cmd, sweep); show != nil {
		return show
	}
	if err != nil {
		return err
	}
	if n := sweep.Failed(); n > 0 {
		fmt.Fprintf(errs, "%d of %d points failed\n", n, len(sweep.Rows))
		return failed(exitFailed)
	}
	return nil
}

// mergeParts puts the files of shards together. Where points are missing, what is there is shown and the status is 1.
func (f *sweepFlags) mergeParts(cmd *cobra.Command, names []string) error {
	if len(names) == 0 {
		return errors.New("--merge needs the files of the shards\n    hint: tollgate sweep --merge part-*.csv --csv all.csv")
	}
	if len(f.sets) > 0 || f.shard != "" {
		return errors.New("--merge runs nothing: --set and --shard belong to the runs before it")
	}
	if err := f.check(); err != nil {
		return err
	}
	var parts []*star.Sweep
	for _, name := range names {
		text, err := readInput(cmd, name)
		if err != nil {
			return err
		}
		part, err := star.ReadPart(name, []byte(text))
		if err != nil {
			return err
		}
		parts = append(parts, part)
	}
	whole, err := star.Merge(parts)
	if whole == nil {
		return err
	}
	if show := f.show(cmd, whole); show != nil {
		return show
	}
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "tollgate: %v\n", err)
		return failed(exitFailed)
	}
	return nil
}

// check refuses what can't be shown before anything runs.
func (f *sweepFlags) check() error {
	logs := []string{"auto", "none", "x", "y", "xy"}
	ok := false
	for _, l := range logs {
		ok = ok || l == f.log
	}
	if !ok {
		return fmt.Errorf("--log %s: one of %s", f.log, strings.Join(logs, ", "))
	}
	for _, name := range f.plots {
		if ext := strings.ToLower(filepath.Ext(name)); ext != ".png" && ext != ".svg" {
			return fmt.Errorf("--plot %s: FILE.png or FILE.svg", name)
		}
	}
	if f.jobs < 0 {
		return fmt.Errorf("--jobs %d: a number of runs", f.jobs)
	}
	return nil
}

// show prints the table or JSON, and writes the files.
func (f *sweepFlags) show(cmd *cobra.Command, sweep *star.Sweep) error {
	w := cmd.OutOrStdout()
	for _, name := range []string{f.x, f.y} {
		axes, figures := sweep.Columns()
		if known := append(axes, figures...); name != "" && !contains(known, name) {
			hint := "its columns are " + strings.Join(known, ", ")
			if near := isa.Nearest(name, known); near != "" {
				hint = "did you mean " + near + "?"
			}
			return fmt.Errorf("the sweep has no column %s\n    hint: %s", name, hint)
		}
	}
	switch {
	case wantsJSON(cmd):
		if err := writeJSON(w, map[string]any{"program": sweep.Program, "axes": sweep.Axes, "points": sweep.Of, "rows": sweep.Rows}); err != nil {
			return err
		}
	case f.csv != "-":
		if _, err := io.WriteString(w, sweep.Text()); err != nil {
			return err
		}
	}
	switch f.csv {
	case "":
	case "-":
		if err := sweep.WriteCSV(w); err != nil {
			return err
		}
	default:
		if err := writeFile(f.csv, sweep.WriteCSV); err != nil {
			return err
		}
	}
	for _, name := range f.plots {
		if err := drawSweep(sweep, name, f.x, f.y, f.log); err != nil {
			return fmt.Errorf("--plot %s: %w", name, err)
		}
	}
	return nil
}

func contains(list []string, word string) bool {
	for _, s := range list {
		if s == word {
			return true
		}
	}
	return false
}

// writeFile writes a file whole.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// parseShard reads I/N.
func parseShard(text string) (shard, of int, err error) {
	if text == "" {
		return 0, 1, nil
	}
	i, n, ok := strings.Cut(text, "/")
	shard, errI := strconv.Atoi(i)
	of, errN := strconv.Atoi(n)
	if !ok || errI != nil || errN != nil || of < 1 || shard < 0 || shard >= of {
		return 0, 0, fmt.Errorf("--shard %s: I/N with I from 0 to N-1, as in 0/8", text)
	}
	return shard, of, nil
}

// terminal reports a stream that a person looks at.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// progress draws a bar with the time that is left.
func progress(w io.Writer) func(p star.Point, ended, of int) {
	var bar *progressbar.ProgressBar
	return func(_ star.Point, ended, of int) {
		if bar == nil {
			bar = progressbar.NewOptions(of, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription("points"),
				progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionSetElapsedTime(true),
				progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish())
		}
		_ = bar.Set(ended) // a bar that can't be drawn stops nothing
	}
}
