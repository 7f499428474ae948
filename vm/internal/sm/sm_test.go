package sm

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWheelInOrder compares the wheel with a sorted list: cycles ascend, and within one the quarters do.
func TestWheelInOrder(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w := newWheel(100)
		type wake struct {
			cycle   uint64
			quarter int32
		}
		want := map[wake]bool{}
		now := uint64(0)
		add := func() {
			distance := rng.Uint64N(40)
			switch rng.IntN(4) {
			case 0:
				distance = rng.Uint64N(5000) // beyond the ring
			case 1:
				distance = wheelSize - 2 + rng.Uint64N(4)
			}
			k := wake{now + distance, int32(rng.IntN(100))}
			want[k] = true
			w.add(k.cycle, k.quarter)
		}
		for range 50 {
			add()
		}
		for range 3000 {
			next := w.next()
			earliest := Never
			for k := range want {
				earliest = min(earliest, k.cycle)
			}
			if next != earliest {
				t.Fatalf("seed %d: next %d, want %d", seed, next, earliest)
			}
			if next == Never {
				break
			}
			now = next
			got := w.take(now, nil)
			var due []int32
			for k := range want {
				if k.cycle == now {
					due = append(due, k.quarter)
					delete(want, k)
				}
			}
			slices.Sort(due)
			if !slices.Equal(got, due) {
				t.Fatalf("seed %d, cycle %d: quarters %v, want %v", seed, now, got, due)
			}
			if rng.IntN(3) > 0 {
				add()
			}
		}
	}
}

// TestQueue: 450 GB/s × 0.82 at 1.83 GHz moves 7 × 2 MiB in 7·2^21 / 369e9 · 1.83e9 = 72,804 cycles (rounded up),
// in packets as in one piece.
func TestQueue(t *testing.T) {
	whole := NewQueue(369_000_000_000, 1830)
	slot := whole.Move(1, 7<<21, 0, 0)
	if got := Ceil(slot.End); got != 72_804 {
		t.Errorf("in one piece %d cycles, want 72,804", got)
	}
	packets := NewQueue(369_000_000_000, 1830)
	for range 7 << 21 / 4096 {
		slot = packets.Move(1, 4096, 0, 0)
	}
	if got := Ceil(slot.End); got != 72_804 {
		t.Errorf("in packets %d cycles, want 72,804", got)
	}
}

// TestQueueOwners: alone, an owner sees only its own bytes; a tenant's share stretches the time by 1/(1-share).
func TestQueueOwners(t *testing.T) {
	q := NewQueue(1_000_000_000, 1000) // one byte a cycle
	q.Move(1, 100, 0, 0)
	slot := q.Move(2, 50, Fine(10), Fine(10))
	if slot.Start != Fine(100) || slot.End != Fine(150) || slot.AloneEnd != Fine(60) {
		t.Errorf("slot %+v, want 100..150, alone until 60", slot)
	}
	q = NewQueue(1_000_000_000, 1000)
	q.TakeShare(3, 4)
	if slot = q.Move(1, 100, 0, 0); slot.End != Fine(400) || slot.AloneEnd != Fine(100) {
		t.Errorf("slot %+v, want 0..400 with three quarters taken, alone until 100", slot)
	}
}
