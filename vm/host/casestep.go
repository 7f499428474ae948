package host

import (
	"github.com/tollgate-sim/tollgate/isa"
)

// readSteps reads "launches", or the one launch that stands at the top level.
func (c *Case) readSteps(o *object) {
	if n := o.get("launches"); n != nil {
		for _, item := range o.list("launches") {
			if s, ok := o.r.object(item, "a step"); ok {
				c.steps = append(c.steps, c.readStep(s))
				s.done()
			}
		}
		return
	}
	if !o.has("entry") {
		o.r.report(o.value, "", `a case needs "entry" or "launches"`)
		o.ignore("grid", "block", "cluster", "shared_bytes", "args", "cooperative")
		return
	}
	s := step{pos: o.value.members["entry"].pos}
	c.readLaunch(o, &s)
	c.steps = []step{s}
}

// readStep reads one item of "launches", named by its key.
func (c *Case) readStep(o *object) step {
	s := step{pos: o.value.pos, cards: c.readCards(o, "cards"), stream: o.text("stream")}
	kinds := 0
	for _, k := range []string{"entry", "delay", "suspend", "resume"} {
		if o.has(k) {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		o.ignore("entry", "delay", "suspend", "resume")
		o.r.report(o.value, "", `a step has one of "entry", "delay", "suspend" and "resume"`)
	case o.has("entry"):
		c.readLaunch(o, &s)
		s.group = c.readCards(o, "group")
	case o.has("delay"):
		s.kind = delayStep
		s.delay = uint64(o.integer("delay", 0, 0))
	case o.has("suspend"):
		s.kind = suspendStep
		c.mustBeTrue(o, "suspend")
	case o.has("resume"):
		s.kind = resumeStep
		c.mustBeTrue(o, "resume")
	}
	return s
}

func (c *Case) mustBeTrue(o *object, name string) {
	if n := o.get(name); n.kind != 'b' || !n.truth {
		o.r.report(n, "", "%q is true where it stands", name)
	}
}

// readLaunch reads the keys of a launch.
func (c *Case) readLaunch(o *object, s *step) {
	s.kind = launchStep
	s.entry = o.text("entry")
	if n := o.get("module"); n != nil && o.r.is(n, 's', `"module"`) {
		s.module = n.text
		if _, ok := c.modules[s.module]; !ok && s.module != "" {
			o.r.report(n, "", "%q names none of the case's modules", s.module)
		}
	}
	s.grid = readShape(o, "grid", true)
	s.block = readShape(o, "block", true)
	s.cluster = readShape(o, "cluster", false)
	s.shared = int(o.integer("shared_bytes", 0, 0))
	s.cooperative = o.truth("cooperative")
	o.need("args")
	for _, n := range o.list("args") {
		a, size := c.readArgument(o.r, n)
		s.arguments = append(s.arguments, caseArgument{argument: a, pos: n.pos, size: size})
	}
}

// readShape reads [x, y, z].
func readShape(o *object, name string, needed bool) (shape [3]int) {
	if needed && o.need(name) == nil {
		return [3]int{1, 1, 1}
	}
	n := o.get(name)
	if n == nil {
		return shape
	}
	sizes := o.integers(name, 1)
	if len(sizes) != 3 {
		o.r.report(n, "", "%q is a list of three sizes", name)
		return [3]int{1, 1, 1}
	}
	return [3]int(sizes)
}

// argumentKeys are the keys that say what an argument is; the first one present decides.
var argumentKeys = []string{"struct", "buffer", "peer_table", "peer_array", "multicast", "scalar", "rank", "cards", "texture", "surface", "tensormap"}

// readArgument reads one argument and returns the size of the parameter that it fills.
func (c *Case) readArgument(r *reader, n *jsonValue) (argument, int) {
	o, ok := r.object(n, "an argument")
	if !ok {
		return bytesArgument{perCard: [][]byte{nil}}, 0
	}
	o.ignore("hidden")
	a, size := c.argumentOf(o)
	o.done()
	return a, size
}

func (c *Case) argumentOf(o *object) (argument, int) {
	for _, k := range argumentKeys {
		if !o.has(k) {
			continue
		}
		switch k {
		case "struct":
			return c.readStruct(o)
		case "buffer":
			return c.readAddress(o), 8
		case "peer_table":
			return peerTableArgument{name: c.bufferName(o, k)}, 8
		case "peer_array":
			o.need("slots")
			slots := int(o.integerTo("slots", 1, 1, maxCards))
			return peerArrayArgument{name: c.bufferName(o, k), slots: slots}, 8 * slots
		case "multicast":
			return multicastArgument{name: c.bufferName(o, k)}, 8
		case "scalar":
			d := o.dtype("type")
			data := make([]byte, d.Bytes())
			putBytes(data, d.to(o.number("scalar", 0)))
			return bytesArgument{perCard: [][]byte{data}}, d.Bytes()
		case "rank", "cards":
			c.mustBeTrue(o, k)
			d := o.dtype("type")
			return cardArgument{number: k == "cards", dtype: d, typed: true}, d.Bytes()
		case "texture", "surface":
			return c.readTexture(o, k), 8
		case "tensormap":
			return c.readTensorMap(o), 128
		}
	}
	hint := "an argument has one of " + quotedList(argumentKeys)
	for _, k := range o.keys() {
		if near := isa.Nearest(k, argumentKeys); near != "" {
			hint = "did you mean " + near + "?"
		}
	}
	o.ignore(o.keys()...)
	o.r.report(o.value, hint, "this is no argument")
	return bytesArgument{perCard: [][]byte{nil}}, 0
}

// bufferName reads the name of a buffer of the case.
func (c *Case) bufferName(o *object, key string) string {
	n := o.get(key)
	if !o.r.is(n, 's', o.quote(key)) {
		return ""
	}
	if _, err := lookupBuffer(n.text, c.byName); err != nil {
		msg, hint := asUnknown(err)
		o.r.report(n, hint, "%s", msg)
	}
	return n.text
}

// readAddress reads {"buffer": …} with its optional card and offset.
func (c *Case) readAddress(o *object) argument {
	a := bufferArgument{name: c.bufferName(o, "buffer"), relative: true}
	a.offset = o.integer("byte_offset", -1<<40, 0)
	card, offset := o.get("card"), o.get("card_offset")
	switch {
	case card != nil && offset != nil:
		o.r.report(offset, "", `an address has "card" or "card_offset", not both`)
	case card != nil:
		a.card, a.relative = int(o.r.integer(card, `"card"`, 0)), false
		if a.card >= c.Cards {
			o.r.report(card, "", "there is no card %d: the case has cards 0 to %d", a.card, c.Cards-1)
		}
	case offset != nil:
		a.card = int(o.r.integer(offset, `"card_offset"`, -1<<20))
	}
	return a
}

// readStruct reads a by-value struct: its size, alignment and fields.
func (c *Case) readStruct(o *object) (argument, int) {
	o.need("size")
	a := structArgument{size: int(o.integerTo("size", 1, 1, maxStructBytes))}
	o.integer("align", 1, 1)
	for _, n := range o.list("struct") {
		f, ok := o.r.object(n, "a field")
		if !ok {
			continue
		}
		f.need("offset")
		offset := int(f.integerTo("offset", 0, 0, maxStructBytes))
		value, size := c.argumentOf(f)
		f.done()
		if offset+size > a.size {
			o.r.report(n, "", "the field ends at byte %d of a struct of %d", offset+size, a.size)
			continue
		}
		a.fields = append(a.fields, structField{offset: offset, size: size, value: value})
	}
	return a, a.size
}

// at is a place of the case file for a message: file:line:col.
func (c *Case) at(pos isa.Pos) string { return c.Source.At(pos) }

func quotedList(words []string) string {
	s := ""
	for i, w := range words {
		if i > 0 {
			s += ", "
		}
		s += `"` + w + `"`
	}
	return s
}
