package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// What the barriers' lines lost the Tensor Cores adds up to what the SM sheets have for barriers, their fences, and
// late cards behind the gate.
func TestLostAtBarriersAddsUp(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run([]string{"run", "../../programs/grad_sync.json", "--json", "--report", "barriers"}, strings.NewReader(""), &out, &errs); status != exitFine {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	var o struct {
		SMs []struct {
			Entries map[string]uint64
		}
		Report struct {
			Barriers []struct {
				Cards []struct {
					Lost uint64 `json:"tensor_cycles_lost"`
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	var sheets, lines uint64
	for _, s := range o.SMs {
		sheets += s.Entries["tc_blocked.fence"] + s.Entries["tc_blocked.barrier"] + s.Entries["tc_blocked.skew"]
	}
	for _, b := range o.Report.Barriers {
		for _, c := range b.Cards {
			lines += c.Lost
		}
	}
	if sheets == 0 || lines != sheets {
		t.Errorf("%d cycles by line, %d on the sheets", lines, sheets)
	}
}
