package parser

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/programs/corpus"
)

// FuzzParse feeds any text to the parser. Whatever it is, there is a module or an error, each diagnostic points into
// the text, and a module that is printed parses again.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*/*.ptx", "../programs/*.ptx"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, p := range paths {
			text, err := os.ReadFile(p)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	files, err := corpus.Load("public/", "vectors/int/video", "matrix/")
	if err != nil {
		f.Fatal(err)
	}
	for i, file := range files {
		if i%25 == 0 && len(file.Text) < 20000 {
			f.Add(file.Text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, ds := Parse("fuzz.ptx", text, Options{MaxErrors: 50})
		if (m == nil) != ds.HasErrors() {
			t.Fatalf("module %v with diagnostics %v", m != nil, ds)
		}
		for _, d := range ds {
			if d.Pos < 0 || d.End < d.Pos || int(d.End) > len(text) {
				t.Fatalf("%v points at %d to %d of %d", d, d.Pos, d.End, len(text))
			}
		}
		if err := ds.Write(io.Discard, -1); err != nil {
			t.Fatal(err)
		}
		if m == nil {
			return
		}
		var out strings.Builder
		if err := Print(&out, m); err != nil {
			t.Fatal(err)
		}
		if again, ds := Parse("printed.ptx", out.String(), Options{}); again == nil {
			t.Fatalf("what was printed does not parse: %v\n%s", ds, out.String())
		}
	})
}
