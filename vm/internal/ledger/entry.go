// Package ledger accounts for cycles: every cycle of an SM and of a card belongs to exactly one entry.
package ledger

// Entry is one line of the ledger. The constants are in the order of the card sheet's ranks: among the
// SMs of a card the first entry of this list wins the cycle.
type Entry uint8

// The entries. Window… are local work of a launch whose own window is open: it ranks below a blocked
// Tensor Core, and counts as local.
const (
	Issue Entry = iota
	ALU
	Tensor
	Memory
	CTABarrier
	BlockedCopy // tc_blocked, split by what the gate waited for
	BlockedContention
	BlockedReduce
	BlockedFence
	BlockedBarrier
	BlockedSkew
	BlockedWork
	BlockedHold
	BlockedRefill
	WindowIssue
	WindowALU
	WindowTensor
	WindowMemory
	WindowCTABarrier
	Reduce
	Copy
	Remote
	Contention
	Fence
	Barrier
	Skew
	Launch
	Idle
	NumEntries
)

// Group is a column of the report.
type Group uint8

// The groups, in the order of the report's columns.
const (
	Local Group = iota
	CopyGroup
	SkewGroup
	Interruption
	ContentionGroup
	Host
	NumGroups
)

var groupNames = [NumGroups]string{"local", "copy", "skew", "interruption", "contention", "host"}

// GroupNames returns the names in the order of the report's columns.
func GroupNames() []string { return groupNames[:] }

// String returns the group's name.
func (g Group) String() string { return groupNames[g] }

type entryRow struct {
	name    string
	group   Group
	meaning string
}

var entryRows = [NumEntries]entryRow{
	Issue:             {"issue", Local, "at least one warp instruction issued"},
	ALU:               {"alu", Local, "waiting for an arithmetic result or unit, a branch, a sleep"},
	Tensor:            {"tensor", Local, "waiting for an mma result or a busy Tensor Core"},
	Memory:            {"memory", Local, "waiting for shared memory, L1, L2 or HBM of the own card"},
	CTABarrier:        {"cta_barrier", Local, "waiting at a barrier for warps of the own card"},
	BlockedCopy:       {"tc_blocked.copy", Interruption, "an mma is ready, the gate is shut for a copy"},
	BlockedContention: {"tc_blocked.contention", Interruption, "an mma is ready, the gate is shut for a copy that queues behind another owner"},
	BlockedReduce:     {"tc_blocked.reduce", Interruption, "an mma is ready, the gate is shut for a reduction"},
	BlockedFence:      {"tc_blocked.fence", Interruption, "an mma is ready, the gate is shut for a system fence"},
	BlockedBarrier:    {"tc_blocked.barrier", Interruption, "an mma is ready, the gate is shut for a cross-card barrier"},
	BlockedSkew:       {"tc_blocked.skew", Interruption, "an mma is ready, the gate is shut while another card is late"},
	BlockedWork:       {"tc_blocked.work", Interruption, "an mma is ready, the gate is shut for the operator kernel's own instructions"},
	BlockedHold:       {"tc_blocked.hold", Interruption, "an mma is ready, the host holds the Tensor Cores"},
	BlockedRefill:     {"tc_blocked.refill", Interruption, "an mma is ready, the pipeline refills after the gate opened"},
	WindowIssue:       {"window.issue", Local, "the operator kernel issued, its window open"},
	WindowALU:         {"window.alu", Local, "the operator kernel waited for arithmetic, its window open"},
	WindowTensor:      {"window.tensor", Local, "the operator kernel waited for an mma result, its window open"},
	WindowMemory:      {"window.memory", Local, "the operator kernel waited for own memory, its window open"},
	WindowCTABarrier:  {"window.cta_barrier", Local, "the operator kernel waited at a CTA barrier, its window open"},
	Reduce:            {"reduce", CopyGroup, "the reduction itself"},
	Copy:              {"copy", CopyGroup, "bytes crossing the fabric, latency included"},
	Remote:            {"remote", CopyGroup, "a load or atomic on another card's memory"},
	Contention:        {"contention", ContentionGroup, "delay by bytes of another owner"},
	Fence:             {"fence", Interruption, "a system fence"},
	Barrier:           {"barrier", Interruption, "the cross-card barrier's own latency"},
	Skew:              {"skew", SkewGroup, "waiting for a card that does something else"},
	Launch:            {"launch", Host, "launch cost"},
	Idle:              {"idle", Host, "nothing resident"},
}

// String returns the entry's name.
func (e Entry) String() string { return entryRows[e].name }

// Group returns the column the entry belongs to.
func (e Entry) Group() Group { return entryRows[e].group }

// Meaning returns one line that says what the entry stands for.
func (e Entry) Meaning() string { return entryRows[e].meaning }

// Blocked reports whether the entry is a part of tc_blocked.
func (e Entry) Blocked() bool { return BlockedCopy <= e && e <= BlockedRefill }

// InWindow returns the entry that stands for e while the launch's own window is open.
func (e Entry) InWindow() Entry {
	if e <= CTABarrier {
		return e + WindowIssue
	}
	return e
}
