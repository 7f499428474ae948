package host

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/isa"
)

// pointerGuess is what the code of an entry shows of a parameter: whether addresses made from it are loaded from or
// stored to, and elements of which type. It only feeds an example for the user.
type pointerGuess struct {
	dtype         Dtype
	loads, stores bool
	tensor        bool // an operator of the article moves it
	multicast     bool // multimem instructions use it
}

func (g pointerGuess) describe() string {
	switch {
	case g.multicast:
		return fmt.Sprintf("multicast address of %s", g.dtype)
	case g.loads && g.stores:
		return fmt.Sprintf("address, read and written as %s", g.dtype)
	case g.loads:
		return fmt.Sprintf("address, read as %s", g.dtype)
	case g.stores:
		return fmt.Sprintf("address, written as %s", g.dtype)
	case g.tensor:
		return fmt.Sprintf("address of %s, moved by operators", g.dtype)
	}
	return ""
}

// example is a value to paste.
func (g pointerGuess) example(p *isa.Var) string {
	switch {
	case len(p.Dims) > 0 && p.Type.Bytes() == 1 && paramSize(p) == 8*8:
		return "peers(NAME)"
	case len(p.Dims) > 0:
		return "@FILE"
	case g.multicast:
		return "multicast(NAME)"
	case g.loads || g.tensor:
		return fmt.Sprintf("%s[1024]:ramp", g.dtype)
	case g.stores:
		return fmt.Sprintf("%s[1024]", g.dtype)
	case p.Type.Float():
		return "1.0"
	case p.Ptr:
		return "u32[1024]:zeros"
	}
	return "1024"
}

// guessPointers follows, without regard to control flow, which registers hold values made from which parameters,
// and looks at the loads and stores that use them as addresses.
func guessPointers(entry *isa.Func) map[*isa.Var]pointerGuess {
	isParam := map[*isa.Var]bool{}
	from := make([]map[*isa.Var]bool, len(entry.Regs))
	for _, p := range entry.Params {
		isParam[p] = true
		if p.Reg >= 0 && int(p.Reg) < len(from) && p.Space == isa.SpaceReg {
			from[p.Reg] = map[*isa.Var]bool{p: true}
		}
	}
	for again := true; again; {
		again = false
		for i := range entry.Code {
			in := &entry.Code[i]
			if moves(in) && taint(from, in.Operands[0], sources(from, isParam, in.Operands[1:])) {
				again = true
			}
		}
	}
	guesses := map[*isa.Var]pointerGuess{}
	for i := range entry.Code {
		observe(guesses, from, &entry.Code[i])
	}
	return guesses
}

// moves reports an instruction whose result may be an address made from its operands.
func moves(in *isa.Inst) bool {
	if len(in.Operands) < 2 || in.Operands[0].Kind != isa.OperandReg {
		return false
	}
	switch in.Op {
	case isa.OpMov, isa.OpCvta, isa.OpAdd, isa.OpSub, isa.OpMad, isa.OpCvt, isa.OpSelp:
		return true
	case isa.OpLd:
		return in.Has(isa.ModParam) || in.Has(isa.ModParamEntry)
	}
	return false
}

// sources are the parameters that the operands' values are made from.
func sources(from []map[*isa.Var]bool, isParam map[*isa.Var]bool, operands []isa.Operand) map[*isa.Var]bool {
	all := map[*isa.Var]bool{}
	for _, o := range operands {
		if isParam[o.Var] {
			all[o.Var] = true
		}
		if holdsReg(from, o) {
			for p := range from[o.Reg] {
				all[p] = true
			}
		}
	}
	return all
}

func holdsReg(from []map[*isa.Var]bool, o isa.Operand) bool {
	return (o.Kind == isa.OperandReg || o.Kind == isa.OperandAddress && o.Var == nil) && o.Reg >= 0 && int(o.Reg) < len(from)
}

// taint adds the parameters to a destination register, and reports whether any was new.
func taint(from []map[*isa.Var]bool, d isa.Operand, add map[*isa.Var]bool) bool {
	if !holdsReg(from, d) {
		return false
	}
	grown := false
	for p := range add {
		if !from[d.Reg][p] {
			if from[d.Reg] == nil {
				from[d.Reg] = map[*isa.Var]bool{}
			}
			from[d.Reg][p] = true
			grown = true
		}
	}
	return grown
}

// observe notes what an instruction does with addresses made from a parameter alone.
func observe(guesses map[*isa.Var]pointerGuess, from []map[*isa.Var]bool, in *isa.Inst) {
	var use pointerGuess
	operands := in.Operands
	switch in.Op {
	case isa.OpLd:
		use.loads = true
	case isa.OpSt:
		use.stores = true
	case isa.OpAtom, isa.OpRed:
		use.loads, use.stores = true, true
	case isa.OpMultimemLdReduce, isa.OpMultimemSt, isa.OpMultimemRed:
		use.multicast = true
	case isa.OpCopyNVLink, isa.OpReduce:
		use.tensor = true
		operands = operands[:min(2, len(operands))] // a third one is the count
	default:
		return
	}
	dtype, ok := dtypeOf(in.Type(0))
	if in.Op == isa.OpCopyNVLink && !ok {
		dtype, ok = BF16, true
	}
	if !ok {
		return
	}
	for _, o := range operands {
		if !(o.Kind == isa.OperandAddress || use.tensor) || !holdsReg(from, o) || len(from[o.Reg]) != 1 {
			continue
		}
		for p := range from[o.Reg] {
			if p.Type.Bytes() != 8 || len(p.Dims) > 0 {
				continue
			}
			g := guesses[p]
			guesses[p] = pointerGuess{dtype: dtype, loads: g.loads || use.loads, stores: g.stores || use.stores,
				tensor: g.tensor || use.tensor, multicast: g.multicast || use.multicast}
		}
	}
}

// dtypeOf is the element type that a load or store of an instruction type suggests.
func dtypeOf(t isa.Type) (Dtype, bool) {
	switch t {
	case isa.F16, isa.F16x2:
		return F16, true
	case isa.BF16, isa.BF16x2:
		return BF16, true
	case isa.F32, isa.TF32, isa.F32x2:
		return F32, true
	case isa.F64:
		return F64, true
	case isa.TypeNone, isa.Pred, isa.B128:
		return 0, false
	}
	signed := t.Signed()
	switch t.Bytes() {
	case 1:
		return choose(signed, I8, U8), true
	case 2:
		return choose(signed, I16, U16), true
	case 4:
		return choose(signed, I32, U32), true
	}
	return choose(signed, I64, U64), true
}

func choose[T any](condition bool, yes, no T) T {
	if condition {
		return yes
	}
	return no
}
