package corpus

import (
	"archive/zip"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Verdict is an input and what the real assembler (ptxas 13.0) says of it.
type Verdict struct {
	ID      string
	Kind    string // insn: one instruction; body: lines of a kernel's body; module: a whole file
	Text    string
	Version string // of .version
	Target  string // of .target
	// Accepted inputs may still be Warned of.
	Accepted, Warned bool
	Line             int // of the first error, from the text's first line; 0: none is named
}

// Verdicts returns the rows of the test data of package isa. It finds them as Load does.
func Verdicts() ([]Verdict, error) {
	path, err := find("isa/testdata/grammar.zip")
	if err != nil {
		return nil, err
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	defer archive.Close()
	var list []Verdict
	for _, member := range archive.File {
		if member.Name != "instructions.tsv" && member.Name != "modules.tsv" {
			continue
		}
		text, err := read(member)
		if err != nil {
			return nil, fmt.Errorf("corpus: %s: %w", member.Name, err)
		}
		for row := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
			f := strings.Split(row, "\t")
			if member.Name == "instructions.tsv" {
				f = slices.Insert(f, 1, "insn")
			}
			if len(f) != 8 {
				return nil, fmt.Errorf("corpus: %s: %d columns: %s", member.Name, len(f), row)
			}
			v := Verdict{ID: f[0], Kind: f[1], Text: unescape.Replace(f[2]), Version: f[3], Target: f[4], Accepted: f[5] != "error", Warned: f[5] == "warning"}
			v.Line, _ = strconv.Atoi(f[7]) // "-": none
			list = append(list, v)
		}
	}
	return list, nil
}

var unescape = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`)

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

// Module returns the row's module and the number of the text's first line in it. Only what the text names is declared.
func (v Verdict) Module() (text string, first int) {
	if v.Kind == "module" {
		return v.Text, 1
	}
	lines := []string{".version " + v.Version, ".target " + v.Target}
	var major, minor int
	if _, err := fmt.Sscanf(v.Version, "%d.%d", &major, &minor); err != nil || major > 2 || major == 2 && minor >= 3 {
		lines = append(lines, ".address_size 64")
	}
	own := words(v.Text)
	body := of(verdictBody, own)
	all := words(v.Text + "\n" + strings.Join(body, "\n"))
	lines = append(lines, of(verdictModule, all)...)
	lines = append(lines, ".entry k ("+strings.Join(of(verdictParams, own), ", ")+")", "{")
	lines = append(lines, of(verdictRegisters, own)...)
	lines = append(lines, body...)
	if all["L0"] {
		lines = append(lines, "L0:")
	}
	first = len(lines) + 1
	lines = append(lines, v.Text)
	if all["L1"] {
		lines = append(lines, "L1:")
	}
	return strings.Join(append(lines, "ret;", "}", ""), "\n"), first
}
