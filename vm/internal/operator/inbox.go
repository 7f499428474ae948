package operator

// Contribution is what one copy.nvlink left at a receiver.
type Contribution struct {
	From  int
	Owner int    // the launch step that sent it
	Data  []byte // as it was when the copy started; shared by all receivers, never written
	// Arrival is the cycle at which the last byte was in, Alone what it would have been with no other owner on
	// the links. Issue is the cycle the copy started on the sender. Functional runs leave them zero.
	Issue, Alone, Arrival uint64
	Sender                any // the sender's history, for the ledger
	Line                  any // *isa.Inst of the copy
}

// Inbox holds the contributions that have arrived at a card and were not yet reduced: one FIFO a sender and
// offset, across launches.
type Inbox struct {
	queues map[inboxKey][]*Contribution
}

type inboxKey struct {
	from   int
	offset uint64 // of dst within a card's memory
}

// Put appends a contribution that arrived for the offset.
func (b *Inbox) Put(offset uint64, c *Contribution) {
	if b.queues == nil {
		b.queues = map[inboxKey][]*Contribution{}
	}
	k := inboxKey{c.From, offset}
	b.queues[k] = append(b.queues[k], c)
}

// Head returns the oldest contribution of a sender for the offset, or nil.
func (b *Inbox) Head(from int, offset uint64) *Contribution {
	if q := b.queues[inboxKey{from, offset}]; len(q) > 0 {
		return q[0]
	}
	return nil
}

// Take removes and returns the oldest contribution of a sender for the offset.
func (b *Inbox) Take(from int, offset uint64) *Contribution {
	k := inboxKey{from, offset}
	q := b.queues[k]
	c := q[0]
	if len(q) == 1 {
		delete(b.queues, k)
	} else {
		b.queues[k] = q[1:]
	}
	return c
}

// Left counts the contributions nobody has reduced.
func (b *Inbox) Left() (n int) {
	for _, q := range b.queues {
		n += len(q)
	}
	return n
}
