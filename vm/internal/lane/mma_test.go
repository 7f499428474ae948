package lane

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// The places of fragment elements, from the formulas of the PTX ISA ("Matrix Fragments for mma.m16n8k16 with floating
// point type"): element i of a lane's A, B, C.
func placeA(lane, i int) (row, col int) {
	row, col = lane>>2, lane%4*2+i&1
	if !(i >= 0 && i < 2 || i >= 4 && i < 6) {
		row += 8
	}
	if i >= 4 {
		col += 8
	}
	return row, col
}

func placeB(lane, i int) (row, col int) {
	row = lane%4*2 + i&1
	if i >= 2 {
		row += 8
	}
	return row, lane >> 2
}

func placeC(lane, i int) (row, col int) {
	row = lane >> 2
	if i >= 2 {
		row += 8
	}
	return row, lane%4*2 + i&1
}

// mma makes the instruction of a shape m16n8kK.
func mma(t testing.TB, k int, types [4]isa.Type) *isa.Inst {
	in := instruction(t, fmt.Sprintf("mma.sync.aligned.m16n8k%d.row.col.f32.f16.f16.f32", k), 4)
	in.Types = types[:]
	registers := map[isa.Type]int{isa.F16: 2, isa.F32: 4}
	for i, n := range [4]int{registers[types[0]], k / 4, k / 8, registers[types[3]]} {
		in.Operands[i] = isa.Operand{Kind: isa.OperandVector, List: make([]isa.Operand, n)}
	}
	return in
}

// TestMMA multiplies random matrices of each type and shape and compares with sums in the documented order.
func TestMMA(t *testing.T) {
	testMMA(t, 16)
	testMMA(t, 8)
}

func testMMA(t *testing.T, depth int) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, types := range [][4]isa.Type{
		{isa.F32, isa.BF16, isa.BF16, isa.F32}, {isa.F32, isa.F16, isa.F16, isa.F32},
		{isa.F16, isa.F16, isa.F16, isa.F16}, {isa.F32, isa.F16, isa.F16, isa.F16}, {isa.F16, isa.F16, isa.F16, isa.F32},
	} {
		c, ok := Select(mma(t, depth, types), nil)
		if !ok {
			t.Fatalf("no mma for %v", types)
		}
		for range 50 {
			var a [16][16]float64
			var b [16][8]float64
			var sum [16][8]float64
			w := randomWarp(r)
			w.R32 = make([][32]uint32, 16)
			w.Active, w.Full = 1<<32-1, true
			put := func(slot, lane int, half int, typ isa.Type) float64 {
				f := formats[typ]
				pattern := f.round(r.NormFloat64()*math.Exp2(float64(r.IntN(6))), nearestEven, false)
				if f.width == 32 {
					w.R32[slot][lane] = pattern
				} else {
					w.R32[slot][lane] |= pattern << (16 * half)
				}
				return f.value(pattern)
			}
			for l := range 32 {
				for i := range depth / 2 {
					row, col := placeA(l, i)
					a[row][col] = put(i/2, l, i&1, types[1])
				}
				for i := range depth / 4 {
					row, col := placeB(l, i)
					b[row][col] = put(4+i/2, l, i&1, types[2])
				}
				for i := range 4 {
					row, col := placeC(l, i)
					if types[3] == isa.F32 {
						sum[row][col] = put(6+i, l, 0, types[3])
					} else {
						sum[row][col] = put(6+i/2, l, i&1, types[3])
					}
				}
			}
			for row := range sum {
				for col := range sum[row] {
					for k := range depth {
						sum[row][col] = float64(float32(sum[row][col] + a[row][k]*b[k][col]))
					}
				}
			}
			v := &state.Vectors{D: []int32{10, 11, 12, 13}, A: []int32{0, 1, 2, 3}[:depth/4], B: []int32{4, 5}[:depth/8], C: []int32{6, 7, 8, 9}}
			if types[0] == isa.F16 {
				v.D = v.D[:2]
			}
			if types[3] == isa.F16 {
				v.C = v.C[:2]
			}
			c.Run(w, &state.Op{Extra: v})
			for l := range 32 {
				for i := range 4 {
					row, col := placeC(l, i)
					got, want := w.R32[10+i][l], math.Float32bits(float32(sum[row][col]))
					if types[0] == isa.F16 {
						got = w.R32[10+i/2][l] >> (16 * (i & 1)) & 0xffff
						want = formatF16.round(sum[row][col], nearestEven, false)
					}
					if got != want {
						t.Fatalf("%v: element (%d, %d) is %#x, want %#x", types, row, col, got, want)
					}
				}
			}
		}
	}
}
