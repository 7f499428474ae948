package star

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// node is a machine with cards: what machine() returns.
type node struct {
	opaque
	program *program
	name    string
	machine *machine.Machine
	cards   int
	vm      *vm.Node
	buffers []*buffer
	names   map[string]bool
	bytes   int64 // of all buffers on one card
	groups  int
	first   *stream // the default one
	checks  checks

	steps  int        // taken so far
	result *vm.Result // after so many steps
	at     int
	silent bool // the silent runs are in result
	noLoss bool // the program does without them
}

// newMachine is machine(name, cards).
func newMachine(c *call) (starlark.Value, error) {
	name, cards, label := host.DefaultMachine, 1, ""
	if err := c.unpack("name?", &name, "cards?", &cards, "label?", &label); err != nil {
		return nil, err
	}
	opt := c.program.req.Options
	if opt.Machine == nil {
		if strings.HasSuffix(name, ".toml") {
			name = c.path(name)
		}
		m, err := machine.Load(name)
		if err != nil {
			return nil, c.fail("%w", err)
		}
		opt.Machine = m
	}
	if cards < 1 {
		return nil, c.fail("a node has at least one card, not %d", cards)
	}
	opt.Cards, opt.Stdout, opt.Silent = cards, c.program.out, false
	of, err := vm.NewNode(opt)
	if err != nil {
		return nil, c.fail("%w", err)
	}
	if label == "" {
		label = c.assigned()
	}
	n := &node{program: c.program, machine: opt.Machine, cards: cards, vm: of, names: map[string]bool{}}
	n.name = unique(cmpOr(label, "machine"), func(name string) bool {
		return slices.ContainsFunc(c.program.nodes, func(n *node) bool { return n.name == name })
	})
	n.first = &stream{node: n}
	c.program.nodes = append(c.program.nodes, n)
	return n, nil
}

// unique is a name that is not taken: name, name_2, name_3, ...
func unique(name string, taken func(string) bool) string {
	out := name
	for i := 2; taken(out); i++ {
		out = fmt.Sprintf("%s_%d", name, i)
	}
	return out
}

func (n *node) String() string {
	return fmt.Sprintf("machine(%q, cards = %d)", n.machine.Name, n.cards)
}

// Type is "machine".
func (n *node) Type() string { return "machine" }

// Attr finds a method or figure. What a stream can do, a machine does on its default stream.
func (n *node) Attr(name string) (starlark.Value, error) {
	switch name {
	case "cards":
		return starlark.MakeInt(n.cards), nil
	case "name":
		return starlark.String(n.machine.Name), nil
	case "clock_mhz":
		return starlark.MakeInt(int(n.machine.ClockMHz)), nil
	case "timed":
		return starlark.Bool(!n.program.req.Options.Functional), nil
	}
	if f := nodeMethods[name]; f != nil {
		return bind(n.program, name, func(c *call) (starlark.Value, error) { return f(n, c) }), nil
	}
	return n.first.Attr(name)
}

// AttrNames lists them.
func (n *node) AttrNames() []string {
	names := append(keys(nodeMethods), "cards", "name", "clock_mhz", "timed")
	names = append(names, keys(streamMethods)...)
	slices.Sort(names)
	return names
}

