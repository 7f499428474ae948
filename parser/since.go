package parser

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// minimum is the lowest .version and .target that take a directive; target is the number of the lowest sm_.
type minimum struct {
	version isa.Version
	target  int
}

// minima of what is declared, found by trying each version and target on ptxas 13.0. What every version takes is left
// out. (Minima of instructions and special registers are the instruction table's.)
var minima = map[string]minimum{
	".weak":                         {isa.Version{Major: 3, Minor: 1}, 10},
	".common":                       {isa.Version{Major: 5, Minor: 0}, 10},
	".alias":                        {isa.Version{Major: 6, Minor: 3}, 30},
	".managed":                      {isa.Version{Major: 4, Minor: 0}, 30},
	".section":                      {isa.Version{Major: 2, Minor: 0}, 10},
	".pragma":                       {isa.Version{Major: 2, Minor: 0}, 10},
	".ptr":                          {isa.Version{Major: 2, Minor: 2}, 10},
	".func with .param":             {isa.Version{Major: 2, Minor: 0}, 20},
	".callprototype":                {isa.Version{Major: 2, Minor: 1}, 20},
	".calltargets":                  {isa.Version{Major: 2, Minor: 1}, 20},
	".branchtargets":                {isa.Version{Major: 5, Minor: 1}, 30},
	".noreturn":                     {isa.Version{Major: 6, Minor: 4}, 30},
	".abi_preserve":                 {isa.Version{Major: 9, Minor: 0}, 80},
	".abi_preserve_control":         {isa.Version{Major: 9, Minor: 0}, 80},
	".maxnreg":                      {isa.Version{Major: 1, Minor: 3}, 10},
	".maxntid":                      {isa.Version{Major: 1, Minor: 3}, 10},
	".reqntid":                      {isa.Version{Major: 2, Minor: 1}, 10},
	".minnctapersm":                 {isa.Version{Major: 2, Minor: 0}, 10},
	".reqnctapercluster":            {isa.Version{Major: 7, Minor: 8}, 90},
	".explicitcluster":              {isa.Version{Major: 7, Minor: 8}, 90},
	".maxclusterrank":               {isa.Version{Major: 7, Minor: 8}, 90},
	".blocksareclusters":            {isa.Version{Major: 9, Minor: 0}, 90},
	".local_maxnreg":                {isa.Version{Major: 8, Minor: 8}, 10},
	".texref":                       {isa.Version{Major: 1, Minor: 5}, 10},
	".surfref":                      {isa.Version{Major: 1, Minor: 5}, 10},
	".samplerref":                   {isa.Version{Major: 1, Minor: 5}, 10},
	".b128":                         {isa.Version{Major: 8, Minor: 3}, 70},
	".f16x2":                        {isa.Version{Major: 4, Minor: 2}, 53},
	"an address in an initialiser":  {isa.Version{Major: 2, Minor: 1}, 10},
	"generic() in an initialiser":   {isa.Version{Major: 3, Minor: 1}, 10},
	"a byte mask in an initialiser": {isa.Version{Major: 7, Minor: 1}, 10},
	"the address_size directive":    {isa.Version{Major: 2, Minor: 3}, 10},
}

// since reports a directive that the module's version or target does not have yet.
func (l *lowering) since(what string, at *lexer.Token) {
	m, ok := minima[what]
	switch {
	case !ok || l.module.Version == (isa.Version{}):
	case l.module.Version.Less(m.version):
		l.errorAt("version-too-low", at, fmt.Sprintf("%s needs .version %d.%d; this module is %d.%d", what, m.version.Major, m.version.Minor, l.module.Version.Major, l.module.Version.Minor), "")
	case l.module.Target != "" && targetNumber(l.module.Target) < m.target:
		l.errorAt("target-too-low", at, fmt.Sprintf("%s needs .target sm_%d; this module is %s", what, m.target, l.module.Target), "")
	}
}

// targetNumber is 90 for sm_90a.
func targetNumber(name string) int {
	digits := strings.TrimRight(name[strings.IndexByte(name, '_')+1:], "af")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}
