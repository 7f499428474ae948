package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
)

// jsonValue is a JSON value that knows its place. The standard decoder forgets places, keeps the last of two equal
// keys, and turns large integers into floats; a case file must not be read so.
type jsonValue struct {
	pos     isa.Pos
	kind    byte // '{', '[', 's' string, 'n' number, 'b' boolean, '0' null
	text    string
	truth   bool
	keys    []key
	members map[string]*jsonValue
	items   []*jsonValue
}

type key struct {
	name string
	pos  isa.Pos
}

var kindNames = map[byte]string{'{': "an object", '[': "a list", 's': "a string", 'n': "a number", 'b': "true or false", '0': "null"}

// maxDepth is how deep the lists and objects of a case file may be nested.
const maxDepth = 100

// parseJSON reads one value. The error is a *machine.Problem with the place.
func parseJSON(source *isa.Source) (*jsonValue, error) {
	p := &jsonParser{source: source, decoder: json.NewDecoder(strings.NewReader(source.Text))}
	p.decoder.UseNumber()
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if at := p.start(); int(at) < len(source.Text) {
		return nil, &machine.Problem{Source: source, Pos: at, Text: "something follows the end of the case"}
	}
	return root, nil
}

type jsonParser struct {
	source  *isa.Source
	decoder *json.Decoder
}

// start is where the next token begins.
func (p *jsonParser) start() isa.Pos {
	at := int(p.decoder.InputOffset())
	rest := p.source.Text[at:]
	return isa.Pos(at + len(rest) - len(strings.TrimLeft(rest, " \t\r\n,:")))
}

func (p *jsonParser) token() (json.Token, isa.Pos, error) {
	at := p.start()
	token, err := p.decoder.Token()
	if err == nil {
		return token, at, nil
	}
	problem := &machine.Problem{Source: p.source, Pos: at, Text: "this is not JSON: " + err.Error()}
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		problem.Text = "the file ends in the middle of the case"
		problem.Pos = isa.Pos(len(strings.TrimRight(p.source.Text, " \t\r\n")))
	case errors.As(err, &syntax):
		problem.Text = "this is not JSON: " + syntax.Error()
		problem.Pos = isa.Pos(max(int64(at), min(syntax.Offset-1, int64(len(p.source.Text)))))
	}
	return nil, at, problem
}

func (p *jsonParser) value(depth int) (*jsonValue, error) {
	token, at, err := p.token()
	if err != nil {
		return nil, err
	}
	if depth > maxDepth {
		return nil, &machine.Problem{Source: p.source, Pos: at, Text: fmt.Sprintf("nested more than %d deep", maxDepth)}
	}
	n := &jsonValue{pos: at}
	switch token := token.(type) {
	case json.Delim:
		n.kind = byte(token)
		if token == '[' {
			for p.decoder.More() {
				item, err := p.value(depth + 1)
				if err != nil {
					return nil, err
				}
				n.items = append(n.items, item)
			}
		} else if err := p.members(n, depth); err != nil {
			return nil, err
		}
		_, _, err = p.token() // the closing bracket
		return n, err
	case string:
		n.kind, n.text = 's', token
	case json.Number:
		n.kind, n.text = 'n', token.String()
	case bool:
		n.kind, n.truth = 'b', token
	case nil:
		n.kind = '0'
	}
	return n, nil
}

func (p *jsonParser) members(n *jsonValue, depth int) error {
	n.members = map[string]*jsonValue{}
	for p.decoder.More() {
		token, at, err := p.token()
		if err != nil {
			return err
		}
		name, ok := token.(string)
		if !ok {
			return &machine.Problem{Source: p.source, Pos: at, Text: "a key is a string"}
		}
		if n.members[name] != nil {
			return &machine.Problem{Source: p.source, Pos: at, Text: fmt.Sprintf("%q stands here twice", name)}
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.keys = append(n.keys, key{name, at})
		n.members[name] = value
	}
	return nil
}

// reader turns JSON into values and collects what is wrong with them.
type reader struct {
	source   *isa.Source
	problems machine.Problems
}

// report adds a problem at a value.
func (r *reader) report(n *jsonValue, hint, format string, a ...any) {
	r.problems = append(r.problems, &machine.Problem{Source: r.source, Pos: n.pos, Text: fmt.Sprintf(format, a...), Hint: hint})
}

// err returns the problems in file order, or nil.
func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b *machine.Problem) int { return int(a.Pos - b.Pos) })
	return r.problems
}

// is reports whether a value is of the kind, else it says what was wanted.
func (r *reader) is(n *jsonValue, kind byte, what string) bool {
	if n.kind == kind {
		return true
	}
	r.report(n, "", "%s is %s, not %s", what, kindNames[kind], kindNames[n.kind])
	return false
}

// object is one JSON object being read: what is not asked for by name is unknown.
type object struct {
	r     *reader
	value *jsonValue
	what  string // "a launch", for messages
	asked []string
	used  map[string]bool
}

