package isa

import (
	"fmt"
	"strings"
)

const (
	chapterMatrix    = "Warp Level Matrix Multiply-Accumulate Instructions"
	chapterWarpgroup = "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions"
)

// Shapes of wmma: each group goes with its own element types.
const (
	wmmaWords  = "layout=row col, alayout=row col, blayout=row col, ss=global shared shared::cta, "
	wmmaWide   = "shape=m16n16k16 m8n32k16 m32n8k16, "
	wmmaTF32   = "shape=m16n16k8, "
	wmmaDouble = "shape=m8n8k4, "
	wmmaNibble = "shape=m8n8k32, "
	wmmaBit    = "shape=m8n8k128, "
)

var matrixRows = []Row{
	{
		Op: OpWmmaLoad, Meaning: "r = the matrix at p", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMatrix,
		Lead: "a b c", With: wmmaWords,
		Forms: []Form{
			{Syntax: "wmma.load.a.sync.aligned.layout.shape{.ss}.atype r, [p] {, stride}", With: wmmaWide + "atype=f16 bf16 s8 u8", Args: "=A [] i?"},
			{Syntax: "wmma.load.b.sync.aligned.layout.shape{.ss}.btype r, [p] {, stride}", With: wmmaWide + "btype=f16 bf16 s8 u8", Args: "=B [] i?"},
			{Syntax: "wmma.load.c.sync.aligned.layout.shape{.ss}.ctype r, [p] {, stride}", With: wmmaWide + "ctype=f16 f32 s32", Args: "=C [] i?"},
			{Syntax: "wmma.load.a.sync.aligned.layout.shape{.ss}.atype r, [p] {, stride}", With: wmmaTF32 + "atype=tf32", Args: "=A [] i?"},
			{Syntax: "wmma.load.b.sync.aligned.layout.shape{.ss}.btype r, [p] {, stride}", With: wmmaTF32 + "btype=tf32", Args: "=B [] i?"},
			{Syntax: "wmma.load.c.sync.aligned.layout.shape{.ss}.ctype r, [p] {, stride}", With: wmmaTF32 + "ctype=f32", Args: "=C [] i?"},
			{Syntax: "wmma.load.a.sync.aligned.layout.shape{.ss}.atype r, [p] {, stride}", With: wmmaDouble + "atype=f64", Args: "=A [] i?"},
			{Syntax: "wmma.load.b.sync.aligned.layout.shape{.ss}.btype r, [p] {, stride}", With: wmmaDouble + "btype=f64", Args: "=B [] i?"},
			{Syntax: "wmma.load.c.sync.aligned.layout.shape{.ss}.ctype r, [p] {, stride}", With: wmmaDouble + "ctype=f64", Args: "=C [] i?"},
			{Syntax: "wmma.load.a.sync.aligned.row.shape{.ss}.atype r, [p] {, stride}", With: wmmaNibble + "atype=s4 u4", Args: "=A [] i?"},
			{Syntax: "wmma.load.b.sync.aligned.col.shape{.ss}.btype r, [p] {, stride}", With: wmmaNibble + "btype=s4 u4", Args: "=B [] i?"},
			{Syntax: "wmma.load.c.sync.aligned.layout.shape{.ss}.ctype r, [p] {, stride}", With: wmmaNibble + "ctype=s32", Args: "=C [] i?"},
			{Syntax: "wmma.load.a.sync.aligned.row.shape{.ss}.atype r, [p] {, stride}", With: wmmaBit + "atype=b1", Args: "=A [] i?"},
			{Syntax: "wmma.load.b.sync.aligned.col.shape{.ss}.btype r, [p] {, stride}", With: wmmaBit + "btype=b1", Args: "=B [] i?"},
			{Syntax: "wmma.load.c.sync.aligned.layout.shape{.ss}.ctype r, [p] {, stride}", With: wmmaBit + "ctype=s32", Args: "=C [] i?"},
		},
	},
	{
		Op: OpWmmaStore, Meaning: "the matrix at p = r", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMatrix,
		Lead: "d", With: wmmaWords,
		Forms: []Form{
			{Syntax: "wmma.store.d.sync.aligned.layout.shape{.ss}.type [p], r {, stride}", With: wmmaWide + "type=f16 f32 s32", Args: "[] C i?"},
			{Syntax: "wmma.store.d.sync.aligned.layout.shape{.ss}.type [p], r {, stride}", With: wmmaTF32 + "type=f32", Args: "[] C i?"},
			{Syntax: "wmma.store.d.sync.aligned.layout.shape{.ss}.type [p], r {, stride}", With: wmmaDouble + "type=f64", Args: "[] C i?"},
			{Syntax: "wmma.store.d.sync.aligned.layout.shape{.ss}.type [p], r {, stride}", With: "shape=m8n8k32 m8n8k128, type=s32", Args: "[] C i?"},
		},
	},
	{
		Op: OpWmmaMma, Meaning: "d = a * b + c, matrices spread over the warp", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterMatrix,
		With: wmmaWords,
		Forms: []Form{
			{Syntax: "wmma.mma.sync.aligned.alayout.blayout.shape.dtype.ctype d, a, b, c", With: wmmaWide + "dtype=f16 f32, ctype=f16 f32", Args: "=D A B C"},
			{Syntax: "wmma.mma.sync.aligned.alayout.blayout.shape.s32.atype.btype.s32{.satfinite} d, a, b, c", With: wmmaWide + "atype=s8 u8, btype=s8 u8", Args: "=D A B C", Rule: sameTypes(1, 2)},
			{Syntax: "wmma.mma.sync.aligned.alayout.blayout.shape.f32.atype.btype.f32 d, a, b, c", With: wmmaWide + "atype=bf16, btype=bf16", Args: "=D A B C"},
			{Syntax: "wmma.mma.sync.aligned.alayout.blayout.shape.f32.atype.btype.f32 d, a, b, c", With: wmmaTF32 + "atype=tf32, btype=tf32", Args: "=D A B C"},
			{Syntax: "wmma.mma.sync.aligned.alayout.blayout.shape{.rnd}.f64.f64.f64.f64 d, a, b, c", With: wmmaDouble, Args: "=D A B C"},
			{Syntax: "wmma.mma.sync.aligned.row.col.shape.s32.atype.btype.s32{.satfinite} d, a, b, c", With: wmmaNibble + "atype=s4 u4, btype=s4 u4", Args: "=D A B C", Rule: sameTypes(1, 2)},
			{Syntax: "wmma.mma.op.popc.sync.aligned.row.col.shape.s32.atype.btype.s32 d, a, b, c", With: wmmaBit + "op=xor and, atype=b1, btype=b1", Args: "=D A B C"},
		},
	},
	{
		Op: OpMma, Meaning: "d = a * b + c, matrices spread over the warp", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterMatrix,
		With: mmaWords,
		Forms: []Form{
			{Syntax: "mma.sync.aligned.m8n8k4.alayout.blayout.dtype.f16.f16.ctype d, a, b, c", Args: "=D A B C", Rule: accumulatorFits},
			{Syntax: "mma.sync.aligned.m16n8k8.row.col.dtype.f16.f16.ctype d, a, b, c", Args: "=D A B C", Rule: sameTypes(0, 3)},
			{Syntax: "mma.sync.aligned.m16n8k16.row.col.dtype.f16.f16.ctype d, a, b, c", Args: "=D A B C", Rule: sameTypes(0, 3)},
			{Syntax: "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 d, a, b, c", Args: "=D A B C"},
			{Syntax: "mma.sync.aligned.m16n8k8.row.col.f32.atype.btype.f32 d, a, b, c", With: "atype=bf16 tf32, btype=bf16 tf32", Args: "=D A B C", Rule: sameTypes(1, 2)},
			{Syntax: "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 d, a, b, c", Args: "=D A B C"},
			{Syntax: "mma.sync.aligned.shape.row.col.dtype.f8type.f8type.ctype d, a, b, c", With: "shape=m16n8k16 m16n8k32", Args: "=D A B C", Rule: sameTypes(0, 3)},
			{Syntax: "mma.sync.aligned.m16n8k32.row.col.kind.dtype.f8f6f4type.f8f6f4type.ctype d, a, b, c", With: "kind=kind::f8f6f4", Args: "=D A B C", Rule: sameTypes(0, 3)},
			{Syntax: "mma.sync.aligned.m16n8k64.row.col.kind.block_scale{.scale_vec_size}.f32.e2m1.e2m1.f32.stype d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b}", With: "kind=kind::mxf4, scale_vec_size=scale_vec::2X, stype=ue8m0", Args: mmaScaled},
			{Syntax: "mma.sync.aligned.m16n8k64.row.col.kind.block_scale.scale_vec_size.f32.e2m1.e2m1.f32.stype d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b}", With: "kind=kind::mxf4nvf4, scale_vec_size=scale_vec::2X, stype=ue8m0", Args: mmaScaled},
			{Syntax: "mma.sync.aligned.m16n8k64.row.col.kind.block_scale.scale_vec_size.f32.e2m1.e2m1.f32.stype d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b}", With: "kind=kind::mxf4nvf4, scale_vec_size=scale_vec::4X, stype=ue4m3", Args: mmaScaled},
			{Syntax: "mma.sync.aligned.m16n8k32.row.col.kind.block_scale{.scale_vec_size}.f32.f8f6f4type.f8f6f4type.f32.stype d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b}", With: "kind=kind::mxf8f6f4, scale_vec_size=scale_vec::1X, stype=ue8m0", Args: mmaScaled},
			{Syntax: "mma.sync.aligned.shape.row.col.f64.f64.f64.f64 d, a, b, c", With: "shape=m8n8k4 m16n8k4 m16n8k8 m16n8k16", Args: "=D A B C"},
			{Syntax: "mma.sync.aligned.shape.row.col{.satfinite}.s32.atype.btype.s32 d, a, b, c", With: "shape=m8n8k16 m16n8k16 m16n8k32, atype=s8 u8, btype=s8 u8", Args: "=D A B C"},
			{Syntax: "mma.sync.aligned.shape.row.col{.satfinite}.s32.atype.btype.s32 d, a, b, c", With: "shape=m8n8k32 m16n8k32 m16n8k64, atype=s4 u4, btype=s4 u4", Args: "=D A B C"},
			{Syntax: "mma.sync.aligned.shape.row.col.s32.b1.b1.s32.bitOp.popc d, a, b, c", With: "shape=m8n8k128 m16n8k128 m16n8k256, bitOp=xor and", Args: "=D A B C"},
		},
	},
	{
		Op: OpMmaSp, Meaning: "d = a * b + c, a sparse by the metadata e and the selector f", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterMatrix,
		With: mmaWords, Rule: sparsitySelector,
		Forms: []Form{
			{Syntax: "mma.spvariant.sync.aligned.m16n8k16.row.col.dtype.f16.f16.ctype d, a, b, c, e, f", Args: "=D A B C meta #", Rule: sameTypes(0, 3)},
			{Syntax: "mma.spvariant.sync.aligned.m16n8k32.row.col.dtype.f16.f16.ctype d, a, b, c, e, f", Args: "=D A B C meta #", Rule: sameTypes(0, 3)},
			{Syntax: "mma.spvariant.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 d, a, b, c, e, f", Args: "=D A B C meta #"},
			{Syntax: "mma.spvariant.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32 d, a, b, c, e, f", Args: "=D A B C meta #"},
			{Syntax: "mma.spvariant.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 d, a, b, c, e, f", Args: "=D A B C meta #"},
			{Syntax: "mma.spvariant.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 d, a, b, c, e, f", Args: "=D A B C meta #"},
			{Syntax: "mma.spvariant.sync.aligned.m16n8k64.row.col.f32.f8type.f8type.f32 d, a, b, c, e, f", Args: "=D A B C meta #"},
			{Syntax: "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind.dtype.f8f6f4type.f8f6f4type.ctype d, a, b, c, e, f", With: "kind=kind::f8f6f4", Args: "=D A B C meta #", Rule: sameTypes(0, 3)},
			{Syntax: "mma.spvariant.sync.aligned.m16n8k128.row.col.kind.block_scale{.scale_vec_size}.f32.e2m1.e2m1.f32.stype d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b}", With: "spvariant=::ordered_metadata, kind=kind::mxf4, scale_vec_size=scale_vec::2X, stype=ue8m0", Args: mmaSparseScaled},
			{Syntax: "mma.spvariant.sync.aligned.m16n8k128.row.col.kind.block_scale.scale_vec_size.f32.e2m1.e2m1.f32.stype d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b}", With: "spvariant=::ordered_metadata, kind=kind::mxf4nvf4, scale_vec_size=scale_vec::2X, stype=ue8m0", Args: mmaSparseScaled},
			{Syntax: "mma.spvariant.sync.aligned.m16n8k128.row.col.kind.block_scale.scale_vec_size.f32.e2m1.e2m1.f32.stype d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b}", With: "spvariant=::ordered_metadata, kind=kind::mxf4nvf4, scale_vec_size=scale_vec::4X, stype=ue4m3", Args: mmaSparseScaled},
			{Syntax: "mma.spvariant.sync.aligned.m16n8k64.row.col.kind.block_scale{.scale_vec_size}.f32.f8f6f4type.f8f6f4type.f32.stype d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b}", With: "spvariant=::ordered_metadata, kind=kind::mxf8f6f4, scale_vec_size=scale_vec::1X, stype=ue8m0", Args: mmaSparseScaled},
			{Syntax: "mma.spvariant.sync.aligned.shape.row.col{.satfinite}.s32.atype.btype.s32 d, a, b, c, e, f", With: "shape=m16n8k32 m16n8k64, atype=s8 u8, btype=s8 u8", Args: "=D A B C meta #"},
			{Syntax: "mma.spvariant.sync.aligned.shape.row.col{.satfinite}.s32.atype.btype.s32 d, a, b, c, e, f", With: "shape=m16n8k64 m16n8k128, atype=s4 u4, btype=s4 u4", Args: "=D A B C meta #"},
		},
	},
	{
		Op: OpLdmatrix, Meaning: "r = 8x8 matrices of shared memory, rows at the lanes' addresses", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMatrix,
		With: "num=x1 x2 x4, ss=shared shared::cta, dst_fmt=b8x16, src_fmt=b6x16_p32 b4x16_p64",
		Forms: []Form{
			{Syntax: "ldmatrix.sync.aligned.shape.num{.trans}{.ss}.type r, [p]", With: "shape=m8n8, type=b16", Args: "=R [shared]"},
			{Syntax: "ldmatrix.sync.aligned.shape.num.trans{.ss}.type r, [p]", With: "shape=m16n16, num=x1 x2, type=b8", Args: "=R [shared]"},
			{Syntax: "ldmatrix.sync.aligned.m8n16.num{.ss}.dst_fmt.src_fmt r, [p]", Args: "=R [shared]"},
			{Syntax: "ldmatrix.sync.aligned.m16n16.num.trans{.ss}.dst_fmt.src_fmt r, [p]", With: "num=x1 x2", Args: "=R [shared]"},
		},
	},
	{
		Op: OpStmatrix, Meaning: "8x8 matrices of shared memory, rows at the lanes' addresses, = r", Unit: UnitLSU, Wait: WaitMemory, Chapter: chapterMatrix,
		With: "num=x1 x2 x4, ss=shared shared::cta",
		Forms: []Form{
			{Syntax: "stmatrix.sync.aligned.shape.num{.trans}{.ss}.type [p], r", With: "shape=m8n8, type=b16", Args: "[shared] R"},
			{Syntax: "stmatrix.sync.aligned.shape.num.trans{.ss}.type [p], r", With: "shape=m16n8, type=b8", Args: "[shared] R"},
		},
	},
	{
		Op: OpMovmatrix, Meaning: "d = the 8x8 matrix a, transposed", Unit: UnitLSU, Wait: WaitALU, Chapter: chapterMatrix,
		Forms: []Form{{Syntax: "movmatrix.sync.aligned.shape.trans.type d, a", With: "shape=m8n8, type=b16", Args: "=b32 b32"}},
	},
}

