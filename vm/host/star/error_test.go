package star

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

var update = flag.Bool("update", false, "rewrite the expected errors")

// TestErrors: testdata/errors.txt holds programs and the errors that they end with, "=>" between them. Beside each
// stand the kernels of programs/ and the files of the case itself.
func TestErrors(t *testing.T) {
	const name = "testdata/errors.txt"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i, c := range strings.Split(string(text), "\n----\n") {
		program, want, ok := strings.Cut(c, "\n=>\n")
		if !ok {
			t.Fatalf("case %d has no =>: %s", i, c)
		}
		got := errorOf(t, program)
		if i > 0 {
			out.WriteString("\n----\n")
		}
		out.WriteString(program + "\n=>\n" + got)
		if !*update && strings.TrimRight(want, "\n") != got {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", program, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(out.String()+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// errorOf is what a program ends with; its first line may set parameters (# set n=x), and lines that begin with ## are
// a second file, lib.star.
func errorOf(t *testing.T, program string) string {
	files := map[string]string{"p.star": program + "\n"}
	set := map[string]string{}
	for line := range strings.Lines(program) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "# set "); ok {
			name, value, _ := strings.Cut(rest, "=")
			set[name] = value
		}
		if rest, ok := strings.CutPrefix(line, "## "); ok {
			files["lib.star"] += rest
		}
	}
	if strings.Contains(program, "## ") {
		files["lib.star"] += "\n"
	}
	all := withKernels(t, files)
	_, err := Run(context.Background(), Request{Path: "p.star", Files: all, Load: loader(all), Set: set, MaxSteps: 1_000_000,
		Options: vm.Options{Silent: true, Threads: 1}})
	if err == nil {
		return "no error"
	}
	text := err.Error()
	if _, ok := host.AsFault(err); ok {
		text = "(a fault) " + text
	}
	return strings.TrimRight(text, "\n")
}
