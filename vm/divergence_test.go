package vm_test

import (
	"archive/zip"
	"context"
	flags "flag"
	"fmt"
	"io"
	"io/fs"
	mathbits "math/bits"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// The divergence measure: every warp of the corpus leaves a trace of the branches that its lanes took. A strict
// reconvergence stack, the ideal schedule that needs no forward progress, is then run over the lanes' paths, with
// post-dominators of its own; the machine may not take more than divergenceBound more warp instructions. Where lanes
// waited for a change of memory the fragments that had arrived went on without them, as they must, and where the paths
// part again depends on the others: those may take waitingBound more.
const (
	divergenceBound = 0.02
	waitingBound    = 0.05
)

// unlikeAStack are the cases that a reconvergence stack could not finish.
var unlikeAStack = map[string]string{
	"public/spinlock_mutex.json":       "the lanes of a warp take a lock in turn",
	"public/early_return_barrier.json": "a barrier in one side of a branch, which the other side passes by",
}

var everyVariant = flags.Bool("variants", false, "measure divergence in every PTX file of a case, not only the main one")

// TestDivergence compares the average number of active lanes with that of the ideal schedule, case by case.
func TestDivergence(t *testing.T) {
	cases, err := zip.OpenReader("../programs/corpus/cases.zip")
	must(t, err)
	defer cases.Close()
	ptx, err := zip.OpenReader("../programs/corpus/ptx.zip")
	must(t, err)
	defer ptx.Close()
	var paths []string
	must(t, fs.WalkDir(cases, ".", func(p string, d fs.DirEntry, err error) error {
		if path.Ext(p) == ".json" && !strings.HasPrefix(p, "perf/") && !strings.HasPrefix(p, "vectors/") {
			paths = append(paths, p)
		}
		return err
	}))
	var all tally
	for _, p := range paths {
		c, err := host.ReadCase(cases, p)
		must(t, err)
		for variant := range c.Variants {
			if variant > 0 && !*everyVariant {
				break
			}
			sum, ok := traced(t, c, variant, ptx)
			if !ok || sum.divergent == 0 {
				continue
			}
			all.add(sum)
			name := p + " " + c.VariantName(variant)
			if off := float64(sum.thread)/float64(sum.paths) - 1; off > 0.01 || off < -0.01 {
				t.Errorf("%s: the lanes' paths have %d instructions, %d were counted", name, sum.paths, sum.thread)
			}
			bound := divergenceBound
			if sum.waiting > 0 {
				bound = waitingBound
			}
			lost := float64(sum.warp)/float64(sum.ideal) - 1
			if lost > bound && unlikeAStack[p] == "" {
				t.Errorf("%s: %.2f active lanes, ideally %.2f (%.1f %% more warp instructions)", name,
					float64(sum.thread)/float64(sum.warp), float64(sum.paths)/float64(sum.ideal), 100*lost)
			}
		}
	}
	t.Logf("%d divergent (%d with lanes that waited for memory): %.2f active lanes, ideally %.2f", all.divergent, all.waiting,
		float64(all.thread)/float64(all.warp), float64(all.paths)/float64(all.ideal))
	if all.divergent-all.waiting < 100 {
		t.Errorf("only %d divergent kernels were found", all.divergent-all.waiting)
	}
}

// tally is what a case executed and what its ideal schedule would have.
type tally struct {
	warp, thread, ideal, paths uint64
	divergent, waiting         int // cases whose lanes parted; in which some waited for memory to change
}

func (a *tally) add(b tally) {
	a.warp, a.thread, a.ideal, a.paths, a.divergent, a.waiting =
		a.warp+b.warp, a.thread+b.thread, a.ideal+b.ideal, a.paths+b.paths, a.divergent+b.divergent, a.waiting+b.waiting
}

// traced runs a case functionally and measures it; false: it can't run, or is meant to fault.
func traced(t *testing.T, c *host.Case, variant int, files fs.FS) (tally, bool) {
	t.Helper()
	tr := &tracer{warps: map[*state.Warp]*[]hop{}, programs: map[*state.Program]*paths{}}
	opt := vm.WithDecoded(vm.Options{Functional: true, Silent: true, Threads: 1, MaxCycles: 1 << 26, Stdout: io.Discard}, tr.watch)
	load := func(name string) (*isa.Module, error) {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		m, diagnostics := parser.Parse(name, string(text), parser.Options{})
		if diagnostics.HasErrors() {
			return nil, fmt.Errorf("%s", diagnostics[0])
		}
		return m, nil
	}
	out, err := host.RunCase(context.Background(), host.CaseRequest{Case: c, Variant: variant, Load: load, Options: opt})
	if err != nil || len(tr.warps) > 0 {
		return tally{}, false
	}
	tr.sum.divergent = min(tr.sum.divergent, 1)
	tr.sum.warp, tr.sum.thread = out.Result.Counts.WarpInstructions, out.Result.Counts.ThreadInstructions
	return tr.sum, true
}

// tracer notes where the lanes of every warp went at control operations.
type tracer struct {
	warps    map[*state.Warp]*[]hop
	programs map[*state.Program]*paths
	sum      tally
}

// hop is some lanes that left an operation for another place than the next one; to is -1 where they ended.
type hop struct {
	mask     uint32
	from, to int32
}

// watch puts itself before every control operation of a program.
func (tr *tracer) watch(p *state.Program) {
	tr.programs[p] = newPaths(p)
	for i := range p.Ops {
		if p.Ops[i].Kind != state.Control {
			continue
		}
		run, pc := p.Ops[i].Run, int32(i)
		p.Ops[i].Run = func(w *state.Warp, op *state.Op) state.Signal {
			active := w.Active
			signal := run(w, op)
			steps := tr.warps[w]
			if steps == nil {
				steps = new([]hop)
				tr.warps[w] = steps
			}
			for f := range w.Frags {
				if w.Frags[f].State == state.Spinning {
					tr.sum.waiting = 1
				}
				if at := w.Frags[f].Mask & active; at != 0 {
					active &^= at
					*steps = append(*steps, hop{at, pc, w.Frags[f].PC})
				}
			}
			if active != 0 {
				*steps = append(*steps, hop{active, pc, -1})
			}
			if w.Live == 0 && signal != state.Faulted {
				tr.sum.add(tr.programs[w.Prog].ideal(*steps))
				delete(tr.warps, w)
			}
			return signal
		}
	}
}

// paths is a program as the ideal schedule sees it.
type paths struct {
	prog    *state.Program
	counted []uint64              // operations before each that count
	meets   map[*isa.Func][]int32 // instruction at which the sides of each branch meet; -1: nowhere
	index   map[*isa.Inst]int32   // of an instruction in its function
}

func newPaths(p *state.Program) *paths {
	g := &paths{prog: p, counted: make([]uint64, len(p.Ops)+1), meets: map[*isa.Func][]int32{}, index: map[*isa.Inst]int32{}}
	for i := range p.Ops {
		op := &p.Ops[i]
		g.counted[i+1] = g.counted[i]
		if !op.Hidden {
			g.counted[i+1]++
		}
	}
	return g
}

// meeting returns the operation where the sides of a branch meet, or -1.
func (g *paths) meeting(pc int32) int32 {
	fn := g.prog.Ops[pc].Func
	list := g.meets[fn]
	if list == nil {
		list = meetings(fn)
		g.meets[fn] = list
		for i := range fn.Code {
			g.index[&fn.Code[i]] = int32(i)
		}
	}
	i, known := g.index[g.prog.Ops[pc].Inst]
	if !known || list[i] < 0 || int(list[i]) == len(fn.Code) {
		return -1
	}
	// The same function may be decoded twice (launched, and called like a function): take the copy around pc.
	target := &fn.Code[list[i]]
	best := int32(-1)
	for at := range g.prog.Ops {
		if g.prog.Ops[at].Inst == target && (at == 0 || g.prog.Ops[at-1].Inst != target) {
			if best < 0 || distance(int32(at), pc) < distance(best, pc) {
				best = int32(at)
			}
		}
	}
	return best
}

func distance(a, b int32) int32 { return max(a-b, b-a) }

// meetings computes each instruction's immediate post-dominator from sets: every instruction's is itself and what its
// successors' sets have in common. Paths that end the lanes (exit, trap) don't keep the others from meeting. The
// function's end is instruction len(Code).
func meetings(fn *isa.Func) []int32 {
	n := len(fn.Code)
	next := make([][]int32, n+1)
	for i := range fn.Code {
		in := &fn.Code[i]
		guarded := in.Guard.Reg != isa.NoReg
		fall := []int32{int32(i + 1)}
		switch in.Op {
		case isa.OpBra:
			next[i] = []int32{in.Operands[0].Target}
		case isa.OpBrxIdx:
			next[i] = slices.Clone(in.Operands[1].Table.Targets)
		case isa.OpRet:
			next[i] = []int32{int32(n)}
		case isa.OpExit, isa.OpTrap:
		default:
			next[i], fall = fall, nil
		}
		if guarded {
			next[i] = append(next[i], fall...)
		}
	}
	words := n/64 + 1
	set := make([][]uint64, n+1)
	for i := range set {
		set[i] = make([]uint64, words)
		for w := range set[i] {
			set[i][w] = ^uint64(0)
		}
	}
	clear(set[n])
	set[n][n/64] |= 1 << (n % 64)
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			fresh := slices.Repeat([]uint64{^uint64(0)}, words)
			for _, s := range next[i] {
				for w := range fresh {
					fresh[w] &= set[s][w]
				}
			}
			fresh[i/64] |= 1 << (i % 64)
			if !slices.Equal(fresh, set[i]) {
				set[i], changed = fresh, true
			}
		}
	}
	size := func(i int) (k int) {
		for _, w := range set[i] {
			k += mathbits.OnesCount64(w)
		}
		return k
	}
	meet := make([]int32, n)
	for i := range meet {
		meet[i] = -1
		if len(next[i]) < 2 {
			continue
		}
		most := 0
		for j := 0; j <= n; j++ {
			if j != i && set[i][j/64]>>(j%64)&1 != 0 && size(j) > most && size(j) < size(i) {
				meet[i], most = int32(j), size(j)
			}
		}
	}
	return meet
}

