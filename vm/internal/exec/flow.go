package exec

import (
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// flow is the control-flow graph of one function over its operations.
type flow struct {
	starts []int32 // first operation of each block; one more for the end
	block  []int32 // the block of each operation
	succ   [][]int32
	pred   [][]int32
	exits  []bool // the block may leave the function
	ends   []bool // and not to return: exit, trap
}

// successors appends the operations that may follow operation i, and reports whether the function may be left there.
func successors(ops []state.Op, i int32, to []int32) (next []int32, leaves bool) {
	op := &ops[i]
	if op.Kind != state.Control {
		return append(to, i+1), false
	}
	switch x := op.Extra.(type) {
	case *branchTable:
		to = append(to, x.targets...)
	case leaving:
		leaves = true
	case *callInfo:
		return append(to, i+1), false
	default: // bra
		to = append(to, op.Target)
	}
	if op.Guard >= 0 {
		to = append(to, i+1)
	}
	return to, leaves
}

// newFlow cuts operations into blocks.
func newFlow(ops []state.Op) *flow {
	leader := make([]bool, len(ops)+1)
	leader[0] = true
	var to []int32
	for i := range ops {
		if ops[i].Kind != state.Control {
			continue
		}
		leader[i+1] = true
		to, _ = successors(ops, int32(i), to[:0])
		for _, t := range to {
			leader[t] = true
		}
	}
	f := &flow{block: make([]int32, len(ops))}
	for i := range ops {
		if leader[i] {
			f.starts = append(f.starts, int32(i))
		}
		f.block[i] = int32(len(f.starts) - 1)
	}
	n := len(f.starts)
	f.starts = append(f.starts, int32(len(ops)))
	f.succ, f.pred, f.exits, f.ends = make([][]int32, n), make([][]int32, n), make([]bool, n), make([]bool, n)
	for b := range n {
		last := f.starts[b+1] - 1
		to, f.exits[b] = successors(ops, last, to[:0])
		f.ends[b] = f.exits[b] && ops[last].Inst.Op != isa.OpRet
		for _, t := range to {
			if int(t) >= len(ops) { // the last operation always leaves; nothing falls off the end
				continue
			}
			s := f.block[t]
			f.succ[b] = append(f.succ[b], s)
			f.pred[s] = append(f.pred[s], int32(b))
		}
	}
	return f
}

// order returns the blocks in reverse postorder of the graph that next describes, from the roots on.
func order(n int, roots []int32, next func(int32) []int32) []int32 {
	seen := make([]bool, n)
	post := make([]int32, 0, n)
	type visit struct {
		block int32
		edge  int
	}
	var stack []visit
	for _, r := range roots {
		if seen[r] {
			continue
		}
		seen[r] = true
		stack = append(stack, visit{block: r})
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			edges := next(top.block)
			if top.edge == len(edges) {
				post = append(post, top.block)
				stack = stack[:len(stack)-1]
				continue
			}
			to := edges[top.edge]
			top.edge++
			if !seen[to] {
				seen[to] = true
				stack = append(stack, visit{block: to})
			}
		}
	}
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	return post
}

// postDominators returns each block's immediate post-dominator, -1 where it is the function's end (or where no path
// leads out). Lanes that end on the way (exit, trap) are no reason for the others not to meet, unless all do.
func (f *flow) postDominators() []int32 {
	result, reached := f.postDominatorsOf(func(b int) bool { return f.exits[b] && !f.ends[b] })
	if slices.Contains(reached, false) {
		all, _ := f.postDominatorsOf(func(b int) bool { return f.exits[b] })
		for b := range result {
			if !reached[b] {
				result[b] = all[b]
			}
		}
	}
	return result
}

// postDominatorsOf takes the blocks that leave the function to be those given, and reports which blocks lead there. The
// iteration is that of Cooper, Harvey and Kennedy over the reversed graph with one virtual exit.
func (f *flow) postDominatorsOf(leaves func(b int) bool) (result []int32, reached []bool) {
	n := len(f.succ)
	exit := int32(n)
	var leaving []int32
	for b := range n {
		if leaves(b) {
			leaving = append(leaving, int32(b))
		}
	}
	back := func(b int32) []int32 {
		if b == exit {
			return leaving
		}
		return f.pred[b]
	}
	sequence := order(n+1, []int32{exit}, back)
	rank := make([]int, n+1)
	for i := range rank {
		rank[i] = -1
	}
	for i, b := range sequence {
		rank[b] = i
	}
	idom := make([]int32, n+1)
	for i := range idom {
		idom[i] = -1
	}
	idom[exit] = exit
	meet := func(a, b int32) int32 {
		for a != b {
			for rank[a] > rank[b] {
				a = idom[a]
			}
			for rank[b] > rank[a] {
				b = idom[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for _, b := range sequence[1:] {
			best := int32(-1)
			if leaves(int(b)) {
				best = exit
			}
			for _, s := range f.succ[b] {
				if rank[s] < 0 || idom[s] < 0 {
					continue
				}
				if best < 0 {
					best = s
				} else {
					best = meet(best, s)
				}
			}
			if best != idom[b] {
				idom[b], changed = best, true
			}
		}
	}
	result, reached = idom[:n], make([]bool, n)
	for b := range result {
		reached[b] = rank[b] >= 0
		if result[b] == exit {
			result[b] = -1
		}
	}
	return result, reached
}

// dominators returns each block's immediate dominator; -1 for the entry block and unreachable ones.
func (f *flow) dominators() []int32 {
	n := len(f.succ)
	sequence := order(n, []int32{0}, func(b int32) []int32 { return f.succ[b] })
	rank := make([]int, n)
	idom := make([]int32, n)
	for i := range idom {
		idom[i], rank[i] = -1, -1
	}
	for i, b := range sequence {
		rank[b] = i
	}
	idom[0] = 0
	for changed := true; changed; {
		changed = false
		for _, b := range sequence[1:] {
			best := int32(-1)
			for _, p := range f.pred[b] {
				if idom[p] < 0 {
					continue
				}
				if best < 0 {
					best = p
					continue
				}
				for best != p {
					for rank[best] > rank[p] {
						best = idom[best]
					}
					for rank[p] > rank[best] {
						p = idom[p]
					}
				}
			}
			if best != idom[b] {
				idom[b], changed = best, true
			}
		}
	}
	idom[0] = -1
	return idom
}

// dominates reports whether every path to b leads through a.
func dominates(idom []int32, a, b int32) bool {
	for b >= 0 && b != a {
		b = idom[b]
	}
	return b == a
}

// loop returns the blocks of the natural loop that the edge from the block `from` to `head` closes.
func (f *flow) loop(head, from int32) []int32 {
	in := map[int32]bool{head: true}
	blocks := []int32{head}
	work := []int32{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if in[b] {
			continue
		}
		in[b] = true
		blocks = append(blocks, b)
		work = append(work, f.pred[b]...)
	}
	return blocks
}
