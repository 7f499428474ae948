package host

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
)

// Difference is the first element of a buffer that is not as expected.
type Difference struct {
	Buffer string
	Dtype  Dtype
	Card   int
	Index  int64  // of the element; among the sorted ones where the case compares sorted
	Got    uint64 // bits
	Want   uint64
	Count  int64 // elements that differ, on all cards
	Of     int64 // elements compared, on all cards

	// Of an expectation by checksum, which names no element:
	GotSum, WantSum string
}

// String is one line: where, both values with their bits, and how far apart they are.
func (d *Difference) String() string {
	if d.WantSum != "" {
		return fmt.Sprintf("%s: sha256 %.16s..., want %.16s...", d.Buffer, d.GotSum, d.WantSum)
	}
	digits := 2 * d.Dtype.Bytes()
	s := fmt.Sprintf("%s[%d] on card %d: got %s (0x%0*x), want %s (0x%0*x)", d.Buffer, d.Index, d.Card,
		d.Dtype.Text(d.Got), digits, d.Got, d.Dtype.Text(d.Want), digits, d.Want)
	if ulp, ok := d.ULP(); ok {
		s += fmt.Sprintf(", %d ulp", ulp)
	}
	if d.Count > 1 {
		s += fmt.Sprintf("; %d of %d differ", d.Count, d.Of)
	}
	return s
}

// ULP is the distance of two floats in units of the last place; false for integers and NaNs.
func (d *Difference) ULP() (uint64, bool) {
	if !d.Dtype.Float() || d.Dtype.isNaN(d.Got) || d.Dtype.isNaN(d.Want) || d.WantSum != "" {
		return 0, false
	}
	got, want := d.Dtype.order(d.Got), d.Dtype.order(d.Want)
	return uint64(max(got, want)) - uint64(min(got, want)), true
}

// near reports whether one element passes.
func (t tolerance) near(d Dtype, got, want uint64) bool {
	if got == want {
		return true
	}
	switch t.kind {
	case "exact":
		return false
	case "exact_nan":
		return d.isNaN(got) && d.isNaN(want)
	}
	if !d.Float() {
		return math.Abs(distance(d, got, want)) <= t.abs+t.rel*math.Abs(d.Value(want))
	}
	g, w := d.Value(got), d.Value(want)
	if math.IsNaN(w) {
		return math.IsNaN(g)
	}
	return g == w || math.Abs(g-w) <= t.abs+t.rel*math.Abs(w) && !math.IsInf(w, 0)
}

// distance is the difference of two integers, exact where it is small.
func distance(d Dtype, a, b uint64) float64 {
	x, y := d.order(a), d.order(b)
	if x >= y {
		return float64(uint64(x) - uint64(y))
	}
	return float64(uint64(y) - uint64(x))
}

// compare finds the first element that differs; nil where all pass. read returns a card's contents.
func (e *expectation) compare(files fs.FS, read func(card int) ([]byte, error)) (*Difference, error) {
	if e.sha256 != "" {
		return e.compareSum(read)
	}
	want := e.values
	if e.file != "" {
		data, err := fs.ReadFile(files, e.file)
		if err != nil {
			return nil, err
		}
		want = data
	}
	diff := &Difference{Buffer: e.buffer.name, Dtype: e.buffer.dtype}
	for i, card := range e.cards {
		got, err := read(card)
		if err != nil {
			return nil, err
		}
		part := want
		if !e.same {
			part = want[int64(i)*e.buffer.bytes : int64(i+1)*e.buffer.bytes]
		}
		if e.sorted {
			got, part = sortElements(e.buffer.dtype, got), sortElements(e.buffer.dtype, part)
		}
		e.compareCard(diff, card, got, part)
	}
	if diff.Count == 0 {
		return nil, nil
	}
	return diff, nil
}

// compareCard compares one card's contents and counts.
func (e *expectation) compareCard(diff *Difference, card int, got, want []byte) {
	d, count := e.buffer.dtype, e.buffer.count()
	diff.Of += count
	if bytes.Equal(got, want) {
		return
	}
	for i := range count {
		g, w := d.get(got, i), d.get(want, i)
		if e.near(d, g, w) {
			continue
		}
		if diff.Count == 0 {
			diff.Card, diff.Index, diff.Got, diff.Want = card, i, g, w
		}
		diff.Count++
	}
}

// compareSum compares the checksum over all cards, or over each card's copy.
func (e *expectation) compareSum(read func(card int) ([]byte, error)) (*Difference, error) {
	all := sha256.New()
	for _, card := range e.cards {
		got, err := read(card)
		if err != nil {
			return nil, err
		}
		all.Write(got)
		if e.same {
			if sum := hex.EncodeToString(all.Sum(nil)); !strings.EqualFold(sum, e.sha256) {
				return e.sumDifference(card, sum), nil
			}
			all.Reset()
		}
	}
	if e.same {
		return nil, nil
	}
	if sum := hex.EncodeToString(all.Sum(nil)); !strings.EqualFold(sum, e.sha256) {
		return e.sumDifference(e.cards[0], sum), nil
	}
	return nil, nil
}

func (e *expectation) sumDifference(card int, sum string) *Difference {
	return &Difference{Buffer: e.buffer.name, Dtype: e.buffer.dtype, Card: card, GotSum: sum, WantSum: strings.ToLower(e.sha256)}
}

// sortElements returns a copy with the elements in the order of their numbers, NaNs last.
func sortElements(d Dtype, data []byte) []byte {
	bits := make([]uint64, len(data)/d.Bytes())
	for i := range bits {
		bits[i] = d.get(data, int64(i))
	}
	slices.SortFunc(bits, func(a, b uint64) int {
		if nanA, nanB := d.isNaN(a), d.isNaN(b); nanA != nanB {
			return choose(nanA, 1, -1)
		}
		return cmp.Compare(d.order(a), d.order(b))
	})
	out := make([]byte, len(data))
	for i, b := range bits {
		d.put(out, int64(i), b)
	}
	return out
}

// compare says how device printf output differs from the expected lines; "" where it doesn't.
func (s *expectedStdout) compare(output string) string {
	var got []string
	if output != "" {
		got = strings.Split(strings.TrimSuffix(output, "\n"), "\n")
	}
	want := s.lines
	if !s.exact {
		got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	}
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Sprintf("stdout: %d lines, want %d; missing %q", len(got), len(want), want[i])
		case i >= len(want):
			return fmt.Sprintf("stdout: %d lines, want %d; unexpected %q", len(got), len(want), got[i])
		case got[i] != want[i]:
			return fmt.Sprintf("stdout line %d: got %q, want %q", i+1, got[i], want[i])
		}
	}
	return ""
}
