package isa

import "strings"

// WordError says what is wrong with the spelling of an instruction word. Start and End are byte offsets in the word.
type WordError struct {
	Start, End int
	Msg        string
	Hint       string // the nearest right spelling, or ""
}

// Error returns the message with its hint.
func (e *WordError) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + " (" + e.Hint + ")"
}

// Split takes an instruction word apart: `ld.global.v4.f32` is OpLd, [.global .v4], [.f32]. The opcode is the longest
// prefix that names one; modifiers and types keep their order among themselves.
func Split(word string) (Opcode, []Mod, []Type, *WordError) {
	op, rest, err := splitOpcode(word)
	if err != nil {
		return OpNone, nil, nil, err
	}
	var mods []Mod
	var types []Type
	leading, lead := true, 0
	for pos := rest; pos < len(word); {
		start, name := pos, word[pos:]
		if name[0] == '.' {
			name = name[1:]
			pos++
		}
		if i := strings.IndexByte(name, '.'); i >= 0 {
			name = name[:i]
		}
		pos += len(name)
		if t, ok := LookupType(name); ok {
			types = append(types, t)
			leading = false
		} else if m, ok := LookupMod(name); ok {
			if at := leadWord(op, name); at < 0 {
				leading = false
			} else if !leading || at < lead {
				return OpNone, nil, nil, &WordError{Start: start, End: pos, Msg: "`" + word[start:pos] + "` must follow `" + op.String() + "` at once"}
			} else {
				lead = at
			}
			mods = append(mods, m)
		} else if sub, ok := lateOpcodeWord(op, name); ok {
			op = sub
			if i := strings.Index(name, "::"); i >= 0 {
				m, known := LookupMod(name[i:])
				if !known {
					return OpNone, nil, nil, unknownModifier(op, word, start, pos)
				}
				mods = append(mods, m)
			}
		} else {
			return OpNone, nil, nil, unknownModifier(op, word, start, pos)
		}
	}
	return op, mods, types, nil
}

// leadWord returns the place of a modifier among those that must follow the opcode at once, or -1 for any other.
func leadWord(op Opcode, name string) int {
	lead := rows[op].Lead
	for i := 0; lead != ""; i++ {
		var word string
		word, lead, _ = strings.Cut(lead, " ")
		if word == name {
			return i
		}
	}
	return -1
}

// splitOpcode finds the longest opcode that the word begins with and the offset of what follows it. A part such as
// `wait::ld` counts as `wait`; its `::ld` is left to be read as a modifier.
func splitOpcode(word string) (op Opcode, rest int, err *WordError) {
	for end := 0; end <= len(word); end++ {
		if end < len(word) && word[end] != '.' && !strings.HasPrefix(word[end:], "::") {
			continue
		}
		if found, ok := opcodeByName[word[:end]]; ok {
			op, rest = found, end
		}
	}
	if op != OpNone {
		return op, rest, nil
	}
	return OpNone, 0, unknownOpcode(word)
}

// lateOpcodeWord finds the opcode that `name`, standing among the modifiers, turns op into: the assembler takes
// `tcgen05.mma.kind::i8.sp` for `tcgen05.mma.sp.kind::i8`.
func lateOpcodeWord(op Opcode, name string) (Opcode, bool) {
	stem, _, _ := strings.Cut(name, "::")
	if stem != "sp" {
		return OpNone, false
	}
	sub, ok := opcodeByName[op.String()+"."+stem]
	return sub, ok
}

func unknownOpcode(word string) *WordError {
	first, _, _ := strings.Cut(word, ".")
	e := &WordError{End: len(first), Msg: "unknown instruction `" + first + "`"}
	family := false
	var names []string
	for o := OpNone + 1; o < NumOpcodes; o++ {
		head, _, _ := strings.Cut(opcodeNames[o], ".")
		family = family || head == first
		names = append(names, opcodeNames[o])
	}
	if family { // cp.asinc: the first word is right, what follows is not
		end := len(word)
		if i := strings.IndexByte(word[min(len(first)+1, len(word)):], '.'); i >= 0 {
			end = len(first) + 1 + i
		}
		e.End, e.Msg = end, "unknown instruction `"+word[:end]+"`"
		first = word[:end]
	}
	if best := nearest(first, names); best != "" {
		e.Hint = "did you mean `" + best + "`?"
	}
	return e
}

func unknownModifier(op Opcode, word string, start, end int) *WordError {
	name := strings.TrimPrefix(word[start:end], ".")
	e := &WordError{Start: start, End: end, Msg: "unknown modifier `" + word[start:end] + "`"}
	if name == "" {
		e.Msg = "a modifier is missing after the dot"
		return e
	}
	if best := nearest(name, vocabulary(op)); best != "" {
		e.Hint = "did you mean `" + dotted(best) + "`?"
	}
	return e
}

// vocabulary lists the words that may follow an opcode.
func vocabulary(op Opcode) []string {
	var names []string
	for _, f := range formsOf(op) {
		for _, s := range f.mods {
			for _, m := range s.mods {
				names = append(names, m.String())
			}
		}
		for _, s := range f.types {
			for _, t := range s.types {
				names = append(names, t.String())
			}
		}
	}
	return names
}

func dotted(name string) string {
	if strings.HasPrefix(name, "::") {
		return name
	}
	return "." + name
}

// nearest returns the candidate closest to name in edit distance (a swap of neighbours counts as one edit), or ""
// when none is close. Ties go to the first.
func nearest(name string, candidates []string) string {
	best, bestDistance := "", 1+max(1, len(name)/3)
	for _, c := range candidates {
		if d := editDistance(name, c, bestDistance); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// editDistance is the restricted Damerau-Levenshtein distance of a and b, or limit if it is no smaller.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	before, previous, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(previous[j]+1, row[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, previous, row = previous, row, before
	}
	return min(previous[len(b)], limit)
}
