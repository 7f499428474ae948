package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// cp.async writes shared memory some time before its thread's cp.async.wait_group ends, so until then the bytes belong to
// the copy: whoever reads or writes them, the copying thread too, races with it. (The copy itself is done at once here; the
// race log keeps what hardware does not promise.)

// copyGroup is the copies of a thread between two cp.async.commit_group.
type copyGroup struct {
	done  bool
	stamp uint64 // when its thread had waited for it
}

// copies are the groups of a thread: those committed, oldest first, and the one that is open.
type copies struct {
	committed []*copyGroup
	open      *copyGroup
}

// copiesOf returns a thread's groups.
func (r *raceLog) copiesOf(w *state.Warp, lane int) *copies {
	if r.copies == nil {
		r.copies = map[int]*copies{}
	}
	thread := w.Index*32 + lane
	c := r.copies[thread]
	if c == nil {
		c = &copies{open: &copyGroup{}}
		r.copies[thread] = c
	}
	return c
}

// over notes that the oldest groups have been waited for.
func (c *copies) over(n int, stamp uint64) {
	for i := range max(0, min(n, len(c.committed))) {
		c.committed[i].done, c.committed[i].stamp = true, stamp
	}
	c.committed = c.committed[max(0, min(n, len(c.committed))):]
}

// lookForCopies says what to do before an operation that orders copies; nil: it does not.
func lookForCopies(op *state.Op) func(*raceLog, *state.Warp, *state.Op) {
	each := func(do func(r *raceLog, c *copies)) func(*raceLog, *state.Warp, *state.Op) {
		return func(r *raceLog, w *state.Warp, _ *state.Op) {
			r.stamp++ // what came before, a barrier too, does not know of this
			for m := w.Active; m != 0; m &= m - 1 {
				do(r, r.copiesOf(w, bits.TrailingZeros32(m)))
			}
		}
	}
	commit := func(c *copies) { c.committed, c.open = append(c.committed, c.open), &copyGroup{} }
	switch op.Inst.Op {
	case isa.OpCPAsyncCommitGroup:
		return each(func(_ *raceLog, c *copies) { commit(c) })
	case isa.OpCPAsyncWaitGroup:
		keep := 0
		if len(op.Inst.Operands) > 0 {
			keep = int(min(op.Inst.Operands[0].Bits, 1<<20))
		}
		return each(func(r *raceLog, c *copies) { c.over(len(c.committed)-keep, r.stamp) })
	case isa.OpCPAsyncWaitAll, isa.OpCPAsyncMbarrierArrive:
		return each(func(r *raceLog, c *copies) {
			commit(c)
			c.over(len(c.committed), r.stamp)
		})
	}
	return nil
}
