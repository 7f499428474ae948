// Package state holds what runs: decoded programs, cards, CTAs and warps. It has no clock and no policy;
// exec changes it an instruction at a time, sm and functional decide when.
package state

import "github.com/tollgate-sim/tollgate/isa"

// Signal is what an operation tells whoever runs the warp.
type Signal uint8

// The signals.
const (
	// Next: done, go on with the following operation.
	Next Signal = iota
	// Jumped: the warp's fragments changed (branch, call, return, exit of some lanes, merge); pick again.
	Jumped
	// Waiting: the current fragment waits for other fragments or warps of its CTA; pick again.
	Waiting
	// Exited: the warp's last lane has exited.
	Exited
	// AtOperator: all live lanes of the warp stand at an operator of the article; Warp.Operator says which.
	// The pc stays at the operator until whoever runs the warp calls exec.PassOperator.
	AtOperator
	// Pending: the instruction touched memory of other cards; Warp.Access.Remote holds the parts. The pc has
	// moved on; registers are written by exec.Finish.
	Pending
	// Faulted: Warp.Fault says why.
	Faulted
	// Gated: the next operation is one of the Tensor Cores, and Card.GateShut. Nothing has been executed
	// (functional mode; the timed engine asks before it issues).
	Gated
)

// OpKind says which hand an operation needs beyond its lane function.
type OpKind uint8

// The kinds.
const (
	Plain    OpKind = iota // registers to registers
	Memory                 // Warp.Access describes what it did
	Control                // branch, call, return, exit
	Barrier                // bar, barrier: may release warps (CTA.Released)
	WarpSync               // .sync instructions that wait for lanes of the warp
	Fence                  // membar, fence
	Tensor                 // mma and relatives
	Operator               // the article's
	Sleep                  // nanosleep
)

// Op is one decoded operation: resolved slots and the function that runs it. A Program's operations are
// immutable and shared by all cards.
type Op struct {
	Run    func(*Warp, *Op) Signal
	D, D2  int32 // destination slots
	A      int32 // source slots; negative: constant ^slot of the Program
	B      int32
	C      int32
	E      int32
	Imm    uint64
	Target int32 // of a branch; of a call
	Guard  int32 // predicate slot, -1: none
	Neg    bool  // guard is @!p
	Kind   OpKind
	Class  isa.Class
	Hidden bool    // made by decode to feed the next operation (a special register used as an operand); costs nothing, counts nothing
	Sync   int32   // WarpSync: slot of the member mask; SlotAllLanes: every live lane
	Index  int32   // in Program.Ops
	Poll   int32   // index into Program.Polls + 1 of the polling loop whose closing branch this is; 0: none
	Reads  []int32 // scoreboard indices (see Program.Slots)
	Writes []int32
	Inst   *isa.Inst
	Func   *isa.Func
	Extra  any // data of rare operations (memory, mma, calls), made at decode
}

// SlotAllLanes is the Op.Sync of operations that all live lanes of the warp execute together.
const SlotAllLanes int32 = -1 << 31

// Poll is a loop that may do nothing but re-read memory: it executes no barrier, no operator and reads no clock. A
// warp that comes round with the same Carried registers while no memory changed will come round for ever.
type Poll struct {
	Head, Branch int32   // the loop's first operation and the branch that closes it
	Carried32    []int32 // slots live at Head: all that one round hands to the next
	Carried64    []int32
	CarriedP     []int32
}

// Program is an entry and all that it can reach, decoded into one flat slice.
type Program struct {
	Module *isa.Module
	Entry  *isa.Func
	Ops    []Op
	Start  int32
	N32    int // 32-bit register slots a warp needs
	N64    int
	NP     int // predicate slots
	// Const32 and Const64 hold constants spread over lanes, so that an operand is always an array.
	Const32 [][32]uint32
	Const64 [][32]uint64
	// Registers is the number of 32-bit registers a thread is taken to need, for occupancy (liveness, or .maxnreg).
	Registers    int
	SharedStatic int // bytes
	LocalBytes   int // bytes a thread; CTAs grow it when recursion goes deeper
	ParamBytes   int
	Operators    bool // an operator can be reached
	Tensor       bool // an mma can be reached
	GlobalRefs   bool
	Workspace    bool // the grid's workspace is asked for
	Heap         bool // malloc or free is called
	Polls        []Poll
	Vars         []*isa.Var // variables of the module that operations refer to by index; Launch.Vars has their addresses
	Unsupported  *isa.Inst  // first instruction that can't run yet, nil if none is reached
	UnsupportedF *isa.Func
}

// Slots is the number of scoreboard indices: 32-bit slots first, then 64-bit slots, then predicates.
func (p *Program) Slots() int { return p.N32 + p.N64 + p.NP }
