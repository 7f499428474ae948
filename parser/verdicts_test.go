package parser

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The verdicts of the real assembler (ptxas 13.0) on 10,563 inputs: instructions, lines of a kernel's body, whole
// modules. Each is parsed as a module of its own.
const (
	goalAccepted = 0.99 // of what it accepts, accepted here
	goalRefused  = 0.97 // of what it refuses, refused here
	goalLine     = 0.99 // of what both refuse, with the first error on its line
)

// deliberate lists the rows that are judged otherwise on purpose.
const deliberate = "testdata/verdicts.tsv"

// verdict is one row.
type verdict struct {
	id, kind, text, version, target string
	accepted, warned                bool
	line                            int // of the first error, from the text's first line; 0: none is named
}

// TestVerdicts compares every row with what Parse says, and fails below the goals; with -v it prints the rows that
// differ.
func TestVerdicts(t *testing.T) {
	known := readDeliberate(t)
	var accepted, acceptedHere, refused, refusedHere, lined, linedHere, warned, warnedHere int
	for _, v := range readVerdicts(t) {
		text, first := v.module()
		_, diagnostics := Parse(v.id, text, Options{})
		failed := diagnostics.HasErrors()
		reason, listed := known[v.id]
		delete(known, v.id)
		if listed {
			if failed == !v.accepted {
				t.Errorf("%s is judged as the assembler does: take it out of %s (%s)", v.id, deliberate, reason)
			}
			continue
		}
		if v.accepted {
			accepted++
			if !failed {
				acceptedHere++
				if v.warned {
					warned++
					if diagnostics.Count(Warning) > 0 {
						warnedHere++
					} else {
						t.Logf("%s %s: the assembler warns:\n\t%s", v.id, v.kind, strings.ReplaceAll(v.text, "\n", "\n\t"))
					}
				}
				continue
			}
			t.Logf("%s %s is accepted by the assembler: %s\n\t%s", v.id, v.kind, firstError(diagnostics), strings.ReplaceAll(v.text, "\n", "\n\t"))
			continue
		}
		refused++
		if !failed {
			t.Logf("%s %s is refused by the assembler (%s %s):\n\t%s", v.id, v.kind, v.version, v.target, strings.ReplaceAll(v.text, "\n", "\n\t"))
			continue
		}
		refusedHere++
		if v.line == 0 {
			continue
		}
		lined++
		at := firstError(diagnostics)
		if at.line-first+1 == v.line || v.kind != "module" && at.line < first { // declared for the text: it can't be told from the verdict
			linedHere++
		} else {
			t.Logf("%s %s: the assembler's first error is on line %d, here %d: %s\n\t%s", v.id, v.kind, v.line, at.line-first+1, at, strings.ReplaceAll(v.text, "\n", "\n\t"))
		}
	}
	t.Logf("%d of %d warnings", warnedHere, warned)
	if warnedHere*100 < warned*80 || warned == 0 {
		t.Errorf("%d of the assembler's %d warnings", warnedHere, warned)
	}
	for id := range known {
		t.Errorf("%s names what is not there: %s", deliberate, id)
	}
	for _, rate := range []struct {
		name      string
		got, want int
		goal      float64
	}{
		{"accepted", acceptedHere, accepted, goalAccepted},
		{"refused", refusedHere, refused, goalRefused},
		{"on the line", linedHere, lined, goalLine},
	} {
		share := float64(rate.got) / float64(rate.want)
		t.Logf("%d of %d %s: %.2f %%", rate.got, rate.want, rate.name, 100*share)
		if share < rate.goal || rate.want < 4000 {
			t.Errorf("%s: %d of %d, the goal is %.0f %%", rate.name, rate.got, rate.want, 100*rate.goal)
		}
	}
}

type placed struct {
	line int
	text string
}

func (p placed) String() string { return p.text }

func firstError(list Diagnostics) placed {
	for _, d := range list {
		if d.Severity == Error {
			line, _, _ := d.place()
			return placed{line, d.String()}
		}
	}
	return placed{}
}

