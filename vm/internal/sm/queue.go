package sm

import "math/bits"

// Queue is a resource that moves bytes one after another: HBM, an egress or an ingress port. Times are kept in
// 1/2^20 of a cycle, so that a long train of small packets takes what its bytes take.
type Queue struct {
	clockHz uint64
	rate    uint64 // bytes a second
	free    uint64 // in fine time
	owners  map[int]*Share
	owner   int // whose the last move was, and their share
	share   *Share
	// Bytes moved and the fine time it took.
	Bytes uint64
	Busy  uint64
	// Moves counts the pieces that came, Waited sums and Longest is the most of the fine time that they queued for.
	Moves, Waited, Longest uint64
	// taken is the share of the rate that other tenants take, as a fraction.
	takenNum, takenDen uint64
}

// FineBits is the number of fractional bits of fine time.
const FineBits = 20

// Fine returns the fine time of a cycle's start.
func Fine(cycle uint64) uint64 { return cycle << FineBits }

// Ceil returns the first cycle that does not begin before a fine time.
func Ceil(fine uint64) uint64 { return (fine + 1<<FineBits - 1) >> FineBits }

// NewQueue returns a queue that moves bytesPerSecond at a clock of clockMHz.
func NewQueue(bytesPerSecond, clockMHz int64) Queue {
	return Queue{clockHz: uint64(clockMHz) * 1_000_000, rate: uint64(max(1, bytesPerSecond)), takenDen: 1, owners: map[int]*Share{}}
}

// TakeShare gives a share num/den of the rate to other tenants; it must be below 1.
func (q *Queue) TakeShare(num, den uint64) { q.takenNum, q.takenDen = num, den }

// farthest is the last fine time a queue knows; what would take longer ends there. No run gets that far.
const farthest = 1 << 62

// scaled returns x · num / den, farthest at most.
func scaled(x, num, den uint64) uint64 {
	hi, lo := bits.Mul64(x, num)
	if hi >= den {
		return farthest
	}
	v, _ := bits.Div64(hi, lo, den)
	return min(v, farthest)
}

// service returns the fine time that bytes take with the whole rate.
func (q *Queue) service(bytes uint64) uint64 { return scaled(bytes<<FineBits, q.clockHz, q.rate) }

// Share is what one owner, a launch, moved through a queue.
type Share struct {
	Bytes uint64
	alone uint64 // when it would be done, in fine time, had there been no other owner
}

// Shares returns what each owner moved.
func (q *Queue) Shares() map[int]*Share { return q.owners }

// Taken returns the share of the rate that other tenants take.
func (q *Queue) Taken() float64 { return float64(q.takenNum) / float64(q.takenDen) }

// of returns an owner's share.
func (q *Queue) of(owner int) *Share {
	if q.share != nil && q.owner == owner {
		return q.share
	}
	s := q.owners[owner]
	if s == nil {
		s = &Share{}
		q.owners[owner] = s
	}
	q.owner, q.share = owner, s
	return s
}

// Slot is when bytes move through a queue, in fine time: really, and had their owner been alone.
type Slot struct {
	Start, End           uint64
	AloneStart, AloneEnd uint64
}

// Move reserves the queue for bytes of an owner (a launch) that come at a fine time; alone is when they would
// have come with no other owner anywhere.
func (q *Queue) Move(owner int, bytes, at, alone uint64) (s Slot) {
	need := q.service(bytes)
	share := q.of(owner)
	s.AloneStart = max(alone, share.alone)
	s.AloneEnd = min(s.AloneStart+need, farthest)
	share.alone = s.AloneEnd
	share.Bytes += bytes
	if q.takenNum > 0 {
		need = scaled(need, q.takenDen, q.takenDen-q.takenNum)
	}
	s.Start = max(at, q.free)
	s.End = min(s.Start+need, farthest)
	q.free = s.End
	q.Bytes += bytes
	q.Busy += need
	q.Moves++
	q.Waited += s.Start - at
	q.Longest = max(q.Longest, s.Start-at)
	return s
}

// Free returns the fine time from which the queue is idle.
func (q *Queue) Free() uint64 { return q.free }
