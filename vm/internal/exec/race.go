package exec

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Races in shared memory (--race). Every access gets a stamp, and every thread is known to know what others did up to
// some stamp: a barrier of the CTA hands on what its warps did, bar.warp.sync what its lanes did, and an atomic, volatile
// or otherwise strong access to a location what those did who wrote it so before. Two accesses to a byte, one of them a
// plain write, race if the later thread does not know of the earlier access. Decode wraps the operations that matter;
// without --race nothing of this exists.

// raceLog is what is known about the accesses of a CTA that is resident.
type raceLog struct {
	stamp    uint64
	warps    [][]uint64          // [knower][of]: stamps, warp by warp
	lanes    [][32][32]uint64    // [warp][knower][of]: within a warp
	ran      [][32][32]uint64    // likewise, of what is over though nothing ordered memory: .sync instructions
	strong   map[uint64][]uint64 // what each location hands on, by address
	arrivals [16][]arrival       // at each barrier
	words    []shadowWord        // of shared memory
	copies   map[int]*copies     // cp.async, by thread
}

// arrival is a warp that has come to a barrier, with what it knew.
type arrival struct {
	warp  int
	stamp uint64
	known []uint64
}

// shadowWord is four bytes of shared memory, that mostly are accessed together.
type shadowWord struct {
	shadow            // of all four
	split  *[4]shadow // of each, where they are not; nil: they are
}

// shadow is the accesses to a byte or word that a later one may race with.
type shadow struct {
	write touch
	reads []touch
}

// touch is an access by one lane, or a read by several lanes at once.
type touch struct {
	op     *state.Op
	stamp  uint64
	lanes  uint32
	warp   int32
	strong bool
	copy   *copyGroup // of cp.async; nil: the access is over
}

// maxReads bounds the reads that are remembered for a byte; beyond it the oldest are forgotten.
const maxReads = 64

// watchRaces wraps the operations that touch shared memory or order those that do.
func watchRaces(p *state.Program) {
	for i := range p.Ops {
		op := &p.Ops[i]
		run, look := op.Run, lookFor(op)
		if look == nil {
			continue
		}
		op.Run = func(w *state.Warp, op *state.Op) state.Signal {
			look(raceOf(w.CTA), w, op)
			return run(w, op)
		}
	}
}

// lookFor says what to do before an operation; nil: nothing.
func lookFor(op *state.Op) func(*raceLog, *state.Warp, *state.Op) {
	switch x := op.Extra.(type) {
	case *access:
		if x.space == isa.SpaceShared || x.space == isa.SpaceGeneric || x.space == isa.SpaceGlobal && strong(op.Inst, x) {
			return func(r *raceLog, w *state.Warp, op *state.Op) { r.access(w, op, x, w.Active) }
		}
	case *asyncCopy:
		return func(r *raceLog, w *state.Warp, op *state.Op) { r.access(w, op, x.to, w.Active) }
	case *matrices:
		return func(r *raceLog, w *state.Warp, op *state.Op) {
			r.access(w, op, x.access, uint32(1<<(8*len(x.regs))-1)&w.Live)
		}
	case *mbarrierOp:
		copies := lookForCopies(op)
		return func(r *raceLog, w *state.Warp, op *state.Op) {
			if copies != nil {
				copies(r, w, op)
			}
			for m := w.Active; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m)
				r.handOn(w, l, x.address(w, l), true, true)
			}
		}
	case *barrier:
		return func(r *raceLog, w *state.Warp, op *state.Op) {
			if id := w.Src32(op.A)[bits.TrailingZeros32(w.Active)]; id < uint32(len(r.arrivals)) {
				known := append([]uint64(nil), r.warps[w.Index]...)
				r.arrivals[id] = append(r.arrivals[id], arrival{w.Index, r.stamp, known})
			}
		}
	}
	switch {
	case op.Hidden:
	case op.Inst.Op == isa.OpBarWarpSync:
		return func(r *raceLog, w *state.Warp, op *state.Op) { r.warpSync(w, w.Active) }
	case op.Kind == state.WarpSync || op.Sync == state.SlotAllLanes:
		return func(r *raceLog, w *state.Warp, op *state.Op) { r.meet(&r.ran[w.Index], w.Active) }
	}
	return lookForCopies(op)
}

