package sm

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Stuck is a place at which warps of a card wait.
type Stuck struct {
	Card   int
	Kernel string
	Warps  int
	Func   *isa.Func
	Pos    isa.Pos
	Why    string
}

// String returns the line of a deadlock report.
func (s Stuck) String() string {
	at := ""
	if s.Func != nil {
		at = " at " + s.Func.Source.At(s.Pos)
	}
	if s.Warps == 0 {
		return fmt.Sprintf("card %d: %s %s", s.Card, s.Kernel, s.Why)
	}
	return fmt.Sprintf("card %d: %s, %d warp(s)%s: %s", s.Card, s.Kernel, s.Warps, at, s.Why)
}

// Stuck returns what the card's warps and steps wait for, in order.
func (c *Card) Stuck() (out []Stuck) {
	add := func(s Stuck) {
		for i := range out {
			if x := &out[i]; x.Kernel == s.Kernel && x.Pos == s.Pos && x.Func == s.Func && x.Why == s.Why {
				x.Warps += s.Warps
				return
			}
		}
		out = append(out, s)
	}
	for i := range c.sms {
		for _, w := range c.sms[i].warps {
			op := w.stands()
			s := Stuck{Card: c.Index, Kernel: w.launch.Name, Warps: 1, Pos: isa.NoPos, Why: c.whyStuck(w)}
			if op != nil {
				s.Func, s.Pos = op.Func, op.Inst.OpPos
			}
			add(s)
		}
	}
	for _, l := range c.unplaced {
		add(Stuck{Card: c.Index, Kernel: l.Name, Pos: isa.NoPos, Why: fmt.Sprintf("has %d CTAs that find no room%s", l.CTAs()-l.Next, c.besideGate())})
	}
	for _, row := range c.host.rows {
		if !row.Ended && row.Start == 0 && !started(c, row) {
			add(Stuck{Card: c.Index, Kernel: row.Launch.Name, Pos: isa.NoPos, Why: "has not started: its stream or an earlier operator launch is not over"})
		}
	}
	return out
}

func started(c *Card, row *LaunchRow) bool { return row.Launch.Next > 0 || row.Launch.Done }

func (c *Card) besideGate() string {
	if c.gate.shut() {
		return " beside a launch whose mma waits behind the shut gate"
	}
	return ""
}

// stands returns the operation that a warp stands at.
func (w *Warp) stands() *state.Op {
	if w.next != nil && w.waits != waitsForCTA {
		return w.next
	}
	for _, f := range w.Frags {
		if int(f.PC) < len(w.Prog.Ops) {
			return &w.Prog.Ops[f.PC]
		}
	}
	return nil
}

func (c *Card) whyStuck(w *Warp) string {
	switch w.waits {
	case waitsForOperatorStart:
		return fmt.Sprintf("waits for %d more warp(s) of its card to come to the operator", w.launch.tracker.Missing())
	case waitsForOperatorEnd:
		if missing := c.Fabric.Missing(c, w.Warp); missing != "" {
			return missing
		}
		return "waits for other cards of its group"
	case waitsForGate:
		if c.gate.open != nil {
			return fmt.Sprintf("its mma waits behind the gate, which %s holds shut", c.gate.open.launch.Name)
		}
		return "gate never opened: its mma waits for resume_tensor_core"
	case waitsForFence:
		return "waits for its posted traffic to be acknowledged"
	case waitsForWrite:
		return "polls memory that nobody writes any more"
	case waitsForMemory:
		return "waits for another card's memory"
	case waitsForCTA:
		return "waits at a barrier for threads that never come"
	}
	return "could run"
}
