package state

import "github.com/tollgate-sim/tollgate/isa"

// Warp is 32 lanes that issue together.
type Warp struct {
	R32    [][32]uint32
	R64    [][32]uint64
	P      []uint32 // a predicate is a mask over lanes
	Active uint32   // lanes of the operation being run, guard applied
	Full   bool     // Active covers all live lanes: the loop may run over all 32
	Live   uint32   // lanes that have not exited
	Index  int      // within the CTA
	CTA    *CTA
	Prog   *Program

	Frags   []Fragment
	Current int // index into Frags of the fragment that runs; -1: none can
	// Settled: since exec chose Current, it alone has moved, and met nobody.
	Settled bool

	Access   Access
	Operator OperatorCall
	Fault    *Fault
	SleepNS  uint64 // set by nanosleep: the time asked for

	CC     uint32 // the condition code register: a carry or borrow a lane
	Carry  Carry  // registers of a polling loop when it last came round
	Recons uint32 // divergences so far, for Recon.ID
	Parked bool   // functional mode: not runnable until an event or, when a fragment spins, a change of memory
	Park   Park   // why
	Seen   uint64 // state of all memory then (Node.MemoryVersion)

	Thread ThreadCount // instructions executed
	Timing any         // the timed engine's own record
}

// Park says what a parked warp waits for.
type Park uint8

// The reasons of functional mode to leave a warp alone.
const (
	ParkBlocked  Park = iota // no fragment can run
	ParkOperator             // Operators will say
	ParkGate                 // Card.GateShut
)

// Carry is what one round of a polling loop handed to the next.
type Carry struct {
	Loop int32
	Mask uint32
	Seen uint64
	R32  [][32]uint32
	R64  [][32]uint64
	P    []uint32
}

// ThreadCount counts what a warp has executed.
type ThreadCount struct {
	WarpInstructions   uint64
	ThreadInstructions uint64 // lanes whose guard is false count too
}

// FragState says whether a fragment can run.
type FragState uint8

// The states of a fragment.
const (
	Runnable FragState = iota
	AtReconvergence
	AtBarrier
	AtWarpSync
	AtOperatorFrag
	// Yielded: it ran long without arriving anywhere; others go first.
	Yielded
	// Spinning: it came round a polling loop and nothing had changed (Fragment.Seen).
	Spinning
)

// Fragment is the lanes of a warp that stand at the same place.
type Fragment struct {
	PC    int32
	Mask  uint32
	State FragState
	Calls []Frame
	Recon []Recon
	Steps uint32 // operations since it was last picked or made progress towards its reconvergence point
	Await uint32 // AtWarpSync: lanes waited for
	Base  int32  // where the function's frame starts in each lane's local memory
	Stack int32  // bytes of local memory that alloca has taken behind the frame
	Bar   int32  // AtBarrier: which
	Laps  uint32 // times round the polling loop Loop in a row
	Loop  int32  // Op.Poll of the loop; 0: none
	// LoopDepth is the depth of the call stack in which Loop runs; a return from there ends it.
	LoopDepth int32
	Seen      uint64 // Spinning: state of all memory when it last came round (Node.MemoryVersion)
}

// Frame is one activation on a fragment's call stack.
type Frame struct {
	Return int32 // operation to go on with
	Func   *isa.Func
	Saved  *Saved // registers of a recursive callee's frame, nil otherwise
	Call   *Op    // the call; its results are handed over on return
	Base   int32  // the caller's Fragment.Base
	Stack  int32  // the caller's Fragment.Stack
}

// Saved are the registers that a recursive call put aside.
type Saved struct {
	R32 [][32]uint32
	R64 [][32]uint64
	P   []uint32
}

// Recon is a place where the fragments of one divergence meet again.
type Recon struct {
	ID    uint32 // of the divergence within the warp
	PC    int32  // immediate post-dominator; of a divergence that ends with the function, where its call returns to
	Depth int32  // of the call stack there
}

// Access describes the last memory operation of a warp to the timing.
type Access struct {
	Space   isa.Space // where the own card's lanes went: global, shared, local, const, param
	Load    bool
	Store   bool
	Atomic  bool
	Sectors int32 // distinct 32-byte sectors of the own card's global memory
	Bytes   int32 // bytes asked for by the own card's lanes
	Ways    int32 // passes a shared-memory access takes; 1: no bank conflict
	Remote  []*RemoteAccess
}

// RemoteAccess is the part of a memory instruction whose addresses another card owns.
type RemoteAccess struct {
	Warp      *Warp                     // who asks; only for messages
	Done      func(cycle, alone uint64) // called at the requester when the reply (or acknowledgement) is in; alone: when it would have been without other owners
	Op        *Op
	Owner     int
	Mask      uint32
	Bytes     int  // payload bytes over all lanes, one way
	Multicast bool // one of the parts of a multimem instruction, which goes to every card
	Load      bool // a reply with data is needed (loads, atomics)
	Addr      [32]uint64
	Data      [][32]uint64 // operands, a row an element; after Apply the results
	Fault     *Fault
}

// OperatorCall is an operator that all live lanes of a warp have come to.
type OperatorCall struct {
	Op    *Op
	Code  isa.Opcode
	Type  isa.Type
	Red   isa.Mod // add, min, max, and, or, xor
	Src   uint64
	Dst   uint64
	Count uint64 // elements
	Group uint32 // sync.nvlink: group id
}
