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
	// The table as a polynomial over and and exclusive or (Reed-Muller): k[i] says whether the product of the operands
	// that i names is a term.
	var k [8]uint32
	for i := range k {
		for j := range 8 {
			if j&^i == 0 {
				k[i] ^= -(table >> j & 1)
			}
		}
	}
	if len(in.Operands) < 6 {
		return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
			d, as, bs, cs := &w.R32[op.D], w.Src32(op.A), w.Src32(op.B), w.Src32(op.C)
			k0, kc, kb, kbc, ka, kac, kab, kabc := k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]
			if w.Full {
				for l := range d {
					a, b, c := as[l], bs[l], cs[l]
					d[l] = k0 ^ kc&c ^ (kb^kbc&c)&b ^ (ka^kac&c^(kab^kabc&c)&b)&a
				}
				return state.Next
			}
			for m := w.Active; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m) & 31
				a, b, c := as[l], bs[l], cs[l]
				d[l] = k0 ^ kc&c ^ (kb^kbc&c)&b ^ (ka^kac&c^(kab^kabc&c)&b)&a
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
			r := k[0] ^ k[1]&c[l] ^ (k[2]^k[3]&c[l])&b[l] ^ (k[4]^k[5]&c[l]^(k[6]^k[7]&c[l])&b[l])&a[l]
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
