package isa

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// clause is one line of table_since.go: instructions with these words need this version and one of these targets.
type clause struct {
	words  [][]sinceWord // alternatives, each a conjunction; none: every instruction of the opcode
	texts  []string      // the alternatives as written
	minima []minimum     // alternatives
}

// minimum is a version together with the targets that accept it from there on.
type minimum struct {
	version Version
	targets []minTarget
}

// sinceWord is a condition on an instruction.
type sinceWord struct {
	absent   bool
	mod      Mod
	typ      Type
	position int // of the type, or -1 for any
	operands int // a number of operands, or 0
	generic  bool
}

// target is a name such as sm_90a, taken apart.
type target struct {
	number int
	suffix byte // 'a': this chip only, 'f': its family, 0: all later chips
}

// minTarget is a target in a minimum. A plain one stands for all later chips, an `f` one for its family's later chips, an `a`
// one for itself; an exact one for itself whatever its suffix.
type minTarget struct {
	target
	exact bool
}

func readTarget(name string) (target, bool) {
	s, ok := strings.CutPrefix(name, "sm_")
	if !ok {
		s, ok = strings.CutPrefix(name, "compute_")
	}
	if !ok {
		s, ok = strings.CutPrefix(name, "sm") // the article's spelling, D1
	}
	var t target
	if n := len(s); n > 0 && (s[n-1] == 'a' || s[n-1] == 'f') {
		t.suffix, s = s[n-1], s[:n-1]
	}
	var err error
	t.number, err = strconv.Atoi(s)
	if t.number == 101 { // its name before PTX 9.0
		t.number = 110
	}
	return t, ok && err == nil
}

// family numbers the chips that share their `f` features: 100, 103 and 110; 120 and 121.
func family(number int) int {
	switch {
	case number >= 120:
		return 120
	case number >= 100:
		return 100
	}
	return number
}

// meets reports whether a module's target has what the minimum asks for.
func (t target) meets(m minTarget) bool {
	switch {
	case m.exact || m.suffix == 'a':
		return t == m.target
	case m.suffix == 'f':
		return t.suffix != 0 && family(t.number) == family(m.number) && t.number >= m.number
	}
	return t.number >= m.number
}

func (m minTarget) String() string {
	s := "sm_" + strconv.Itoa(m.number)
	if m.suffix != 0 {
		s += string(m.suffix)
	}
	return s
}

// target returns the module's target; a module without one is taken for the newest chip with all features.
func (c *checker) target() target {
	if c.module != nil {
		if t, ok := readTarget(c.module.Target); ok {
			return t
		}
	}
	return target{number: 100, suffix: 'a'}
}

// newestVersion is the newest PTX ISA version that the table knows; what is newer counts as this.
var newestVersion = Version{9, 0}

func (c *checker) version() Version {
	if c.module == nil || newestVersion.Less(c.module.Version) || c.module.Version == (Version{}) {
		return newestVersion
	}
	return c.module.Version
}

// clausesOf holds the clauses of each opcode, read when first needed.
var clausesOf [NumOpcodes]struct {
	once    sync.Once
	clauses []clause
}

func sinceOf(op Opcode) []clause {
	c := &clausesOf[op]
	c.once.Do(func() {
		for _, text := range strings.Split(since[op], ";") {
			if text = strings.TrimSpace(text); text != "" {
				c.clauses = append(c.clauses, readClause(text))
			}
		}
	})
	return c.clauses
}

// readClause reads ".f16|.f16x2 4.2 sm_53 or 5.0 sm_50".
func readClause(text string) clause {
	var c clause
	fields := strings.Fields(text)
	if first := fields[0]; strings.IndexByte("0123456789", first[0]) < 0 {
		fields = fields[1:]
		c.texts = strings.Split(first, "|")
		for _, alternative := range c.texts {
			c.words = append(c.words, readSinceWords(alternative))
		}
	}
	for _, f := range fields {
		switch {
		case f == "or":
		case f[0] >= '0' && f[0] <= '9':
			major, minor, _ := strings.Cut(f, ".")
			var m minimum
			m.version.Major, _ = strconv.Atoi(major)
			m.version.Minor, _ = strconv.Atoi(minor)
			c.minima = append(c.minima, m)
		default:
			name, exact := strings.CutPrefix(f, "=")
			t, _ := readTarget(name)
			last := &c.minima[len(c.minima)-1]
			last.targets = append(last.targets, minTarget{t, exact})
		}
	}
	return c
}

