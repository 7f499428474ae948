package vm

import (
	"context"
	"fmt"
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/vm/internal/functional"
	"github.com/tollgate-sim/tollgate/vm/internal/operator"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// functionalRun executes without a clock (--timing off). It is the host's side, and the article's operators where
// nothing takes time; the state of the gate is kept.
type functionalRun struct {
	run    *run
	node   *functional.Node
	groups map[int][]int
	cards  []*functionalCard
	rounds operator.Rounds
	open   int // steps that have not ended
	warned []Warning
}

// functionalCard is one card's host thread, inbox and gate.
type functionalCard struct {
	streams   map[string]*functionalStream
	names     []string
	recorded  map[int]bool        // events
	operators []*functionalLaunch // that have not ended, in call order
	running   map[*state.Launch]*functionalLaunch
	inbox     operator.Inbox
	waiting   []*functionalOperation
	holds     int
	windows   int
}

type functionalStream struct {
	queue []functionalStep
	busy  bool
}

// functionalStep is a launch, a change of the host's hold, or an event to record or to wait for.
type functionalStep struct {
	launch *functionalLaunch
	hold   int
	record int
	wait   int
}

type functionalLaunch struct {
	*state.Launch
	stream  *functionalStream
	tracker *operator.Tracker
	window  bool
}

// functionalOperation is a reduce or sync that waits for other cards.
type functionalOperation struct {
	part  *operator.Part
	group []int
	round int
}

func newFunctionalRun(r *run) *functionalRun {
	f := &functionalRun{run: r, node: functional.NewNode(r.node), groups: map[int][]int{}}
	f.node.Operators = f
	f.node.Finished = f.finished
	f.node.MaxInstructions = r.opt.MaxCycles
	f.node.Resident = func(l *state.Launch) int { return sm.Resident(&r.opt.Machine.Card, l) * r.opt.Machine.Card.SMs }
	for range r.node.Cards {
		f.cards = append(f.cards, &functionalCard{streams: map[string]*functionalStream{}, running: map[*state.Launch]*functionalLaunch{},
			recorded: map[int]bool{}})
	}
	return f
}

func (c *functionalCard) stream(name string) *functionalStream {
	s := c.streams[name]
	if s == nil {
		s = &functionalStream{}
		c.streams[name] = s
		c.names = append(c.names, name)
	}
	return s
}

func (f *functionalRun) launch(stream string, l *state.Launch) {
	c := f.cards[l.Card.Index]
	fl := &functionalLaunch{Launch: l, stream: c.stream(stream), tracker: operator.NewTracker(int(l.CTAs()) * ((l.Threads() + 31) / 32))}
	if l.Prog.Operators {
		c.operators = append(c.operators, fl)
	}
	c.running[l] = fl
	fl.stream.queue = append(fl.stream.queue, functionalStep{launch: fl})
	f.open++
}

func (f *functionalRun) hold(card int, stream string) { f.enqueueHold(card, stream, 1) }

func (f *functionalRun) resume(card int, stream string) { f.enqueueHold(card, stream, -1) }

func (f *functionalRun) enqueueHold(card int, stream string, by int) {
	f.enqueue(card, stream, functionalStep{hold: by})
}

func (f *functionalRun) record(card int, stream string, event int) {
	f.enqueue(card, stream, functionalStep{record: event})
}

func (f *functionalRun) wait(card int, stream string, event int) {
	f.enqueue(card, stream, functionalStep{wait: event})
}

func (f *functionalRun) enqueue(card int, stream string, step functionalStep) {
	s := f.cards[card].stream(stream)
	s.queue = append(s.queue, step)
	f.open++
}

func (f *functionalRun) left() bool { return f.open > 0 }

func (f *functionalRun) drain(ctx context.Context) error {
	for card := range f.cards {
		f.advance(card)
	}
	f.node.Stop = func() bool { return ctx.Err() != nil }
	if fault := f.node.Run(); fault != nil {
		return fault
	}
	return ctx.Err()
}

// advance starts what is due on a card's streams.
func (f *functionalRun) advance(card int) {
	c := f.cards[card]
	for again := true; again; {
		again = false
		for _, name := range c.names {
			s := c.streams[name]
			for !s.busy && len(s.queue) > 0 {
				step := s.queue[0]
				if l := step.launch; l != nil {
					if l.Prog.Operators && c.operators[0] != l {
						break
					}
					s.busy = true
					f.node.Start(l.Launch)
				} else {
					if step.wait > 0 && !c.recorded[step.wait] {
						break
					}
					if step.record > 0 {
						c.recorded[step.record] = true
					}
					c.holds = max(0, c.holds+step.hold)
					f.gate(card)
					f.open--
				}
				s.queue = s.queue[1:]
				again = true
			}
		}
	}
}

// finished lets a launch's stream go on.
func (f *functionalRun) finished(l *state.Launch) *state.Fault {
	card := l.Card.Index
	c := f.cards[card]
	fl := c.running[l]
	delete(c.running, l)
	if l.Prog.Operators {
		c.operators = c.operators[1:]
	}
	if fl.window {
		f.warn(l.Prog.Entry, l.Prog.Entry.Pos, "the launch ended with its window open: unblock.tc closes the window")
		f.shut(card, fl, false)
	}
	fl.stream.busy = false
	f.open--
	f.advance(card)
	return nil
}

func (f *functionalRun) warn(fn *isa.Func, pos isa.Pos, message string) {
	if w := (Warning{fn, pos, message}); !slices.Contains(f.warned, w) {
		f.warned = append(f.warned, w)
	}
}

func (f *functionalRun) warnings() []Warning {
	for _, c := range f.cards {
		if c.holds > 0 {
			f.warn(nil, isa.NoPos, "the host never resumed the Tensor Cores that it suspended")
		}
		if c.inbox.Left() > 0 {
			f.warn(nil, isa.NoPos, "contributions were sent that no reduce took: copy.nvlink without a matching reduce")
		}
	}
	return f.warned
}

// shut opens or closes a launch's window.
func (f *functionalRun) shut(card int, l *functionalLaunch, open bool) {
	if l.window == open {
		return
	}
	l.window = open
	if open {
		f.cards[card].windows++
	} else {
		f.cards[card].windows--
	}
	f.gate(card)
}

func (f *functionalRun) gate(card int) {
	c, st := f.cards[card], f.run.node.Cards[card]
	was := st.GateShut
	st.GateShut = f.run.opt.Machine.Article.GateStopsTensorCores && c.holds+c.windows > 0
	if was && !st.GateShut {
		f.node.Wake(card)
	}
}

// Arrive notes that a warp has come to an operator (functional.Operators).
func (f *functionalRun) Arrive(w *state.Warp) (pass bool, fault *state.Fault) {
	l := f.cards[w.CTA.Card.Index].running[w.CTA.Launch]
	step, fault := l.tracker.Arrive(w)
	if fault != nil || step == nil {
		return false, fault
	}
	return false, f.start(l, step)
}

// Exited notes that a warp has exited (functional.Operators).
func (f *functionalRun) Exited(w *state.Warp) *state.Fault {
	l := f.cards[w.CTA.Card.Index].running[w.CTA.Launch]
	if step := l.tracker.Exit(w); step != nil {
		return f.start(l, step)
	}
	return nil
}

// Waiting says what a warp at an operator or behind the gate waits for (functional.Operators).
func (f *functionalRun) Waiting(w *state.Warp) string {
	c := f.cards[w.CTA.Card.Index]
	if w.Park == state.ParkGate {
		for _, l := range c.operators {
			if l.window {
				return sm.BehindGate(l.Name)
			}
		}
		return sm.NeverOpened
	}
	for _, o := range c.waiting {
		if !slices.Contains(o.part.Warps, w) {
			continue
		}
		if o.part.Call.Code == isa.OpReduce {
			return operator.MissingContributions(w.CTA.Card.Memory, &c.inbox, &o.part.Call, o.group)
		}
		return operator.MissingArrivals(o.group, o.round, func(card int) bool { return f.rounds.Has(o.group, o.round, card) })
	}
	return fmt.Sprintf("waits for %d more warp(s) of its card to come to the operator", c.running[w.CTA.Launch].tracker.Missing())
}

// start runs the operations of a step.
func (f *functionalRun) start(l *functionalLaunch, step *operator.Step) *state.Fault {
	card := l.Card.Index
	for _, part := range step.Parts {
		group, fault := f.group(l, part)
		if fault != nil {
			return fault
		}
		if part.Call.Code == isa.OpUnblockTC {
			f.shut(card, l, false)
			f.pass(part)
			continue
		}
		if len(group) > 1 {
			if fault := f.relay(part); fault != nil {
				return fault
			}
			f.shut(card, l, true)
		}
		o := &functionalOperation{part: part, group: group}
		switch part.Call.Code {
		case isa.OpCopyNVLink:
			if fault := f.copy(l, o); fault != nil {
				return fault
			}
			f.pass(part)
			continue
		case isa.OpSyncNVLink:
			o.round = f.rounds.Arrive(group, card)
		}
		f.cards[card].waiting = append(f.cards[card].waiting, o)
	}
	return f.retry()
}

func (f *functionalRun) copy(l *functionalLaunch, o *functionalOperation) *state.Fault {
	m, call := l.Card.Memory, &o.part.Call
	data, err := operator.Snapshot(m, call)
	if err != nil {
		return o.part.Fault(err.Error(), "")
	}
	for _, r := range operator.Receivers(o.group, l.Card.Index) {
		f.cards[r].inbox.Put(operator.Offset(m, call), &operator.Contribution{From: l.Card.Index, Data: data})
	}
	return nil
}

// retry ends the waiting operations that have what they need.
func (f *functionalRun) retry() *state.Fault {
	for card, c := range f.cards {
		for i := 0; i < len(c.waiting); {
			o := c.waiting[i]
			m, call := f.run.node.Cards[card].Memory, &o.part.Call
			if call.Code == isa.OpSyncNVLink && !f.rounds.Over(o.group, o.round) ||
				call.Code == isa.OpReduce && !operator.Ready(m, &c.inbox, call, o.group) {
				i++
				continue
			}
			c.waiting = slices.Delete(c.waiting, i, i+1)
			if call.Code == isa.OpReduce {
				r, err := operator.Reduce(m, &c.inbox, call, o.group)
				if err == nil {
					err = r.Store(m, call)
				}
				if err != nil {
					return o.part.Fault(err.Error(), "")
				}
			}
			f.pass(o.part)
		}
	}
	return nil
}

func (f *functionalRun) pass(part *operator.Part) {
	for _, w := range part.Warps {
		f.node.Resume(w)
	}
}

// group returns the cards that an operation spans.
func (f *functionalRun) group(l *functionalLaunch, part *operator.Part) ([]int, *state.Fault) {
	group, message, hint := operator.GroupOf(&part.Call, l.Group, f.groups, l.Card.Index)
	if message != "" {
		return nil, part.Fault(message, hint)
	}
	return group, nil
}

// relay refuses operators on a machine without NVLink if the user wants it so, else warns.
func (f *functionalRun) relay(part *operator.Part) *state.Fault {
	m := f.run.opt.Machine
	if m.Fabric.Kind == machine.NVLink {
		return nil
	}
	if f.run.opt.NoRelay {
		return part.Fault(operator.NotRelayed(m.Name), operator.RelayHint)
	}
	f.warn(part.Call.Op.Func, part.Call.Op.Inst.OpPos, operator.Relayed(m.Name))
	return nil
}
