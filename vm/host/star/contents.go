package star

import (
	"bytes"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/tollgate-sim/tollgate/vm/host"
)

// contents is what a buffer is made with: ramp(), random(7).
type contents struct {
	opaque
	name string
	fill host.Contents
	file func(size int64, cards int) (host.Contents, error) // of file(): what depends on the buffer
}

func (g *contents) String() string { return g.name + "(...)" }

// Type is "contents".
func (g *contents) Type() string { return "contents" }

// generators are the words that make contents.
var generators = map[string]func(c *call) (host.Contents, error){
	"zeros": func(c *call) (host.Contents, error) {
		return host.Generator("zeros", host.Number{}, host.Number{}, 0, 0), c.unpack()
	},
	"ones": func(c *call) (host.Contents, error) {
		return host.Generator("fill", host.Real(1), host.Number{}, 0, 0), c.unpack()
	},
	"ramp": func(c *call) (host.Contents, error) {
		return host.Generator("ramp", host.Number{}, host.Number{}, 0, 0), c.unpack()
	},
	"fill": func(c *call) (host.Contents, error) {
		var value starlark.Value
		if err := c.unpack("value", &value); err != nil {
			return nil, err
		}
		n, err := number(c, "value", value)
		return host.Generator("fill", n, host.Number{}, 0, 0), err
	},
	"iota": func(c *call) (host.Contents, error) {
		var start, step starlark.Value = starlark.MakeInt(0), starlark.MakeInt(1)
		if err := c.unpack("start?", &start, "step?", &step); err != nil {
			return nil, err
		}
		a, err := number(c, "start", start)
		if err != nil {
			return nil, err
		}
		b, err := number(c, "step", step)
		return host.Generator("iota", a, b, 0, 0), err
	},
	"random": drawn("random"),
	"bits":   drawn("bits"),
	"file":   nil, // newContents knows it
}

// drawn makes a generator that draws from a seed.
func drawn(kind string) func(c *call) (host.Contents, error) {
	return func(c *call) (host.Contents, error) {
		var seed uint32
		var step uint32
		if err := c.unpack("seed", &seed, "card_step?", &step); err != nil {
			return nil, err
		}
		return host.Generator(kind, host.Number{}, host.Number{}, seed, step), nil
	}
}

func number(c *call, what string, v starlark.Value) (host.Number, error) {
	n, ok := numberOf(v)
	if !ok {
		return n, c.fail("%s is a number, not %s", what, v.Type())
	}
	return n, nil
}

func newContents(c *call) (starlark.Value, error) {
	g := &contents{name: c.name}
	if c.name == "file" {
		return fileContents(c, g)
	}
	var err error
	g.fill, err = generators[c.name](c)
	return g, err
}

// fileContents is file(path): the bytes of a file, or with %d of a file a card.
func fileContents(c *call, g *contents) (starlark.Value, error) {
	var name string
	if err := c.unpack("path", &name); err != nil {
		return nil, err
	}
	path := c.path(name)
	g.file = func(size int64, cards int) (host.Contents, error) {
		count := 1
		if strings.Contains(name, "%d") {
			count = cards
		}
		data := make([][]byte, count)
		for card := range count {
			of := strings.ReplaceAll(path, "%d", strconv.Itoa(card))
			text, err := c.program.read(of)
			if err != nil {
				return nil, c.fail("%w", err)
			}
			if int64(len(text)) != size {
				return nil, c.fail("%s has %d bytes, the buffer %d", of, len(text), size)
			}
			data[card] = text
		}
		return func(_ host.Dtype, card int, dst []byte) { copy(dst, data[min(card, count-1)]) }, nil
	}
	return g, nil
}

