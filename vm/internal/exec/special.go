package exec

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// special is the special register that an operation reads.
type special struct {
	which isa.Special
	part  int
}

// specialOp decodes the read of a special register into a variable.
func (in *instance) specialOp(inst *isa.Inst, o *isa.Operand, to int32, hidden bool) state.Op {
	op := newOp(inst, runSpecial32)
	switch in.vars[to].class {
	case class64:
		op.Run = runSpecial64
	case classP:
		op.Run = runSpecialP
	}
	if o.Special == isa.SpecialEnvreg1 || o.Special == isa.SpecialEnvreg2 {
		in.prog.Workspace = true
	}
	op.D, op.Extra, op.Hidden, op.Class = to, special{o.Special, max(0, int(o.Part))}, hidden, isa.ClassOf(inst)
	return op
}

func runSpecial32(w *state.Warp, op *state.Op) state.Signal {
	s := op.Extra.(special)
	d := &w.R32[op.D]
	switch {
	case !s.differs():
		fill(w, d, uint32(s.read(w, 0)))
	case s.which == isa.SpecialTID && s.part < 3:
		s.threads(w, d)
	default:
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			d[l] = uint32(s.read(w, l))
		}
	}
	return state.Next
}

func runSpecial64(w *state.Warp, op *state.Op) state.Signal {
	s := op.Extra.(special)
	d := &w.R64[op.D]
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		d[l] = s.read(w, l)
	}
	return state.Next
}

func runSpecialP(w *state.Warp, op *state.Op) state.Signal {
	s := op.Extra.(special)
	p := w.P[op.D] &^ w.Active
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		p |= uint32(s.read(w, l)&1) << l
	}
	w.P[op.D] = p
	return state.Next
}

// differs reports whether the lanes of a warp read different values.
func (s special) differs() bool {
	switch s.which {
	case isa.SpecialTID, isa.SpecialLaneID, isa.SpecialLanemaskEq, isa.SpecialLanemaskLe, isa.SpecialLanemaskLt, isa.SpecialLanemaskGe,
		isa.SpecialLanemaskGt:
		return true
	}
	return false
}

// threads writes a part of %tid, counting on from the warp's first thread.
func (s special) threads(w *state.Warp, d *[32]uint32) {
	block := w.CTA.Launch.Block
	t := threadIndex(w.CTA.Launch, w.Index*32)
	for l := range d {
		if w.Active>>l&1 != 0 {
			d[l] = t[s.part]
		}
		if t[0]++; t[0] == uint32(block[0]) {
			t[0] = 0
			if t[1]++; t[1] == uint32(block[1]) {
				t[1] = 0
				t[2]++
			}
		}
	}
}

