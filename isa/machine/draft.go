package machine

import (
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// draft is a machine file with its bases merged in, before its figures are turned into numbers: a figure in
// microseconds needs the clock, which may stand in another file.
type draft struct {
	source      *isa.Source
	name        string
	description string
	notModelled []string
	order       []string // keys, the base's first
	figures     map[string]*figure
	errs        Problems
}

// figure is one row of a machine file.
type figure struct {
	source *isa.Source // of the file that gives it
	key    string
	pos    isa.Pos
	parts  map[string]*node // value, unit, source, confidence; of a class: pipe, latency, interval
}

// sections are the tables of a machine file, in order.
var sections = []string{"node", "card", "class", "fabric", "host", "article"}

var (
	topKeys   = append([]string{"name", "description", "base", "not_modelled"}, sections...)
	valueKeys = []string{"value", "unit", "source", "confidence"}
	classKeys = []string{"pipe", "latency", "interval", "unit", "source", "confidence"}
)

// maxBases bounds a chain of bases.
const maxBases = 8

// read turns a file into a draft; chain are the files that lead to it through their bases.
func read(source *isa.Source, chain []*isa.Source) (*draft, error) {
	root, errs := readTOML(source)
	if len(errs) > 0 {
		return nil, errs
	}
	d := &draft{source: source, figures: map[string]*figure{}}
	d.checkKeys(root, "", topKeys)
	if base := d.topText(root, "base", false); base != "" {
		if err := d.inherit(base, root.sub["base"].pos, append(chain, source)); err != nil {
			return nil, err
		}
	}
	d.name = d.topText(root, "name", true)
	if text := d.topText(root, "description", d.description == ""); text != "" {
		d.description = text
	}
	d.topList(root)
	for _, section := range sections {
		if table := root.sub[section]; table != nil {
			d.section(section, table)
		}
	}
	if len(d.errs) > 0 {
		d.errs.sort()
		return nil, d.errs
	}
	return d, nil
}

func (d *draft) errorf(pos isa.Pos, hint, format string, args ...any) {
	d.errs = append(d.errs, &Problem{Source: d.source, Pos: pos, Text: fmt.Sprintf(format, args...), Hint: hint})
}

// inherit starts the draft from the base's figures.
func (d *draft) inherit(name string, pos isa.Pos, chain []*isa.Source) error {
	source, err := open(name, filepath.Dir(d.source.Name))
	if err != nil {
		text, hint, _ := strings.Cut(err.Error(), "\n    hint: ")
		d.errorf(pos, hint, "base: %s", text)
		return d.errs
	}
	looped := slices.ContainsFunc(chain, func(s *isa.Source) bool { return s.Name == source.Name })
	if looped || len(chain) > maxBases {
		d.errorf(pos, "", "base %q leads back to %s, or through more than %d files", name, source.Name, maxBases)
		return d.errs
	}
	base, err := read(source, chain)
	if err != nil {
		return err
	}
	d.description, d.notModelled = base.description, base.notModelled
	d.order, d.figures = base.order, base.figures
	return nil
}

// checkKeys reports the keys of a table that mean nothing there.
func (d *draft) checkKeys(table *node, where string, known []string) {
	for _, key := range table.keys {
		if !slices.Contains(known, key) {
			d.errorf(table.sub[key].pos, didYouMean(key, known), "unknown key %s%s", where, key)
		}
	}
}

func (d *draft) topText(root *node, key string, required bool) string {
	n := root.sub[key]
	switch {
	case n == nil && required:
		d.errorf(0, fmt.Sprintf("%s = \"...\"", key), "%s is missing", key)
	case n == nil:
	case n.kind != kindText:
		d.errorf(n.pos, "", "%s must be a text, not %s", key, n.kind)
	case n.text == "":
		d.errorf(n.pos, "", "%s is empty", key)
	default:
		return n.text
	}
	return ""
}

// topList adds the lines of not_modelled to the base's: what the base leaves out is left out here too.
func (d *draft) topList(root *node) {
	n := root.sub["not_modelled"]
	if n == nil {
		return
	}
	if n.kind != kindList {
		d.errorf(n.pos, "", "not_modelled must be a list of texts, not %s", n.kind)
		return
	}
	d.notModelled = slices.Clone(d.notModelled)
	for _, line := range n.list {
		if line.kind != kindText {
			d.errorf(n.pos, "", "not_modelled must be a list of texts; it holds %s", line.kind)
			return
		}
		d.notModelled = append(d.notModelled, line.text)
	}
}

// section enters the figures of one table.
func (d *draft) section(section string, table *node) {
	if table.kind != kindTable {
		d.errorf(table.pos, "", "%s must be a table, not %s", section, table.kind)
		return
	}
	known := keysOf(section)
	d.checkKeys(table, section+".", known)
	for _, key := range table.keys {
		if !slices.Contains(known, key) {
			continue
		}
		n, full := table.sub[key], section+"."+key
		if n.kind != kindTable {
			d.errorf(n.pos, example(full), "%s must be a table with a source, not %s", full, n.kind)
			continue
		}
		parts := valueKeys
		if section == "class" {
			parts = classKeys
		}
		before := len(d.errs)
		d.checkKeys(n, full+".", parts)
		d.checkSource(section, full, n)
		if len(d.errs) > before {
			continue
		}
		if d.figures[full] == nil {
			d.order = append(d.order, full)
		}
		d.figures[full] = &figure{source: d.source, key: full, pos: n.pos, parts: n.sub}
	}
}

// keysOf lists the keys a section may hold.
func keysOf(section string) (keys []string) {
	if section == "class" {
		for c := isa.Class(0); c < isa.NumClasses; c++ {
			keys = append(keys, c.String())
		}
		return keys
	}
	for _, f := range fields {
		if rest, ok := strings.CutPrefix(f.key, section+"."); ok {
			keys = append(keys, rest)
		}
	}
	return keys
}

// example shows how a figure is written.
func example(key string) string {
	_, name, _ := strings.Cut(key, ".")
	if strings.HasPrefix(key, "class.") {
		return name + ` = { pipe = "alu", latency = 4, interval = 2, unit = "cycles", source = "...", confidence = "low" }`
	}
	switch f := fieldByKey[key]; f.kind {
	case kindText:
		return name + ` = { value = "...", source = "...", confidence = "low" }`
	case kindBool:
		return name + ` = { value = false, source = "...", confidence = "low" }`
	default:
		return fmt.Sprintf(`%s = { value = 1, unit = "%s", source = "...", confidence = "low" }`, name, f.units.names()[0])
	}
}

// checkSource demands a source and a known confidence beside every figure.
func (d *draft) checkSource(section, key string, n *node) {
	for _, part := range []string{"source", "confidence"} {
		switch p := n.sub[part]; {
		case p == nil:
			d.errorf(n.pos, example(key), "%s has no %s", key, part)
		case p.kind != kindText:
			d.errorf(p.pos, "", "%s.%s must be a text, not %s", key, part, p.kind)
		case strings.TrimSpace(p.text) == "":
			d.errorf(p.pos, "", "%s.%s is empty", key, part)
		}
	}
	c := n.sub["confidence"]
	if c == nil || c.kind != kindText || c.text == "" {
		return
	}
	if !slices.Contains(confidences, c.text) || c.text == "article" && section != "article" {
		d.errorf(c.pos, "", "%s.confidence is %q; it is high, medium, low or estimate (article: only in [article])", key, c.text)
	}
}

// build turns the draft's figures into a Machine.
func (d *draft) build() (*Machine, error) {
	m := &Machine{Name: d.name, Description: d.description, NotModelled: d.notModelled}
	d.clock(m)
	for i := range fields {
		d.field(m, &fields[i])
	}
	for c := isa.Class(0); c < isa.NumClasses; c++ {
		d.class(m, c)
	}
	if len(d.errs) == 0 {
		d.consistent(m)
	}
	if len(d.errs) > 0 {
		d.errs.sort()
		return nil, d.errs
	}
	d.sources(m)
	return m, nil
}

// clock is read before all others: times become cycles through it.
func (d *draft) clock(m *Machine) {
	m.ClockMHz = 1
	if fig := d.figures["node.clock"]; fig != nil {
		if v := fig.parts["value"]; v != nil && v.kind == kindNumber {
			if n, err := strconv.ParseInt(v.text, 10, 32); err == nil && n > 0 {
				m.ClockMHz = n
			}
		}
	}
}

// figure finds a key's row, or reports that no file gives it.
func (d *draft) figure(key string) *figure {
	fig := d.figures[key]
	if fig == nil {
		d.errorf(0, example(key), "%s is missing, and no base gives it", key)
	}
	return fig
}

// at reports a mistake in a figure, in the file that gives it.
func (d *draft) at(fig *figure, part, hint, format string, args ...any) {
	pos := fig.pos
	if n := fig.parts[part]; n != nil {
		pos = n.pos
	}
	d.errs = append(d.errs, &Problem{Source: fig.source, Pos: pos, Text: fig.key + ": " + fmt.Sprintf(format, args...), Hint: hint})
}

func (d *draft) field(m *Machine, f *field) {
	fig := d.figure(f.key)
	if fig == nil {
		return
	}
	v := fig.parts["value"]
	if v == nil {
		d.at(fig, "", example(f.key), "no value")
		return
	}
	if v.kind != f.kind {
		d.at(fig, "value", example(f.key), "the value must be %s, not %s", f.kind, v.kind)
		return
	}
	if f.units == nil && fig.parts["unit"] != nil {
		d.at(fig, "unit", "", "%s has no unit", f.kind)
		return
	}
	switch f.kind {
	case kindText:
		f.text(m, v.text)
	case kindBool:
		f.flag(m, v.text == "true")
	default:
		if u, ok := d.unit(fig, f.units); ok {
			if n := d.number(fig, "value", u, m.ClockMHz, f); n != nil {
				f.set(m, n)
			}
		}
	}
}

// unit reads a figure's unit.
func (d *draft) unit(fig *figure, known units) (unit, bool) {
	n := fig.parts["unit"]
	names := strings.Join(known.names(), ", ")
	switch {
	case n == nil:
		d.at(fig, "", example(fig.key), "no unit; it is one of %s", names)
	case n.kind != kindText:
		d.at(fig, "unit", "", "the unit must be a text, not %s", n.kind)
	default:
		if u, ok := known[n.text]; ok {
			return u, true
		}
		d.at(fig, "unit", "", "unit %q does not fit; it is one of %s", n.text, names)
	}
	return unit{}, false
}

// number converts a part of a figure, exactly; nil after an error.
func (d *draft) number(fig *figure, part string, u unit, clock int64, f *field) *big.Rat {
	v, ok := parseNumber(fig.parts[part].text)
	if !ok {
		d.at(fig, part, "", "%s is no number that can be used here", fig.parts[part].text)
		return nil
	}
	v.Mul(v, big.NewRat(u.num, u.den))
	if u.clock {
		v = roundNearest(v.Mul(v, big.NewRat(clock, 1)))
	}
	switch {
	case !f.ratio && !v.IsInt():
		d.at(fig, part, "", "%s must be whole", fig.parts[part].text)
	case v.Cmp(big.NewRat(f.lo, 1)) < 0 || v.Cmp(big.NewRat(f.hi, 1)) > 0 || f.ratio && v.Sign() == 0:
		d.at(fig, part, "", "%s is out of range (%s)", fig.parts[part].text, f.limits())
	case v.Denom().BitLen() > 40:
		d.at(fig, part, "", "%s has too many digits", fig.parts[part].text)
	default:
		return v
	}
	return nil
}

// limits names a field's range in the unit of the Machine.
func (f *field) limits() string {
	from := strconv.FormatInt(f.lo, 10)
	if f.ratio {
		from = "above " + from
	}
	return fmt.Sprintf("%s to %d", from, f.hi)
}

// parseNumber reads a TOML number exactly: no rounding through a binary fraction.
func parseNumber(text string) (*big.Rat, bool) {
	const longest = 32 // characters; also bounds the exponent's effect
	text = strings.TrimPrefix(strings.ReplaceAll(text, "_", ""), "+")
	if len(text) > longest || strings.ContainsAny(text, "eE") && !strings.HasPrefix(text, "0x") {
		return nil, false
	}
	if n, ok := new(big.Int).SetString(text, 0); ok {
		return new(big.Rat).SetInt(n), true
	}
	return new(big.Rat).SetString(text)
}

// roundNearest rounds half up.
func roundNearest(v *big.Rat) *big.Rat {
	v.Add(v, big.NewRat(1, 2))
	n := new(big.Int).Div(v.Num(), v.Denom()) // Euclidean: down, also below zero
	return v.SetInt(n)
}

// The ranges of a class row, in cycles.
var (
	latencyField  = &field{lo: 0, hi: 1 << 24}
	intervalField = &field{lo: 0, hi: 1 << 24, ratio: true}
)

func (d *draft) class(m *Machine, c isa.Class) {
	fig := d.figure("class." + c.String())
	if fig == nil {
		return
	}
	for part, k := range map[string]kind{"pipe": kindText, "latency": kindNumber, "interval": kindNumber} {
		if n := fig.parts[part]; n == nil {
			d.at(fig, "", example(fig.key), "no %s", part)
			return
		} else if n.kind != k {
			d.at(fig, part, "", "%s must be %s, not %s", part, k, n.kind)
			return
		}
	}
	pipe := fig.parts["pipe"].text
	if !slices.Contains(pipes, pipe) {
		d.at(fig, "pipe", didYouMean(pipe, pipes), "unknown pipe %q; there are %s", pipe, strings.Join(pipes, ", "))
	}
	u, ok := d.unit(fig, one("cycles"))
	if !ok {
		return
	}
	latency := d.number(fig, "latency", u, m.ClockMHz, latencyField)
	interval := d.number(fig, "interval", u, m.ClockMHz, intervalField)
	if latency != nil && interval != nil {
		m.Classes[c] = Class{Unit: pipe, Latency: latency.Num().Int64(), Interval: fraction(interval)}
	}
}

// consistent checks what no single figure can be wrong about.
func (d *draft) consistent(m *Machine) {
	demand := func(ok bool, key, format string, args ...any) {
		if !ok {
			d.at(d.figures[key], "value", "", format, args...)
		}
	}
	c, f := &m.Card, &m.Fabric
	kinds := []string{string(NVLink), string(PCIePeer), string(PCIeStaged), string(NoFabric)}
	if !slices.Contains(kinds, string(f.Kind)) { // what follows would only echo it
		demand(false, "fabric.kind", "unknown fabric %q; there are %s", f.Kind, strings.Join(kinds, ", "))
		return
	}
	demand(f.Kind == NoFabric || f.Links > 0, "fabric.links", "a %s fabric needs links", f.Kind)
	demand(f.Kind == NoFabric || f.Crossing > 0, "fabric.crossing", "cards can't be closer than one cycle")
	demand(f.Kind != NoFabric || m.MaxCards == 1, "node.max_cards", "without a fabric there is one card")
	demand(f.Kind == NVLink || !f.Multicast, "fabric.multicast", "only an NVLink switch multicasts")
	demand(c.HBMBytesPerSecond <= c.HBMPeak, "card.hbm_rate", "more than the peak, %d bytes a second", c.HBMPeak)
	demand(c.SharedPerCTA <= c.SharedPerSM, "card.shared_per_cta", "more than an SM has, %d bytes", c.SharedPerSM)
	demand(c.ThreadsPerCTA <= c.ThreadsPerSM, "card.threads_per_cta", "more than an SM holds, %d", c.ThreadsPerSM)
	demand(c.L1Latency <= c.L2Latency && c.L2Latency <= c.HBMLatency, "card.l2_latency", "not between that of L1 (%d) and HBM (%d)", c.L1Latency, c.HBMLatency)
	demand(c.L1Latency > 0, "card.l1_latency", "nothing answers in no time")
	demand(f.LocalPoll > 0, "fabric.local_poll", "nothing answers in no time")
}

// sources lists every figure with where it comes from.
func (d *draft) sources(m *Machine) {
	for _, key := range d.order {
		fig := d.figures[key]
		row := Source{Key: key, Source: fig.text("source"), Confidence: fig.text("confidence"), Unit: fig.text("unit")}
		if !strings.HasPrefix(key, "class.") {
			row.Value = fig.text("value")
			m.Sources = append(m.Sources, row)
			continue
		}
		for _, part := range []string{"latency", "interval"} {
			row.Key, row.Value = key+"."+part, fig.text(part)
			m.Sources = append(m.Sources, row)
		}
	}
}

func (f *figure) text(part string) string {
	if n := f.parts[part]; n != nil {
		return n.text
	}
	return ""
}

// didYouMean is a hint with the nearest of the known names, or "".
func didYouMean(name string, known []string) string {
	if near := isa.Nearest(name, known); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}
