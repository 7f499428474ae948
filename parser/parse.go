// Package parser reads PTX, as compilers and people write it and as the article writes it, into an isa.Module.
//
// The text goes through four stages, each a function of its own: tokens (lex.go), a tree (grammar.go for what is
// declared, block.go and inst.go for statements), the module with every name resolved (lower*.go), and the check of
// each instruction against the table in isa. All mistakes are collected; none stops the reading.
package parser

import (
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// Options say how strict Parse is.
type Options struct {
	// Strict makes errors of what the real assembler refuses and Parse otherwise accepts with a note or warning:
	// the article's dialect D1 to D6, D8 and D9, non-ASCII comments, a NUL after the text.
	Strict bool
	// MaxErrors bounds the errors that are kept; 0 stands for 1,000.
	MaxErrors int
}

// maxFileBytes bounds the text: positions are 32 bits wide, and a token takes 64 bytes of memory.
const maxFileBytes = 100 << 20

// Parse reads a PTX file. The module is nil when there are errors; the diagnostics are in the order of their places.
// It accepts any text and never panics.
func Parse(name, text string, opt Options) (*isa.Module, Diagnostics) {
	report := &reporter{opt: opt}
	if len(text) > maxFileBytes {
		report.source = isa.NewSource(name, text[:4096])
		report.add(Diagnostic{Severity: Error, Code: codeRange, Message: "the file is larger than 100 MB", Hint: "split the module"})
		return nil, report.sorted()
	}
	source := isa.NewSource(name, text)
	report.source = source
	if strings.TrimSpace(text) == "" {
		report.add(Diagnostic{Severity: Error, Code: codeSyntax, Message: "the file is empty: a PTX module begins with .version", Hint: "as in `.version 8.3`"})
		return nil, report.sorted()
	}
	tree := parseTree(source, report)
	if report.cut {
		return nil, report.sorted()
	}
	module := lower(source, tree, report)
	diagnostics := report.sorted()
	if report.failed() {
		return nil, diagnostics
	}
	return module, diagnostics
}
