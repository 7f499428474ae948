package sm

import (
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// places counts what SMs waited for by instruction: each cycle of the SM sheet in which nothing issued is entered
// once, at the instruction that was waited for. A wait for an operand is counted at its reader, which is known when
// the wait ends; whose result it was is looked up when all is over.
type places struct {
	prog   *state.Program
	at     [][localEntries]uint64 // by operation: waits at it, for its unit or for itself
	result [][localEntries]uint64 // by operation: waits for an operand of it
	others map[at]uint64          // what is not local, by the operation waited at
}

// localEntries is the number of entries of local work, the first of the list.
const localEntries = ledger.CTABarrier + 1

type at struct {
	op    int32
	entry ledger.Entry
}

func (c *Card) placesOf(p *state.Program) *places {
	if c.places[p] == nil {
		c.places[p] = &places{p, make([][localEntries]uint64, len(p.Ops)), make([][localEntries]uint64, len(p.Ops)), map[at]uint64{}}
	}
	return c.places[p]
}

// blame enters the gap that a warp ends by issuing at the instruction that made it wait. unit says that the warp's
// unit was busy last.
func (c *Card) blame(w *Warp, unit bool) {
	p := w.launch.places
	for _, span := range c.gap {
		cycles := span.End - span.Start
		switch e := span.Entry; {
		case e >= localEntries:
			p.blameOther(c, w, span)
		case len(w.spans) > 0 && e == ledger.CTABarrier && w.last != nil: // for warps of its own card, at a barrier or operator
			p.at[waitedAt(w)][e] += cycles
		default:
			p.local(w, e, cycles, unit)
		}
	}
}

// local enters a wait for local work of the warp's own: for the unit of what it issues now, for what it issued last
// (a branch, a barrier), or for an operand.
func (p *places) local(w *Warp, e ledger.Entry, cycles uint64, unit bool) {
	switch {
	case unit:
		p.at[w.next.Index][e] += cycles
	case w.ready == w.front && w.last != nil:
		p.at[w.last.Index][e] += cycles
	default:
		p.result[w.next.Index][e] += cycles
	}
}

func (p *places) blameOther(c *Card, w *Warp, span ledger.Span) {
	op := w.next.Index
	switch {
	case span.Entry.Blocked():
		c.blameSync(w, span)
	case span.Entry == ledger.Remote:
		op = p.producer(op, ledger.Memory)
	case w.last != nil && w.last.Kind == state.Operator && span.Entry >= ledger.Reduce:
		return // its line accounts for that itself
	case !w.fenced && w.last != nil:
		op = waitedAt(w)
	}
	p.others[at{op, span.Entry}] += span.End - span.Start
}

// waitedAt is the operation that a warp was set aside at: the one it issued last, of a polling loop its load.
func waitedAt(w *Warp) int32 {
	if w.last.Poll == 0 {
		return w.last.Index
	}
	return pollLoad(w.Prog, w.last).Index
}

// pollLoad returns the load of the polling loop that a branch closes.
func pollLoad(p *state.Program, branch *state.Op) *state.Op {
	poll := &p.Polls[branch.Poll-1]
	for i := poll.Head; i <= poll.Branch; i++ {
		if op := &p.Ops[i]; op.Kind == state.Memory {
			return op
		}
	}
	return branch
}

// producer returns the operation whose result, of an entry's kind, an operation waits for: the nearest before it in
// the program that writes one of its slots, also from the end of a loop that it begins.
func (p *places) producer(reader int32, e ledger.Entry) int32 {
	r := &p.prog.Ops[reader]
	writes := func(op *state.Op) bool {
		return slices.ContainsFunc(op.Writes, func(slot int32) bool { return slices.Contains(r.Reads, slot) || slices.Contains(r.Writes, slot) })
	}
	other := reader
	for n := range int32(len(p.prog.Ops)) {
		i := reader - 1 - n
		if i < 0 {
			i += int32(len(p.prog.Ops))
		}
		op := &p.prog.Ops[i]
		if !writes(op) {
			continue
		}
		if reasonOf(op.Class) == e {
			return i
		}
		if other == reader {
			other = i
		}
	}
	return other
}

// Place is what a card's SMs waited for at an instruction, in SM-cycles.
type Place struct {
	Func   *isa.Func
	Inst   *isa.Inst
	Entry  ledger.Entry
	Cycles uint64
}

// Places returns the instructions that something was waited for at, in no order.
func (c *Card) Places() []Place {
	sums := map[*isa.Inst]*[ledger.NumEntries]uint64{}
	funcs := map[*isa.Inst]*isa.Func{}
	for _, p := range c.places {
		add := func(i int32, e ledger.Entry, cycles uint64) {
			op := &p.prog.Ops[i]
			if sums[op.Inst] == nil {
				sums[op.Inst], funcs[op.Inst] = new([ledger.NumEntries]uint64), op.Func
			}
			sums[op.Inst][e] += cycles
		}
		for i := range p.prog.Ops {
			for e := range localEntries {
				if n := p.at[i][e]; n > 0 {
					add(int32(i), e, n)
				}
				if n := p.result[i][e]; n > 0 {
					add(p.producer(int32(i), e), e, n)
				}
			}
		}
		for k, n := range p.others {
			add(k.op, k.entry, n)
		}
	}
	var list []Place
	for in, row := range sums {
		for e, n := range row {
			if n > 0 {
				list = append(list, Place{funcs[in], in, ledger.Entry(e), n})
			}
		}
	}
	return list
}