func (r *reader) object(n *jsonValue, what string) (*object, bool) {
	if !r.is(n, '{', what) {
		return nil, false
	}
	return &object{r: r, value: n, what: what, used: map[string]bool{}}, true
}

// get returns the member, or nil.
func (o *object) get(name string) *jsonValue {
	o.asked = append(o.asked, name)
	o.used[name] = true
	return o.value.members[name]
}

// has reports a member without asking for it.
func (o *object) has(name string) bool { return o.value.members[name] != nil }

// need returns the member, or reports its absence.
func (o *object) need(name string) *jsonValue {
	n := o.get(name)
	if n == nil {
		o.r.report(o.value, "", "%s needs %q", o.what, name)
	}
	return n
}

// keys lists the members' names as written.
func (o *object) keys() []string {
	names := make([]string, len(o.value.keys))
	for i, k := range o.value.keys {
		names[i] = k.name
	}
	return names
}

// ignore accepts members that only people read.
func (o *object) ignore(names ...string) {
	for _, name := range names {
		o.get(name)
	}
}

// done reports the members that nobody asked for.
func (o *object) done() {
	for _, k := range o.value.keys {
		if !o.used[k.name] {
			hint := ""
			if near := isa.Nearest(k.name, o.asked); near != "" {
				hint = "did you mean " + near + "?"
			}
			o.r.problems = append(o.r.problems, &machine.Problem{Source: o.r.source, Pos: k.pos, Text: fmt.Sprintf("%s has no key %q", o.what, k.name), Hint: hint})
		}
	}
}

func (o *object) quote(name string) string { return fmt.Sprintf("%q", name) }

// text reads a string member; absent: "".
func (o *object) text(name string) string {
	if n := o.get(name); n != nil && o.r.is(n, 's', o.quote(name)) {
		return n.text
	}
	return ""
}

// integer reads a whole number of at least least; absent: absent.
func (o *object) integer(name string, least, absent int64) int64 {
	n := o.get(name)
	if n == nil {
		return absent
	}
	return o.r.integer(n, o.quote(name), least)
}

// integerTo reads a whole number from least to most; absent: absent.
func (o *object) integerTo(name string, least, absent, most int64) int64 {
	v := o.integer(name, least, absent)
	if v > most {
		o.r.report(o.value.members[name], "", "%q is at most %d", name, most)
		return most
	}
	return v
}

func (r *reader) integer(n *jsonValue, what string, least int64) int64 {
	if !r.is(n, 'n', what) {
		return least
	}
	v, ok := parseNumber(n.text)
	if !ok || v.whole == nil || !v.whole.IsInt64() || v.whole.Int64() < least {
		r.report(n, "", "%s is a whole number of at least %d, not %s", what, least, n.text)
		return least
	}
	return v.whole.Int64()
}

// number reads any number; absent: absent.
func (o *object) number(name string, absent float64) number {
	n := o.get(name)
	if n == nil {
		return realNumber(absent)
	}
	return o.r.number(n, o.quote(name))
}

func (r *reader) number(n *jsonValue, what string) number {
	if !r.is(n, 'n', what) {
		return number{}
	}
	v, ok := parseNumber(n.text)
	if !ok {
		r.report(n, "", "%s: can't read the number %s", what, n.text)
	}
	return v
}

// truth reads true or false; absent: false.
func (o *object) truth(name string) bool {
	n := o.get(name)
	return n != nil && o.r.is(n, 'b', o.quote(name)) && n.truth
}

// list returns the items of a list member; absent: none.
func (o *object) list(name string) []*jsonValue {
	if n := o.get(name); n != nil && o.r.is(n, '[', o.quote(name)) {
		return n.items
	}
	return nil
}

// integers reads a list of whole numbers of at least least.
func (o *object) integers(name string, least int64) []int {
	var out []int
	for _, n := range o.list(name) {
		out = append(out, int(o.r.integer(n, "an item of "+o.quote(name), least)))
	}
	return out
}

// dtype reads the name of an element type.
func (o *object) dtype(name string) Dtype {
	n := o.need(name)
	if n == nil || !o.r.is(n, 's', o.quote(name)) {
		return U8
	}
	d, ok := LookupDtype(n.text)
	if !ok {
		o.r.report(n, nearestHint(n.text, dtypeNames()), "unknown element type %q", n.text)
	}
	return d
}

// word reads a string that is one of the words; absent: the first.
func (o *object) word(name string, words ...string) string {
	n := o.get(name)
	if n == nil {
		return words[0]
	}
	if !o.r.is(n, 's', o.quote(name)) {
		return words[0]
	}
	if !slices.Contains(words, n.text) {
		known := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
		o.r.report(n, nearestHint(n.text, known), "%q can't be %q", name, n.text)
		return words[0]
	}
	return n.text
}

// isCase reports whether a file's text looks like a case: a JSON object with the key "format".
func isCase(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) && bytes.Contains(text, []byte(`"format"`))
}
