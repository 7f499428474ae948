package isa

import (
	"strings"
	"testing"
)

// Every opcode has a row, and nothing in a row is left over.
func TestTableIsComplete(t *testing.T) {
	units := map[Unit]bool{UnitALU: true, UnitFMA: true, UnitFP64: true, UnitXU: true, UnitLSU: true, UnitTEX: true, UnitTMA: true,
		UnitTensor: true, UnitBranch: true, UnitBarrier: true, UnitNVLink: true}
	waits := map[string]bool{WaitALU: true, WaitTensor: true, WaitMemory: true, WaitCTABarrier: true, WaitCopy: true, WaitReduce: true,
		WaitRemote: true, WaitFence: true, WaitBarrier: true}
	if got, want := len(Rows()), int(NumOpcodes)-1; got != want {
		t.Fatalf("%d rows, %d opcodes", got, want)
	}
	for i := range Rows() {
		r := &Rows()[i]
		op := OpNone + 1 + Opcode(i)
		if r.Op != op {
			t.Errorf("%s: the row is missing", op)
			continue
		}
		if r.Meaning == "" || r.Chapter == "" || len(r.Forms) == 0 {
			t.Errorf("%s: meaning, chapter or syntax is missing", op)
		}
		if !units[r.Unit] {
			t.Errorf("%s: unit %q", op, r.Unit)
		}
		if !waits[r.Wait] {
			t.Errorf("%s: ledger entry %q", op, r.Wait)
		}
		version, _ := r.Since()
		if (r.Origin == "article") != (op >= OpSyncNVLink) || (version == "") != (r.Origin == "article") {
			t.Errorf("%s: origin %q, since %q", op, r.Origin, version)
		}
	}
}

// Every placeholder that With explains stands in a syntax line, and every word of its choices is known.
func TestPlaceholdersAreUsed(t *testing.T) {
	for i := range Rows() {
		r := &Rows()[i]
		used := map[string]bool{}
		for j := range r.Forms {
			f := &r.Forms[j]
			own := map[string]bool{}
			for _, it := range syntaxItems(f.Syntax) {
				used[it.name], own[it.name] = true, true
			}
			for name, words := range choices(f.With) {
				if !own[name] {
					t.Errorf("%s: `%s` is explained but not in %q", r.Op, name, f.Syntax)
				}
				knownWords(t, r.Op, words)
			}
		}
		for name, words := range choices(r.With) {
			if !used[name] && !sharedWith(r.With) {
				t.Errorf("%s: `%s` is explained but in no syntax line", r.Op, name)
			}
			knownWords(t, r.Op, words)
		}
		for _, word := range strings.Fields(r.Lead) {
			if _, ok := LookupMod(word); !ok {
				t.Errorf("%s: leading word %q", r.Op, word)
			}
		}
	}
}

// sharedWith reports one of the texts that several rows share; not every row needs all of it.
func sharedWith(with string) bool {
	for _, shared := range []string{scalarWords, mbarrierWords, wmmaWords, mmaWords, wgmmaWords, tcgen05Words, tcgen05Banks, multimemWords, surfaceWords, atomicWords} {
		if strings.Contains(with, shared) {
			return true
		}
	}
	return false
}

func knownWords(t *testing.T, op Opcode, words []string) {
	t.Helper()
	for _, word := range words {
		if word == "none" || word == "-" {
			continue
		}
		for _, part := range strings.Split(word, ".") {
			if _, isMod := LookupMod(part); isMod {
				continue
			}
			if _, isType := LookupType(part); !isType {
				t.Errorf("%s: %q is neither a modifier nor a type", op, part)
			}
		}
	}
}

