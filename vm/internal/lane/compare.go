package lane

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// compare answers which active lanes compare true; other lanes' bits mean nothing.
type compare func(*state.Warp, *state.Op) uint32

// writeP writes the active lanes of a predicate; a negative slot is a sink.
func writeP(w *state.Warp, slot int32, value uint32) {
	if slot >= 0 {
		w.P[slot] = w.P[slot]&^w.Active | value&w.Active
	}
}

// selectSetp picks the comparison and says what becomes of its mask.
func selectSetp(in *isa.Inst, f *isa.Func) (Choice, bool) {
	cmp, join, ok := comparison(in, in.Type(0))
	if !ok {
		return Choice{}, false
	}
	pair := len(in.Operands) > 0 && in.Operands[0].Kind == isa.OperandPair
	if join == nil && !pair {
		return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
			writeP(w, op.D, cmp(w, op))
			return state.Next
		}}, true
	}
	if join == nil {
		join = func(t, _ uint32) uint32 { return t }
	}
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		t, c := cmp(w, op), uint32(0)
		if len(op.Inst.Operands) > 3 {
			c = w.SrcP(op.C)
		}
		writeP(w, op.D, join(t, c))
		if pair {
			writeP(w, op.D2, join(^t, c))
		}
		return state.Next
	}}, true
}

// joins are the boolean operators of setp and set, on masks.
var joins = map[isa.Mod]func(t, c uint32) uint32{
	isa.ModAnd: func(t, c uint32) uint32 { return t & c },
	isa.ModOr:  func(t, c uint32) uint32 { return t | c },
	isa.ModXor: func(t, c uint32) uint32 { return t ^ c },
}

// comparison finds the comparison of a setp or set whose sources are of type t, and its boolean operator or nil.
func comparison(in *isa.Inst, t isa.Type) (cmp compare, join func(t, c uint32) uint32, ok bool) {
	var mods []isa.Mod
	for _, m := range in.Mods {
		if j, is := joins[m]; is {
			join = j
		} else {
			mods = append(mods, m)
		}
	}
	cmp, ok = compareIndex()[keyOf(isa.OpSetp, mods, []isa.Type{t})]
	return cmp, join, ok
}
