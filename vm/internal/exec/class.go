package exec

import "github.com/tollgate-sim/tollgate/isa"

// classify returns an instruction's timing class.
func classify(inst *isa.Inst) isa.Class { return isa.ClassOf(inst) }
