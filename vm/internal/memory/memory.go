// Package memory is the memory of cards: the global memory of each, and the address map that all share.
//
// A card's global range starts at (card+1)·2^38, so the owner of a generic address is a shift and a
// peer's pointer works as it does on hardware. What lies below 2^38 belongs to no card: the windows
// through which generic addresses reach shared, local, const and parameter memory.
package memory

// CardShift is the power of two between the global ranges of neighbouring cards.
const CardShift = 38

// Windows of generic addresses below the first card, each 2^32 bytes long.
const (
	SharedWindow uint64 = 1 << 32
	LocalWindow  uint64 = 2 << 32
	ParamWindow  uint64 = 3 << 32
	ConstWindow  uint64 = 4 << 32
	// MulticastWindow starts the addresses that stand for one buffer on all cards (multimem).
	MulticastWindow uint64 = 1 << 37
	// CodeWindow starts the addresses of functions.
	CodeWindow uint64 = 5 << 32
)

// Owner returns the card that owns a global address, or -1 for an address in no card's range.
func Owner(addr uint64) int { return int(addr>>CardShift) - 1 }

// Base returns the first address of a card's range.
func Base(card int) uint64 { return uint64(card+1) << CardShift }

// Card is the global memory of one card.
type Card struct {
	Index int
}
