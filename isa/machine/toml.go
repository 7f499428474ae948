package machine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/tollgate-sim/tollgate/isa"
)

// kind says what stands behind a key of a machine file.
type kind uint8

const (
	kindTable kind = iota
	kindText
	kindNumber
	kindBool
	kindList
	kindOther // dates: legal TOML, of no use here
)

func (k kind) String() string {
	return [...]string{"a table", "a text", "a number", "true or false", "a list", "a date"}[k]
}

// node is one value of a TOML file together with its place.
type node struct {
	kind kind
	pos  isa.Pos          // of the key, or of the element of a list
	text string           // of a text, number or bool
	keys []string         // of a table, in file order
	sub  map[string]*node // of a table
	list []*node

	header bool // a [table] line has named it
	closed bool // an inline table: nothing can be added
}

func newTable(pos isa.Pos) *node { return &node{kind: kindTable, pos: pos, sub: map[string]*node{}} }

// add enters a value under a key.
func (n *node) add(key string, value *node) {
	n.keys = append(n.keys, key)
	n.sub[key] = value
}

// tomlFile reads one TOML text into nodes.
type tomlFile struct {
	source *isa.Source
	parser unstable.Parser
	errs   Problems
}

// readTOML parses the text of source. The library's parser is used below its decoder because only there does
// every key and value have a position.
func readTOML(source *isa.Source) (*node, Problems) {
	f := &tomlFile{source: source}
	root := newTable(0)
	table := root
	f.parser.Reset([]byte(source.Text))
	for f.parser.NextExpression() {
		switch e := f.parser.Expression(); e.Kind {
		case unstable.KeyValue:
			f.keyValue(table, e)
		case unstable.Table:
			table = f.header(root, e)
		case unstable.ArrayTable:
			it := e.Key()
			it.Next()
			f.errorf(f.pos(it.Node()), "", "a list of tables ([[...]]) has no meaning in a machine file")
			table = newTable(0)
		}
	}
	if err := f.parser.Error(); err != nil {
		f.syntax(err)
	}
	return root, f.errs
}

func (f *tomlFile) errorf(pos isa.Pos, hint, format string, args ...any) {
	f.errs = append(f.errs, &Problem{Source: f.source, Pos: pos, Text: fmt.Sprintf(format, args...), Hint: hint})
}

// syntax reports the parser's own error, which ends the reading of the file.
func (f *tomlFile) syntax(err error) {
	pos := isa.Pos(len(f.source.Text))
	text := err.Error()
	var perr *unstable.ParserError
	if errors.As(err, &perr) {
		text = perr.Message
		if len(perr.Highlight) > 0 {
			pos = isa.Pos(f.parser.Range(perr.Highlight).Offset)
		}
	}
	f.errorf(pos, "", "not TOML: %s", text)
}

// pos is where a node of the parser stands.
func (f *tomlFile) pos(n *unstable.Node) isa.Pos { return isa.Pos(n.Raw.Offset) }

// path returns the parts of a dotted key and the place of each.
func (f *tomlFile) path(n *unstable.Node) (parts []string, at []isa.Pos) {
	for it := n.Key(); it.Next(); {
		parts = append(parts, string(it.Node().Data))
		at = append(at, f.pos(it.Node()))
	}
	return parts, at
}

// header opens the table that a [a.b] line names.
func (f *tomlFile) header(root *node, n *unstable.Node) *node {
	parts, at := f.path(n)
	table := f.descend(root, parts, at)
	if table == nil {
		return newTable(at[0])
	}
	if table.header {
		f.errorf(at[0], "", "[%s] is given twice", strings.Join(parts, "."))
	}
	table.header, table.pos = true, at[0]
	return table
}

// descend walks from a table along keys, making tables where there are none. It returns nil after an error.
func (f *tomlFile) descend(table *node, parts []string, at []isa.Pos) *node {
	for i, part := range parts {
		next := table.sub[part]
		switch {
		case next == nil:
			next = newTable(at[i])
			table.add(part, next)
		case next.kind != kindTable || next.closed:
			f.errorf(at[i], "", "%s is given twice", strings.Join(parts[:i+1], "."))
			return nil
		}
		table = next
	}
	return table
}

func (f *tomlFile) keyValue(table *node, n *unstable.Node) {
	parts, at := f.path(n)
	last := len(parts) - 1
	table = f.descend(table, parts[:last], at[:last])
	if table == nil {
		return
	}
	if table.sub[parts[last]] != nil {
		f.errorf(at[last], "", "%s is given twice", parts[last])
		return
	}
	value := f.value(n.Value())
	value.pos = at[last]
	table.add(parts[last], value)
}

var kinds = map[unstable.Kind]kind{
	unstable.String: kindText, unstable.Integer: kindNumber, unstable.Float: kindNumber, unstable.Bool: kindBool,
	unstable.Array: kindList, unstable.InlineTable: kindTable,
}

func (f *tomlFile) value(n *unstable.Node) *node {
	k, known := kinds[n.Kind]
	if !known {
		return &node{kind: kindOther}
	}
	if k == kindTable {
		table := newTable(f.pos(n))
		for it := n.Children(); it.Next(); {
			f.keyValue(table, it.Node())
		}
		table.closed = true
		return table
	}
	v := &node{kind: k, pos: f.pos(n), text: string(n.Data)}
	if k == kindList {
		for it := n.Children(); it.Next(); {
			v.list = append(v.list, f.value(it.Node()))
		}
	}
	return v
}
