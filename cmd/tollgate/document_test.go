package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// Blocks of docs/reports.md that begin with "$ tollgate" show what the command prints.
func TestReportsPageIsCurrent(t *testing.T) {
	const page = "docs/reports.md"
	t.Chdir("../..")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "```\n")
	shown := 0
	for i := 1; i < len(parts); i += 2 {
		command, _, _ := strings.Cut(parts[i], "\n")
		args, found := strings.CutPrefix(command, "$ tollgate ")
		if !found {
			continue
		}
		shown++
		var out, errs bytes.Buffer
		if status := run(strings.Fields(args), strings.NewReader(""), &out, &errs); status != exitFine {
			t.Fatalf("%s: status %d: %s", command, status, errs.String())
		}
		if want := command + "\n" + out.String(); parts[i] != want {
			parts[i] = want
			if !*update {
				t.Errorf("%s shows something else than %s prints; go test ./cmd/tollgate -run Page -update:\n%s", page, command, want)
			}
		}
	}
	if shown == 0 {
		t.Errorf("%s shows no command", page)
	}
	if *update {
		if err := os.WriteFile(page, []byte(strings.Join(parts, "```\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
