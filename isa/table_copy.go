package isa

// Asynchronous copies, bulk copies and tensor maps.

var copyRows = []Row{
	{
		Op: OpCPAsync, Meaning: "shared[dst] = global[src], some time later", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		With: "state=shared shared::cta", Rule: cpAsyncSizes,
		Forms: []Form{
			{Syntax: "cp.async.ca.state.global{.level::cache_hint}{.level::prefetch_size} [dst], [src], cp-size{, src-size}{, cache-policy}", Args: "[shared] [global] #(4|8|16) i? b64@L2::cache_hint"},
			{Syntax: "cp.async.cg.state.global{.level::cache_hint}{.level::prefetch_size} [dst], [src], 16{, src-size}{, cache-policy}", Args: "[shared] [global] #(16) i? b64@L2::cache_hint"},
			{Syntax: "cp.async.ca.state.global{.level::cache_hint}{.level::prefetch_size} [dst], [src], cp-size{, ignore-src}{, cache-policy}", Args: "[shared] [global] #(4|8|16) preg? b64@L2::cache_hint"},
			{Syntax: "cp.async.cg.state.global{.level::cache_hint}{.level::prefetch_size} [dst], [src], 16{, ignore-src}{, cache-policy}", Args: "[shared] [global] #(16) preg? b64@L2::cache_hint"},
		},
	},
	{
		Op: OpCPAsyncCommitGroup, Meaning: "the cp.async since the last commit are a group", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{{Syntax: "cp.async.commit_group"}},
	},
	{
		Op: OpCPAsyncWaitGroup, Meaning: "wait until at most N groups are open", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{{Syntax: "cp.async.wait_group N", Args: "#"}},
	},
	{
		Op: OpCPAsyncWaitAll, Meaning: "wait until all cp.async of the thread are done", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{{Syntax: "cp.async.wait_all"}},
	},
	{
		Op: OpCPAsyncBulk, Meaning: "dst[..size] = src[..size], some time later", Unit: UnitTMA, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{
			{Syntax: "cp.async.bulk.dst.src.completion_mechanism{.level::cache_hint} [dstMem], [srcMem], size, [mbar] {, cache-policy}", With: "dst=shared::cta, src=global", Args: "[shared] [global] u32(/16) [shared] b64@L2::cache_hint"},
			{Syntax: "cp.async.bulk.dst.src.completion_mechanism{.multicast}{.level::cache_hint} [dstMem], [srcMem], size, [mbar] {, ctaMask} {, cache-policy}", With: "dst=shared::cluster, src=global, multicast=multicast::cluster", Args: "[shared] [global] u32(/16) [shared] u16@multicast::cluster b64@L2::cache_hint"},
			{Syntax: "cp.async.bulk.dst.src.completion_mechanism [dstMem], [srcMem], size, [mbar]", With: "dst=shared::cluster, src=shared::cta", Args: "[shared] [shared] u32(/16) [shared]"},
			{Syntax: "cp.async.bulk.dst.src.completion_mechanism{.level::cache_hint}{.cp_mask} [dstMem], [srcMem], size {, cache-policy} {, byteMask}", With: "dst=global, src=shared::cta, completion_mechanism=bulk_group", Args: "[global] [shared] u32(/16) b64@L2::cache_hint u16@cp_mask"},
		},
	},
	{
		Op: OpCPReduceAsyncBulk, Meaning: "dst[..size] = dst[..size] redOp src[..size], some time later", Unit: UnitTMA, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{
			{Syntax: "cp.reduce.async.bulk.dst.src.completion_mechanism.redOp.type [dstMem], [srcMem], size, [mbar]", With: "dst=shared::cluster, src=shared::cta, redOp=and or xor, type=b32", Args: "[shared] [shared] u32(/16) [shared]"},
			{Syntax: "cp.reduce.async.bulk.dst.src.completion_mechanism.redOp.type [dstMem], [srcMem], size, [mbar]", With: "dst=shared::cluster, src=shared::cta, redOp=add, type=u32 s32 u64", Args: "[shared] [shared] u32(/16) [shared]"},
			{Syntax: "cp.reduce.async.bulk.dst.src.completion_mechanism.redOp.type [dstMem], [srcMem], size, [mbar]", With: "dst=shared::cluster, src=shared::cta, redOp=min max, type=u32 s32", Args: "[shared] [shared] u32(/16) [shared]"},
			{Syntax: "cp.reduce.async.bulk.dst.src.completion_mechanism.redOp.type [dstMem], [srcMem], size, [mbar]", With: "dst=shared::cluster, src=shared::cta, redOp=inc dec, type=u32", Args: "[shared] [shared] u32(/16) [shared]"},
			{Syntax: "cp.reduce.async.bulk.dst.src.completion_mechanism{.level::cache_hint}.redOp.type [dstMem], [srcMem], size{, cache-policy}", With: bulkToGlobal + "redOp=and or xor, type=b32 b64", Args: "[global] [shared] u32(/16) b64@L2::cache_hint"},
			{Syntax: "cp.reduce.async.bulk.dst.src.completion_mechanism{.level::cache_hint}.redOp.type [dstMem], [srcMem], size{, cache-policy}", With: bulkToGlobal + "redOp=add, type=u32 s32 u64 f32 f64", Args: "[global] [shared] u32(/16) b64@L2::cache_hint"},
			{Syntax: "cp.reduce.async.bulk.dst.src.completion_mechanism{.level::cache_hint}.redOp.type [dstMem], [srcMem], size{, cache-policy}", With: bulkToGlobal + "redOp=min max, type=u32 s32 u64 s64 f16 bf16", Args: "[global] [shared] u32(/16) b64@L2::cache_hint"},
			{Syntax: "cp.reduce.async.bulk.dst.src.completion_mechanism{.level::cache_hint}.redOp.type [dstMem], [srcMem], size{, cache-policy}", With: bulkToGlobal + "redOp=inc dec, type=u32", Args: "[global] [shared] u32(/16) b64@L2::cache_hint"},
			{Syntax: "cp.reduce.async.bulk.dst.src.completion_mechanism{.level::cache_hint}.add.noftz.type [dstMem], [srcMem], size{, cache-policy}", With: bulkToGlobal + "type=f16 bf16", Args: "[global] [shared] u32(/16) b64@L2::cache_hint"},
		},
	},
	{
		Op: OpCPAsyncBulkPrefetch, Meaning: "bring src[..size] into the L2", Unit: UnitTMA, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{{Syntax: "cp.async.bulk.prefetch.L2.src{.level::cache_hint} [srcMem], size {, cache-policy}", With: "src=global", Args: "[global] u32(/16) b64@L2::cache_hint"}},
	},
	{
		Op: OpCPAsyncBulkTensor, Meaning: "dst = the box of the tensor at the coordinates, or back, some time later", Unit: UnitTMA, Wait: WaitMemory, Chapter: chapterMove,
		With: "dim=1d 2d 3d 4d 5d, cta_group=cta_group::1 cta_group::2, multicast=multicast::cluster", Rule: tensorCoordinates,
		Forms: []Form{
			{Syntax: "cp.async.bulk.tensor.dim.dst.src{.load_mode}.completion_mechanism{.cta_group}{.level::cache_hint} [dstMem], [tensorMap, tensorCoords], [mbar]{, im2colInfo} {, cache-policy}", With: "dst=shared::cta, src=global, load_mode=tile tile::gather4 im2col im2col::w im2col::w::128", Args: "[shared] [tensor] [shared] im2col b64@L2::cache_hint"},
			{Syntax: "cp.async.bulk.tensor.dim.dst.src{.load_mode}.completion_mechanism{.multicast}{.cta_group}{.level::cache_hint} [dstMem], [tensorMap, tensorCoords], [mbar]{, im2colInfo} {, ctaMask} {, cache-policy}", With: "dst=shared::cluster, src=global, load_mode=tile tile::gather4 im2col im2col::w im2col::w::128", Args: "[shared] [tensor] [shared] im2col u16@multicast::cluster b64@L2::cache_hint"},
			{Syntax: "cp.async.bulk.tensor.dim.dst.src{.load_mode}.completion_mechanism{.level::cache_hint} [tensorMap, tensorCoords], [srcMem] {, cache-policy}", With: "dst=global, src=shared::cta, completion_mechanism=bulk_group, load_mode=tile tile::scatter4 im2col_no_offs", Args: "[tensor] [shared] b64@L2::cache_hint"},
		},
	},
	{
		Op: OpCPReduceAsyncBulkTensor, Meaning: "the box of the tensor = box redOp src, some time later", Unit: UnitTMA, Wait: WaitMemory, Chapter: chapterMove,
		With: "dim=1d 2d 3d 4d 5d", Rule: tensorCoordinates,
		Forms: []Form{{Syntax: "cp.reduce.async.bulk.tensor.dim.dst.src.redOp{.load_mode}.completion_mechanism{.level::cache_hint} [tensorMap, tensorCoords], [srcMem] {,cache-policy}", With: "dst=global, src=shared::cta, completion_mechanism=bulk_group, load_mode=tile im2col_no_offs, redOp=add min max inc dec and or xor", Args: "[tensor] [shared] b64@L2::cache_hint"}},
	},
	{
		Op: OpCPAsyncBulkPrefetchTensor, Meaning: "bring the box of the tensor into the L2", Unit: UnitTMA, Wait: WaitMemory, Chapter: chapterMove,
		With: "dim=1d 2d 3d 4d 5d", Rule: tensorCoordinates,
		Forms: []Form{{Syntax: "cp.async.bulk.prefetch.tensor.dim.L2.src{.load_mode}{.level::cache_hint} [tensorMap, tensorCoords] {, im2colInfo } {, cache-policy}", With: "src=global, load_mode=tile tile::gather4 im2col im2col::w im2col::w::128", Args: "[tensor] im2col b64@L2::cache_hint"}},
	},
	{
		Op: OpCPAsyncBulkCommitGroup, Meaning: "the bulk copies since the last commit are a group", Unit: UnitTMA, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{{Syntax: "cp.async.bulk.commit_group"}},
	},
	{
		Op: OpCPAsyncBulkWaitGroup, Meaning: "wait until at most N groups of bulk copies are open", Unit: UnitTMA, Wait: WaitMemory, Chapter: chapterMove,
		Forms: []Form{{Syntax: "cp.async.bulk.wait_group{.read} N", Args: "#"}},
	},
	{
		Op: OpTensormapReplace, Meaning: "a field of the tensor map at addr = new_val", Unit: UnitTMA, Wait: WaitMemory, Chapter: chapterMove,
		With: "mode=tile, ss=global shared::cta",
		Forms: []Form{
			{Syntax: "tensormap.replace.mode.field1{.ss}.b1024.type [addr], new_val", With: "field1=global_address, type=b64", Args: "[] 0"},
			{Syntax: "tensormap.replace.mode.field1{.ss}.b1024.type [addr], new_val", With: "field1=rank, type=b32", Args: "[] 0"},
			{Syntax: "tensormap.replace.mode.field2{.ss}.b1024.type [addr], ord, new_val", With: "field2=box_dim global_dim element_stride, type=b32", Args: "[] #(0..4) 0"},
			{Syntax: "tensormap.replace.mode.field2{.ss}.b1024.type [addr], ord, new_val", With: "field2=global_stride, type=b64", Args: "[] #(0..4) 0"},
			{Syntax: "tensormap.replace.mode.field3{.ss}.b1024.type [addr], new_val", With: "field3=elemtype interleave_layout swizzle_mode fill_mode swizzle_atomicity, type=b32", Args: "[] #"},
		},
	},
}

const bulkToGlobal = "dst=global, src=shared::cta, completion_mechanism=bulk_group, "
