package isa

import (
	"testing"
	"unsafe"
)

// A module holds one Inst a line of PTX: its size is worth a thought before it grows.
func TestSizes(t *testing.T) {
	if got := unsafe.Sizeof(Inst{}); got != 104 {
		t.Errorf("an Inst takes %d bytes", got)
	}
	if got := unsafe.Sizeof(Operand{}); got != 112 {
		t.Errorf("an Operand takes %d bytes", got)
	}
}

func TestAccessors(t *testing.T) {
	tests := []struct {
		word                            string
		space, source                   Space
		width                           int
		rounding, comparison, semantics Mod
		scope, operation                Mod
	}{
		{word: "ld.volatile.shared::cta.v2.f32", space: SpaceShared, source: SpaceShared, width: 2},
		{word: "ld.acquire.gpu.global.u32", space: SpaceGlobal, source: SpaceGlobal, width: 1, semantics: ModAcquire, scope: ModGPU},
		{word: "ld.u32", width: 1},
		{word: "st.global.v8.b32", space: SpaceGlobal, source: SpaceGlobal, width: 8},
		{word: "cp.async.ca.shared.global", space: SpaceShared, source: SpaceGlobal, width: 1},
		{word: "cp.async.bulk.global.shared::cta.bulk_group", space: SpaceGlobal, source: SpaceShared, width: 1},
		{word: "cvt.rzi.ftz.s32.f32", width: 1, rounding: ModRzi},
		{word: "fma.rn.f32", width: 1, rounding: ModRN},
		{word: "setp.geu.and.f32", width: 1, comparison: ModGeu, operation: ModAnd},
		{word: "atom.acq_rel.sys.global.cas.b32", space: SpaceGlobal, source: SpaceGlobal, width: 1, semantics: ModAcqRel, scope: ModSys, operation: ModCas},
		{word: "membar.gl", width: 1, scope: ModGPU},
		{word: "reduce.max.bf16", width: 1, operation: ModMax},
	}
	for _, test := range tests {
		op, mods, types, err := Split(test.word)
		if err != nil {
			t.Errorf("%s: %v", test.word, err)
			continue
		}
		in := &Inst{Op: op, Mods: mods, Types: types}
		if in.Space() != test.space || in.SourceSpace() != test.source {
			t.Errorf("%s: spaces %s and %s, want %s and %s", test.word, in.Space(), in.SourceSpace(), test.space, test.source)
		}
		if got := in.VectorWidth(); got != test.width {
			t.Errorf("%s: width %d, want %d", test.word, got, test.width)
		}
		for _, m := range []struct {
			what      string
			got, want Mod
		}{
			{"rounding", in.Rounding(), test.rounding}, {"comparison", in.Comparison(), test.comparison}, {"semantics", in.Semantics(), test.semantics},
			{"scope", in.Scope(), test.scope}, {"operation", in.Operation(), test.operation},
		} {
			if m.got != m.want {
				t.Errorf("%s: %s %s, want %s", test.word, m.what, m.got, m.want)
			}
		}
	}
}

// Fragment sizes: the tables of the PTX ISA, "Matrix Fragments" of each shape.
func TestFragment(t *testing.T) {
	tests := []struct {
		word  string
		which byte
		count int
		typ   Type
	}{
		{"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 'A', 4, BF16x2},
		{"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 'B', 2, BF16x2},
		{"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 'D', 4, F32},
		{"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 'C', 2, F16x2},
		{"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 'A', 2, F16x2},
		{"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 'C', 8, F32},
		{"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 'C', 2, F64},
		{"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 'A', 4, TF32},
		{"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 'A', 4, B32},
		{"mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32", 'B', 2, B32},
		{"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", 'A', 4, B32},
		{"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32", 'A', 4, B32},
		{"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 'A', 4, F16x2},
		{"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 'B', 4, F16x2},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", 'A', 8, B32},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", 'C', 4, F16x2},
		{"wmma.load.b.sync.aligned.col.m8n32k16.s8", 'B', 4, B32},
		{"wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", 'D', 64, F32},
		{"wgmma.mma_async.sync.aligned.m64n128k16.f16.f16.f16", 'D', 32, F16x2},
		{"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8", 'A', 4, B32},
		{"ldmatrix.sync.aligned.m8n8.x4.shared.b16", 'R', 4, B32},
		{"ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8", 'R', 4, B32},
		{"tcgen05.ld.sync.aligned.16x256b.x4.b32", 'R', 16, B32},
	}
	for _, test := range tests {
		op, mods, types, err := Split(test.word)
		if err != nil {
			t.Errorf("%s: %v", test.word, err)
			continue
		}
		n, typ := fragment(&Inst{Op: op, Mods: mods, Types: types}, test.which)
		if n != test.count || typ != test.typ {
			t.Errorf("%s, %c: %d of .%s, want %d of .%s", test.word, test.which, n, typ, test.count, test.typ)
		}
	}
}

// Spelling gives back an instruction's word.
func TestSpelling(t *testing.T) {
	for _, word := range []string{"ld.global.nc.v4.f32", "tcgen05.wait::ld.sync.aligned", "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "exit", "sync.nvlink"} {
		op, mods, types, err := Split(word)
		if err != nil {
			t.Errorf("%s: %v", word, err)
			continue
		}
		if got := (&Inst{Op: op, Mods: mods, Types: types}).Spelling(); got != word {
			t.Errorf("%s is spelled %s", word, got)
		}
	}
}
