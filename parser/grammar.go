package parser

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// A capture of several tokens holds what separates them too: see withoutCommas.

// declaration is whatever begins with a directive: the grammar of everything in PTX that is declared. A block of
// statements and an initialiser are parsed by hand (block.go, initialiser.go).
type declaration struct {
	Pos         lexer.Position
	Loc         *location     `parser:"  @@"`
	Version     *lexer.Token  `parser:"| '.version' @( Float | Int )"`
	Target      []lexer.Token `parser:"| '.target' @( Ident ( ',' Ident )* )"`
	AddressSize *lexer.Token  `parser:"| '.address_size' @Int"`
	File        *file         `parser:"| @@"`
	Pragma      []lexer.Token `parser:"| '.pragma' @( String ( ',' String )* ) ';'"`
	Alias       *alias        `parser:"| @@"`
	Section     *section      `parser:"| @@"`
	Table       *table        `parser:"| @@"`
	Prototype   *prototype    `parser:"| @@"`
	Attributes  *attributes   `parser:"| @@?"`
	Linkage     []lexer.Token `parser:"  @( ( '.visible' | '.extern' | '.weak' | '.common' )+ )?"`
	Function    *function     `parser:"  ( @@"`
	Variables   *variables    `parser:"  | @@ )"`
}

type file struct {
	Index lexer.Token   `parser:"'.file' @Int"`
	Name  lexer.Token   `parser:"@String"`
	Stamp []lexer.Token `parser:"@( ',' Int ( ',' Int )? )?"`
}

type location struct {
	Place    []lexer.Token `parser:"'.loc' @( Int Int Int )"`
	Function *lexer.Token  `parser:"( ',' 'function_name' @( Ident | Dir | Reg )"`
	Offset   *lexer.Token  `parser:"  ( '+' @Int )?"`
	Inlined  []lexer.Token `parser:"  ',' 'inlined_at' @( Int Int Int ) )?"`
}

type alias struct {
	Name   lexer.Token `parser:"'.alias' @( Ident | Reg )"`
	Target lexer.Token `parser:"',' @( Ident | Reg ) ';'"`
}

type section struct {
	Name lexer.Token `parser:"'.section' @( Dir | Ident )"`
	Data debugData   `parser:"@@"`
}

type table struct {
	Kind  string        `parser:"@( '.branchtargets' | '.calltargets' )"`
	Names []lexer.Token `parser:"@( ( Ident | Reg ) ( ',' ( Ident | Reg ) )* ) ';'"`
}

type prototype struct {
	Start   lexer.Token `parser:"@'.callprototype'"`
	Results *params     `parser:"@@?"`
	Name    lexer.Token `parser:"@Ident"`
	Params  *params     `parser:"@@?"`
	Tuning  []*tuning   `parser:"@@* ';'"`
}

type function struct {
	Kind       lexer.Token `parser:"@( '.entry' | '.func' )"`
	Attributes *attributes `parser:"@@?"`
	Results    *params     `parser:"@@?"`
	Name       lexer.Token `parser:"@( Ident | Reg )"`
	Params     *params     `parser:"@@?"`
	Tuning     []*tuning   `parser:"@@*"`
	Body       *block      `parser:"( @@"`
	Prototype  bool        `parser:"| @';' )"`
}

type params struct {
	Open lexer.Token `parser:"@'('"`
	List []*param    `parser:"( @@ ( ',' @@ )* )? ')'"`
}

type param struct {
	Space      lexer.Token  `parser:"@( '.param' | '.reg' )"`
	Attributes []*attribute `parser:"@@*"`
	Name       lexer.Token  `parser:"@( Ident | Reg )?"`
	Dims       []*dimension `parser:"@@*"`
}

