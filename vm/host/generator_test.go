package host

import (
	"math/big"
	"slices"
	"testing"
)

// elements makes count elements of a generator on a card.
func elements(g generator, d Dtype, card, count int) []uint64 {
	data := make([]byte, count*d.Bytes())
	for i := range data {
		data[i] = 0xEE // a generator writes every byte
	}
	g.fill(d, card, data)
	bits := make([]uint64, count)
	for i := range bits {
		bits[i] = d.get(data, int64(i))
	}
	return bits
}

// TestLCGVectors holds the vectors that the case format gives.
func TestLCGVectors(t *testing.T) {
	s := lcg(1)
	var drawn []uint32
	for range 4 {
		drawn = append(drawn, s.draw())
	}
	if want := []uint32{1015568748, 1586005467, 2165703038, 3027450565}; !slices.Equal(drawn, want) {
		t.Errorf("seed 1 draws %d, want %d", drawn, want)
	}
}

func TestGenerators(t *testing.T) {
	integer := func(n int64) number { return integerNumber(big.NewInt(n)) }
	for _, c := range []struct {
		name string
		gen  generator
		d    Dtype
		card int
		want []uint64
	}{
		// The two vectors of the case format.
		{"bits", generator{kind: "bits", seed: 5}, U16, 0, []uint64{15597, 47977, 15930, 55898}},
		{"lcg", generator{kind: "lcg", seed: 3, min: -1000, max: 1000, scale: 1. / 1024}, F32, 0, []uint64{0xbf660000, 0xbf408000, 0xbf3fc000, 0x3eff8000}},
		// The first draws of seed 1 above: top bits; for 64 bits two draws, the high word first.
		{"bits u64", generator{kind: "bits", seed: 1}, U64, 0, []uint64{1015568748<<32 | 1586005467, 2165703038<<32 | 3027450565}},
		{"bits u8", generator{kind: "bits", seed: 1}, U8, 0, []uint64{1015568748 >> 24, 1586005467 >> 24}},
		{"card step", generator{kind: "bits", seed: 4294967295, cardStep: 2}, U32, 1, []uint64{1015568748, 1586005467}},
		{"zeros", generator{kind: "zeros"}, F64, 3, []uint64{0, 0}},
		{"byte", generator{kind: "byte", value: integer(205)}, U32, 0, []uint64{0xcdcdcdcd, 0xcdcdcdcd}},
		{"fill", generator{kind: "fill", value: realNumber(0.25)}, F32, 0, []uint64{0x3e800000, 0x3e800000}},
		{"fill u32", generator{kind: "fill", value: integer(4294967295)}, U32, 0, []uint64{0xffffffff}},
		{"iota wraps", generator{kind: "iota", start: integer(2147483646), step: integer(1)}, I32, 0, []uint64{0x7ffffffe, 0x7fffffff, 0x80000000}},
		{"iota f32", generator{kind: "iota", start: integer(-1), step: realNumber(0.5)}, F32, 0, []uint64{0xbf800000, 0xbf000000, 0}},
		{"list", generator{kind: "list", values: []number{integer(-1), realNumber(1.5)}}, I16, 0, []uint64{0xffff, 2, 0}},
		{"list_bits", generator{kind: "list_bits", raw: []uint64{0x7fc00001}}, F32, 0, []uint64{0x7fc00001, 0}},
		{"ramp bf16", generator{kind: "ramp"}, BF16, 0, []uint64{0, 0x3f80, 0x4000, 0x4040}},
		{"file of card 1", generator{kind: "file", data: [][]byte{{1, 0}, {2, 3}}}, U16, 1, []uint64{0x302}},
		{"file of all", generator{kind: "file", data: [][]byte{{1, 0}}}, U16, 1, []uint64{1}},
	} {
		if got := elements(c.gen, c.d, c.card, len(c.want)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
}

func TestRampStaysExact(t *testing.T) {
	got := elements(generator{kind: "ramp"}, BF16, 0, 258)
	if got[255] != BF16.Round(255) || got[256] != 0 || got[257] != BF16.Round(1) {
		t.Errorf("bf16 ramp around 256: %#x", got[255:])
	}
}

func TestRandomIsBoundedAndDiffersByCard(t *testing.T) {
	g := generator{kind: "random", seed: 7, cardStep: cardStep}
	a, b := elements(g, F16, 0, 1000), elements(g, F16, 1, 1000)
	if slices.Equal(a, b) {
		t.Error("cards 0 and 1 have the same contents")
	}
	low, high := false, false
	for _, bits := range a {
		v := F16.Value(bits)
		if v < -1 || v >= 1 {
			t.Fatalf("%g is outside [-1, 1)", v)
		}
		low, high = low || v < -0.9, high || v > 0.9
	}
	if !low || !high {
		t.Error("1000 numbers don't reach ±0.9")
	}
}
