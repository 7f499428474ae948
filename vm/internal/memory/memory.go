// Package memory is the memory of cards: the global memory of each, and the address map that all share.
//
// A card's global range starts at (card+1)·2^38, so the owner of a generic address is a shift and a
// peer's pointer works as it does on hardware. What lies below 2^38 belongs to no card: the windows
// through which generic addresses reach shared, local, const and parameter memory.
package memory

import (
	"fmt"
	"math"
)

// CardShift is the power of two between the global ranges of neighbouring cards.
const CardShift = 38

// Windows of generic addresses below the first card, each 2^32 bytes long.
const (
	SharedWindow uint64 = 1 << 32
	LocalWindow  uint64 = 2 << 32
	ParamWindow  uint64 = 3 << 32
	ConstWindow  uint64 = 4 << 32
	// CodeWindow starts the addresses of functions.
	CodeWindow uint64 = 5 << 32
	// TextureWindow starts the handles of texture and surface objects, behind which there is no memory.
	TextureWindow uint64 = 6 << 32
	// MulticastWindow starts the addresses that stand for one buffer on all cards (multimem).
	MulticastWindow uint64 = 1 << 37
	// WindowSize is the length of each window.
	WindowSize uint64 = 1 << 32
)

// Owner returns the card that owns a global address, or -1 for an address in no card's range.
func Owner(addr uint64) int { return int(addr>>CardShift) - 1 }

// Base returns the first address of a card's range.
func Base(card int) uint64 { return uint64(card+1) << CardShift }

// granule is the unit of allocation: each has the id of the allocation it belongs to, 0 for none.
const (
	granuleShift = 8
	granule      = 1 << granuleShift
)

// Allocation is a named piece of a card's global memory.
type Allocation struct {
	Name     string
	Addr     uint64
	Size     uint64
	ReadOnly bool
	// Unwritten is the number of bytes that nothing has written yet; at zero nobody looks at the shadow bits.
	Unwritten uint64
}

// Card is the global memory of one card: one flat array of bytes, cut into allocations with gaps between them.
type Card struct {
	Index int
	Holds uint64 // bytes of memory; 0: as many as its address range
	// Version counts the writes that changed a byte; a loop that re-reads memory can't get anywhere while no
	// card's Version moves. Shared and local memory of the card's CTAs count too.
	Version uint64

	data        []byte
	ids         []uint32 // a granule's allocation: 1 + index into allocations
	written     Shadow
	allocations []Allocation
	end         uint64 // offset of the first byte never handed out
}

// NewCard returns the empty memory of a card.
func NewCard(index int) *Card { return &Card{Index: index, end: granule} }

// Alloc reserves size bytes (0 counts as 1) at an address that is a multiple of align, at least 256, and returns the
// address. The bytes read as zero but count as never written. It fails when the card's address range is used up.
func (c *Card) Alloc(name string, size, align uint64, readOnly bool) (uint64, error) {
	align = max(align, granule)
	if align&(align-1) != 0 {
		return 0, fmt.Errorf("allocation %s: alignment %d is no power of two", name, align)
	}
	start := (c.end + align - 1) &^ (align - 1)
	taken := (max(size, 1) + granule - 1) &^ (granule - 1)
	if limit := uint64(1) << CardShift; size > limit || start+taken+granule > limit {
		return 0, fmt.Errorf("allocation %s: %d bytes do not fit into card %d's address range", name, size, c.Index)
	}
	if c.Holds > 0 && start+taken > c.Holds {
		return 0, fmt.Errorf("allocation %s: %d bytes; card %d has %d bytes of memory, of which %d are taken", name, size, c.Index, c.Holds, start)
	}
	c.end = start + taken + granule // the gap catches what runs over the end
	addr := Base(c.Index) + start
	c.allocations = append(c.allocations, Allocation{Name: name, Addr: addr, Size: size, ReadOnly: readOnly, Unwritten: size})
	return addr, nil
}

// Commit provides the bytes behind all allocations made so far. Whoever starts a launch calls it once; the methods
// of this type that touch bytes call it themselves.
func (c *Card) Commit() {
	if uint64(len(c.data)) >= c.end {
		return
	}
	grown := make([]byte, c.end) // large blocks come from the system unbacked: what is never touched costs nothing
	copy(grown, c.data)
	shadow := make(Shadow, (c.end+63)/64)
	copy(shadow, c.written)
	ids := make([]uint32, c.end>>granuleShift)
	n := copy(ids, c.ids)
	for i := len(c.allocations) - 1; i >= 0; i-- {
		a := &c.allocations[i]
		first := int((a.Addr - Base(c.Index)) >> granuleShift)
		if first < n {
			break
		}
		for g := first; g < first+int((max(a.Size, 1)+granule-1)>>granuleShift); g++ {
			ids[g] = uint32(i + 1)
		}
	}
	c.data, c.written, c.ids = grown, shadow, ids
}

