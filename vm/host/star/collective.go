package star

import (
	"math"

	"go.starlark.net/starlark"

	"github.com/tollgate-sim/tollgate/vm/host"
)

// collectives work out on the host what a collective on the cards must come to.
var collectives = map[string]function{
	"all_reduce_sum": reduction(sum), "all_reduce_min": reduction(least), "all_reduce_max": reduction(greatest),
	"reduce_scatter_sum": func(c *call) (starlark.Value, error) {
		return collective(c, func(of *values, cards []int) (*values, error) {
			if of.count%int64(len(cards)) != 0 {
				return nil, c.fail("%d elements don't divide by %d cards", of.count, len(cards))
			}
			whole := reduce(of, cards, sum)
			out := of.like(of.count / int64(len(cards)))
			for i, card := range cards {
				out.data[card] = part(whole, i, len(cards))
			}
			return out, nil
		})
	},
	"all_gather": func(c *call) (starlark.Value, error) {
		return collective(c, func(of *values, cards []int) (*values, error) {
			var all []byte
			for _, card := range cards {
				all = append(all, of.data[card]...)
			}
			out := of.like(of.count * int64(len(cards)))
			for _, card := range cards {
				out.data[card] = all
			}
			return out, nil
		})
	},
	"all_to_all": func(c *call) (starlark.Value, error) {
		return collective(c, func(of *values, cards []int) (*values, error) {
			if of.count%int64(len(cards)) != 0 {
				return nil, c.fail("%d elements don't divide by %d cards", of.count, len(cards))
			}
			out := of.like(of.count)
			for i, card := range cards {
				for _, from := range cards {
					out.data[card] = append(out.data[card], part(of.data[from], i, len(cards))...)
				}
			}
			return out, nil
		})
	},
	"broadcast": func(c *call) (starlark.Value, error) {
		root := 0
		return collective(c, func(of *values, cards []int) (*values, error) {
			if root < 0 || root >= len(of.data) {
				return nil, c.fail("there is no card %d", root)
			}
			out := of.like(of.count)
			for _, card := range cards {
				out.data[card] = of.data[root]
			}
			return out, nil
		}, "root?", &root)
	},
}

// collective reads a buffer (or values) and the cards, and does the work.
func collective(c *call, work func(of *values, cards []int) (*values, error), more ...any) (starlark.Value, error) {
	var from, on starlark.Value
	if err := c.unpack(append(append([]any{"buffer", &from}, more...), "cards?", &on)...); err != nil {
		return nil, err
	}
	var of *values
	var n *node
	switch from := from.(type) {
	case *buffer:
		var err error
		if of, err = snapshot(c, from); err != nil {
			return nil, err
		}
		n = from.node
	case *values:
		of, n = from, &node{cards: len(from.data)}
	default:
		return nil, c.fail("a buffer, not %s", from.Type())
	}
	cards, err := n.cardList(c, on)
	if err != nil {
		return nil, err
	}
	cards = n.all(cards)
	if len(cards) == 0 {
		return nil, c.fail("no cards")
	}
	for _, card := range cards {
		if of.data[card] == nil {
			return nil, c.fail("there are no values for card %d", card)
		}
	}
	return work(of, cards)
}

func (v *values) like(count int64) *values {
	return &values{dtype: v.dtype, count: count, data: make([][]byte, len(v.data))}
}

func part(data []byte, i, of int) []byte {
	n := len(data) / of
	return data[i*n : (i+1)*n]
}

// fold joins two elements; acc has the precision that the article's reduce accumulates in (design 2.3).
type fold struct {
	f32     func(acc, v float32) float32
	f64     func(acc, v float64) float64
	integer func(d host.Dtype, acc, v uint64) uint64
}

var (
	sum = fold{
		f32:     func(acc, v float32) float32 { return acc + v },
		f64:     func(acc, v float64) float64 { return acc + v },
		integer: func(_ host.Dtype, acc, v uint64) uint64 { return acc + v },
	}
	least = fold{
		f32: func(acc, v float32) float32 { return float32(minimum(float64(acc), float64(v))) },
		f64: minimum,
		integer: func(d host.Dtype, acc, v uint64) uint64 {
			if d.Less(v, acc) {
				return v
			}
			return acc
		},
	}
	greatest = fold{
		f32: func(acc, v float32) float32 { return float32(maximum(float64(acc), float64(v))) },
		f64: maximum,
		integer: func(d host.Dtype, acc, v uint64) uint64 {
			if d.Less(acc, v) {
				return v
			}
			return acc
		},
	}
)

// minimum is PTX's min: of a number and a NaN the number, and -0 is below +0.
func minimum(a, b float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	}
	return math.Min(a, b)
}

func maximum(a, b float64) float64 { return -minimum(-a, -b) }

func reduction(f fold) function {
	return func(c *call) (starlark.Value, error) {
		return collective(c, func(of *values, cards []int) (*values, error) {
			whole := reduce(of, cards, f)
			out := of.like(of.count)
			for _, card := range cards {
				out.data[card] = whole
			}
			return out, nil
		})
	}
}

// reduce folds the cards in ascending order, from the lowest card's element, accumulates floats in f32 (f64 in f64) and
// rounds once.
func reduce(of *values, cards []int, f fold) []byte {
	d := of.dtype
	out := make([]byte, len(of.data[cards[0]]))
	for i := range of.count {
		bits := d.Element(of.data[cards[0]], i)
		switch {
		case d == host.F64:
			acc := d.Value(bits)
			for _, card := range cards[1:] {
				acc = f.f64(acc, d.Value(d.Element(of.data[card], i)))
			}
			bits = d.Round(acc)
		case d.Float():
			acc := float32(d.Value(bits))
			for _, card := range cards[1:] {
				acc = f.f32(acc, float32(d.Value(d.Element(of.data[card], i))))
			}
			bits = d.Round(float64(acc))
		default:
			for _, card := range cards[1:] {
				bits = f.integer(d, bits, d.Element(of.data[card], i))
			}
		}
		d.PutElement(out, i, bits)
	}
	return out
}
