package parser

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files of this package anew")

var errorComment = regexp.MustCompile(`// ERROR "(.*)"\s*$`)

// TestErrorsStandWhereTheyAreExpected reads files in which each bad line says, in a comment, what is wrong with it:
// one error there, and none elsewhere.
func TestErrorsStandWhereTheyAreExpected(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := map[int]*regexp.Regexp{}
			for i, line := range strings.Split(string(text), "\n") {
				if m := errorComment.FindStringSubmatch(line); m != nil {
					want[i+1] = regexp.MustCompile(m[1])
				}
			}
			module, ds := Parse(path, string(text), Options{})
			if module != nil {
				t.Error("accepted")
			}
			for _, d := range ds {
				if d.Severity != Error {
					continue
				}
				line, _ := d.Source.LineCol(d.Pos)
				switch {
				case want[line] == nil:
					t.Errorf("unexpected: %v", d)
				case !want[line].MatchString(d.Message):
					t.Errorf("%v, want %q", d, want[line])
				}
				delete(want, line)
			}
			for line, expr := range want {
				t.Errorf("line %d: no error, want %q", line, expr)
			}
		})
	}
}

// TestPrintedDiagnostics compares all that Write prints with golden files.
func TestPrintedDiagnostics(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, ds := Parse(filepath.Base(path), string(text), Options{})
			var out strings.Builder
			if err := ds.Write(&out, 0); err != nil {
				t.Fatal(err)
			}
			golden := strings.TrimSuffix(path, ".ptx") + ".txt"
			if *update {
				if err := os.WriteFile(golden, []byte(out.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), out.String()); d != "" {
				t.Error(d)
			}
		})
	}
}
