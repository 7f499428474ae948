package exec

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// slotHolder is an Op.Extra that names slots.
type slotHolder interface {
	slots(see func(slot *int32, write bool))
}

// visit shows every slot field of an operation; constants and unused fields (negative) are left out.
func visit(op *state.Op, see func(slot *int32, write bool)) {
	for _, s := range [...]*int32{&op.D, &op.D2} {
		if *s >= 0 {
			see(s, true)
		}
	}
	for _, s := range [...]*int32{&op.A, &op.B, &op.C, &op.E, &op.Guard, &op.Sync} {
		if *s >= 0 {
			see(s, false)
		}
	}
	list := func(slots []int32, write bool) {
		for i := range slots {
			if slots[i] >= 0 {
				see(&slots[i], write)
			}
		}
	}
	switch x := op.Extra.(type) {
	case *state.Vectors:
		list(x.A, false)
		list(x.B, false)
		list(x.C, false)
		list(x.E, false)
		list(x.D, true)
	case slotHolder:
		x.slots(see)
	}
}

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset      { return make(bitset, (n+63)/64) }
func (b bitset) has(i int32) bool { return b[i>>6]>>(i&63)&1 != 0 }
func (b bitset) add(i int32)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) each(see func(int32)) {
	for w, word := range b {
		for ; word != 0; word &= word - 1 {
			see(int32(w<<6 + bits.TrailingZeros64(word)))
		}
	}
}

// merge adds the members of other and reports whether any was new.
func (b bitset) merge(other bitset) bool {
	var grown uint64
	for i, w := range other {
		grown |= w &^ b[i]
		b[i] |= w
	}
	return grown != 0
}

// span is a piece of a live interval: positions [from, to). Operation i reads at 2i and writes at 2i+1, or at 2i when
// it may write before it has read everything.
type span struct{ from, to int32 }

// liveness is what the allocation and the search for polling loops need to know about a function.
type liveness struct {
	flow *flow
	in   []bitset // variables live at the start of each block that may have been written by then
	live [][]span // of each variable, ascending

	// Of each variable, while a block is looked at: where the value wanted further down ends, and where the block
	// writes it first; -1: neither.
	until, firstWrite []int32
}

// base maps the upper half of a 128-bit variable to the whole.
func (in *instance) base(v int32) int32 {
	if in.vars[v].width == 0 {
		return v - 1
	}
	return v
}

// analyse computes where each variable is live: where its value may be read later and may have been written. A
// guarded write does not end what was there before.
func (in *instance) analyse() *liveness {
	f := newFlow(in.ops)
	nb, nv := len(f.succ), len(in.vars)
	use, kill, def := make([]bitset, nb), make([]bitset, nb), make([]bitset, nb)
	liveIn, liveOut, defIn, defOut := make([]bitset, nb), make([]bitset, nb), make([]bitset, nb), make([]bitset, nb)
	for b := range nb {
		use[b], kill[b], def[b] = newBitset(nv), newBitset(nv), newBitset(nv)
		liveIn[b], liveOut[b], defIn[b], defOut[b] = newBitset(nv), newBitset(nv), newBitset(nv), newBitset(nv)
		for i := f.starts[b]; i < f.starts[b+1]; i++ {
			op := &in.ops[i]
			visit(op, func(slot *int32, write bool) {
				if v := in.base(*slot); !write && !kill[b].has(v) {
					use[b].add(v)
				}
			})
			visit(op, func(slot *int32, write bool) {
				if write {
					def[b].add(in.base(*slot))
					if op.Guard < 0 {
						kill[b].add(in.base(*slot))
					}
				}
			})
		}
		copy(defOut[b], def[b])
	}
	backward := order(nb, []int32{0}, func(b int32) []int32 { return f.succ[b] })
	forward := slices.Clone(backward)
	slices.Reverse(backward)
	for changed := true; changed; {
		changed = false
		for _, b := range backward {
			for _, s := range f.succ[b] {
				liveOut[b].merge(liveIn[s])
			}
			next := newBitset(nv)
			for w := range next {
				next[w] = use[b][w] | liveOut[b][w]&^kill[b][w]
			}
			changed = liveIn[b].merge(next) || changed
		}
	}
	for changed := true; changed; {
		changed = false
		for _, b := range forward {
			for _, p := range f.pred[b] {
				defIn[b].merge(defOut[p])
			}
			changed = defOut[b].merge(defIn[b]) || changed
		}
	}
	lv := &liveness{flow: f, in: liveIn, live: make([][]span, nv), until: slices.Repeat([]int32{-1}, nv), firstWrite: slices.Repeat([]int32{-1}, nv)}
	for b := nb - 1; b >= 0; b-- {
		for w := range liveOut[b] {
			liveOut[b][w] &= defOut[b][w]
			liveIn[b][w] &= defIn[b][w]
		}
		in.blockSpans(lv, f.starts[b], f.starts[b+1], liveOut[b], defIn[b])
	}
	for v := range lv.live {
		slices.Reverse(lv.live[v])
	}
	return lv
}

