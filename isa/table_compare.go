package isa

const (
	chapterCompare     = "Comparison and Selection Instructions"
	chapterHalfCompare = "Half Precision Comparison Instructions"
	chapterLogic       = "Logic and Shift Instructions"
)

var compareRows = []Row{
	{
		Op: OpSet, Meaning: "d = a CmpOp b (BoolOp c) ? all ones or 1.0 : 0", Unit: UnitALU, Wait: WaitALU, Chapter: chapterCompare,
		With: compareWords, Rule: compareFitsType,
		Forms: []Form{
			{Syntax: "set.CmpOp{.ftz}.dtype.stype d, a, b", With: "dtype=u32 s32 f32, stype=b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", Args: "=0 1 1"},
			{Syntax: "set.CmpOp.BoolOp{.ftz}.dtype.stype d, a, b, {!}c", With: "dtype=u32 s32 f32, stype=b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", Args: "=0 1 1 !p"},
			{Syntax: "set.CmpOp{.ftz}.f16.stype d, a, b", Chapter: chapterHalfCompare, With: "stype=b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 f32 f64", Args: "=0 1 1"},
			{Syntax: "set.CmpOp.BoolOp{.ftz}.f16.stype d, a, b, {!}c", Chapter: chapterHalfCompare, With: "stype=b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 f32 f64", Args: "=0 1 1 !p"},
			{Syntax: "set.CmpOp.bf16.stype d, a, b", Chapter: chapterHalfCompare, With: "stype=b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 bf16 f32 f64", Args: "=0 1 1"},
			{Syntax: "set.CmpOp.BoolOp.bf16.stype d, a, b, {!}c", Chapter: chapterHalfCompare, With: "stype=b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 bf16 f32 f64", Args: "=0 1 1 !p"},
			{Syntax: "set.CmpOp{.ftz}.dtype.f16 d, a, b", Chapter: chapterHalfCompare, With: "dtype=u16 s16 u32 s32", Args: "=0 1 1"},
			{Syntax: "set.CmpOp.BoolOp{.ftz}.dtype.f16 d, a, b, {!}c", Chapter: chapterHalfCompare, With: "dtype=u16 s16 u32 s32", Args: "=0 1 1 !p"},
			{Syntax: "set.CmpOp.dtype.bf16 d, a, b", Chapter: chapterHalfCompare, With: "dtype=u16 s16 u32 s32", Args: "=0 1 1"},
			{Syntax: "set.CmpOp.BoolOp.dtype.bf16 d, a, b, {!}c", Chapter: chapterHalfCompare, With: "dtype=u16 s16 u32 s32", Args: "=0 1 1 !p"},
			{Syntax: "set.CmpOp{.ftz}.dtype.f16x2 d, a, b", Chapter: chapterHalfCompare, With: "dtype=f16x2 u32 s32", Args: "=0 1 1"},
			{Syntax: "set.CmpOp.BoolOp{.ftz}.dtype.f16x2 d, a, b, {!}c", Chapter: chapterHalfCompare, With: "dtype=f16x2 u32 s32", Args: "=0 1 1 !p"},
			{Syntax: "set.CmpOp.dtype.bf16x2 d, a, b", Chapter: chapterHalfCompare, With: "dtype=bf16x2 u32 s32", Args: "=0 1 1"},
			{Syntax: "set.CmpOp.BoolOp.dtype.bf16x2 d, a, b, {!}c", Chapter: chapterHalfCompare, With: "dtype=bf16x2 u32 s32", Args: "=0 1 1 !p"},
		},
	},
	{
		Op: OpSetp, Meaning: "p = a CmpOp b (BoolOp c); q = !(a CmpOp b) (BoolOp c)", Unit: UnitALU, Wait: WaitALU, Chapter: chapterCompare,
		With: compareWords, Rule: compareFitsType,
		Forms: []Form{
			{Syntax: "setp.CmpOp{.ftz}.type p{|q}, a, b", With: "type=b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", Args: "=p_|p_? 0 0"},
			{Syntax: "setp.CmpOp.BoolOp{.ftz}.type p{|q}, a, b, {!}c", With: "type=b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", Args: "=p_|p_? 0 0 !p"},
			{Syntax: "setp.CmpOp{.ftz}.f16 p, a, b", Chapter: chapterHalfCompare, Args: "=p_ 0 0"},
			{Syntax: "setp.CmpOp.BoolOp{.ftz}.f16 p, a, b, {!}c", Chapter: chapterHalfCompare, Args: "=p_ 0 0 !p"},
			{Syntax: "setp.CmpOp{.ftz}.f16x2 p|q, a, b", Chapter: chapterHalfCompare, Args: "=p_|p_? 0 0"},
			{Syntax: "setp.CmpOp.BoolOp{.ftz}.f16x2 p|q, a, b, {!}c", Chapter: chapterHalfCompare, Args: "=p_|p_? 0 0 !p"},
			{Syntax: "setp.CmpOp.bf16 p, a, b", Chapter: chapterHalfCompare, Args: "=p_ 0 0"},
			{Syntax: "setp.CmpOp.BoolOp.bf16 p, a, b, {!}c", Chapter: chapterHalfCompare, Args: "=p_ 0 0 !p"},
			{Syntax: "setp.CmpOp.bf16x2 p|q, a, b", Chapter: chapterHalfCompare, Args: "=p_|p_? 0 0"},
			{Syntax: "setp.CmpOp.BoolOp.bf16x2 p|q, a, b, {!}c", Chapter: chapterHalfCompare, Args: "=p_|p_? 0 0 !p"},
		},
	},
	{
		Op: OpSelp, Meaning: "d = c ? a : b", Unit: UnitALU, Wait: WaitALU, Chapter: chapterCompare,
		Forms: []Form{{Syntax: "selp.type d, a, b, c", With: "type=b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", Args: "=0 0 0 !p"}},
	},
	{
		Op: OpSlct, Meaning: "d = c >= 0 ? a : b", Unit: UnitALU, Wait: WaitALU, Chapter: chapterCompare,
		With: "dtype=b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64",
		Forms: []Form{
			{Syntax: "slct.dtype.s32 d, a, b, c", Args: "=0 0 0 1"},
			{Syntax: "slct{.ftz}.dtype.f32 d, a, b, c", Args: "=0 0 0 1"},
		},
	},
}