func keys[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// nodeMethod is a method of a machine. Those that act on a machine are free functions too, for the machine made last.
type nodeMethod func(n *node, c *call) (starlark.Value, error)

var nodeMethods map[string]nodeMethod

// freeFunctions are the words of the language beside Starlark's own.
var freeFunctions map[string]function

func init() { // the tables and the functions refer to each other
	nodeMethods = map[string]nodeMethod{
		"buffer": (*node).buffer, "stream": (*node).stream, "synchronize": (*node).synchronize, "group": (*node).group,
		"tenant": (*node).tenant, "result": (*node).resultOf, "bind_texture": (*node).bindTexture,
	}
	freeFunctions = map[string]function{
		"machine": newMachine, "param": newParam, "ptx": newModule, "metric": newMetric, "per_card": newPerCard,
		"pack": newPacked, "fixed": fixed, "columns": textColumns,
		"expect": expect, "expect_equal": expectEqual, "expect_close": expectClose,
		"group": onCurrent((*node).group), "tenant": onCurrent((*node).tenant), "synchronize": onCurrent((*node).synchronize),
	}
	for _, name := range []string{"launch", "delay", "suspend_tensor_core", "resume_tensor_core"} {
		method := streamMethods[name]
		freeFunctions[name] = onCurrent(func(n *node, c *call) (starlark.Value, error) { return method(n.first, c) })
	}
	for name := range generators {
		freeFunctions[name] = func(c *call) (starlark.Value, error) { return newContents(c) }
	}
	for name, f := range collectives {
		freeFunctions[name] = f
	}
}

func onCurrent(f nodeMethod) function {
	return func(c *call) (starlark.Value, error) {
		n, err := c.program.current(c.name)
		if err != nil {
			return nil, err
		}
		return f(n, c)
	}
}

func (n *node) synchronize(c *call) (starlark.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	if err := n.vm.Synchronize(n.program.ctx); err != nil {
		return nil, c.fail("%w", err)
	}
	return starlark.None, nil
}

// group is group([0, 1]): a numbered set of cards.
func (n *node) group(c *call) (starlark.Value, error) {
	var list starlark.Value
	if err := c.unpack("cards", &list); err != nil {
		return nil, err
	}
	cards, err := n.cardList(c, list)
	if err != nil {
		return nil, err
	}
	if len(cards) == 0 {
		return nil, c.fail("a group has at least one card")
	}
	n.groups++
	n.steps++
	if err := n.vm.Group(n.groups, cards); err != nil {
		return nil, c.fail("%w", err)
	}
	return &group{id: n.groups, cards: cards}, nil
}

// group is a numbered set of cards.
type group struct {
	opaque
	id    int
	cards []int
}

func (g *group) String() string { return fmt.Sprintf("group(%v)", g.cards) }

// Type is "group".
func (g *group) Type() string { return "group" }

// Attr is id or cards.
func (g *group) Attr(name string) (starlark.Value, error) {
	switch name {
	case "id":
		return starlark.MakeInt(g.id), nil
	case "cards":
		return intList(g.cards), nil
	}
	return nil, nil
}

// AttrNames lists them.
func (g *group) AttrNames() []string { return []string{"cards", "id"} }

func intList(values []int) *starlark.List {
	list := make([]starlark.Value, len(values))
	for i, v := range values {
		list[i] = starlark.MakeInt(v)
	}
	return starlark.NewList(list)
}

// shareUnits is the resolution of a tenant's share.
const shareUnits = 1_000_000

func (n *node) tenant(c *call) (starlark.Value, error) {
	var card int
	var direction string
	var share starlark.Value
	if err := c.unpack("card", &card, "direction", &direction, "share", &share); err != nil {
		return nil, err
	}
	part, ok := starlark.AsFloat(share)
	if !ok || !(part >= 0 && part < 1) {
		return nil, c.fail("share is a number from 0 to below 1, not %s", share)
	}
	n.steps++
	if err := n.vm.Tenant(card, direction, int64(math.Round(part*shareUnits)), shareUnits); err != nil {
		return nil, c.fail("%w", err)
	}
	return starlark.None, nil
}

// cardList reads cards: None for all, a number, a list, a group. nil stands for all.
func (n *node) cardList(c *call, v starlark.Value) ([]int, error) {
	var list []int
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil, nil
	case *group:
		return v.cards, nil
	case starlark.Int:
		card, err := n.card(c, v)
		return []int{card}, err
	case starlark.Iterable:
		iter := v.Iterate()
		defer iter.Done()
		var item starlark.Value
		list = []int{}
		for iter.Next(&item) {
			card, err := n.card(c, item)
			if err != nil {
				return nil, err
			}
			list = append(list, card)
		}
		slices.Sort(list)
		return slices.Compact(list), nil
	}
	return nil, c.fail("cards are a list of numbers, not %s", v.Type())
}

// card reads the number of a card.
func (n *node) card(c *call, v starlark.Value) (int, error) {
	card, err := starlark.AsInt32(v)
	if err != nil {
		return 0, c.fail("a card is a number, not %s", v.Type())
	}
	if card < 0 || card >= n.cards {
		return 0, c.fail("there is no card %d: the machine has cards 0 to %d", card, n.cards-1)
	}
	return card, nil
}

// all lists cards; nil stands for all.
func (n *node) all(cards []int) []int {
	if cards != nil {
		return cards
	}
	for card := range n.cards {
		cards = append(cards, card)
	}
	return cards
}

func (n *node) programBuffers() []host.ProgramBuffer {
	out := make([]host.ProgramBuffer, len(n.buffers))
	for i, b := range n.buffers {
		out[i] = b.ProgramBuffer
	}
	return out
}
