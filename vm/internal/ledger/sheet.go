package ledger

// Sheet counts cycles by entry.
type Sheet [NumEntries]uint64

// Sum returns the cycles of all entries.
func (s *Sheet) Sum() (n uint64) {
	for _, c := range s {
		n += c
	}
	return n
}
