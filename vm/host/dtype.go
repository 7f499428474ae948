package host

import (
	"math"
	"strconv"
)

// Dtype is the element type of a buffer, as case files and the command line spell it.
type Dtype uint8

// The element types.
const (
	U8 Dtype = iota
	I8
	U16
	I16
	U32
	I32
	U64
	I64
	F16
	BF16
	F32
	F64
	numDtypes
)

// dtypeRow says how an element's bits are read. exp and frac are the widths of a float's fields.
type dtypeRow struct {
	name      string
	bytes     int
	signed    bool
	exp, frac int
}

var dtypeRows = [numDtypes]dtypeRow{
	U8:   {name: "u8", bytes: 1},
	I8:   {name: "i8", bytes: 1, signed: true},
	U16:  {name: "u16", bytes: 2},
	I16:  {name: "i16", bytes: 2, signed: true},
	U32:  {name: "u32", bytes: 4},
	I32:  {name: "i32", bytes: 4, signed: true},
	U64:  {name: "u64", bytes: 8},
	I64:  {name: "i64", bytes: 8, signed: true},
	F16:  {name: "f16", bytes: 2, exp: 5, frac: 10},
	BF16: {name: "bf16", bytes: 2, exp: 8, frac: 7},
	F32:  {name: "f32", bytes: 4, exp: 8, frac: 23},
	F64:  {name: "f64", bytes: 8, exp: 11, frac: 52},
}

// LookupDtype finds an element type by its name.
func LookupDtype(name string) (Dtype, bool) {
	for d, row := range dtypeRows {
		if row.name == name {
			return Dtype(d), true
		}
	}
	return 0, false
}

// dtypeNames lists all names, in the order of the constants.
func dtypeNames() []string {
	names := make([]string, 0, numDtypes)
	for _, row := range dtypeRows {
		names = append(names, row.name)
	}
	return names
}

// String returns the name: u8, bf16, f32.
func (d Dtype) String() string { return dtypeRows[d].name }

// Bytes returns the size of one element.
func (d Dtype) Bytes() int { return dtypeRows[d].bytes }

// Float reports a floating-point type.
func (d Dtype) Float() bool { return dtypeRows[d].frac != 0 }

// mask covers the bits of an element.
func (d Dtype) mask() uint64 { return ^uint64(0) >> (64 - 8*d.Bytes()) }

// Round returns the bits of v in the type: to nearest even; integers modulo 2^width.
func (d Dtype) Round(v float64) uint64 {
	switch {
	case d == F64:
		return math.Float64bits(v)
	case d == F32:
		return uint64(math.Float32bits(float32(v)))
	case d.Float():
		return narrow(v, dtypeRows[d].exp, dtypeRows[d].frac)
	}
	return wrap(math.RoundToEven(v)) & d.mask()
}

// wrap returns an integral v modulo 2^64 in two's complement; 0 for what is no number.
func wrap(v float64) uint64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	m := math.Mod(v, 1<<64)
	if m < 0 {
		return -uint64(-m)
	}
	return uint64(m)
}

// narrow rounds v to nearest even in a binary format with so many exponent and fraction bits, overflow to
// infinity, subnormals kept.
func narrow(v float64, exp, frac int) uint64 {
	sign := math.Float64bits(v) >> 63 << (exp + frac)
	infinity := (uint64(1)<<exp - 1) << frac
	if math.IsNaN(v) {
		return sign | infinity | 1<<(frac-1)
	}
	if math.IsInf(v, 0) {
		return sign | infinity
	}
	if v == 0 {
		return sign
	}
	least := 2 - 1<<(exp-1) // exponent of the smallest normal number
	if e := int(math.Float64bits(v)>>52&0x7ff) - 1023; e >= least && e <= -least+1 {
		// Nearly every number: the same on the bits of the float64. Half a unit, less one for an even last bit, carries
		// where rounding to nearest even does.
		drop := 52 - frac
		fraction := math.Float64bits(v) & (1<<52 - 1)
		rounded := (fraction + 1<<(drop-1) - 1 + fraction>>drop&1) >> drop
		return sign | min(uint64(e-least+1)<<frac+rounded, infinity)
	}
	e := max(math.Ilogb(v), least)
	// In units of the last place, v is a number below 2^(frac+1) that a float64 holds exactly. A carry out of
	// the fraction runs into the exponent field, where it belongs.
	units := math.RoundToEven(math.Ldexp(math.Abs(v), frac-e))
	return sign | min(uint64(e-least)<<frac+uint64(units), infinity)
}

