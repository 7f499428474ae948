package vm

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sort"

	"github.com/tollgate-sim/tollgate/vm/internal/fabric"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// rules say which of a program's executions a run is.
type rules struct {
	functional bool
	sm.Rules
	silent bool
	median *median // nil: every card as it is
}

// run is one execution of a node's steps.
type run struct {
	opt   Options
	rules rules
	node  *state.Node
	cards []*sm.Card // timed runs
	real  *fabric.Fabric
	ideal *fabric.Ideal
	still *functionalRun

	quanta  uint64
	version uint64 // state of all memory at the last look, and since when it and what the warps wait for is the same
	changed uint64
}

var uninitModes = map[string]state.UninitMode{
	"": state.UninitCount, "count": state.UninitCount, "off": state.UninitOff, "error": state.UninitError,
}

func newRun(opt Options, rules rules) *run {
	m := opt.Machine
	r := &run{opt: opt, rules: rules, node: &state.Node{ClockMHz: m.ClockMHz, SMs: m.Card.SMs, WarpsPerSM: m.Card.ThreadsPerSM / 32,
		Multicast: m.Fabric.Multicast}}
	for i := range opt.Cards {
		own := memory.NewCard(i)
		own.Holds = uint64(m.Card.MemoryBytes)
		c := &state.Card{Index: i, Node: r.node, Memory: own, Uninit: uninitModes[opt.Uninit], Timed: !rules.functional,
			Direct: rules.functional || rules.Ideal}
		c.Stdout = &cardOutput{run: r, card: c}
		r.node.Cards = append(r.node.Cards, c)
	}
	if rules.functional {
		r.still = newFunctionalRun(r)
		return r
	}
	var f sm.Fabric
	if rules.Ideal {
		r.ideal = fabric.NewIdeal()
		f = r.ideal
	} else {
		r.real = fabric.New(m, opt.NoRelay)
		f = r.real
	}
	for i, c := range r.node.Cards {
		t := sm.New(i, c, m, rules.Rules, f)
		t.History = opt.Cards > 1 && !rules.Ideal
		t.Groups = map[int][]int{}
		t.Trace, t.Sampling = opt.Path && !rules.silent, opt.Numerics && !rules.silent
		r.cards = append(r.cards, t)
		if rules.Ideal {
			r.ideal.Attach(t)
		} else {
			r.real.Attach(t)
		}
	}
	rules.median.begin(r)
	return r
}

func (r *run) group(id int, cards []int) {
	if r.still != nil {
		r.still.groups[id] = cards
	}
	for _, c := range r.cards {
		c.Groups[id] = cards
	}
}

func (r *run) tenant(card int, egress bool, num, den uint64) {
	if r.real != nil {
		r.real.TakeShare(card, egress, num, den)
	}
}

func (r *run) delay(card int, stream string, cycles uint64) {
	if r.still == nil {
		r.cards[card].Delay(stream, cycles)
	}
}

func (r *run) hold(card int, stream string) {
	if r.still != nil {
		r.still.hold(card, stream)
		return
	}
	r.cards[card].Hold(stream)
}

func (r *run) resume(card int, stream string) {
	if r.still != nil {
		r.still.resume(card, stream)
		return
	}
	r.cards[card].Resume(stream)
}

func (r *run) record(card int, stream string, event int) {
	if r.still != nil {
		r.still.record(card, stream, event)
		return
	}
	r.cards[card].Record(stream, event)
}

func (r *run) wait(card int, stream string, event int) {
	if r.still != nil {
		r.still.wait(card, stream, event)
		return
	}
	r.cards[card].Wait(stream, event)
}

func (r *run) launch(owner int, stream string, l *state.Launch) {
	if r.still != nil {
		r.still.launch(stream, l)
		return
	}
	r.rules.median.launch(r, l.Card.Index, owner, stream)
	r.cards[l.Card.Index].Launch(l, owner, stream)
}

// left reports whether any step has not ended.
func (r *run) left() bool {
	if r.still != nil {
		return r.still.left()
	}
	for _, c := range r.cards {
		if c.Left() > 0 {
			return true
		}
	}
	return false
}

// drain runs until all steps have ended.
func (r *run) drain(ctx context.Context) error {
	defer r.print()
	switch {
	case r.still != nil:
		return r.still.drain(ctx)
	case r.rules.Ideal:
		return r.drainIdeal(ctx)
	}
	return r.drainTimed(ctx)
}

// alone is how far a single card runs between two looks at the context: about a second of host time when all its SMs
// are busy, so that Ctrl-C is heeded.
const alone = 1 << 12

