package ledger

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCoverAgainstCycles compares the cover with a plain array of ranks a cycle.
func TestCoverAgainstCycles(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 7))
		scale := []uint64{1, 100}[seed%2] // within a page, and over many
		total := 700 * scale
		want := make([]Entry, total)
		for i := range want {
			want[i] = Idle
		}
		var c Cover
		closed := uint64(0)
		for range 40 {
			if rng.IntN(5) == 0 {
				closed = min(total, closed+rng.Uint64N(90*scale))
				c.Close(closed)
			}
			start := closed + rng.Uint64N(total-closed+1)
			end := min(total, start+rng.Uint64N(150*scale))
			e := Entry(rng.IntN(int(NumEntries)))
			c.Add(e, start, end)
			for i := start; i < end; i++ {
				want[i] = min(want[i], e)
			}
		}
		var sheet Sheet
		for _, e := range want {
			sheet[e]++
		}
		got, _ := c.Sheet(total)
		if d := cmp.Diff(sheet, got); d != "" {
			t.Fatalf("seed %d: sheet (-want +got):\n%s", seed, d)
		}
		if got.Sum() != total {
			t.Fatalf("seed %d: the sheet sums to %d, want %d", seed, got.Sum(), total)
		}
	}
}

// TestHidden: a copy from 10 to 30 under local work from 0 to 25 is hidden for 15 cycles.
func TestHidden(t *testing.T) {
	var c Cover
	c.Add(Copy, 10, 30)
	c.Add(Tensor, 0, 25)
	sheet, hidden := c.Sheet(40)
	if hidden != 15 || sheet[Tensor] != 25 || sheet[Copy] != 5 || sheet[Idle] != 10 {
		t.Errorf("hidden %d, sheet %v; want 15 hidden, tensor 25, copy 5, idle 10", hidden, sheet)
	}
}

// TestCoverOfAges: a wait costs no memory for its length.
func TestCoverOfAges(t *testing.T) {
	var c Cover
	const ages = 1 << 50
	c.Add(ALU, 10, 20)
	c.Add(Skew, 15, ages)
	c.Add(Issue, ages-100, ages)
	c.Add(Copy, ages, 2*ages)
	sheet, hidden := c.Sheet(3 * ages)
	want := Sheet{ALU: 10, Issue: 100, Skew: ages - 120, Copy: ages, Idle: ages + 10}
	if d := cmp.Diff(want, sheet); d != "" || hidden != 105 {
		t.Errorf("hidden %d, want 105; sheet (-want +got):\n%s", hidden, d)
	}
}

func TestHistoryIsPassedOn(t *testing.T) {
	var h History
	h.Add([]Span{{5, 10, ALU}, {10, 20, Copy}, {20, 25, BlockedReduce}, {25, 30, BlockedWork}, {30, 40, Skew}})
	// A waiter from 8 to 50: what was the other card's own doing reads skew.
	got := Fill(nil, h.Since(8), 8, 50, Skew)
	want := []Span{{8, 10, Skew}, {10, 20, Copy}, {20, 25, Reduce}, {25, 50, Skew}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("inherited (-want +got):\n%s", d)
	}
}

// TestHistorySnapshot: what was handed out does not change when the history grows.
func TestHistorySnapshot(t *testing.T) {
	var h History
	h.Add([]Span{{0, 10, Copy}})
	snap := h.Since(0)
	h.Add([]Span{{10, 20, Copy}})
	if d := cmp.Diff([]Span{{0, 10, Copy}}, snap); d != "" {
		t.Errorf("snapshot changed (-want +got):\n%s", d)
	}
}