// Allocations lists the card's allocations by address.
func (c *Card) Allocations() []Allocation { return c.allocations }

// Find returns the allocation that addr lies in, or nil.
func (c *Card) Find(addr uint64) *Allocation {
	g := (addr - Base(c.Index)) >> granuleShift
	if g >= uint64(len(c.ids)) || c.ids[g] == 0 {
		return nil
	}
	return &c.allocations[c.ids[g]-1]
}

// Span returns the allocation that addr lies in with its bytes, or nil. The bytes may be read and written; who writes
// them tells Wrote.
func (c *Card) Span(addr uint64) (*Allocation, []byte) {
	a := c.Find(addr)
	if a == nil {
		return nil, nil
	}
	start := a.Addr - Base(c.Index)
	return a, c.data[start : start+a.Size : start+a.Size]
}

// Problem says why an access is not allowed.
type Problem uint8

// The problems, in the order in which they are looked for.
const (
	Fine Problem = iota
	Misaligned
	OutOfBounds
	ReadOnly
)

// Check looks at an access of size bytes (a power of two, or any size with align 1) at addr.
func (c *Card) Check(addr uint64, size, align int, write bool) Problem {
	if addr&uint64(align-1) != 0 {
		return Misaligned
	}
	a := c.Find(addr)
	if a == nil || addr-a.Addr+uint64(size) > a.Size {
		return OutOfBounds
	}
	if write && a.ReadOnly {
		return ReadOnly
	}
	return Fine
}

// Wrote records that bytes of an allocation, from its offset on, have been written.
func (c *Card) Wrote(a *Allocation, offset, size uint64) {
	if a.Unwritten == 0 {
		return
	}
	a.Unwritten -= c.written.Set(a.Addr-Base(c.Index)+offset, size)
}

// NeverWritten counts the bytes of a piece of an allocation that nothing has written.
func (c *Card) NeverWritten(a *Allocation, offset, size uint64) uint64 {
	if a.Unwritten == 0 {
		return 0
	}
	return c.written.Missing(a.Addr-Base(c.Index)+offset, size)
}

// Write stores bytes from outside the kernel (the host, an arriving message, an initialiser). It fails when they are
// not inside one allocation; read-only ones may be written.
func (c *Card) Write(addr uint64, bytes []byte) error {
	c.Commit()
	a, data := c.Span(addr)
	if a == nil || addr-a.Addr+uint64(len(bytes)) > a.Size {
		return fmt.Errorf("card %d: %d bytes at 0x%x are not inside one allocation%s", c.Index, len(bytes), addr, c.hint(addr))
	}
	copy(data[addr-a.Addr:], bytes)
	c.Wrote(a, addr-a.Addr, uint64(len(bytes)))
	c.Version++
	return nil
}

// Bytes returns the card's own bytes at addr, to be read only. It fails when they are not inside one allocation.
func (c *Card) Bytes(addr, size uint64) ([]byte, error) {
	c.Commit()
	a, data := c.Span(addr)
	if a == nil || addr-a.Addr+size > a.Size {
		return nil, fmt.Errorf("card %d: %d bytes at 0x%x are not inside one allocation%s", c.Index, size, addr, c.hint(addr))
	}
	return data[addr-a.Addr:][:size], nil
}

func (c *Card) hint(addr uint64) string {
	if near := c.Nearest(addr); near != "" {
		return "; " + near
	}
	return ""
}

// Nearest describes where addr lies relative to the nearest allocation, "" when there is none.
func (c *Card) Nearest(addr uint64) string {
	best, distance := -1, uint64(math.MaxUint64)
	for i := range c.allocations {
		a := &c.allocations[i]
		var d uint64
		switch end := a.Addr + a.Size; {
		case addr < a.Addr:
			d = a.Addr - addr
		case addr >= end:
			d = addr - end + 1
		}
		if d < distance {
			best, distance = i, d
		}
	}
	if best < 0 {
		return ""
	}
	a := &c.allocations[best]
	where := fmt.Sprintf("%d bytes into", addr-a.Addr)
	switch end := a.Addr + a.Size; {
	case addr < a.Addr:
		where = fmt.Sprintf("%d bytes before", a.Addr-addr)
	case addr >= end:
		where = fmt.Sprintf("%d bytes after the end of", addr-end)
	}
	return fmt.Sprintf("%s allocation `%s` (%d bytes at 0x%x)", where, a.Name, a.Size, a.Addr)
}
