package sm

import (
	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/operator"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// launch is a launch in time.
type launch struct {
	*state.Launch
	Owner   int // the launch step: the same on all cards
	stream  *stream
	row     *LaunchRow
	need    need
	tracker *operator.Tracker
	window  *window // its latest
	places  *places
	left    uint64 // CTAs that have not ended
	started bool
}

// need is what one CTA takes of an SM.
type need struct{ threads, warps, registers, shared int }

// Need returns what a CTA of a launch takes of an SM of the card. Registers are allocated to warps in units
// (facts: hardware.tsv), shared memory with what the system keeps of it.
func Need(card *machine.Card, l *state.Launch) (n struct{ Threads, Warps, Registers, Shared int }) {
	n.Threads = l.Threads()
	n.Warps = (n.Threads + 31) / 32
	unit := max(1, card.RegisterUnit)
	perWarp := (l.Prog.Registers*32 + unit - 1) / unit * unit
	n.Registers = perWarp * n.Warps
	n.Shared = l.Prog.SharedStatic + l.SharedDynamic + card.SharedReserved
	return n
}

// Resident returns how many CTAs of a launch fit on an empty SM.
func Resident(card *machine.Card, l *state.Launch) int {
	n := Need(card, l)
	fit := card.CTAsPerSM
	for _, r := range [][2]int{{card.ThreadsPerSM, n.Warps * 32}, {card.RegistersPerSM, n.Registers}, {card.SharedPerSM, n.Shared}} {
		if r[1] > 0 {
			fit = min(fit, r[0]/r[1])
		}
	}
	return fit
}

// begin starts a launch: its CTAs are placed as room allows.
func (c *Card) begin(l *launch, now uint64) {
	l.started = true
	l.row.Start = now
	l.left = l.CTAs()
	n := Need(&c.Machine.Card, l.Launch)
	l.need = need{n.Threads, n.Warps, n.Registers, n.Shared}
	l.places = c.placesOf(l.Prog)
	l.tracker = operator.NewTracker(int(l.left) * n.Warps)
	c.unplaced = append(c.unplaced, l)
	c.place(now)
}

// place puts CTAs on SMs, launches in the order of their start, each CTA on the SM with the fewest (tie: the
// lowest), until none fits any more.
func (c *Card) place(now uint64) {
	for len(c.unplaced) > 0 {
		l := c.unplaced[0]
		for l.Next < l.CTAs() {
			s := c.room(l)
			if s == nil {
				return
			}
			c.placeCTA(l, s, now)
		}
		c.unplaced = c.unplaced[1:]
	}
}

// room returns the SM for the launch's next CTA, or nil.
func (c *Card) room(l *launch) *sm {
	m := &c.Machine.Card
	var best *sm
	for i := range c.sms {
		s := &c.sms[i]
		if s.ctas >= m.CTAsPerSM || s.threads+l.need.warps*32 > m.ThreadsPerSM || s.regs+l.need.registers > m.RegistersPerSM ||
			s.shared+l.need.shared > m.SharedPerSM {
			continue
		}
		if best == nil || s.ctas < best.ctas {
			best = s
			if s.ctas == 0 {
				break
			}
		}
	}
	return best
}

func (c *Card) placeCTA(l *launch, s *sm, now uint64) {
	if s.live == 0 {
		s.used = true
		c.settle(s, now)
	} else if s.upto < now {
		// Older warps are waiting: what they wait for is theirs up to here.
		w := s.warps[0]
		reason := w.late
		if w.waits != waitsNot {
			reason = cutOff(w)
		}
		c.gap = ledger.Fill(c.gap[:0], w.spans, s.upto, now, reason)
		for _, span := range c.gap {
			c.put(s, w.launch, span)
		}
		s.upto = now
	}
	s.tensor = s.tensor || l.Prog.Tensor
	cta := exec.StartCTA(l.Launch, l.Next, s.index)
	l.Next++
	l.Live++
	s.ctas++
	s.threads += l.need.warps * 32
	s.regs += l.need.registers
	s.shared += l.need.shared
	slots := l.Prog.Slots()
	boards := make([]uint64, slots*len(cta.Warps))
	whys := make([]ledger.Entry, slots*len(cta.Warps))
	per := c.Machine.Card.QuartersPerSM
	for i, sw := range cta.Warps {
		w := &Warp{Warp: sw, launch: l, sm: s, front: now, since: now, blocked: Never,
			board: boards[i*slots : (i+1)*slots : (i+1)*slots], why: whys[i*slots : (i+1)*slots : (i+1)*slots]}
		sw.Timing = w
		q := &c.quarters[s.index*per]
		for k := 1; k < per; k++ {
			if other := &c.quarters[s.index*per+k]; len(other.warps) < len(q.warps) {
				q = other
			}
		}
		w.quarter, w.place = q, len(q.warps)
		q.warps = append(q.warps, w)
		q.ready = append(q.ready, Never)
		q.unit = append(q.unit, 0)
		s.warps = append(s.warps, w)
		s.live++
		c.refresh(w)
	}
}

// exited takes a warp off its SM; with the CTA's last warp its room becomes free, with the grid's last CTA the
// launch ends.
func (c *Card) exited(w *Warp, now uint64) {
	l, s := w.launch, w.sm
	c.pollOver(w)
	w.quarter.remove(w)
	s.warps = without(s.warps, w)
	s.live--
	if step := l.tracker.Exit(w.Warp); step != nil {
		c.At(now+1, func(cycle uint64) { c.startStep(l, step, cycle) })
	}
	if w.CTA.LiveWarps > 0 {
		return
	}
	s.ctas--
	s.threads -= l.need.warps * 32
	s.regs -= l.need.registers
	s.shared -= l.need.shared
	l.Live--
	l.left--
	if w.CTA.InFlight == 0 { // else replies still come for its warps: no other CTA may take their registers over
		exec.EndCTA(w.CTA)
	}
	if l.left == 0 {
		c.At(now+1, func(cycle uint64) { c.drain(l, cycle) })
	}
	if len(c.unplaced) > 0 {
		c.At(now+1, c.place)
	}
}

// remove takes a warp off the quarter; the others keep their order.
func (q *quarter) remove(w *Warp) {
	i := w.place
	q.warps = append(q.warps[:i], q.warps[i+1:]...)
	q.ready = append(q.ready[:i], q.ready[i+1:]...)
	q.unit = append(q.unit[:i], q.unit[i+1:]...)
	for ; i < len(q.warps); i++ {
		q.warps[i].place = i
	}
}

func without(ws []*Warp, w *Warp) []*Warp {
	for i, x := range ws {
		if x == w {
			return append(ws[:i], ws[i+1:]...)
		}
	}
	return ws
}
