package memory

import (
	"math"
	"math/bits"
)

// Shadow has one bit a byte: whether something has written it.
type Shadow []uint64

// Set marks bytes as written and returns how many were not before.
func (s Shadow) Set(start, size uint64) (fresh uint64) {
	for size > 0 {
		word, mask, n := span(start, size)
		fresh += uint64(bits.OnesCount64(mask &^ s[word]))
		s[word] |= mask
		start, size = start+n, size-n
	}
	return fresh
}

// Missing counts the bytes that nothing has written.
func (s Shadow) Missing(start, size uint64) (missing uint64) {
	for size > 0 {
		word, mask, n := span(start, size)
		missing += uint64(bits.OnesCount64(mask &^ s[word]))
		start, size = start+n, size-n
	}
	return missing
}

// span is the part of a range of bits that lies in its first word: the word, the bits, and how many.
func span(start, size uint64) (word, mask, n uint64) {
	bit := start & 63
	n = min(64-bit, size)
	return start >> 6, math.MaxUint64 >> (64 - n) << bit, n
}
