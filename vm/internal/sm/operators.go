package sm

import (
	"sort"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/operator"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Operation is one of the article's operators at work on a card.
type Operation struct {
	Part  *operator.Part
	Card  *Card
	Owner int   // of its traffic: the launch step
	Group []int // the cards it spans, ascending
	Start uint64
	Last  *Warp // the warp whose arrival started it
	Line  *Line
	// Fabric's own notes while it is under way.
	Fence []ledger.Span
	ended bool
	l     *launch
}

// Line sums up one operator line of the source on one card.
type Line struct {
	Func   *isa.Func
	Inst   *isa.Inst
	First  uint64 // cycle of the first start
	Count  uint64
	Bytes  uint64 // of one operation, the last
	Cycles uint64 // the line's own work, summed: waiting for a late card is left out
	Fence  uint64 // part of Cycles
	Rounds uint64
	Period uint64 // least distance of two releases of one launch; 0: fewer than two
	Group  int    // cards, the last operation's
	Starts []uint64
	Steps  []int // the launch step of each start
	// released and by are the latest release and its launch.
	released uint64
	by       *launch
	Waits    [ledger.NumEntries]uint64
	Barrier  Barrier
	Sample   [][]byte // with Card.Sampling: what the first reduce.add folded, in card order
	// For sums skew by the card that was waited for, and the line it stood at meanwhile.
	For map[LateCard]uint64
}

// LateCard is a card that others waited for and the place that kept it.
type LateCard struct {
	Card int
	Func *isa.Func
	Inst *isa.Inst
}

// arrive notes that all live lanes of a warp have come to an operator.
func (c *Card) arrive(w *Warp, now uint64) {
	w.waits = waitsForOperatorStart
	w.setReady(c, Never)
	step, fault := w.launch.tracker.Arrive(w.Warp)
	if fault != nil {
		c.fail(fault)
		return
	}
	if step != nil {
		c.At(now+1, func(cycle uint64) { c.startStep(w.launch, step, cycle) })
	}
}

// startStep starts the operations of a step: all of the card's warps have come to it.
func (c *Card) startStep(l *launch, step *operator.Step, now uint64) {
	last, _ := step.Last.Timing.(*Warp)
	for _, sw := range step.Warps {
		w := sw.Timing.(*Warp)
		if w != last && w.since < now {
			w.wait(ledger.Fill(nil, last.History(w.since), w.since, now, ledger.CTABarrier), c.History)
		}
	}
	for _, part := range step.Parts {
		o := &Operation{Part: part, Card: c, Owner: l.Owner, Start: now, Last: last, l: l}
		var fault *state.Fault
		if o.Group, fault = c.group(l, part); fault != nil {
			c.fail(fault)
			return
		}
		o.Line = c.line(part, l.Owner, now)
		o.Line.Group = len(o.Group)
		if part.Call.Code == isa.OpUnblockTC {
			c.closeWindow(l, now)
			c.pass(o, now)
			continue
		}
		if len(o.Group) > 1 { // a group of one waits for nobody and stops nothing
			c.openWindow(l, now)
			l.window.last = part.Call.Op.Inst
		}
		if operator.Waits(part.Call.Code) {
			for _, sw := range part.Warps {
				sw.Timing.(*Warp).waits = waitsForOperatorEnd
			}
		} else {
			c.pass(o, now)
		}
		c.Fabric.Begin(c, o)
	}
}

// pass lets the warps of an operation go on.
func (c *Card) pass(o *Operation, now uint64) {
	o.ended = true
	for _, sw := range o.Part.Warps {
		w := sw.Timing.(*Warp)
		exec.PassOperator(sw)
		w.front, w.cause = now, ledger.ALU
		w.waits = waitsNot
		c.refresh(w)
	}
}

// EndOperation ends a reduce or sync at the present cycle. Spans say what its warps waited for since it started,
// late (may be zero) which card they waited for.
func (c *Card) EndOperation(o *Operation, spans []ledger.Span, late LateCard) {
	for _, s := range spans {
		o.Line.Waits[s.Entry] += s.End - s.Start
		if s.Entry == ledger.Skew && late.Inst != nil {
			c.Lost.add(late.Card, s.Start, s.End)
			if o.Line.For == nil {
				o.Line.For = map[LateCard]uint64{}
			}
			o.Line.For[late] += s.End - s.Start
		}
	}
	if o.Part.Call.Code == isa.OpSyncNVLink {
		if ln := o.Line; ln.by == o.l && (ln.Period == 0 || c.Now-ln.released < ln.Period) {
			ln.Period = c.Now - ln.released
		}
		o.Line.released, o.Line.by = c.Now, o.l
		o.l.synced(o, c.Now)
	}
	for _, sw := range o.Part.Warps {
		sw.Timing.(*Warp).wait(spans, c.History)
	}
	o.l.note(spans)
	c.pass(o, c.Now)
}

func (c *Card) line(part *operator.Part, step int, now uint64) *Line {
	in := part.Call.Op.Inst
	l := c.lines[in]
	if l == nil {
		l = &Line{Func: part.Call.Op.Func, Inst: in, First: now}
		c.lines[in] = l
	}
	l.Count++
	l.Starts = append(l.Starts, now)
	l.Steps = append(l.Steps, step)
	l.Bytes = operator.Bytes(&part.Call)
	return l
}

// Lines returns the operator lines that ran on the card, in the order of their first start.
func (c *Card) Lines() []*Line {
	var lines []*Line
	for _, l := range c.lines {
		lines = append(lines, l)
	}
	sort.Slice(lines, func(i, j int) bool {
		if lines[i].First != lines[j].First {
			return lines[i].First < lines[j].First
		}
		return lines[i].Inst.OpPos < lines[j].Inst.OpPos
	})
	return lines
}

// group returns the cards that an operation spans.
func (c *Card) group(l *launch, part *operator.Part) ([]int, *state.Fault) {
	group, message, hint := operator.GroupOf(&part.Call, l.Group, c.Groups, c.Index)
	if message != "" {
		return nil, part.Fault(message, hint)
	}
	return group, nil
}

// OperationFault ends the run with a fault at an operation's line.
func (c *Card) OperationFault(o *Operation, message, hint string) {
	c.fail(o.Part.Fault(message, hint))
}
