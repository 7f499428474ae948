package programs_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
	"github.com/tollgate-sim/tollgate/vm/report"
)

// Cards that exchange messages every cycle, and cards on several host threads, come to the same report to the cycle.
func TestLockstep(t *testing.T) {
	for _, file := range []string{"allreduce_3.json", "barrier_late.json", "grid_slices.json", "twice.json"} {
		t.Run(file, func(t *testing.T) {
			want := golden(t, file, vm.Options{Threads: 1})
			for _, opt := range []vm.Options{{Threads: 1, Quantum: 1}, {Threads: 4}, {Threads: 3, Quantum: 7}} {
				if diff := cmp.Diff(want, golden(t, file, opt)); diff != "" {
					t.Errorf("%d threads, quantum %d (-default +this):\n%s", opt.Threads, opt.Quantum, diff)
				}
			}
		})
	}
}

// golden runs a case and returns its report with the card sheet.
func golden(t *testing.T, file string, opt vm.Options) string {
	t.Helper()
	c, err := host.ReadCaseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := host.RunCase(context.Background(), host.CaseRequest{Case: c, Load: load, Options: opt})
	if err != nil {
		t.Fatal(err)
	}
	return report.Golden(out.Result, report.Options{Program: c.Name, Outcome: out.Results})
}
