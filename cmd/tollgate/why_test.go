package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// The critical path of any program has no gap from the first call to the end, and its text at most ten lines, whose
// cycles add up.
func TestWhyHasNoGap(t *testing.T) {
	for _, name := range []string{
		"vecadd.json", "block_reduce.json", "barrier_late.json", "allreduce_3.json", "twice.json", "grid_slices.json", "pcie.json", "grad_sync.json",
		"collectives/ring.star", "collectives/barrier.star",
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if status := run([]string{"why", "../../programs/" + name, "--json"}, strings.NewReader(""), &out, &errs); status != exitFine {
				t.Fatalf("status %d: %s", status, errs.String())
			}
			var o struct {
				Total uint64 `json:"total_cycles"`
				Path  []struct {
					Start, End uint64
					What       string
				} `json:"critical_path"`
				Text []string
			}
			if err := json.Unmarshal(out.Bytes(), &o); err != nil {
				t.Fatal(err)
			}
			at := uint64(0)
			for i, s := range o.Path {
				if s.Start != at || s.End <= s.Start {
					t.Errorf("step %d, %s, is from %d to %d; the one before ended at %d", i, s.What, s.Start, s.End, at)
				}
				at = s.End
			}
			if at != o.Total || at == 0 {
				t.Errorf("the path ends at %d, the run at %d", at, o.Total)
			}
			if len(o.Text) < 2 || len(o.Text) > 10 {
				t.Errorf("%d lines:\n%s", len(o.Text), strings.Join(o.Text, "\n"))
			}
			var sum uint64
			for _, line := range o.Text[1:] {
				for _, word := range strings.Fields(line)[2:] {
					if n, ok := number(word); ok {
						sum += n
						break
					}
				}
			}
			if sum != o.Total {
				t.Errorf("the lines add up to %d, not to %d:\n%s", sum, o.Total, strings.Join(o.Text, "\n"))
			}
		})
	}
}

// number reads 1,234 where it is the cycles of a line: "card 0 > 7  1,872  2 %".
func number(word string) (n uint64, ok bool) {
	if len(word) == 1 { // a card behind ">"
		return 0, false
	}
	for _, c := range strings.ReplaceAll(word, ",", "") {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + uint64(c-'0')
	}
	return n, true
}
