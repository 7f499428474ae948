package vm

import (
	"time"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/vm/internal/sm"
)

// Result is what a run came to. All times are cycles of the node's one clock.
type Result struct {
	Machine *machine.Machine
	// Functional is true for a run without a clock: only Warnings, Counts and Host mean something.
	Functional bool
	Cards      []CardResult
	// Total is T: from the first launch call to the end of the last launch on any card.
	Total uint64
	// Launches are all launches in the order of their calls, a row a card.
	Launches []LaunchResult
	SMs      []SMResult
	Tensor   TensorResult
	// Operators are the article's operators by source line, in the order of first execution.
	Operators []OperatorResult
	// Waits lists the cycles lost, by source line and entry, summed over cards, most first.
	Waits []WaitResult
	// Barriers are the waits at sync.nvlink and at flags in memory that other cards set, by source line.
	Barriers []BarrierResult
	// WaitedFor holds for each card the cycles it lost to skew, by the card that came late.
	WaitedFor [][]uint64
	// Links are the ports that moved bytes: egress, then ingress of each card.
	Links []LinkResult
	Local *SilentResult // Cycle_local; nil where it was not run
	Gate  *SilentResult // open gate; nil where the gate cost nothing or it was not run
	// OneRound is the run in which a barrier line's rounds after the first of a launch cost nothing; nil where no
	// launch had a second one, or it was not run.
	OneRound *SilentResult
	// LikeMedian is the run in which the card that the others waited for came when the median card did, and Late is
	// that card; nil where none was waited for, or that can't be told.
	LikeMedian *SilentResult
	Late       int
	Numerics   []NumericsResult // with Options.Numerics: the reductions compared with other orders
	Warnings   []Warning
	Counts     CountsResult
	Host       time.Duration // wall time of the timed (or functional) run alone
	rounds     uint64        // barrier rounds between cards
	hops       [][]sm.Hop    // with Options.Path, a card
}

// Entry is a ledger entry; see EntryNames for the names in order.
type Entry uint8

// Sheet is one exact partition of cycles over ledger entries.
type Sheet [NumEntries]uint64

// CardResult is the card sheet of one card and what its ports did.
type CardResult struct {
	Card  int
	End   uint64 // end of its last launch
	Sheet Sheet  // sums to Result.Total
	// Hidden is the number of cycles in which communication went on under local work.
	Hidden   uint64
	BytesOut uint64 // through the egress port
	BytesIn  uint64
	BusyOut  uint64 // cycles the egress port was moving bytes
	BusyIn   uint64
	CopyBusy uint64 // cycles from the first to the last byte of copies, gaps left out
	Window   uint64 // cycles with a window open (Sync_block_cycle)
}

// SMResult is the SM sheet of one SM that received a CTA.
type SMResult struct {
	Card, SM int
	Sheet    Sheet // sums to Result.Total
}

// LaunchResult is one launch on one card.
type LaunchResult struct {
	Card      int
	Step      int // the launch call it belongs to, from 1: the same on all cards
	Name      string
	Entry     *isa.Func
	Stream    string
	Call      uint64 // cycle of the call
	Start     uint64
	End       uint64
	CTAs      uint64
	Operators bool
	Tensor    bool
}

// TensorResult sums over the SMs that received a CTA of a launch that reaches an mma.
type TensorResult struct {
	SMCycles       uint64 // SMs × Total: what the percentages refer to
	Busy           uint64 // SM-cycles in which the Tensor Cores worked (mean of the quarters, rounded)
	BlockedWaiting uint64 // gate shut (or refilling) and an mma waiting
	BlockedIdle    uint64 // gate shut, no mma waiting
	Flops          uint64 // floating-point operations done by mma
	PerCard        []TensorCard
}

// TensorCard is one card's share of the TensorResult.
type TensorCard struct {
	Card                                 int
	SMCycles, Busy, Waiting, Shut, Flops uint64
}

// OperatorResult is one operator line of the article's dialect.
type OperatorResult struct {
	Func    *isa.Func
	Pos     isa.Pos
	Op      isa.Opcode
	Count   uint64 // operations, all cards
	Bytes   uint64 // payload of one operation on one card, the last one
	PerCard uint64 // operations on the card with most
	// Cycles the line's own work took, summed over operations of the card with most; waiting for a late card is
	// left out. A copy: from its start until its last byte has landed on every receiver. A reduce: from the
	// arrival of the last contribution to its end. A sync: its fence, and for each round from the last arrival to
	// the release.
	Cycles uint64
	Fence  uint64 // part of Cycles
	Rounds uint64
	// Period is the number of cycles from one release to the next within a launch, the least seen; 0 with fewer
	// than two rounds.
	Period uint64
	// Group is the number of cards of the group, at the last operation.
	Group int
	// Late holds for each card the cycles by which its operations started after the median card's, summed;
	// negative where it was before them. nil where only one card executed the line.
	Late []int64
}

// WaitResult is cycles lost at a source line under one entry.
type WaitResult struct {
	Func  *isa.Func
	Pos   isa.Pos
	Entry Entry
	// Cycles, summed over cards. At an operator each operation counts, elsewhere each SM that had nothing else to do:
	// an operand that is waited for counts at the line that makes it.
	Cycles uint64
	Worst  uint64 // on the card with most
	Card   int    // that card
	// For is the card that was waited for (skew), or -1.
	For int
	// ForFunc and ForPos say what that card did meanwhile.
	ForFunc *isa.Func
	ForPos  isa.Pos
}

// BarrierResult is the waits at one barrier line: rounds of sync.nvlink, or a loop that polls a flag which another card
// sets. At a flag only waits that found it not set count, from the first poll in vain on.
type BarrierResult struct {
	Func  *isa.Func
	Pos   isa.Pos
	Flag  bool
	Cards []BarrierCard
	By    []uint64 // how many of the waits each card ended: of sync.nvlink by coming last, of a flag by setting it
}

// BarrierCard is one card's waits at a barrier.
type BarrierCard struct {
	Card    int
	Count   uint64
	Cycles  uint64 // from its own arrival to the release, summed
	Longest uint64
	Lost    uint64 // SM-cycles in which an mma waited behind the gate that this barrier kept shut
}

// LinkResult is one port: a card's links in one direction.
type LinkResult struct {
	Card    int
	Egress  bool
	Bytes   uint64
	Busy    uint64  // cycles it was moving them
	Pieces  uint64  // packets, requests and replies
	Mean    float64 // cycles that a piece queued for
	Longest uint64
	Tenants float64     // share of the rate that other tenants take
	Shares  []LinkShare // most first
}

// LinkShare is what one launch call moved through a port.
type LinkShare struct {
	Step  int
	Name  string // of the kernel
	Bytes uint64
}

// SilentResult is a second execution of the same program under other rules.
type SilentResult struct {
	Total uint64
	Ends  []uint64 // a card
	// SameResults is false when the final contents of some buffer differ from the timed run's.
	SameResults bool
}

// CountsResult are totals over all cards.
type CountsResult struct {
	ThreadInstructions uint64
	WarpInstructions   uint64
	UninitReads        uint64 // bytes read that were never written
}

// Warning is something the user should know that is no fault.
type Warning struct {
	Func    *isa.Func
	Pos     isa.Pos
	Message string
}
