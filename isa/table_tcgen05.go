package isa

const chapterTcgen05 = "TensorCore 5th Generation Family Instructions"

const (
	tcgen05Words = "cta_group=cta_group::1 cta_group::2, kind=kind::f16 kind::tf32 kind::f8f6f4, " +
		"collector_usage=collector::a::fill collector::a::use collector::a::lastuse collector::a::discard"
	tcgen05MX8   = "kind=kind::mxf8f6f4, scale_vectorsize=scale_vec::1X block32"
	tcgen05MX4   = "kind=kind::mxf4, scale_vectorsize=scale_vec::2X block32"
	tcgen05NV4   = "kind=kind::mxf4nvf4, scale_vectorsize=scale_vec::2X scale_vec::4X block16 block32"
	tcgen05Banks = "kind=kind::f16 kind::tf32 kind::f8f6f4, collector_usage=" +
		"collector::b0::fill collector::b0::use collector::b0::lastuse collector::b0::discard " +
		"collector::b1::fill collector::b1::use collector::b1::lastuse collector::b1::discard " +
		"collector::b2::fill collector::b2::use collector::b2::lastuse collector::b2::discard " +
		"collector::b3::fill collector::b3::use collector::b3::lastuse collector::b3::discard"
)

// threeKinds repeats the lines of a block-scaled form for the three kinds, which differ in their scale vectors.
func threeKinds(lines ...Form) []Form {
	var forms []Form
	for _, line := range lines {
		for i, words := range []string{tcgen05MX8, tcgen05MX4, tcgen05NV4} {
			line.With = words
			if i == 2 { // mxf4nvf4 must say its scale vector
				line.Rule = needsScaleVector
			}
			forms = append(forms, line)
		}
	}
	return forms
}

// join puts the forms of an opcode together.
func join(lists ...[]Form) []Form {
	var forms []Form
	for _, l := range lists {
		forms = append(forms, l...)
	}
	return forms
}

