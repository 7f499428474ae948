package lane

import "github.com/tollgate-sim/tollgate/isa"

// ordered maps the patterns of a format to integers in the order of the numbers, -0 below +0.
func (f *format) ordered(pattern uint32) int64 {
	if pattern&f.signBit() != 0 {
		return ^int64(pattern &^ f.signBit())
	}
	return int64(pattern)
}

// extremum is min and max of the smaller formats with their modifiers.
type extremum struct {
	*format
	larger  bool // max
	nan     bool // .NaN: one NaN makes the result NaN; else it gives the other operand
	ftz     bool
	abs     bool // of magnitudes
	xorsign bool // with the exclusive or of the operands' signs
}

// of is the smaller or larger of two operands.
func (e extremum) of(a, b uint32) uint32 {
	var sign uint32
	if e.ftz {
		a, b = e.flush(a), e.flush(b)
	}
	if e.xorsign {
		sign = (a ^ b) & e.signBit()
	}
	if e.abs {
		a, b = a&^e.signBit(), b&^e.signBit()
	}
	nanA, nanB := e.isNaN(a), e.isNaN(b)
	switch {
	case nanA && nanB, e.nan && (nanA || nanB):
		return e.format.nan
	case nanA:
		a = b
	case nanB:
	case (e.ordered(a) < e.ordered(b)) == e.larger:
		a = b
	}
	return a | sign
}

// selectExtremum picks min and max. Those of integers and the plain ones of two f32 or f64 are in the list.
func selectExtremum(in *isa.Inst, f *isa.Func) (Choice, bool) {
	if len(in.Operands) < 4 {
		if c, ok := listed(in, f); ok {
			return c, true
		}
	}
	return extremumOf(in)
}

func extremumOf(in *isa.Inst) (Choice, bool) {
	t := in.Type(0)
	f, ok := formats[t]
	if !ok || f.width < 16 || t == isa.F32x2 || t == isa.TF32 {
		return Choice{}, false
	}
	e := extremum{f, in.Op == isa.OpMax, in.Has(isa.ModNaN), in.Has(isa.ModFTZ), in.Has(isa.ModAbs), in.Has(isa.ModXorsign)}
	switch {
	case t == isa.F16x2 || t == isa.BF16x2:
		return Choice{Run: binary32(halves2(e.of))}, true
	case len(in.Operands) == 4:
		return Choice{Run: ternary32(func(a, b, c uint32) uint32 { return e.of(e.of(a, b), c) })}, true
	}
	return Choice{Run: binary32(e.of)}, true
}
