package host

import (
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
)

// Case is a case file: how to launch the entries of a PTX file, on which inputs, and what must come out.
type Case struct {
	Name        string
	Description string
	Source      *isa.Source
	Cards       int
	Machine     string // name or path of a machine file
	// Variants are the PTX files that the case is run with, the main one first. A variant of several files is
	// one program that was compiled in parts.
	Variants [][]string

	modules map[string]string // further PTX files by the name that launches use
	builds  map[string]build
	groups  []group
	steps   []step
	buffers []*bufferSpec
	byName  map[string]*bufferSpec
	expect  []expectation
	fault   *expectedFault
	stdout  *expectedStdout

	files fs.FS  // the folder of the case file
	dir   string // what a module loader puts before the names of PTX files
}

// build is what a case file says of one PTX file beyond its origin.
type build struct {
	params  int // arguments that its entries take; 0: all
	entries map[string]string
}

// group is a numbered group of cards for sync.nvlink.
type group struct {
	id    int
	cards []int
}

// stepKind is what a step does.
type stepKind uint8

const (
	launchStep stepKind = iota
	delayStep
	suspendStep
	resumeStep
)

// step is one item of "launches".
type step struct {
	kind   stepKind
	pos    isa.Pos
	cards  []int // nil: all
	stream string
	delay  uint64

	// Of a launch:
	module               string
	entry                string
	grid, block, cluster [3]int
	shared               int
	group                []int
	cooperative          bool
	arguments            []caseArgument
}

// caseArgument is one argument with its place in the file and the parameter size that it implies.
type caseArgument struct {
	argument argument
	pos      isa.Pos
	size     int
}

// ReadCase reads a case file of a file system. Files that it names stand beside it. The error is a
// *machine.Problem or machine.Problems with lines and columns, or the file system's.
func ReadCase(files fs.FS, name string) (*Case, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	folder, err := fs.Sub(files, path.Dir(name))
	if err != nil {
		return nil, err
	}
	return decodeCase(isa.NewSource(name, string(text)), folder, path.Dir(name))
}

// ReadCaseFile reads a case file of the host.
func ReadCaseFile(name string) (*Case, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(name)
	return decodeCase(isa.NewSource(name, string(text)), os.DirFS(dir), dir)
}

