package memory

import (
	"bytes"
	"strings"
	"testing"
)

func TestOwnerIsAShift(t *testing.T) {
	for card := range 16 {
		if got := Owner(Base(card) + 1<<CardShift - 1); got != card {
			t.Errorf("last byte of card %d is owned by %d", card, got)
		}
		if got := Owner(Base(card)); got != card {
			t.Errorf("first byte of card %d is owned by %d", card, got)
		}
	}
	if got := Owner(MulticastWindow); got != -1 {
		t.Errorf("the multicast window is owned by %d", got)
	}
}

func TestAllocKeepsGapsAndAlignment(t *testing.T) {
	c := NewCard(2)
	a, err := c.Alloc("a", 300, 4, false)
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Alloc("b", 16, 4096, true)
	if err != nil {
		t.Fatal(err)
	}
	c.Commit()
	if a%256 != 0 || b%4096 != 0 || Owner(a) != 2 {
		t.Errorf("addresses 0x%x, 0x%x", a, b)
	}
	for _, test := range []struct {
		addr        uint64
		size, align int
		write       bool
		want        Problem
	}{
		{a, 4, 4, true, Fine},
		{a + 296, 4, 4, true, Fine},
		{a + 300, 4, 4, false, OutOfBounds}, // inside the last granule, beyond the size
		{a + 298, 4, 2, false, OutOfBounds}, // over the end
		{a + 512, 1, 1, false, OutOfBounds}, // the gap
		{a - 1, 1, 1, false, OutOfBounds},
		{a + 2, 4, 4, false, Misaligned},
		{b, 4, 4, false, Fine},
		{b, 4, 4, true, ReadOnly},
		{Base(2), 1, 1, false, OutOfBounds},
		{Base(3), 1, 1, false, OutOfBounds},
		{0, 1, 1, false, OutOfBounds},
	} {
		if got := c.Check(test.addr, test.size, test.align, test.write); got != test.want {
			t.Errorf("check %d bytes at a%+d: %d, want %d", test.size, int64(test.addr-a), got, test.want)
		}
	}
}

func TestAllocRefusesWhatDoesNotFit(t *testing.T) {
	c := NewCard(0)
	if _, err := c.Alloc("huge", 1<<39, 1, false); err == nil {
		t.Error("no error")
	}
	if _, err := c.Alloc("odd", 8, 768, false); err == nil {
		t.Error("an alignment of 768 was accepted")
	}
}

func TestShadowCountsEachByteOnce(t *testing.T) {
	c := NewCard(0)
	addr, _ := c.Alloc("a", 200, 1, false)
	c.Commit()
	a, _ := c.Span(addr)
	c.Wrote(a, 10, 100)
	c.Wrote(a, 50, 100) // 60 of these again
	if want := uint64(200 - 140); a.Unwritten != want {
		t.Errorf("unwritten %d, want %d", a.Unwritten, want)
	}
	if got := c.NeverWritten(a, 0, 200); got != 60 {
		t.Errorf("never written %d, want 60", got)
	}
	if got := c.NeverWritten(a, 5, 10); got != 5 {
		t.Errorf("never written [5,15): %d, want 5", got)
	}
}

func TestContentsSurviveGrowth(t *testing.T) {
	c := NewCard(1)
	a, _ := c.Alloc("a", 8, 8, false)
	if err := c.Write(a, []byte("contents")); err != nil {
		t.Fatal(err)
	}
	b, _ := c.Alloc("b", 1<<20, 8, false)
	if err := c.Write(b+1<<20-4, []byte("tail")); err != nil {
		t.Fatal(err)
	}
	got, err := c.Bytes(a, 8)
	if err != nil || !bytes.Equal(got, []byte("contents")) {
		t.Errorf("%q, %v", got, err)
	}
	if found := c.Find(a + 7); found == nil || found.Name != "a" || found.Unwritten != 0 {
		t.Errorf("allocation %+v", found)
	}
}

func TestNearestNamesTheNeighbour(t *testing.T) {
	c := NewCard(0)
	a, _ := c.Alloc("x", 100, 1, false)
	_, _ = c.Alloc("y", 100, 1, false)
	for addr, want := range map[uint64]string{
		a - 4:   "4 bytes before allocation `x`",
		a + 100: "0 bytes after the end of allocation `x`",
		a + 508: "4 bytes before allocation `y`",
		a + 12:  "12 bytes into allocation `x`",
	} {
		if got := c.Nearest(addr); !strings.HasPrefix(got, want) {
			t.Errorf("a%+d: %q, want %q", int64(addr-a), got, want)
		}
	}
	if got := NewCard(0).Nearest(5); got != "" {
		t.Errorf("without allocations: %q", got)
	}
	if err := c.Write(a+90, make([]byte, 20)); err == nil || !strings.Contains(err.Error(), "`x`") {
		t.Errorf("write over the end: %v", err)
	}
}