// contentsOf reads what a buffer of count elements is made with, written with or compared with; nil for None.
func contentsOf(c *call, v starlark.Value, cards int, d host.Dtype, count int64) (host.Contents, error) {
	size := count * int64(d.Bytes())
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil, nil
	case *contents:
		if v.file != nil {
			return v.file(size, cards)
		}
		return v.fill, nil
	case *values:
		if v.dtype != d || v.count != count {
			return nil, c.fail("%s where %s[%d] is wanted", v, d, count)
		}
		return func(_ host.Dtype, card int, dst []byte) {
			if card < len(v.data) {
				copy(dst, v.data[card])
			}
		}, nil
	case *buffer:
		of, err := snapshot(c, v)
		if err != nil {
			return nil, err
		}
		return contentsOf(c, of, cards, d, count)
	case *perCard:
		fills := make([]host.Contents, cards)
		for card := range cards {
			inner, err := v.of(c, card)
			if err != nil {
				return nil, err
			}
			if fills[card], err = contentsOf(c, inner, cards, d, count); err != nil {
				return nil, err
			}
			if fills[card] == nil {
				return nil, c.fail("per_card gives nothing for card %d", card)
			}
		}
		return func(d host.Dtype, card int, dst []byte) { fills[card](d, card, dst) }, nil
	case starlark.Bytes:
		if int64(len(v)) != size {
			return nil, c.fail("%d bytes for a buffer of %d", len(v), size)
		}
		return func(_ host.Dtype, _ int, dst []byte) { copy(dst, v) }, nil
	case starlark.Indexable:
		if _, isText := v.(starlark.String); !isText {
			return listContents(c, v, d, count)
		}
	}
	if n, ok := numberOf(v); ok {
		return host.Generator("fill", n, host.Number{}, 0, 0), nil
	}
	return nil, hinted("ramp(), zeros(), ones(), random(7), fill(1.5), a list, per_card(lambda rank: ...)", "%s: %s makes no contents of a buffer", c.name, v.Type())
}

// listContents are the elements of a list; what it leaves out is zero.
func listContents(c *call, list starlark.Indexable, d host.Dtype, count int64) (host.Contents, error) {
	if int64(list.Len()) > count {
		return nil, c.fail("%d values for %d elements", list.Len(), count)
	}
	data := make([]byte, count*int64(d.Bytes()))
	for i := range list.Len() {
		n, ok := numberOf(list.Index(i))
		if !ok {
			return nil, c.fail("element %d is a number, not %s", i, list.Index(i).Type())
		}
		if w := n.Whole(); w != nil && !d.Float() && w.BitLen() > 8*d.Bytes() {
			return nil, c.fail("element %d, %s, does not fit in %s", i, w, d)
		}
		d.PutElement(data, int64(i), d.Bits(n))
	}
	return func(_ host.Dtype, _ int, dst []byte) { copy(dst, data) }, nil
}

// values are elements on the host, for each card: what a collective must come to.
type values struct {
	opaque
	dtype host.Dtype
	count int64
	data  [][]byte // by card; nil on cards that have none
}

func (v *values) String() string {
	return "values " + v.dtype.String() + "[" + strconv.FormatInt(v.count, 10) + "]"
}

// Type is "values".
func (v *values) Type() string { return "values" }

// Attr is read, dtype or count.
func (v *values) Attr(name string) (starlark.Value, error) {
	switch name {
	case "dtype":
		return starlark.String(v.dtype.String()), nil
	case "count":
		return starlark.MakeInt64(v.count), nil
	case "read":
		return starlark.NewBuiltin("read", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			c := &call{name: "read", args: args, kwargs: kwargs}
			card := 0
			if err := c.unpack("card?", &card); err != nil {
				return nil, err
			}
			if card < 0 || card >= len(v.data) || v.data[card] == nil {
				return nil, c.fail("there are no values for card %d", card)
			}
			return elements(v.dtype, v.data[card], 0, v.count), nil
		}), nil
	}
	return nil, nil
}

// AttrNames lists them.
func (v *values) AttrNames() []string { return []string{"count", "dtype", "read"} }

// snapshot is what a buffer holds now.
func snapshot(c *call, b *buffer) (*values, error) {
	v := &values{dtype: b.Dtype, count: b.count}
	for card := range b.node.cards {
		data, err := b.contents(card)
		if err != nil {
			return nil, c.fail("%w", err)
		}
		v.data = append(v.data, bytes.Clone(data))
	}
	return v, nil
}
