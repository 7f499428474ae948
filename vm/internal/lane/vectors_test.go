package lane

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/programs/corpus"
)

// vectorCase is what the test needs of a case file (format: programs/README.md).
type vectorCase struct {
	PTX string `json:"ptx"`
	vectorLaunch
	Launches []vectorLaunch `json:"launches"`
	Buffers  map[string]struct {
		DType string `json:"dtype"`
		Count int    `json:"count"`
		Init  struct {
			Gen    string   `json:"gen"`
			Value  int      `json:"value"`
			Values []string `json:"values"`
		} `json:"init"`
	} `json:"buffers"`
	Expect map[string]struct {
		File      string          `json:"file"`
		Tolerance json.RawMessage `json:"tolerance"`
	} `json:"expect"`
}

type vectorLaunch struct {
	Entry string `json:"entry"`
	Grid  [3]int `json:"grid"`
	Block [3]int `json:"block"`
	Args  []struct {
		Buffer string  `json:"buffer"`
		Scalar *uint64 `json:"scalar"`
	} `json:"args"`
}

// TestVectors runs the corpus' exact results of single instructions through the lane functions: every kernel that is
// made of register instructions, with full warps and with the loops for partial ones.
func TestVectors(t *testing.T) {
	files, err := corpus.Load("vectors/")
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	for _, f := range files {
		text[f.Path] = f.Text
	}
	archive, err := zip.OpenReader("../../../programs/corpus/cases.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	members := map[string]*zip.File{}
	for _, f := range archive.File {
		members[f.Name] = f
	}
	ran := 0
	for _, f := range archive.File {
		if strings.HasPrefix(f.Name, "vectors/") && strings.HasSuffix(f.Name, ".json") {
			ran += runVector(t, f.Name, members, text)
		}
	}
	// A change that makes kernels unreachable must not pass unnoticed.
	if ran < minimumVectorKernels {
		t.Errorf("%d kernels ran, want at least %d", ran, minimumVectorKernels)
	}
}

const minimumVectorKernels = 1000

func member(t *testing.T, members map[string]*zip.File, name string) []byte {
	t.Helper()
	f := members[name]
	if f == nil {
		t.Fatalf("%s is missing", name)
	}
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var vectorTypes = map[string]isa.Type{"u8": isa.U8, "i8": isa.S8, "u16": isa.U16, "i16": isa.S16, "u32": isa.U32, "i32": isa.S32,
	"u64": isa.U64, "i64": isa.S64, "f16": isa.F16, "bf16": isa.BF16, "f32": isa.F32, "f64": isa.F64}

// runVector runs the kernels of one case and answers how many were register instructions only.
func runVector(t *testing.T, name string, members map[string]*zip.File, text map[string]string) int {
	var c vectorCase
	if err := json.Unmarshal(member(t, members, name), &c); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	source := path.Dir(name) + "/" + c.PTX
	module, diagnostics := parser.Parse(source, text[source], parser.Options{})
	if module == nil {
		t.Errorf("%s: %v", name, diagnostics)
		return 0
	}
	launches := c.Launches
	if len(launches) == 0 {
		launches = []vectorLaunch{c.vectorLaunch}
	}
	ran := 0
	for _, full := range []bool{true, false} {
		var buffers [][]byte
		index := map[string]int{}
		for n, b := range c.Buffers {
			data := make([]byte, b.Count*vectorTypes[b.DType].Bytes())
			switch b.Init.Gen {
			case "byte":
				for i := range data {
					data[i] = byte(b.Init.Value)
				}
			case "list_bits":
				size := vectorTypes[b.DType].Bytes()
				for i, v := range b.Init.Values {
					x, err := strconv.ParseUint(strings.TrimPrefix(v, "0x"), 16, 64)
					if err != nil {
						t.Fatal(err)
					}
					var word [8]byte
					binary.LittleEndian.PutUint64(word[:], x)
					copy(data[i*size:(i+1)*size], word[:])
				}
			}
			index[n] = len(buffers)
			buffers = append(buffers, data)
		}
		checked := map[string]bool{}
		for _, launch := range launches {
			m, err := newMachine(module.EntryNamed(launch.Entry))
			if unknown := (errUnknown{}); errors.As(err, &unknown) {
				continue
			} else if err != nil {
				t.Errorf("%s %s: %v", name, launch.Entry, err)
				continue
			}
			m.buffers = buffers
			for _, a := range launch.Args {
				if a.Scalar != nil {
					m.params = append(m.params, *a.Scalar)
				} else {
					m.params = append(m.params, uint64(index[a.Buffer])<<32)
				}
				checked[a.Buffer] = true
			}
			threads := launch.Grid[0] * launch.Block[0]
			for warp := 0; warp*32 < threads; warp++ {
				m.run(warp, full)
			}
			ran++
		}
		for n, want := range c.Expect {
			if checked[n] {
				compareVector(t, name+" "+n, vectorTypes[c.Buffers[n].DType], buffers[index[n]], member(t, members, path.Dir(name)+"/"+want.File), want.Tolerance)
			}
		}
	}
	return ran / 2
}

// compareVector reports the first difference and how many there are.
func compareVector(t *testing.T, what string, typ isa.Type, got, want []byte, tolerance json.RawMessage) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	var bound struct{ Abs, Rel float64 }
	bounded := json.Unmarshal(tolerance, &bound) == nil
	size := typ.Bytes()
	wrong, first := 0, -1
	for i := 0; i < len(want)/size; i++ {
		g, w := word(got[i*size:], size), word(want[i*size:], size)
		if g == w {
			continue
		}
		if typ.Float() && string(tolerance) != `"exact"` {
			x, y := readFloat(g, typ), readFloat(w, typ)
			if x != x && y != y || bounded && (x == y || math.Abs(x-y) <= bound.Abs+bound.Rel*math.Abs(y)) {
				continue
			}
		}
		wrong++
		if first < 0 {
			first = i
		}
	}
	if wrong > 0 {
		t.Errorf("%s: %d of %d wrong; element %d is %#x, want %#x", what, wrong, len(want)/size, first, word(got[first*size:], size), word(want[first*size:], size))
	}
}

func word(b []byte, size int) uint64 {
	var w [8]byte
	copy(w[:], b[:size])
	return binary.LittleEndian.Uint64(w[:])
}
