package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// tree is a file after parsing: its declarations in order, each either right or an error.
type tree struct {
	Items []item
}

type item struct {
	Pos  int
	Decl *declaration
	Err  *syntaxError
}

// parseTree parses a whole file. It never stops at a mistake: the item is kept as its error.
func parseTree(source *isa.Source, report *reporter) *tree {
	var out tree
	for p := (portions{scanner: newScanner(source, report)}); !p.ended; {
		out.read(p.next())
	}
	return &out
}

// read appends the items of one portion.
func (out *tree) read(lex *lexer.PeekingLexer) {
	for {
		t := lex.Peek()
		if t.EOF() {
			return
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
			resume(lex, it.Pos, it.Err.Pos)
			if lex.Cursor() == before || isPunct(lex.Peek(), "}") {
				lex.Next()
			}
		}
		out.Items = append(out.Items, it)
	}
}

// portions cuts the tokens of a file between declarations, a few thousand at a time: participle keeps every token
// of what it reads in memory, 64 bytes each.
type portions struct {
	*scanner
	count int
	last  lexer.Token // the token before
	saved lexer.Token // the first token of the next portion
	ended bool
}

const portionTokens = 2048

// maxPortionTokens bounds one function, at about half a million lines: what is held at once stays below a gigabyte.
const maxPortionTokens = 4 << 20

// next scans the next portion.
func (p *portions) next() *lexer.PeekingLexer {
	p.count = 0
	lex, _ := lexer.Upgrade(p) // the scanner never fails
	return lex
}

// Next implements lexer.Lexer.
func (p *portions) Next() (lexer.Token, error) {
	t, outside := p.saved, p.nesting == 0
	if t.Type != 0 {
		p.saved = lexer.Token{}
	} else {
		t, _ = p.scanner.Next()
	}
	p.ended = t.EOF()
	if p.count >= portionTokens && outside && !p.ended && p.between(&t) {
		p.saved = t
		return lexer.EOFToken(t.Pos), nil
	}
	if p.count >= maxPortionTokens && !p.ended {
		p.ended = true
		return p.giveUp(t.Pos.Offset, "a function or declaration of more than 4 million words ends here", "split it"), nil
	}
	p.count++
	p.last = t
	return t, nil
}

// between reports that a declaration ends before t. A .pragma in the head of a function ends with a semicolon, too.
func (p *portions) between(t *lexer.Token) bool {
	if t.Type == tokDir {
		return (p.last.Value == ";" || p.last.Value == "}") && moduleDirectives[t.Value] && t.Value != ".pragma"
	}
	return p.last.Value == ";" && t.Value != "{"
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
