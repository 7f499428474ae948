package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/programs/corpus"
)

// TestCompilerPages runs the commands of docs/compilers on PTX that the compilers wrote. After each come lines that the
// command must print, in this order; others may stand between them.
func TestCompilerPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/compilers/*.md")
	if err != nil || len(pages) < 12 {
		t.Fatal(len(pages), "pages", err)
	}
	origin := regexp.MustCompile(`(?m)^<!-- (\S+): (\S+) -->$`)
	blocks := regexp.MustCompile("(?s)\n```console\n(.*?)```")
	var texts []string
	dir := t.TempDir()
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
		for _, m := range origin.FindAllStringSubmatch(string(text), -1) {
			files, err := corpus.Load(m[2])
			if err != nil || len(files) != 1 {
				t.Fatalf("%s: %s: %d files, %v", page, m[2], len(files), err)
			}
			if err := os.WriteFile(filepath.Join(dir, m[1]), []byte(files[0].Text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Chdir(dir)
	for i, text := range texts {
		for _, block := range blocks.FindAllStringSubmatch(text, -1) {
			command, lines, _ := strings.Cut(strings.ReplaceAll(block[1], "\\\n", " "), "\n")
			rest, found := strings.CutPrefix(command, "$ tollgate ")
			if !found {
				t.Errorf("%s: a console block begins with a command, not %q", pages[i], command)
				continue
			}
			var out, errs bytes.Buffer
			run(words(rest), strings.NewReader(""), &out, &errs)
			printed := strings.Split(out.String()+errs.String(), "\n")
			for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
				for len(printed) > 0 && strings.TrimSpace(printed[0]) != strings.TrimSpace(line) {
					printed = printed[1:]
				}
				if len(printed) == 0 {
					t.Errorf("%s: %s\ndoes not print\n%s\nbut\n%s%s", pages[i], command, line, out.String(), errs.String())
					break
				}
			}
		}
	}
}

// words splits a command as a shell does, as far as these pages need it: blanks, and single quotes around words.
func words(command string) (list []string) {
	for i, part := range strings.Split(command, "'") {
		switch {
		case i%2 == 1:
			list = append(list, part)
		default:
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}
