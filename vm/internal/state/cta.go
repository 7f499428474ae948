package state

// CTA is a cooperative thread array that is resident on an SM.
type CTA struct {
	Launch *Launch
	Card   *Card
	ID     [3]uint32
	Index  uint64 // linear index in the grid
	SM     int
	Shared []byte
	// SharedWritten has one bit a byte, nil when written-ness is not tracked.
	SharedWritten []uint64
	// SharedUnwritten is the number of shared bytes never written; at zero nobody looks at SharedWritten.
	SharedUnwritten int
	Local           []byte // LocalStride bytes a thread, thread after thread; nil when the program has none
	LocalStride     int
	Warps           []*Warp
	Barriers        [16]BarrierState
	InFlight        int // accesses of other cards' memory whose replies or acknowledgements are not in (timed)
	LiveWarps       int
	Race            any // what --race knows of it
	// Released lists warps that a barrier let go since whoever runs the CTA last looked.
	Released []*Warp
}

// BarrierState is one of a CTA's named barriers.
type BarrierState struct {
	Expected int      // threads; 0: none has arrived yet
	Arrived  int      // threads
	All      bool     // it waits for every live warp, whatever Expected was at the start
	Or, And  bool     // of bar.red
	Count    uint32   // popc of bar.red
	Partial  []uint32 // a warp's lanes that have arrived, while others of it have not; nil: none
	Waiting  []BarrierWait
	Last     *Warp // the last warp to arrive
}

// BarrierWait is a fragment that waits at a barrier.
type BarrierWait struct {
	Warp *Warp
	Mask uint32
	Op   *Op
}

// Launch is one grid on one card.
type Launch struct {
	ID            int
	Name          string
	Prog          *Program
	Grid          [3]int
	Block         [3]int
	Cluster       [3]int
	SharedDynamic int // bytes
	Params        []byte
	Vars          []uint64 // addresses of Program.Vars on the launch's card; filled by the first CTA
	Workspace     uint64   // address of what grid-wide barriers of cooperative groups use (%envreg1, %envreg2)
	Pool          []*CTA   // CTAs that have ended, whose memory the next ones reuse
	Card          *Card
	Group         []int  // cards of the launch's group, ascending
	Next          uint64 // linear index of the next CTA to place
	Live          int    // resident CTAs
	Done          bool
	Timing        any
}

// CTAs returns the number of CTAs of the grid.
func (l *Launch) CTAs() uint64 { return uint64(l.Grid[0]) * uint64(l.Grid[1]) * uint64(l.Grid[2]) }

// Threads returns the threads a CTA.
func (l *Launch) Threads() int { return l.Block[0] * l.Block[1] * l.Block[2] }
