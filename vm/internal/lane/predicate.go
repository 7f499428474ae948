package lane

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Logic on predicates: all 32 lanes in one word.
var predicateLogic = map[isa.Opcode]Func{
	isa.OpAnd: func(w *state.Warp, op *state.Op) state.Signal {
		writeP(w, op.D, w.SrcP(op.A)&w.SrcP(op.B))
		return state.Next
	},
	isa.OpOr: func(w *state.Warp, op *state.Op) state.Signal {
		writeP(w, op.D, w.SrcP(op.A)|w.SrcP(op.B))
		return state.Next
	},
	isa.OpXor: func(w *state.Warp, op *state.Op) state.Signal {
		writeP(w, op.D, w.SrcP(op.A)^w.SrcP(op.B))
		return state.Next
	},
	isa.OpNot: func(w *state.Warp, op *state.Op) state.Signal {
		writeP(w, op.D, ^w.SrcP(op.A))
		return state.Next
	},
	isa.OpMov: func(w *state.Warp, op *state.Op) state.Signal {
		writeP(w, op.D, w.SrcP(op.A))
		return state.Next
	},
}

// selectPredicate picks logic and moves of type .pred.
func selectPredicate(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	run, ok := predicateLogic[in.Op]
	return Choice{Run: run}, ok && in.Type(0) == isa.Pred
}

// writeP writes the active lanes of a predicate; a negative slot is a sink.
func writeP(w *state.Warp, slot int32, value uint32) {
	if slot >= 0 {
		w.P[slot] = w.P[slot]&^w.Active | value&w.Active
	}
}

// selectLop3 picks lop3; the truth table is the number immLut: bit 4a+2b+c of it is the result.
func selectLop3(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	if len(in.Operands) < 5 || in.Operands[4].Kind != isa.OperandInt {
		return Choice{}, false
	}
	table := uint32(in.Operands[4].Bits)
	term := func(i int) uint32 { return -(table >> i & 1) }
	t0, t1, t2, t3, t4, t5, t6, t7 := term(0), term(1), term(2), term(3), term(4), term(5), term(6), term(7)
	logic := func(a, b, c uint32) uint32 {
		// A tree of selections: by c, then b, then a.
		low := (t0&^c|t1&c)&^b | (t2&^c|t3&c)&b
		high := (t4&^c|t5&c)&^b | (t6&^c|t7&c)&b
		return low&^a | high&a
	}
	if len(in.Operands) < 6 {
		return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
			d, a, b, c := &w.R32[op.D], w.Src32(op.A), w.Src32(op.B), w.Src32(op.C)
			for m := w.Active; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m) & 31
				d[l] = logic(a[l], b[l], c[l])
			}
			return state.Next
		}}, true
	}
	// lop3.BoolOp d|p, a, b, c, immLut, q: p is whether d is not zero, joined with q.
	join := joins[isa.ModOr]
	if in.Has(isa.ModAnd) {
		join = joins[isa.ModAnd]
	}
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		a, b, c := w.Src32(op.A), w.Src32(op.B), w.Src32(op.C)
		q := w.SrcP(op.E)
		var nonzero uint32
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			r := logic(a[l], b[l], c[l])
			if r != 0 {
				nonzero |= m & -m
			}
			if op.D >= 0 {
				w.R32[op.D][l] = r
			}
		}
		writeP(w, op.D2, join(nonzero, q))
		return state.Next
	}}, true
}
