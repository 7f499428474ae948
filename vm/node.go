package vm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Fault is a located error of a running kernel: a trap, a deadlock, an access out of bounds.
type Fault = state.Fault

// Node is a machine with cards, buffers and a queue of steps. Its methods are called from one goroutine, in the
// order of a host program.
type Node struct {
	opt      Options
	run      *run
	steps    []func(*run) error // all that the host did, for the silent runs
	programs map[programKey]*state.Program
	modules  map[*isa.Module]bool
	buffers  []*Buffer
	owners   int
	events   int
	host     time.Duration
	failed   error // what ended the run before its end
}

type programKey struct {
	module *isa.Module
	entry  *isa.Func
}

// Buffer is memory of the same size and offset on every card (symmetric).
type Buffer struct {
	Name  string
	Bytes int64
	index int
	addr  uint64 // on card 0
}

// Addr returns the buffer's address on a card.
func (b *Buffer) Addr(card int) uint64 { return b.addr + uint64(card)<<memory.CardShift }

// Multicast returns the address that stands for the buffer on all cards (multimem instructions only).
func (b *Buffer) Multicast() uint64 {
	return memory.MulticastWindow + b.addr - memory.Base(0)
}

// Launch is one call of an entry on some cards.
type Launch struct {
	Module  *isa.Module
	Entry   *isa.Func
	Grid    [3]int
	Block   [3]int
	Cluster [3]int // {0,0,0}: none
	Shared  int    // dynamic shared memory, bytes
	// Params returns the parameter block for a card: C layout, isa.Var.Offset of the entry's parameters. It is
	// called once a card, at the call.
	Params func(card int) []byte
	Cards  []int  // nil: all
	Group  []int  // nil: all; group 0 of the launch
	Stream string // "": the default stream
	// Cooperative demands that all CTAs are resident at once, for a barrier of the whole grid. An entry that asks for
	// the grid's workspace is launched so in any case.
	Cooperative bool
}

// NewNode returns a node with nothing on it.
func NewNode(opt Options) (*Node, error) {
	if opt.Machine == nil {
		return nil, errors.New("no machine given")
	}
	if opt.Cards == 0 {
		opt.Cards = 1
	}
	if opt.Cards < 1 || opt.Machine.MaxCards > 0 && opt.Cards > opt.Machine.MaxCards {
		return nil, fmt.Errorf("%s holds 1 to %d cards, not %d", opt.Machine.Name, opt.Machine.MaxCards, opt.Cards)
	}
	if _, ok := uninitModes[opt.Uninit]; !ok {
		return nil, fmt.Errorf("uninit is count, off or error, not %q", opt.Uninit)
	}
	n := &Node{opt: opt, programs: map[programKey]*state.Program{}, modules: map[*isa.Module]bool{}}
	n.run = newRun(opt, rules{functional: opt.Functional})
	return n, nil
}

// Cards returns the number of cards.
func (n *Node) Cards() int { return n.opt.Cards }

// do takes a step now and remembers it for the silent runs.
func (n *Node) do(step func(*run) error) error {
	if err := step(n.run); err != nil {
		return err
	}
	n.steps = append(n.steps, step)
	return nil
}

// Load brings a module onto every card; its variables exist once a card.
func (n *Node) Load(m *isa.Module) error {
	if n.modules[m] {
		return nil
	}
	n.modules[m] = true
	return n.do(func(r *run) error {
		for _, c := range r.node.Cards {
			if err := exec.LoadModule(c, m); err != nil {
				return err
			}
		}
		return nil
	})
}

