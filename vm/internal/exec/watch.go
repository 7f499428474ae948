package exec

import (
	"math/bits"
	"slices"

	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Range is a piece of memory, by the address that an instruction gives. Shared memory counts from 0 on in every CTA.
type Range struct {
	Addr uint64
	Size int
}

// Overlap reports whether two pieces have a byte in common.
func (r Range) Overlap(s Range) bool {
	return r.Addr < s.Addr+uint64(s.Size) && s.Addr < r.Addr+uint64(r.Size)
}

// Watched returns the memory that fragments read in the polling loops behind whose closing branches they stand; nil if
// that can't be told (an address register is written in a loop, or it calls a function).
func Watched(w *state.Warp, spinners []*state.Fragment) (ranges []Range) {
	for _, f := range spinners {
		poll := &w.Prog.Polls[f.Loop-1]
		loop := w.Prog.Ops[poll.Head : poll.Branch+1]
		for i := range loop {
			op := &loop[i]
			if op.Kind == state.Control && op.Extra != nil {
				return nil
			}
			a, ok := op.Extra.(*access)
			if !ok || op.Kind != state.Memory || !a.load {
				continue
			}
			if a.base == baseRegister && a.slot >= 0 && writes(loop, a.scoreboard(w.Prog)) {
				return nil
			}
			ranges = a.ranges(w, f.Mask, ranges)
		}
	}
	return ranges
}

// Touched returns the memory that a warp's memory instruction, which NextOp has returned, is about to access.
func Touched(w *state.Warp, op *state.Op) []Range {
	if a, ok := op.Extra.(*access); ok && op.Kind == state.Memory {
		return a.ranges(w, w.Active, nil)
	}
	return nil
}

// Ranges returns the memory that a part of an access touches at its owner.
func Ranges(ra *state.RemoteAccess) (ranges []Range) {
	a := describe(ra.Op)
	for m := ra.Mask; m != 0; m &= m - 1 {
		ranges = appendRange(ranges, ra.Addr[bits.TrailingZeros32(m)], a.size*a.count)
	}
	return ranges
}

// scoreboard is the scoreboard index of the address register.
func (a *access) scoreboard(p *state.Program) int32 {
	if a.wide {
		return int32(p.N32) + a.slot
	}
	return a.slot
}

func writes(loop []state.Op, index int32) bool {
	return slices.ContainsFunc(loop, func(op state.Op) bool { return slices.Contains(op.Writes, index) })
}

func (a *access) ranges(w *state.Warp, lanes uint32, ranges []Range) []Range {
	for m := lanes; m != 0; m &= m - 1 {
		addr := a.address(w, bits.TrailingZeros32(m))
		if addr&^(memory.WindowSize-1) == memory.SharedWindow {
			addr -= memory.SharedWindow
		}
		ranges = appendRange(ranges, addr, a.size*a.count)
	}
	return ranges
}

// appendRange adds a piece, joined with the last one where they touch.
func appendRange(ranges []Range, addr uint64, size int) []Range {
	if n := len(ranges); n > 0 {
		last := &ranges[n-1]
		switch end := last.Addr + uint64(last.Size); {
		case addr >= last.Addr && addr+uint64(size) <= end:
			return ranges
		case addr == end:
			last.Size += size
			return ranges
		}
	}
	return append(ranges, Range{addr, size})
}
