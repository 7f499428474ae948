package state

import (
	"io"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
)

// Card is one GPU of the node.
type Card struct {
	Index  int
	Node   *Node
	Memory *memory.Card
	Now    uint64 // cycles (timed) or warp instructions (functional); what %clock reads
	// Direct: memory of other cards is accessed at once, without messages (functional mode, ideal fabric).
	Direct bool
	// Timed: memory operations fill Warp.Access. Functional mode does not pay for it.
	Timed bool
	// GateShut: Tensor Cores are blocked; exec.Run stops before their operations.
	GateShut bool
	// Const is the constant bank: the .const variables of all loaded modules.
	Const []byte
	// Images are the addresses of the variables of loaded modules.
	Images map[*isa.Module]map[*isa.Var]uint64
	// Textures are the texture and surface objects, by handle.
	Textures []*Texture
	// Stdout receives device printf, merged over cards by whoever runs the node.
	Stdout io.Writer
	Uninit UninitMode
	// Heap is what device code's malloc takes from; nil until a program needs it.
	Heap   *Heap
	Races  *Races // found by --race; nil: none
	Counts Counts
}

// Heap is the free and used pieces of a card's device heap.
type Heap struct {
	Free []HeapPiece       // by address; neighbours are joined
	Used map[uint64]uint64 // size by address
}

// HeapPiece is a piece of memory.
type HeapPiece struct{ Addr, Size uint64 }

// UninitMode says what to do about reads of bytes never written.
type UninitMode uint8

// The modes of --uninit.
const (
	UninitCount UninitMode = iota
	UninitOff
	UninitError
)

// Counts are a card's totals.
type Counts struct {
	ThreadInstructions uint64
	WarpInstructions   uint64
	UninitReads        uint64 // bytes
}

// Node is the cards of one machine.
type Node struct {
	Cards      []*Card
	ClockMHz   int64
	SMs        int
	WarpsPerSM int
	Multicast  bool // the switch multicasts and reduces (multimem)
}

// MemoryVersion changes whenever a byte of any card's memory does. Only for modes in which cards run one at a time.
func (n *Node) MemoryVersion() (v uint64) {
	for _, c := range n.Cards {
		v += c.Memory.Version
	}
	return v
}
