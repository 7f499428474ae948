package corpus

import (
	"archive/zip"
	"bufio"
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

var update = flag.Bool("update", false, "rewrite failing.tsv with what fails now")

// failing lists what does not come out right yet. It may only get shorter: a row that is not in it must pass, one
// that is must fail.
const failing = "failing.tsv"

// folders are run; perf/ takes minutes and belongs to the benchmarks.
var folders = []string{"collectives", "compilers", "matrix", "nvcc", "public", "tinygrad", "vectors"}

// TestCases runs every case with every PTX file functionally.
func TestCases(t *testing.T) {
	summary := runCases(t, host.TestRequest{Timing: host.TimingOff})
	if len(summary.Rows) < 2100 {
		t.Errorf("%d rows: most cases were not found", len(summary.Rows))
	}
	if *update {
		writeFailing(t, summary.Rows)
		return
	}
	known := readFailing(t, summary.Rows)
	for _, r := range summary.Rows {
		key := rowKey{r.Path, r.Variant}
		switch {
		case !r.Passed && !known[key]:
			t.Errorf("%s", r)
		case r.Passed && known[key]:
			t.Errorf("%s %s passes: take it out of %s (-update does)", r.Path, r.Variant, failing)
		}
		delete(known, key)
	}
	for key := range known {
		t.Errorf("%s names what is not there: %s %s", failing, key.path, key.variant)
	}
	t.Log(summary)
}

// TestCasesTimed runs every case with every PTX file under the clock: the results are the same.
func TestCasesTimed(t *testing.T) {
	summary := runCases(t, host.TestRequest{Timing: host.TimingOn})
	known := readFailing(t, summary.Rows)
	for _, r := range summary.Rows {
		if !r.Passed && !known[rowKey{r.Path, r.Variant}] {
			t.Errorf("%s", r)
		}
	}
	t.Log(summary)
}

// archive opens one of the corpus' archives until the test ends.
func archive(t *testing.T, name string) *zip.ReadCloser {
	t.Helper()
	a, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// runCases runs the folders' cases out of the archives.
func runCases(t *testing.T, request host.TestRequest) *host.Summary {
	t.Helper()
	cases, ptx := archive(t, "cases.zip"), archive(t, "ptx.zip")
	request.Paths, request.Files, request.Load = folders, cases, loadFrom(ptx)
	request.Options.MaxCycles = 1 << 26
	summary, err := host.Test(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	return summary
}

type rowKey struct{ path, variant string }

// loadFrom parses the PTX files of an archive.
func loadFrom(files fs.FS) host.LoadModule {
	return func(path string) (*isa.Module, error) {
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return nil, err
		}
		m, diagnostics := parser.Parse(path, string(text), parser.Options{})
		for _, d := range diagnostics {
			if d.Severity == parser.Error {
				return nil, errors.New(d.String())
			}
		}
		return m, nil
	}
}

// readFailing reads rows of reason, case and PTX files: names with blanks between them, or * for all of the case.
func readFailing(t *testing.T, rows []host.Row) map[rowKey]bool {
	file, err := os.Open(failing)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	variants := variantsOf(rows)
	known := map[rowKey]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 3 {
			continue // the comment
		}
		names := strings.Split(fields[2], " ")
		if fields[2] == "*" {
			names = variants[fields[1]]
		}
		for _, name := range names {
			known[rowKey{fields[1], name}] = true
		}
	}
	return known
}

func variantsOf(rows []host.Row) map[string][]string {
	variants := map[string][]string{}
	for _, r := range rows {
		variants[r.Path] = append(variants[r.Path], r.Variant)
	}
	return variants
}

// writeFailing lists the failing rows by reason, then case.
func writeFailing(t *testing.T, rows []host.Row) {
	all, failed := variantsOf(rows), map[string][]string{} // failed: by "reason, case"
	for _, r := range rows {
		if !r.Passed {
			key := reason(r) + "\t" + r.Path
			failed[key] = append(failed[key], r.Variant)
		}
	}
	var lines []string
	for key, names := range failed {
		_, path, _ := strings.Cut(key, "\t")
		files := strings.Join(names, " ")
		if len(names) == len(all[path]) {
			files = "*"
		}
		lines = append(lines, key+"\t"+files)
	}
	slices.Sort(lines)
	text := "# Corpus cases that do not come out right yet: why, case, PTX files. This list only gets shorter.\n" + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(failing, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// reason is why a row fails, in few words: the instruction that can't run yet as the PTX spells it, the kind of fault,
// or the kind of failure.
func reason(r host.Row) string {
	var instruction vm.Unsupported
	if errors.As(r.Err, &instruction) {
		text := instruction.Func.Source.Text[instruction.Inst.OpPos:]
		return "unsupported " + text[:strings.IndexAny(text+" ", " \t\n;{[")]
	}
	var argument *host.UnsupportedError
	if errors.As(r.Err, &argument) {
		return "unsupported " + argument.What
	}
	if fault, ok := host.AsFault(r.Err); ok {
		return "fault " + string(fault.Kind)
	}
	return r.Kind
}
