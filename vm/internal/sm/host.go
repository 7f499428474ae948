package sm

import (
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// host is the card's own host thread: calls come in program order without waiting for kernels, each launch call
// takes the machine's launch cost, other steps nothing.
type host struct {
	clock     uint64 // the end of the latest call
	streams   map[string]*stream
	operators []*launch     // launches that reach an operator, in call order, until they have ended
	opsEnded  uint64        // the end of the last of them
	spans     []ledger.Span // what the host was doing, in order: launch, and copy while a launch drains
	drainFrom uint64        // a launch has drained since then; Never: none does
	rows      []*LaunchRow
	left      int // steps that have not ended
	events    map[int]*event
}

// LaunchRow is one launch as the report lists it.
type LaunchRow struct {
	Launch           *state.Launch
	Stream           string
	Call, Start, End uint64
	Ended            bool
}

// stream runs its steps one after another.
type stream struct {
	name  string
	queue []*step
	busy  bool   // a launch of it waits to start or runs
	ended uint64 // when its latest step ended
	delay uint64 // of the next launch
}

type stepKind uint8

const (
	stepLaunch stepKind = iota
	stepDelay
	stepHold
	stepResume
	stepRecord
	stepWait
)

type step struct {
	kind   stepKind
	call   uint64 // when the call is over
	launch *launch
	cycles uint64
	event  *event
}

// event is what a stream records once and other streams of the card wait for.
type event struct {
	recorded bool
	waiting  []*stream
}

func (c *Card) enqueue(name string, s *step) {
	h := &c.host
	st := h.streams[name]
	if st == nil {
		st = &stream{name: name}
		h.streams[name] = st
	}
	if s.launch != nil {
		s.launch.stream = st
	}
	st.queue = append(st.queue, s)
	h.left++
	c.At(s.call, func(now uint64) { c.advance(st, now) })
}

// Launch calls a launch on a stream. Owner is the launch step, the same on all cards.
func (c *Card) Launch(l *state.Launch, owner int, name string) {
	h := &c.host
	h.clock = max(h.clock, c.Now)
	row := &LaunchRow{Launch: l, Stream: name, Call: h.clock}
	cost := uint64(c.Machine.Host.LaunchCall)
	h.spans = append(h.spans, ledger.Span{Start: h.clock, End: h.clock + cost, Entry: ledger.Launch})
	h.clock += cost
	h.rows = append(h.rows, row)
	tl := &launch{Launch: l, Owner: owner, row: row}
	if l.Prog.Operators {
		h.operators = append(h.operators, tl)
	}
	c.enqueue(name, &step{kind: stepLaunch, call: h.clock, launch: tl})
}

// Delay makes the stream's next launch start that many cycles later.
func (c *Card) Delay(name string, cycles uint64) {
	c.enqueue(name, &step{kind: stepDelay, call: max(c.host.clock, c.Now), cycles: cycles})
}

// Hold is suspend_tensor_core, in stream order.
func (c *Card) Hold(name string) {
	c.enqueue(name, &step{kind: stepHold, call: max(c.host.clock, c.Now)})
}

// Resume is resume_tensor_core, in stream order.
func (c *Card) Resume(name string) {
	c.enqueue(name, &step{kind: stepResume, call: max(c.host.clock, c.Now)})
}

// Record marks the place that a stream has come to as an event of the card.
func (c *Card) Record(name string, id int) {
	c.enqueue(name, &step{kind: stepRecord, call: max(c.host.clock, c.Now), event: c.event(id)})
}

// Wait lets a stream go on only once an event is recorded.
func (c *Card) Wait(name string, id int) {
	c.enqueue(name, &step{kind: stepWait, call: max(c.host.clock, c.Now), event: c.event(id)})
}

func (c *Card) event(id int) *event {
	h := &c.host
	if h.events == nil {
		h.events = map[int]*event{}
	}
	if h.events[id] == nil {
		h.events[id] = &event{}
	}
	return h.events[id]
}

// advance lets a stream go on with what is due.
func (c *Card) advance(st *stream, now uint64) {
	h := &c.host
	for !st.busy && len(st.queue) > 0 && st.queue[0].call <= now {
		s := st.queue[0]
		var awake []*stream
		switch s.kind {
		case stepDelay:
			st.delay += s.cycles
		case stepHold:
			c.hold(now)
		case stepResume:
			c.resume(now)
		case stepRecord:
			s.event.recorded = true
			awake = s.event.waiting
		case stepWait:
			if !s.event.recorded {
				if !slices.Contains(s.event.waiting, st) {
					s.event.waiting = append(s.event.waiting, st)
				}
				return
			}
		case stepLaunch:
			if s.launch.Prog.Operators && h.operators[0] != s.launch {
				return // an earlier operator launch is first; its end advances all streams
			}
			st.busy = true
			start := s.call
			if st.ended > s.call {
				// It had to wait for its stream.
				start = st.ended + uint64(c.Machine.Host.DependentLaunch)
				c.hostSpan(ledger.Span{Start: st.ended, End: start, Entry: ledger.Launch})
			}
			if s.launch.Prog.Operators {
				start = max(start, h.opsEnded)
			}
			start = max(start+st.delay, now)
			st.delay = 0
			l := s.launch
			if start == now {
				c.begin(l, now)
			} else {
				c.At(start, func(cycle uint64) { c.begin(l, cycle) })
			}
			st.queue = st.queue[1:]
			return
		}
		st.queue = st.queue[1:]
		st.ended = max(st.ended, s.call)
		if s.kind != stepDelay {
			st.ended = max(st.ended, now)
		}
		h.left--
		for _, other := range awake {
			c.advance(other, now)
		}
	}
}

// hostSpan enters what the host does; spans stay ordered and disjoint (the later one yields).
func (c *Card) hostSpan(s ledger.Span) {
	h := &c.host
	i := len(h.spans)
	for i > 0 && h.spans[i-1].Start > s.Start {
		i--
	}
	if i > 0 {
		s.Start = max(s.Start, h.spans[i-1].End)
	}
	if i < len(h.spans) {
		s.End = min(s.End, h.spans[i].Start)
	}
	if s.Start >= s.End {
		return
	}
	h.spans = append(h.spans, ledger.Span{})
	copy(h.spans[i+1:], h.spans[i:])
	h.spans[i] = s
}

// drain ends a launch once its posted traffic is acknowledged.
func (c *Card) drain(l *launch, from uint64) {
	h := &c.host
	if h.drainFrom == Never {
		h.drainFrom = from
	}
	c.Fabric.Drained(c, from, func(drained, alone uint64) {
		end := max(from, drained)
		alone = min(max(from, alone), end)
		c.hostSpan(ledger.Span{Start: from, End: alone, Entry: ledger.Copy})
		c.hostSpan(ledger.Span{Start: alone, End: end, Entry: ledger.Contention})
		h.drainFrom = Never
		c.end(l, end)
	})
}

// end ends a launch: its stream goes on.
func (c *Card) end(l *launch, now uint64) {
	h := &c.host
	l.Done = true
	l.row.End, l.row.Ended = now, true
	if win := l.window; win != nil && win.end == Never {
		c.Warned = append(c.Warned, Warning{l.Prog.Entry, opPos(win.last), "the launch ended with its window open: the Tensor Cores were stopped until its end; unblock.tc closes the window"})
		c.closeWindow(l, now)
	}
	if l.Prog.Operators {
		h.operators = h.operators[1:]
		h.opsEnded = now
	}
	st := l.stream
	st.busy = false
	st.ended = now
	h.left--
	c.advance(st, now)
	if l.Prog.Operators && len(h.operators) > 0 {
		for _, row := range h.rows {
			if s := h.streams[row.Stream]; s != st {
				c.advance(s, now)
			}
		}
	}
}

func opPos(in *isa.Inst) isa.Pos {
	if in == nil {
		return isa.NoPos
	}
	return in.OpPos
}

// Left returns how many of the host's steps have not ended.
func (c *Card) Left() int { return c.host.left }

// Launches returns the launches in the order of their calls.
func (c *Card) Launches() []*LaunchRow { return c.host.rows }

// End returns the cycle at which the card's last launch ended so far.
func (c *Card) End() (end uint64) {
	for _, r := range c.host.rows {
		end = max(end, r.End)
	}
	return end
}

// Held reports a hold of the Tensor Cores that was never resumed.
func (c *Card) Held() bool { return c.gate.holds > 0 }

// Synchronized puts the host's clock at a cycle: it has waited for all cards.
func (c *Card) Synchronized(cycle uint64) { c.host.clock = max(c.host.clock, cycle) }