// readVerdicts reads the rows of the test data that isa has too.
func readVerdicts(t *testing.T) []verdict {
	t.Helper()
	archive, err := zip.OpenReader("../isa/testdata/grammar.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var list []verdict
	for _, name := range []string{"instructions.tsv", "modules.tsv"} {
		file, err := archive.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		for row := range strings.SplitSeq(strings.TrimRight(string(text), "\n"), "\n") {
			f := strings.Split(row, "\t")
			if name == "instructions.tsv" {
				f = slices.Insert(f, 1, "insn")
			}
			v := verdict{id: f[0], kind: f[1], text: unescape(f[2]), version: f[3], target: f[4], accepted: f[5] != "error", warned: f[5] == "warning"}
			v.line, _ = strconv.Atoi(f[7])
			list = append(list, v)
		}
	}
	return list
}

func unescape(text string) string {
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`).Replace(text)
}

// readDeliberate reads rows of id and reason.
func readDeliberate(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(deliberate)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for line := range strings.SplitSeq(string(text), "\n") {
		if id, reason, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			known[id] = reason
		}
	}
	return known
}

// declared is a name that rows use, and how the module declares it.
type declared struct{ name, text string }

var verdictRegisters = []declared{
	{"%p", ".reg .pred %p<16>;"}, {"%bb", ".reg .b8 %bb<16>;"}, {"%ub", ".reg .u8 %ub<16>;"}, {"%sb", ".reg .s8 %sb<16>;"},
	{"%bh", ".reg .b16 %bh<16>;"}, {"%uh", ".reg .u16 %uh<16>;"}, {"%sh", ".reg .s16 %sh<16>;"}, {"%h", ".reg .f16 %h<16>;"},
	{"%b", ".reg .b32 %b<260>;"}, {"%u", ".reg .u32 %u<32>;"}, {"%s", ".reg .s32 %s<140>;"}, {"%f", ".reg .f32 %f<140>;"},
	{"%hx", ".reg .f16x2 %hx<16>;"}, {"%bd", ".reg .b64 %bd<32>;"}, {"%ud", ".reg .u64 %ud<32>;"}, {"%sd", ".reg .s64 %sd<32>;"},
	{"%d", ".reg .f64 %d<32>;"}, {"%q", ".reg .b128 %q<8>;"},
}

var verdictModule = []declared{
	{"gbuf", ".global .align 128 .b8 gbuf[1024];"}, {"cbuf", ".const .align 128 .b8 cbuf[1024];"}, {"sbuf", ".shared .align 128 .b8 sbuf[1024];"},
	{"mbar", ".shared .align 8 .b64 mbar;"}, {"gu32", ".global .u32 gu32;"}, {"gf32", ".global .f32 gf32;"}, {"gu64", ".global .u64 gu64;"},
	{"su32", ".shared .u32 su32;"}, {"cu32", ".const .u32 cu32;"}, {"tx", ".global .texref tx;"}, {"smp", ".global .samplerref smp;"},
	{"sf", ".global .surfref sf;"}, {"fn0", ".func fn0 () { ret; }"}, {"fn1", ".func (.param .b32 r) fn1 (.param .b32 a) { ret; }"},
	{"fn2", ".func fn2 (.param .b32 a, .param .b64 b) { ret; }"}, {"fr1", ".func (.reg .b32 r) fr1 (.reg .b32 a) { ret; }"}, {"k2", ".entry k2 () { ret; }"},
}

var verdictParams = []declared{
	{"kp0", ".param .u64 kp0"}, {"kp1", ".param .u32 kp1"}, {"kp2", ".param .f32 kp2"}, {"kpa", ".param .align 16 .b8 kpa[64]"},
}

var verdictBody = []declared{
	{"lbuf", ".local .align 16 .b8 lbuf[256];"}, {"lu32", ".local .u32 lu32;"}, {"pa0", ".param .b32 pa0;"}, {"pa1", ".param .b64 pa1;"},
	{"pr0", ".param .b32 pr0;"}, {"ts", "ts: .branchtargets L0, L1;"}, {"cl", "cl: .calltargets fn1;"}, {"cl0", "cl0: .calltargets fn0;"},
	{"pt", "pt: .callprototype (.param .b32 _) _ (.param .b32 _);"}, {"pt0", "pt0: .callprototype _ ();"},
	{"pt2", "pt2: .callprototype _ (.param .b32 _, .param .b64 _);"},
}

var verdictWord = regexp.MustCompile(`%[a-z]+\d|[\w$%.]*[\w$]`)

// words are the names that a text uses, registers by their prefix.
func words(text string) map[string]bool {
	used := map[string]bool{}
	for _, w := range verdictWord.FindAllString(text, -1) {
		used[w] = true
		if w[0] == '%' {
			used[strings.TrimRight(w, "0123456789")] = true
		}
	}
	return used
}

// of returns the declarations of the names in use.
func of(list []declared, used map[string]bool) (lines []string) {
	for _, d := range list {
		if used[d.name] {
			lines = append(lines, d.text)
		}
	}
	return lines
}

// module is the row's module and the number of the text's first line in it: only what the text names is declared.
func (v verdict) module() (text string, first int) {
	if v.kind == "module" {
		return v.text, 1
	}
	lines := []string{".version " + v.version, ".target " + v.target}
	var major, minor int
	if _, err := fmt.Sscanf(v.version, "%d.%d", &major, &minor); err != nil || major > 2 || major == 2 && minor >= 3 {
		lines = append(lines, ".address_size 64")
	}
	own := words(v.text)
	body := of(verdictBody, own)
	all := words(v.text + "\n" + strings.Join(body, "\n"))
	lines = append(lines, of(verdictModule, all)...)
	lines = append(lines, ".entry k ("+strings.Join(of(verdictParams, own), ", ")+")", "{")
	lines = append(lines, of(verdictRegisters, own)...)
	lines = append(lines, body...)
	if all["L0"] {
		lines = append(lines, "L0:")
	}
	first = len(lines) + 1
	lines = append(lines, v.text)
	if all["L1"] {
		lines = append(lines, "L1:")
	}
	return strings.Join(append(lines, "ret;", "}", ""), "\n"), first
}
