package star

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// perCard is a value that differs from card to card.
type perCard struct {
	opaque
	fn starlark.Callable
}

func newPerCard(c *call) (starlark.Value, error) {
	var fn starlark.Callable
	if err := c.unpack("function", &fn); err != nil {
		return nil, err
	}
	return &perCard{fn: fn}, nil
}

func (p *perCard) String() string { return "per_card(" + p.fn.Name() + ")" }

// Type is "per_card".
func (p *perCard) Type() string { return "per_card" }

// of calls the function for a card.
func (p *perCard) of(c *call, card int) (starlark.Value, error) {
	return starlark.Call(c.thread, p.fn, starlark.Tuple{starlark.MakeInt(card)}, nil)
}

// parameters makes the parameter blocks of a launch, for each of its cards.
func (n *node) parameters(c *call, fn *isa.Func, args starlark.Value, zero, cards []int) (map[int][]byte, error) {
	given, err := arguments(c, fn, args, zero)
	if err != nil {
		return nil, err
	}
	blocks := map[int][]byte{}
	for _, card := range cards {
		block := make([]byte, host.ParamBlock(fn))
		for i, p := range fn.Params {
			data, err := n.argument(c, p, given[i], card)
			if err != nil {
				return nil, fmt.Errorf("%s: argument for %s (%s): %w", c.name, host.ParamName(p), host.Declaration(p), err)
			}
			copy(block[p.Offset:p.Offset+host.ParamSize(p)], data)
		}
		blocks[card] = block
	}
	return blocks, nil
}

// arguments puts the arguments in the order of the parameters. Those that the compiler added and that are always zero
// may be left out.
func arguments(c *call, fn *isa.Func, args starlark.Value, zero []int) ([]starlark.Value, error) {
	names := make([]string, len(fn.Params))
	for i, p := range fn.Params {
		names[i] = host.ParamName(p)
	}
	takes := "its parameters are " + strings.Join(names, ", ")
	if len(names) == 0 {
		takes = "it has no parameters"
	}
	switch args := args.(type) {
	case nil, starlark.NoneType:
		if len(names) == 0 {
			return nil, nil
		}
		return nil, hinted(takes, "%s: entry %s needs args", c.name, fn.Name)
	case *starlark.Dict:
		given := make([]starlark.Value, len(names))
		for _, item := range args.Items() {
			key, _ := starlark.AsString(item[0])
			found := false
			for i, p := range fn.Params {
				if key == names[i] || key == p.Name {
					given[i], found = item[1], true
				}
			}
			if !found {
				what := takes
				if near := isa.Nearest(key, names); near != "" && len(key) > 1 {
					what = "did you mean " + near + "?"
				}
				return nil, hinted(what, "%s: entry %s has no parameter %s", c.name, fn.Name, key)
			}
		}
		for i, v := range given {
			if v == nil && slices.Contains(zero, i) {
				given[i] = zeros(fn.Params[i])
			} else if v == nil {
				return nil, hinted(takes, "%s: entry %s needs an argument for %s", c.name, fn.Name, names[i])
			}
		}
		return given, nil
	case starlark.Indexable:
		if args.Len() == len(names) {
			zero = nil
		}
		if args.Len()+len(zero) != len(names) {
			return nil, hinted(takes, "%s: entry %s has %d parameters, not %d", c.name, fn.Name, len(names), args.Len())
		}
		given := make([]starlark.Value, len(names))
		next := 0
		for i := range given {
			if slices.Contains(zero, i) {
				given[i] = zeros(fn.Params[i])
				continue
			}
			given[i] = args.Index(next)
			next++
		}
		return given, nil
	}
	return nil, c.fail("args is a list in the order of the parameters, or a dict by their names, not %s", args.Type())
}

// zeros is a parameter's worth of zero bytes.
func zeros(p *isa.Var) starlark.Value { return starlark.Bytes(make([]byte, host.ParamSize(p))) }

