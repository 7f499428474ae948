package star

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// buffer is memory of the same size and place on every card.
type buffer struct {
	opaque
	host.ProgramBuffer
	node  *node
	count int64
	table *vm.Buffer // the addresses of all cards' parts, once asked for
}

func (n *node) buffer(c *call) (starlark.Value, error) {
	var kind, name string
	var size int64
	var init starlark.Value
	if err := c.unpack("dtype", &kind, "count", &size, "init?", &init, "name?", &name); err != nil {
		return nil, err
	}
	d, ok := host.LookupDtype(kind)
	if !ok {
		return nil, hinted(nearest(kind, host.Dtypes()), "%s: unknown element type %q", c.name, kind)
	}
	if size < 0 {
		return nil, c.fail("count is a number of elements, not %d", size)
	}
	most := int64(host.MaxRunBytes)
	if n.program.req.MaxBytes > 0 {
		most = n.program.req.MaxBytes
	}
	if size > most/int64(d.Bytes()) || n.bytes+size*int64(d.Bytes()) > most/int64(n.cards) {
		return nil, c.fail("%d elements of %s on each of %d cards: the buffers of a machine take at most %d MiB", size, d, n.cards, most>>20)
	}
	b := &buffer{node: n, count: size}
	fill, err := contentsOf(c, init, n.cards, d, size)
	if err != nil {
		return nil, err
	}
	if fill != nil {
		b.Init = func(card int, dst []byte) { fill(d, card, dst) }
	}
	b.Dtype = d
	b.Name = unique(cmpOr(cmpOr(name, c.assigned()), d.String()), func(name string) bool { return n.names[name] })
	n.steps++
	if b.Buffer, err = n.vm.Buffer(b.Name, size*int64(d.Bytes()), b.Init); err != nil {
		return nil, c.fail("%w", err)
	}
	n.names[b.Name] = true
	n.bytes += b.Buffer.Bytes
	n.buffers = append(n.buffers, b)
	return b, nil
}

// nearest is a hint for a word that is none of the known ones.
func nearest(word string, known []string) string {
	if near := isa.Nearest(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	text := "one of "
	for i, k := range known {
		if i > 0 {
			text += ", "
		}
		text += k
	}
	return text
}

func (b *buffer) String() string { return fmt.Sprintf("%s %s[%d]", b.Name, b.Dtype, b.count) }

// Type is "buffer".
func (b *buffer) Type() string { return "buffer" }

var bufferMethods = map[string]func(b *buffer, c *call) (starlark.Value, error){
	"read": (*buffer).readOf, "write": (*buffer).write, "on": (*buffer).on, "at": (*buffer).at, "texture": (*buffer).texture, "surface": (*buffer).surface,
	"peers": func(b *buffer, c *call) (starlark.Value, error) { return &peers{buffer: b}, c.unpack() },
	"table": func(b *buffer, c *call) (starlark.Value, error) { return &peers{buffer: b, table: true}, c.unpack() },
	"multicast": func(b *buffer, c *call) (starlark.Value, error) {
		return &address{buffer: b, multicast: true}, c.unpack()
	},
}

// Attr finds a method or what the buffer is.
func (b *buffer) Attr(name string) (starlark.Value, error) {
	switch name {
	case "name":
		return starlark.String(b.Name), nil
	case "dtype":
		return starlark.String(b.Dtype.String()), nil
	case "count":
		return starlark.MakeInt64(b.count), nil
	case "bytes":
		return starlark.MakeInt64(b.Buffer.Bytes), nil
	}
	if f := bufferMethods[name]; f != nil {
		return bind(b.node.program, name, func(c *call) (starlark.Value, error) { return f(b, c) }), nil
	}
	return nil, nil
}

// AttrNames lists them.
func (b *buffer) AttrNames() []string {
	return append(keys(bufferMethods), "bytes", "count", "dtype", "name")
}

// contents returns what the buffer holds on a card, after all that was launched before.
func (b *buffer) contents(card int) ([]byte, error) { return b.node.vm.Read(b.Buffer, card) }

// span reads start and count of a read or write.
func (b *buffer) span(c *call, start int64, count starlark.Value) (from, to int64, err error) {
	to = b.count
	if count != nil && count != starlark.None {
		var n int64
		if err := starlark.AsInt(count, &n); err != nil {
			return 0, 0, c.fail("count is a number, not %s", count.Type())
		}
		if n < 0 || n > b.count {
			return 0, 0, c.fail("count is 0 to %d, not %d", b.count, n)
		}
		to = start + n
	}
	if start < 0 || start > b.count || to > b.count || to < start {
		return 0, 0, c.fail("elements %d to %d are not all in %s", start, to, b)
	}
	return start, to, nil
}

func (b *buffer) readOf(c *call) (starlark.Value, error) {
	var on starlark.Value = starlark.MakeInt(0)
	var start int64
	var count starlark.Value
	if err := c.unpack("card?", &on, "start?", &start, "count?", &count); err != nil {
		return nil, err
	}
	card, err := b.node.card(c, on)
	if err != nil {
		return nil, err
	}
	from, to, err := b.span(c, start, count)
	if err != nil {
		return nil, err
	}
	data, err := b.contents(card)
	if err != nil {
		return nil, c.fail("%w", err)
	}
	return elements(b.Dtype, data, from, to), nil
}

// elements makes a list of numbers.
func elements(d host.Dtype, data []byte, from, to int64) *starlark.List {
	list := make([]starlark.Value, 0, to-from)
	for i := from; i < to; i++ {
		bits := d.Element(data, i)
		switch {
		case d.Float():
			list = append(list, starlark.Float(d.Value(bits)))
		case d.Signed():
			shift := 64 - 8*d.Bytes()
			list = append(list, starlark.MakeInt64(int64(bits<<shift)>>shift))
		default:
			list = append(list, starlark.MakeUint64(bits))
		}
	}
	return starlark.NewList(list)
}

func (b *buffer) write(c *call) (starlark.Value, error) {
	var values, on starlark.Value
	var start int64
	if err := c.unpack("values", &values, "card?", &on, "start?", &start); err != nil {
		return nil, err
	}
	cards, err := b.node.cardList(c, on)
	if err != nil {
		return nil, err
	}
	var count starlark.Value
	if list, ok := values.(starlark.Sequence); ok {
		count = starlark.MakeInt(list.Len())
	}
	from, to, err := b.span(c, start, count)
	if err != nil {
		return nil, err
	}
	fill, err := contentsOf(c, values, b.node.cards, b.Dtype, to-from)
	if err != nil {
		return nil, err
	}
	if fill == nil {
		return nil, c.fail("nothing to write")
	}
	size := int64(b.Dtype.Bytes())
	for _, card := range b.node.all(cards) {
		data := make([]byte, (to-from)*size)
		fill(b.Dtype, card, data)
		b.node.steps++
		if err := b.node.vm.Write(b.Buffer, card, from*size, data); err != nil {
			return nil, c.fail("%w", err)
		}
	}
	return starlark.None, nil
}

// address is a place in a buffer: on the launching card, on a card, or on all (multicast).
type address struct {
	opaque
	buffer    *buffer
	fixed     bool
	card      int // with fixed
	multicast bool
	offset    int64 // bytes
}

func (a *address) String() string {
	s := a.buffer.Name
	if a.fixed {
		s += fmt.Sprintf("@%d", a.card)
	}
	if a.offset != 0 {
		s += fmt.Sprintf("+%d", a.offset)
	}
	return s
}

// Type is "address".
func (a *address) Type() string { return "address" }

// value is the address for a launch on a card.
func (a *address) value(card int) uint64 {
	if a.multicast {
		return a.buffer.Buffer.Multicast() + uint64(a.offset)
	}
	if a.fixed {
		card = a.card
	}
	return a.buffer.Buffer.Addr(card) + uint64(a.offset)
}

// Binary is address + bytes.
func (a *address) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return plus(a, op, y, side)
}