const (
	mmaWords = "alayout=row col, blayout=row col, dtype=f16 f32, ctype=f16 f32, f8type=e4m3 e5m2, " +
		"f8f6f4type=e4m3 e5m2 e3m2 e2m3 e2m1, spvariant=none ::ordered_metadata"
	mmaScaled       = "=D A B C scale 2*u16 scale 2*u16"
	mmaSparseScaled = "=D A B C meta # scale 2*u16 scale 2*u16"
)

var warpgroupRows = []Row{
	{
		Op: OpWgmmaMmaAsync, Meaning: "d = a * b + d, matrices spread over the warpgroup, some time later", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterWarpgroup,
		With: wgmmaWords,
		Forms: []Form{
			{Syntax: "wgmma.mma_async.sync.aligned.shape.dtype.f16.f16 d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b", With: wgmmaShapes(16, 8), Args: "=D b64 b64 !p " + wgmmaScale + wgmmaTrans + wgmmaTrans},
			{Syntax: "wgmma.mma_async.sync.aligned.shape.dtype.f16.f16 d, a, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-b", With: wgmmaShapes(16, 8), Args: "=D A b64 !p " + wgmmaScale + wgmmaTrans},
			{Syntax: "wgmma.mma_async.sync.aligned.shape.dtype.bf16.bf16 d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b", With: wgmmaShapes(16, 8) + ", dtype=f32", Args: "=D b64 b64 !p " + wgmmaScale + wgmmaTrans + wgmmaTrans},
			{Syntax: "wgmma.mma_async.sync.aligned.shape.dtype.bf16.bf16 d, a, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-b", With: wgmmaShapes(16, 8) + ", dtype=f32", Args: "=D A b64 !p " + wgmmaScale + wgmmaTrans},
			{Syntax: "wgmma.mma_async.sync.aligned.shape.dtype.tf32.tf32 d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b", With: wgmmaShapes(8, 8) + ", dtype=f32", Args: "=D b64 b64 !p " + wgmmaScale},
			{Syntax: "wgmma.mma_async.sync.aligned.shape.dtype.tf32.tf32 d, a, b-desc, scale-d, imm-scale-a, imm-scale-b", With: wgmmaShapes(8, 8) + ", dtype=f32", Args: "=D A b64 !p " + wgmmaScale},
			{Syntax: "wgmma.mma_async.sync.aligned.shape.dtype.atype.btype d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b", With: wgmmaShapes(32, 8) + wgmmaFP8, Args: "=D b64 b64 !p " + wgmmaScale},
			{Syntax: "wgmma.mma_async.sync.aligned.shape.dtype.atype.btype d, a, b-desc, scale-d, imm-scale-a, imm-scale-b", With: wgmmaShapes(32, 8) + wgmmaFP8, Args: "=D A b64 !p " + wgmmaScale},
			{Syntax: "wgmma.mma_async.sync.aligned.shape{.satfinite}.s32.atype.btype d, a-desc, b-desc, scale-d", With: wgmmaShapes(32, 16) + wgmmaInt8, Args: "=D b64 b64 !p"},
			{Syntax: "wgmma.mma_async.sync.aligned.shape{.satfinite}.s32.atype.btype d, a, b-desc, scale-d", With: wgmmaShapes(32, 16) + wgmmaInt8, Args: "=D A b64 !p"},
			{Syntax: "wgmma.mma_async.sync.aligned.shape.s32.b1.b1.op.popc d, a-desc, b-desc, scale-d", With: wgmmaShapes(256, 16) + ", op=and", Args: "=D b64 b64 !p"},
			{Syntax: "wgmma.mma_async.sync.aligned.shape.s32.b1.b1.op.popc d, a, b-desc, scale-d", With: wgmmaShapes(256, 16) + ", op=and", Args: "=D A b64 !p"},
		},
	},
	{
		Op: OpWgmmaMmaAsyncSp, Meaning: "d = a * b + d, a sparse by sp-meta and sp-sel, some time later", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterWarpgroup,
		With: wgmmaWords, Rule: sparsitySelector,
		Forms: []Form{
			{Syntax: "wgmma.mma_async.sp.sync.aligned.shape.dtype.f16.f16 d, a-desc, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b", With: wgmmaShapes(32, 8), Args: "=D b64 b64 b32 # !p " + wgmmaScale + wgmmaTrans + wgmmaTrans},
			{Syntax: "wgmma.mma_async.sp.sync.aligned.shape.dtype.f16.f16 d, a, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b, imm-trans-b", With: wgmmaShapes(32, 8), Args: "=D A b64 b32 # !p " + wgmmaScale + wgmmaTrans},
			{Syntax: "wgmma.mma_async.sp.sync.aligned.shape.dtype.bf16.bf16 d, a-desc, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b", With: wgmmaShapes(32, 8) + ", dtype=f32", Args: "=D b64 b64 b32 # !p " + wgmmaScale + wgmmaTrans + wgmmaTrans},
			{Syntax: "wgmma.mma_async.sp.sync.aligned.shape.dtype.bf16.bf16 d, a, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b, imm-trans-b", With: wgmmaShapes(32, 8) + ", dtype=f32", Args: "=D A b64 b32 # !p " + wgmmaScale + wgmmaTrans},
			{Syntax: "wgmma.mma_async.sp.sync.aligned.shape.dtype.tf32.tf32 d, a-desc, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b", With: wgmmaShapes(16, 8) + ", dtype=f32", Args: "=D b64 b64 b32 # !p " + wgmmaScale},
			{Syntax: "wgmma.mma_async.sp.sync.aligned.shape.dtype.tf32.tf32 d, a, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b", With: wgmmaShapes(16, 8) + ", dtype=f32", Args: "=D A b64 b32 # !p " + wgmmaScale},
			{Syntax: "wgmma.mma_async.sp.sync.aligned.shape.dtype.atype.btype d, a-desc, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b", With: wgmmaShapes(64, 8) + wgmmaFP8, Args: "=D b64 b64 b32 # !p " + wgmmaScale},
			{Syntax: "wgmma.mma_async.sp.sync.aligned.shape.dtype.atype.btype d, a, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b", With: wgmmaShapes(64, 8) + wgmmaFP8, Args: "=D A b64 b32 # !p " + wgmmaScale},
			{Syntax: "wgmma.mma_async.sp.sync.aligned.shape{.satfinite}.s32.atype.btype d, a-desc, b-desc, sp-meta, sp-sel, scale-d", With: wgmmaShapes(64, 16) + wgmmaInt8, Args: "=D b64 b64 b32 # !p"},
			{Syntax: "wgmma.mma_async.sp.sync.aligned.shape{.satfinite}.s32.atype.btype d, a, b-desc, sp-meta, sp-sel, scale-d", With: wgmmaShapes(64, 16) + wgmmaInt8, Args: "=D A b64 b32 # !p"},
		},
	},
	{
		Op: OpWgmmaFence, Meaning: "registers and shared memory written before are seen by the wgmma after", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterWarpgroup,
		With:  wgmmaWords,
		Forms: []Form{{Syntax: "wgmma.fence.sync.aligned"}},
	},
	{
		Op: OpWgmmaCommitGroup, Meaning: "the wgmma since the last commit are a group", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterWarpgroup,
		With:  wgmmaWords,
		Forms: []Form{{Syntax: "wgmma.commit_group.sync.aligned"}},
	},
	{
		Op: OpWgmmaWaitGroup, Meaning: "wait until at most N groups are open", Unit: UnitTensor, Wait: WaitTensor, Chapter: chapterWarpgroup,
		With:  wgmmaWords,
		Forms: []Form{{Syntax: "wgmma.wait_group.sync.aligned N", Args: "#(0..)"}},
	},
}

const (
	wgmmaWords = "dtype=f16 f32, aligned=none aligned"
	wgmmaFP8   = ", dtype=f16 f32, atype=e4m3 e5m2, btype=e4m3 e5m2"
	wgmmaInt8  = ", atype=s8 u8, btype=s8 u8"
	wgmmaScale = "#(1|-1) #(1|-1) "
	wgmmaTrans = "#(0|1) "
)

// wgmmaShapes lists the shapes m64nNkK: N is a multiple of 8 up to 256; integer types (step 16) have 8, 24 and the multiples of 16.
func wgmmaShapes(k, step int) string {
	var names []string
	for n := 8; n <= 256; n += 8 {
		if n%step == 0 || n == 8 || n == 24 {
			names = append(names, fmt.Sprintf("m64n%dk%d", n, k))
		}
	}
	return "shape=" + strings.Join(names, " ")
}
