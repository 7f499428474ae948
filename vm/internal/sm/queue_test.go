package sm

import "testing"

// A queue of 100 bytes a cycle (1 MHz, 100 MB/s). Two owners put 400 and 200 bytes there at cycle 10, the first another
// 100 at 12: they start at 10, 14 and 16, so that the second stands for 4 cycles and the third for 4. Had the second been
// alone it would have started at once.
func TestQueueCountsWaits(t *testing.T) {
	q := NewQueue(100_000_000, 1)
	q.Move(1, 400, Fine(10), Fine(10))
	second := q.Move(2, 200, Fine(10), Fine(10))
	third := q.Move(1, 100, Fine(12), Fine(12))
	if second.Start != Fine(14) || second.AloneStart != Fine(10) || third.Start != Fine(16) || third.AloneStart != Fine(14) {
		t.Errorf("starts %d and %d, alone %d and %d, want 14, 16, 10, 14", second.Start>>FineBits, third.Start>>FineBits, second.AloneStart>>FineBits, third.AloneStart>>FineBits)
	}
	if q.Moves != 3 || q.Waited != Fine(8) || q.Longest != Fine(4) || q.Bytes != 700 {
		t.Errorf("%d moves waited %d, the longest %d cycles, %d bytes, want 3, 8, 4, 700", q.Moves, q.Waited>>FineBits, q.Longest>>FineBits, q.Bytes)
	}
	if s := q.Shares(); len(s) != 2 || s[1].Bytes != 500 || s[2].Bytes != 200 {
		t.Errorf("shares %v, want 500 and 200 bytes", s)
	}
	if q.TakeShare(1, 4); q.Taken() != 0.25 {
		t.Errorf("taken %v, want a quarter", q.Taken())
	}
}
