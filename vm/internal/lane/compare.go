package lane

import (
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// compare answers which active lanes compare true; other lanes' bits mean nothing.
type compare func(*state.Warp, *state.Op) uint32

// selectSetp picks the comparison and says what becomes of its mask: p is t, or t joined with c; q the same of the
// complement of t. For a pair of halves p is the low half's comparison, q the high one's.
func selectSetp(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	low, high, join, ok := comparison(in, in.Type(0))
	if !ok || len(in.Operands) == 0 {
		return Choice{}, false
	}
	joined := len(in.Operands) > 3
	pair := in.Operands[0].Kind == isa.OperandPair
	if !pair && !joined {
		return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
			writeP(w, op.D, low(w, op))
			return state.Next
		}}, true
	}
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		t := low(w, op)
		u := ^t
		if high != nil {
			u = high(w, op)
		}
		if joined {
			c := w.SrcP(op.C)
			t, u = join(t, c), join(u, c)
		}
		writeP(w, op.D, t)
		if pair {
			writeP(w, op.D2, u)
		}
		return state.Next
	}}, true
}

// selectSet picks set: the comparison's mask as all ones or 1.0 of the result's type.
func selectSet(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	to := in.Type(0)
	low, high, join, ok := comparison(in, in.Type(1))
	if !ok || to.Bits() > 32 {
		return Choice{}, false
	}
	yes := uint32(1<<to.Bits() - 1)
	if f, float := formats[to]; float {
		yes = f.one()
	} else if high != nil {
		yes = 0xffff
	}
	joined := len(in.Operands) > 3
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		t, u := low(w, op), uint32(0)
		if high != nil {
			u = high(w, op)
		}
		if joined {
			c := w.SrcP(op.C)
			t = join(t, c)
			if high != nil {
				u = join(u, c)
			}
		}
		d := &w.R32[op.D]
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			d[l] = -(t>>l&1)&yes | (-(u>>l&1)&yes)<<16
		}
		return state.Next
	}}, true
}

// selectTestp picks testp: properties of a single number.
func selectTestp(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	test, ok := compareIndex()[keyOf(in.Op, in.Mods, in.Types)]
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		writeP(w, op.D, test(w, op))
		return state.Next
	}}, ok
}

// joins are the boolean operators of setp, set and lop3, on masks.
var joins = map[isa.Mod]func(t, c uint32) uint32{
	isa.ModAnd: func(t, c uint32) uint32 { return t & c },
	isa.ModOr:  func(t, c uint32) uint32 { return t | c },
	isa.ModXor: func(t, c uint32) uint32 { return t ^ c },
}

// comparison finds the comparison of a setp or set whose sources are of type t, and its boolean operator, if any.
// high is the comparison of the upper halves of packed types, else nil.
func comparison(in *isa.Inst, t isa.Type) (low, high compare, join func(t, c uint32) uint32, ok bool) {
	var mods []isa.Mod
	for _, m := range in.Mods {
		if j, is := joins[m]; is {
			join = j
		} else {
			mods = append(mods, m)
		}
	}
	if low, ok = compareIndex()[keyOf(isa.OpSetp, mods, []isa.Type{t})]; ok {
		return low, nil, join, true
	}
	f, ok := formats[t]
	if !ok || f.width != 16 {
		return nil, nil, nil, false
	}
	for _, m := range mods {
		if relation, is := relations[m]; is {
			low = compareHalves(f, in.Has(isa.ModFTZ), 0, relation)
			if t == isa.F16x2 || t == isa.BF16x2 {
				high = compareHalves(f, in.Has(isa.ModFTZ), 16, relation)
			}
		}
	}
	return low, high, join, low != nil
}

// relations are the comparisons of floating-point numbers; those that end in u hold for NaN too.
var relations = map[isa.Mod]func(a, b float64) bool{
	isa.ModEq:       func(a, b float64) bool { return a == b },
	isa.ModNe:       func(a, b float64) bool { return a < b || a > b },
	isa.ModLt:       func(a, b float64) bool { return a < b },
	isa.ModLe:       func(a, b float64) bool { return a <= b },
	isa.ModGt:       func(a, b float64) bool { return a > b },
	isa.ModGe:       func(a, b float64) bool { return a >= b },
	isa.ModEqu:      func(a, b float64) bool { return !(a < b || a > b) },
	isa.ModNeu:      func(a, b float64) bool { return a != b },
	isa.ModLtu:      func(a, b float64) bool { return !(a >= b) },
	isa.ModLeu:      func(a, b float64) bool { return !(a > b) },
	isa.ModGtu:      func(a, b float64) bool { return !(a <= b) },
	isa.ModGeu:      func(a, b float64) bool { return !(a < b) },
	isa.ModNum:      func(a, b float64) bool { return a == a && b == b },
	isa.ModNaNLower: func(a, b float64) bool { return a != a || b != b },
}

// compareHalves compares the 16 bits from bit shift on.
func compareHalves(f *format, ftz bool, shift uint, relation func(a, b float64) bool) compare {
	n := numeric{format: f, ftz: ftz}
	return func(w *state.Warp, op *state.Op) (r uint32) {
		a, b := w.Src32(op.A), w.Src32(op.B)
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			if relation(n.read(a[l]>>shift&0xffff), n.read(b[l]>>shift&0xffff)) {
				r |= m & -m
			}
		}
		return r
	}
}
