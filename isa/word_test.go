package isa

import (
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		word  string
		op    Opcode
		mods  []Mod
		types []Type
	}{
		{"add.rn.ftz.f32", OpAdd, []Mod{ModRN, ModFTZ}, []Type{F32}},
		{"add.f32.ftz.rn", OpAdd, []Mod{ModFTZ, ModRN}, []Type{F32}},
		{"mul.wide.u16", OpMul, []Mod{ModWide}, []Type{U16}},
		{"ld.global.nc.L1::no_allocate.v4.u32", OpLd, []Mod{ModGlobal, ModNc, ModL1NoAllocate, ModV4}, []Type{U32}},
		{"shfl.sync.idx.b32", OpShfl, []Mod{ModSync, ModIdx}, []Type{B32}},
		{"shfl.idx.sync.b32", OpShfl, []Mod{ModIdx, ModSync}, []Type{B32}},
		{"vote.any.sync.pred", OpVote, []Mod{ModAny, ModSync}, []Type{Pred}},
		{"redux.add.sync.u32", OpRedux, []Mod{ModAdd, ModSync}, []Type{U32}},
		{"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes", OpCPAsyncBulkTensor,
			[]Mod{Mod_2d, ModSharedCluster, ModGlobal, ModMbarrierCompleteTxBytes}, nil},
		{"tcgen05.wait::ld.sync.aligned", OpTcgen05Wait, []Mod{ModWaitLd, ModSync, ModAligned}, nil},
		{"tcgen05.fence::before_thread_sync", OpTcgen05Fence, []Mod{ModBeforeThreadSync}, nil},
		{"mma.sp::ordered_metadata.sync", OpMmaSp, []Mod{ModSpOrderedMetadata, ModSync}, nil},
		{"tcgen05.mma.kind::i8.sp", OpTcgen05MmaSp, []Mod{ModKindI8}, nil},
		{"setp.eq.f16.f32", OpSetp, []Mod{ModEq}, []Type{F16, F32}},
		{"bar.warp.sync", OpBarWarpSync, nil, nil},
		{"bar.sync", OpBar, []Mod{ModSync}, nil},
		{"reduce.add.bf16", OpReduce, []Mod{ModAdd}, []Type{BF16}},
		{"copy.nvlink.b16", OpCopyNVLink, nil, []Type{B16}},
		{"unblock.tc", OpUnblockTC, nil, nil},
	}
	for _, test := range tests {
		op, mods, types, err := Split(test.word)
		if err != nil {
			t.Errorf("%s: %v", test.word, err)
			continue
		}
		if op != test.op {
			t.Errorf("%s: opcode %s, want %s", test.word, op, test.op)
		}
		if !slices.Equal(mods, test.mods) {
			t.Errorf("%s: modifiers %v, want %v", test.word, mods, test.mods)
		}
		if !slices.Equal(types, test.types) {
			t.Errorf("%s: types %v, want %v", test.word, types, test.types)
		}
	}
}

func TestSplitErrors(t *testing.T) {
	tests := []struct{ word, part, hint string }{
		{"ad.s32", "ad", "did you mean `add`?"},
		{"cp.asinc.bulk", "cp.asinc", "did you mean `cp.async`?"},
		{"add.f23", ".f23", "did you mean `.f32`?"},
		{"ld.gobal.u32", ".gobal", "did you mean `.global`?"},
		{"add.", ".", ""},
		{"add..f32", ".", ""},
		{"", "", ""},
		{"Add.f32", "Add", "did you mean `add`?"},
		{"tcgen05.wait::xx", "::xx", ""},
		{"qqqqqqqqqqqq", "qqqqqqqqqqqq", ""},
	}
	for _, test := range tests {
		_, _, _, err := Split(test.word)
		if err == nil {
			t.Errorf("%q: no error", test.word)
			continue
		}
		if got := test.word[err.Start:err.End]; got != test.part {
			t.Errorf("%q: error at %q, want %q", test.word, got, test.part)
		}
		if test.hint != "" && err.Hint != test.hint {
			t.Errorf("%q: hint %q, want %q", test.word, err.Hint, test.hint)
		}
	}
}
