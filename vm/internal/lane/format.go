package lane

import (
	"math"

	"github.com/tollgate-sim/tollgate/isa"
)

// rounding is a rounding mode.
type rounding uint8

const (
	nearestEven rounding = iota // .rn
	towardsZero                 // .rz
	down                        // .rm
	up                          // .rp
	nearestAway                 // .rna: nearest, ties away from zero
)

// roundings are the modes by their modifiers, those of integral results included.
var roundings = map[isa.Mod]rounding{
	isa.ModRN: nearestEven, isa.ModRZ: towardsZero, isa.ModRM: down, isa.ModRP: up, isa.ModRNA: nearestAway,
	isa.ModRni: nearestEven, isa.ModRzi: towardsZero, isa.ModRmi: down, isa.ModRpi: up,
}

// roundingOf returns the instruction's rounding mode, the nearest even when it names none.
func roundingOf(in *isa.Inst) rounding {
	for _, m := range in.Mods {
		if r, ok := roundings[m]; ok {
			return r
		}
	}
	return nearestEven
}

// roundsUp says whether a magnitude whose last kept bit is odd or not, and of which rest/unit is cut off, goes up by one.
// half is the pattern of one half of a unit.
func (r rounding) roundsUp(neg, odd bool, rest, half uint64) bool {
	switch r {
	case nearestEven:
		return rest > half || rest == half && odd
	case nearestAway:
		return rest >= half
	case down:
		return neg && rest != 0
	case up:
		return !neg && rest != 0
	}
	return false
}

// overflows says what a magnitude beyond the largest becomes under a rounding mode: infinity, or else the largest.
func (r rounding) overflows(neg bool) bool {
	switch r {
	case down:
		return neg
	case up:
		return !neg
	case towardsZero:
		return false
	}
	return true
}

// format is a binary floating-point format of at most 32 bits.
type format struct {
	width    uint   // bits in all
	mantissa uint   // stored bits of the significand
	bias     int    // of the exponent
	largest  uint32 // pattern of the largest finite magnitude
	infinity uint32 // pattern, or 0 when the format has none
	nan      uint32 // canonical NaN; largest when the format has none
	shift    uint   // how far up the pattern stands in its register (tf32)
}

// The formats (PTX ISA, "Alternate Floating-Point Data Formats" and the fundamental types).
var (
	formatF16  = &format{width: 16, mantissa: 10, bias: 15, largest: 0x7bff, infinity: 0x7c00, nan: nan16}
	formatBF16 = &format{width: 16, mantissa: 7, bias: 127, largest: 0x7f7f, infinity: 0x7f80, nan: nan16}
	formatF32  = &format{width: 32, mantissa: 23, bias: 127, largest: 0x7f7fffff, infinity: 0x7f800000, nan: nan32}
	formatTF32 = &format{width: 19, mantissa: 10, bias: 127, largest: 0x3fbff, infinity: 0x3fc00, nan: 0x3ffff, shift: 13}
	formatE5M2 = &format{width: 8, mantissa: 2, bias: 15, largest: 0x7b, infinity: 0x7c, nan: 0x7f}
	formatE4M3 = &format{width: 8, mantissa: 3, bias: 7, largest: 0x7e, nan: 0x7f}
	formatE3M2 = &format{width: 6, mantissa: 2, bias: 3, largest: 0x1f, nan: 0x1f}
	formatE2M3 = &format{width: 6, mantissa: 3, bias: 1, largest: 0x1f, nan: 0x1f}
	formatE2M1 = &format{width: 4, mantissa: 1, bias: 1, largest: 0x7, nan: 0x7}
)

// formats are the formats of the scalar types, and of the elements of the packed ones.
var formats = map[isa.Type]*format{
	isa.F16: formatF16, isa.F16x2: formatF16, isa.BF16: formatBF16, isa.BF16x2: formatBF16,
	isa.F32: formatF32, isa.F32x2: formatF32, isa.TF32: formatTF32,
	isa.E5M2: formatE5M2, isa.E5M2x2: formatE5M2, isa.E5M2x4: formatE5M2,
	isa.E4M3: formatE4M3, isa.E4M3x2: formatE4M3, isa.E4M3x4: formatE4M3,
	isa.E3M2: formatE3M2, isa.E3M2x2: formatE3M2, isa.E3M2x4: formatE3M2,
	isa.E2M3: formatE2M3, isa.E2M3x2: formatE2M3, isa.E2M3x4: formatE2M3,
	isa.E2M1: formatE2M1, isa.E2M1x2: formatE2M1, isa.E2M1x4: formatE2M1,
}

