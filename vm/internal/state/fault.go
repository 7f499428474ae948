package state

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/isa"
)

// FaultKind names why a kernel stopped.
type FaultKind string

// The kinds of faults.
const (
	FaultBounds      FaultKind = "out-of-bounds"
	FaultMisaligned  FaultKind = "misaligned"
	FaultReadOnly    FaultKind = "read-only"
	FaultUninit      FaultKind = "uninitialised"
	FaultTrap        FaultKind = "trap"
	FaultAssert      FaultKind = "assert"
	FaultOperator    FaultKind = "operator"
	FaultDivergence  FaultKind = "divergence"
	FaultDeadlock    FaultKind = "deadlock"
	FaultMaxCycles   FaultKind = "max-cycles"
	FaultUnsupported FaultKind = "unsupported"
	FaultCall        FaultKind = "call"
	FaultBarrier     FaultKind = "barrier"
	FaultSize        FaultKind = "size" // of a bulk copy
)

// Fault is a located error of a running kernel.
type Fault struct {
	Kind      FaultKind
	Message   string
	Hint      string // the nearest allocation, what to do
	Func      *isa.Func
	Pos       isa.Pos
	Kernel    string
	Card      int
	CTA       [3]uint32
	Thread    [3]uint32 // of the first lane concerned
	HasThread bool
	Addr      uint64
	HasAddr   bool
}

// Error returns file:line:col, the message, and where in the grid it happened.
func (f *Fault) Error() string {
	at := ""
	if f.Func != nil {
		at = f.Func.Source.At(f.Pos) + ": "
	}
	s := fmt.Sprintf("%s%s: %s (kernel %s, card %d", at, f.Kind, f.Message, f.Kernel, f.Card)
	if f.HasThread {
		s += fmt.Sprintf(", CTA (%d,%d,%d), thread (%d,%d,%d)", f.CTA[0], f.CTA[1], f.CTA[2], f.Thread[0], f.Thread[1], f.Thread[2])
	}
	if f.HasAddr {
		s += fmt.Sprintf(", address 0x%x", f.Addr)
	}
	s += ")"
	if f.Hint != "" {
		s += "; " + f.Hint
	}
	return s
}
