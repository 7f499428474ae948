package isa

// targetVersions lists the targets by the PTX version that introduced them (PTX ISA, "Release Notes"; the edges as
// the assembler has them).
var targetVersions = []struct {
	version Version
	targets string
}{
	{Version{1, 0}, "10 11"}, {Version{1, 2}, "12 13"}, {Version{2, 0}, "20 21"}, {Version{3, 0}, "30"}, {Version{3, 1}, "35"},
	{Version{4, 0}, "32 50"}, {Version{4, 1}, "37 52"}, {Version{4, 2}, "53"}, {Version{5, 0}, "60 61 62"}, {Version{5, 1}, "70"},
	{Version{6, 1}, "72"}, {Version{6, 2}, "82"}, {Version{6, 3}, "75"}, {Version{7, 0}, "80"}, {Version{7, 1}, "86"},
	{Version{7, 3}, "88"}, {Version{7, 4}, "87"}, {Version{7, 8}, "89 90"}, {Version{8, 0}, "90a"}, {Version{8, 6}, "100 100a 101 101a"},
	{Version{8, 7}, "120 120a"}, {Version{8, 8}, "103 103a 121 121a 100f 101f 103f 120f 121f"}, {Version{9, 0}, "110 110a 110f"},
}

// since says from which PTX version and target on an instruction exists. Its clauses are separated by semicolons; all
// that speak of an instruction must hold. A clause names words (see readSinceWords; | separates alternatives), then the
// version and the targets of which one must be met; `or` separates alternative minima. A clause without words speaks
// of all instructions of the opcode. The minima are those of PTX ISA 9.0, corrected where the assembler differs.
var since = [NumOpcodes]string{
	OpAdd:      "1.0; .ftz 1.4; .f64.rm|.f64.rp 1.2 sm_13; .f32.rm|.f32.rp 2.0 sm_20; .cc 1.2; .cc.s64|.cc.u64 4.3 sm_20; .f16|.f16x2 4.2 sm_53; .bf16|.bf16x2 7.8 sm_90; .u16x2|.s16x2 8.0 sm_90; .f32x2|.f32.f16|.f32.bf16 8.6 sm_100",
	OpSub:      "1.0; .ftz 1.4; .f64.rm|.f64.rp 1.2 sm_13; .f32.rm|.f32.rp 2.0 sm_20; .cc 1.3; .cc.s64|.cc.u64 4.3 sm_20; .f16|.f16x2 4.2 sm_53; .bf16|.bf16x2 7.8 sm_90; .f32x2|.f32.f16|.f32.bf16 8.6 sm_100",
	OpMul:      "1.0; .ftz 1.4; .f64.rm|.f64.rp 1.2 sm_13; .f32.rm|.f32.rp 2.0 sm_20; .f16|.f16x2 4.2 sm_53; .bf16|.bf16x2 7.8 sm_90; .f32x2 8.6 sm_100",
	OpMad:      "1.0; .ftz 1.4; .f64.rm|.f64.rp 1.2 sm_13; .f32.rn|.f32.rz|.f32.rm|.f32.rp 2.0 sm_20; .cc 3.0 sm_20; .cc.s64|.cc.u64 4.3 sm_20",
	OpMul24:    "1.0",
	OpMad24:    "1.0",
	OpSad:      "1.0",
	OpDiv:      "1.0; .f32 1.4; .f32.rn|.rz|.rm|.rp 2.0 sm_20",
	OpRem:      "1.0",
	OpAbs:      "1.0; .ftz 1.4; .f16|.f16x2 6.5 sm_53; .bf16|.bf16x2 7.0 sm_80",
	OpNeg:      "1.0; .ftz 1.4; .f16|.f16x2 5.1 sm_53; .bf16|.bf16x2 7.0 sm_80",
	OpMin:      "1.0; .ftz 1.4; .NaN|.f16|.f16x2|.bf16|.bf16x2 7.0 sm_80; .xorsign 7.2 sm_86; .relu|.u16x2|.s16x2 8.0 sm_90; /4 8.8 sm_100",
	OpMax:      "1.0; .ftz 1.4; .NaN|.f16|.f16x2|.bf16|.bf16x2 7.0 sm_80; .xorsign 7.2 sm_86; .relu|.u16x2|.s16x2 8.0 sm_90; /4 8.8 sm_100",
	OpPopc:     "2.0 sm_20",
	OpClz:      "2.0 sm_20",
	OpBfind:    "2.0 sm_20",
	OpFns:      "5.1 sm_30",
	OpBrev:     "2.0 sm_20",
	OpBfe:      "2.0 sm_20",
	OpBfi:      "2.0 sm_20",
	OpSzext:    "7.6 sm_70",
	OpBmsk:     "7.6 sm_70",
	OpDp4a:     "5.0 sm_61",
	OpDp2a:     "5.0 sm_61",
	OpAddc:     "1.2; .cc.s64|.cc.u64 4.3 sm_20",
	OpSubc:     "1.3; .cc.s64|.cc.u64 4.3 sm_20",
	OpMadc:     "3.0 sm_20; .cc.s64|.cc.u64 4.3 sm_20",
	OpTestp:    "2.0 sm_20",
	OpCopysign: "2.0 sm_20",
	OpFma:      "1.4; .f64.rm|.f64.rp 1.4 sm_13; .f32 2.0 sm_20; .f16|.f16x2 4.2 sm_53; .relu|.bf16|.bf16x2 7.0 sm_80; .oob 8.1 sm_90; .f32x2|.f32.f16|.f32.bf16 8.6 sm_100",
	OpRcp:      "1.4; .f32.rn|.rz|.rm|.rp 2.0 sm_20; .approx.f64 2.1 sm_20",
	OpSqrt:     "1.0; .f32 1.4; .f32.rn|.rz|.rm|.rp 2.0 sm_20",
	OpRsqrt:    "1.4; .ftz.f64 4.0 sm_20",
	OpSin:      "1.4",
	OpCos:      "1.4",
	OpLg2:      "1.4",
	OpEx2:      "1.4; .f16|.f16x2 7.0 sm_75; .bf16|.bf16x2 7.8 sm_90",
	OpTanh:     "7.0 sm_75; .bf16|.bf16x2 7.8 sm_90",

	OpSet:  "1.0; .ftz 1.4; .f16|.f16x2 4.2 sm_53; @1.f16!@0.f16!@0.bf16|@1.f16x2!@0.f16x2 6.5 sm_53; .bf16|.bf16x2 7.8 sm_90",
	OpSetp: "1.0; .ftz 1.4; .f16|.f16x2 4.2 sm_53; .bf16|.bf16x2 7.8 sm_90",
	OpSelp: "1.0",
	OpSlct: "1.0; .ftz 1.4",
	OpAnd:  "1.0",
	OpOr:   "1.0",
	OpXor:  "1.0",
	OpNot:  "1.0",
	OpCnot: "1.0",
	OpLop3: "4.3 sm_50; .and|.or 8.2 sm_70",
	OpShf:  "3.1 sm_32",
	OpShl:  "1.0",
	OpShr:  "1.0",

	OpMov:  "1.0; .b128 8.3 sm_70",
	OpShfl: "3.0 sm_30; .sync 5.1 sm_30",
	OpPrmt: "2.0 sm_20",
	OpLd: "1.0; .volatile 1.1; .param 1.4; generic|.ca|.cg|.cs|.lu|.cv 2.0 sm_20; .nc 3.1 sm_32; .weak|.relaxed|.acquire 5.1 sm_70; " +
		".L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate 7.4 sm_70; .L2::64B|.L2::128B 7.4 sm_75; " +
		".L2::256B|.L2::cache_hint 7.4 sm_80; .shared::cta 7.8; .cluster|.shared::cluster 7.8 sm_90; .mmio 8.2 sm_70; .param::entry|.param::func 8.3; .b128 8.3 sm_70; .b128.sys 8.4 sm_70; " + wideVectors,
	OpLdu: "2.0 sm_20; .b128 8.3 sm_70",
	OpSt: "1.0; .volatile 1.1; generic|.wb|.cg|.cs|.wt|.param 2.0 sm_20; .weak|.relaxed|.release 5.1 sm_70; " +
		".L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate 7.4 sm_70; .L2::cache_hint 7.4 sm_80; " +
		".shared::cta 7.8; .cluster|.shared::cluster 7.8 sm_90; .mmio 8.2 sm_70; .param::func 8.3; .b128 8.3 sm_70; .b128.sys 8.4 sm_70; " + wideVectors,
	OpStAsync:          "8.1 sm_90; .release 8.7 sm_100",
	OpStBulk:           "8.6 sm_100",
	OpMultimemLdReduce: "8.1 sm_90; .acc::f32 8.2 sm_90; .e4m3|.e5m2|.e4m3x4|.e5m2x4|.acc::f16 8.6 sm_100f sm_120a sm_121a",
	OpMultimemSt:       "8.1 sm_90; .e4m3|.e5m2|.e4m3x4|.e5m2x4 8.6 sm_100f sm_120a sm_121a",
	OpMultimemRed:      "8.1 sm_90",
	OpPrefetch:         "2.0 sm_20; .L2::evict_last|.L2::evict_normal 7.4 sm_80; .tensormap 8.0 sm_90",
	OpPrefetchu:        "2.0 sm_20",
	OpApplypriority:    "7.4 sm_80",
	OpDiscard:          "7.4 sm_80",
	OpCreatepolicy:     "7.4 sm_80",
	OpIsspacep:         "2.0 sm_20; .const 3.1 sm_20; .param 7.7 sm_70; .shared::cta 7.8 sm_20; .shared::cluster 7.8 sm_90; .param::entry 8.3 sm_70",
	OpCvta:             "2.0 sm_20; .const 3.1 sm_20; .param 7.7 sm_70; .shared::cta 7.8 sm_20; .shared::cluster 7.8 sm_90; .param::entry 8.3 sm_70",
	OpCvt: "1.0; .ftz 1.4; .ftz.s64|.ftz.u64 1.5; .relu|/3|@0.bf16 7.0 sm_80; .tf32 7.0 sm_80; @1.bf16 7.1 sm_80; .tf32.rn|.tf32.rz 7.8 sm_90; " +
		".bf16.f16|.bf16.f64|.bf16.u8|.bf16.u16|.bf16.u32|.bf16.u64|.bf16.s8|.bf16.s16|.bf16.s32|.bf16.s64|@1.bf16.ftz 7.8 sm_90; .satfinite!.e4m3x2!.e5m2x2 8.1 sm_70; " +
		".e4m3x2|.e5m2x2 7.8 sm_90 or 8.1 sm_89; .satfinite.tf32.rn|.satfinite.tf32.rz 8.6 sm_100; .e2m1x2|.e2m3x2|.e3m2x2|.ue8m0x2 8.6 sm_100f sm_120f; .rs 8.7 sm_100a sm_103a",
	OpCvtPack:    "6.5 sm_72; .u2|.s2|.u4|.s4 6.5 sm_75",
	OpMapa:       "7.8 sm_90",
	OpGetctarank: "7.8 sm_90",

	OpCPAsync:                   "7.0 sm_80; .L2::64B|.L2::128B|.L2::256B|.L2::cache_hint 7.4 sm_80",
	OpCPAsyncCommitGroup:        "7.0 sm_80",
	OpCPAsyncWaitGroup:          "7.0 sm_80",
	OpCPAsyncWaitAll:            "7.0 sm_80",
	OpCPAsyncBulk:               "8.0 sm_90; .global.shared::cta.mbarrier::complete_tx::bytes 8.6 sm_90; .cp_mask 8.6 sm_100",
	OpCPReduceAsyncBulk:         "8.0 sm_90",
	OpCPAsyncBulkPrefetch:       "8.0 sm_90",
	OpCPAsyncBulkTensor:         "8.0 sm_90; .shared::cta.mbarrier::complete_tx::bytes 8.6 sm_90; .cta_group::1|.cta_group::2|.im2col::w|.im2col::w::128|.tile::gather4|.tile::scatter4 8.6 sm_100f",
	OpCPReduceAsyncBulkTensor:   "8.0 sm_90",
	OpCPAsyncBulkPrefetchTensor: "8.0 sm_90; .im2col::w|.im2col::w::128|.tile::gather4 8.6 sm_100f",
	OpCPAsyncBulkCommitGroup:    "8.0 sm_90",
	OpCPAsyncBulkWaitGroup:      "8.0 sm_90",
	OpTensormapReplace:          "8.3 sm_90a sm_100f sm_120f; .swizzle_atomicity 8.6 sm_100f sm_120f",

	OpTex:     "1.5; .a1d|.a2d 2.3; .cube 3.0; .acube 3.0 sm_20; .base|/3|/4 3.1 sm_20; .2dms|.a2dms 3.2 sm_30; .v2 4.2 sm_53; .grad.cube|.grad.acube 4.3 sm_20",
	OpTld4:    "2.2 sm_20; .a2d|.cube|.acube 4.3 sm_30",
	OpTxq:     "1.5; .channel_data_type|.channel_order 2.1; .force_unnormalized_coords 2.2; .array_size 4.1 sm_30; .num_samples|.num_mipmap_levels 4.1 sm_30; .level 4.3 sm_30",
	OpIstypep: "4.0 sm_30",
	OpSuld:    "2.0 sm_20; .3d|.a1d|.a2d 3.0 sm_20",
	OpSust:    "1.5; .clamp|.zero 2.0; .p|.b16|.b32|.b64|.wb|.cg|.cs|.wt 2.0 sm_20; .3d|.a1d|.a2d 3.0 sm_20",
	OpSured:   "2.0 sm_20; .3d 3.0 sm_20; .min.u64|.min.s64|.max.u64|.max.s64 8.1 sm_50",
	OpSuq:     "1.5; .channel_data_type|.channel_order 2.1; .array_size 4.1; .memory_layout 4.2",

	OpBrxIdx: "5.1 sm_30",
	OpBra:    "1.0",
	OpCall:   "1.0",
	OpRet:    "1.0",
	OpExit:   "1.0",

	OpBar:                  "1.0; .arrive|.red|/2|/3|/4 2.0 sm_20; .cta 7.8",
	OpBarrier:              "5.1 sm_30; .cta 7.8 sm_30",
	OpBarWarpSync:          "5.1 sm_30",
	OpBarrierClusterArrive: "7.8 sm_90; .release|.relaxed 8.0 sm_90",
	OpBarrierClusterWait:   "7.8 sm_90; .acquire 8.0 sm_90",
	OpMembar:               "1.4; .sys 2.0 sm_20; .proxy 7.5 sm_60",
	OpFence:                "5.1 sm_70; .proxy 7.5 sm_70; .cluster 7.8 sm_90; .async|.mbarrier_init 8.0 sm_90; .tensormap::generic 8.3 sm_90; .async::generic 8.6 sm_90; .sync_restrict::shared::cluster|.sync_restrict::shared::cta 8.6 sm_90",
	OpAtom: "1.0 sm_11; .shared|.b64|.u64 1.2 sm_12; generic|.shared.b64|.shared.u64|.f32 2.0 sm_20; " + wideAtomics +
		"; .cta|.gpu|.sys|.f64 5.0 sm_60; .relaxed|.acquire|.release|.acq_rel 5.1 sm_70; .f16x2 6.2 sm_60; .f16|.b16 6.3 sm_70; .L2::cache_hint 7.4 sm_80; .shared::cta 7.8; .cluster|.shared::cluster|.bf16|.bf16x2 7.8 sm_90; .v2|.v4|.v8 8.1 sm_90; .b128 8.3 sm_90; .b128.sys 8.4 sm_90",
	OpRed: "1.2 sm_12; generic|.shared.b64|.shared.u64|.f32 2.0 sm_20; " + wideAtomics +
		"; .cta|.gpu|.sys|.f64 5.0 sm_60; .relaxed|.release 5.1 sm_70; .f16x2 6.2 sm_60; .f16 6.3 sm_70; .L2::cache_hint 7.4 sm_80; .shared::cta 7.8; .cluster|.shared::cluster|.bf16|.bf16x2 7.8 sm_90; .v2|.v4|.v8 8.1 sm_90",
	OpRedAsync:       "8.1 sm_90; .release 8.7 sm_100",
	OpVote:           "1.2 sm_12; .ballot 2.0 sm_20; .sync 5.1 sm_30",
	OpMatch:          "5.1 sm_70",
	OpActivemask:     "6.2 sm_30",
	OpRedux:          "7.0 sm_80; .f32 8.6 sm_100a sm_103a =sm_100f =sm_103f",
	OpGriddepcontrol: "7.8 sm_90",
	OpElect:          "8.0 sm_90",

	OpMbarrierInit:                    "7.0 sm_80; .shared::cta 7.8 sm_80",
	OpMbarrierInval:                   "7.0 sm_80; .shared::cta 7.8 sm_80",
	OpMbarrierExpectTx:                "8.0 sm_90",
	OpMbarrierCompleteTx:              "8.0 sm_90",
	OpMbarrierArrive:                  "7.0 sm_80; .shared::cta 7.8 sm_80; .release 8.0 sm_80; .expect_tx|.cluster|.shared::cluster 8.0 sm_90; .relaxed 8.6 sm_90",
	OpMbarrierArriveDrop:              "7.0 sm_80; .shared::cta 7.8 sm_80; .release 8.0 sm_80; .expect_tx|.cluster|.shared::cluster 8.0 sm_90; .relaxed 8.6 sm_90",
	OpCPAsyncMbarrierArrive:           "7.0 sm_80; .shared::cta 7.8 sm_80",
	OpMbarrierTestWait:                "7.0 sm_80; .parity 7.1 sm_80; .shared::cta 7.8 sm_80; .acquire 8.0 sm_80; .cluster 8.0 sm_90; .relaxed 8.6 sm_90",
	OpMbarrierTryWait:                 "7.8 sm_90; .acquire 8.0 sm_90; .relaxed 8.6 sm_90",
	OpMbarrierPendingCount:            "7.0 sm_80",
	OpTensormapCPFenceproxy:           "8.3 sm_90",
	OpClusterlaunchcontrolTryCancel:   "8.6 sm_100; .multicast::cluster::all 8.6 sm_100f sm_120f",
	OpClusterlaunchcontrolQueryCancel: "8.6 sm_100",

	OpWmmaLoad:  "6.3 sm_70; " + wmmaSince,
	OpWmmaStore: "6.3 sm_70; " + wmmaSince,
	OpWmmaMma:   "6.3 sm_70; " + wmmaSince,
	OpMma: "6.4 sm_70; .s32|.m16n8k8 6.5 sm_75; .b1 7.0 sm_75; .m16n8k4|.m16n8k16|.m16n8k32|.m16n8k64|.m16n8k128|.m16n8k256|.bf16|.tf32|.f64 7.0 sm_80; .b1.and 7.1 sm_80; " +
		".f64.m16n8k4|.f64.m16n8k8|.f64.m16n8k16 7.8 sm_90; .e4m3|.e5m2 8.4 sm_89; .kind::f8f6f4 8.6 sm_100f sm_120f; " + fp8Since + "|.block_scale 8.7 sm_120f; " +
		".e4m3.m16n8k16|.e5m2.m16n8k16|.f16.m16n8k32 8.7 sm_89",
	OpMmaSp: "7.1 sm_80; .e4m3|.e5m2 8.4 sm_89; ::ordered_metadata 8.5 sm_80; .kind::f8f6f4 8.6 sm_100f sm_120f; " + fp8Since + "|.block_scale|.f16.m16n8k64 8.7 sm_120f; " +
		".kind::mxf4|.kind::mxf4nvf4 8.7 sm_120a sm_121a",
	OpLdmatrix:  "6.5 sm_75; .shared::cta 7.8 sm_75; .m16n16|.m8n16 8.6 sm_100f sm_120f",
	OpStmatrix:  "7.8 sm_90; .b8 8.6 sm_100f sm_120f",
	OpMovmatrix: "7.8 sm_75",

	OpWgmmaMmaAsync:    "8.0 sm_90a; .s8.u8 8.4 sm_90a",
	OpWgmmaMmaAsyncSp:  "8.2 sm_90a; .s8.u8 8.4 sm_90a",
	OpWgmmaFence:       "8.0 sm_90a",
	OpWgmmaCommitGroup: "8.0 sm_90a",
	OpWgmmaWaitGroup:   "8.0 sm_90a",

	OpTcgen05Alloc:                 "8.6 sm_100f",
	OpTcgen05Dealloc:               "8.6 sm_100f",
	OpTcgen05RelinquishAllocPermit: "8.6 sm_100f",
	OpTcgen05Ld:                    "8.6 sm_100f; .red 8.8 sm_103f",
	OpTcgen05St:                    "8.6 sm_100f",
	OpTcgen05Wait:                  "8.6 sm_100f",
	OpTcgen05CP:                    "8.6 sm_100f",
	OpTcgen05Shift:                 "8.6 sm_100a sm_103a sm_110a",
	OpTcgen05Mma:                   "8.6 sm_100f; " + tcgen05Since,
	OpTcgen05MmaSp:                 "8.6 sm_100f; .kind::mxf4|.kind::mxf4nvf4 8.6 sm_100a sm_103a sm_110a; " + tcgen05Since,
	OpTcgen05MmaWs:                 "8.6 sm_100f; .kind::i8 8.6 sm_100a sm_110a",
	OpTcgen05MmaWsSp:               "8.6 sm_100f; .kind::i8 8.6 sm_100a sm_110a",
	OpTcgen05Fence:                 "8.6 sm_100f",
	OpTcgen05Commit:                "8.6 sm_100f",

	OpStacksave:    "7.3 sm_52",
	OpStackrestore: "7.3 sm_52",
	OpAlloca:       "7.3 sm_52",

	OpVadd: "2.0 sm_20", OpVsub: "2.0 sm_20", OpVabsdiff: "2.0 sm_20", OpVmin: "2.0 sm_20", OpVmax: "2.0 sm_20",
	OpVshl: "2.0 sm_20", OpVshr: "2.0 sm_20", OpVmad: "2.0 sm_20", OpVset: "2.0 sm_20",
	OpVadd2: "3.0 sm_30", OpVsub2: "3.0 sm_30", OpVavrg2: "3.0 sm_30", OpVabsdiff2: "3.0 sm_30", OpVmin2: "3.0 sm_30", OpVmax2: "3.0 sm_30", OpVset2: "3.0 sm_30",
	OpVadd4: "3.0 sm_30", OpVsub4: "3.0 sm_30", OpVavrg4: "3.0 sm_30", OpVabsdiff4: "3.0 sm_30", OpVmin4: "3.0 sm_30", OpVmax4: "3.0 sm_30", OpVset4: "3.0 sm_30",

	OpBrkpt:      "1.0 sm_11",
	OpNanosleep:  "6.2 sm_70",
	OpPmevent:    "1.4; .mask 3.0 sm_20",
	OpTrap:       "1.0",
	OpSetmaxnreg: "8.0 sm_90a sm_100f sm_120f",
}

const (
	wideVectors = ".v8|.v4.b64|.v4.u64|.v4.s64|.v4.f64|.L2::evict_first|.L2::evict_last|.L2::evict_normal 8.8 sm_100"
	wideAtomics = ".and.b64|.or.b64|.xor.b64|.min.u64|.max.u64|.min.s64|.max.s64 3.1 sm_32"
	wmmaSince   = ".s8|.u8|.s32 6.3 sm_72; .m8n8k32|.m8n8k128 6.3 sm_75; .bf16|.tf32|.m16n16k8|.f64 7.0 sm_80; .b1.and 7.1 sm_80; .shared::cta 7.8 sm_70"
	fp8Since    = ".e3m2|.e2m3|.e2m1"
	// tcgen05.mma with an explicit scale vector is for single chips; with a block size or the default, for the family.
	tcgen05Since = ".kind::i8 8.6 sm_100a sm_110a; .kind::mxf4nvf4 8.7; .scale_vec::1X|.scale_vec::2X|.scale_vec::4X 8.6 sm_100a sm_103a sm_110a; " +
		".block_scale!.scale_vec::1X!.scale_vec::2X!.scale_vec::4X 8.8 sm_100f"
)
