package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// figures are a result and what is worked out from it once, for the text and for JSON alike.
type figures struct {
	r     *vm.Result
	main  *isa.Source // the file that lines without a name belong to
	clock int64       // MHz

	copy, reduce, sync *vm.OperatorResult // of each kind the line that took most; nil: none

	collectives uint64 // launches with operators on the card with most, at least 1: each is taken for one all-reduce
	payload     uint64 // bytes that a collective takes on one card
	peers       uint64 // cards that a copy is sent to
	transfer    uint64 // cycles that payload takes at the links' peak rate
	barrier     uint64 // T_barrier of one collective: fence and rounds
	simulated   uint64 // what copy, reduction and barrier of one collective took, no waiting for late cards
	window      uint64 // cycles with a window open, mean per card

	groups  [][ledger.NumGroups]uint64 // the card sheet by group, a card
	blocked *vm.CardResult             // the card whose Tensor Cores were blocked longest; nil: none was
	late    *late                      // the late card; nil where no card waited noticeably for another
}

// derive works the figures out.
func derive(r *vm.Result) *figures {
	f := &figures{r: r, main: mainSource(r), clock: r.Machine.ClockMHz, collectives: 1}
	f.operators()
	for i := range r.Cards {
		c := &r.Cards[i]
		f.groups = append(f.groups, groupSums(c.Sheet))
		f.window += c.Window
		if n := blockedCycles(c.Sheet); n > 0 && (f.blocked == nil || n > blockedCycles(f.blocked.Sheet)) {
			f.blocked = c
		}
	}
	if n := uint64(len(r.Cards)); n > 0 {
		f.window /= n
	}
	f.late = f.findLate()
	return f
}

// operators picks the lines that took most and works out the times of one collective.
func (f *figures) operators() {
	for i := range f.r.Operators {
		o := &f.r.Operators[i]
		place := map[isa.Opcode]**vm.OperatorResult{isa.OpCopyNVLink: &f.copy, isa.OpReduce: &f.reduce, isa.OpSyncNVLink: &f.sync}[o.Op]
		if place != nil && (*place == nil || o.Cycles > (*place).Cycles) {
			*place = o
		}
	}
	f.collectives = f.operatorLaunches()
	for _, o := range []*vm.OperatorResult{f.reduce, f.copy} {
		if o != nil {
			f.payload = o.Bytes * o.PerCard / f.collectives
			f.peers = uint64(max(0, o.Group-1))
		}
	}
	if peak := f.peak(); peak > 0 {
		f.transfer = round(float64(f.payload) * float64(f.clock) * 1e6 / peak)
	}
	if f.sync != nil {
		f.barrier = f.sync.Cycles / f.collectives
	}
	f.simulated = f.barrier
	if f.copy != nil {
		f.simulated += f.copyCycles() / f.collectives
	}
	if f.reduce != nil {
		f.simulated += f.reduce.Cycles / f.collectives
	}
}

// operatorLaunches is the number of launches with operators on the card with most, at least 1.
func (f *figures) operatorLaunches() uint64 {
	launches := make([]uint64, len(f.r.Cards))
	for _, l := range f.r.Launches {
		if l.Operators && l.Card < len(launches) {
			launches[l.Card]++
		}
	}
	return max(1, slices.Max(append(launches, 0)))
}

// copyCycles is the time that copies were under way on the card with most. Slices of one tensor go side by side, so
// the sum over the line's operations may be more than the time the ports were busy, and a crossing for each launch.
func (f *figures) copyCycles() uint64 {
	var most uint64
	for _, c := range f.r.Cards {
		most = max(most, c.CopyBusy)
	}
	return min(f.copy.Cycles, most+f.collectives*uint64(f.r.Machine.Fabric.Crossing+f.r.Machine.Fabric.RelayExtra))
}

func round(x float64) uint64 { return uint64(x + 0.5) }

// peak is the links' peak rate of one card in one direction, bytes per second.
func (f *figures) peak() float64 {
	return float64(f.r.Machine.Fabric.Links) * float64(f.r.Machine.Fabric.LinkBytesPerSec)
}

// groupSums adds a sheet up by group.
func groupSums(sheet vm.Sheet) (sums [ledger.NumGroups]uint64) {
	for e, n := range sheet {
		sums[ledger.Entry(e).Group()] += n
	}
	return sums
}

// blockedCycles is the sum of the parts of tc_blocked.
func blockedCycles(sheet vm.Sheet) (n uint64) {
	for e := ledger.BlockedCopy; e <= ledger.BlockedRefill; e++ {
		n += sheet[e]
	}
	return n
}

// gatedWait reports whether the run lost cycles at the gate.
func (f *figures) gatedWait() bool { return f.blocked != nil }

// at names a place: ":22" in the main file, "mma_loop.ptx:31" in another.
func (f *figures) at(fn *isa.Func, pos isa.Pos) string {
	if fn == nil || fn.Source == nil {
		return "?"
	}
	line, _ := fn.Source.LineCol(pos)
	if fn.Source == f.main {
		return fmt.Sprintf(":%d", line)
	}
	return fmt.Sprintf("%s:%d", path.Base(fn.Source.Name), line)
}

// instAt finds the instruction that stands at a position.
func instAt(fn *isa.Func, pos isa.Pos) *isa.Inst {
	if fn == nil {
		return nil
	}
	for i := range fn.Code {
		if in := &fn.Code[i]; in.Pos == pos || in.OpPos == pos {
			return in
		}
	}
	return nil
}

// spelled names an operator as its line does: sync.nvlink, reduce.add.
func spelled(o *vm.OperatorResult) string {
	name := o.Op.String()
	if in := instAt(o.Func, o.Pos); in != nil && o.Op == isa.OpReduce && len(in.Mods) > 0 {
		name += "." + in.Mods[0].String()
	}
	return name
}

// place is ":22 copy.nvlink".
func (f *figures) place(o *vm.OperatorResult) string { return f.at(o.Func, o.Pos) + " " + spelled(o) }

// elementType is the type of the reduction, or of the copy where nothing is reduced.
func (f *figures) elementType() isa.Type {
	for _, o := range []*vm.OperatorResult{f.reduce, f.copy} {
		if o == nil {
			continue
		}
		if in := instAt(o.Func, o.Pos); in != nil {
			return in.Type(0)
		}
	}
	return isa.TypeNone
}

// payloadLine is "2 MiB bf16 a card", with the number of collectives where there are several.
func (f *figures) payloadLine() string {
	if f.payload == 0 {
		return ""
	}
	s := binary(f.payload)
	if t := f.elementType(); t != isa.TypeNone {
		s += " " + t.String()
	}
	s += " a card"
	if f.collectives > 1 {
		s = fmt.Sprintf("%d x %s", f.collectives, s)
	}
	return s
}

// orderOfSum says in which order and precision a floating-point sum was made.
func (f *figures) orderOfSum() string {
	if f.reduce == nil || f.peers == 0 {
		return ""
	}
	switch f.elementType() {
	case isa.F16, isa.BF16:
		return " (f32, card order, rounded once)"
	case isa.F32, isa.F64:
		return " (card order)"
	}
	return ""
}

// share is one reason and the cycles it cost.
type share struct {
	name   string
	cycles uint64
	detail string
}

// mostFirst sorts shares by cycles and drops the empty ones.
func mostFirst(list []share) []share {
	list = slices.DeleteFunc(list, func(s share) bool { return s.cycles == 0 })
	slices.SortStableFunc(list, func(a, b share) int { return cmp.Compare(b.cycles, a.cycles) })
	return list
}