// strong reports whether an access takes part in synchronisation (PTX ISA, "Memory Consistency Model": strong operations).
func strong(inst *isa.Inst, a *access) bool {
	if a.update != nil || a.pair != nil {
		return true
	}
	for _, m := range []isa.Mod{isa.ModVolatile, isa.ModRelaxed, isa.ModAcquire, isa.ModRelease, isa.ModAcqRel, isa.ModMmio} {
		if inst.Has(m) {
			return true
		}
	}
	return false
}

// raceOf returns a CTA's log.
func raceOf(c *state.CTA) *raceLog {
	if r, ok := c.Race.(*raceLog); ok {
		return r
	}
	r := &raceLog{warps: make([][]uint64, len(c.Warps)), lanes: make([][32][32]uint64, len(c.Warps)), ran: make([][32][32]uint64, len(c.Warps)),
		strong: map[uint64][]uint64{}, words: make([]shadowWord, (len(c.Shared)+3)/4)}
	for i := range r.warps {
		r.warps[i] = make([]uint64, len(c.Warps))
	}
	c.Race = r
	return r
}

// learn adds stamps to what is known.
func learn(known, more []uint64) {
	for i, stamp := range more {
		known[i] = max(known[i], stamp)
	}
}

// handOn lets a strong access take over what the location hands on, and add to it.
func (r *raceLog) handOn(w *state.Warp, lane int, addr uint64, reads, writes bool) {
	if addr-memory.SharedWindow < memory.WindowSize {
		addr -= memory.SharedWindow
	}
	known := r.warps[w.Index]
	had := r.strong[addr]
	if had != nil && reads {
		learn(known, had)
		for m := range 32 {
			r.lanes[w.Index][lane][m] = max(r.lanes[w.Index][lane][m], had[w.Index])
			r.ran[w.Index][lane][m] = max(r.ran[w.Index][lane][m], had[w.Index])
		}
	}
	if writes {
		if had == nil {
			had = make([]uint64, len(known))
			r.strong[addr] = had
		}
		learn(had, known)
		had[w.Index] = r.stamp
	}
}

// warpSync orders the lanes that have met.
func (r *raceLog) warpSync(w *state.Warp, met uint32) {
	r.meet(&r.lanes[w.Index], met)
	r.meet(&r.ran[w.Index], met)
}

// meet lets lanes know what each of them did or knows.
func (r *raceLog) meet(lanes *[32][32]uint64, met uint32) {
	var joint [32]uint64
	for m := met; m != 0; m &= m - 1 {
		learn(joint[:], lanes[bits.TrailingZeros32(m)][:])
	}
	for m := met; m != 0; m &= m - 1 {
		joint[bits.TrailingZeros32(m)] = r.stamp
	}
	for m := met; m != 0; m &= m - 1 {
		lanes[bits.TrailingZeros32(m)] = joint
	}
}

// opened orders what came before a barrier of the CTA with what its waiting warps do next.
func (r *raceLog) opened(id int, waiting []state.BarrierWait) {
	if len(waiting) == 0 { // those who arrived have exited since; who comes later still learns of them
		return
	}
	joint := make([]uint64, len(r.warps))
	for _, a := range r.arrivals[id] {
		learn(joint, a.known)
		joint[a.warp] = max(joint[a.warp], a.stamp)
	}
	r.arrivals[id] = r.arrivals[id][:0]
	for _, wait := range waiting {
		learn(r.warps[wait.Warp.Index], joint)
		r.warpSync(wait.Warp, allLanes)
	}
}

