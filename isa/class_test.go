package isa

import "testing"

// The classes that the latency figures were measured for.
func TestClassOf(t *testing.T) {
	tests := []struct {
		word string
		want Class
	}{
		{"add.s32", ClassInt}, {"sub.u32", ClassInt}, {"mul.lo.s32", ClassInt}, {"mad.lo.u32", ClassInt}, {"mul.wide.s32", ClassInt},
		{"mul.hi.u32", ClassIntMulHigh}, {"mad.hi.s32", ClassIntMulHigh},
		{"add.s64", ClassInt64}, {"sub.u64", ClassInt64}, {"mul.lo.s64", ClassInt64Mul},
		{"and.b32", ClassInt}, {"xor.b32", ClassInt}, {"not.b32", ClassInt}, {"lop3.b32", ClassInt}, {"and.b64", ClassInt64},
		{"shl.b32", ClassInt}, {"shr.u32", ClassInt}, {"shf.l.wrap.b32", ClassInt}, {"prmt.b32", ClassInt},
		{"bfe.u32", ClassBitField}, {"bfi.b32", ClassBitField},
		{"popc.b32", ClassBitCount}, {"brev.b32", ClassBitCount}, {"clz.b32", ClassBitCount}, {"bfind.u32", ClassBitCount},
		{"setp.lt.s32", ClassCompare}, {"setp.eq.f32", ClassCompare}, {"and.pred", ClassCompare},
		{"selp.b32", ClassInt}, {"slct.s32.s32", ClassInt}, {"min.s32", ClassInt}, {"max.u32", ClassInt}, {"min.f32", ClassFloat32},
		{"mov.u32", ClassMove}, {"cvta.to.global.u64", ClassMove}, {"ld.param.u64", ClassMove},
		{"add.f32", ClassFloat32}, {"fma.rn.f32", ClassFloat32}, {"mul.rn.ftz.f32", ClassFloat32},
		{"add.f16x2", ClassFloat16}, {"fma.rn.bf16x2", ClassFloat16}, {"fma.rn.f64", ClassFloat64}, {"add.f64", ClassFloat64},
		{"div.s32", ClassIntDiv}, {"rem.u32", ClassIntDiv}, {"div.u64", ClassInt64Div}, {"div.rn.f32", ClassDiv32}, {"div.rn.f64", ClassDiv64},
		{"rcp.rn.f32", ClassRoot32}, {"sqrt.rn.f32", ClassRoot32}, {"rcp.approx.ftz.f32", ClassApprox}, {"div.approx.f32", ClassApprox},
		{"rsqrt.approx.f32", ClassApprox}, {"ex2.approx.f32", ClassApprox}, {"lg2.approx.f32", ClassApprox}, {"sin.approx.f32", ClassApprox}, {"tanh.approx.f32", ClassApprox},
		{"cvt.rn.f32.s32", ClassConvert}, {"cvt.rzi.s32.f32", ClassConvert}, {"cvt.f64.f32", ClassConvert}, {"cvt.s64.s32", ClassInt},
		{"cvt.f32.f16", ClassConvertHalf}, {"cvt.f32.bf16", ClassConvertHalf},
		{"cvt.rn.f16x2.e4m3x2", ClassConvertFP8}, {"cvt.rn.satfinite.e4m3x2.f32", ClassConvertFP8},
		{"bra.uni", ClassBranch}, {"brx.idx", ClassBranch}, {"bar.sync", ClassBarrier}, {"barrier.cta.sync.aligned", ClassBarrier}, {"bar.warp.sync", ClassWarpBarrier},
		{"shfl.sync.bfly.b32", ClassShuffle}, {"vote.sync.ballot.b32", ClassVote}, {"match.any.sync.b32", ClassMatch}, {"redux.sync.add.u32", ClassRedux},
		{"ld.shared.f32", ClassLoadShared}, {"ld.shared::cta.u32", ClassLoadShared}, {"st.shared.v4.b32", ClassStoreShared}, {"atom.shared.add.u32", ClassAtomShared},
		{"ld.global.v4.f32", ClassLoadGlobal}, {"ld.u32", ClassLoadGlobal}, {"st.global.u32", ClassStoreGlobal}, {"atom.global.add.u32", ClassAtomGlobal}, {"red.global.add.u32", ClassAtomGlobal},
		{"ld.const.u32", ClassLoadConst}, {"ld.local.u32", ClassLoadLocal}, {"st.local.u32", ClassLoadLocal},
		{"fence.acq_rel.cta", ClassFenceCTA}, {"membar.cta", ClassFenceCTA}, {"fence.acq_rel.gpu", ClassFenceGPU}, {"membar.gl", ClassFenceGPU},
		{"fence.sc.sys", ClassFenceSys}, {"membar.sys", ClassFenceSys},
		{"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", ClassMMA},
		{"vadd.u32.u32.u32", ClassVideo}, {"vset4.u32.u32.eq", ClassVideo},
		{"sync.nvlink", ClassMove}, {"copy.nvlink.b16", ClassMove}, {"reduce.add.bf16", ClassMove}, {"unblock.tc", ClassMove},
	}
	for _, test := range tests {
		op, mods, types, err := Split(test.word)
		if err != nil {
			t.Errorf("%s: %v", test.word, err)
			continue
		}
		if got := ClassOf(&Inst{Op: op, Mods: mods, Types: types}); got != test.want {
			t.Errorf("%s: class %s, want %s", test.word, got, test.want)
		}
	}
}

func TestUnitOf(t *testing.T) {
	for word, want := range map[string]Unit{"add.s32": UnitALU, "add.f32": UnitFMA, "add.f64": UnitFP64, "fma.rn.bf16x2": UnitFMA, "div.rn.f64": UnitFP64,
		"ex2.approx.f32": UnitXU, "ld.global.u32": UnitLSU, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32": UnitTensor, "bra": UnitBranch, "reduce.add.bf16": UnitNVLink} {
		op, mods, types, err := Split(word)
		if err != nil {
			t.Errorf("%s: %v", word, err)
			continue
		}
		if got := UnitOf(&Inst{Op: op, Mods: mods, Types: types}); got != want {
			t.Errorf("%s: unit %s, want %s", word, got, want)
		}
	}
}