// blockSpans walks a block backwards and prepends the pieces of live intervals inside it. The set out grows by what
// the block mentions.
func (in *instance) blockSpans(lv *liveness, start, end int32, out, defined bitset) {
	until, firstWrite := lv.until, lv.firstWrite
	for i := start; i < end; i++ {
		op := &in.ops[i]
		visit(op, func(slot *int32, write bool) {
			if v := in.base(*slot); write && !defined.has(v) && firstWrite[v] < 0 {
				firstWrite[v] = writePosition(op, i)
			}
		})
	}
	out.each(func(v int32) { until[v] = 2 * end })
	closeSpan := func(v, from int32) {
		list := lv.live[v]
		to := until[v]
		until[v] = -1
		if n := len(list); n > 0 && list[n-1].from <= to {
			list[n-1].from = from
			return
		}
		lv.live[v] = append(list, span{from, to})
	}
	for i := end - 1; i >= start; i-- {
		op := &in.ops[i]
		at := writePosition(op, i)
		visit(op, func(slot *int32, write bool) {
			if !write {
				return
			}
			v := in.base(*slot)
			until[v] = max(until[v], at+1)
			out.add(v)
			if op.Guard < 0 {
				closeSpan(v, at)
			}
		})
		visit(op, func(slot *int32, write bool) {
			if v := in.base(*slot); !write && until[v] < 0 {
				until[v] = 2*i + 1
				out.add(v)
			}
		})
	}
	out.each(func(v int32) {
		first := firstWrite[v]
		firstWrite[v] = -1
		if until[v] < 0 {
			return
		}
		from := 2 * start
		if !defined.has(v) { // nothing can have written it before the block
			if first < 0 || first >= until[v] {
				first = until[v] - 1 // read though never written: any value will do
			}
			from = first
		}
		closeSpan(v, from)
	})
}

// writePosition is where operation i writes. Lane by lane functions with one destination read a lane's sources before
// they write it, so a source that dies there may share its slot; the others write after a read of anything would do harm.
func writePosition(op *state.Op, i int32) int32 {
	if op.Kind == state.Plain && op.Extra == nil && op.D2 < 0 {
		switch op.Inst.Op {
		case isa.OpShfl, isa.OpVote, isa.OpMatch, isa.OpRedux, isa.OpMovmatrix:
		default:
			return 2*i + 1
		}
	}
	return 2 * i
}

// allocate gives every variable a slot, so that no two variables live at the same time share one.
func (in *instance) allocate() {
	lv := in.analyse()
	type interval struct {
		v    int32
		live []span
	}
	var list []interval
	for v := range in.vars {
		if len(lv.live[v]) > 0 && in.vars[v].width > 0 {
			list = append(list, interval{int32(v), lv.live[v]})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].live[0].from < list[j].live[0].from })
	var taken [numClasses][][]span // by slot: when it is in use
	holes := len(list) < manyIntervals
	for _, it := range list {
		v := &in.vars[it.v]
		slots := &taken[v.class]
		for s := 0; ; s++ {
			for len(*slots) < s+int(v.width) {
				*slots = append(*slots, nil)
			}
			if overlaps((*slots)[s], it.live, holes) || v.width == 2 && overlaps((*slots)[s+1], it.live, holes) {
				continue
			}
			for i := s; i < s+int(v.width); i++ {
				(*slots)[i] = insert((*slots)[i], it.live)
			}
			v.slot = int32(s)
			break
		}
	}
	for i := range in.vars {
		if in.vars[i].width == 0 {
			in.vars[i].slot = in.vars[i-1].slot + 1
		}
	}
	in.n32, in.n64, in.np = len(taken[class32]), len(taken[class64]), len(taken[classP])
	in.pressure = in.mostLive(lv)
	in.reconverge(lv.flow)
	in.findPolls(lv)
}

// manyIntervals is from how many variables on nobody looks for holes in the use of a slot: it would take too long.
const manyIntervals = 1 << 14

// overlaps reports whether two ascending lists of spans meet. Without holes, b must start after the end of a.
func overlaps(a, b []span, holes bool) bool {
	if len(a) == 0 || a[len(a)-1].to <= b[0].from {
		return false
	}
	if !holes {
		return true
	}
	for _, s := range b {
		i := sort.Search(len(a), func(i int) bool { return a[i].to > s.from })
		if i < len(a) && a[i].from < s.to {
			return true
		}
	}
	return false
}

// insert adds spans to an ascending list that they don't overlap with.
func insert(a, b []span) []span {
	if len(a) == 0 || a[len(a)-1].from < b[0].from {
		return append(a, b...)
	}
	for _, s := range b {
		i := sort.Search(len(a), func(i int) bool { return a[i].from > s.from })
		a = slices.Insert(a, i, s)
	}
	return a
}

