// Package sm is one card in time: its SMs, their quarters, the warps that issue on them, the gate of its Tensor
// Cores, its host's calls, and the account of every cycle. It knows no other card: what crosses cards goes
// through Fabric.
package sm

import (
	"container/heap"
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Fabric is what a card needs from the rest of the node. Its methods are called while the card runs and must
// touch nothing of other cards but by messages that arrive in a later quantum (or, on the ideal fabric, where
// cards run one at a time, directly).
type Fabric interface {
	// Begin starts an operation on the card at o.Start. The fabric calls Card.EndOperation when a reduce or sync
	// is over; a copy is over at once.
	Begin(c *Card, o *Operation)
	// Remote sends one part of a memory instruction to the card that owns its addresses.
	Remote(c *Card, w *Warp, ra *state.RemoteAccess, at uint64)
	// Multicast sends a multimem instruction, one part a card, through the switch.
	Multicast(c *Card, w *Warp, parts []*state.RemoteAccess, at uint64)
	// Missing says whom an operation that the warp waits in is missing, for the deadlock report; "" if none.
	Missing(c *Card, w *state.Warp) string
	// Drained calls done when the card's posted traffic is acknowledged: at once if nothing is under way. alone is
	// when it would have been with no other owner on the links.
	Drained(c *Card, at uint64, done func(cycle, alone uint64))
}

// Rules are what distinguishes a timed run from the silent ones.
type Rules struct {
	Ideal    bool // ideal fabric (Cycle_local): cards have clocks of their own
	OpenGate bool // the article's rule is switched off
	OneRound bool // a sync line's rounds after the first of a launch cost nothing
}

// Card is a card in time.
type Card struct {
	Index   int
	State   *state.Card
	Machine *machine.Machine
	Rules   Rules
	Fabric  Fabric
	HBM     Queue

	Now     uint64
	Fault   *state.Fault
	Stalled bool // ideal fabric: a warp waits for another card, so the whole card stands

	events   eventHeap
	seq      uint64
	wheel    *wheel
	take     []int32
	sms      []sm
	quarters []quarter
	units    units

	host     host
	gate     gate
	cover    ledger.Cover
	gap      []ledger.Span // scratch
	lines    map[*isa.Inst]*Line
	flags    map[*isa.Inst]*Flag
	places   map[*state.Program]*places
	spinners []*Warp       // parked in polling loops
	pollers  []*Warp       // that went round one at least once, parked or not
	unplaced []*launch     // started, with CTAs still to place, in order
	Groups   map[int][]int // of sync.nvlink, by number
	Warned   []Warning
	History  bool // keep warps' histories: other cards may wait for them
	Trace    bool // keep Hops
	Hops     []Hop
	Sampling bool // keep what reduce lines fold
	Lost     Lost
}

// Warning is something the user should know, at a line.
type Warning struct {
	Func    *isa.Func
	Pos     isa.Pos
	Message string
}

// sm is one streaming multiprocessor.
type sm struct {
	index    int
	used     bool   // it received a CTA
	tensor   bool   // it received a CTA of a launch that reaches an mma
	upto     uint64 // all cycles before are accounted for
	issuedAt uint64 // cycle of the last issue
	issuedAs ledger.Entry
	live     int // warps
	ctas     int
	threads  int
	regs     int
	shared   int
	warps    []*Warp // resident, oldest first
	sheet    ledger.Sheet
	busy     uint64 // Tensor Core time of all quarters, in units of 1/scale cycles
	flops    uint64
}

// quarter is a quarter of an SM: one scheduler and its units.
type quarter struct {
	index int32
	sm    *sm
	warps []*Warp // oldest first
	// ready and unit repeat of each warp when its operands are there and which unit its next operation takes, side by
	// side for the scheduler.
	ready []uint64
	unit  []uint8
	wake  uint64   // the earliest wake-up asked for
	free  []uint64 // by unit: when it is free, in units of 1/scale cycles
	// freeAt is the first whole cycle at which the unit can take an instruction.
	freeAt []uint64
}

// units maps the machine's unit names to numbers, and its classes to whole numbers.
type units struct {
	names []string
	of    [isa.NumClasses]uint8
	// scale is the common denominator of all issue intervals; interval is in 1/scale cycles.
	scale    uint64
	interval [isa.NumClasses]uint64
	latency  [isa.NumClasses]uint64
	reason   [isa.NumClasses]ledger.Entry // of a wait for the class's result or unit
}

// New returns a card at cycle 0.
func New(index int, st *state.Card, m *machine.Machine, rules Rules, f Fabric) *Card {
	c := &Card{Index: index, State: st, Machine: m, Rules: rules, Fabric: f, lines: map[*isa.Inst]*Line{}, flags: map[*isa.Inst]*Flag{}, places: map[*state.Program]*places{}}
	c.HBM = NewQueue(m.Card.HBMBytesPerSecond, m.ClockMHz)
	c.units = newUnits(m)
	c.sms = make([]sm, m.Card.SMs)
	per := m.Card.QuartersPerSM
	c.quarters = make([]quarter, m.Card.SMs*per)
	free := make([]uint64, 2*len(c.quarters)*len(c.units.names))
	for i := range c.sms {
		c.sms[i].index = i
		c.sms[i].issuedAt = Never
	}
	for i := range c.quarters {
		n := len(c.units.names)
		c.quarters[i] = quarter{index: int32(i), sm: &c.sms[i/per], wake: Never, free: free[2*i*n : (2*i+1)*n], freeAt: free[(2*i+1)*n : (2*i+2)*n]}
	}
	c.wheel = newWheel(len(c.quarters))
	c.host.streams = map[string]*stream{}
	c.host.drainFrom = Never
	c.gate.rule = m.Article.GateStopsTensorCores && !rules.OpenGate && !rules.Ideal
	return c
}

func newUnits(m *machine.Machine) (u units) {
	u.scale = 1
	for _, cl := range m.Classes {
		u.scale = lcm(u.scale, uint64(max(1, cl.Interval.Den)))
	}
	for i, cl := range m.Classes {
		n := -1
		for j, name := range u.names {
			if name == cl.Unit {
				n = j
			}
		}
		if n < 0 {
			n = len(u.names)
			u.names = append(u.names, cl.Unit)
		}
		u.of[i] = uint8(n)
		u.interval[i] = uint64(cl.Interval.Num) * u.scale / uint64(max(1, cl.Interval.Den))
		u.latency[i] = uint64(max(1, cl.Latency))
		u.reason[i] = reasonOf(isa.Class(i))
	}
	return u
}

func lcm(a, b uint64) uint64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// reasonOf returns the entry of a wait for a class's result or unit.
func reasonOf(c isa.Class) ledger.Entry {
	switch c {
	case isa.ClassMMA:
		return ledger.Tensor
	case isa.ClassLoadShared, isa.ClassStoreShared, isa.ClassAtomShared, isa.ClassLoadGlobal, isa.ClassStoreGlobal,
		isa.ClassAtomGlobal, isa.ClassLoadConst, isa.ClassLoadLocal, isa.ClassFenceCTA, isa.ClassFenceGPU:
		return ledger.Memory
	case isa.ClassFenceSys:
		return ledger.Fence
	case isa.ClassBarrier:
		return ledger.CTABarrier
	}
	return ledger.ALU
}

// Next returns the next cycle at which something happens on the card, or Never.
func (c *Card) Next() uint64 {
	if c.Stalled || c.Fault != nil {
		return Never
	}
	next := c.wheel.next()
	if len(c.events) > 0 {
		next = min(next, c.events[0].Cycle)
	}
	return next
}

// Run lets the card run up to but not including a cycle.
func (c *Card) Run(until uint64) {
	for {
		now := c.Next()
		if now >= until {
			return
		}
		c.step(now)
	}
}

// step does all that happens in one cycle: first what arrives, then what issues.
func (c *Card) step(now uint64) {
	c.Now = now
	c.State.Now = now
	for len(c.events) > 0 && c.events[0].Cycle == now {
		e := heap.Pop(&c.events).(Event)
		e.Do(now)
		if c.Fault != nil || c.Stalled {
			return
		}
	}
	if c.wheel.next() != now {
		return
	}
	c.take = c.wheel.take(now, c.take[:0])
	for i, q := range c.take {
		if c.Stalled || c.Fault != nil {
			// The card stands in the middle of a cycle: the others of this cycle issue when it goes on.
			for _, q := range c.take[i:] {
				c.wheel.add(now, q)
			}
			return
		}
		c.issue(&c.quarters[q], now)
	}
}

// wakeQuarter makes a quarter look for a warp to issue at a cycle.
func (c *Card) wakeQuarter(q *quarter, cycle uint64) {
	if cycle < q.wake {
		q.wake = cycle
		c.wheel.add(cycle, q.index)
	}
}

// Warn notes something that the user should know at an operation's line, once.
func (c *Card) Warn(op *state.Op, message string) {
	w := Warning{op.Func, op.Inst.OpPos, message}
	if !slices.Contains(c.Warned, w) {
		c.Warned = append(c.Warned, w)
	}
}

// fail ends the card's run.
func (c *Card) fail(f *state.Fault) {
	if c.Fault == nil {
		c.Fault = f
	}
}
