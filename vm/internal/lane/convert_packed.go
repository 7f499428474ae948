package lane

import (
	"math"
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// selectPackedConvert picks the forms of cvt whose result or source is a pair of small numbers. Of two sources the first
// goes to the upper half.
func selectPackedConvert(in *isa.Inst) (Choice, bool) {
	to, from := in.Type(0), in.Type(1)
	pair, toPair := pairOf[to]
	source, fromPair := pairOf[from]
	satfinite := in.Has(isa.ModSatfinite)
	switch {
	case to == isa.UE8M0x2 && from == isa.F32:
		mode := roundingOf(in)
		return Choice{Run: binary32(func(a, b uint32) uint32 {
			return scaleOf(formatF32.value(a), mode, satfinite)<<8 | scaleOf(formatF32.value(b), mode, satfinite)
		})}, true
	case to == isa.UE8M0x2 && from == isa.BF16x2:
		mode := roundingOf(in)
		return Choice{Run: unary32(func(a uint32) uint32 {
			return scaleOf(formatBF16.value(a>>16), mode, satfinite)<<8 | scaleOf(formatBF16.value(a&0xffff), mode, satfinite)
		})}, true
	case to == isa.BF16x2 && from == isa.UE8M0x2:
		return Choice{Run: unary32(func(a uint32) uint32 { return ofScale(a>>8&0xff)<<16 | ofScale(a&0xff) })}, true
	case toPair && from == isa.F32:
		if c, ok := listed(in, nil); ok {
			return c, true
		}
		n := numeric{format: formats[to], mode: roundingOf(in), relu: in.Has(isa.ModRelu)}
		return Choice{Run: binary32(func(a, b uint32) uint32 {
			return n.writeFinite(formatF32.value(a), satfinite)<<pair | n.writeFinite(formatF32.value(b), satfinite)
		})}, true
	case toPair && fromPair:
		n := numeric{format: formats[to], mode: roundingOf(in), relu: in.Has(isa.ModRelu)}
		f := formats[from]
		mask := uint32(1)<<source - 1
		return Choice{Run: unary32(func(a uint32) uint32 {
			return n.writeFinite(f.value(a>>source&mask), satfinite)<<pair | n.writeFinite(f.value(a&mask), satfinite)
		})}, true
	}
	return Choice{}, false
}

// pairOf is the distance in bits between the elements of packed types.
var pairOf = map[isa.Type]uint{
	isa.F16x2: 16, isa.BF16x2: 16, isa.E4M3x2: 8, isa.E5M2x2: 8, isa.E3M2x2: 8, isa.E2M3x2: 8, isa.E2M1x2: 4,
}

// writeFinite is write with .satfinite, for conversions.
func (n numeric) writeFinite(x float64, satfinite bool) uint32 {
	if !satfinite {
		return n.write(x)
	}
	pattern := n.round(x, n.mode, true)
	if n.relu && !n.isNumberNaN(pattern) && pattern&n.signBit() != 0 {
		return 0
	}
	return pattern << n.shift
}

// isNumberNaN reports the NaN pattern of formats that have one.
func (f *format) isNumberNaN(pattern uint32) bool { return pattern == f.nan && f.nan != f.largest }

// scaleOf rounds a positive number to a power of two: ue8m0, the exponent alone with bias 127, 0xff for NaN.
func scaleOf(x float64, mode rounding, satfinite bool) uint32 {
	if x != x || math.IsInf(x, 0) && !satfinite {
		return 0xff
	}
	x = math.Abs(x)
	if x == 0 {
		return 0
	}
	fraction, exponent := math.Frexp(min(x, math.MaxFloat64)) // x = fraction·2^exponent, fraction in [1/2, 1)
	if fraction > 0.5 && mode == up {
		exponent++
	}
	e := exponent - 1 + 127
	if e > 254 && !satfinite {
		return 0xff
	}
	return uint32(min(max(e, 0), 254))
}

// ofScale is the bf16 of a ue8m0.
func ofScale(e uint32) uint32 {
	switch e {
	case 0xff:
		return nan16
	case 0:
		return 0x0040 // 2^-127, subnormal
	}
	return e << 7
}

// selectConvertPack picks cvt.pack: two s32, saturated to a narrow type, below which, for the narrowest, come the upper
// bits of a third operand.
func selectConvertPack(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	t := in.Type(0)
	width := t.Bits()
	if !t.Integer() || width > 16 {
		return Choice{}, false
	}
	least, largest := limits(t)
	mask := uint32(1)<<width - 1
	narrow := func(x uint32) uint32 { return uint32(min(max(int64(int32(x)), least), int64(largest))) & mask }
	if width == 16 {
		return Choice{Run: binary32(func(a, b uint32) uint32 { return narrow(a)<<16 | narrow(b) })}, true
	}
	return Choice{Run: func(w *state.Warp, op *state.Op) state.Signal {
		d, a, b, c := &w.R32[op.D], w.Src32(op.A), w.Src32(op.B), w.Src32(op.C)
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			d[l] = narrow(a[l])<<width | narrow(b[l]) | c[l]<<(2*width)
		}
		return state.Next
	}}, true
}