var tcgen05Rows = []Row{
	{
		Op: OpTcgen05Alloc, Meaning: "[dst] = the address of nCols free columns of tensor memory", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		With:  tcgen05Words,
		Forms: []Form{{Syntax: "tcgen05.alloc.cta_group.sync.aligned{.shared::cta}.b32 [dst], nCols", Args: "[shared] u32(32|64|128|256|512)"}},
	},
	{
		Op: OpTcgen05Dealloc, Meaning: "free nCols columns of tensor memory at taddr", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		With:  tcgen05Words,
		Forms: []Form{{Syntax: "tcgen05.dealloc.cta_group.sync.aligned.b32 taddr, nCols", Args: "0 u32(0|32|64|128|256|512|1024)"}},
	},
	{
		Op: OpTcgen05RelinquishAllocPermit, Meaning: "this CTA allocates no more tensor memory", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		With:  tcgen05Words,
		Forms: []Form{{Syntax: "tcgen05.relinquish_alloc_permit.cta_group.sync.aligned"}},
	},
	{
		Op: OpTcgen05Ld, Rule: tensorMemoryWidth, Meaning: "r = tensor memory at taddr, some time later", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		Lead: "red",
		With: "shape1=16x64b 16x128b 16x256b 32x32b, shape2=16x32bx2, shape3=32x32b, shape4=16x32bx2, num=x1 x2 x4 x8 x16 x32 x64 x128, pack=pack::16b, redOp=min max, type=u32 s32, aligned=none aligned",
		Forms: []Form{
			{Syntax: "tcgen05.ld.sync.aligned.shape1.num{.pack}.b32 r, [taddr]", Args: "=R [tmem]"},
			{Syntax: "tcgen05.ld.sync.aligned.shape2.num{.pack}.b32 r, [taddr], immHalfSplitoff", Args: "=R [tmem] #"},
			{Syntax: "tcgen05.ld.red.sync.aligned.shape3.num.redOp{.abs}{.NaN}.f32 r, redval, [taddr]", With: tcgen05Pairs, Args: "=R =0 [tmem]"},
			{Syntax: "tcgen05.ld.red.sync.aligned.shape4.num.redOp{.abs}{.NaN}.f32 r, redval, [taddr], immHalfSplitoff", With: tcgen05Pairs, Args: "=R =0 [tmem] #"},
			{Syntax: "tcgen05.ld.red.sync.aligned.shape3.num.redOp.type r, redval, [taddr]", With: tcgen05Pairs, Args: "=R =0 [tmem]"},
			{Syntax: "tcgen05.ld.red.sync.aligned.shape4.num.redOp.type r, redval, [taddr], immHalfSplitoff", With: tcgen05Pairs, Args: "=R =0 [tmem] #"},
		},
	},
	{
		Op: OpTcgen05St, Rule: tensorMemoryWidth, Meaning: "tensor memory at taddr = r, some time later", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		With: "shape1=16x64b 16x128b 16x256b 32x32b, shape2=16x32bx2, num=x1 x2 x4 x8 x16 x32 x64 x128, unpack=unpack::16b, aligned=none aligned",
		Forms: []Form{
			{Syntax: "tcgen05.st.sync.aligned.shape1.num{.unpack}.b32 [taddr], r", Args: "[tmem] R"},
			{Syntax: "tcgen05.st.sync.aligned.shape2.num{.unpack}.b32 [taddr], immHalfSplitoff, r", Args: "[tmem] # R"},
		},
	},
	{
		Op: OpTcgen05Wait, Meaning: "wait for the thread's tcgen05.ld or tcgen05.st", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		Forms: []Form{{Syntax: "tcgen05.wait_operation.sync.aligned", With: "wait_operation=::ld ::st"}},
	},
	{
		Op: OpTcgen05CP, Meaning: "tensor memory at taddr = the shared memory that s-desc describes, some time later", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		With: tcgen05Words + ", dst_src_fmt=b8x16.b6x16_p32 b8x16.b4x16_p64",
		Forms: []Form{
			{Syntax: "tcgen05.cp.cta_group.shape{.multicast}{.dst_src_fmt} [taddr], s-desc", With: "shape=128x256b 4x256b 128x128b 64x128b.warpx2::02_13 64x128b.warpx2::01_23 32x128b.warpx4, multicast=-", Args: "[tmem] u64"},
		},
	},
	{
		Op: OpTcgen05Shift, Meaning: "move the rows of tensor memory at taddr down by one", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		With:  tcgen05Words,
		Forms: []Form{{Syntax: "tcgen05.shift.cta_group.down [taddr]", Args: "[tmem]"}},
	},
	{
		Op: OpTcgen05Mma, Meaning: "d = a * b (+ d) in tensor memory, some time later", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		With: tcgen05Words,
		Forms: join([]Form{
			{Syntax: "tcgen05.mma.cta_group.kind [d-tmem], a-desc, b-desc, idesc {, disable-output-lane}, enable-input-d{, scale-input-d}", Args: "[tmem] u64 u64 b32 lanes? p #(0..15)?", Rule: scaleInput},
			{Syntax: "tcgen05.mma.cta_group.kind [d-tmem], [a-tmem], b-desc, idesc {, disable-output-lane}, enable-input-d{, scale-input-d}", Args: "[tmem] [tmem] u64 b32 lanes? p #(0..15)?", Rule: scaleInput},
		}, threeKinds(
			Form{Syntax: "tcgen05.mma.cta_group.kind.block_scale{.scale_vectorsize} [d-tmem], a-desc, b-desc, idesc, [scale-A-tmem], [scale-B-tmem], enable-input-d", Args: "[tmem] u64 u64 b32 [tmem] [tmem] p"},
			Form{Syntax: "tcgen05.mma.cta_group.kind.block_scale{.scale_vectorsize} [d-tmem], [a-tmem], b-desc, idesc, [scale-A-tmem], [scale-B-tmem], enable-input-d", Args: "[tmem] [tmem] u64 b32 [tmem] [tmem] p"},
		), []Form{
			{Syntax: "tcgen05.mma.cta_group.kind.collector_usage [d-tmem], a-desc, b-desc, idesc {, disable-output-lane}, enable-input-d{, scale-input-d}", Args: "[tmem] u64 u64 b32 lanes? p #(0..15)?", Rule: scaleInput},
			{Syntax: "tcgen05.mma.cta_group.kind{.ashift}.collector_usage [d-tmem], [a-tmem], b-desc, idesc {, disable-output-lane}, enable-input-d{, scale-input-d}", Args: "[tmem] [tmem] u64 b32 lanes? p #(0..15)?", Rule: scaleInput},
			{Syntax: "tcgen05.mma.cta_group.kind.ashift{.collector_usage} [d-tmem], [a-tmem], b-desc, idesc {, disable-output-lane}, enable-input-d{, scale-input-d}", Args: "[tmem] [tmem] u64 b32 lanes? p #(0..15)?", Rule: scaleInput},
		}, threeKinds(
			Form{Syntax: "tcgen05.mma.cta_group.kind.block_scale{.scale_vectorsize}.collector_usage [d-tmem], a-desc, b-desc, idesc, [scale-A-tmem], [scale-B-tmem], enable-input-d", Args: "[tmem] u64 u64 b32 [tmem] [tmem] p"},
			Form{Syntax: "tcgen05.mma.cta_group.kind.block_scale{.scale_vectorsize}.collector_usage [d-tmem], [a-tmem], b-desc, idesc, [scale-A-tmem], [scale-B-tmem], enable-input-d", Args: "[tmem] [tmem] u64 b32 [tmem] [tmem] p"},
		), []Form{
			{Syntax: "tcgen05.mma.cta_group.kind::i8 [d-tmem], a-desc, b-desc, idesc {, disable-output-lane}, enable-input-d", Args: "[tmem] u64 u64 b32 lanes? p"},
			{Syntax: "tcgen05.mma.cta_group.kind::i8 [d-tmem], [a-tmem], b-desc, idesc {, disable-output-lane}, enable-input-d", Args: "[tmem] [tmem] u64 b32 lanes? p"},
			{Syntax: "tcgen05.mma.cta_group.kind::i8.collector_usage [d-tmem], a-desc, b-desc, idesc {, disable-output-lane}, enable-input-d", Args: "[tmem] u64 u64 b32 lanes? p"},
			{Syntax: "tcgen05.mma.cta_group.kind::i8.ashift{.collector_usage} [d-tmem], [a-tmem], b-desc, idesc {, disable-output-lane}, enable-input-d", Args: "[tmem] [tmem] u64 b32 lanes? p"},
			{Syntax: "tcgen05.mma.cta_group.kind::i8{.ashift}.collector_usage [d-tmem], [a-tmem], b-desc, idesc {, disable-output-lane}, enable-input-d", Args: "[tmem] [tmem] u64 b32 lanes? p"},
		}),
	},
	{
		Op: OpTcgen05MmaSp, Meaning: "d = a * b (+ d) in tensor memory, a sparse, some time later", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		With: tcgen05Words,
		Forms: join([]Form{
			{Syntax: "tcgen05.mma.sp.cta_group.kind [d-tmem], a-desc, b-desc, [sp-meta-tmem] , idesc {, disable-output-lane }, enable-input-d{, scale-input-d}", Args: "[tmem] u64 u64 [tmem] b32 lanes? p #(0..15)?", Rule: scaleInput},
			{Syntax: "tcgen05.mma.sp.cta_group.kind [d-tmem], [a-tmem], b-desc, [sp-meta-tmem] , idesc {, disable-output-lane }, enable-input-d{, scale-input-d}", Args: "[tmem] [tmem] u64 [tmem] b32 lanes? p #(0..15)?", Rule: scaleInput},
		}, threeKinds(
			Form{Syntax: "tcgen05.mma.sp.cta_group.kind.block_scale{.scale_vectorsize} [d-tmem], a-desc, b-desc , [sp-meta-tmem] , idesc, [scale-A-tmem], [scale-B-tmem], enable-input-d", Args: "[tmem] u64 u64 [tmem] b32 [tmem] [tmem] p"},
			Form{Syntax: "tcgen05.mma.sp.cta_group.kind.block_scale{.scale_vectorsize} [d-tmem], [a-tmem], b-desc , [sp-meta-tmem] , idesc, [scale-A-tmem], [scale-B-tmem], enable-input-d", Args: "[tmem] [tmem] u64 [tmem] b32 [tmem] [tmem] p"},
		), []Form{
			{Syntax: "tcgen05.mma.sp.cta_group.kind.collector_usage [d-tmem], a-desc, b-desc, [sp-meta-tmem] , idesc {, disable-output-lane }, enable-input-d", Args: "[tmem] u64 u64 [tmem] b32 lanes? p"},
			{Syntax: "tcgen05.mma.sp.cta_group.kind.ashift{.collector_usage} [d-tmem], [a-tmem], b-desc, [sp-meta-tmem] , idesc {, disable-output-lane }, enable-input-d", Args: "[tmem] [tmem] u64 [tmem] b32 lanes? p"},
			{Syntax: "tcgen05.mma.sp.cta_group.kind{.ashift}.collector_usage [d-tmem], [a-tmem], b-desc, [sp-meta-tmem] , idesc {, disable-output-lane }, enable-input-d", Args: "[tmem] [tmem] u64 [tmem] b32 lanes? p"},
		}, threeKinds(
			Form{Syntax: "tcgen05.mma.sp.cta_group.kind.block_scale{.scale_vectorsize}.collector_usage [d-tmem], a-desc, b-desc , [sp-meta-tmem] , idesc, [scale-A-tmem], [scale-B-tmem], enable-input-d", Args: "[tmem] u64 u64 [tmem] b32 [tmem] [tmem] p"},
			Form{Syntax: "tcgen05.mma.sp.cta_group.kind.block_scale{.scale_vectorsize}.collector_usage [d-tmem], [a-tmem], b-desc , [sp-meta-tmem] , idesc, [scale-A-tmem], [scale-B-tmem], enable-input-d", Args: "[tmem] [tmem] u64 [tmem] b32 [tmem] [tmem] p"},
		), []Form{
			{Syntax: "tcgen05.mma.sp.cta_group.kind::i8 [d-tmem], a-desc, b-desc, [sp-meta-tmem] , idesc {, disable-output-lane }, enable-input-d", Args: "[tmem] u64 u64 [tmem] b32 lanes? p"},
			{Syntax: "tcgen05.mma.sp.cta_group.kind::i8 [d-tmem], [a-tmem], b-desc, [sp-meta-tmem] , idesc {, disable-output-lane }, enable-input-d", Args: "[tmem] [tmem] u64 [tmem] b32 lanes? p"},
			{Syntax: "tcgen05.mma.sp.cta_group.kind::i8.collector_usage [d-tmem], a-desc, b-desc, [sp-meta-tmem], idesc {, disable-output-lane }, enable-input-d", Args: "[tmem] u64 u64 [tmem] b32 lanes? p"},
			{Syntax: "tcgen05.mma.sp.cta_group.kind::i8.ashift{.collector_usage} [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc {, disable-output-lane }, enable-input-d", Args: "[tmem] [tmem] u64 [tmem] b32 lanes? p"},
			{Syntax: "tcgen05.mma.sp.cta_group.kind::i8{.ashift}.collector_usage [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc {, disable-output-lane }, enable-input-d", Args: "[tmem] [tmem] u64 [tmem] b32 lanes? p"},
		}),
	},
	{
		Op: OpTcgen05MmaWs, Meaning: "d = a * b (+ d) in tensor memory, b kept in the collector, some time later", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		With: tcgen05Banks,
		Forms: []Form{
			{Syntax: "tcgen05.mma.ws.cta_group::1.kind{.collector_usage} [d-tmem], a-desc, b-desc, idesc, enable-input-d {, zero-column-mask-desc }", Args: "[tmem] u64 u64 b32 p u64?"},
			{Syntax: "tcgen05.mma.ws.cta_group::1.kind{.collector_usage} [d-tmem], [a-tmem], b-desc, idesc, enable-input-d {, zero-column-mask-desc }", Args: "[tmem] [tmem] u64 b32 p u64?"},
			{Syntax: "tcgen05.mma.ws.cta_group::1.kind::i8{.collector_usage} [d-tmem], a-desc, b-desc, idesc, enable-input-d {, zero-column-mask-desc}", Args: "[tmem] u64 u64 b32 p u64?"},
			{Syntax: "tcgen05.mma.ws.cta_group::1.kind::i8{.collector_usage} [d-tmem], [a-tmem], b-desc, idesc, enable-input-d {, zero-column-mask-desc}", Args: "[tmem] [tmem] u64 b32 p u64?"},
		},
	},
	{
		Op: OpTcgen05MmaWsSp, Meaning: "d = a * b (+ d) in tensor memory, a sparse, b kept in the collector, some time later", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		With: tcgen05Banks,
		Forms: []Form{
			{Syntax: "tcgen05.mma.ws.sp.cta_group::1.kind{.collector_usage} [d-tmem], a-desc, b-desc, [sp-meta-tmem], idesc, enable-input-d {, zero-column-mask-desc}", Args: "[tmem] u64 u64 [tmem] b32 p u64?"},
			{Syntax: "tcgen05.mma.ws.sp.cta_group::1.kind{.collector_usage} [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc, enable-input-d {, zero-column-mask-desc}", Args: "[tmem] [tmem] u64 [tmem] b32 p u64?"},
			{Syntax: "tcgen05.mma.ws.sp.cta_group::1.kind::i8{.collector_usage} [d-tmem], a-desc, b-desc, [sp-meta-tmem], idesc, enable-input-d {, zero-column-mask-desc}", Args: "[tmem] u64 u64 [tmem] b32 p u64?"},
			{Syntax: "tcgen05.mma.ws.sp.cta_group::1.kind::i8{.collector_usage} [d-tmem], [a-tmem], b-desc, [sp-meta-tmem], idesc, enable-input-d {, zero-column-mask-desc}", Args: "[tmem] [tmem] u64 [tmem] b32 p u64?"},
		},
	},
	{
		Op: OpTcgen05Fence, Meaning: "tcgen05 instructions are ordered against thread synchronization", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		Forms: []Form{
			{Syntax: "tcgen05.fence::before_thread_sync"},
			{Syntax: "tcgen05.fence::after_thread_sync"},
		},
	},
	{
		Op: OpTcgen05Commit, Meaning: "mbar sees an arrival once the thread's tcgen05 instructions are done", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterTcgen05,
		With:  tcgen05Words + ", completion_mechanism=mbarrier::arrive::one, multicast=multicast::cluster",
		Forms: []Form{{Syntax: "tcgen05.commit.cta_group.completion_mechanism{.shared::cluster}{.multicast}.b64 [mbar] {, ctaMask}", Args: "[shared] u16@multicast::cluster"}},
	},
}

// tcgen05Pairs: tcgen05.ld.red reduces at least two columns.
const tcgen05Pairs = "num=x2 x4 x8 x16 x32 x64 x128"
