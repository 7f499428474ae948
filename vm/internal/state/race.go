package state

import "github.com/tollgate-sim/tollgate/isa"

// Race is two accesses of a CTA's threads to the same byte of shared memory, one of them a write, that nothing orders.
type Race struct {
	Func    *isa.Func
	Inst    *isa.Inst // the later access
	Other   *isa.Inst // the earlier one
	Message string
}

// Races are those of a card, once for each pair of lines.
type Races struct {
	List []Race
	Seen map[[2]*isa.Inst]bool
}