type variables struct {
	Space      lexer.Token   `parser:"@( '.reg' | '.global' | '.shared' | '.local' | '.param' | '.const' | '.tex' )"`
	Bank       *lexer.Token  `parser:"( '[' @Int ']' )?"`
	Attributes []*attribute  `parser:"@@*"`
	Names      []*declarator `parser:"@@ ( ',' @@ )* ';'"`
}

// attributes stand before the name of a function, or first of all.
type attributes struct {
	List []lexer.Token `parser:"'.attribute' '(' @( Dir ( '(' Int ( ',' Int )* ')' )? ( ',' Dir ( '(' Int ( ',' Int )* ')' )? )* ) ')'"`
}

// attribute is a type, a vector size, .align 8, .ptr or .attribute(.managed); lowering knows which may stand where.
type attribute struct {
	Word  lexer.Token   `parser:"@Dir"`
	Value *lexer.Token  `parser:"@Int?"`
	List  []lexer.Token `parser:"( '(' @( Dir ( '(' Int ( ',' Int )* ')' )? ( ',' Dir ( '(' Int ( ',' Int )* ')' )? )* ) ')' )?"`
}

type declarator struct {
	Name  lexer.Token  `parser:"@( Ident | Reg )"`
	Count *lexer.Token `parser:"( '<' @Int '>' )?"`
	Dims  []*dimension `parser:"@@*"`
	Init  *initialiser `parser:"( '=' @@ )?"`
}

type dimension struct {
	Open lexer.Token  `parser:"@'['"`
	Size *lexer.Token `parser:"@( Int | 'WARP_SZ' )? ']'"`
}

// tuning is a directive between a function's parameters and its body. They are listed by name: "any directive"
// would swallow the linking word of the next function.
type tuning struct {
	Word    lexer.Token   `parser:"(  @( '.maxntid' | '.reqntid' | '.maxnreg' | '.minnctapersm' | '.maxnctapersm' | '.noreturn' | '.explicitcluster' | '.reqnctapercluster' | '.maxclusterrank' | '.blocksareclusters' | '.abi_preserve' | '.abi_preserve_control' | '.local_maxnreg' )"`
	Numbers []lexer.Token `parser:"   @( Int ( ',' Int )* )?"`
	Pragma  []lexer.Token `parser:"| '.pragma' @( String ( ',' String )* ) ';' )"`
}

// grammar is built at the first use: it costs milliseconds, which `--help` need not pay.
var grammar = sync.OnceValue(func() *participle.Parser[declaration] {
	return participle.MustBuild[declaration](
		participle.Lexer(definition{}),
		// The grammar is LL(1): the first token of each alternative, repetition and option decides. With no token of
		// lookahead beyond it, participle reports the token that is wrong; with more it would drop an optional part
		// that is broken, and complain about where the part begins.
		participle.UseLookahead(0),
	)
})

// moduleDirectives begin a declaration at module scope.
var moduleDirectives = map[string]bool{
	".version": true, ".target": true, ".address_size": true, ".file": true, ".loc": true, ".pragma": true, ".alias": true,
	".section": true, ".attribute": true, ".visible": true, ".extern": true, ".weak": true, ".common": true, ".entry": true, ".func": true,
	".global": true, ".shared": true, ".const": true, ".tex": true, ".reg": true, ".local": true, ".param": true,
}

// bodyDirectives begin a declaration inside a function.
var bodyDirectives = map[string]bool{
	".reg": true, ".local": true, ".shared": true, ".global": true, ".const": true, ".param": true, ".loc": true, ".file": true,
	".pragma": true, ".branchtargets": true, ".calltargets": true, ".callprototype": true, ".extern": true, ".tex": true,
	".visible": true, ".weak": true, ".common": true, ".target": true, ".section": true, ".alias": true,
}

// withoutCommas returns the tokens of a captured list that are no punctuation.
func withoutCommas(list []lexer.Token) []lexer.Token {
	var out []lexer.Token
	for i := range list {
		if list[i].Type != tokPunct {
			out = append(out, list[i])
		}
	}
	return out
}
