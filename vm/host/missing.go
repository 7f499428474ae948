package host

import (
	"fmt"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// MissingArguments says which parameters of an entry were given no --arg.
type MissingArguments struct {
	Module *isa.Module
	Entry  *isa.Func
	Given  []string // the --arg texts that were given
	Absent []*isa.Var
	// Compiler is who wrote the PTX, "" where nothing tells; roles is what its parameters are.
	Compiler string
	roles    map[*isa.Var]role
}

// Error prints the entry's parameters with their types, and a command line ready to paste.
func (e *MissingArguments) Error() string {
	var b strings.Builder
	var names []string
	absent := map[*isa.Var]bool{}
	for _, p := range e.Absent {
		if !e.roles[p].auto {
			names = append(names, paramName(p))
			absent[p] = true
		}
	}
	if names == nil { // nobody but the user can say, after all
		for _, p := range e.Absent {
			names = append(names, paramName(p))
			absent[p] = true
		}
	}
	by := ""
	if e.Compiler != "" {
		by = " (" + e.Compiler + ")"
	}
	fmt.Fprintf(&b, "entry %s%s needs --arg for %s; its parameters:\n", e.Entry.Name, by, strings.Join(names, ", "))
	wide, wideType := 0, 0
	for _, p := range e.Entry.Params {
		wide, wideType = max(wide, len(paramName(p))), max(wideType, len(declaration(p)))
	}
	guesses := guessPointers(e.Entry)
	for _, p := range e.Entry.Params {
		what := guesses[p].describe()
		if r := e.roles[p]; r.what != "" {
			what = r.what
		}
		line := fmt.Sprintf("    %-*s  %-*s  %s", wide, paramName(p), wideType, declaration(p), what)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	fmt.Fprintf(&b, "to paste:\n    %s", e.command(absent, guesses))
	return b.String()
}

// command is the run with something sensible for what is absent.
func (e *MissingArguments) command(absent map[*isa.Var]bool, guesses map[*isa.Var]pointerGuess) string {
	words := []string{"tollgate run"}
	if e.Module.Source != nil {
		words = append(words, shellQuote(e.Module.Source.Name))
	}
	if only, err := SelectEntry(e.Module, ""); err != nil || only != e.Entry {
		words = append(words, "--entry "+shellQuote(e.Entry.Name))
	}
	for _, given := range e.Given {
		words = append(words, "--arg "+shellQuote(given))
	}
	for _, p := range e.Entry.Params {
		if absent[p] {
			example := e.roles[p].example
			if example == "" {
				example = guesses[p].example(p)
			}
			words = append(words, "--arg "+shellQuote(paramName(p)+"="+example))
		}
	}
	return strings.Join(words, " ")
}

// shellQuote puts a word in single quotes where a shell would read more into it.
func shellQuote(word string) string {
	plain := strings.IndexFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-+=./:,@%", r))
	}) < 0
	if plain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
