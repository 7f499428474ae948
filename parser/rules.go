package parser

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// What may be declared together, beyond what the grammar says. The rules are those of the PTX ISA's chapters on state
// spaces and directives, as ptxas 13.0 applies them.

// variableRules checks a declaration of variables as a whole.
func (l *lowering) variableRules(d *declaration, s shape, f *isa.Func) {
	v := d.Variables
	for i := range d.Linkage {
		l.since(d.Linkage[i].Value, &d.Linkage[i])
		switch {
		case f != nil && v.Space.Value != ".reg":
			l.errorAt(codeSyntax, &d.Linkage[i], "a variable of a function has no linking directive", "")
		case d.Linkage[i].Value == ".common" && v.Space.Value != ".global":
			l.errorAt(codeSpace, &d.Linkage[i], ".common is for .global variables", "")
		}
	}
	opaque := s.Type.Kind() == isa.KindOpaque
	switch {
	case opaque && v.Space.Value != ".global":
		l.errorAt(codeSpace, &v.Space, "a ."+s.Type.String()+" is a .global variable or a parameter", "")
	case v.Space.Value == ".tex" && !l.module.Version.Less(isa.Version{Major: 1, Minor: 5}):
		l.errorAt("illegal-modifier-combination", &v.Space, ".tex ended with PTX 1.4", "declare a .global .texref")
	case v.Bank != nil && (len(d.Linkage) == 0 || d.Linkage[0].Value != ".extern"):
		l.errorAt(codeSpace, v.Bank, "a constant bank is an .extern array", "")
	}
	l.samplers(s, &v.Space)
}

// samplers checks that sampler variables have their texture mode (PTX ISA, "Texture, Sampler, and Surface Types").
func (l *lowering) samplers(s shape, at *lexer.Token) {
	if s.Type == isa.SamplerRef && !slices.Contains(l.module.Targets, "texmode_independent") {
		l.errorAt("target-too-low", at, "a .samplerref needs texmode_independent", "as in `.target sm_90, texmode_independent`")
	}
}

// maxFunctionAlign bounds the alignment of a .func's parameters.
const maxFunctionAlign = 128

// parameterRules checks one parameter; f is nil for one of a prototype.
func (l *lowering) parameterRules(q *param, s shape, ok bool, f *isa.Func) {
	if !ok {
		return
	}
	opaque := s.Type.Kind() == isa.KindOpaque
	switch {
	case s.Vec > 0 && q.Space.Value == ".param":
		l.errorAt(codeSpace, &q.Space, "a parameter is no vector", "an aligned array of bytes is: `.param .align 16 .b8 a[16]`")
	case opaque && (f == nil || !f.Entry):
		l.errorAt(codeSpace, &q.Space, "only an entry has parameters of type ."+s.Type.String(), "")
	case f != nil && f.Name != "" && q.Name.Value == "":
		l.errorAt(codeSyntax, &q.Space, "a parameter without a name", "")
	case f != nil && !f.Entry && s.Align > maxFunctionAlign:
		l.errorAt(codeAlignment, &q.Space, fmt.Sprintf("a function's parameter is aligned to at most %d bytes", maxFunctionAlign), "")
	}
	l.samplers(s, &q.Space)
	if f != nil && !f.Entry && q.Space.Value == ".param" {
		l.since(".func with .param", &q.Space)
	}
}

// parameterBytes is how much an entry's parameters may take (PTX ISA, "Kernel Function Parameters").
func (l *lowering) parameterBytes() int {
	v := l.module.Version
	switch {
	case v.Less(isa.Version{Major: 1, Minor: 5}):
		return 256
	case !v.Less(isa.Version{Major: 8, Minor: 1}) && targetNumber(l.module.Target) >= 70:
		return 32764
	}
	return 4352
}

