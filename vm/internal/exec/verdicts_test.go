package exec_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/programs/corpus"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
)

// cannotRun lists the opcodes, or spellings that begin with these words, that can't run yet, with the reason. It only
// gets shorter.
const cannotRun = "testdata/unsupported.tsv"

// TestEveryAcceptedInstructionRuns decodes what the assembler accepts: each row runs or is listed, and every line of the
// list is in use.
func TestEveryAcceptedInstructionRuns(t *testing.T) {
	text, err := os.ReadFile(cannotRun)
	if err != nil {
		t.Fatal(err)
	}
	type exception struct{ spelling, reason string }
	var exceptions []exception
	for line := range strings.SplitSeq(string(text), "\n") {
		if spelling, reason, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			exceptions = append(exceptions, exception{spelling, reason})
		}
	}
	used := make([]int, len(exceptions))
	verdicts, err := corpus.Verdicts()
	if err != nil {
		t.Fatal(err)
	}
	runs, listed := 0, 0
	for _, v := range verdicts {
		if v.Kind != "insn" || !v.Accepted {
			continue
		}
		text, _ := v.Module()
		m, diagnostics := parser.Parse(v.ID, text, parser.Options{})
		if diagnostics.HasErrors() {
			continue // the parser's test counts these
		}
		p, err := exec.Decode(m, m.EntryNamed("k"), exec.Env{})
		if err != nil {
			t.Errorf("%s: %v", v.Text, err)
			continue
		}
		if p.Unsupported == nil {
			runs++
			continue
		}
		listed++
		known := false
		for i, e := range exceptions {
			if fits(e.spelling, p.Unsupported, v.Text) {
				used[i]++
				known = true
				break
			}
		}
		if !known {
			t.Errorf("%s can't run: %s", p.Unsupported.Op, v.Text)
		}
	}
	for i, n := range used {
		if n == 0 {
			t.Errorf("%s: take `%s` out", cannotRun, exceptions[i].spelling)
		}
	}
	t.Logf("%d run, %d are listed", runs, listed)
	if runs < 2000 {
		t.Errorf("only %d instructions run", runs)
	}
}

// fits reports whether an instruction is one of a spelling: an opcode, then modifiers and types that it must have.
func fits(spelling string, in *isa.Inst, text string) bool {
	words := strings.Fields(spelling)
	if words[0] != in.Op.String() {
		return false
	}
	name, _, _ := strings.Cut(text, " ")
	for _, w := range words[1:] {
		if !strings.Contains(name+".", w+".") {
			return false
		}
	}
	return true
}
