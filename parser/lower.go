package parser

import (
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// lowering turns a tree into a module: names become pointers and numbers, types are filled in, and each instruction
// is checked against the table.
type lowering struct {
	source  *isa.Source
	report  *reporter
	module  *isa.Module
	globals *scope
	words   map[string]word // instruction words seen, split
	ranged  int             // variables declared by ranges

	debugTarget   *lexer.Token          // `debug` in the .target
	debugSections bool                  // there is a .section
	debugLabels   map[string]bool       // defined in .section data
	debugNames    []lexer.Token         // of the functions that .loc directives name
	locFiles      map[int32]lexer.Token // files that .loc directives name, and where first
	dialect       dialect
	chunk         []isa.Operand // what operand lists are cut from
}

// word is an instruction word after splitting.
type word struct {
	Op    isa.Opcode
	Mods  []isa.Mod
	Types []isa.Type
	Err   *isa.WordError
}

// lower makes the module of a tree, reporting all mistakes of the tree and its own.
func lower(source *isa.Source, t *tree, report *reporter) *isa.Module {
	l := &lowering{
		source:  source,
		report:  report,
		module:  &isa.Module{Source: source},
		globals: newScope(nil),
		words:   map[string]word{},

		debugLabels: map[string]bool{},
		locFiles:    map[int32]lexer.Token{},
	}
	l.dialect.report = report
	l.header(t)
	for _, it := range t.Items {
		switch {
		case it.Err != nil:
			l.syntax(it.Err)
		case it.Decl != nil:
			l.item(it.Decl)
		}
	}
	l.moduleRules()
	l.dialect.finish(l)
	l.module.Dialect = l.dialect.used
	return l.module
}

// errorf reports a mistake at a token.
func (l *lowering) errorAt(code string, t *lexer.Token, message, hint string) {
	l.report.add(Diagnostic{Severity: Error, Code: code, Pos: isa.Pos(t.Pos.Offset), End: isa.Pos(t.Pos.Offset + len(t.Value)), Message: message, Hint: hint})
}

// errorIn reports a mistake from one offset to another.
func (l *lowering) errorIn(code string, pos, end int, message, hint string) {
	l.report.add(Diagnostic{Severity: Error, Code: code, Pos: isa.Pos(pos), End: isa.Pos(end), Message: message, Hint: hint})
}

// warnAt reports what is accepted but suspicious.
func (l *lowering) warnAt(code string, t *lexer.Token, message, hint string) {
	l.report.add(Diagnostic{Severity: Warning, Code: code, Pos: isa.Pos(t.Pos.Offset), End: isa.Pos(t.Pos.Offset + len(t.Value)), Message: message, Hint: hint})
}

func (l *lowering) syntax(err *syntaxError) {
	if !err.reported {
		l.report.add(err.diagnostic())
	}
}

// item lowers a declaration at module scope, the header apart.
func (l *lowering) item(d *declaration) {
	switch {
	case d.Function != nil:
		l.function(d)
	case d.Variables != nil:
		l.variables(d, nil, l.globals)
	case d.Alias != nil:
		l.alias(d.Alias)
	case d.File != nil:
		l.file(d.File)
	case d.Section != nil:
		l.since(".section", &d.Section.Name)
		l.debugSections = true
		if d.Section.Data.Err != nil {
			l.syntax(d.Section.Data.Err)
		}
		for name := range d.Section.Data.Labels {
			l.debugLabels[name] = true
		}
	case d.Loc != nil:
		l.errorAt(codeSyntax, &d.Loc.Place[0], "a .loc stands inside a function", "")
	case d.Pragma != nil:
		for _, p := range withoutCommas(d.Pragma) {
			l.since(".pragma", &p)
			if !knownPragma(unquote(p.Value)) {
				l.errorAt(codeOther, &p, "unknown pragma "+found(&p)+" at module scope", "")
			}
		}
	case d.Table != nil || d.Prototype != nil:
		l.errorIn(codeSyntax, d.Pos.Offset, d.Pos.Offset, "branch tables and call prototypes stand inside a function, after a label", "")
	}
}

func (l *lowering) file(f *file) {
	index, err := strconv.Atoi(f.Index.Value)
	if err != nil {
		l.errorAt(codeRange, &f.Index, "file index "+found(&f.Index)+" is too large", "")
		return
	}
	for _, old := range l.module.Files {
		if old.Index == index {
			l.errorAt(codeDuplicate, &f.Index, "a second file "+f.Index.Value, "")
			return
		}
	}
	l.module.Files = append(l.module.Files, isa.DebugFile{Index: index, Name: unquote(f.Name.Value)})
}

// unquote takes the quotes off a string token; the escapes of PTX strings are kept as written.
func unquote(text string) string { return strings.Trim(text, `"`) }

func (l *lowering) alias(a *alias) {
	l.since(".alias", &a.Name)
	for _, t := range []*lexer.Token{&a.Name, &a.Target} {
		sym := l.globals.find(t.Value)
		switch {
		case sym == nil || sym.Func == nil:
			l.errorAt(codeUndefined, t, "no function "+found(t)+" is declared before", didYouMean(t.Value, l.functionNames()))
			return
		case sym.Func.Entry:
			l.errorAt(codeOther, t, found(t)+" is an entry: an .alias names functions only", "")
			return
		}
	}
	target := l.globals.find(a.Target.Value).Func
	if !target.Defined {
		l.errorAt(codeUndefined, &a.Target, "function "+found(&a.Target)+" of the .alias has no body here", "")
		return
	}
	f := l.globals.find(a.Name.Value).Func
	switch {
	case f.Defined:
		l.errorAt(codeDuplicate, &a.Name, "function "+found(&a.Name)+" has a body, so it can't be an alias", "")
		return
	case slices.ContainsFunc(l.module.Aliases, func(old isa.Alias) bool { return old.Name == f.Name }):
		l.errorAt(codeDuplicate, &a.Name, "a second .alias of "+found(&a.Name), "")
		return
	case target.Linkage == isa.LinkWeak:
		l.errorAt("illegal-modifier-combination", &a.Target, "an .alias can't name a .weak function", "")
		return
	case !sameSignature(f, target):
		l.errorAt(codeArgument, &a.Target, found(&a.Name)+" and "+found(&a.Target)+" have different parameters", "")
		return
	}
	l.module.Aliases = append(l.module.Aliases, isa.Alias{Name: a.Name.Value, Target: target})
}

func (l *lowering) functionNames() []string {
	var names []string
	for _, f := range l.module.Funcs {
		names = append(names, f.Name)
	}
	return names
}

// split takes an instruction word apart, once for each spelling.
func (l *lowering) split(text string) word {
	w, ok := l.words[text]
	if !ok {
		w.Op, w.Mods, w.Types, w.Err = isa.Split(text)
		l.words[text] = w
	}
	return w
}

// linkage returns the linking directive of a declaration: one at most.
func (l *lowering) linkage(d *declaration) isa.Linkage {
	if len(d.Linkage) > 1 {
		l.errorAt(codeSyntax, &d.Linkage[1], "a second linking directive: "+found(&d.Linkage[1]), "")
	}
	if len(d.Linkage) == 0 {
		return isa.LinkNone
	}
	switch d.Linkage[0].Value {
	case ".visible":
		return isa.LinkVisible
	case ".extern":
		return isa.LinkExtern
	case ".weak":
		return isa.LinkWeak
	}
	return isa.LinkCommon
}
