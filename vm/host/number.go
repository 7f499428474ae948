package host

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// number is a number as a case file or the command line gives it: a real, and where it is an integer its exact
// value modulo 2^64, which a float64 could not hold.
type number struct {
	real     float64
	bits     uint64 // two's complement, when integral
	integral bool
	whole    *big.Int // the integer itself, for range checks; nil unless integral and not from a float
}

// parseNumber reads decimal and hexadecimal integers and decimal floats, with a sign. It does not read inf, nan or
// PTX's 0f words; see parseFloatWord.
func parseNumber(text string) (number, bool) {
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || digits == "" || strings.ContainsRune(digits, '_') {
		return number{}, false
	}
	base, body := 10, digits
	if len(digits) > 2 && (digits[:2] == "0x" || digits[:2] == "0X") {
		base, body = 16, digits[2:]
	}
	if whole, ok := new(big.Int).SetString(body, base); ok && body[0] != '-' && body[0] != '+' {
		if text[0] == '-' {
			whole.Neg(whole)
		}
		return integerNumber(whole), true
	}
	if base == 16 || !strings.ContainsAny(digits[:1], ".0123456789") {
		return number{}, false
	}
	real, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(real, 0) {
		return number{}, false
	}
	return realNumber(real), true
}

func integerNumber(whole *big.Int) number {
	real, _ := new(big.Float).SetInt(whole).Float64()
	low := new(big.Int).And(whole, new(big.Int).SetUint64(math.MaxUint64))
	return number{real: real, bits: low.Uint64(), integral: true, whole: whole}
}

func realNumber(real float64) number {
	return number{real: real, bits: wrap(real), integral: real == math.Trunc(real) && !math.IsInf(real, 0)}
}

// parseFloatWord reads what only floats have: inf, nan, and PTX's 0f3F800000 and 0d3FF0000000000000.
func parseFloatWord(text string) (float64, bool) {
	sign := 1.0
	body := strings.ToLower(text)
	if strings.HasPrefix(body, "-") || strings.HasPrefix(body, "+") {
		if body[0] == '-' {
			sign = -1
		}
		body = body[1:]
	}
	switch {
	case body == "inf" || body == "infinity":
		return math.Inf(int(sign)), true
	case body == "nan":
		return math.Copysign(math.NaN(), sign), true
	case len(body) == 10 && body[:2] == "0f":
		bits, err := strconv.ParseUint(body[2:], 16, 32)
		return sign * float64(math.Float32frombits(uint32(bits))), err == nil
	case len(body) == 18 && body[:2] == "0d":
		bits, err := strconv.ParseUint(body[2:], 16, 64)
		return sign * math.Float64frombits(bits), err == nil
	}
	return 0, false
}

// to returns the bits of n in the type: floats rounded to nearest even, integers modulo 2^width.
func (d Dtype) to(n number) uint64 {
	if n.integral && !d.Float() {
		return n.bits & d.mask()
	}
	return d.Round(n.real)
}

// fits reports whether an integer can be meant for a type of so many bits: from the least signed to the greatest
// unsigned value, so that both -1 and 0xffffffff are words.
func fits(n number, bits int) bool {
	if n.whole == nil {
		return false
	}
	least := new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(bits-1)))
	beyond := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return n.whole.Cmp(least) >= 0 && n.whole.Cmp(beyond) < 0
}