// read returns a special register's value in a lane (PTX ISA, "Special Registers").
func (s special) read(w *state.Warp, lane int) uint64 {
	c := w.CTA
	l := c.Launch
	card := c.Card
	switch s.which {
	case isa.SpecialTID:
		t := threadIndex(l, w.Index*32+lane)
		if s.part < 3 {
			return uint64(t[s.part])
		}
		return 0
	case isa.SpecialNTID:
		return part(l.Block, s.part)
	case isa.SpecialLaneID:
		return uint64(lane)
	case isa.SpecialWarpID:
		return uint64(w.Index)
	case isa.SpecialNWarpID:
		return uint64(max(card.Node.WarpsPerSM, len(c.Warps)))
	case isa.SpecialCTAID:
		if s.part < 3 {
			return uint64(c.ID[s.part])
		}
		return 0
	case isa.SpecialNCTAID:
		return part(l.Grid, s.part)
	case isa.SpecialSMID:
		return uint64(c.SM)
	case isa.SpecialNSMID:
		return uint64(max(1, card.Node.SMs))
	case isa.SpecialGridID:
		return uint64(l.ID)
	case isa.SpecialIsExplicitCluster:
		if cluster(l) != [3]int{1, 1, 1} || l.Prog.Entry.Limits.ExplicitCluster {
			return 1
		}
		return 0
	case isa.SpecialClusterID:
		if s.part < 3 {
			return uint64(c.ID[s.part]) / uint64(cluster(l)[s.part])
		}
		return 0
	case isa.SpecialNClusterID:
		if s.part < 3 {
			return uint64(l.Grid[s.part] / cluster(l)[s.part])
		}
		return 1
	case isa.SpecialClusterCTAID:
		if s.part < 3 {
			return uint64(c.ID[s.part]) % uint64(cluster(l)[s.part])
		}
		return 0
	case isa.SpecialClusterNCTAID:
		return part(cluster(l), s.part)
	case isa.SpecialClusterCTARank:
		return uint64(clusterRank(c))
	case isa.SpecialClusterNCTARank:
		n := cluster(l)
		return uint64(n[0] * n[1] * n[2])
	case isa.SpecialLanemaskEq:
		return 1 << lane
	case isa.SpecialLanemaskLe:
		return uint64(2)<<lane - 1
	case isa.SpecialLanemaskLt:
		return uint64(1)<<lane - 1
	case isa.SpecialLanemaskGe:
		return uint64(uint32(allLanes) << lane)
	case isa.SpecialLanemaskGt:
		return uint64(uint32(allLanes) << lane << 1)
	case isa.SpecialClock, isa.SpecialClock64:
		return card.Now
	case isa.SpecialClockHi:
		return card.Now >> 32
	case isa.SpecialGlobaltimer, isa.SpecialGlobaltimerLo:
		return nanoseconds(card)
	case isa.SpecialGlobaltimerHi:
		return nanoseconds(card) >> 32
	case isa.SpecialReservedSmemOffsetEnd, isa.SpecialReservedSmemOffsetCap:
		return reservedShared
	case isa.SpecialReservedSmemOffset_1: // 0 is for the system's own use, 1 for the libraries'
		return reservedShared / 4
	case isa.SpecialEnvreg1: // the grid's workspace, high and low half
		return l.Workspace >> 32
	case isa.SpecialEnvreg2:
		return l.Workspace & 0xffffffff
	case isa.SpecialTotalSmemSize, isa.SpecialAggrSmemSize:
		return uint64(len(c.Shared))
	case isa.SpecialDynamicSmemSize:
		return uint64(l.SharedDynamic)
	case isa.SpecialCardID:
		return uint64(card.Index)
	case isa.SpecialNCards:
		return uint64(len(card.Node.Cards))
	}
	return 0 // %pm counters, %envreg, %reserved_smem_offset, %current_graph_exec: nothing is behind them here
}

func part(v [3]int, i int) uint64 {
	if i < 3 {
		return uint64(v[i])
	}
	return 1
}

// cluster is the launch's cluster shape, at least 1 each way; the entry's own where the launch names none.
func cluster(l *state.Launch) [3]int {
	shape := l.Cluster
	if shape == [3]int{} {
		shape = l.Prog.Entry.Limits.ReqNCTAPerCluster
	}
	return [3]int{max(1, shape[0]), max(1, shape[1]), max(1, shape[2])}
}

// clusterRank is the CTA's linear index within its cluster.
func clusterRank(c *state.CTA) uint32 {
	n := cluster(c.Launch)
	x, y, z := c.ID[0]%uint32(n[0]), c.ID[1]%uint32(n[1]), c.ID[2]%uint32(n[2])
	return x + uint32(n[0])*(y+uint32(n[1])*z)
}

// threadIndex is %tid of a CTA's t-th thread.
func threadIndex(l *state.Launch, t int) [3]uint32 {
	x, y := l.Block[0], l.Block[1]
	return [3]uint32{uint32(t % x), uint32(t / x % y), uint32(t / (x * y))}
}

// nanoseconds is the card's clock as time.
func nanoseconds(c *state.Card) uint64 {
	if c.Node.ClockMHz <= 0 {
		return c.Now
	}
	hi, lo := bits.Mul64(c.Now, 1000)
	q, _ := bits.Div64(hi%uint64(c.Node.ClockMHz), lo, uint64(c.Node.ClockMHz))
	return q
}