// compareWords are the comparison and combination words of set and setp; compareFitsType says which go with which type.
const compareWords = "CmpOp=eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan, BoolOp=and or xor"

var logicRows = []Row{
	{
		Op: OpAnd, Meaning: "d = a & b", Unit: UnitALU, Wait: WaitALU, Chapter: chapterLogic,
		Forms: []Form{{Syntax: "and.type d, a, b", With: "type=pred b16 b32 b64"}},
	},
	{
		Op: OpOr, Meaning: "d = a | b", Unit: UnitALU, Wait: WaitALU, Chapter: chapterLogic,
		Forms: []Form{{Syntax: "or.type d, a, b", With: "type=pred b16 b32 b64"}},
	},
	{
		Op: OpXor, Meaning: "d = a ^ b", Unit: UnitALU, Wait: WaitALU, Chapter: chapterLogic,
		Forms: []Form{{Syntax: "xor.type d, a, b", With: "type=pred b16 b32 b64"}},
	},
	{
		Op: OpNot, Meaning: "d = ~a", Unit: UnitALU, Wait: WaitALU, Chapter: chapterLogic,
		Forms: []Form{{Syntax: "not.type d, a", With: "type=pred b16 b32 b64"}},
	},
	{
		Op: OpCnot, Meaning: "d = a == 0 ? 1 : 0", Unit: UnitALU, Wait: WaitALU, Chapter: chapterLogic,
		Forms: []Form{{Syntax: "cnot.type d, a", With: "type=b16 b32 b64"}},
	},
	{
		Op: OpLop3, Meaning: "d = the function with truth table immLut of a, b, c; p = (d != 0) BoolOp q", Unit: UnitALU, Wait: WaitALU, Chapter: chapterLogic,
		Forms: []Form{
			{Syntax: "lop3.b32 d, a, b, c, immLut", Args: "=0 0 0 0 #"},
			{Syntax: "lop3.BoolOp.b32 d|p, a, b, c, immLut, q", With: "BoolOp=or and", Args: "=0_|p 0 0 0 # !p"},
		},
	},
	{
		Op: OpShf, Meaning: "d = 32 bits of b:a, shifted left or right by c", Unit: UnitALU, Wait: WaitALU, Chapter: chapterLogic,
		Lead: "l r", With: "mode=clamp wrap",
		Forms: []Form{
			{Syntax: "shf.l.mode.b32 d, a, b, c", Args: "=0 0 0 i"},
			{Syntax: "shf.r.mode.b32 d, a, b, c", Args: "=0 0 0 i"},
		},
	},
	{
		Op: OpShl, Meaning: "d = a << b", Unit: UnitALU, Wait: WaitALU, Chapter: chapterLogic,
		Forms: []Form{{Syntax: "shl.type d, a, b", With: "type=b16 b32 b64", Args: "=0 0 i"}},
	},
	{
		Op: OpShr, Meaning: "d = a >> b, filled with the sign or zero", Unit: UnitALU, Wait: WaitALU, Chapter: chapterLogic,
		Forms: []Form{{Syntax: "shr.type d, a, b", With: "type=b16 b32 b64 u16 u32 u64 s16 s32 s64", Args: "=0 0 i"}},
	},
}
