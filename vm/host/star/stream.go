package star

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// stream is a queue of steps on every card.
type stream struct {
	opaque
	node *node
	name string // "": the default one
}

func (n *node) stream(c *call) (starlark.Value, error) {
	var name string
	if err := c.unpack("name", &name); err != nil {
		return nil, err
	}
	return &stream{node: n, name: name}, nil
}

func (s *stream) String() string { return fmt.Sprintf("stream(%q)", s.name) }

// Type is "stream".
func (s *stream) Type() string { return "stream" }

// streamMethods are what a stream can do.
var streamMethods = map[string]func(s *stream, c *call) (starlark.Value, error){
	"launch": (*stream).launch, "record": (*stream).record, "wait": (*stream).wait, "delay": (*stream).delay,
	"suspend_tensor_core": func(s *stream, c *call) (starlark.Value, error) { return s.hold(c, s.node.vm.Suspend) },
	"resume_tensor_core":  func(s *stream, c *call) (starlark.Value, error) { return s.hold(c, s.node.vm.Resume) },
}

// Attr finds a method.
func (s *stream) Attr(name string) (starlark.Value, error) {
	if f := streamMethods[name]; f != nil {
		return bind(s.node.program, name, func(c *call) (starlark.Value, error) { return f(s, c) }), nil
	}
	return nil, nil
}

// AttrNames lists them.
func (s *stream) AttrNames() []string { return keys(streamMethods) }

func (s *stream) hold(c *call, do func(cards []int, stream string) error) (starlark.Value, error) {
	var on starlark.Value
	if err := c.unpack("cards?", &on); err != nil {
		return nil, err
	}
	cards, err := s.node.cardList(c, on)
	if err != nil {
		return nil, err
	}
	s.node.steps++
	if err := do(cards, s.name); err != nil {
		return nil, c.fail("%w", err)
	}
	return starlark.None, nil
}

// maxDelay bounds a delay, so that no slip of the pen ends the clock.
const maxDelay = 1 << 40

func (s *stream) delay(c *call) (starlark.Value, error) {
	var on starlark.Value
	var cycles int64
	if err := c.unpack("card", &on, "cycles", &cycles); err != nil {
		return nil, err
	}
	cards, err := s.node.cardList(c, on)
	if err != nil {
		return nil, err
	}
	if cycles < 0 || cycles > maxDelay {
		return nil, c.fail("a delay is 0 to 2^40 cycles, not %d", cycles)
	}
	s.node.steps++
	if err := s.node.vm.Delay(cards, s.name, uint64(cycles)); err != nil {
		return nil, c.fail("%w", err)
	}
	return starlark.None, nil
}

// event is a place in a stream that others can wait for.
type event struct {
	opaque
	node *node
	vm   *vm.Event
}

func (e *event) String() string { return "event" }

// Type is "event".
func (e *event) Type() string { return "event" }

func (s *stream) record(c *call) (starlark.Value, error) {
	var on starlark.Value
	if err := c.unpack("cards?", &on); err != nil {
		return nil, err
	}
	cards, err := s.node.cardList(c, on)
	if err != nil {
		return nil, err
	}
	s.node.steps++
	e, err := s.node.vm.Record(cards, s.name)
	if err != nil {
		return nil, c.fail("%w", err)
	}
	return &event{node: s.node, vm: e}, nil
}

func (s *stream) wait(c *call) (starlark.Value, error) {
	var v starlark.Value
	if err := c.unpack("event", &v); err != nil {
		return nil, err
	}
	e, ok := v.(*event)
	if !ok {
		return nil, hinted("ev = stream.record() makes an event", "%s: an event, not %s", c.name, v.Type())
	}
	if e.node != s.node {
		return nil, c.fail("the event belongs to another machine")
	}
	s.node.steps++
	if err := s.node.vm.Wait(e.vm, s.name); err != nil {
		return nil, c.fail("%w", err)
	}
	return starlark.None, nil
}

// launch is launch(entry, grid, block, cluster, shared, args, cards, group).
func (s *stream) launch(c *call) (starlark.Value, error) {
	var what, grid, block, cluster, args, on, among starlark.Value
	shared := 0
	if err := c.unpack("entry", &what, "grid?", &grid, "block?", &block, "cluster?", &cluster, "shared?", &shared, "args?", &args,
		"cards?", &on, "group?", &among); err != nil {
		return nil, err
	}
	n := s.node
	e, err := entryOf(c, what)
	if err != nil {
		return nil, err
	}
	l := vm.Launch{Module: e.module.isa, Entry: e.fn, Shared: shared, Stream: s.name}
	if shared < 0 {
		return nil, c.fail("shared is a number of bytes, not %d", shared)
	}
	if l.Grid, err = shape(c, "grid", grid, [3]int{1, 1, 1}); err != nil {
		return nil, err
	}
	threads, zero := host.LaunchDefaults(e.module.isa, e.fn)
	if l.Block, err = shape(c, "block", block, threads); err != nil {
		return nil, err
	}
	if l.Cluster, err = shape(c, "cluster", cluster, [3]int{}); err != nil {
		return nil, err
	}
	if l.Cards, err = n.cardList(c, on); err != nil {
		return nil, err
	}
	if l.Group, err = n.cardList(c, among); err != nil {
		return nil, err
	}
	blocks, err := n.parameters(c, e.fn, args, zero, n.all(l.Cards))
	if err != nil {
		return nil, err
	}
	l.Params = func(card int) []byte { return blocks[card] }
	n.steps++
	if err := n.vm.Launch(l); err != nil {
		return nil, err // it begins with launch of NAME
	}
	c.program.launched(c, &l)
	return starlark.None, nil
}

