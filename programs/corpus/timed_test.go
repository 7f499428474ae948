package corpus

import (
	"archive/zip"
	"context"
	"testing"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// TestCasesTimed runs every case with every PTX file under the clock: the results are those of functional mode.
func TestCasesTimed(t *testing.T) {
	cases, err := zip.OpenReader("cases.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer cases.Close()
	ptx, err := zip.OpenReader("ptx.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer ptx.Close()
	summary, err := host.Test(context.Background(), host.TestRequest{
		Paths: folders, Files: cases, Load: loadFrom(ptx), Timing: host.TimingOn,
		Options: vm.Options{MaxCycles: 1 << 26, Silent: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	known := readFailing(t, summary.Rows)
	for _, r := range summary.Rows {
		if !r.Passed && !known[rowKey{r.Path, r.Variant}] {
			t.Errorf("%s %s: %s", r.Path, r.Variant, r.Reason)
		}
	}
	t.Logf("%d passed, %d failed", summary.Passed, summary.Failed)
}
