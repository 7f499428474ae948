// Package vm runs PTX on a simulated node of cards and says where every cycle went.
//
// A Node is built from Options, given modules, buffers and steps in the order a host program would give
// them, and drained with Synchronize. Everything the host does is recorded, so that Finish can run the
// same program again silently: on an ideal fabric (Cycle_local) and with the article's gate open.
package vm

import (
	"io"

	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Options are the settings of a run.
type Options struct {
	Machine *machine.Machine
	Cards   int
	// Functional runs without a clock (--timing off): results only, no ledger.
	Functional bool
	// MaxCycles ends the run with a fault after so many cycles (timed) or warp instructions a card
	// (functional); 0 stands for no bound.
	MaxCycles uint64
	// Uninit says what reading a byte that was never written does: "count" (or ""), "off" or "error".
	Uninit string
	// NoRelay makes the article's operators a fault on a machine without NVLink; else the host relays them.
	NoRelay bool
	// Threads is the number of host threads; 0: one a processor. It never changes a result.
	Threads int
	// Quantum is the number of cycles that cards run apart; 0: the longest that is exact. It never changes a result.
	Quantum uint64
	// Silent leaves the additional runs out (Cycle_local, open gate).
	Silent bool
	// Stdout receives the output of device printf; nil discards it.
	Stdout io.Writer
	// Race warns of shared-memory races within a CTA; the run takes several times longer.
	Race bool
	// Registers overrides the estimate of registers a thread for occupancy; 0: the estimate.
	Registers int
	// Path records what ended every wait, for Result.CriticalPath.
	Path bool
	// Numerics compares the first reduction of every reduce line with other orders of summation.
	Numerics bool

	decoded func(*state.Program) // sees every program before it runs; for tests
}