// headRules checks the head of a function.
func (l *lowering) headRules(d *declaration, f *isa.Func) {
	head := d.Function
	for i := range d.Linkage {
		l.since(d.Linkage[i].Value, &d.Linkage[i])
		switch {
		case d.Linkage[i].Value == ".common":
			l.errorAt(codeSyntax, &d.Linkage[i], ".common is for variables", "")
		case d.Linkage[i].Value == ".extern" && head.Body != nil:
			l.errorAt(codeDuplicate, &d.Linkage[i], "an .extern function has no body here", "")
		}
	}
	if f.Entry && head.Results != nil {
		l.errorAt(codeSyntax, &head.Results.Open, "an entry has no results", "")
	}
	if n := len(f.Params); f.Entry && n > 0 {
		last := f.Params[n-1]
		if size, most := last.Offset+last.Size, l.parameterBytes(); size > most {
			l.errorAt(codeRange, &head.Name, fmt.Sprintf("the parameters of `%s` take %d bytes; at most %d are allowed", f.Name, size, most), "")
		}
	}
	if n := len(f.Results); n > 1 {
		if f.Results[1].Space == isa.SpaceParam {
			l.errorAt(codeSpace, &head.Results.Open, "a function has one .param result", "")
		} else {
			l.warnAt(codeOther, &head.Results.Open, "a function with several results", "")
		}
	}
	given := map[string]bool{}
	for _, t := range head.Tuning {
		word := t.Word.Value
		l.since(word, &t.Word)
		given[word] = true
		forFunction := word == ".noreturn" || word == ".abi_preserve" || word == ".abi_preserve_control"
		switch {
		case word == "" || f.Entry != forFunction:
		case f.Entry:
			l.errorAt(codeSyntax, &t.Word, word+" is for functions, not entries", "")
		default:
			l.errorAt(codeSyntax, &t.Word, word+" is for entries, not functions", "")
		}
		switch {
		case word == ".noreturn" && len(f.Results) > 0:
			l.errorAt(codeOther, &t.Word, "a function that does not return has no results", "")
		case word == ".maxnctapersm" && !l.module.Version.Less(isa.Version{Major: 2, Minor: 1}):
			l.errorAt("illegal-modifier-combination", &t.Word, ".maxnctapersm ended with PTX 2.0", "see .minnctapersm")
		case word == ".maxntid" && given[".reqntid"], word == ".reqntid" && given[".maxntid"]:
			l.errorAt(codeOther, &t.Word, ".maxntid and .reqntid exclude each other", "")
		case word == ".maxclusterrank" && given[".reqnctapercluster"], word == ".reqnctapercluster" && given[".maxclusterrank"]:
			l.errorAt(codeOther, &t.Word, ".maxclusterrank and .reqnctapercluster exclude each other", "")
		}
	}
	for _, t := range head.Tuning {
		switch word := t.Word.Value; {
		case word == ".minnctapersm" && !given[".maxntid"] && !given[".reqntid"]:
			l.warnAt(codeOther, &t.Word, ".minnctapersm has no effect without .maxntid or .reqntid", "")
		case word == ".blocksareclusters" && !(given[".reqntid"] && given[".reqnctapercluster"]):
			l.errorAt(codeOther, &t.Word, ".blocksareclusters needs .reqntid and .reqnctapercluster", "")
		}
		for _, p := range withoutCommas(t.Pragma) {
			if text := unquote(p.Value); text == "enable_smem_spilling" || strings.HasPrefix(text, "frequency ") {
				l.errorAt("illegal-modifier-combination", &p, found(&p)+" stands inside a body", "")
			}
		}
	}
}

// mostRegisters a thread can have (CUDA C++ Programming Guide, "Technical Specifications").
const mostRegisters = 255

// sameHead compares a prototype with what follows it: the same linking directive and the same parameters.
func (l *lowering) sameHead(before, f *isa.Func, d *declaration) {
	if before.Entry != f.Entry {
		return
	}
	switch {
	case before.Linkage != f.Linkage:
		l.errorAt(codeDuplicate, &d.Function.Name, "`"+f.Name+"` was declared with another linking directive", "")
	case !sameSignature(before, f):
		l.errorAt(codeDuplicate, &d.Function.Name, "`"+f.Name+"` was declared with other parameters", "")
	}
}

