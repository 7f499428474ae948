package programs_test

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var document = flag.Bool("document", false, "write the reports of the golden files into the documents that show them")

// The reports that documents show are those of the golden files. The last line is left out of the comparison: it has
// the host's time.
func TestDocumentsShowTheReports(t *testing.T) {
	for _, test := range []struct{ file, golden, program string }{
		{"../README.md", "demo.golden", "tollgate demo"},
		{"../docs/reading-a-report.md", "straggler.golden", "straggler"},
	} {
		text := readFile(t, test.file)
		before, rest, _ := strings.Cut(text, "\n```\n")
		shown, after, found := strings.Cut("\n"+rest, "\n```\n")
		if !found {
			t.Errorf("%s shows no report", test.file)
			continue
		}
		_, cycles, _ := strings.Cut(readFile(t, test.golden), "[cycles]\n")
		_, report, _ := strings.Cut(cycles, ":")
		report, _, _ = strings.Cut(report, "\n\ncard sheet")
		want := "\n" + test.program + ":" + report
		if withoutTime(shown) == withoutTime(want) {
			continue
		}
		if !*document {
			t.Errorf("%s does not show the report of %s: go test ./programs -run Document -document", test.file, test.golden)
			continue
		}
		if err := os.WriteFile(test.file, []byte(before+"\n```"+want+"\n```\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// withoutTime cuts the host's time off the last line.
func withoutTime(report string) string {
	report, _, _ = strings.Cut(report, " thread instructions in ")
	return strings.TrimSuffix(report, " thread instructions")
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
