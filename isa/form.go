package isa

import (
	"strings"
	"sync"
)

// form is a syntax line, compiled: what its word may hold and what each operand may be.
type form struct {
	row   *Row
	line  *Form
	mods  []slot // a set: the order does not matter, except between slots that share words
	types []slot // in order
	args  []argument
}

// slot is one place of a syntax line's word with its choices.
type slot struct {
	mods     []Mod
	types    []Type
	optional bool
	group    int // slots of one optional group are all present or all absent; 0: no group
}

// commonWords are the placeholders that mean the same in every row.
const commonWords = "rnd=rn rz rm rp, completion_mechanism=mbarrier::complete_tx::bytes, level::cache_hint=L2::cache_hint, " +
	"level::prefetch_size=L2::64B L2::128B L2::256B, " +
	"level1::eviction_priority=L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate, " +
	"level2::eviction_priority=L2::evict_normal L2::evict_first L2::evict_last"

var common = choices(commonWords)

// choices reads "rnd=rn rz, type=f32 f64".
func choices(with string) map[string][]string {
	m := map[string][]string{}
	for _, part := range strings.Split(with, ",") {
		name, words, ok := strings.Cut(strings.TrimSpace(part), "=")
		if ok {
			m[name] = strings.Fields(words)
		}
	}
	return m
}

// item is one word of a syntax line before its choices are looked up.
type item struct {
	name     string
	optional bool
	group    int
}

// syntaxItems splits the word of a syntax line: `ld{.weak}.type d, [a]` is ld, weak (optional), type.
func syntaxItems(syntax string) []item {
	word, _, _ := strings.Cut(syntax, " ")
	var items []item
	optional, group, groups := false, 0, 0
	for len(word) > 0 {
		switch word[0] {
		case '{':
			optional = true
			groups++
			group = groups
			word = word[1:]
			continue
		case '}':
			optional, group = false, 0
			word = word[1:]
			continue
		case '.':
			word = word[1:]
			continue
		}
		end := strings.IndexAny(word, ".{}")
		if end < 0 {
			end = len(word)
		}
		items = append(items, item{word[:end], optional, group})
		word = word[end:]
	}
	return items
}

// compile turns a syntax line into forms. It is one form, unless a placeholder stands for several words (.async.global).
func compile(row *Row, line *Form) []form {
	own, shared := choices(line.With), choices(row.With)
	lookup := func(name string) []string {
		if words, ok := own[name]; ok {
			return words
		}
		if words, ok := shared[name]; ok {
			return words
		}
		if words, ok := common[name]; ok {
			return words
		}
		return []string{name}
	}
	variants := [][]item{dropOpcode(row.Op, syntaxItems(line.Syntax), own, shared)}
	for again := true; again; {
		again = false
		var next [][]item
		for _, items := range variants {
			if expanded := expand(items, lookup); expanded != nil {
				next, again = append(next, expanded...), true
			} else {
				next = append(next, items)
			}
		}
		variants = next
	}
	var forms []form
	for _, items := range variants {
		f := form{row: row, line: line, args: argumentsOf(line)}
		for _, it := range items {
			f.add(it, lookup(it.name))
		}
		forms = append(forms, f)
	}
	return forms
}

// dropOpcode takes the words that are the opcode itself off a syntax line. Where the line has a placeholder for such a
// word (.spvariant) or a suffix on it (fence::before_thread_sync), that stays, as a modifier.
func dropOpcode(op Opcode, items []item, own, shared map[string][]string) []item {
	var rest []item
	words := strings.Split(op.String(), ".")
	for i, word := range words {
		if i >= len(items) {
			break
		}
		name := items[i].name
		if suffix, ok := strings.CutPrefix(name, word+"::"); ok {
			rest = append(rest, item{name: "::" + suffix})
		} else if name != word && (own[name] != nil || shared[name] != nil) {
			rest = append(rest, item{name: name})
		}
	}
	return append(rest, items[min(len(words), len(items)):]...)
}

// expand replaces the first placeholder that has a choice of several words by one list of items for each such choice.
func expand(items []item, lookup func(string) []string) [][]item {
	for i, it := range items {
		words := lookup(it.name)
		if len(words) == 1 && words[0] == it.name {
			continue
		}
		several := false
		for _, w := range words {
			several = several || strings.Contains(w, ".")
		}
		if !several {
			continue
		}
		var out [][]item
		for _, w := range words {
			variant := append([]item(nil), items[:i]...)
			for _, part := range strings.Split(w, ".") {
				variant = append(variant, item{part, it.optional, it.group})
			}
			out = append(out, append(variant, items[i+1:]...))
		}
		if it.optional {
			out = append(out, append(append([]item(nil), items[:i]...), items[i+1:]...))
		}
		return out
	}
	return nil
}

