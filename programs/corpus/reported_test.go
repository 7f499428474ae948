package corpus

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// reported is one row of cases.tsv: a small input taken from a fault that people reported in another PTX tool.
type reported struct {
	id, expected, file, launch, args string
}

// reportedMissing are the rows that don't come out right yet, with what they need. The list only gets shorter.
var reportedMissing = map[string]string{}

// TestReported runs the inputs of reported.zip: results, output, and diagnostics on the right line.
func TestReported(t *testing.T) {
	files, err := zip.OpenReader("reported.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	table, err := fs.ReadFile(files, "cases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(table)), "\n")[1:]
	if len(rows) < 50 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		f := strings.Split(row, "\t")
		c := reported{id: f[0], expected: f[3], file: f[4], launch: f[5], args: f[6]}
		t.Run(strings.TrimSuffix(c.file, ".ptx"), func(t *testing.T) {
			text, err := fs.ReadFile(files, c.file)
			if err != nil {
				t.Fatal(err)
			}
			problems := ""
			for expected := range strings.SplitSeq(c.expected, "; ") {
				if problem := c.check(string(text), expected); problem != "" {
					problems += fmt.Sprintf("want %s: %s\n", expected, problem)
				}
			}
			switch missing := reportedMissing[c.id]; {
			case problems != "" && missing == "":
				t.Error(problems)
			case problems == "" && missing != "":
				t.Errorf("%s passes: take it out of reportedMissing", missing)
			}
		})
	}
}

var diagnostic = regexp.MustCompile(`^diag\((\w+)\) line=(\d+)`)

// check answers what is wrong with one expectation of a row, or "".
func (c reported) check(text, expected string) string {
	module, diagnostics := parser.Parse(c.file, text, parser.Options{})
	if match := diagnostic.FindStringSubmatch(expected); match != nil {
		line, _ := strconv.Atoi(match[2])
		if match[1] == "error" {
			return firstErrorAt(diagnostics, line)
		}
		if diagnostics.HasErrors() {
			return "the parser refuses it: " + diagnostics[0].String()
		}
		_, err := c.run(module)
		return faultAt(err, module, match[1], line)
	}
	if diagnostics.HasErrors() {
		return "the parser refuses it: " + diagnostics[0].String()
	}
	if warning, found := strings.CutPrefix(expected, "warning~"); found {
		if len(diagnostics) == 0 {
			return "no warning such as " + warning
		}
		return ""
	}
	out, err := c.run(module)
	if err != nil {
		return err.Error()
	}
	if quoted, found := strings.CutPrefix(expected, "stdout="); found {
		if want, err := strconv.Unquote(quoted); err != nil || out.Stdout != want {
			return fmt.Sprintf("stdout %q, %v", out.Stdout, err)
		}
		return ""
	}
	return compareWords(out.Prints[0].Bits, strings.Split(strings.TrimPrefix(expected, "out.u32="), ","))
}

// run launches the entry with the row's arguments, functionally. Without arguments it runs all the same.
func (c reported) run(module *isa.Module) (*host.Outcome, error) {
	request := host.RunRequest{Module: module, Entry: "k", Options: vm.Options{Functional: true, MaxCycles: 1 << 22}}
	for field := range strings.FieldsSeq(c.launch) {
		key, value, _ := strings.Cut(field, "=")
		switch key {
		case "grid":
			request.Grid = dims(value)
		case "block":
			request.Block = dims(value)
		case "dynsmem":
			request.Shared, _ = strconv.Atoi(value)
		}
	}
	entry := module.EntryNamed("k")
	if entry == nil {
		return nil, errors.New("no entry k")
	}
	for i, field := range strings.Fields(c.args) {
		name, value, _ := strings.Cut(field, "=")
		if size, zeroed := strings.CutSuffix(value, "B(zeroed)"); zeroed {
			n, err := strconv.Atoi(size)
			if err != nil {
				return nil, err
			}
			value = fmt.Sprintf("u32[%d]:zeros", n/4)
		}
		request.Args = append(request.Args, fmt.Sprintf("%d=%s", i, value))
		if name == "out" && i < len(entry.Params) {
			request.Prints = append(request.Prints, entry.Params[i].Name+"[0:]")
		}
	}
	return host.RunPTX(context.Background(), request)
}

func dims(text string) (d [3]int) {
	for i, n := range strings.Split(text, ",") {
		d[i], _ = strconv.Atoi(n)
	}
	return d
}

// firstErrorAt says where the first error stands when it is another line.
func firstErrorAt(diagnostics parser.Diagnostics, line int) string {
	for _, d := range diagnostics {
		if d.Severity == parser.Error {
			if at, _ := d.Source.LineCol(d.Pos); at != line {
				return fmt.Sprintf("the first error is on line %d: %s", at, d)
			}
			return ""
		}
	}
	return "the parser accepts it"
}

// faultAt compares the kind and line of what ended a launch.
func faultAt(err error, module *isa.Module, kind string, line int) string {
	if err == nil {
		return "it runs"
	}
	var unsupported vm.Unsupported
	fault, isFault := host.AsFault(err)
	switch {
	case kind == "unsupported" && errors.As(err, &unsupported):
		if at, _ := module.Source.LineCol(unsupported.Inst.OpPos); at != line {
			return fmt.Sprintf("on line %d: %v", at, err)
		}
		return ""
	case kind == "launch":
		if !strings.Contains(err.Error(), fmt.Sprintf(":%d:", line)) {
			return err.Error()
		}
		return ""
	case !isFault || kind == "deadlock" && fault.Kind != "deadlock":
		return err.Error()
	case kind == "deadlock" && strings.Contains(err.Error(), fmt.Sprintf(":%d:", line)):
		return "" // the report names every place where somebody waits
	}
	if at, _ := module.Source.LineCol(fault.Pos); at != line {
		return fmt.Sprintf("on line %d: %v", at, err)
	}
	return ""
}

// compareWords compares the first words of the output; * stands for any.
func compareWords(got []uint64, want []string) string {
	for i, text := range want {
		if text == "*" {
			continue
		}
		word, err := strconv.ParseUint(text, 0, 32)
		switch {
		case err != nil:
			return err.Error()
		case i >= len(got):
			return fmt.Sprintf("the output has %d words", len(got))
		case got[i] != word:
			return fmt.Sprintf("word %d is 0x%08x, want 0x%08x", i, got[i], word)
		}
	}
	return ""
}