// argument returns a parameter's bytes for a launch on a card.
func (n *node) argument(c *call, p *isa.Var, v starlark.Value, card int) ([]byte, error) {
	size := host.ParamSize(p)
	if of, ok := v.(*perCard); ok {
		inner, err := of.of(c, card)
		if err != nil {
			return nil, err
		}
		if _, again := inner.(*perCard); again {
			return nil, fmt.Errorf("per_card within per_card")
		}
		return n.argument(c, p, inner, card)
	}
	pointer := func(b *buffer, value uint64) ([]byte, error) {
		switch {
		case b.node != n:
			return nil, fmt.Errorf("%s is a buffer of another machine", b.Name)
		case size != 8:
			return nil, fmt.Errorf("it takes %d bytes, an address has 8", size)
		}
		return word(value), nil
	}
	switch v := v.(type) {
	case *buffer:
		return pointer(v, v.Buffer.Addr(card))
	case *address:
		return pointer(v.buffer, v.value(card))
	case *peers:
		return n.peerArgument(p, v, card)
	case *group:
		v2, err := host.NumberParam(p, host.Integer(starlark.MakeInt(v.id).BigInt()))
		return v2, err
	case *handle:
		switch {
		case v.node != n:
			return nil, fmt.Errorf("a %s of another machine", v.what)
		case size != 8:
			return nil, fmt.Errorf("it takes %d bytes, a %s has 8", size, v.what)
		}
		return word(v.value), nil
	case *packed:
		return v.bytes(n, c, size, card)
	case starlark.Bytes:
		if len(v) != size {
			return nil, fmt.Errorf("it takes %d bytes, not %d", size, len(v))
		}
		return []byte(v), nil
	case *starlark.List, starlark.Tuple:
		return arrayArgument(p, v.(starlark.Indexable), size)
	}
	number, ok := numberOf(v)
	if !ok {
		return nil, fmt.Errorf("%s is no argument", v.Type())
	}
	if len(p.Dims) > 0 {
		return nil, fmt.Errorf("it is an array and takes a list or bytes")
	}
	return host.NumberParam(p, number)
}

// arrayArgument is a list as a by-value array; what it leaves out is zero.
func arrayArgument(p *isa.Var, list starlark.Indexable, size int) ([]byte, error) {
	if len(p.Dims) == 0 {
		return nil, fmt.Errorf("it is one number and takes no list")
	}
	if list.Len()*p.Type.Bytes() > size {
		return nil, fmt.Errorf("it has %d elements, not %d", size/p.Type.Bytes(), list.Len())
	}
	out := make([]byte, 0, size)
	for i := range list.Len() {
		number, ok := numberOf(list.Index(i))
		if !ok {
			return nil, fmt.Errorf("element %d is no number but %s", i, list.Index(i).Type())
		}
		data, err := host.NumberParam(p, number)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		out = append(out, data...)
	}
	return out, nil
}

// peerArgument is an array of addresses, or the address of a table of them.
func (n *node) peerArgument(p *isa.Var, v *peers, card int) ([]byte, error) {
	size := host.ParamSize(p)
	switch {
	case v.buffer.node != n:
		return nil, fmt.Errorf("%s is a buffer of another machine", v.buffer.Name)
	case v.table || len(p.Dims) == 0:
		if size != 8 {
			return nil, fmt.Errorf("it takes %d bytes, an address has 8", size)
		}
		table, err := v.buffer.tableOf()
		if err != nil {
			return nil, err
		}
		return word(table.Addr(card)), nil
	case size/8 < n.cards:
		return nil, fmt.Errorf("its %d bytes don't hold the addresses of %d cards", size, n.cards)
	}
	out := make([]byte, size)
	for card := range n.cards {
		copy(out[8*card:], word(v.buffer.Buffer.Addr(card)))
	}
	return out, nil
}

func word(value uint64) []byte {
	data := make([]byte, 8)
	host.U64.PutElement(data, 0, value)
	return data
}

// numberOf reads a number or a truth value.
func numberOf(v starlark.Value) (host.Number, bool) {
	switch v := v.(type) {
	case starlark.Int:
		return host.Integer(v.BigInt()), true
	case starlark.Float:
		return host.Real(float64(v)), true
	case starlark.Bool:
		if v {
			return host.Integer(starlark.MakeInt(1).BigInt()), true
		}
		return host.Integer(starlark.MakeInt(0).BigInt()), true
	}
	return host.Number{}, false
}
