package operator

import (
	"fmt"
	"sort"

	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Snapshot returns the elements that a copy sends, as they are now.
func Snapshot(m *memory.Card, call *state.OperatorCall) ([]byte, error) {
	return read(m, call.Src, Bytes(call))
}

func read(m *memory.Card, addr, size uint64) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	bytes, err := m.Bytes(addr, size)
	return append([]byte(nil), bytes...), err
}

// Offset is the place within a card's memory that an operation's dst names: symmetric over the cards.
func Offset(m *memory.Card, call *state.OperatorCall) uint64 { return call.Dst - memory.Base(m.Index) }

// Receivers returns the other cards of a group (ascending), the next higher first, wrapping round: the order in
// which a copy sends.
func Receivers(group []int, self int) (out []int) {
	i := sort.SearchInts(group, self)
	for k := 1; k < len(group); k++ {
		out = append(out, group[(i+k)%len(group)])
	}
	return out
}

// Ready reports whether the contributions of all peers for a reduce are in.
func Ready(m *memory.Card, box *Inbox, call *state.OperatorCall, group []int) bool {
	for _, card := range group {
		if card != m.Index && box.Head(card, Offset(m, call)) == nil {
			return false
		}
	}
	return true
}

// Reduction is a reduce whose contributions have been taken and folded, but not yet stored.
type Reduction struct {
	Result []byte
	In     [][]byte      // what was folded, in card order; shared, never written
	Last   *Contribution // the one that arrived last (ties: of the highest card); nil in a group of one
}

// Reduce takes the head of every peer's FIFO and folds them with the own elements in ascending card order.
func Reduce(m *memory.Card, box *Inbox, call *state.OperatorCall, group []int) (*Reduction, error) {
	size := Bytes(call)
	if call.Src < call.Dst && call.Src+size > call.Dst || call.Dst < call.Src && call.Dst+size > call.Src {
		return nil, fmt.Errorf("source and destination overlap in part (0x%x and 0x%x, %d bytes); the same address is fine", call.Src, call.Dst, size)
	}
	r := &Reduction{Result: make([]byte, size)}
	var in [][]byte
	for _, card := range group {
		if card == m.Index {
			own, err := read(m, call.Src, size)
			if err != nil {
				return nil, err
			}
			in = append(in, own)
			continue
		}
		k := box.Take(card, Offset(m, call))
		if uint64(len(k.Data)) != size {
			return nil, fmt.Errorf("card %d sent %d bytes, but %d are reduced here: copy.nvlink and reduce must agree on count and type", card, len(k.Data), size)
		}
		in = append(in, k.Data)
		if r.Last == nil || k.Arrival > r.Last.Arrival || k.Arrival == r.Last.Arrival && k.From > r.Last.From {
			r.Last = k
		}
	}
	r.In = in
	return r, Fold(r.Result, call.Type, call.Red, in)
}

// Store writes a reduction's result.
func (r *Reduction) Store(m *memory.Card, call *state.OperatorCall) error {
	if len(r.Result) == 0 {
		return nil
	}
	return m.Write(call.Dst, r.Result)
}

// Rounds counts barrier rounds by the set of cards, where arrivals are seen at once.
type Rounds struct {
	arrived map[string]map[int]int
}

// Arrive counts a card in its next round of a group's barrier and returns the round's number, from 0.
func (r *Rounds) Arrive(group []int, card int) int {
	if r.arrived == nil {
		r.arrived = map[string]map[int]int{}
	}
	k := fmt.Sprint(group)
	if r.arrived[k] == nil {
		r.arrived[k] = map[int]int{}
	}
	n := r.arrived[k][card]
	r.arrived[k][card]++
	return n
}

// Has reports whether a card has arrived at a round.
func (r *Rounds) Has(group []int, round, card int) bool {
	return r.arrived[fmt.Sprint(group)][card] > round
}

// Over reports whether all cards of a group have arrived at a round.
func (r *Rounds) Over(group []int, round int) bool {
	for _, card := range group {
		if !r.Has(group, round, card) {
			return false
		}
	}
	return true
}

// MissingContributions says whose contributions a reduce waits for.
func MissingContributions(m *memory.Card, box *Inbox, call *state.OperatorCall, group []int) string {
	return "waits for the contribution of " + cardsWithout(group, func(card int) bool {
		return card == m.Index || box.Head(card, Offset(m, call)) != nil
	})
}

// MissingArrivals says who has not come to a round of the barrier.
func MissingArrivals(group []int, round int, there func(card int) bool) string {
	return fmt.Sprintf("round %d of the barrier of cards %v waits for %s", round+1, group, cardsWithout(group, there))
}

func cardsWithout(group []int, there func(card int) bool) string {
	var missing []int
	for _, card := range group {
		if !there(card) {
			missing = append(missing, card)
		}
	}
	if len(missing) == 1 {
		return fmt.Sprintf("card %d", missing[0])
	}
	return fmt.Sprintf("cards %v", missing)
}
