package corpus

import (
	"context"
	"testing"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// TestCycleLocalIsNoMore: on an ideal fabric no collective takes longer than on the real one, whichever way it waits:
// flags, counters, pads that are taken back, packets, pulls and pushes, rings, the switch.
func TestCycleLocalIsNoMore(t *testing.T) {
	cases, ptx := archive(t, "cases.zip"), archive(t, "ptx.zip")
	for _, name := range []string{"barrier_cas_c2", "barrier_central_c2", "barrier_flag_c2", "barrier_mm_c2", "mm_ar2_bf16_u1_cas_c2",
		"alltoall_pull_c4", "alltoall_push_c4", "allgather_push_c8", "ll16_ar_bf16_c4", "pingpong_ordered_c2", "broadcast_chain_c2", "doubling_ar_f32_c2"} {
		c, err := host.ReadCase(cases, "collectives/"+name+".json")
		if err != nil {
			t.Fatal(err)
		}
		o, err := host.RunCase(context.Background(), host.CaseRequest{Case: c, Load: loadFrom(ptx), Options: vm.Options{}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r := o.Result
		if r.Local == nil || !r.Local.SameResults || r.Local.Total > r.Total {
			t.Errorf("%s: Cycle_local %+v, T %d", name, r.Local, r.Total)
		}
	}
}