// add appends the slot of an item. The choice "none" makes it optional, "-" drops it.
func (f *form) add(it item, words []string) {
	s := slot{optional: it.optional, group: it.group}
	for _, w := range words {
		if w == "none" {
			s.optional = true
		} else if t, ok := LookupType(w); ok {
			s.types = append(s.types, t)
		} else if m, ok := LookupMod(w); ok {
			s.mods = append(s.mods, m)
		}
	}
	if s.types != nil {
		f.types = append(f.types, s)
	}
	if s.mods != nil {
		f.mods = append(f.mods, s)
	}
}

// compiled holds the forms of each opcode, compiled when first needed.
var compiled [NumOpcodes]struct {
	once  sync.Once
	forms []form
}

func formsOf(op Opcode) []form {
	c := &compiled[op]
	c.once.Do(func() {
		row := &rows[op]
		for i := range row.Forms {
			c.forms = append(c.forms, compile(row, &row.Forms[i])...)
		}
	})
	return c.forms
}

// repeatable modifiers may be written twice; the assembler takes the second for the first.
func repeatable(m Mod) bool {
	switch m {
	case ModSync, ModSat, ModNaN, ModApprox, ModUni, ModRelu, ModSatfinite, ModCC:
		return true
	}
	return false
}

// orderedKind numbers the modifiers that are no set but keep their order among themselves: layouts and state spaces.
func orderedKind(m Mod) int {
	switch m {
	case ModRow, ModCol:
		return 1
	case ModGlobal, ModShared, ModSharedCTA, ModSharedCluster:
		return 2
	}
	return 0
}

// misfit says how the words of an instruction fail to fit a form.
type misfit struct {
	strange Mod   // a modifier that has no place
	missing *slot // a required slot that is empty
	twice   Mod
	badType Type // a type that has no place
	noType  bool // a type is missing
}

// weight orders misfits: the form with the least is the one that was probably meant.
func (m misfit) weight() int {
	n := 0
	if m.missing != nil || m.noType {
		n++
	}
	if m.strange != ModNone || m.twice != ModNone {
		n += 2
	}
	if m.badType != TypeNone { // a type is more likely meant than a modifier
		n += 4
	}
	return n
}

// fitWords reports whether modifiers and types fit the form, and if not, why.
func (f *form) fitWords(mods []Mod, types []Type) (misfit, bool) {
	var bad misfit
	var filled [24]bool
	last := [3]int{-1, -1, -1} // the last slot filled of each kind that keeps its order
	for i, m := range mods {
		placed := false
		for s := range f.mods {
			if !filled[s] && contains(f.mods[s].mods, m) {
				if kind := orderedKind(m); kind > 0 {
					if s < last[kind] {
						continue
					}
					last[kind] = s
				}
				filled[s], placed = true, true
				break
			}
		}
		if placed || repeatable(m) && contains(mods[:i], m) {
			continue
		}
		if contains(mods[:i], m) {
			bad.twice = m
		} else {
			bad.strange = m
		}
	}
	for s := range f.mods {
		if filled[s] {
			continue
		}
		if !f.mods[s].optional || f.mods[s].group != 0 && f.groupBegun(s, filled[:]) {
			bad.missing = &f.mods[s]
		}
	}
	next := 0
	for _, t := range types {
		for next < len(f.types) && f.types[next].optional && !contains(f.types[next].types, t) {
			next++
		}
		if next == len(f.types) || !contains(f.types[next].types, t) {
			bad.badType = t
			break
		}
		next++
	}
	for bad.badType == TypeNone && next < len(f.types) {
		if !f.types[next].optional {
			bad.noType = true
		}
		next++
	}
	return bad, bad == misfit{}
}

// groupBegun reports whether another slot of slot s's optional group is filled.
func (f *form) groupBegun(s int, filled []bool) bool {
	for i := range f.mods {
		if i != s && filled[i] && f.mods[i].group == f.mods[s].group {
			return true
		}
	}
	return false
}

func contains[T comparable](list []T, x T) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}
