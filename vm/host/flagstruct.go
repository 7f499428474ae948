package host

import (
	"strconv"
	"strings"
)

// structForm is the hint for a struct by value.
const structForm = "{f32[1024]:ramp, i32 1024, @32 u16 1}: addresses and typed numbers in C layout, @N from byte N on, the rest zeros"

// aggregate reads {FIELD, FIELD, …}, a struct by value: each field is a typed number (i32 5), a number of 8 bytes, or
// an address, laid out as C does; @N before a field says where it starts. One field may make a buffer, which has the
// parameter's name.
func (v *flagValue) aggregate(text string) error {
	if len(v.param.Dims) == 0 {
		return v.fail(0, "", "%s is a .%s and no struct", v.param.Name, v.param.Type)
	}
	inner, closed := strings.CutSuffix(text[1:], "}")
	if !closed {
		return v.fail(len(text), structForm, "the } is missing")
	}
	a := structArgument{size: v.size}
	at, next := 1, 0
	for more := true; more; {
		var item string
		item, inner, more = strings.Cut(inner, ",")
		start := at + len(item) - len(strings.TrimLeft(item, " "))
		f, err := v.field(start, strings.TrimSpace(item), next)
		if err != nil {
			return err
		}
		if f.offset+f.size > v.size {
			return v.fail(start, "", "the field ends at byte %d of a parameter of %d", f.offset+f.size, v.size)
		}
		a.fields = append(a.fields, f)
		next = f.offset + f.size
		at += len(item) + 1
	}
	v.argument = a
	return nil
}

// field reads one field of a struct; next is where the last one ended, at where the text stands in VALUE.
func (v *flagValue) field(at int, text string, next int) (f structField, err error) {
	fail := func(format string, args ...any) (structField, error) {
		return f, v.fail(at, structForm, format, args...)
	}
	f.offset = -1
	if rest, found := strings.CutPrefix(text, "@"); found {
		digits, rest, _ := strings.Cut(rest, " ")
		if f.offset, err = strconv.Atoi(digits); err != nil || f.offset < 0 || f.offset > maxStructBytes {
			return fail("%q is no offset", digits)
		}
		text = strings.TrimSpace(rest)
	}
	word := leadingWord(text)
	d, typed := LookupDtype(word)
	f.size = 8
	switch rest := strings.TrimSpace(text[len(word):]); {
	case text == "":
		return fail("a field is missing")
	case typed && strings.HasPrefix(rest, "["):
		if v.buffer != nil {
			return fail("one field of a struct can make a buffer; --buffer makes others")
		}
		inner := &flagValue{flag: v.flag, text: v.text, at: v.at + at, cards: v.cards, name: v.name} // as of --buffer
		if err := inner.elements(word, rest); err != nil {
			return f, err
		}
		v.buffer, f.value = inner.buffer, inner.argument
	case typed:
		n, ok := parseNumber(rest)
		if real, isWord := parseFloatWord(rest); isWord && d.Float() {
			n, ok = number{real: real}, true
		}
		if !ok || !d.Float() && !fits(n, 8*d.Bytes()) {
			return fail("%q is no %s", rest, d)
		}
		f.size = d.Bytes()
		f.value = numberArgument(d.to(n), f.size)
	case word != "" && strings.ContainsAny(word[:1], "0123456789") || strings.HasPrefix(text, "-"):
		n, ok := parseNumber(text)
		if !ok || n.whole == nil || !fits(n, 64) {
			return fail("%q is no number of 64 bits", text)
		}
		f.value = numberArgument(n.bits, 8)
	case word != "" && rest != "" && strings.ContainsAny(rest[:1], "+-.0123456789") && text[len(word)] == ' ':
		return f, v.fail(at, nearestHint(word, dtypeNames()), "unknown type %s", word)
	case word != "":
		inner := &flagValue{flag: v.flag, text: v.text, at: v.at + at, cards: v.cards, name: v.name, param: v.param}
		if err := inner.reference(word, rest); err != nil {
			return f, err
		}
		f.value = inner.argument
	default:
		return fail("can't read this field")
	}
	if f.offset < 0 {
		f.offset = (next + f.size - 1) / f.size * f.size
	}
	return f, nil
}

// numberArgument is a number of so many bytes, the same on all cards.
func numberArgument(bits uint64, size int) argument {
	data := make([]byte, size)
	putBytes(data, bits)
	return bytesArgument{perCard: [][]byte{data}}
}
