package vm

import (
	"github.com/tollgate-sim/tollgate/isa"
)

// Buffer is memory of the same size and offset on every card (symmetric).
type Buffer struct {
	Name  string
	Bytes int64
	node  *Node
	addrs []uint64 // a card
}

// Launch is one call of an entry on some cards.
type Launch struct {
	Module  *isa.Module
	Entry   *isa.Func
	Grid    [3]int
	Block   [3]int
	Cluster [3]int // {0,0,0}: none
	Shared  int    // dynamic shared memory, bytes
	// Params returns the parameter block for a card: C layout, isa.Var.Offset of the entry's parameters. It is
	// called once a card, at the call.
	Params func(card int) []byte
	Cards  []int  // nil: all
	Group  []int  // nil: all; group 0 of the launch
	Stream string // "": the default stream
}

// Node is a machine with cards, buffers and a queue of steps.
type Node struct {
	opt     Options
	buffers []*Buffer
}