func decodeCase(source *isa.Source, files fs.FS, dir string) (*Case, error) {
	root, err := parseJSON(source)
	if err != nil {
		return nil, err
	}
	c := &Case{Source: source, files: files, dir: dir, byName: map[string]*bufferSpec{}}
	r := &reader{source: source}
	if o, ok := r.object(root, "a case"); ok {
		c.read(o)
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// Bounds of a case file, far beyond what makes sense, so that a slip of the pen is an error and no endless run.
const (
	maxCards       = 1024
	maxStructBytes = 1 << 16 // PTX allows 32,764 bytes of parameters
	maxDraw        = 1 << 53 // the numbers of lcg are exact in a float64
)

// read fills the case from its object.
func (c *Case) read(o *object) {
	if n := o.need("format"); n != nil && (n.kind != 'n' || n.text != "1") {
		o.r.report(n, "", "this is format 1 of case files")
		return
	}
	c.Name = o.text("name")
	c.Description = o.text("description")
	o.ignore("topics", "notes", "source", "verified", "native", "thread_instructions", "thread_instructions_note")
	c.Machine = o.text("machine")
	if c.Machine == "" {
		c.Machine = DefaultMachine
	}
	before := len(o.r.problems)
	c.Cards = int(o.integerTo("cards", 1, 1, maxCards))
	if len(o.r.problems) > before {
		return // nearly everything below refers to the number of cards
	}
	c.readFiles(o)
	c.readGroups(o)
	c.readBuffers(o)
	c.readSteps(o)
	c.readExpectations(o)
	o.done()
}

// DefaultMachine is the machine of a run that names none.
const DefaultMachine = "h200-sxm"

// readFiles reads "ptx", "variants", "modules" and "builds".
func (c *Case) readFiles(o *object) {
	if n := o.need("ptx"); n != nil {
		c.Variants = append(c.Variants, readFileNames(o.r, n))
	}
	for _, n := range o.list("variants") {
		c.Variants = append(c.Variants, readFileNames(o.r, n))
	}
	c.modules = map[string]string{}
	if n := o.get("modules"); n != nil {
		if modules, ok := o.r.object(n, `"modules"`); ok {
			for _, k := range n.keys {
				c.modules[k.name] = modules.text(k.name)
			}
		}
	}
	c.builds = map[string]build{}
	if n := o.get("builds"); n != nil {
		if builds, ok := o.r.object(n, `"builds"`); ok {
			for _, k := range n.keys {
				if b, ok := o.r.object(builds.get(k.name), "a build"); ok {
					c.builds[k.name] = readBuild(b)
				}
			}
		}
	}
}

// readFileNames reads the name of a PTX file, or a list of names.
func readFileNames(r *reader, n *jsonValue) []string {
	if n.kind != '[' {
		if r.is(n, 's', "a PTX file") {
			return []string{n.text}
		}
		return []string{""}
	}
	var names []string
	for _, item := range n.items {
		if r.is(item, 's', "a PTX file") {
			names = append(names, item.text)
		}
	}
	if len(n.items) == 0 {
		r.report(n, "", "an empty list names no PTX file")
		names = []string{""}
	}
	return names
}

func readBuild(o *object) build {
	o.ignore("target", "target_modes", "ptx_version", "opt", "debug", "command", "compiler", "nvvm", "maxrregcount", "options",
		"shared", "ptxas", "mode", "verdict")
	b := build{params: int(o.integer("params", 0, 0))}
	if n := o.get("entry_names"); n != nil {
		if names, ok := o.r.object(n, `"entry_names"`); ok {
			b.entries = map[string]string{}
			for _, k := range n.keys {
				b.entries[k.name] = names.text(k.name)
			}
		}
	}
	o.done()
	return b
}

func (c *Case) readGroups(o *object) {
	n := o.get("groups")
	if n == nil {
		return
	}
	groups, ok := o.r.object(n, `"groups"`)
	if !ok {
		return
	}
	for _, k := range n.keys {
		id, ok := parseNumber(k.name)
		if !ok || id.whole == nil || !id.whole.IsInt64() || id.whole.Int64() < 1 || id.whole.Int64() > 1<<20 {
			o.r.problems = append(o.r.problems, &machine.Problem{Source: o.r.source, Pos: k.pos, Text: fmt.Sprintf("a group's id is a number from 1 on, not %q", k.name)})
			continue
		}
		cards := c.readCards(groups, k.name)
		c.groups = append(c.groups, group{id: int(id.whole.Int64()), cards: cards})
	}
	slices.SortFunc(c.groups, func(a, b group) int { return a.id - b.id })
}

// readCards reads a list of cards of the node; absent: nil.
func (c *Case) readCards(o *object, name string) []int {
	var cards []int
	for _, n := range o.list(name) {
		card := int(o.r.integer(n, "a card", 0))
		switch {
		case card >= c.Cards:
			o.r.report(n, "", "there is no card %d: the case has cards 0 to %d", card, c.Cards-1)
		case slices.Contains(cards, card):
			o.r.report(n, "", "card %d stands here twice", card)
		default:
			cards = append(cards, card)
		}
	}
	return cards
}

func (c *Case) readBuffers(o *object) {
	n := o.need("buffers")
	if n == nil {
		return
	}
	all, ok := o.r.object(n, `"buffers"`)
	if !ok {
		return
	}
	for _, k := range n.keys {
		b, ok := o.r.object(all.get(k.name), "a buffer")
		if !ok {
			continue
		}
		before := len(o.r.problems)
		spec := &bufferSpec{name: k.name, dtype: b.dtype("dtype")}
		count := b.integer("count", 1, 0)
		switch {
		case !b.has("count"):
			o.r.report(b.value, "", `a buffer needs "count"`)
		case count > maxBufferBytes/8:
			o.r.report(b.value.members["count"], "", "a buffer of %d elements is too large", count)
			count = 0
		}
		spec.bytes = count * int64(spec.dtype.Bytes())
		b.ignore("multicast") // every buffer has a multicast address
		if len(o.r.problems) == before {
			spec.init = c.readInit(b, spec)
			b.done()
		}
		if len(o.r.problems) > before {
			spec.bytes = 0 // what refers to its size is not checked
		}
		c.buffers = append(c.buffers, spec)
		c.byName[k.name] = spec
	}
}

// readInit reads "init" or "per_card".
func (c *Case) readInit(b *object, spec *bufferSpec) func(card int, dst []byte) {
	init, perCard := b.get("init"), b.get("per_card")
	var gens []*generator
	switch {
	case init != nil && perCard != nil:
		b.r.report(perCard, "", `a buffer has "init" or "per_card", not both`)
		return nil
	case init != nil:
		gens = []*generator{c.readGenerator(b.r, init, spec)}
	case perCard != nil:
		if !b.r.is(perCard, '[', `"per_card"`) {
			return nil
		}
		for _, n := range perCard.items {
			gens = append(gens, c.readGenerator(b.r, n, spec))
		}
		if len(gens) != c.Cards {
			b.r.report(perCard, "", `"per_card" has %d items for %d cards`, len(gens), c.Cards)
			return nil
		}
	default:
		return nil
	}
	if slices.Contains(gens, nil) {
		return nil
	}
	return func(card int, dst []byte) {
		gens[min(card, len(gens)-1)].fill(spec.dtype, card, dst)
	}
}

// readGenerator reads one generator; nil after a mistake.
func (c *Case) readGenerator(r *reader, n *jsonValue, spec *bufferSpec) *generator {
	o, ok := r.object(n, "a generator")
	if !ok {
		return nil
	}
	g := &generator{kind: o.word("gen", "", "zeros", "fill", "byte", "iota", "bits", "lcg", "list", "list_bits", "file")}
	switch g.kind {
	case "":
		if !o.has("gen") {
			r.report(n, "", `a generator needs "gen"`)
		}
		return nil
	case "fill", "byte":
		o.need("value")
		g.value = o.number("value", 0)
	case "iota":
		g.start, g.step = o.number("start", 0), o.number("step", 1)
	case "bits":
		c.readSeed(o, g)
	case "lcg":
		c.readSeed(o, g)
		o.need("min")
		o.need("max")
		g.min, g.max = o.integerTo("min", -maxDraw, 0, maxDraw), o.integerTo("max", -maxDraw, 0, maxDraw)
		g.scale = o.number("scale", 1).real
		if g.max < g.min {
			r.report(n, "", "max %d is below min %d", g.max, g.min)
		}
	case "list":
		for _, item := range o.list("values") {
			g.values = append(g.values, r.number(item, "an element"))
		}
		c.atMost(r, n, len(g.values), spec)
	case "list_bits":
		for _, item := range o.list("values") {
			g.raw = append(g.raw, readBits(r, item, spec.dtype))
		}
		c.atMost(r, n, len(g.raw), spec)
	case "file":
		o.need("file")
		if name := o.text("file"); name != "" {
			data, err := fs.ReadFile(c.files, name)
			switch {
			case err != nil:
				r.report(o.value.members["file"], "", "%v", err)
			case int64(len(data)) != spec.bytes:
				r.report(o.value.members["file"], "", "%s has %d bytes, the buffer %d", name, len(data), spec.bytes)
			}
			g.data = [][]byte{data}
		}
	}
	o.done()
	return g
}

func (c *Case) readSeed(o *object, g *generator) {
	o.need("seed")
	g.seed, g.cardStep = uint32(o.number("seed", 0).bits), uint32(o.number("card_step", 0).bits)
}

func (c *Case) atMost(r *reader, n *jsonValue, count int, spec *bufferSpec) {
	if int64(count) > spec.count() {
		r.report(n, "", "%d values for a buffer of %d elements", count, spec.count())
	}
}

// readBits reads a bit pattern written as a hex string, with or without 0x.
func readBits(r *reader, n *jsonValue, d Dtype) uint64 {
	if !r.is(n, 's', "a bit pattern") {
		return 0
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(n.text, "0x"), "0X")
	padded := strings.Repeat("0", max(0, 16-len(digits))) + digits
	raw, err := hex.DecodeString(padded)
	if err != nil || len(raw) != 8 || digits == "" {
		r.report(n, "", "a bit pattern is a hex string of at most %d digits, not %q", 2*d.Bytes(), n.text)
		return 0
	}
	var bits uint64
	for _, b := range raw {
		bits = bits<<8 | uint64(b)
	}
	if bits&^d.mask() != 0 {
		r.report(n, "", "%s has more than the %d bits of a %s", n.text, 8*d.Bytes(), d)
	}
	return bits
}
