package sm

import "container/heap"

// Never is a cycle that does not come.
const Never = ^uint64(0)

// Event is something that happens to a card at a cycle: a message that arrives, an operation that ends.
// Events of a cycle are applied in the order of (sender, sequence), before anything issues in that cycle.
type Event struct {
	Cycle uint64
	From  int // the card that caused it
	Seq   uint64
	Do    func(cycle uint64)
}

type eventHeap []Event

func (h eventHeap) Len() int { return len(h) }
func (h eventHeap) Less(i, j int) bool {
	a, b := &h[i], &h[j]
	if a.Cycle != b.Cycle {
		return a.Cycle < b.Cycle
	}
	if a.From != b.From {
		return a.From < b.From
	}
	return a.Seq < b.Seq
}
func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *eventHeap) Push(x any)   { *h = append(*h, x.(Event)) }
func (h *eventHeap) Pop() any {
	s := *h
	e := s[len(s)-1]
	s[len(s)-1] = Event{}
	*h = s[:len(s)-1]
	return e
}

// At does something to the card at a cycle, by its own doing.
func (c *Card) At(cycle uint64, do func(cycle uint64)) {
	c.seq++
	heap.Push(&c.events, Event{cycle, c.Index, c.seq, do})
}

// Deliver brings an event from another card. The caller is alone with the card (between quanta).
func (c *Card) Deliver(e Event) { heap.Push(&c.events, e) }

// NextSeq numbers what the card sends.
func (c *Card) NextSeq() uint64 { c.seq++; return c.seq }
