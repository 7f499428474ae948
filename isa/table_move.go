package isa

const chapterMove = "Data Movement and Conversion Instructions"

// loadTypes are the types of ld, ldu, st and their kin: no 16-bit floats, no packed ones.
const loadTypes = "type=b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64, vec=v2 v4 v8"

var moveRows = []Row{
	{
		Op: OpMov, Meaning: "d = a", Unit: UnitALU, Wait: WaitALU, Chapter: chapterMove,
		Forms: []Form{
			{Syntax: "mov.type d, a", With: "type=pred b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", Args: "=0 m0"},
			{Syntax: "mov.u32 d, fname", Args: "=0 m0"},
			{Syntax: "mov.u64 d, fname", Args: "=0 m0"},
			{Syntax: "mov.u32 d, kernel", Args: "=0 m0"},
			{Syntax: "mov.u64 d, kernel", Args: "=0 m0"},
			{Syntax: "mov.type d, a", With: "type=b16 b32 b64 b128", Args: "pack pack", Rule: packMatches},
			{Syntax: "mov{.vec}.type d, a", With: "vec=v2 v4, type=b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", Args: "=V0 V0", Rule: needsVector},
		},
	},
	{
		Op: OpShfl, Meaning: "d = a of the lane that mode, b and c name; p = that lane is in range", Unit: UnitLSU, Wait: WaitALU, Chapter: chapterMove,
		With: "mode=up down bfly idx",
		Forms: []Form{
			{Syntax: "shfl.mode.b32 d{|p}, a, b, c", Args: "=0|p_? 0 i i", Rule: withoutSync},
			{Syntax: "shfl.sync.mode.b32 d{|p}, a, b, c, membermask", Args: "=0|p_? 0 i i i"},
		},
	},
	{
		Op: OpPrmt, Meaning: "d = four bytes of b:a, picked by the nibbles of c", Unit: UnitALU, Wait: WaitALU, Chapter: chapterMove,
		Forms: []Form{{Syntax: "prmt.b32{.mode} d, a, b, c", With: "mode=f4e b4e rc8 ecl ecr rc16"}},
	},
	{
		Op: OpLd, Meaning: "d = memory[a]", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		With: loadTypes + ", ss=const global local param param::entry param::func shared shared::cta shared::cluster, cop=ca cg cs lu cv, scope=cta cluster gpu sys",
		Rule: loadStoreRule,
		Forms: []Form{
			{Syntax: "ld{.weak}{.ss}{.cop}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{.unified}{, cache-policy}", Args: "=~V0 [] b64@L2::cache_hint"},
			{Syntax: "ld{.weak}{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{.unified}{, cache-policy}", Args: "=~V0 [] b64@L2::cache_hint"},
			{Syntax: "ld.volatile{.ss}{.level::prefetch_size}{.vec}.type d, [a]", Args: "=~V0 []"},
			{Syntax: "ld.relaxed.scope{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache-policy}", Args: "=~V0 [] b64@L2::cache_hint"},
			{Syntax: "ld.acquire.scope{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache-policy}", Args: "=~V0 [] b64@L2::cache_hint"},
			{Syntax: "ld.mmio.relaxed.sys{.global}.type d, [a]", Args: "=~V0 []"},
			{Syntax: "ld.global{.cop}.nc{.level::cache_hint}{.level::prefetch_size}.type d, [a]{, cache-policy}", With: "cop=ca cg cs", Args: "=~V0 [] b64@L2::cache_hint"},
			{Syntax: "ld.global{.cop}.nc{.level::cache_hint}{.level::prefetch_size}.vec.type d, [a]{, cache-policy}", With: "cop=ca cg cs", Args: "=~V0 [] b64@L2::cache_hint"},
			{Syntax: "ld.global.nc{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.type d, [a]{, cache-policy}", Args: "=~V0 [] b64@L2::cache_hint"},
			{Syntax: "ld.global.nc{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec.type d, [a]{, cache-policy}", Args: "=~V0 [] b64@L2::cache_hint"},
		},
	},
	{
		Op: OpLdu, Meaning: "d = memory[a], the address equal over the warp", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		With: loadTypes + ", ss=global, vec=v2 v4", Rule: loadStoreRule,
		Forms: []Form{
			{Syntax: "ldu{.ss}.type d, [a]", Args: "=~V0 []"},
			{Syntax: "ldu{.ss}.vec.type d, [a]", Args: "=~V0 []"},
		},
	},
	{
		Op: OpSt, Meaning: "memory[a] = b", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		With: loadTypes + ", ss=global local param param::func shared shared::cta shared::cluster, cop=wb cg cs wt, scope=cta cluster gpu sys",
		Rule: loadStoreRule,
		Forms: []Form{
			{Syntax: "st{.weak}{.ss}{.cop}{.level::cache_hint}{.vec}.type [a], b{, cache-policy}", Args: "[] ~V0 b64@L2::cache_hint"},
			{Syntax: "st{.weak}{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.vec}.type [a], b{, cache-policy}", Args: "[] ~V0 b64@L2::cache_hint"},
			{Syntax: "st.volatile{.ss}{.vec}.type [a], b", Args: "[] ~V0"},
			{Syntax: "st.relaxed.scope{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.vec}.type [a], b{, cache-policy}", Args: "[] ~V0 b64@L2::cache_hint"},
			{Syntax: "st.release.scope{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.vec}.type [a], b{, cache-policy}", Args: "[] ~V0 b64@L2::cache_hint"},
			{Syntax: "st.mmio.relaxed.sys{.global}.type [a], b", Args: "[] ~V0"},
		},
	},
	{
		Op: OpStAsync, Meaning: "memory[a] = b, some time later; then mbar counts the bytes", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		With: "scope=gpu sys, sem=weak, ss=shared::cluster, vec=v2 v4, type=b32 b64 u32 u64 s32 s64 f32 f64",
		Forms: []Form{
			{Syntax: "st.async{.sem}{.scope}{.ss}{.completion_mechanism}{.vec}.type [a], b, [mbar]", With: "scope=cluster", Args: "[shared] V0 [shared]", Rule: vectorLimit},
			{Syntax: "st.async{.mmio}.sem.scope{.ss}.type [a], b", With: "sem=release, ss=global, type=b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64", Args: "[global] ~0"},
		},
	},
	{
		Op: OpStBulk, Meaning: "memory[a .. a+size] = 0", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{{Syntax: "st.bulk{.weak}{.shared::cta} [a], size, initval", Args: "[shared] u64 #(0)"}},
	},
	{
		Op: OpMultimemLdReduce, Meaning: "d = memory[a] of all cards, folded by op", Unit: UnitLSU, Wait: WaitRemote, Chapter: chapterMove,
		With: multimemWords, Rule: multimemRule,
		Forms: []Form{
			{Syntax: "multimem.ld_reduce{.ldsem}{.scope}{.ss}.op.type d, [a]", With: multimemIntegers, Args: "=0 [global]"},
			{Syntax: "multimem.ld_reduce.weak{.ss}.op.type d, [a]", With: multimemIntegers, Args: "=0 [global]"},
			{Syntax: "multimem.ld_reduce{.ldsem}{.scope}{.ss}.op{.acc_prec}{.vec}.type d, [a]", Args: "=V0 [global]"},
			{Syntax: "multimem.ld_reduce.weak{.ss}.op{.acc_prec}{.vec}.type d, [a]", Args: "=V0 [global]"},
		},
	},
	{
		Op: OpMultimemSt, Meaning: "memory[a] of all cards = b", Unit: UnitLSU, Wait: WaitRemote, Chapter: chapterMove,
		With: multimemWords, Rule: multimemRule,
		Forms: []Form{
			{Syntax: "multimem.st{.stsem}{.scope}{.ss}.type [a], b", With: "type=b32 b64 u32 u64 s32 s64", Args: "[global] 0"},
			{Syntax: "multimem.st.weak{.ss}.type [a], b", With: "type=b32 b64 u32 u64 s32 s64", Args: "[global] 0"},
			{Syntax: "multimem.st{.stsem}{.scope}{.ss}{.vec}.type [a], b", Args: "[global] V0"},
			{Syntax: "multimem.st.weak{.ss}{.vec}.type [a], b", Args: "[global] V0"},
		},
	},
	{
		Op: OpMultimemRed, Meaning: "memory[a] of all cards = memory[a] op b", Unit: UnitLSU, Wait: WaitRemote, Chapter: chapterMove,
		With: multimemWords, Rule: multimemRule,
		Forms: []Form{
			{Syntax: "multimem.red{.redsem}{.scope}{.ss}.op.type [a], b", With: multimemIntegers, Args: "[global] 0"},
			{Syntax: "multimem.red{.redsem}{.scope}{.ss}.redop{.vec}.redtype [a], b", With: "redop=add, redtype=f16 f16x2 bf16 bf16x2 f32 f64", Args: "[global] V0"},
		},
	},
	{
		Op: OpPrefetch, Meaning: "bring the cache line at a nearer", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{
			{Syntax: "prefetch{.space}.level [a]", With: "space=global local, level=L1 L2", Args: "[]"},
			{Syntax: "prefetch.global.level::eviction_priority [a]", With: "level::eviction_priority=L2::evict_last L2::evict_normal", Args: "[global]"},
			{Syntax: "prefetch.level::eviction_priority [a]", With: "level::eviction_priority=L2::evict_last L2::evict_normal", Args: "[global]"},
			{Syntax: "prefetch{.tensormap_space}.tensormap [a]", With: "tensormap_space=const param", Args: "[tensormap]"},
		},
	},
	{
		Op: OpPrefetchu, Meaning: "bring the uniform cache line at a nearer", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{{Syntax: "prefetchu.L1 [a]", Args: "[]"}},
	},
	{
		Op: OpApplypriority, Meaning: "the cache line at a gets the eviction priority", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{{Syntax: "applypriority{.global}.level::eviction_priority [a], size", With: "level::eviction_priority=L2::evict_normal", Args: "[global] #(128)"}},
	},
	{
		Op: OpDiscard, Meaning: "the cache line at a need not be written back", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{{Syntax: "discard{.global}.level [a], size", With: "level=L2", Args: "[global] #(128)"}},
	},
	{
		Op: OpCreatepolicy, Meaning: "cache-policy = a policy for the L2", Unit: UnitALU, Wait: WaitALU, Chapter: chapterMove,
		Lead: "range fractional cvt",
		With: "level::primary_priority=L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged, level::secondary_priority=L2::evict_first L2::evict_unchanged",
		Forms: []Form{
			{Syntax: "createpolicy.range{.global}.level::primary_priority{.level::secondary_priority}.b64 cache-policy, [a], primary-size, total-size", Args: "=0 [global] u32 u32"},
			{Syntax: "createpolicy.fractional.level::primary_priority{.level::secondary_priority}.b64 cache-policy{, fraction}", Args: "=0 f32?"},
			{Syntax: "createpolicy.cvt.L2.b64 cache-policy, access-property", Args: "=0 u64"},
		},
	},
	{
		Op: OpIsspacep, Meaning: "p = a points into the space", Unit: UnitALU, Wait: WaitALU, Chapter: chapterMove,
		Forms: []Form{{Syntax: "isspacep.space p, a", With: "space=const global local shared shared::cta shared::cluster param param::entry", Args: "=p pointer"}},
	},
	{
		Op: OpCvta, Meaning: "p = the generic address of a, or back", Unit: UnitALU, Wait: WaitALU, Chapter: chapterMove,
		Lead: "to", With: "space=const global local shared shared::cta shared::cluster param param::entry, size=u32 u64",
		Forms: []Form{
			{Syntax: "cvta.space.size p, a", Args: "=0 a0", Rule: no32BitCode},
			{Syntax: "cvta.to.space.size p, a", Args: "=0 0", Rule: no32BitCode},
		},
	},
	{
		Op: OpCvt, Meaning: "d = a as the other type", Unit: UnitXU, Wait: WaitALU, Chapter: chapterMove,
		With: "frnd2=rn rz, f8x2type=e4m3x2 e5m2x2, f4x2type=e2m1x2, f6x2type=e2m3x2 e3m2x2, f8x4type=e4m3x4 e5m2x4, f6x4type=e2m3x4 e3m2x4, f4x4type=e2m1x4, frnd3=rz rp",
		Forms: []Form{
			{Syntax: "cvt{.irnd}{.ftz}{.sat}.dtype.atype d, a", With: cvtIntegers, Args: "=~0 ~1", Rule: cvtRule},
			{Syntax: "cvt{.frnd}{.ftz}{.sat}.dtype.atype d, a", With: cvtFloats, Args: "=~0 ~1", Rule: cvtRule},
			{Syntax: "cvt.frnd2{.relu}{.satfinite}.f16.f32 d, a", Args: "=~0 ~1"},
			{Syntax: "cvt.frnd2{.relu}{.satfinite}.f16x2.f32 d, a, b", Args: "=~0 ~1 ~1"},
			{Syntax: "cvt.rs{.relu}{.satfinite}.f16x2.f32 d, a, b, rbits", Args: "=0 1 1 b32"},
			{Syntax: "cvt.frnd2{.relu}{.satfinite}.bf16.f32 d, a", Args: "=~0 ~1"},
			{Syntax: "cvt.frnd2{.relu}{.satfinite}.bf16x2.f32 d, a, b", Args: "=~0 ~1 ~1"},
			{Syntax: "cvt.rs{.relu}{.satfinite}.bf16x2.f32 d, a, b, rbits", Args: "=0 1 1 b32"},
			{Syntax: "cvt.rna{.satfinite}.tf32.f32 d, a", Args: "=0 1"},
			{Syntax: "cvt.frnd2{.satfinite}{.relu}.tf32.f32 d, a", Args: "=0 1"},
			{Syntax: "cvt.rn.satfinite{.relu}.f8x2type.f32 d, a, b", Args: "=0 1 1"},
			{Syntax: "cvt.rn.satfinite{.relu}.f8x2type.f16x2 d, a", Args: "=0 1"},
			{Syntax: "cvt.rn{.relu}.f16x2.f8x2type d, a", Args: "=0 1"},
			{Syntax: "cvt.rs{.relu}.satfinite.f8x4type.f32 d, {a, b, e, f}, rbits", Args: "=0 4*1 b32"},
			{Syntax: "cvt.rn.satfinite{.relu}.f4x2type.f32 d, a, b", Args: "=0 1 1"},
			{Syntax: "cvt.rn{.relu}.f16x2.f4x2type d, a", Args: "=0 1"},
			{Syntax: "cvt.rs{.relu}.satfinite.f4x4type.f32 d, {a, b, e, f}, rbits", Args: "=0 4*1 b32"},
			{Syntax: "cvt.rn.satfinite{.relu}.f6x2type.f32 d, a, b", Args: "=0 1 1"},
			{Syntax: "cvt.rn{.relu}.f16x2.f6x2type d, a", Args: "=0 1"},
			{Syntax: "cvt.rs{.relu}.satfinite.f6x4type.f32 d, {a, b, e, f}, rbits", Args: "=0 4*1 b32"},
			{Syntax: "cvt.frnd3{.satfinite}.ue8m0x2.f32 d, a, b", Args: "=0 1 1"},
			{Syntax: "cvt.frnd3{.satfinite}.ue8m0x2.bf16x2 d, a", Args: "=0 1"},
			{Syntax: "cvt.rn.bf16x2.ue8m0x2 d, a", Args: "=0 1"},
		},
	},
	{
		Op: OpCvtPack, Meaning: "d = a and b, saturated to the narrow type, beside c", Unit: UnitALU, Wait: WaitALU, Chapter: chapterMove,
		With: "abType=s32, cType=b32",
		Forms: []Form{
			{Syntax: "cvt.pack.sat.convertType.abType d, a, b", With: "convertType=u16 s16", Args: "=~b32 ~1 ~1"},
			{Syntax: "cvt.pack.sat.convertType.abType.cType d, a, b, c", With: "convertType=u2 s2 u4 s4 u8 s8", Args: "=~b32 ~1 ~1 ~2"},
		},
	},
	{
		Op: OpMapa, Meaning: "d = the address of a in the shared memory of CTA b of the cluster", Unit: UnitALU, Wait: WaitALU, Chapter: chapterMove,
		Forms: []Form{{Syntax: "mapa{.space}.type d, a, b", With: "space=shared::cluster, type=u32 u64 s32 s64", Args: "=0 a0 u32"}},
	},
	{
		Op: OpGetctarank, Meaning: "d = rank of the CTA whose shared memory holds a", Unit: UnitALU, Wait: WaitALU, Chapter: chapterMove,
		With: "type=u32 u64 s32 s64",
		Forms: []Form{
			{Syntax: "getctarank{.space}.type d, a", With: "space=shared::cluster", Args: "=u32 a0"},
			{Syntax: "getctarank.shared::cluster.type d, a", Args: "=u32 a0"},
			{Syntax: "getctarank.type d, a", Args: "=u32 a0"},
		},
	},
}

const (
	multimemWords = "ldsem=relaxed acquire, stsem=relaxed release, redsem=relaxed release, scope=cta cluster gpu sys, ss=global, " +
		"op=add min max, acc_prec=acc::f32 acc::f16, vec=v2 v4 v8, type=f16 f16x2 bf16 bf16x2 f32 f64 e4m3 e5m2 e4m3x4 e5m2x4"
	multimemIntegers = "op=min max add and or xor, type=b32 b64 u32 u64 s32 s64"

	cvtTypes    = "u8 u16 u32 u64 s8 s16 s32 s64 bf16 f16 f32 f64"
	cvtIntegers = "irnd=rni rzi rmi rpi, dtype=" + cvtTypes + ", atype=" + cvtTypes
	cvtFloats   = "frnd=rn rz rm rp, dtype=" + cvtTypes + ", atype=" + cvtTypes
)
