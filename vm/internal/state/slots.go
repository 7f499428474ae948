package state

// Src32 returns the lanes of a 32-bit source: a register's, or for a negative slot the constant ^slot.
func (w *Warp) Src32(slot int32) *[32]uint32 {
	if slot < 0 {
		return &w.Prog.Const32[^slot]
	}
	return &w.R32[slot]
}

// Src64 returns the lanes of a 64-bit source: a register's, or for a negative slot the constant ^slot.
func (w *Warp) Src64(slot int32) *[32]uint64 {
	if slot < 0 {
		return &w.Prog.Const64[^slot]
	}
	return &w.R64[slot]
}

// The slots of predicate constants.
const (
	SlotFalse int32 = -1
	SlotTrue  int32 = -2
)

// SrcP returns a predicate source as a mask over lanes.
func (w *Warp) SrcP(slot int32) uint32 {
	switch slot {
	case SlotFalse:
		return 0
	case SlotTrue:
		return 1<<32 - 1
	}
	return w.P[slot]
}

// Vectors are the flattened slots of an operation's vector operands, {a, b} and the like; one element for a scalar
// operand of an instruction that also has vectors. A 128-bit value takes two consecutive 64-bit slots, low half first.
// A sink (_) among the destinations is -1.
type Vectors struct {
	D, A, B, C, E []int32
}