// Every word of a syntax line becomes a slot of its form, and every operand has an argument.
func TestSyntaxLinesCompile(t *testing.T) {
	for i := range Rows() {
		r := &Rows()[i]
		for j := range r.Forms {
			line := &r.Forms[j]
			for _, f := range compile(r, line) {
				for _, s := range f.mods {
					if len(s.mods) == 0 {
						t.Errorf("%q: a slot without a choice", line.Syntax)
					}
				}
				if got, want := len(f.args), operandCount(line.Syntax); got != want && !strings.Contains(line.Syntax, "cp_fenceproxy") {
					t.Errorf("%q: %d arguments for %d operands", line.Syntax, got, want)
				}
			}
			own, shared := choices(line.With), choices(r.With)
			for _, it := range dropOpcode(r.Op, syntaxItems(line.Syntax), own, shared) {
				words := []string{it.name}
				for _, m := range []map[string][]string{own, shared, common} {
					if w, ok := m[it.name]; ok {
						words = w
						break
					}
				}
				knownWords(t, r.Op, words)
			}
		}
	}
}

// Every modifier and every type is in use.
func TestNoModifierOrTypeIsStale(t *testing.T) {
	mods, types := map[Mod]bool{}, map[Type]bool{}
	for op := OpNone + 1; op < NumOpcodes; op++ {
		for _, f := range formsOf(op) {
			for _, s := range f.mods {
				for _, m := range s.mods {
					mods[m] = true
				}
			}
			for _, s := range f.types {
				for _, x := range s.types {
					types[x] = true
				}
			}
		}
	}
	for m := ModNone + 1; m < NumMods; m++ {
		if !mods[m] {
			t.Errorf("modifier .%s is in no syntax line", m)
		}
	}
	for x := TypeNone + 1; x < NumTypes; x++ {
		if !types[x] {
			t.Errorf("type .%s is in no syntax line", x)
		}
	}
}

// Names are unique, and looking one up gives it back.
func TestNamesRoundTrip(t *testing.T) {
	for o := OpNone + 1; o < NumOpcodes; o++ {
		if got, ok := LookupOpcode(o.String()); !ok || got != o {
			t.Errorf("opcode %q gives %d", o, got)
		}
	}
	for m := ModNone + 1; m < NumMods; m++ {
		if got, ok := LookupMod(m.String()); !ok || got != m {
			t.Errorf("modifier %q gives %d", m, got)
		}
		if _, ok := LookupType(m.String()); ok {
			t.Errorf("%q is both a modifier and a type", m)
		}
	}
	for x := TypeNone + 1; x < NumTypes; x++ {
		if got, ok := LookupType(x.String()); !ok || got != x {
			t.Errorf("type %q gives %d", x, got)
		}
	}
	for s := SpecialNone + 1; s < NumSpecials; s++ {
		if got, ok := LookupSpecial(s.String()); !ok || got != s {
			t.Errorf("special register %q gives %d", s, got)
		}
	}
	for c := Class(0); c < NumClasses; c++ {
		if got, ok := LookupClass(c.String()); !ok || got != c {
			t.Errorf("class %q gives %d", c, got)
		}
	}
}

// What `tollgate isa` prints of a row.
func TestRowOf(t *testing.T) {
	r := RowOf(OpFma)
	if got := r.Section(); len(got) != 3 || got[0] != "Floating Point Instructions: fma" || got[1] != "Half Precision Floating Point Instructions: fma" {
		t.Errorf("sections %q", got)
	}
	if got := r.Syntax(); len(got) != 11 || got[0] != "fma.rnd{.ftz}{.sat}.f32 d, a, b, c" {
		t.Errorf("syntax %q", got)
	}
	if version, targets := r.Since(); version != "1.4" || targets != "" {
		t.Errorf("since %q %q", version, targets)
	}
	if version, targets := RowOf(OpWgmmaFence).Since(); version != "8.0" || targets != "sm_90a" {
		t.Errorf("wgmma.fence since %q %q", version, targets)
	}
	if got := r.Placeholders(); len(got) != 4 || got[0].Name != "rnd" || strings.Join(got[0].Choices, " ") != "rn rz rm rp" || strings.Join(got[1].Choices, " ") != "rn" {
		t.Errorf("placeholders %v", got)
	}
	if got := r.SinceNotes(); len(got) == 0 || got[0] != ".f64.rm|.f64.rp 1.4 sm_13" {
		t.Errorf("notes %q", got)
	}
	if RowOf(OpNone) != nil || RowOf(NumOpcodes) != nil {
		t.Error("a row of no opcode")
	}
}
