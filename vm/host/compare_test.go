package host

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"testing"
)

func bufferOf(d Dtype, bits ...uint64) (*bufferSpec, []byte) {
	data := make([]byte, len(bits)*d.Bytes())
	for i, b := range bits {
		d.put(data, int64(i), b)
	}
	return &bufferSpec{name: "out", dtype: d, bytes: int64(len(data))}, data
}

func f32(v float64) uint64 { return F32.Round(v) }

func TestCompare(t *testing.T) {
	const qnan, nan2 = 0x7fc00000, 0xffc00001
	inf := math.Inf(1)
	for _, c := range []struct {
		name   string
		d      Dtype
		tol    tolerance
		sorted bool
		got    []uint64
		want   []uint64
		diff   string // "": passes
	}{
		{"equal", U32, tolerance{kind: "exact"}, false, []uint64{1, 2}, []uint64{1, 2}, ""},
		{"integers", I32, tolerance{kind: "exact"}, false, []uint64{1, 0xffffffff, 9}, []uint64{1, 2, 3},
			"out[1] on card 0: got -1 (0xffffffff), want 2 (0x00000002); 2 of 3 differ"},
		{"ulp", F32, tolerance{kind: "exact"}, false, []uint64{0x3f800003}, []uint64{0x3f800000},
			"out[0] on card 0: got 1.0000004 (0x3f800003), want 1 (0x3f800000), 3 ulp"},
		{"signed zero", F32, tolerance{kind: "exact"}, false, []uint64{0x80000000}, []uint64{0},
			"out[0] on card 0: got -0 (0x80000000), want 0 (0x00000000), 1 ulp"},
		{"zero signs within 0", F32, tolerance{}, false, []uint64{0x80000000}, []uint64{0}, ""},
		{"NaN bits", F32, tolerance{kind: "exact"}, false, []uint64{nan2}, []uint64{qnan},
			"out[0] on card 0: got NaN (0xffc00001), want NaN (0x7fc00000)"},
		{"any NaN", F32, tolerance{kind: "exact_nan"}, false, []uint64{nan2}, []uint64{qnan}, ""},
		{"exact_nan wants bits elsewhere", F32, tolerance{kind: "exact_nan"}, false, []uint64{0x80000000}, []uint64{0},
			"out[0] on card 0: got -0 (0x80000000), want 0 (0x00000000), 1 ulp"},
		{"NaN for a number", F32, tolerance{abs: 1e9}, false, []uint64{qnan}, []uint64{f32(1)},
			"out[0] on card 0: got NaN (0x7fc00000), want 1 (0x3f800000)"},
		{"abs", F32, tolerance{abs: 0.5}, false, []uint64{f32(1.5), f32(1.75)}, []uint64{f32(1), f32(1)},
			"out[1] on card 0: got 1.75 (0x3fe00000), want 1 (0x3f800000), 6291456 ulp"},
		{"rel", F32, tolerance{rel: 0.01}, false, []uint64{f32(100.5), f32(-100.5)}, []uint64{f32(100), f32(-100)}, ""},
		{"equal infinities", F32, tolerance{abs: 1}, false, []uint64{f32(inf)}, []uint64{f32(inf)}, ""},
		{"other infinity", F32, tolerance{rel: 1}, false, []uint64{f32(-inf)}, []uint64{f32(inf)},
			"out[0] on card 0: got -Inf (0xff800000), want +Inf (0x7f800000), 4278190081 ulp"},
		{"number for infinity", F32, tolerance{rel: 1}, false, []uint64{f32(1)}, []uint64{f32(inf)},
			"out[0] on card 0: got 1 (0x3f800000), want +Inf (0x7f800000), 1073741824 ulp"},
		{"integers within", U64, tolerance{abs: 2}, false, []uint64{math.MaxUint64, 5}, []uint64{math.MaxUint64 - 2, 8},
			"out[1] on card 0: got 5 (0x0000000000000005), want 8 (0x0000000000000008)"},
		{"sorted", I8, tolerance{kind: "exact"}, true, []uint64{3, 0xff, 1}, []uint64{1, 3, 0xff}, ""},
		{"sorted floats", F32, tolerance{kind: "exact"}, true, []uint64{qnan, f32(2), f32(-1), f32(0)}, []uint64{f32(-1), f32(0), f32(2), qnan}, ""},
		{"sorted, one off", U8, tolerance{kind: "exact"}, true, []uint64{9, 1}, []uint64{1, 8}, "out[1] on card 0: got 9 (0x09), want 8 (0x08)"},
	} {
		spec, got := bufferOf(c.d, c.got...)
		_, want := bufferOf(c.d, c.want...)
		e := expectation{buffer: spec, cards: []int{0}, values: want, tolerance: c.tol, sorted: c.sorted}
		diff, err := e.compare(nil, func(int) ([]byte, error) { return got, nil })
		text := ""
		if diff != nil {
			text = diff.String()
		}
		if err != nil || text != c.diff {
			t.Errorf("%s: %q, %v; want %q", c.name, text, err, c.diff)
		}
	}
}

// TestCompareCards checks which part of the expected bytes each card is held against.
func TestCompareCards(t *testing.T) {
	spec, _ := bufferOf(U8, 0, 0)
	cards := map[int][]byte{1: {1, 2}, 3: {3, 4}}
	read := func(card int) ([]byte, error) { return cards[card], nil }
	e := expectation{buffer: spec, cards: []int{1, 3}, values: []byte{1, 2, 3, 4}, tolerance: tolerance{kind: "exact"}}
	if diff, err := e.compare(nil, read); diff != nil || err != nil {
		t.Errorf("one after the other: %v, %v", diff, err)
	}
	e.same, e.values = true, []byte{1, 2}
	if diff, _ := e.compare(nil, read); diff == nil || diff.String() != "out[0] on card 3: got 3 (0x03), want 1 (0x01); 2 of 4 differ" {
		t.Errorf("same on all: %v", diff)
	}
	sum := func(data ...byte) string { s := sha256.Sum256(data); return hex.EncodeToString(s[:]) }
	e = expectation{buffer: spec, cards: []int{1, 3}, sha256: strings.ToUpper(sum(1, 2, 3, 4)), tolerance: tolerance{kind: "exact"}}
	if diff, err := e.compare(nil, read); diff != nil || err != nil {
		t.Errorf("checksum over both: %v, %v", diff, err)
	}
	e.same, e.sha256 = true, sum(1, 2)
	if diff, _ := e.compare(nil, read); diff == nil || diff.Card != 3 || diff.GotSum != sum(3, 4) {
		t.Errorf("checksum of each: %v", diff)
	}
}

func TestCompareOutput(t *testing.T) {
	for _, c := range []struct {
		exact  bool
		output string
		diff   string
	}{
		{true, "b\na\n", ""},
		{false, "a\nb\n", ""},
		{true, "a\nb\n", `stdout line 1: got "a", want "b"`},
		{true, "b\n", `stdout: 1 lines, want 2; missing "a"`},
		{false, "a\nb\nc\n", `stdout: 3 lines, want 2; unexpected "c"`},
		{true, "", `stdout: 0 lines, want 2; missing "b"`},
	} {
		s := expectedStdout{exact: c.exact, lines: []string{"b", "a"}}
		if got := s.compare(c.output); got != c.diff {
			t.Errorf("%q: %s, want %s", c.output, got, c.diff)
		}
	}
}