// drainTimed lets the cards run in lockstep, a quantum at a time: within one they do not see each other.
func (r *run) drainTimed(ctx context.Context) error {
	quantum := r.real.Quantum()
	if len(r.cards) == 1 {
		quantum = alone
	}
	if q := r.opt.Quantum; q > 0 {
		quantum = min(quantum, q)
	}
	work := r.crew()
	defer work.stop()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := sm.Never
		for _, c := range r.cards {
			start = min(start, c.Next())
		}
		if start == sm.Never {
			break
		}
		if most := r.most(); start >= most {
			return r.tooLong(most)
		}
		work.until(start + quantum)
		r.real.Exchange()
		if f := r.fault(); f != nil {
			return f
		}
		if r.quanta++; r.quanta%64 == 0 {
			r.tidy()
			if r.hopeless(start) {
				return r.deadlock()
			}
		}
	}
	return r.ended()
}

// ended checks that nothing is left when nothing can happen any more, and puts all host threads at the same cycle.
func (r *run) ended() error {
	if r.left() {
		return r.deadlock()
	}
	var end uint64
	for _, c := range r.cards {
		end = max(end, c.End())
	}
	for _, c := range r.cards {
		c.Synchronized(end)
	}
	return nil
}

// fault returns the earliest fault, of the lowest card.
func (r *run) fault() (f *state.Fault) {
	at := sm.Never
	for _, c := range r.cards {
		if c.Fault != nil && c.Now < at {
			f, at = c.Fault, c.Now
		}
	}
	return f
}

// tidy makes accounts final and forgets histories nobody can ask for any more.
func (r *run) tidy() {
	oldest := sm.Never
	for _, c := range r.cards {
		oldest = min(oldest, c.Waiting())
		c.Close()
	}
	for _, c := range r.cards {
		c.Prune(oldest)
	}
}

// patience is for how many cycles all warps may poll in vain, with no memory changing, before that counts as a
// deadlock: longer than any message is under way.
const patience = 1 << 21

// hopeless reports that nothing can change any more although warps still poll other cards' memory.
func (r *run) hopeless(now uint64) bool {
	version := r.node.MemoryVersion()
	if version != r.version || r.real.Copying() || slices.ContainsFunc(r.cards, func(c *sm.Card) bool { return !c.Hopeless() }) {
		r.version, r.changed = version, now
		return false
	}
	return now-r.changed > patience
}

// horizon is the cycle that no run gets beyond: with it, no sum of cycles of a machine file or a queue overflows.
const horizon = 1 << 42

// most is the cycle at which the run ends with a fault.
func (r *run) most() uint64 {
	if r.opt.MaxCycles > 0 {
		return min(r.opt.MaxCycles, horizon)
	}
	return horizon
}

func (r *run) tooLong(most uint64) error {
	return &state.Fault{Kind: state.FaultMaxCycles, Message: fmt.Sprintf("not over after %d cycles", most), Hint: r.stuck().Lines()}
}

// crew runs cards on host threads, a quantum at a time.
type crew struct {
	cards []*sm.Card
	start []chan uint64
	done  guard
}

func (r *run) crew() *crew {
	threads := r.opt.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	w := &crew{cards: r.cards}
	if threads = min(threads, len(r.cards)); threads > 1 {
		for t := range threads {
			start := make(chan uint64, 1)
			w.start = append(w.start, start)
			go func() {
				for until := range start {
					w.turn(t, threads, until)
				}
			}()
		}
	}
	return w
}

func (w *crew) until(cycle uint64) {
	if len(w.start) == 0 {
		for _, c := range w.cards {
			c.Run(cycle)
		}
		return
	}
	w.done.group.Add(len(w.start))
	for _, s := range w.start {
		s <- cycle
	}
	w.done.Wait()
}

// turn runs a thread's cards.
func (w *crew) turn(first, step int, until uint64) {
	defer w.done.group.Done()
	w.done.call(func() {
		for i := first; i < len(w.cards); i += step {
			w.cards[i].Run(until)
		}
	})
}

func (w *crew) stop() {
	for _, s := range w.start {
		close(s)
	}
}

// printed is one piece of device printf.
type printed struct {
	cycle uint64
	card  int
	text  string
}

// cardOutput collects a card's device printf. Only its card writes to it while cards run apart.
type cardOutput struct {
	run   *run
	card  *state.Card
	lines []printed
}

func (o *cardOutput) Write(p []byte) (int, error) {
	o.lines = append(o.lines, printed{o.card.Now, o.card.Index, string(p)})
	return len(p), nil
}

// print brings device printf out, merged by (cycle, card).
func (r *run) print() {
	var all []printed
	for _, c := range r.node.Cards {
		o := c.Stdout.(*cardOutput)
		all = append(all, o.lines...)
		o.lines = nil
	}
	if r.rules.silent || r.opt.Stdout == nil {
		return
	}
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].cycle != all[j].cycle {
			return all[i].cycle < all[j].cycle
		}
		return all[i].card < all[j].card
	})
	for _, p := range all {
		io.WriteString(r.opt.Stdout, p.text)
	}
}
