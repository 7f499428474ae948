package star

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/tollgate-sim/tollgate/vm/host"
)

// checks is what a program expected, and what it didn't get.
type checks struct {
	differences []string
	passed      int
	// Of the first check of a buffer, for the line of results:
	first *buffer
	cards map[int]bool
	close bool
}

// verdict is the line of results of checks that all passed; "" without any.
func (k *checks) verdict(cards int) string {
	switch {
	case k.first != nil && len(k.differences) == 0:
		return host.ExactResults(k.first.Buffer.Bytes, k.first.Dtype, len(k.cards), cards, !k.close)
	case k.passed > 0 && len(k.differences) == 0:
		return "all checks passed"
	}
	return ""
}

// note enters a difference with its place.
func (c *call) note(n *node, text string) {
	pos := c.program.caret(c.at())
	text = fmt.Sprintf("%s:%d:%d: %s", pos.Filename(), pos.Line, pos.Col, text)
	c.program.checks.differences = append(c.program.checks.differences, text)
	if n != nil {
		n.checks.differences = append(n.checks.differences, text)
	}
}

// expect is expect(condition, message).
func expect(c *call) (starlark.Value, error) {
	var condition starlark.Value
	message := "the condition does not hold"
	if err := c.unpack("condition", &condition, "message?", &message); err != nil {
		return nil, err
	}
	var n *node
	if len(c.program.nodes) > 0 {
		n = c.program.nodes[len(c.program.nodes)-1]
	}
	if !condition.Truth() {
		c.note(n, message)
	} else if n != nil {
		n.checks.passed++
	}
	return condition.Truth(), nil
}

func expectEqual(c *call) (starlark.Value, error) {
	var got, want, on starlark.Value
	if err := c.unpack("buffer", &got, "want", &want, "cards?", &on); err != nil {
		return nil, err
	}
	return compare(c, got, want, on, false, 0, 0)
}

func expectClose(c *call) (starlark.Value, error) {
	var got, want, on starlark.Value
	var abs, rel starlark.Value = starlark.Float(0), starlark.Float(0)
	if err := c.unpack("buffer", &got, "want", &want, "rel?", &rel, "abs?", &abs, "cards?", &on); err != nil {
		return nil, err
	}
	a, okA := starlark.AsFloat(abs)
	r, okR := starlark.AsFloat(rel)
	if !okA || !okR || !(a >= 0) || !(r >= 0) || a == 0 && r == 0 {
		return nil, c.fail("rel or abs says how close: |got - want| <= abs + rel * |want|")
	}
	return compare(c, got, want, on, true, a, r)
}

// compare compares a buffer card by card; a difference is noted, and the program goes on.
func compare(c *call, got, want, on starlark.Value, close bool, abs, rel float64) (starlark.Value, error) {
	b, ok := got.(*buffer)
	if !ok {
		return nil, hinted("expect(a == b, message) compares other values", "%s: the first argument is a buffer, not %s", c.name, got.Type())
	}
	n := b.node
	cards, err := n.cardList(c, on)
	if err != nil {
		return nil, err
	}
	fill, err := contentsOf(c, want, n.cards, b.Dtype, b.count)
	if err != nil {
		return nil, err
	}
	if fill == nil {
		return nil, c.fail("nothing to compare with")
	}
	of, _ := want.(*values)
	if list, ok := want.(starlark.Indexable); ok && of == nil && int64(list.Len()) != b.count {
		return nil, c.fail("%d values for %d elements", list.Len(), b.count)
	}
	var compared []int
	comparison := host.NewComparison(b.Name, b.Dtype, b.count, close, abs, rel)
	for _, card := range n.all(cards) {
		if of != nil && (card >= len(of.data) || of.data[card] == nil) {
			if cards == nil {
				continue // values of a group are compared on its cards
			}
			return nil, c.fail("there are no values for card %d", card)
		}
		data, err := b.contents(card)
		if err != nil {
			return nil, c.fail("%w", err)
		}
		expected := make([]byte, len(data))
		fill(b.Dtype, card, expected)
		comparison.Card(card, data, expected)
		compared = append(compared, card)
	}
	if d := comparison.Difference(); d != nil {
		c.note(n, d.String())
		return starlark.False, nil
	}
	if n.checks.first == nil {
		n.checks.first, n.checks.cards = b, map[int]bool{}
	}
	for _, card := range compared {
		n.checks.cards[card] = true
	}
	n.checks.close = n.checks.close || close
	return starlark.True, nil
}