// widen is the inverse of narrow: the value of an element of such a format.
func widen(bits uint64, exp, frac int) float64 {
	fraction := bits & (1<<frac - 1)
	e := int(bits>>frac) & (1<<exp - 1)
	least := 2 - 1<<(exp-1)
	var v float64
	switch {
	case e == 1<<exp-1 && fraction != 0:
		v = math.NaN()
	case e == 1<<exp-1:
		v = math.Inf(1)
	case e == 0:
		v = math.Ldexp(float64(fraction), least-frac)
	default:
		v = math.Float64frombits(uint64(e-1+least+1023)<<52 | fraction<<(52-frac))
	}
	if bits>>(exp+frac)&1 != 0 {
		return math.Copysign(v, -1)
	}
	return v
}

// Value returns the element as a number; integers above 2^53 lose their low bits.
func (d Dtype) Value(bits uint64) float64 {
	row := dtypeRows[d]
	switch {
	case d == F64:
		return math.Float64frombits(bits)
	case d.Float():
		return widen(bits, row.exp, row.frac)
	case row.signed:
		return float64(d.signExtend(bits))
	}
	return float64(bits & d.mask())
}

// signExtend returns the bits of a signed integer type as an int64.
func (d Dtype) signExtend(bits uint64) int64 {
	shift := 64 - 8*d.Bytes()
	return int64(bits<<shift) >> shift
}

// Text prints an element: integers in decimal, floats with as many digits as tell them apart.
func (d Dtype) Text(bits uint64) string {
	switch {
	case d == F64:
		return strconv.FormatFloat(d.Value(bits), 'g', -1, 64)
	case d.Float():
		return strconv.FormatFloat(d.Value(bits), 'g', -1, 32)
	case dtypeRows[d].signed:
		return strconv.FormatInt(d.signExtend(bits), 10)
	}
	return strconv.FormatUint(bits&d.mask(), 10)
}

// isNaN reports a NaN of a floating-point type.
func (d Dtype) isNaN(bits uint64) bool { return d.Float() && math.IsNaN(d.Value(bits)) }

// order maps an element to an integer so that neighbours differ by one and the order is that of the numbers
// (-0 just below +0); the distance of two is their difference in units of the last place.
func (d Dtype) order(bits uint64) int64 {
	if !d.Float() {
		if dtypeRows[d].signed {
			return d.signExtend(bits)
		}
		return int64(bits ^ 1<<63)
	}
	sign := uint64(1) << (8*d.Bytes() - 1)
	if bits&sign != 0 {
		return -int64(bits&^sign) - 1
	}
	return int64(bits)
}

// get reads element i of data, little-endian.
func (d Dtype) get(data []byte, i int64) uint64 {
	n := int64(d.Bytes())
	var bits uint64
	for k := n - 1; k >= 0; k-- {
		bits = bits<<8 | uint64(data[i*n+k])
	}
	return bits
}

// put writes element i of data, little-endian.
func (d Dtype) put(data []byte, i int64, bits uint64) {
	n := int64(d.Bytes())
	putBytes(data[i*n:(i+1)*n], bits)
}

// putBytes writes the low bytes of bits, little-endian, as many as dst has; further ones are zero.
func putBytes(dst []byte, bits uint64) {
	for k := range dst {
		dst[k] = byte(bits)
		bits >>= 8
	}
}
