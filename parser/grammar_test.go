package parser

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// byHand is the part of the grammar that is parsed by hand: statements, operands, constants, initialisers.
const byHand = `
// By hand (block.go, inst.go, operand.go, constant.go, initialiser.go, debug.go):
Module      = Declaration* .
block       = "{" Statement* "}" .
Statement   = Instruction | <label> | Declaration | block .
Instruction = Guard? ( Opcode ( Operand ( "," Operand )* )? | <ident> Arguments ) ";" .
Guard       = "@" "!"? Name | "!"? <reg> .
Opcode      = ( <ident> | <opcode> ) <dir>* .
Operand     = ( "!" | "-" )? Symbol | Symbol "|" Name | Vector ( "|" Name )? | Address | Arguments | Constant .
Symbol      = ( Name | <opcode> ) ( "[" Constant "]" )* ( "+" Constant )? .
Vector      = "{" Operand ( "," Operand )* "}" .
Arguments   = "(" ( Operand ( "," Operand )* )? ")" .
Address     = "[" ( ( Name | <opcode> ) ( "+" Constant )? | Constant ) ( "," Operand )* "]" .
Name        = <ident> | <reg> .
Constant    = Binary ( "?" Constant ":" Constant )? .
Binary      = Unary ( ( "||" | "&&" | "|" | "^" | "&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "<<" | ">>" | "+" | "-" | "*" | "/" ) Unary )* .
Unary       = ( "-" | "+" | "~" | "!" | "(" ( ".s64" | ".u64" ) ")" )* ( <int> | <float> | <hexfloat> | "WARP_SZ" | "(" Constant ")" ) .
initialiser = "{" ( initialiser ( "," initialiser )* )? "}" | Constant | Element .
Element     = <int> "(" Element ")" | ( Name | "generic" "(" Name ")" ) ( "+" Constant )? .
debugData   = "{" ( <int> | <dir> | <label> | Name | "," | "+" | "-" )* "}" .
`

// TestGrammarFileIsCurrent compares GRAMMAR.ebnf with what the parser is built from.
func TestGrammarFileIsCurrent(t *testing.T) {
	want := "// The grammar of PTX as this package reads it. Tokens in angle brackets are those of lex.go.\n" +
		"// From grammar.go, as participle prints it:\n" + grammar().String() + "\n" + byHand
	if *update {
		if err := os.WriteFile("GRAMMAR.ebnf", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("GRAMMAR.ebnf")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("go test -run Grammar -update writes it anew:\n%s", d)
	}
	if n := strings.Count(want, " = "); n < 20 {
		t.Errorf("%d productions", n)
	}
}
