package vm

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
)

// CanRun reports why an entry can't run, without running it: an Unsupported for the first instruction that the VM
// can't run yet, or a name or layout that decoding stumbles on; nil when nothing stands in the way.
func CanRun(m *isa.Module, entry *isa.Func) error {
	p, err := exec.Decode(m, entry, exec.Env{})
	if err != nil {
		return err
	}
	if p.Unsupported != nil {
		return Unsupported{Func: p.UnsupportedF, Inst: p.Unsupported, Entry: entry}
	}
	return nil
}
