package isa

// mbarrier objects, tensor-map fences and cluster launch control.

var mbarrierRows = []Row{
	{
		Op: OpMbarrierInit, Meaning: "mbarrier[addr] expects count arrivals", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterSync,
		With:  mbarrierWords,
		Forms: []Form{{Syntax: "mbarrier.init{.state}.b64 [addr], count", Args: "[shared] u32"}},
	},
	{
		Op: OpMbarrierInval, Meaning: "mbarrier[addr] is memory again", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterSync,
		With:  mbarrierWords,
		Forms: []Form{{Syntax: "mbarrier.inval{.state}.b64 [addr]", Args: "[shared]"}},
	},
	{
		Op: OpMbarrierExpectTx, Meaning: "mbarrier[addr] expects txCount more bytes", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterSync,
		With: "sem=relaxed, scope=cta cluster, space=shared shared::cta shared::cluster", Rule: semWithScope,
		Forms: []Form{{Syntax: "mbarrier.expect_tx{.sem}{.scope}{.space}.b64 [addr], txCount", Args: "[shared] u32"}},
	},
	{
		Op: OpMbarrierCompleteTx, Meaning: "mbarrier[addr] has seen txCount bytes", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterSync,
		With: "sem=relaxed, scope=cta cluster, space=shared shared::cta shared::cluster", Rule: semWithScope,
		Forms: []Form{{Syntax: "mbarrier.complete_tx{.sem}{.scope}{.space}.b64 [addr], txCount", Args: "[shared] u32"}},
	},
	{
		Op: OpMbarrierArrive, Meaning: "arrive count times at mbarrier[addr]; state = its phase before", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterSync,
		Lead: "expect_tx noComplete", With: mbarrierWords + ", sem=release relaxed", Rule: semWithScope,
		Forms: []Form{
			{Syntax: "mbarrier.arrive{.sem}{.scope}{.state}.b64 state, [addr]{, count}", Args: "=0_ [shared] u32(1..)?"},
			{Syntax: "mbarrier.arrive{.sem}{.scope}{.shared::cluster}.b64 _, [addr] {,count}", Args: "_ [shared] u32(1..)?"},
			{Syntax: "mbarrier.arrive.expect_tx{.sem}{.scope}{.state}.b64 state, [addr], txCount", Args: "=0_ [shared] u32"},
			{Syntax: "mbarrier.arrive.expect_tx{.sem}{.scope}{.shared::cluster}.b64 _, [addr], txCount", Args: "_ [shared] u32"},
			{Syntax: "mbarrier.arrive.noComplete{.release}{.cta}{.state}.b64 state, [addr], count", Args: "=0_ [shared] u32(1..)"},
		},
	},
	{
		Op: OpMbarrierArriveDrop, Meaning: "arrive at mbarrier[addr] and expect one arrival fewer from now on", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterSync,
		Lead: "expect_tx noComplete", With: mbarrierWords + ", sem=release relaxed", Rule: semWithScope,
		Forms: []Form{
			{Syntax: "mbarrier.arrive_drop{.sem}{.scope}{.state}.b64 state, [addr]{, count}", Args: "=0_ [shared] u32(1..)?"},
			{Syntax: "mbarrier.arrive_drop{.sem}{.scope}{.shared::cluster}.b64 _, [addr] {,count}", Args: "_ [shared] u32(1..)?"},
			{Syntax: "mbarrier.arrive_drop.expect_tx{.state}{.sem}{.scope}.b64 state, [addr], tx_count", Args: "=0_ [shared] u32"},
			{Syntax: "mbarrier.arrive_drop.expect_tx{.shared::cluster}{.sem}{.scope}.b64 _, [addr], tx_count", Args: "_ [shared] u32"},
			{Syntax: "mbarrier.arrive_drop.noComplete{.release}{.cta}{.state}.b64 state, [addr], count", Args: "=0_ [shared] u32(1..)"},
		},
	},
	{
		Op: OpCPAsyncMbarrierArrive, Meaning: "arrive at mbarrier[addr] once the thread's cp.async are done", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterSync,
		With:  mbarrierWords,
		Forms: []Form{{Syntax: "cp.async.mbarrier.arrive{.noinc}{.state}.b64 [addr]", Args: "[shared]"}},
	},
	{
		Op: OpMbarrierTestWait, Meaning: "waitComplete = the phase of mbarrier[addr] is over", Unit: UnitLSU, Wait: WaitCTABarrier, Chapter: chapterSync,
		Lead: "parity", With: mbarrierWords + ", sem=acquire relaxed", Rule: semWithScope,
		Forms: []Form{
			{Syntax: "mbarrier.test_wait{.sem}{.scope}{.state}.b64 waitComplete, [addr], state", Args: "=p [shared] b64"},
			{Syntax: "mbarrier.test_wait.parity{.sem}{.scope}{.state}.b64 waitComplete, [addr], phaseParity", Args: "=p [shared] u32(0..1)"},
		},
	},
	{
		Op: OpMbarrierTryWait, Meaning: "waitComplete = the phase of mbarrier[addr] is over, after waiting a while", Unit: UnitLSU, Wait: WaitCTABarrier, Chapter: chapterSync,
		Lead: "parity", With: mbarrierWords + ", sem=acquire relaxed", Rule: semWithScope,
		Forms: []Form{
			{Syntax: "mbarrier.try_wait{.sem}{.scope}{.state}.b64 waitComplete, [addr], state {, suspendTimeHint}", Args: "=p [shared] b64 u32?"},
			{Syntax: "mbarrier.try_wait.parity{.sem}{.scope}{.state}.b64 waitComplete, [addr], phaseParity {, suspendTimeHint}", Args: "=p [shared] u32(0..1) u32?"},
		},
	},
	{
		Op: OpMbarrierPendingCount, Meaning: "count = arrivals that state still expects", Unit: UnitALU, Wait: WaitALU, Chapter: chapterSync,
		Forms: []Form{{Syntax: "mbarrier.pending_count.b64 count, state", Args: "=u32 0"}},
	},
	{
		Op: OpTensormapCPFenceproxy, Meaning: "copy a tensor map from src to dst and fence its proxy", Unit: UnitTMA, Wait: WaitMemory, Chapter: chapterSync,
		Forms: []Form{{Syntax: "tensormap.cp_fenceproxy.cp_qualifiers.fence_qualifiers.sync.aligned [dst], [src], size", With: "cp_qualifiers=global.shared::cta, fence_qualifiers=tensormap::generic.release.cta tensormap::generic.release.cluster tensormap::generic.release.gpu tensormap::generic.release.sys", Args: "[global] [shared] #(128)"}},
	},
	{
		Op: OpClusterlaunchcontrolTryCancel, Meaning: "ask to take over a cluster that has not started; the answer goes to addr", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterSync,
		Forms: []Form{{Syntax: "clusterlaunchcontrol.try_cancel.async{.space}.completion_mechanism{.multicast::cluster::all}.b128 [addr], [mbar]", With: "space=shared::cta", Args: "[shared] [shared]"}},
	},
	{
		Op: OpClusterlaunchcontrolQueryCancel, Meaning: "pred or reg = what the answer says", Unit: UnitALU, Wait: WaitALU, Chapter: chapterSync,
		Forms: []Form{
			{Syntax: "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 pred, try_cancel_response", Args: "=p b128"},
			{Syntax: "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {xdim, ydim, zdim, _}, try_cancel_response", Args: "=4*0 b128"},
			{Syntax: "clusterlaunchcontrol.query_cancel{.get_first_ctaid::dimension}.b32.b128 reg, try_cancel_response", With: "get_first_ctaid::dimension=get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z", Args: "=0 b128", Rule: needsDimension},
		},
	},
}

const mbarrierWords = "scope=cta cluster, state=shared shared::cta"