// readSinceWords reads a conjunction: words that begin with a dot, with !. for one that must be absent, /N for a number
// of operands, `generic` for no state space, @0.f32 for the first type.
func readSinceWords(s string) []sinceWord {
	var words []sinceWord
	for s != "" {
		w := sinceWord{position: -1}
		if rest, ok := strings.CutPrefix(s, "generic"); ok {
			w.generic = true
			words, s = append(words, w), rest
			continue
		}
		s, w.absent = strings.CutPrefix(s, "!")
		if s[0] == '@' {
			w.position = int(s[1] - '0')
			s = s[2:]
		}
		start := 1 // after the dot or slash
		if s[0] == ':' {
			start = 0
		}
		end := strings.IndexAny(s[1:], "./!") + 1
		if end == 0 {
			end = len(s)
		}
		name := s[start:end]
		if s[0] == '/' {
			w.operands, _ = strconv.Atoi(name)
		} else if t, ok := LookupType(name); ok {
			w.typ = t
		} else {
			w.mod, _ = LookupMod(name)
		}
		s = s[end:]
		words = append(words, w)
	}
	return words
}

// holds reports whether the condition is true of an instruction.
func (w sinceWord) holds(in *Inst) bool {
	var is bool
	switch {
	case w.generic:
		is = in.Space() == SpaceGeneric
	case w.operands > 0:
		is = len(in.Operands) == w.operands
	case w.typ != TypeNone && w.position >= 0:
		is = in.Type(w.position) == w.typ
	case w.typ != TypeNone:
		is = contains(in.Types, w.typ)
	default:
		is = in.Has(w.mod)
	}
	return is != w.absent
}

// matches reports whether the clause speaks of the instruction, and which of its alternatives does.
func (c *clause) matches(in *Inst) (text string, ok bool) {
	if len(c.words) == 0 {
		return "", true
	}
	for i, conjunction := range c.words {
		all := true
		for _, w := range conjunction {
			all = all && w.holds(in)
		}
		if all {
			return c.texts[i], true
		}
	}
	return "", false
}

// checkSince compares the module's version and target with the clauses that speak of the instruction.
func (c *checker) checkSince() {
	v, t := c.version(), c.target()
	for i := range sinceOf(c.in.Op) {
		cl := &clausesOf[c.in.Op].clauses[i]
		if cl.met(v, t) {
			continue
		}
		if words, ok := cl.matches(c.in); ok {
			c.problems = append(c.problems, c.tooLow(cl, words, v, t))
			return
		}
	}
}

func (cl *clause) met(v Version, t target) bool {
	for _, m := range cl.minima {
		if !v.Less(m.version) && m.meets(t) {
			return true
		}
	}
	return false
}

func (m *minimum) meets(t target) bool {
	for _, want := range m.targets {
		if t.meets(want) {
			return true
		}
	}
	return len(m.targets) == 0
}

// tooLow words the problem: what needs which version and target, and what the module says.
func (c *checker) tooLow(cl *clause, words string, v Version, t target) Problem {
	m := cl.minima[0]
	what := "`" + c.in.Op.String() + "`"
	if strings.HasPrefix(words, ".") && !strings.ContainsAny(words, "!/") {
		what += " with `" + words + "`"
	} else if words != "" {
		what += " in this form"
	}
	p := Problem{Pos: c.in.OpPos, Code: CodeVersion}
	if !m.meets(t) {
		p.Code = CodeTarget
	}
	var names []string
	for _, want := range m.targets {
		names = append(names, want.String())
	}
	needs := fmt.Sprintf("PTX %d.%d", m.version.Major, m.version.Minor)
	if len(names) > 0 {
		needs += " and " + strings.Join(names, " or ")
	}
	p.Msg = what + " needs " + needs
	p.Hint = fmt.Sprintf("the module says .version %d.%d", v.Major, v.Minor)
	if c.module != nil && c.module.Target != "" {
		p.Hint += " and .target " + c.module.Target
	}
	if c.form != nil {
		p.Section = c.row.section(c.form.line)
	}
	return p
}

// Since returns the first PTX version and the targets of the opcode's simplest form, as the PTX ISA writes them: "7.8",
// "sm_90". Both are empty for the article's operators.
func (r *Row) Since() (version, targets string) {
	for _, cl := range sinceOf(r.Op) {
		if len(cl.words) > 0 || len(cl.minima) == 0 {
			continue
		}
		m := cl.minima[0]
		var names []string
		for _, t := range m.targets {
			names = append(names, t.String())
		}
		return fmt.Sprintf("%d.%d", m.version.Major, m.version.Minor), strings.Join(names, " ")
	}
	return "", ""
}

// SinceNotes returns the minima of single modifiers and types, one a line: ".bf16 7.8 sm_90".
func (r *Row) SinceNotes() []string {
	var notes []string
	for _, text := range strings.Split(since[r.Op], ";") {
		if text = strings.TrimSpace(text); text != "" && strings.IndexByte("0123456789", text[0]) < 0 {
			notes = append(notes, text)
		}
	}
	return notes
}

// TargetSince returns the PTX version that introduced a target, and whether there is such a target.
func TargetSince(name string) (Version, bool) {
	for _, line := range targetVersions {
		for _, t := range strings.Fields(line.targets) {
			if name == "sm_"+t || name == "compute_"+t {
				return line.version, true
			}
		}
	}
	return Version{}, false
}
