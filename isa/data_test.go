package isa

import (
	"archive/zip"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// testdata/grammar.zip holds four tables:
// forms.tsv: opcode family, one syntax line of PTX ISA 9.0;
// instructions.tsv: an instruction and what the assembler (PTX ISA 9.0) says of it at a version and target, and on which line;
// modules.tsv: the same of lines of a body and of whole modules (the parser's test reads it);
// since.tsv: a spelling, an example, the lowest version (at a target), the lowest target (at 9.0), and which targets accept it.
func readData(t *testing.T, name string) [][]string {
	t.Helper()
	archive, err := zip.OpenReader("testdata/grammar.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	f, err := archive.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		rows = append(rows, strings.Split(line, "\t"))
	}
	return rows
}

var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r")

func readVersion(s string) Version {
	a, b, _ := strings.Cut(s, ".")
	major, _ := strconv.Atoi(a)
	minor, _ := strconv.Atoi(b)
	return Version{major, minor}
}

// Every syntax line of the PTX ISA stands in the table.
func TestTableHasEverySyntaxLine(t *testing.T) {
	squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	have := map[string]bool{}
	var lines []string
	for i := range Rows() {
		for _, s := range Rows()[i].Syntax() {
			have[squeeze(s)] = true
			lines = append(lines, squeeze(s))
		}
	}
	// Lines (from 1) that are no syntax: continuations of the line before, and definitions.
	noSyntax := []int{92, 100, 102, 451, 453, 455, 457, 459, 461, 463, 465, 496, 499, 502, 514, 518}
	// Lines whose end stands in the next line of the manual.
	cutShort := []int{99, 101, 412, 436, 437, 438, 439, 440, 441, 442, 443, 444, 445, 446, 447, 448, 449, 450, 452, 454, 456, 458, 460, 462, 464, 491}
	rows := readData(t, "forms.tsv")
	if len(rows) != 573 {
		t.Fatalf("%d lines, want 573", len(rows))
	}
	for i, row := range rows {
		line := squeeze(row[1])
		if slices.Contains(noSyntax, i+1) || have[line] {
			continue
		}
		if slices.Contains(cutShort, i+1) && slices.ContainsFunc(lines, func(s string) bool { return strings.HasPrefix(s, line) }) {
			continue
		}
		t.Errorf("line %d: %s is not in the table", i+1, row[1])
	}
}

// The checker agrees with the assembler on single instructions.
func TestInstructionsAsTheAssemblerHasThem(t *testing.T) {
	var accepted, acceptable, refused, wrong int
	var differences []string
	for _, row := range readData(t, "instructions.tsv") {
		id, text, version, target, verdict := row[0], unescape.Replace(row[1]), row[2], row[3], row[4]
		target, _, _ = strings.Cut(target, ",")
		f, in, err := readInst(text)
		ok := err == nil && !refuses(Check(&Module{Version: readVersion(version), Target: target}, f, in))
		if verdict == "error" {
			wrong++
			if !ok {
				refused++
			}
		} else {
			acceptable++
			if ok {
				accepted++
			}
		}
		if ok == (verdict == "error") {
			differences = append(differences, id+" "+verdict+": "+text)
		}
	}
	t.Logf("accepted %d of %d, refused %d of %d", accepted, acceptable, refused, wrong)
	if accepted*1000 < acceptable*997 || refused*1000 < wrong*995 {
		t.Errorf("accepted %d of %d (99.7 %% wanted), refused %d of %d (99.5 %% wanted):\n%s", accepted, acceptable, refused, wrong, strings.Join(differences, "\n"))
	}
}

// refuses reports whether a list of problems has an error.
func refuses(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return !p.Warning })
}

// Every spelling is accepted from its version and target on, and not before; the targets that accept it are the right ones.
func TestMinimaOfVersionAndTarget(t *testing.T) {
	versions := strings.Fields("1.0 1.1 1.2 1.3 1.4 1.5 2.0 2.1 2.2 2.3 3.0 3.1 3.2 4.0 4.1 4.2 4.3 5.0 5.1 6.0 6.1 6.2 6.3 6.4 6.5 7.0 7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 8.0 8.1 8.2 8.3 8.4 8.5 8.6 8.7 8.8 9.0")
	plain := strings.Fields("10 11 12 13 20 21 30 32 35 37 50 52 53 60 61 62 70 72 75 80 86 87 89 90 100 103 110 120 121")
	newer := strings.Fields("90 100 103 110 120 121 90a 100a 103a 110a 120a 121a 100f 103f 110f 120f 121f")
	spellings, differences := 0, 0
	for _, row := range readData(t, "since.tsv")[1:] {
		spelling, example, version, at, lowest, by := row[0], unescape.Replace(row[1]), row[2], row[3], row[4], row[5]
		f, in, err := readInst(example)
		if err != nil {
			t.Errorf("%s: %v", example, err)
			continue
		}
		spellings++
		says := func(version, target string) bool {
			return !refuses(Check(&Module{Version: readVersion(version), Target: target}, f, in))
		}
		expect := func(version, target string, want bool) {
			if says(version, target) != want {
				differences++
				t.Logf("%s at %s, %s: accepted %t, want %t", spelling, version, target, !want, want)
			}
		}
		expect(version, at, true)
		introduced, _ := TargetSince(at)
		if i := slices.Index(versions, version); i > 0 && !readVersion(versions[i-1]).Less(introduced) {
			expect(versions[i-1], at, false)
		}
		if lowest == "-" {
			continue
		}
		expect("9.0", lowest, true)
		if i := slices.Index(plain, strings.TrimPrefix(lowest, "sm_")); i > 0 {
			expect("9.0", "sm_"+plain[i-1], false)
		}
		if by != "*" {
			list := strings.Fields(by)
			for _, target := range newer {
				expect("9.0", "sm_"+target, slices.Contains(list, target))
			}
		}
	}
	t.Logf("%d spellings, %d differences", spellings, differences)
	if differences > 0 {
		t.Errorf("%d differences in %d spellings", differences, spellings)
	}
}