// shape reads a number or up to three.
func shape(c *call, what string, v starlark.Value, absent [3]int) ([3]int, error) {
	bad := func() ([3]int, error) {
		return absent, c.fail("%s is a size or up to three, at least 1 each, not %s", what, v)
	}
	out := [3]int{1, 1, 1}
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return absent, nil
	case starlark.Int:
		size, err := starlark.AsInt32(v)
		if err != nil || size < 1 {
			return bad()
		}
		out[0] = size
		return out, nil
	case starlark.Indexable:
		if v.Len() < 1 || v.Len() > 3 {
			return bad()
		}
		for i := range v.Len() {
			size, err := starlark.AsInt32(v.Index(i))
			if err != nil || size < 1 {
				return bad()
			}
			out[i] = size
		}
		return out, nil
	}
	return bad()
}

// module is a PTX file: its entries are its attributes, mangled names its keys.
type module struct {
	opaque
	path string
	isa  *isa.Module
}

// newModule is ptx(path, ...): several files are linked into one program.
func newModule(c *call) (starlark.Value, error) {
	if len(c.args) == 0 {
		return nil, c.fail("the path of a PTX file")
	}
	var paths []string
	for _, arg := range c.args {
		name, ok := starlark.AsString(arg)
		if !ok {
			return nil, c.fail("a path is a text, not %s", arg.Type())
		}
		paths = append(paths, c.path(name))
	}
	if len(c.kwargs) > 0 {
		return nil, c.fail("ptx(path, ...) has no named arguments")
	}
	path := strings.Join(paths, "+")
	if m := c.program.modules[path]; m != nil {
		return m, nil
	}
	if c.program.req.Load == nil {
		return nil, c.fail("no PTX can be loaded here")
	}
	var parts []*isa.Module
	for _, path := range paths {
		part, err := c.program.req.Load(path)
		if err != nil {
			return nil, c.fail("%w", err)
		}
		parts = append(parts, part)
	}
	of, err := isa.Link(parts)
	if err != nil {
		return nil, c.fail("%w", err)
	}
	m := &module{path: path, isa: of}
	c.program.modules[path] = m
	return m, nil
}

func (m *module) String() string { return fmt.Sprintf("ptx(%q)", m.path) }

// Type is "ptx".
func (m *module) Type() string { return "ptx" }

// entries lists what can be launched.
func (m *module) entries() []*isa.Func {
	var list []*isa.Func
	for _, f := range m.isa.Funcs {
		if f.Entry && f.Defined {
			list = append(list, f)
		}
	}
	return list
}

func (m *module) entry(name string) *entry {
	for _, f := range m.entries() {
		if f.Name == name {
			return &entry{module: m, fn: f}
		}
	}
	return nil
}

// Attr is the entry of that name.
func (m *module) Attr(name string) (starlark.Value, error) {
	if e := m.entry(name); e != nil {
		return e, nil
	}
	return nil, nil
}

// AttrNames lists the entries.
func (m *module) AttrNames() []string {
	var names []string
	for _, f := range m.entries() {
		names = append(names, f.Name)
	}
	return names
}

// Get is k["name"], for names that are no identifiers.
func (m *module) Get(key starlark.Value) (starlark.Value, bool, error) {
	name, ok := starlark.AsString(key)
	if !ok {
		return nil, false, fmt.Errorf("an entry's name is a string, not %s", key.Type())
	}
	if e := m.entry(name); e != nil {
		return e, true, nil
	}
	_, err := host.SelectEntry(m.isa, name)
	return nil, false, err
}

// entry is one entry of a PTX file.
type entry struct {
	opaque
	module *module
	fn     *isa.Func
}

func (e *entry) String() string { return e.fn.Name }

// Type is "entry".
func (e *entry) Type() string { return "entry" }

// entryOf is the entry to launch; a PTX file stands for its only one.
func entryOf(c *call, v starlark.Value) (*entry, error) {
	switch v := v.(type) {
	case *entry:
		return v, nil
	case *module:
		fn, err := host.SelectEntry(v.isa, "")
		if err != nil {
			return nil, hinted("name one, as in launch(k."+first(v.AttrNames())+", ...)", "%s: %s has %d entries", c.name, v.path, len(v.AttrNames()))
		}
		return &entry{module: v, fn: fn}, nil
	}
	return nil, hinted(`k = ptx("kernels.ptx"), then launch(k.NAME, ...)`, "%s: entry is an entry of a PTX file, not %s", c.name, v.Type())
}

func first(names []string) string {
	if len(names) == 0 {
		return "NAME"
	}
	return names[0]
}