// round is x rounded once to the format, without its shift. With satfinite what lies beyond the largest magnitude, infinity too, is that.
func (f *format) round(x float64, mode rounding, satfinite bool) uint32 {
	if f.width == 32 && !satfinite {
		return roundF32(x, mode)
	}
	b := math.Float64bits(x)
	sign := uint32(b>>63) << (f.width - 1)
	exponent := int(b>>52&0x7ff) - 1023
	significand := b & (1<<52 - 1)
	switch {
	case x != x:
		return f.nan
	case exponent == 1024:
		if f.infinity == 0 || satfinite {
			return sign | f.largest
		}
		return sign | f.infinity
	case exponent == -1023:
		exponent = -1022 // zero or subnormal: no leading one
	default:
		significand |= 1 << 52
	}
	least := max(exponent, 1-f.bias) // exponent of the result, before a carry
	cut := min(uint(52-int(f.mantissa)+least-exponent), 60)
	kept := significand >> cut
	if mode.roundsUp(sign != 0, kept&1 != 0, significand&(1<<cut-1), 1<<(cut-1)) {
		kept++
	}
	// A normal significand's leading one adds itself to the exponent field; so does a carry.
	magnitude := uint64(least+f.bias-1)<<f.mantissa + kept
	if magnitude > uint64(f.largest) {
		magnitude = uint64(f.largest)
		if f.infinity != 0 && !satfinite && mode.overflows(sign != 0) {
			magnitude = uint64(f.infinity)
		}
	}
	return sign | uint32(magnitude)
}

// roundF32 is x rounded once to f32: Go's conversion rounds to nearest, which the other modes correct by a place.
func roundF32(x float64, mode rounding) uint32 {
	r := float32(x)
	b := bits32(r)
	switch distance := math.Abs(float64(r)) - math.Abs(x); {
	case mode == nearestEven || x != x || mode == nearestAway:
	case mode == up && x > 0 || mode == down && x < 0: // away from zero
		if distance < 0 {
			b++
		}
	case distance > 0:
		b--
	}
	return b
}

// value is the number that a pattern stands for, exactly.
func (f *format) value(pattern uint32) float64 {
	if f.width == 32 {
		return float64(math.Float32frombits(pattern))
	}
	pattern >>= f.shift
	magnitude := pattern & (1<<(f.width-1) - 1)
	significand := magnitude & (1<<f.mantissa - 1)
	exponent := int(magnitude >> f.mantissa)
	var x float64
	switch {
	case magnitude > f.largest && magnitude == f.infinity:
		x = math.Inf(1)
	case magnitude > f.largest:
		return math.NaN()
	case exponent == 0:
		x = float64(significand) * exp2int(1-f.bias-int(f.mantissa))
	default:
		x = float64(significand|1<<f.mantissa) * exp2int(exponent-f.bias-int(f.mantissa))
	}
	if pattern>>(f.width-1)&1 != 0 {
		return -x
	}
	return x
}

// exp2int is 2^n for the exponents of normal f64.
func exp2int(n int) float64 { return math.Float64frombits(uint64(n+1023) << 52) }

// signBit is the pattern of the sign.
func (f *format) signBit() uint32 { return 1 << (f.width - 1) }

// flush is .ftz: a subnormal pattern becomes the zero of its sign.
func (f *format) flush(pattern uint32) uint32 {
	if pattern&(f.signBit()-1)>>f.mantissa == 0 {
		return pattern & f.signBit()
	}
	return pattern
}

// isNaN reports a NaN of a format that has infinities.
func (f *format) isNaN(pattern uint32) bool { return pattern&(f.signBit()-1) > f.infinity }

// one is the pattern of 1.
func (f *format) one() uint32 { return uint32(f.bias) << f.mantissa }

// saturate is .sat: clamped to [0, 1], a NaN gives +0.
func (f *format) saturate(pattern uint32) uint32 {
	if f.isNaN(pattern) || pattern&f.signBit() != 0 {
		return 0
	}
	return min(pattern, f.one())
}

// positive is .relu: negative results become zero, a NaN stays NaN.
func (f *format) positive(pattern uint32) uint32 {
	if pattern&f.signBit() != 0 && !f.isNaN(pattern) {
		return 0
	}
	return pattern
}
