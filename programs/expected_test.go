package programs

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"path"
	"slices"
	"strconv"
	"testing"
)

// The expected contents of every case are worked out here once more, from the generators and the arithmetic that a
// case names, without the VM.

// caseFile is the part of a case file that the tests look at.
type caseFile struct {
	Format      int
	Name        string
	Description string
	PTX         string
	Modules     map[string]string
	Cards       int
	Buffers     map[string]struct {
		DType   string
		Count   int
		Init    generator
		PerCard []generator `json:"per_card"`
	}
	Expect map[string]struct {
		Cards  []int
		Same   bool
		File   string
		Values []float64
		SHA256 string
		Bytes  int
	}
}

type generator struct {
	Gen      string
	Seed     uint32
	CardStep uint32 `json:"card_step"`
	Min, Max int64
	Scale    float64
	Values   []string
}

func readCase(t *testing.T, file string) caseFile {
	t.Helper()
	text, err := FS.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c caseFile
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return c
}

// draws are the first n values of the corpus's `lcg` generator before scaling.
func (g generator) draws(card, n int) []int64 {
	s := g.Seed + g.CardStep*uint32(card)
	out := make([]int64, n)
	for i := range out {
		s = s*1664525 + 1013904223
		out[i] = g.Min + int64(s>>8)%(g.Max-g.Min+1)
	}
	return out
}

// toBF16 rounds an f32 to bf16, nearest even. NaN does not occur in the cases.
func toBF16(x float32) uint16 {
	bits := math.Float32bits(x)
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

func fromBF16(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }

// gradient is a card's input as bf16 bits.
func (c caseFile) gradient(t *testing.T, name string, card int) []uint16 {
	t.Helper()
	b := c.Buffers[name]
	out := make([]uint16, b.Count)
	if b.PerCard != nil {
		for i, v := range b.PerCard[card].Values {
			bits, err := strconv.ParseUint(v, 0, 16)
			if err != nil {
				t.Fatal(err)
			}
			out[i] = uint16(bits)
		}
		return out
	}
	for i, v := range b.Init.draws(card, b.Count) {
		out[i] = toBF16(float32(float64(v) * b.Init.Scale)) // exact in f32: |v| is at most 1,000
	}
	return out
}

// allReduce sums the cards in ascending order in f32 and rounds once.
func allReduce(inputs [][]uint16) []byte {
	var out []byte
	for i := range inputs[0] {
		sum := fromBF16(inputs[0][i])
		for _, in := range inputs[1:] {
			sum += fromBF16(in[i])
		}
		out = binary.LittleEndian.AppendUint16(out, toBF16(sum))
	}
	return out
}

// gradients are the inputs of all cards.
func (c caseFile) gradients(t *testing.T) (inputs [][]uint16) {
	for card := range c.Cards {
		inputs = append(inputs, c.gradient(t, "grad", card))
	}
	return inputs
}

// tiles are four warps' results after a number of mma: 16 (r + 1)(c + 1) each.
func tiles(mma int) (out []byte) {
	for range 4 {
		for r := 1; r <= 16; r++ {
			for c := 1; c <= 8; c++ {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(mma*16*r*c)))
			}
		}
	}
	return out
}

// expected are the contents of each case's buffers: case, buffer, contents of the listed cards.
var expected = map[string]map[string]func(t *testing.T, c caseFile) []byte{
	"allreduce_2.json":  {"total": reduced},
	"allreduce_3.json":  {"total": reduced},
	"allreduce_8.json":  {"total": reduced},
	"barrier_late.json": {},
	"demo.json":         {"total": reduced, "out": func(*testing.T, caseFile) []byte { return tiles(32768) }},
	"grad_sync.json":    {"total": reduced, "out": func(*testing.T, caseFile) []byte { return tiles(32768) }},
	"one_card.json":     {"total": reduced, "out": func(*testing.T, caseFile) []byte { return tiles(32768) }},
	"straggler.json": {"total": reduced, "out": func(*testing.T, caseFile) (out []byte) {
		for card := range 8 {
			out = append(out, tiles(map[bool]int{false: 32768, true: 40960}[card == 5])...)
		}
		return out
	}},
	"pcie.json":        {"total": reduced},
	"grid_shared.json": {"total": reduced},
	"grid_slices.json": {"total": reduced},
	"twice.json":       {"total": reducedTwice},
	"vecadd.json":      {"c": sums},
	"block_reduce.json": {
		"sums":  func(t *testing.T, c caseFile) []byte { return blockSums(c, 256) },
		"total": func(t *testing.T, c caseFile) []byte { return blockSums(c, 1024) },
	},
}

