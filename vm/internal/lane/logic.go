package lane

// isZero is cnot: 1 for zero, else 0.
func isZero[T uint32 | uint64](x T) T {
	if x == 0 {
		return 1
	}
	return 0
}

// choose is a when yes, else b.
func choose[T any](yes bool, a, b T) T {
	if yes {
		return a
	}
	return b
}

// The selectors that prmt's modes .b4e, .ecl and .ecr stand for, by the low two bits of c.
var (
	backward  = [4]uint32{0x5670, 0x6701, 0x7012, 0x0123}
	edgeLeft  = [4]uint32{0x3210, 0x3211, 0x3222, 0x3333}
	edgeRight = [4]uint32{0x0000, 0x1110, 0x2210, 0x3210}
)

// permute is prmt in its default mode: each nibble of the selector names a byte of {b, a}; its top bit asks for the
// byte's sign, eight times.
func permute(a, b, selector uint32) uint32 {
	both := uint64(b)<<32 | uint64(a)
	return pick(both, selector) | pick(both, selector>>4)<<8 | pick(both, selector>>8)<<16 | pick(both, selector>>12)<<24
}

// pick is the byte that the low nibble of a selector names.
func pick(both uint64, nibble uint32) uint32 {
	x := int8(both >> (nibble & 7 * 8))
	return uint32(uint8(x >> (nibble >> 3 & 1 * 7)))
}
