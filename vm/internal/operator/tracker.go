// Package operator holds the collective rules of the article's operators: who has to come before an operation
// starts (a card's warps, in the same order), what a copy leaves at its receivers, and how a reduction folds.
// It has no clock: the timed and the functional engine both ask it.
package operator

import (
	"fmt"
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Tracker pairs the operators of a launch on one card: the k-th of one warp belongs with the k-th of all others.
type Tracker struct {
	total   int // warps of the grid
	exited  int
	passed  map[*state.Warp]int // operators that a warp has come to
	first   int                 // k of steps[0]
	steps   []*Step
	Started int // operations started so far
}

// Step is the k-th operator of a launch on one card.
type Step struct {
	K     int
	Op    *state.Op
	Warps []*state.Warp // that have come, in order of arrival
	Parts []*Part       // set once the step starts
	Last  *state.Warp   // the warp whose arrival or exit completed it
}

// Part is one operation: the warps of a step that gave equal operands.
type Part struct {
	Step  *Step
	Call  state.OperatorCall
	Warps []*state.Warp
}

// NewTracker returns the tracker of a launch with that many warps over all its CTAs.
func NewTracker(warps int) *Tracker {
	return &Tracker{total: warps, passed: map[*state.Warp]int{}}
}

// Arrive notes that a warp has come to an operator (Warp.Operator). It returns the step when this completes it.
func (t *Tracker) Arrive(w *state.Warp) (*Step, *state.Fault) {
	k := t.passed[w]
	t.passed[w] = k + 1
	for k-t.first >= len(t.steps) {
		t.steps = append(t.steps, &Step{K: t.first + len(t.steps)})
	}
	s := t.steps[k-t.first]
	if s.Op == nil {
		s.Op = w.Operator.Op
	} else if s.Op.Inst != w.Operator.Op.Inst {
		return nil, t.mismatch(s, w)
	}
	s.Warps = append(s.Warps, w)
	return t.complete(w), nil
}

// Exit notes that a warp has exited: it counts as having come to all that follow.
func (t *Tracker) Exit(w *state.Warp) *Step {
	t.exited++
	return t.complete(w)
}

// Waiting returns the step that warps of this card wait at for others of the card, or nil.
func (t *Tracker) Waiting() *Step {
	if len(t.steps) > 0 {
		return t.steps[0]
	}
	return nil
}

// Missing returns how many warps of the card have yet to come to the step that is waited for.
func (t *Tracker) Missing() int {
	if len(t.steps) == 0 {
		return 0
	}
	return t.total - t.exited - len(t.steps[0].Warps)
}

func (t *Tracker) complete(last *state.Warp) *Step {
	if len(t.steps) == 0 || len(t.steps[0].Warps)+t.exited < t.total {
		return nil
	}
	s := t.steps[0]
	t.steps = t.steps[1:]
	t.first++
	t.Started++
	s.Last = last
	s.split()
	return s
}

// split forms the operations of a step, in (CTA, warp) order of their first warps.
func (s *Step) split() {
	sortWarps(s.Warps)
	for _, w := range s.Warps {
		var part *Part
		for _, p := range s.Parts {
			if sameOperands(&p.Call, &w.Operator) {
				part = p
			}
		}
		if part == nil {
			part = &Part{Step: s, Call: w.Operator}
			s.Parts = append(s.Parts, part)
		}
		part.Warps = append(part.Warps, w)
	}
}

func sameOperands(a, b *state.OperatorCall) bool {
	return a.Src == b.Src && a.Dst == b.Dst && a.Count == b.Count && a.Group == b.Group
}

func (t *Tracker) mismatch(s *Step, w *state.Warp) *state.Fault {
	other := s.Warps[0]
	otherAt := s.Op.Func.Source.At(s.Op.Inst.OpPos)
	op := w.Operator.Op
	return &state.Fault{
		Kind: state.FaultOperator,
		Message: fmt.Sprintf("operator %d of the launch is %s here for warp %d of CTA %d, but %s at %s for warp %d of CTA %d",
			s.K+1, op.Inst.Op, w.Index, w.CTA.Index, s.Op.Inst.Op, otherAt, other.Index, other.CTA.Index),
		Hint:   "operators are collective: every warp of the launch executes the same operators in the same order",
		Func:   op.Func,
		Pos:    op.Inst.OpPos,
		Kernel: w.CTA.Launch.Name,
		Card:   w.CTA.Card.Index,
		CTA:    w.CTA.ID,
	}
}

func sortWarps(ws []*state.Warp) {
	// Arrival order is nearly sorted: insertion sort.
	for i := 1; i < len(ws); i++ {
		for j := i; j > 0 && before(ws[j], ws[j-1]); j-- {
			ws[j], ws[j-1] = ws[j-1], ws[j]
		}
	}
}

func before(a, b *state.Warp) bool {
	if a.CTA.Index != b.CTA.Index {
		return a.CTA.Index < b.CTA.Index
	}
	return a.Index < b.Index
}

// Bytes returns the length in bytes of what a copy or reduce works on.
func Bytes(c *state.OperatorCall) uint64 { return c.Count * uint64(c.Type.Bytes()) }

// Waits reports whether a warp waits at the operator until it ends, not only until it starts.
func Waits(op isa.Opcode) bool { return op == isa.OpReduce || op == isa.OpSyncNVLink }

// GroupOf returns the cards that an operation spans: the launch's own group, or for sync.nvlink the numbered one. A
// message that is not empty says why it can't be.
func GroupOf(call *state.OperatorCall, own []int, numbered map[int][]int, self int) (group []int, message, hint string) {
	group = own
	if call.Code == isa.OpSyncNVLink && call.Group != 0 {
		var ok bool
		if group, ok = numbered[int(call.Group)]; !ok {
			return nil, fmt.Sprintf("there is no group %d", call.Group), "groups are numbered from 1 in the order of their creation; 0 is the launch's own"
		}
	}
	if !slices.Contains(group, self) {
		return nil, fmt.Sprintf("card %d is not in the group %v", self, group), "launch on the cards of the group only"
	}
	return group, "", ""
}

// Fault is a fault at an operation's line.
func (p *Part) Fault(message, hint string) *state.Fault {
	op, w := p.Call.Op, p.Warps[0]
	return &state.Fault{Kind: state.FaultOperator, Message: message, Hint: hint, Func: op.Func, Pos: op.Inst.OpPos,
		Kernel: w.CTA.Launch.Name, Card: w.CTA.Card.Index, CTA: w.CTA.ID}
}

// RelayHint says what to do where relaying was forbidden.
const RelayHint = "run without --no-relay, or on a machine with NVLink"

// NotRelayed is the message of an operator on a machine without NVLink when relaying was forbidden.
func NotRelayed(machine string) string {
	return machine + " has no NVLink, and relaying through the host is switched off"
}

// Relayed is the warning of an operator on a machine without NVLink.
func Relayed(machine string) string {
	return machine + " has no NVLink: the host relays the operators at PCIe speed"
}
