package host

import (
	"bytes"
	"fmt"
	"math/big"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
)

// This file is what host programs (package star) share with command lines and case files: numbers, contents,
// parameters, comparisons, outcomes.

// Number is a number as an input gives it: a real, and of an integer its exact value.
type Number struct{ number }

// Integer is an exact integer.
func Integer(n *big.Int) Number { return Number{integerNumber(n)} }

// Real is a floating-point number.
func Real(v float64) Number { return Number{realNumber(v)} }

// ParseNumber reads a decimal or hexadecimal integer, a decimal float, inf, nan or a PTX float word.
func ParseNumber(text string) (Number, bool) {
	if real, ok := parseFloatWord(text); ok {
		return Number{number{real: real}}, true
	}
	n, ok := parseNumber(text)
	return Number{n}, ok
}

// Whole returns the integer that n was given as, or nil.
func (n Number) Whole() *big.Int { return n.whole }

// Float returns the nearest float64.
func (n Number) Float() float64 { return n.real }

// Dtypes lists the names of the element types.
func Dtypes() []string { return dtypeNames() }

// Bits returns a number's bits in the type: floats rounded to nearest even, integers modulo 2^width.
func (d Dtype) Bits(n Number) uint64 { return d.to(n.number) }

// Element reads element i of data, little-endian.
func (d Dtype) Element(data []byte, i int64) uint64 { return d.get(data, i) }

// PutElement writes element i of data, little-endian.
func (d Dtype) PutElement(data []byte, i int64, bits uint64) { d.put(data, i, bits) }

// Signed reports a signed integer type.
func (d Dtype) Signed() bool { return dtypeRows[d].signed }

// Less orders two elements by their numbers; -0 is below +0.
func (d Dtype) Less(a, b uint64) bool { return d.order(a) < d.order(b) }

// MaxBufferBytes is the largest buffer, on one card.
const MaxBufferBytes = maxBufferBytes

// MaxRunBytes is the room for the buffers of all cards.
const MaxRunBytes = maxRunBytes

// ChannelType is the type of a texel's channel in a buffer of the element type, if that can be one.
func ChannelType(d Dtype) (isa.Type, bool) {
	t, ok := channelTypes[d]
	return t, ok
}

// Contents makes a buffer's contents on a card; dst holds a whole number of elements.
type Contents func(d Dtype, card int, dst []byte)

// Generator is the contents of a kind that takes numbers: "zeros", "fill" (the value in a), "iota" (from a in steps of b) and
// "ramp"; and of a kind that draws from a seed, to which cardStep is added once a card: "bits" and "random".
func Generator(kind string, a, b Number, seed, cardStep uint32) Contents {
	g := &generator{kind: kind, value: a.number, start: a.number, step: b.number, seed: seed, cardStep: cardStep}
	return g.fill
}

// ParamName is the name by which a launch knows a parameter.
func ParamName(p *isa.Var) string { return paramName(p) }

// ParamSize is the number of bytes that a parameter takes.
func ParamSize(p *isa.Var) int { return paramSize(p) }

// ParamBlock is the size of an entry's parameter block.
func ParamBlock(entry *isa.Func) int { return paramBlock(entry) }

// Declaration prints a parameter as PTX declares it, without its name.
func Declaration(p *isa.Var) string { return declaration(p) }

// NumberParam returns the bytes of a number as a parameter, or as an element of one that is an array. The error says
// why it does not fit.
func NumberParam(p *isa.Var, n Number) ([]byte, error) {
	bits, err := numberBits(p, n.number)
	if err != nil {
		return nil, err
	}
	data := make([]byte, p.Type.Bytes())
	putBytes(data, bits)
	return data, nil
}

// Comparison compares a buffer's contents with what is expected, card by card.
type Comparison struct {
	e    expectation
	diff Difference
}

// NewComparison compares count elements of a type: bit by bit, or with close set so near as abs + rel·|expected|.
func NewComparison(name string, d Dtype, count int64, close bool, abs, rel float64) *Comparison {
	c := &Comparison{diff: Difference{Buffer: name, Dtype: d}}
	c.e.buffer = &bufferSpec{name: name, dtype: d, bytes: count * int64(d.Bytes())}
	c.e.tolerance = tolerance{kind: choose(close, "", "exact"), abs: abs, rel: rel}
	return c
}

// Card compares one card's contents.
func (c *Comparison) Card(card int, got, want []byte) { c.e.compareCard(&c.diff, card, got, want) }

// Difference is the first difference, or nil.
func (c *Comparison) Difference() *Difference {
	if c.diff.Count == 0 {
		return nil
	}
	return &c.diff
}

// ProgramBuffer is a buffer of a host program.
type ProgramBuffer struct {
	Name   string
	Dtype  Dtype
	Buffer *vm.Buffer
	Init   func(card int, dst []byte) // nil: never written
}

// NewOutcome is what a node came to that a host program drove.
func NewOutcome(node *vm.Node, result *vm.Result, buffers []ProgramBuffer, stdout string) *Outcome {
	s := &session{binding: binding{cards: node.Cards()}, node: node, buffers: map[string]*vm.Buffer{}, stdout: bytes.NewBufferString(stdout)}
	for _, b := range buffers {
		s.specs = append(s.specs, &bufferSpec{name: b.Name, dtype: b.Dtype, bytes: b.Buffer.Bytes, init: b.Init})
		s.buffers[b.Name] = b.Buffer
	}
	return &Outcome{Result: result, Stdout: stdout, session: s}
}

// Summarize fills Results with the first elements of what the run changed.
func (out *Outcome) Summarize() (err error) {
	out.Results, err = out.session.summary()
	return err
}

// Answer answers --print and --dump.
func (out *Outcome) Answer(prints, dumps []string) error {
	byName := map[string]*bufferSpec{}
	for _, spec := range out.session.specs {
		byName[spec.name] = spec
	}
	for _, text := range prints {
		w, err := readWindow(text, byName)
		if err != nil {
			return err
		}
		shown, err := out.session.show(w)
		if err != nil {
			return err
		}
		out.Prints = append(out.Prints, shown...)
	}
	for _, text := range dumps {
		d, err := readDump(text, byName)
		if err != nil {
			return err
		}
		if err := out.session.write(d); err != nil {
			return err
		}
	}
	return nil
}

// ExactResults is the line of results of a program whose checks all passed: on so many of its cards, bit by bit or
// within a tolerance.
func ExactResults(bytes int64, d Dtype, checked, cards int, exact bool) string {
	s := "result " + choose(exact, "exact", "within its tolerance")
	if cards == 1 {
		return s
	}
	return fmt.Sprintf("%s %s a card; %s on %d of %d cards", sizeText(bytes), d, s, checked, cards)
}

// CachedLoad keeps the modules that a loader made last; many runs of one program share them.
func CachedLoad(load LoadModule) LoadModule { return newModuleCache(load).load }