// schedule runs one warp's lanes over a reconvergence stack.
type schedule struct {
	*paths
	lanes [32][]hop // what is left of each lane's path
	calls [32][]int32
	tally
}

// ideal counts what the ideal schedule needs for a warp's trace.
func (g *paths) ideal(trace []hop) tally {
	s := &schedule{paths: g}
	var all uint32
	for _, st := range trace {
		all |= st.mask
		for m := st.mask; m != 0; m &= m - 1 {
			l := mathbits.TrailingZeros32(m)
			s.lanes[l] = append(s.lanes[l], st)
		}
	}
	s.run(all, g.prog.Start, -1, 0)
	return s.tally
}

// run takes lanes that stand at pc to the place where they meet others (stop, at a depth of calls) or end, and returns
// those that arrive.
func (s *schedule) run(mask uint32, pc, stop int32, depth int) (arrived uint32) {
	for mask != 0 {
		if l := mathbits.TrailingZeros32(mask); pc == stop && len(s.calls[l]) == depth {
			return arrived | mask
		}
		branch := int32(1<<31 - 1)
		for m := mask; m != 0; m &= m - 1 {
			branch = min(branch, s.lanes[mathbits.TrailingZeros32(m)][0].from)
		}
		here := len(s.calls[mathbits.TrailingZeros32(mask)])
		if pc < stop && stop <= branch && here == depth {
			s.count(mask, pc, stop)
			return arrived | mask
		}
		s.count(mask, pc, branch+1)
		groups := map[int32]uint32{}
		var order []int32
		for m := mask; m != 0; m &= m - 1 {
			l := mathbits.TrailingZeros32(m)
			to := branch + 1
			if st := s.lanes[l][0]; st.from == branch {
				to, s.lanes[l] = st.to, s.lanes[l][1:]
				s.follow(l, branch, to)
			}
			if groups[to] == 0 {
				order = append(order, to)
			}
			groups[to] |= 1 << l
		}
		mask &^= groups[-1]
		order = slices.DeleteFunc(order, func(to int32) bool { return to == -1 })
		if len(order) == 0 {
			return arrived
		}
		if len(order) == 1 {
			pc = order[0]
			continue
		}
		s.divergent = 1
		meet, at := s.meeting(branch), here
		if meet < 0 && here > 0 {
			for m := mask; m != 0; m &= m - 1 { // where the function returns to: a lane that is still in it knows
				if calls := s.calls[mathbits.TrailingZeros32(m)]; len(calls) >= here {
					meet, at = calls[here-1], here-1
				}
			}
		}
		if meet == stop && at == depth { // the others of the same divergence, such as the rounds of a loop
			rest := []int32{}
			for _, to := range order {
				if to == stop && len(s.calls[mathbits.TrailingZeros32(groups[to])]) == depth {
					arrived |= groups[to]
				} else {
					rest = append(rest, to)
				}
			}
			for _, to := range rest[1:] {
				arrived |= s.run(groups[to], to, stop, depth)
			}
			mask, pc = groups[rest[0]], rest[0]
			continue
		}
		var met uint32
		for _, to := range order {
			met |= s.run(groups[to], to, meet, at)
		}
		mask, pc = met, meet
	}
	return arrived
}

// follow keeps the lane's stack of return addresses.
func (s *schedule) follow(lane int, from, to int32) {
	switch op := s.prog.Ops[from].Inst.Op; {
	case op == isa.OpCall:
		s.calls[lane] = append(s.calls[lane], from+1)
	case op == isa.OpRet && to >= 0:
		s.calls[lane] = s.calls[lane][:len(s.calls[lane])-1]
	}
}

// count adds the operations from one place to another, executed by some lanes.
func (s *schedule) count(mask uint32, from, to int32) {
	n := s.counted[to] - s.counted[from]
	s.tally.ideal += n
	s.tally.paths += n * uint64(mathbits.OnesCount32(mask))
}
