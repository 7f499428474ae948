package lane

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Instructions between the lanes of a warp. The waiting for the lanes that a .sync form names is done before they are
// called: Warp.Active are the lanes that take part.

// partner is the lane that a mode of shfl reads, and whether it lies within the segment.
type partner func(lane, amount, low, high uint32) (from uint32, inRange bool)

var partners = map[isa.Mod]partner{
	isa.ModUp: func(lane, amount, _, high uint32) (uint32, bool) {
		from := lane - amount
		return from, int32(from) >= int32(high)
	},
	isa.ModDown: func(lane, amount, _, high uint32) (uint32, bool) {
		from := lane + amount
		return from, from <= high
	},
	isa.ModBfly: func(lane, amount, _, high uint32) (uint32, bool) {
		from := lane ^ amount
		return from, from <= high
	},
	isa.ModIdx: func(_, amount, low, high uint32) (uint32, bool) {
		return low | amount, low|amount <= high
	},
}

// selectShuffle picks shfl (PTX ISA, "shfl.sync"). c holds the clamp in its low five bits and the mask that cuts the
// warp into segments from bit 8 on. A lane that is out of range keeps its own value. Reading a lane that takes no part
// is undefined in the ISA; here it gives what the lane's register holds.
func selectShuffle(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	for _, mod := range in.Mods {
		find, ok := partners[mod]
		if !ok {
			continue
		}
		index := mod == isa.ModIdx
		return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
			values, b, c := *w.Src32(op.A), w.Src32(op.B), w.Src32(op.C)
			var results [32]uint32
			var inside uint32
			for m := w.Active; m != 0; m &= m - 1 {
				l := uint32(bits.TrailingZeros32(m) & 31)
				amount, clamp, segment := b[l]&31, c[l]&31, c[l]>>8&31
				if index {
					amount &^= segment
				}
				from, inRange := find(l, amount, l&segment, l&segment|clamp&^segment)
				if inRange {
					inside |= m & -m
				} else {
					from = l
				}
				results[l] = values[from&31]
			}
			if d := &w.R32[op.D]; w.Full {
				*d = results
			} else {
				for m := w.Active; m != 0; m &= m - 1 {
					l := bits.TrailingZeros32(m) & 31
					d[l] = results[l]
				}
			}
			writeP(w, op.D2, inside)
			return state.Next
		}}, true
	}
	return Choice{}, false
}

// write32 writes one value to all active lanes.
func write32(w *state.Warp, slot int32, value uint32) {
	d := &w.R32[slot]
	for m := w.Active; m != 0; m &= m - 1 {
		d[bits.TrailingZeros32(m)&31] = value
	}
}

// votes are the modes of vote with a predicate result.
var votes = map[isa.Mod]func(yes, all uint32) bool{
	isa.ModAll: func(yes, all uint32) bool { return yes == all },
	isa.ModAny: func(yes, _ uint32) bool { return yes != 0 },
	isa.ModUni: func(yes, all uint32) bool { return yes == 0 || yes == all },
}

func selectVote(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	if in.Has(isa.ModBallot) {
		return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
			write32(w, op.D, w.SrcP(op.A)&w.Active)
			return state.Next
		}}, true
	}
	for _, mod := range in.Mods {
		if vote, ok := votes[mod]; ok {
			return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
				var result uint32
				if vote(w.SrcP(op.A)&w.Active, w.Active) {
					result = w.Active
				}
				writeP(w, op.D, result)
				return state.Next
			}}, true
		}
	}
	return Choice{}, false
}

// selectMatch picks match.any, which finds the lanes that hold the own value, and match.all, which answers all lanes
// if they agree, else 0.
func selectMatch(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	all, wide := in.Has(isa.ModAll), in.Type(0).Bits() == 64
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		var values [32]uint64
		for l := range values {
			if wide {
				values[l] = w.Src64(op.A)[l]
			} else {
				values[l] = uint64(w.Src32(op.A)[l])
			}
		}
		same := true
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			var peers uint32
			for n := w.Active; n != 0; n &= n - 1 {
				if values[bits.TrailingZeros32(n)&31] == values[l] {
					peers |= n & -n
				}
			}
			same = same && peers == w.Active
			if !all {
				w.R32[op.D][l] = peers
			}
		}
		if !all {
			return state.Next
		}
		var agreed uint32
		if same {
			agreed = w.Active
		}
		if op.D >= 0 {
			write32(w, op.D, agreed)
		}
		writeP(w, op.D2, agreed)
		return state.Next
	}}, true
}

func activemask(w *state.Warp, op *state.Op) state.Signal {
	write32(w, op.D, w.Active)
	return state.Next
}

// elect chooses the lowest lane.
func elect(w *state.Warp, op *state.Op) state.Signal {
	if op.D >= 0 {
		write32(w, op.D, uint32(bits.TrailingZeros32(w.Active)))
	}
	writeP(w, op.D2, w.Active&-w.Active)
	return state.Next
}

func selectActivemask(*isa.Inst, *isa.Func) (Choice, bool) { return Choice{Run: activemask}, true }
func selectElect(*isa.Inst, *isa.Func) (Choice, bool)      { return Choice{Run: elect}, true }

// reductions are the operators of redux.sync on integers.
var reductions = map[string]func(a, b uint32) uint32{
	"add.u32": func(a, b uint32) uint32 { return a + b },
	"add.s32": func(a, b uint32) uint32 { return a + b },
	"min.u32": func(a, b uint32) uint32 { return min(a, b) },
	"min.s32": func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) },
	"max.u32": func(a, b uint32) uint32 { return max(a, b) },
	"max.s32": func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) },
	"and.b32": func(a, b uint32) uint32 { return a & b },
	"or.b32":  func(a, b uint32) uint32 { return a | b },
	"xor.b32": func(a, b uint32) uint32 { return a ^ b },
}

func selectRedux(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	var fold func(a, b uint32) uint32
	for _, mod := range in.Mods {
		if f, ok := reductions[mod.String()+"."+in.Type(0).String()]; ok {
			fold = f
		}
	}
	first := func(a uint32) uint32 { return a }
	if in.Type(0) == isa.F32 {
		e := extremum{format: formatF32, larger: in.Has(isa.ModMax), nan: in.Has(isa.ModNaN), abs: in.Has(isa.ModAbs)}
		fold = e.of
		first = func(a uint32) uint32 { return e.of(a, a) }
	}
	if fold == nil {
		return Choice{}, false
	}
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		if w.Active == 0 {
			return state.Next
		}
		values := w.Src32(op.A)
		m := w.Active
		sum := first(values[bits.TrailingZeros32(m)&31])
		for m &= m - 1; m != 0; m &= m - 1 {
			sum = fold(sum, values[bits.TrailingZeros32(m)&31])
		}
		write32(w, op.D, sum)
		return state.Next
	}}, true
}
