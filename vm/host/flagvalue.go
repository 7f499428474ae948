package host

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// valueForms is the hint for a value that is none of the forms.
const valueForms = "a value is a number, dtype[N]:zeros|ones|ramp|random(seed), dtype:1,2,3, @file, hex:..., {fields}, rank, cards, " +
	"another argument's buffer, peers(NAME), table(NAME) or multicast(NAME)"

// flagValue reads the text of one --arg or --buffer. Either it makes a buffer, or it is a value, or both: a buffer
// of its own whose address is the value.
type flagValue struct {
	flag  string
	text  string // NAME=VALUE
	at    int    // where VALUE starts
	cards int
	param *isa.Var // nil: --buffer
	name  string   // the buffer's, if one is made
	size  int      // of the parameter, bytes

	argument argument
	buffer   *bufferSpec
}

// fail returns an error at a byte of VALUE.
func (v *flagValue) fail(offset int, hint, format string, a ...any) error {
	return &FlagError{Flag: v.flag, Text: v.text, Offset: v.at + offset, Msg: fmt.Sprintf(format, a...), Hint: hint}
}

// parse reads VALUE by its first characters.
func (v *flagValue) parse() error {
	value := v.text[v.at:]
	word := leadingWord(value)
	rest := value[len(word):]
	_, dtype := LookupDtype(word)
	switch {
	case value == "":
		return v.fail(0, valueForms, "no value")
	case strings.HasPrefix(value, "hex:"):
		return v.hex(value[len("hex:"):])
	case value[0] == '{' && v.param != nil:
		return v.aggregate(value)
	case value[0] == '@':
		return v.file(value[1:])
	case (word == "peers" || word == "table" || word == "multicast") && strings.HasPrefix(rest, "("):
		return v.call(word, rest)
	case (word == "texture" || word == "surface") && strings.HasPrefix(rest, "(") && v.param != nil:
		return v.image(word, rest)
	case dtype && (strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, ":")):
		return v.elements(word, rest)
	case !dtype && strings.HasPrefix(rest, "[") || !dtype && strings.HasPrefix(rest, ":"):
		return v.fail(0, nearestHint(word, dtypeNames()), "unknown element type %s", word)
	case v.param == nil:
		return v.fail(0, "--buffer NAME=f32[1024]:ramp", "a buffer is dtype[N], dtype:1,2,3, @file or hex:...")
	case value == "rank" || value == "cards":
		number := cardArgument{number: value == "cards"}
		if v.param.Type.Float() { // 1.0, not the bits of 1
			number.dtype, number.typed = LookupDtype(v.param.Type.String())
		}
		v.argument = number
		return nil
	case strings.ContainsAny(value[:1], "+-.0123456789") || isFloatWord(value):
		return v.number(value)
	case word != "":
		return v.reference(word, rest)
	}
	return v.fail(0, valueForms, "can't read this value")
}

func isFloatWord(text string) bool { _, ok := parseFloatWord(text); return ok }

