// Package host is the host's side of a run: it makes buffers, fills them, builds parameter blocks, gives a node
// its steps and compares what came out. Its inputs are the command line's --arg texts (RunPTX) and case files
// (ReadCase, RunCase, Test).
package host

import (
	"bytes"
	"context"
	"fmt"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/vm"
)

// LoadModule turns a PTX file into a module. The path is as the caller named the file, or a case file's folder
// joined with the name it gives.
type LoadModule func(path string) (*isa.Module, error)

// Outcome is what a run came to. After a fault it holds what is known until then.
type Outcome struct {
	Result *vm.Result
	// Results says in one line what came out.
	Results string
	Prints  []Print
	Notes   []string // what the user may not expect of the run
	Stdout  string   // of device printf, also written to Options.Stdout
	// Differences says what a case file expected and didn't get; empty for a pass, and for a PTX file.
	Differences []string

	// Of a host program: its machines where it made several (Result is then the last one's), what it measured, and
	// the values of its parameters.
	Name     string // of one of several machines
	Title    string
	Machines []*Outcome
	Metrics  []Setting
	Params   []Setting

	session *session
}

// Setting is a name and its value as text.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// session is a node with the buffers of one run.
type session struct {
	binding
	node    *vm.Node
	specs   []*bufferSpec
	buffers map[string]*vm.Buffer
	stdout  *bytes.Buffer
}

// newSession makes a node, its buffers and the tables of peers that arguments ask for. A machine left out is
// DefaultMachine.
func newSession(opt vm.Options, specs []*bufferSpec, tables map[string]bool) (*session, error) {
	if opt.Machine == nil {
		m, err := machine.Load(DefaultMachine)
		if err != nil {
			return nil, err
		}
		opt.Machine = m
	}
	opt.Cards = max(opt.Cards, 1)
	s := &session{
		binding: binding{cards: opt.Cards, buffers: map[string]device{}, tables: map[string]device{}},
		specs:   specs,
		buffers: map[string]*vm.Buffer{},
		stdout:  &bytes.Buffer{},
	}
	if err := fitsHost(specs, opt.Cards); err != nil {
		return nil, err
	}
	opt.Stdout = tee(s.stdout, opt.Stdout)
	var err error
	if s.node, err = vm.NewNode(opt); err != nil {
		return nil, err
	}
	for _, spec := range specs {
		b, err := s.node.Buffer(spec.name, spec.bytes, spec.init)
		if err != nil {
			return nil, fmt.Errorf("buffer %s: %w", spec.name, err)
		}
		s.buffers[spec.name], s.binding.buffers[spec.name] = b, b
	}
	for _, spec := range specs {
		if !tables[spec.name] {
			continue
		}
		peers := s.binding.buffers[spec.name]
		table, err := s.node.Buffer("peers("+spec.name+")", int64(8*opt.Cards), func(_ int, dst []byte) {
			for card := range s.cards {
				putBytes(dst[8*card:8*card+8], peers.Addr(card))
			}
		})
		if err != nil {
			return nil, err
		}
		s.tables[spec.name] = table
	}
	return s, nil
}

// maxRunBytes is how much memory of this computer the buffers of a run may take, over all cards.
const maxRunBytes = 64 << 30

// fitsHost refuses buffers that would bring the computer down rather than run.
func fitsHost(specs []*bufferSpec, cards int) error {
	var perCard int64
	for _, spec := range specs {
		perCard += spec.bytes
		if perCard > maxRunBytes/int64(cards) {
			return fmt.Errorf("buffer %s: the buffers of %d cards take %s and more, a run at most %s", spec.name, cards, sizeText(perCard*int64(cards)), sizeText(maxRunBytes))
		}
	}
	return nil
}

// params returns the function that builds the parameter block of a launch for a card.
func (s *session) params(entry *isa.Func, arguments []argument) func(card int) []byte {
	return func(card int) []byte {
		block := make([]byte, paramBlock(entry))
		for i, p := range entry.Params {
			arguments[i].put(&s.binding, card, block[p.Offset:p.Offset+paramSize(p)])
		}
		return block
	}
}

// read returns a buffer's contents on a card.
func (s *session) read(spec *bufferSpec, card int) ([]byte, error) {
	return s.node.Read(s.buffers[spec.name], card)
}

// finish drains the node. What is known after a fault is in the outcome.
func (s *session) finish(ctx context.Context) (*Outcome, error) {
	result, err := s.node.Finish(ctx)
	out := &Outcome{Result: result, Stdout: s.stdout.String(), session: s}
	return out, err
}
