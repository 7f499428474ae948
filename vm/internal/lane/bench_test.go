package lane

import (
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// benchWarp has registers with numbers in them that are fit for integer and floating-point instructions alike.
func benchWarp(mask uint32) *state.Warp {
	w := &state.Warp{
		R32: make([][32]uint32, 16), R64: make([][32]uint64, 8), P: make([]uint32, 4),
		Active: mask, Full: mask == 1<<32-1, Live: 1<<32 - 1, Prog: &state.Program{},
	}
	for r := range w.R32 {
		for l := range w.R32[r] {
			w.R32[r][l] = 0x3f803f80 + uint32(r*l)
		}
	}
	return w
}

func lane(b *testing.B, word string, operands int) Func {
	op, mods, types, err := isa.Split(word)
	if err != nil {
		b.Fatal(err)
	}
	c, ok := Select(&isa.Inst{Op: op, Mods: mods, Types: types, Operands: make([]isa.Operand, operands)}, &isa.Func{})
	if !ok {
		b.Fatal(word)
	}
	return c.Run
}

// BenchmarkLane measures a warp instruction over all lanes, over half of them, and over two.
func BenchmarkLane(b *testing.B) {
	for _, bench := range []struct {
		word     string
		operands int
	}{
		{"add.u32", 3}, {"mad.lo.u32", 4}, {"shl.b32", 3}, {"shf.l.wrap.b32", 4}, {"add.f32", 3}, {"mul.f32", 3}, {"fma.rn.f32", 4}, {"fma.rn.ftz.f32", 4},
		{"setp.lt.s32", 3}, {"selp.b32", 4}, {"mov.u32", 2}, {"add.u64", 3}, {"mul.wide.u32", 3}, {"fma.rn.f64", 4},
		{"cvt.u64.u32", 2}, {"cvt.rn.f32.s32", 2}, {"cvt.rzi.s32.f32", 2}, {"cvt.f32.f16", 2}, {"cvt.rn.f16.f32", 2},
		{"add.f16x2", 3}, {"fma.rn.f16x2", 4}, {"fma.rn.bf16x2", 4}, {"add.rz.f32", 3}, {"min.f32", 3}, {"max.f16x2", 3},
		{"shfl.sync.bfly.b32", 5}, {"rcp.approx.f32", 2}, {"div.rn.f32", 3},
	} {
		for _, lanes := range []struct {
			name string
			mask uint32
		}{{"full", 1<<32 - 1}, {"half", 0x55555555}, {"two", 0x00100010}} {
			b.Run(bench.word+"/"+lanes.name, func(b *testing.B) {
				run := lane(b, bench.word, bench.operands)
				w := benchWarp(lanes.mask)
				op := &state.Op{D: 3, D2: -1, A: 0, B: 1, C: 2, E: 2}
				for b.Loop() {
					run(w, op)
				}
			})
		}
	}
}

// BenchmarkMMA measures mma.sync.m16n8k16.
func BenchmarkMMA(b *testing.B) {
	for _, ab := range []isa.Type{isa.BF16, isa.F16} {
		b.Run(ab.String(), func(b *testing.B) {
			c, ok := Select(mma(b, 16, [4]isa.Type{isa.F32, ab, ab, isa.F32}), nil)
			if !ok {
				b.Fatal("no mma")
			}
			w := benchWarp(1<<32 - 1)
			op := &state.Op{Extra: &state.Vectors{D: []int32{10, 11, 12, 13}, A: []int32{4, 5, 6, 7}, B: []int32{8, 9}, C: []int32{0, 1, 2, 3}}}
			for b.Loop() {
				c.Run(w, op)
			}
		})
	}
}
