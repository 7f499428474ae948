package isa

const chapterSync = "Parallel Synchronization and Communication Instructions"

var synchronizationRows = []Row{
	{
		Op: OpBar, Meaning: "wait at barrier a for b threads; d = p folded over them", Unit: UnitBarrier, Wait: WaitCTABarrier, Chapter: chapterSync,
		Lead: "cta sync arrive red", With: "op=and or",
		Forms: []Form{
			{Syntax: "bar{.cta}.sync a{, b}", Args: "i(0..15) i(/32)?"},
			{Syntax: "bar{.cta}.arrive a, b", Args: "i(0..15) i(/32!0)"},
			{Syntax: "bar{.cta}.red.popc.u32 d, a{, b}, {!}c", Args: "=u32 i(0..15) i(/32)? !p"},
			{Syntax: "bar{.cta}.red.op.pred p, a{, b}, {!}c", Args: "=p i(0..15) i(/32)? !p"},
		},
	},
	{
		Op: OpBarrier, Meaning: "wait at barrier a for b threads; d = p folded over them", Unit: UnitBarrier, Wait: WaitCTABarrier, Chapter: chapterSync,
		Lead: "cta sync arrive red", With: "op=and or",
		Forms: []Form{
			{Syntax: "barrier{.cta}.sync{.aligned} a{, b}", Args: "i(0..15) i(/32)?"},
			{Syntax: "barrier{.cta}.arrive{.aligned} a, b", Args: "i(0..15) i(/32!0)"},
			{Syntax: "barrier{.cta}.red.popc{.aligned}.u32 d, a{, b}, {!}c", Args: "=u32 i(0..15) i(/32)? !p"},
			{Syntax: "barrier{.cta}.red.op{.aligned}.pred p, a{, b}, {!}c", Args: "=p i(0..15) i(/32)? !p"},
		},
	},
	{
		Op: OpBarWarpSync, Meaning: "wait for the lanes of membermask", Unit: UnitBarrier, Wait: WaitALU, Chapter: chapterSync,
		Forms: []Form{{Syntax: "bar.warp.sync membermask", Args: "i"}},
	},
	{
		Op: OpBarrierClusterArrive, Meaning: "arrive at the cluster's barrier", Unit: UnitBarrier, Wait: WaitCTABarrier, Chapter: chapterSync,
		Forms: []Form{{Syntax: "barrier.cluster.arrive{.sem}{.aligned}", With: "sem=release relaxed"}},
	},
	{
		Op: OpBarrierClusterWait, Meaning: "wait until all threads of the cluster have arrived", Unit: UnitBarrier, Wait: WaitCTABarrier, Chapter: chapterSync,
		Forms: []Form{{Syntax: "barrier.cluster.wait{.acquire}{.aligned}"}},
	},
	{
		Op: OpMembar, Meaning: "earlier accesses are performed before later ones", Unit: UnitLSU, Wait: WaitFence, Chapter: chapterSync,
		Lead: "proxy",
		Forms: []Form{
			{Syntax: "membar.level", With: "level=cta gl sys"},
			{Syntax: "membar.proxy.proxykind", With: "proxykind=alias"},
		},
	},
	{
		Op: OpFence, Meaning: "earlier accesses are ordered before later ones in the scope", Unit: UnitLSU, Wait: WaitFence, Chapter: chapterSync,
		Lead: "proxy", With: "scope=cta cluster gpu sys",
		Forms: []Form{
			{Syntax: "fence{.sem}.scope", With: "sem=sc acq_rel acquire release"},
			{Syntax: "fence.acquire.sync_restrict::shared::cluster.cluster"},
			{Syntax: "fence.release.sync_restrict::shared::cta.cluster"},
			{Syntax: "fence.op_restrict.release.cluster", With: "op_restrict=mbarrier_init"},
			{Syntax: "fence.proxy.proxykind", With: "proxykind=alias async async.global async.shared::cta async.shared::cluster"},
			{Syntax: "fence.proxy.to_proxykind::from_proxykind.release.scope", With: "to_proxykind::from_proxykind=tensormap::generic"},
			{Syntax: "fence.proxy.to_proxykind::from_proxykind.acquire.scope [addr], size", With: "to_proxykind::from_proxykind=tensormap::generic", Args: "[] #(128)"},
			{Syntax: "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster"},
			{Syntax: "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster"},
		},
	},
	{
		Op: OpAtom, Meaning: "d = memory[a]; memory[a] = memory[a] op b", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterSync,
		With: atomicWords + ", sem=relaxed acquire release acq_rel", Rule: vectorAtomics,
		Forms: []Form{
			{Syntax: "atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type d, [a], b{, cache-policy}", With: "op=and or xor, type=b32 b64", Args: "=0_ [] 0 b64@L2::cache_hint"},
			{Syntax: "atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type d, [a], b{, cache-policy}", With: "op=exch, type=b32 b64", Args: "=0_ [] 0 b64@L2::cache_hint"},
			{Syntax: "atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type d, [a], b{, cache-policy}", With: "op=add, type=u32 u64 s32 f32 f64", Args: "=0_ [] 0 b64@L2::cache_hint"},
			{Syntax: "atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type d, [a], b{, cache-policy}", With: "op=inc dec, type=u32", Args: "=0_ [] 0 b64@L2::cache_hint"},
			{Syntax: "atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type d, [a], b{, cache-policy}", With: "op=min max, type=u32 s32 u64 s64", Args: "=0_ [] 0 b64@L2::cache_hint"},
			{Syntax: "atom{.sem}{.scope}{.space}.op.type d, [a], b, c", With: "op=cas, type=b32 b64", Args: "=0_ [] 0 0"},
			{Syntax: "atom{.sem}{.scope}{.space}.cas.b16 d, [a], b, c", Args: "=0_ [] 0 0"},
			{Syntax: "atom{.sem}{.scope}{.space}.cas.b128 d, [a], b, c", Args: "=0_ [] 0 0"},
			{Syntax: "atom{.sem}{.scope}{.space}.exch{.level::cache_hint}.b128 d, [a], b {, cache-policy}", Args: "=0_ [] 0 b64@L2::cache_hint"},
			{Syntax: "atom{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.f16 d, [a], b{, cache-policy}", Args: "=0_ [] 0 b64@L2::cache_hint"},
			{Syntax: "atom{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.f16x2 d, [a], b{, cache-policy}", Args: "=0_ [] 0 b64@L2::cache_hint"},
			{Syntax: "atom{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.bf16 d, [a], b{, cache-policy}", Args: "=0_ [] 0 b64@L2::cache_hint"},
			{Syntax: "atom{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.bf16x2 d, [a], b{, cache-policy}", Args: "=0_ [] 0 b64@L2::cache_hint"},
			{Syntax: "atom{.sem}{.scope}{.global}.add{.level::cache_hint}.vec_32_bit.f32 d, [a], b{, cache-policy}", Args: "=V0_ [] V0 b64@L2::cache_hint"},
			{Syntax: "atom{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec_16_bit.half_word_type d, [a], b{, cache-policy}", With: "op=add min max", Args: "=V0_ [] V0 b64@L2::cache_hint"},
			{Syntax: "atom{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec_32_bit.packed_type d, [a], b{, cache-policy}", With: "op=add min max", Args: "=V0_ [] V0 b64@L2::cache_hint"},
		},
	},
	{
		Op: OpRed, Meaning: "memory[a] = memory[a] op b", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterSync,
		With: atomicWords + ", sem=relaxed release", Rule: vectorAtomics,
		Forms: []Form{
			{Syntax: "red.op{.space}{.sem}{.scope}{.level::cache_hint}.type [a], b{, cache-policy}", With: "op=and or xor, type=b32 b64", Args: "[] 0 b64@L2::cache_hint"},
			{Syntax: "red.op{.space}{.sem}{.scope}{.level::cache_hint}.type [a], b{, cache-policy}", With: "op=add, type=u32 u64 s32 f32 f64", Args: "[] 0 b64@L2::cache_hint"},
			{Syntax: "red.op{.space}{.sem}{.scope}{.level::cache_hint}.type [a], b{, cache-policy}", With: "op=inc dec, type=u32", Args: "[] 0 b64@L2::cache_hint"},
			{Syntax: "red.op{.space}{.sem}{.scope}{.level::cache_hint}.type [a], b{, cache-policy}", With: "op=min max, type=u32 s32 u64 s64", Args: "[] 0 b64@L2::cache_hint"},
			{Syntax: "red.add{.space}{.sem}{.scope}.noftz{.level::cache_hint}.f16 [a], b{, cache-policy}", Args: "[] 0 b64@L2::cache_hint"},
			{Syntax: "red.add{.space}{.sem}{.scope}.noftz{.level::cache_hint}.f16x2 [a], b{, cache-policy}", Args: "[] 0 b64@L2::cache_hint"},
			{Syntax: "red.add{.space}{.sem}{.scope}.noftz{.level::cache_hint}.bf16 [a], b{, cache-policy}", Args: "[] 0 b64@L2::cache_hint"},
			{Syntax: "red.add{.space}{.sem}{.scope}.noftz{.level::cache_hint}.bf16x2 [a], b{, cache-policy}", Args: "[] 0 b64@L2::cache_hint"},
			{Syntax: "red.add{.space}{.sem}{.scope}{.level::cache_hint}.vec_32_bit.f32 [a], b{, cache-policy}", With: "space=global", Args: "[] V0 b64@L2::cache_hint"},
			{Syntax: "red.op{.space}{.sem}{.scope}.noftz{.level::cache_hint}.vec_16_bit.half_word_type [a], b{, cache-policy}", With: "space=global, op=add min max", Args: "[] V0 b64@L2::cache_hint"},
			{Syntax: "red.op{.space}{.sem}{.scope}.noftz{.level::cache_hint}.vec_32_bit.packed_type [a], b {, cache-policy}", With: "space=global, op=add min max", Args: "[] V0 b64@L2::cache_hint"},
		},
	},
	{
		Op: OpRedAsync, Meaning: "memory[a] = memory[a] op b, some time later; then mbar counts the bytes", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterSync,
		With: "sem=relaxed, scope=cluster, ss=shared::cluster",
		Forms: []Form{
			{Syntax: "red.async.sem.scope{.ss}.completion_mechanism.op.type [a], b, [mbar]", With: "op=inc dec, type=u32", Args: "[shared] 0 [shared]?"},
			{Syntax: "red.async.sem.scope{.ss}.completion_mechanism.op.type [a], b, [mbar]", With: "op=min max, type=u32 s32", Args: "[shared] 0 [shared]?"},
			{Syntax: "red.async.sem.scope{.ss}.completion_mechanism.op.type [a], b, [mbar]", With: "op=and or xor, type=b32", Args: "[shared] 0 [shared]?"},
			{Syntax: "red.async.sem.scope{.ss}.completion_mechanism.add.type [a], b, [mbar]", With: "type=u32 s32 u64", Args: "[shared] 0 [shared]?"},
			{Syntax: "red.async{.mmio}.sem.scope{.ss}.add.type [a], b", With: "sem=release, scope=gpu sys, ss=global, type=u32 s32 u64", Args: "[global] 0"},
		},
	},
	{
		Op: OpVote, Meaning: "d = a folded over the warp's lanes", Unit: UnitALU, Wait: WaitALU, Chapter: chapterSync,
		With: "mode=all any uni",
		Forms: []Form{
			{Syntax: "vote.sync.mode.pred d, {!}a, membermask", Args: "=p !p i"},
			{Syntax: "vote.sync.ballot.b32 d, {!}a, membermask", Args: "=0 !p i"},
			{Syntax: "vote.mode.pred d, {!}a", Args: "=p !p", Rule: withoutSync},
			{Syntax: "vote.ballot.b32 d, {!}a", Args: "=0 !p", Rule: withoutSync},
		},
	},
	{
		Op: OpMatch, Meaning: "d = lanes with the same a; p = all have it", Unit: UnitALU, Wait: WaitALU, Chapter: chapterSync,
		With: "type=b32 b64",
		Forms: []Form{
			{Syntax: "match.any.sync.type d, a, membermask", Args: "=b32 0 i"},
			{Syntax: "match.all.sync.type d{|p}, a, membermask", Args: "=b32|p_? 0 i"},
		},
	},
	{
		Op: OpActivemask, Meaning: "d = active lanes", Unit: UnitALU, Wait: WaitALU, Chapter: chapterSync,
		Forms: []Form{{Syntax: "activemask.b32 d", Args: "=0"}},
	},
	{
		Op: OpRedux, Meaning: "dst = src folded over the lanes of membermask", Unit: UnitALU, Wait: WaitALU, Chapter: chapterSync,
		Forms: []Form{
			{Syntax: "redux.sync.op.type dst, src, membermask", With: "op=add min max, type=u32 s32", Args: "=0 0 i"},
			{Syntax: "redux.sync.op.b32 dst, src, membermask", With: "op=and or xor", Args: "=0 0 i"},
			{Syntax: "redux.sync.op{.abs}{.NaN}.f32 dst, src, membermask", With: "op=min max", Args: "=0 0 i"},
		},
	},
	{
		Op: OpGriddepcontrol, Meaning: "wait for the grids that this one depends on, or let dependents start", Unit: UnitBranch, Wait: WaitCTABarrier, Chapter: chapterSync,
		Forms: []Form{{Syntax: "griddepcontrol.action", With: "action=launch_dependents wait"}},
	},
	{
		Op: OpElect, Meaning: "d = the elected lane; p = it is this one", Unit: UnitALU, Wait: WaitALU, Chapter: chapterSync,
		Forms: []Form{{Syntax: "elect.sync d|p, membermask", Args: "=b32_|p i"}},
	},
}

const atomicWords = "scope=cta cluster gpu sys, space=global shared shared::cta shared::cluster, " +
	"vec_32_bit=v2 v4, vec_16_bit=v2 v4 v8, half_word_type=f16 bf16, packed_type=f16x2 bf16x2"