// access looks for races of the lanes' accesses and remembers them.
func (r *raceLog) access(w *state.Warp, op *state.Op, a *access, active uint32) {
	r.stamp++
	atomic := a.update != nil || a.pair != nil
	isStrong := strong(op.Inst, a)
	reads, writes := a.load || atomic, a.store || atomic
	size := uint64(a.size * a.count)
	for m := active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		addr := a.address(w, l)
		if isStrong {
			r.handOn(w, l, addr, reads, writes)
		}
		if a.space == isa.SpaceGlobal || a.space == isa.SpaceGeneric && addr-memory.SharedWindow >= memory.WindowSize {
			continue
		}
		if addr >= memory.SharedWindow {
			addr -= memory.SharedWindow
		}
		end := addr + size
		if end > uint64(len(w.CTA.Shared)) || end < addr {
			continue // a fault will tell
		}
		now := touch{op: op, stamp: r.stamp, lanes: 1 << l, warp: int32(w.Index), strong: isStrong}
		if _, ok := op.Extra.(*asyncCopy); ok {
			now.copy = r.copiesOf(w, l).open
		}
		see := seen{r: r, w: w, op: op, a: a, lane: l, now: now, writes: writes, atomic: atomic}
		for i := addr; i < end; {
			word := &r.words[i>>2]
			whole := i&3 == 0 && end-i >= 4
			if whole && word.split == nil {
				see.check(&word.shadow, i, 4)
				i += 4
				continue
			}
			if word.split == nil {
				word.split = &[4]shadow{}
				for k := range word.split {
					word.split[k] = shadow{word.write, slices.Clone(word.reads)}
				}
			}
			see.check(&word.split[i&3], i, 1)
			if i++; i&3 == 0 && writes && i >= addr+4 { // all four are alike again
				word.shadow, word.split = shadow{write: now}, nil
			}
		}
	}
}

// seen is one lane's access on its way through the shadows of its bytes.
type seen struct {
	r              *raceLog
	w              *state.Warp
	op             *state.Op
	a              *access
	lane           int
	now            touch
	writes, atomic bool
}

// check compares the access with those before it to n bytes from at on, and enters it.
func (s *seen) check(b *shadow, at uint64, n int) {
	r, w := s.r, s.w
	if !r.knows(w, s.lane, &b.write, &r.lanes[w.Index]) && !(s.now.strong && b.write.strong) && !(s.writes && !s.atomic && s.sameValue(&b.write, at, n)) {
		r.report(w, s.lane, &s.now, &b.write, at, s.writes, true)
	}
	if !s.writes {
		r.read(w, s.lane, b, s.now)
		return
	}
	for j := range b.reads {
		if t := &b.reads[j]; !r.knows(w, s.lane, t, &r.ran[w.Index]) && !(s.now.strong && t.strong) && t.stamp != r.stamp {
			r.report(w, s.lane, &s.now, t, at, true, false)
		}
	}
	b.write, b.reads = s.now, b.reads[:0]
}

// knows reports whether a lane knows of an access, or made it itself. A read is over when the reader has come to a .sync
// instruction; a write need not be seen then.
func (r *raceLog) knows(w *state.Warp, lane int, t *touch, lanes *[32][32]uint64) bool {
	if t.op == nil {
		return true
	}
	stamp := t.stamp
	if t.copy != nil {
		if !t.copy.done {
			return false
		}
		stamp = t.copy.stamp
	}
	if int(t.warp) != w.Index {
		return stamp <= r.warps[w.Index][t.warp]
	}
	for m := t.lanes &^ (1 << lane); m != 0; m &= m - 1 {
		if stamp > lanes[lane][bits.TrailingZeros32(m)] {
			return false
		}
	}
	return true
}

// read remembers a read. Reads that it knows of are dropped: a write that races with one of them races with this one.
func (r *raceLog) read(w *state.Warp, lane int, b *shadow, now touch) {
	kept := b.reads[:0]
	for _, t := range b.reads {
		switch {
		case t.stamp == now.stamp && t.op == now.op:
			now.lanes |= t.lanes
		case !r.knows(w, lane, &t, &r.ran[w.Index]):
			kept = append(kept, t)
		}
	}
	if len(kept) >= maxReads {
		kept = append(kept[:0], kept[1:]...)
	}
	b.reads = append(kept, now)
}