// sameSignature compares results and parameters by space, type and size.
func sameSignature(f, g *isa.Func) bool {
	same := func(x, y *isa.Var) bool {
		return x.Space == y.Space && x.Type == y.Type && x.Size == y.Size && x.Align == y.Align && len(x.Dims) == len(y.Dims)
	}
	return slices.EqualFunc(f.Results, g.Results, same) && slices.EqualFunc(f.Params, g.Params, same)
}

// knownPragma reports the strings that .pragma takes (PTX ISA, "Directives: .pragma").
func knownPragma(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return word == "nounroll" || word == "used_bytes_mask" || word == "enable_smem_spilling" || word == "frequency"
}

// maxConstantBytes is the size of the constant bank (PTX ISA, "Constant State Space").
const maxConstantBytes = 65536

// moduleRules checks what only the whole module shows. Like the assembler, it comes to that only without other errors.
func (l *lowering) moduleRules() {
	if l.report.failed() {
		return
	}
	constants := 0
	for _, v := range l.module.Vars {
		if v.Space != isa.SpaceConst {
			continue
		}
		constants = (constants+v.Align-1)&^(v.Align-1) + v.Size
		if constants > maxConstantBytes {
			l.errorIn(codeRange, int(v.Pos), int(v.Pos)+len(v.Name), fmt.Sprintf("the .const variables take more than %d bytes", maxConstantBytes), "")
			break
		}
	}
	if l.debugTarget != nil && !l.debugSections {
		l.errorAt(codeOther, l.debugTarget, "`.target debug` without a .section of debug data", "")
	}
	for _, f := range l.module.Funcs {
		l.sharedMemory(f)
		alias := slices.ContainsFunc(l.module.Aliases, func(a isa.Alias) bool { return a.Name == f.Name })
		if !f.Defined && !alias && f.Linkage != isa.LinkExtern {
			l.errorIn(codeUndefined, int(f.Pos), int(f.Pos)+len(f.Name), "`"+f.Name+"` has no body", "declare it .extern if another module has it")
		}
	}
	for index, t := range l.locFiles {
		if !slices.ContainsFunc(l.module.Files, func(f isa.DebugFile) bool { return f.Index == int(index) }) {
			l.warnAt(codeOther, &t, "no .file declares the file "+found(&t)+" of this .loc", "")
		}
	}
	for i := range l.debugNames {
		if t := &l.debugNames[i]; !l.debugLabels[t.Value] || t.Value[0] != '$' {
			l.errorAt(codeUndefined, t, "no .section defines "+found(t), "")
		}
	}
}

// maxSharedBytes is what a block of a target may declare at most: 227 KiB from sm_90 on (CUDA C++ Programming Guide,
// "Compute Capabilities"). The smaller limits of other targets depend on how the block is launched.
const maxSharedBytes = 232448

// sharedMemory adds up the .shared variables that a function declares or names.
func (l *lowering) sharedMemory(f *isa.Func) {
	if n := targetNumber(l.module.Target); n < 90 || n >= 120 {
		return
	}
	total := 0
	seen := map[*isa.Var]bool{}
	add := func(v *isa.Var) {
		if v != nil && v.Space == isa.SpaceShared && !seen[v] {
			seen[v] = true
			total = (total+v.Align-1)&^(v.Align-1) + v.Size
		}
	}
	for _, v := range f.Vars {
		add(v)
	}
	for i := range f.Code {
		for k := range f.Code[i].Operands {
			add(f.Code[i].Operands[k].Var)
		}
	}
	if total > maxSharedBytes {
		l.errorIn(codeRange, int(f.Pos), int(f.Pos)+len(f.Name), fmt.Sprintf("`%s` uses %d bytes of .shared variables; a block has at most %d", f.Name, total, maxSharedBytes), "")
	}
}