// Buffer allocates memory on every card. init fills a card's part; without it the bytes count as never written.
func (n *Node) Buffer(name string, bytes int64, init func(card int, dst []byte)) (*Buffer, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("buffer %s has a negative size", name)
	}
	b := &Buffer{Name: name, Bytes: bytes, index: len(n.buffers)}
	err := n.do(func(r *run) error {
		for i, c := range r.node.Cards {
			addr, err := c.Memory.Alloc(name, uint64(bytes), 256, false)
			if err != nil {
				return err
			}
			if i == 0 && r == n.run {
				b.addr = addr
			}
			if init != nil && bytes > 0 {
				data := make([]byte, bytes)
				init(i, data)
				if err := c.Memory.Write(addr, data); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	n.buffers = append(n.buffers, b)
	return b, nil
}

// Write stores bytes into a buffer on a card, after all that was launched before.
func (n *Node) Write(b *Buffer, card int, offset int64, data []byte) error {
	if err := n.Synchronize(context.Background()); err != nil {
		return err
	}
	data = append([]byte(nil), data...)
	return n.do(func(r *run) error {
		return r.node.Cards[card].Memory.Write(b.Addr(card)+uint64(offset), data)
	})
}

// Read returns a buffer's contents on a card, after all that was launched before.
func (n *Node) Read(b *Buffer, card int) ([]byte, error) {
	if err := n.Synchronize(context.Background()); err != nil {
		return nil, err
	}
	if b.Bytes == 0 {
		return nil, nil
	}
	bytes, err := n.run.node.Cards[card].Memory.Bytes(b.Addr(card), uint64(b.Bytes))
	return append([]byte(nil), bytes...), err
}

// Group numbers a set of cards for sync.nvlink, from 1 on.
func (n *Node) Group(id int, cards []int) error {
	cards, err := n.cards(cards)
	if err != nil {
		return err
	}
	if id < 1 {
		return fmt.Errorf("group %d: groups are numbered from 1; 0 is the launch's own", id)
	}
	return n.do(func(r *run) error { r.group(id, cards); return nil })
}

// Tenant gives a share of a card's port ("egress" or "ingress") to other tenants of the machine.
func (n *Node) Tenant(card int, direction string, num, den int64) error {
	if card < 0 || card >= n.opt.Cards {
		return fmt.Errorf("there is no card %d", card)
	}
	if direction != "egress" && direction != "ingress" {
		return fmt.Errorf("a port's direction is egress or ingress, not %q", direction)
	}
	if num < 0 || den <= 0 || num >= den {
		return fmt.Errorf("a tenant's share is at least 0 and below 1, not %d/%d", num, den)
	}
	return n.do(func(r *run) error { r.tenant(card, direction == "egress", uint64(num), uint64(den)); return nil })
}

// Delay makes the next launch of a stream start later, on some cards (nil: all).
func (n *Node) Delay(cards []int, stream string, cycles uint64) error {
	if cycles > horizon {
		return fmt.Errorf("a delay of %d cycles; no run gets beyond cycle %d", cycles, uint64(horizon))
	}
	return n.each(cards, func(r *run, card int) { r.delay(card, stream, cycles) })
}

// Suspend holds the Tensor Cores (suspend_tensor_core), in stream order.
func (n *Node) Suspend(cards []int, stream string) error {
	return n.each(cards, func(r *run, card int) { r.hold(card, stream) })
}

// Resume takes one hold back (resume_tensor_core), in stream order.
func (n *Node) Resume(cards []int, stream string) error {
	return n.each(cards, func(r *run, card int) { r.resume(card, stream) })
}

// Event is a place in a stream that other streams can wait for, on each card for itself.
type Event struct {
	id    int
	cards []int
}

// Cards are the cards on which the event is recorded.
func (e *Event) Cards() []int { return e.cards }

// Record marks the place that a stream has come to on its cards (nil: all): all that it was given so far.
func (n *Node) Record(cards []int, stream string) (*Event, error) {
	cards, err := n.cards(cards)
	if err != nil {
		return nil, err
	}
	n.events++
	e := &Event{id: n.events, cards: cards}
	return e, n.each(cards, func(r *run, card int) { r.record(card, stream, e.id) })
}

// Wait lets a stream's further steps start only after the event, on each of the event's cards for itself.
func (n *Node) Wait(e *Event, stream string) error {
	if len(e.cards) == 0 {
		return nil // for each, no list would be all cards
	}
	return n.each(e.cards, func(r *run, card int) { r.wait(card, stream, e.id) })
}

func (n *Node) each(cards []int, do func(r *run, card int)) error {
	cards, err := n.cards(cards)
	if err != nil {
		return err
	}
	return n.do(func(r *run) error {
		for _, card := range cards {
			do(r, card)
		}
		return nil
	})
}

// Launch calls an entry on its cards.
func (n *Node) Launch(l Launch) error {
	prog, err := n.program(l.Module, l.Entry)
	if err != nil {
		return err
	}
	cards, err := n.cards(l.Cards)
	if err != nil {
		return err
	}
	group, err := n.cards(l.Group)
	if err != nil {
		return err
	}
	if err := n.checkLaunch(&l, prog); err != nil {
		return err
	}
	params := make([][]byte, n.opt.Cards)
	for _, card := range cards {
		if l.Params != nil {
			params[card] = l.Params(card)
		}
		if len(params[card]) < prog.ParamBytes {
			params[card] = append(params[card], make([]byte, prog.ParamBytes-len(params[card]))...)
		}
	}
	n.owners++
	owner := n.owners
	return n.do(func(r *run) error {
		for _, card := range cards {
			r.launch(owner, l.Stream, &state.Launch{ID: owner, Name: l.Entry.Name, Prog: prog, Grid: l.Grid, Block: l.Block, Cluster: l.Cluster,
				SharedDynamic: l.Shared, Params: params[card], Card: r.node.Cards[card], Group: group})
		}
		return nil
	})
}

// program decodes an entry, once.
func (n *Node) program(m *isa.Module, entry *isa.Func) (*state.Program, error) {
	if entry == nil {
		return nil, errors.New("no entry given")
	}
	if err := n.Load(m); err != nil {
		return nil, err
	}
	key := programKey{m, entry}
	if p := n.programs[key]; p != nil {
		return p, nil
	}
	p, err := exec.Decode(m, entry, exec.Env{Registers: n.opt.Registers, Race: n.opt.Race})
	if err != nil {
		return nil, err
	}
	if in := p.Unsupported; in != nil {
		return nil, Unsupported{Func: p.UnsupportedF, Inst: in, Entry: entry}
	}
	if n.opt.decoded != nil {
		n.opt.decoded(p)
	}
	n.programs[key] = p
	return p, nil
}

// Unsupported is an instruction that the VM can't run yet, reached by an entry.
type Unsupported struct {
	Func  *isa.Func
	Inst  *isa.Inst
	Entry *isa.Func
}

// Error names the instruction's place.
func (u Unsupported) Error() string {
	return fmt.Sprintf("%s: unsupported: %s (reached by entry %s)", u.Func.Source.At(u.Inst.OpPos), u.Inst.Op, u.Entry.Name)
}

// cards returns a list of cards, ascending and checked; nil stands for all.
func (n *Node) cards(list []int) ([]int, error) {
	seen := make([]bool, n.opt.Cards)
	for _, card := range list {
		if card < 0 || card >= n.opt.Cards {
			return nil, fmt.Errorf("there is no card %d: the node has %d", card, n.opt.Cards)
		}
		seen[card] = true
	}
	var out []int
	for card := range seen {
		if list == nil || seen[card] {
			out = append(out, card)
		}
	}
	return out, nil
}

// Synchronize runs all that was launched to its end. The error is a *Fault when a kernel failed.
func (n *Node) Synchronize(ctx context.Context) error {
	if n.failed != nil || !n.run.left() {
		return n.failed
	}
	start := time.Now()
	err := n.run.drain(ctx)
	n.host += time.Since(start)
	if err != nil {
		n.failed = err
		return err
	}
	n.steps = append(n.steps, func(r *run) error { return r.drain(ctx) })
	return nil
}

// Result runs everything to its end and returns what it came to so far, without the silent runs. The node takes
// further steps afterwards. On a fault the result says what is known.
func (n *Node) Result(ctx context.Context) (*Result, error) {
	err := n.Synchronize(ctx)
	result := n.run.result()
	result.Host = n.host
	return result, err
}

// Finish runs everything to its end, makes the silent runs, and returns what the whole came to. On a fault the
// result says what is known so far.
func (n *Node) Finish(ctx context.Context) (*Result, error) {
	result, err := n.Result(ctx)
	if err != nil || n.opt.Silent || n.opt.Functional {
		return result, err
	}
	n.silent(ctx, result)
	return result, nil
}