// mostLive is the largest number of 32-bit registers live at one place.
func (in *instance) mostLive(lv *liveness) int {
	change := make([]int, 2*len(in.ops)+2)
	for v, spans := range lv.live {
		weight := 1
		switch in.vars[v].class {
		case class64:
			weight = 2 * int(in.vars[v].width)
		case classP:
			weight = 0
		}
		for _, s := range spans {
			change[s.from] += weight
			change[s.to] -= weight
		}
	}
	most, now := 0, 0
	for _, c := range change {
		now += c
		most = max(most, now)
	}
	return most
}

// reconverge writes into every branch where its two sides meet again: Imm is the operation, all ones the end.
func (in *instance) reconverge(f *flow) {
	idom := f.postDominators()
	for b := range f.succ {
		op := &in.ops[f.starts[b+1]-1]
		if op.Kind != state.Control {
			continue
		}
		if _, call := op.Extra.(*callInfo); call {
			continue
		}
		op.Imm = uint64(1<<64 - 1)
		if d := idom[b]; d >= 0 {
			op.Imm = uint64(f.starts[d])
		}
	}
}

// pollLoop is a polling loop in terms of one function's variables.
type pollLoop struct {
	head, branch int32
	carried      []int32
	calls        []*instance // direct ones
}

// findPolls marks the branches that close loops which may do nothing but re-read memory. What their callees do is
// looked at later, when all functions are known.
func (in *instance) findPolls(lv *liveness) {
	f := lv.flow
	idom := f.dominators()
	byHead := map[int32]int32{}
	bodies := map[int32]map[int32]bool{}
	for b := range f.succ {
		i := f.starts[b+1] - 1
		op := &in.ops[i]
		if op.Kind != state.Control || op.Extra != nil || op.Target > i {
			continue
		}
		head := f.block[op.Target]
		if f.starts[head] != op.Target || !dominates(idom, head, int32(b)) {
			continue
		}
		n, known := byHead[head]
		if !known {
			n = int32(len(in.polls))
			in.polls = append(in.polls, pollLoop{head: op.Target})
			byHead[head], bodies[n] = n, map[int32]bool{}
		}
		in.polls[n].branch = i
		op.Poll = n + 1
		for _, x := range f.loop(head, int32(b)) {
			bodies[n][x] = true
		}
	}
	for n := range in.polls {
		in.pollBody(&in.polls[n], lv, bodies[int32(n)])
	}
}

// pollBody finds what one round of the loop hands to the next, and disqualifies loops that wait for something else
// than memory or that count: those end by themselves or have a bound of their own.
func (in *instance) pollBody(p *pollLoop, lv *liveness, body map[int32]bool) {
	f := lv.flow
	for b := range int32(len(f.succ)) {
		if !body[b] {
			continue
		}
		for i := f.starts[b]; i < f.starts[b+1]; i++ {
			op := &in.ops[i]
			if !quiet(op) {
				p.head = -1
				return
			}
			if call, ok := op.Extra.(*callInfo); ok {
				p.calls = append(p.calls, call.direct.callee)
			}
		}
	}
	lv.in[f.block[p.head]].each(func(v int32) { p.carried = append(p.carried, v) })
	for b := range body {
		for i := f.starts[b]; i < f.starts[b+1]; i++ {
			if op := &in.ops[i]; in.counts(op) && (op.D == op.A || in.copied(f, body, op.D, op.A)) {
				p.head = -1 // a counter: no two rounds are alike
				return
			}
		}
	}
}

// counts reports an unguarded addition or subtraction of a constant other than zero.
func (in *instance) counts(op *state.Op) bool {
	if op.Inst.Op != isa.OpAdd && op.Inst.Op != isa.OpSub || op.Guard >= 0 || op.A < 0 || op.B >= 0 || op.D2 >= 0 {
		return false
	}
	switch in.vars[op.D].class {
	case class32:
		return in.prog.Const32[^op.B][0] != 0
	case class64:
		return in.prog.Const64[^op.B][0] != 0
	}
	return false
}

// copied reports whether the loop moves variable from to variable to.
func (in *instance) copied(f *flow, body map[int32]bool, from, to int32) bool {
	for b := range body {
		for i := f.starts[b]; i < f.starts[b+1]; i++ {
			if op := &in.ops[i]; op.Inst.Op == isa.OpMov && op.D == to && op.A == from && op.Extra == nil && op.Guard < 0 {
				return true
			}
		}
	}
	return false
}

// quiet reports whether an operation's effect depends on nothing but registers and memory.
func quiet(op *state.Op) bool {
	switch op.Kind {
	case state.Barrier, state.Operator, state.Tensor:
		return false
	}
	if x, ok := op.Extra.(special); ok {
		switch x.which {
		case isa.SpecialClock, isa.SpecialClockHi, isa.SpecialClock64, isa.SpecialGlobaltimer, isa.SpecialGlobaltimerLo, isa.SpecialGlobaltimerHi:
			return false
		}
	}
	switch x := op.Extra.(type) {
	case *callInfo:
		return x.direct != nil
	case *runtimeCall:
		return false
	}
	return true
}
