package exec

import "github.com/tollgate-sim/tollgate/isa"

// emitRuntimeCall decodes a call of a function that the module only declares.
func (in *instance) emitRuntimeCall(inst *isa.Inst, name string, results, args []isa.Operand) {
	in.emitUnsupported(inst)
}
