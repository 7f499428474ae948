package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/vm/host/star"
)

// The reference part of the page about host programs is the table of functions.
func TestHostPageIsCurrent(t *testing.T) {
	const page, mark = "../../docs/host-programs.md", "<!-- written by go test ./cmd/tollgate -run HostPage -update -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, old, found := strings.Cut(string(text), mark)
	if !found {
		t.Fatalf("%s has no line %s", page, mark)
	}
	now := functionReference()
	if *update {
		if err := os.WriteFile(page, []byte(head+mark+now), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(old, now); diff != "" {
		t.Errorf("%s is not current\n%s", page, diff)
	}
}

// `tollgate help host` has every word, and a page for each.
func TestHelpHost(t *testing.T) {
	help := func(args ...string) string {
		var out, errs bytes.Buffer
		if status := run(append([]string{"help"}, args...), strings.NewReader(""), &out, &errs); status != exitFine {
			t.Fatalf("help %v: status %d, %s", args, status, errs.String())
		}
		return out.String()
	}
	all := help("host")
	for i := range star.Functions {
		f := &star.Functions[i]
		if !strings.Contains(all, wrap(f.Title(), pageWidth)[0]) {
			t.Errorf("help host lacks %s", f.Title())
		}
		if page := help("host", f.Name); !strings.Contains(page, strings.ReplaceAll(f.Example, "\n", "\n    ")) {
			t.Errorf("help host %s lacks its example:\n%s", f.Name, page)
		}
	}
	for _, line := range strings.Split(all, "\n") {
		if len(line) > pageWidth {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}
