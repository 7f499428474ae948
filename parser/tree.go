package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// tree is a file after parsing: its declarations in order, each either right or an error.
type tree struct {
	Items []item
	End   int
}

type item struct {
	Pos  int
	Decl *declaration
	Err  *syntaxError
}

// parseTree parses a whole file. It never stops at a mistake: the item is kept as its error.
func parseTree(source *isa.Source, report *reporter) *tree {
	lex, err := lexer.Upgrade(newScanner(source, report))
	if err != nil {
		return &tree{} // the scanner never fails
	}
	var out tree
	for {
		t := lex.Peek()
		if t.EOF() {
			out.End = t.Pos.Offset
			return &out
		}
		it := item{Pos: t.Pos.Offset}
		if t.Type == tokDir {
			it.Decl, it.Err = parseDeclaration(lex, moduleDirectives)
		} else {
			it.Err = expected(t, "a directive")
			if t.Type == tokIdent || t.Type == tokOpcode {
				if _, _, _, wrong := isa.Split(t.Value); wrong == nil {
					it.Err = errorAt(t, "instruction "+found(t)+" outside a function")
				}
			}
		}
		if it.Err != nil {
			it.Decl = nil
			before := lex.Cursor()
			resume(lex, it.Err.Pos)
			if lex.Cursor() == before || isPunct(lex.Peek(), "}") {
				lex.Next()
			}
		}
		out.Items = append(out.Items, it)
	}
}

func unknownDirective(t *lexer.Token, known map[string]bool) *syntaxError {
	names := make([]string, 0, len(known))
	for d := range known {
		names = append(names, d)
	}
	if best := nearestOf(t.Value, names); best != "" {
		return errorAt(t, "unknown directive "+found(t)).hint("did you mean `" + best + "`?")
	}
	_, inBody := bodyDirectives[t.Value]
	_, inModule := moduleDirectives[t.Value]
	if inBody || inModule {
		return errorAt(t, "directive "+found(t)+" can't stand here")
	}
	return errorAt(t, "unknown directive "+found(t))
}