func reduced(t *testing.T, c caseFile) []byte { return allReduce(c.gradients(t)) }

// reducedTwice sums the sums of all cards, which are equal.
func reducedTwice(t *testing.T, c caseFile) []byte {
	once := allReduce(c.gradients(t))
	total := make([]uint16, len(once)/2)
	for i := range total {
		total[i] = binary.LittleEndian.Uint16(once[2*i:])
	}
	return allReduce([][]uint16{total, total, total})
}

// sums are a + b in f32 for 1,000 elements; the rest of c keeps its 0xCD.
func sums(_ *testing.T, c caseFile) (out []byte) {
	a, b := c.Buffers["a"], c.Buffers["b"]
	av, bv := a.Init.draws(0, 1000), b.Init.draws(0, 1000)
	for i := range av {
		sum := float32(float64(av[i])*a.Init.Scale) + float32(float64(bv[i])*b.Init.Scale)
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(sum))
	}
	return append(out, bytes.Repeat([]byte{0xCD}, 96)...)
}

// blockSums are the sums of blocks of elements of in.
func blockSums(c caseFile, block int) (out []byte) {
	for values := range slices.Chunk(c.Buffers["in"].Init.draws(0, 1024), block) {
		var sum uint32
		for _, v := range values {
			sum += uint32(v)
		}
		out = binary.LittleEndian.AppendUint32(out, sum)
	}
	return out
}

func TestExpected(t *testing.T) {
	for _, file := range Cases() {
		t.Run(Name(file), func(t *testing.T) {
			c := readCase(t, file)
			buffers, known := expected[file]
			if !known || len(buffers) != len(c.Expect) {
				t.Fatalf("the case expects %d buffers, this test knows %d of them", len(c.Expect), len(buffers))
			}
			for name, e := range c.Expect {
				if buffers[name] == nil {
					t.Fatalf("this test does not know what %s holds", name)
				}
				want := buffers[name](t, c)
				switch {
				case e.File != "":
					got, err := FS.ReadFile(e.File)
					if err != nil || !bytes.Equal(got, want) {
						t.Errorf("%s: %s holds something else (%v)", name, e.File, err)
					}
				case e.SHA256 != "":
					if sum := sha256.Sum256(want); e.SHA256 != hex.EncodeToString(sum[:]) || e.Bytes != len(want) {
						t.Errorf("%s: sha256 of %d bytes is %x", name, len(want), sum)
					}
				default:
					var got []byte
					for _, v := range e.Values {
						got = binary.LittleEndian.AppendUint32(got, uint32(v))
					}
					if !bytes.Equal(got, want) {
						t.Errorf("%s: values %v are not what the arithmetic gives", name, e.Values)
					}
				}
			}
		})
	}
}

// The article's listing is embedded as it was printed, byte for byte.
func TestArticleIsVerbatim(t *testing.T) {
	text, err := FS.ReadFile("nvlink_allreduce.ptx")
	if err != nil {
		t.Fatal(err)
	}
	const want = "76c4f2b082a83a87f47c03ae851ee46bc0b0613d6ac5e7357605a7c8f541248b"
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != want {
		t.Errorf("sha256 %x, want %s", sum, want)
	}
}

// Case files name themselves and only files that exist; every kernel and every expected result is named by one.
func TestFilesBelongTogether(t *testing.T) {
	named := map[string]bool{}
	for _, file := range Cases() {
		c := readCase(t, file)
		if c.Format != 1 || c.Name != Name(file) || c.Description == "" {
			t.Errorf("%s: format %d, name %q, description %q", file, c.Format, c.Name, c.Description)
		}
		files := []string{c.PTX}
		for _, f := range c.Modules {
			files = append(files, f)
		}
		for _, e := range c.Expect {
			if e.File != "" {
				files = append(files, e.File)
			}
		}
		for _, f := range files {
			if _, err := FS.ReadFile(f); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			named[f] = true
		}
	}
	entries, err := FS.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if ext := path.Ext(e.Name()); (ext == ".ptx" || ext == ".bin") && !named[e.Name()] {
			t.Errorf("%s belongs to no case", e.Name())
		}
	}
}