// sameValue reports whether a store writes the bytes that an earlier one wrote: nobody can tell which came last.
func (s *seen) sameValue(t *touch, at uint64, n int) bool {
	if len(s.a.data) != s.a.count || s.op.Inst.Op != isa.OpSt {
		return false
	}
	for i := at; i < at+uint64(n); i++ {
		now, ok := s.byteOf(s.lane, i)
		then, same := s.w.CTA.Shared[i], true // an earlier store is over, and memory has its value
		if t.stamp == s.r.stamp {
			then, same = s.byteOf(bits.TrailingZeros32(t.lanes), i)
		}
		if !ok || !same || now != then {
			return false
		}
	}
	return true
}

// byteOf is what a lane of the store is about to write at an address.
func (s *seen) byteOf(lane int, at uint64) (byte, bool) {
	addr := s.a.address(s.w, lane)
	if addr >= memory.SharedWindow {
		addr -= memory.SharedWindow
	}
	i := int(at - addr)
	if i < 0 || i >= s.a.size*s.a.count {
		return 0, false
	}
	return byte(s.a.data[i/s.a.size].value(s.w, lane) >> (8 * (i % s.a.size))), true
}

// report notes a race, once for each pair of lines.
func (r *raceLog) report(w *state.Warp, lane int, now, then *touch, at uint64, writes, wrote bool) {
	card := w.CTA.Card
	if card.Races == nil {
		card.Races = &state.Races{Seen: map[[2]*isa.Inst]bool{}}
	}
	pair := [2]*isa.Inst{now.op.Inst, then.op.Inst}
	if card.Races.Seen[pair] || card.Races.Seen[[2]*isa.Inst{pair[1], pair[0]}] {
		return
	}
	card.Races.Seen[pair] = true
	verb := map[bool]string{false: "read", true: "written"}
	who := threadIndex(w.CTA.Launch, w.Index*32+lane)
	earlier := threadIndex(w.CTA.Launch, int(then.warp)*32+bits.TrailingZeros32(then.lanes&^r.self(w, lane, then)))
	why := "nothing orders the two: a barrier is missing between them"
	if then.copy != nil && !then.copy.done {
		why = "that copy need not be over: cp.async.wait_group is missing between them"
	}
	card.Races.List = append(card.Races.List, state.Race{Func: now.op.Func, Inst: now.op.Inst, Other: then.op.Inst,
		Message: fmt.Sprintf("shared-memory race: thread (%d,%d,%d) of CTA (%d,%d,%d) has byte %d %s here, which thread (%d,%d,%d) has %s at %s; %s",
			who[0], who[1], who[2], w.CTA.ID[0], w.CTA.ID[1], w.CTA.ID[2], at, verb[writes],
			earlier[0], earlier[1], earlier[2], verb[wrote], then.op.Func.Source.At(then.op.Inst.OpPos), why)})
}

// self is the lane itself, where it belongs to the earlier access too.
func (r *raceLog) self(w *state.Warp, lane int, t *touch) uint32 {
	if int(t.warp) == w.Index && t.lanes != 1<<lane {
		return 1 << lane
	}
	return 0
}

// barrierOpened tells the log of a CTA, if it has one, that a barrier lets its warps go.
func barrierOpened(c *state.CTA, b *state.BarrierState) {
	r, ok := c.Race.(*raceLog)
	if !ok {
		return
	}
	for id := range c.Barriers {
		if &c.Barriers[id] == b {
			r.opened(id, b.Waiting)
		}
	}
}

// lanesMet tells the log of a CTA, if it has one, that lanes have met at bar.warp.sync operations at different places.
func lanesMet(w *state.Warp, met uint32) {
	if r, ok := w.CTA.Race.(*raceLog); ok {
		r.warpSync(w, met)
	}
}