// leadingWord is the identifier that text starts with, as PTX spells them.
func leadingWord(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool {
		return !(r == '_' || r == '$' || r == '%' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
	if end < 0 {
		return text
	}
	return text[:end]
}

// byValue reports a parameter that takes bytes and no address: an array, or a number of another size or kind.
func (v *flagValue) byValue() bool {
	return v.param != nil && (len(v.param.Dims) > 0 || v.param.Type.Float() || v.size != 8)
}

// number fits the parameter's type.
func (v *flagValue) number(text string) error {
	if len(v.param.Dims) > 0 {
		return v.fail(0, "hex:..., @file or dtype:1,2,3 give its bytes", "%s is a by-value array of %d bytes", v.param.Name, v.size)
	}
	n, ok := parseNumber(text)
	if word, isWord := parseFloatWord(text); isWord {
		n, ok = number{real: word}, true
	}
	if !ok {
		return v.fail(0, valueForms, "%s is no number", text)
	}
	bits, err := numberBits(v.param, n)
	switch {
	case err == errNotInteger && v.param.Type.Kind() == isa.KindBits:
		return v.fail(0, "write it with its type, as in f32:1.5 or f16:1.5", "%s is a .%s and takes an integer", v.param.Name, v.param.Type)
	case err == errNotInteger:
		return v.fail(0, "", "%s is a .%s and takes an integer", v.param.Name, v.param.Type)
	case err != nil:
		return v.fail(0, "", "%s does not fit in %s, a .%s", text, v.param.Name, v.param.Type)
	}
	data := make([]byte, v.size)
	putBytes(data, bits)
	v.argument = bytesArgument{perCard: [][]byte{data}}
	return nil
}

var (
	errNotInteger = errors.New("it takes an integer")
	errNoFit      = errors.New("the number does not fit")
)

// numberBits returns a number's bits as a parameter's type has them.
func numberBits(p *isa.Var, n number) (uint64, error) {
	switch t := p.Type; {
	case t == isa.F64:
		return F64.Round(n.real), nil
	case t == isa.F32:
		return F32.Round(n.real), nil
	case t == isa.F16:
		return F16.Round(n.real), nil
	case t == isa.BF16:
		return BF16.Round(n.real), nil
	case n.whole == nil:
		return 0, errNotInteger
	case !fits(n, t.Bits()):
		return 0, errNoFit
	}
	return n.bits, nil
}

// hex takes bytes in the order of memory.
func (v *flagValue) hex(digits string) error {
	data, err := hex.DecodeString(digits)
	if err != nil {
		bad := strings.IndexFunc(digits, func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF", r) })
		if bad < 0 {
			return v.fail(len("hex:")+len(digits), "", "an odd number of hex digits")
		}
		return v.fail(len("hex:")+bad, "", "not a hex digit")
	}
	return v.bytes(U8, [][]byte{data})
}

// bytes fills a by-value parameter, or a buffer of just these bytes.
func (v *flagValue) bytes(d Dtype, perCard [][]byte) error {
	if v.byValue() {
		v.argument = bytesArgument{perCard: perCard}
		if err := v.argument.check(v.size, nil, v.cards); err != nil {
			return v.fail(0, "", "%v", err)
		}
		return nil
	}
	size := len(perCard[0])
	for card, data := range perCard {
		if len(data) != size {
			return v.fail(0, "", "buffers have one size on all cards: %d bytes on card 0, %d on card %d", size, len(data), card)
		}
	}
	if size == 0 {
		return v.fail(0, "", "no bytes")
	}
	fill := generator{kind: "file", data: perCard}
	return v.make(d, int64(size), &fill)
}

// file reads @name, or @name-%d once a card.
func (v *flagValue) file(pattern string) error {
	if pattern == "" {
		return v.fail(1, "@input.bin, or @input-%d.bin for a file a card", "no file name")
	}
	names := []string{pattern}
	if strings.Contains(pattern, "%d") {
		names = names[:0]
		for card := range v.cards {
			names = append(names, strings.ReplaceAll(pattern, "%d", strconv.Itoa(card)))
		}
	}
	perCard := make([][]byte, len(names))
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return v.fail(1, "", "%v", err)
		}
		perCard[i] = data
	}
	return v.bytes(U8, perCard)
}

// elements reads dtype[N], dtype[N]:generator and dtype:1,2,3.
func (v *flagValue) elements(word, rest string) error {
	d, _ := LookupDtype(word)
	if list, found := strings.CutPrefix(rest, ":"); found {
		return v.list(d, len(word)+1, list)
	}
	end := strings.IndexByte(rest, ']')
	if end < 0 {
		return v.fail(len(word), word+"[1024]", "the ] is missing")
	}
	count, ok := parseCount(rest[1:end])
	if !ok {
		return v.fail(len(word)+1, word+"[1024], "+word+"[1<<20]", "%q is no number of elements", rest[1:end])
	}
	if count > maxBufferBytes/int64(d.Bytes()) {
		return v.fail(len(word)+1, "", "a buffer has at most %d bytes", int64(maxBufferBytes))
	}
	fill, err := v.generator(len(word)+end+1, rest[end+1:])
	if err != nil {
		return err
	}
	if v.byValue() {
		return v.fail(0, "", "%s", v.noAddress())
	}
	return v.make(d, count*int64(d.Bytes()), fill)
}

// maxBufferBytes is the room one card has for addresses (the design's 2^38 bytes a card).
const maxBufferBytes = 1 << 37

// noAddress says why the parameter can't point to a buffer.
func (v *flagValue) noAddress() string {
	if len(v.param.Dims) > 0 {
		return fmt.Sprintf("%s is a by-value array of %d bytes and holds no address", v.param.Name, v.size)
	}
	return fmt.Sprintf("%s is a .%s and holds no address", v.param.Name, v.param.Type)
}

// generator reads what may follow dtype[N].
func (v *flagValue) generator(at int, text string) (*generator, error) {
	if text == "" {
		return nil, nil
	}
	kind, found := strings.CutPrefix(text, ":")
	if !found {
		return nil, v.fail(at, ":zeros, :ones, :ramp or :random(seed)", "unexpected %q", text)
	}
	switch kind {
	case "zeros", "ramp":
		return &generator{kind: kind}, nil
	case "ones":
		return &generator{kind: "fill", value: realNumber(1)}, nil
	case "random":
		return &generator{kind: "random", cardStep: cardStep}, nil
	}
	if seed, found := strings.CutPrefix(kind, "random("); found && strings.HasSuffix(seed, ")") {
		n, err := strconv.ParseUint(strings.TrimSuffix(seed, ")"), 0, 32)
		if err != nil {
			return nil, v.fail(at+1+len("random("), "", "the seed is a number from 0 to 4294967295")
		}
		return &generator{kind: "random", seed: uint32(n), cardStep: cardStep}, nil
	}
	return nil, v.fail(at+1, nearestHint(leadingWord(kind), []string{"zeros", "ones", "ramp", "random(seed)"}), "unknown contents %q", kind)
}

// cardStep keeps the streams of random apart card by card: 2^32 divided by the golden ratio, rounded to odd.
const cardStep = 0x9E3779B9

// list reads the elements of dtype:1,2,3.
func (v *flagValue) list(d Dtype, at int, text string) error {
	var values []number
	for text != "" || len(values) == 0 {
		item, rest, more := strings.Cut(text, ",")
		trimmed := strings.TrimSpace(item)
		n, ok := parseNumber(trimmed)
		if word, isWord := parseFloatWord(trimmed); isWord && d.Float() {
			n, ok = number{real: word}, true
		}
		switch {
		case !ok:
			return v.fail(at, "", "%q is no number", item)
		case !d.Float() && !fits(n, 8*d.Bytes()):
			return v.fail(at, "", "%s does not fit in %s", trimmed, d)
		}
		values = append(values, n)
		at += len(item) + 1
		if more && rest == "" {
			return v.fail(at-1, "", "a number is missing after the comma")
		}
		text = rest
	}
	fill := generator{kind: "list", values: values}
	bytes := int64(len(values) * d.Bytes())
	if v.byValue() {
		data := make([]byte, bytes)
		fill.fill(d, 0, data)
		return v.bytes(d, [][]byte{data})
	}
	return v.make(d, bytes, &fill)
}

// make declares a buffer and passes its address.
func (v *flagValue) make(d Dtype, bytes int64, fill *generator) error {
	v.buffer = &bufferSpec{name: v.name, dtype: d, bytes: bytes}
	if fill != nil {
		v.buffer.init = func(card int, dst []byte) { fill.fill(d, card, dst) }
	}
	v.argument = bufferArgument{name: v.name, relative: true}
	return nil
}

// call reads peers(NAME), table(NAME) and multicast(NAME).
func (v *flagValue) call(word, rest string) error {
	if v.param == nil {
		return v.fail(0, "", "a buffer has no %s of its own; give it to an argument", word)
	}
	inner, closed := strings.CutSuffix(rest[1:], ")")
	if !closed || leadingWord(inner) != inner || inner == "" {
		return v.fail(len(word)+1, word+"(NAME)", "the name of a buffer is missing")
	}
	inner = v.shortName(inner)
	switch {
	case word == "multicast":
		v.argument = multicastArgument{name: inner}
	case word == "peers" && (len(v.param.Dims) > 0 || v.size > 8):
		v.argument = peerArrayArgument{name: inner}
	default:
		v.argument = peerTableArgument{name: inner}
	}
	return nil
}

// shortName takes the entry's name off a parameter's.
func (v *flagValue) shortName(word string) string {
	if v.param.Func == nil {
		return word
	}
	return shortName(v.param.Func, word)
}

// reference reads NAME, NAME@card and NAME+bytes, in this order when both are there.
func (v *flagValue) reference(word, rest string) error {
	a := bufferArgument{name: v.shortName(word), relative: true}
	at := len(word)
	if card, found := strings.CutPrefix(rest, "@"); found {
		digits := leadingWord(card)
		n, err := strconv.Atoi(digits)
		if err != nil {
			return v.fail(at+1, word+"@0", "the card's number is missing")
		}
		a.card, a.relative = n, false
		at, rest = at+1+len(digits), card[len(digits):]
	}
	if bytes, found := strings.CutPrefix(rest, "+"); found {
		n, err := strconv.ParseInt(bytes, 0, 64)
		if err != nil || n < 0 {
			return v.fail(at+1, word+"+256", "the number of bytes is missing")
		}
		a.offset, at, rest = n, len(v.text)-v.at, ""
	}
	if rest != "" {
		return v.fail(at, valueForms, "unexpected %q", rest)
	}
	v.argument = a
	return nil
}

// parseCount reads a positive number of elements: 1024, 0x400, 1<<20.
func parseCount(text string) (int64, bool) {
	base, shift, shifted := strings.Cut(text, "<<")
	n, err := strconv.ParseInt(base, 0, 64)
	if err != nil || n <= 0 {
		return 0, false
	}
	if !shifted {
		return n, true
	}
	by, err := strconv.ParseUint(shift, 10, 6)
	if err != nil || n > maxBufferBytes>>by {
		return 0, false
	}
	return n << by, true
}