// Binary is buffer + bytes.
func (b *buffer) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	return plus(&address{buffer: b}, op, y, side)
}

func plus(a *address, op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	n, ok := y.(starlark.Int)
	if !ok || op != syntax.PLUS && (op != syntax.MINUS || side == starlark.Right) {
		return nil, nil
	}
	var bytes int64
	if err := starlark.AsInt(n, &bytes); err != nil {
		return nil, err
	}
	if op == syntax.MINUS {
		bytes = -bytes
	}
	sum := *a
	sum.offset += bytes
	return &sum, nil
}

func (b *buffer) on(c *call) (starlark.Value, error) {
	var v starlark.Value
	var index int64
	if err := c.unpack("card", &v, "index?", &index); err != nil {
		return nil, err
	}
	card, err := b.node.card(c, v)
	return &address{buffer: b, fixed: true, card: card, offset: index * int64(b.Dtype.Bytes())}, err
}

func (b *buffer) at(c *call) (starlark.Value, error) {
	var index int64
	if err := c.unpack("index", &index); err != nil {
		return nil, err
	}
	return &address{buffer: b, offset: index * int64(b.Dtype.Bytes())}, nil
}

// peers are a buffer's addresses on all cards: as a by-value array where the parameter is one, else as the address of a
// table in the launching card's memory.
type peers struct {
	opaque
	buffer *buffer
	table  bool
}

func (p *peers) String() string { return p.buffer.Name + ".peers()" }

// Type is "peers".
func (p *peers) Type() string { return "peers" }

// tableOf is the buffer that holds the table, made when first needed.
func (b *buffer) tableOf() (*vm.Buffer, error) {
	if b.table != nil {
		return b.table, nil
	}
	cards, of := b.node.cards, b.Buffer
	b.node.steps++
	table, err := b.node.vm.Buffer("peers("+b.Name+")", int64(8*cards), func(_ int, dst []byte) {
		for card := range cards {
			host.U64.PutElement(dst, int64(card), of.Addr(card))
		}
	})
	b.table = table
	return table, err
}
