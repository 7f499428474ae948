package isa

// Integer and extended-precision arithmetic.

const (
	chapterInteger  = "Integer Arithmetic Instructions"
	chapterExtended = "Extended-Precision Arithmetic Instructions"
	chapterFloat    = "Floating Point Instructions"
	chapterHalf     = "Half Precision Floating Point Instructions"
	chapterMixed    = "Mixed Precision Floating Point Instructions"
)

var integerRows = []Row{
	{
		Op: OpAdd, Meaning: "d = a + b", Unit: UnitALU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{
			{Syntax: "add.type d, a, b", With: "type=u16 u32 u64 s16 s32 s64 u16x2 s16x2"},
			{Syntax: "add{.sat}.s32 d, a, b"},
			{Syntax: "add.cc.type d, a, b", Chapter: chapterExtended, With: "type=u32 s32 u64 s64"},
			{Syntax: "add{.rnd}{.ftz}{.sat}.f32 d, a, b", Chapter: chapterFloat},
			{Syntax: "add{.rnd}{.ftz}.f32x2 d, a, b", Chapter: chapterFloat},
			{Syntax: "add{.rnd}.f64 d, a, b", Chapter: chapterFloat},
			{Syntax: "add{.rnd}{.ftz}{.sat}.f16 d, a, b", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "add{.rnd}{.ftz}{.sat}.f16x2 d, a, b", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "add{.rnd}.bf16 d, a, b", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "add{.rnd}.bf16x2 d, a, b", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "add{.rnd}{.sat}.f32.atype d, a, c", Chapter: chapterMixed, With: "atype=f16 bf16", Args: "=0 1 0"},
		},
	},
	{
		Op: OpSub, Meaning: "d = a - b", Unit: UnitALU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{
			{Syntax: "sub.type d, a, b", With: "type=u16 u32 u64 s16 s32 s64"},
			{Syntax: "sub{.sat}.s32 d, a, b"},
			{Syntax: "sub.cc.type d, a, b", Chapter: chapterExtended, With: "type=u32 s32 u64 s64"},
			{Syntax: "sub{.rnd}{.ftz}{.sat}.f32 d, a, b", Chapter: chapterFloat},
			{Syntax: "sub{.rnd}{.ftz}.f32x2 d, a, b", Chapter: chapterFloat},
			{Syntax: "sub{.rnd}.f64 d, a, b", Chapter: chapterFloat},
			{Syntax: "sub{.rnd}{.ftz}{.sat}.f16 d, a, b", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "sub{.rnd}{.ftz}{.sat}.f16x2 d, a, b", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "sub{.rnd}.bf16 d, a, b", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "sub{.rnd}.bf16x2 d, a, b", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "sub{.rnd}{.sat}.f32.atype d, a, c", Chapter: chapterMixed, With: "atype=f16 bf16", Args: "=0 1 0"},
		},
	},
	{
		Op: OpMul, Meaning: "d = a * b, or its low or high half", Unit: UnitFMA, Wait: WaitALU, Chapter: chapterInteger,
		Lead: "hi lo wide",
		Forms: []Form{
			{Syntax: "mul.mode.type d, a, b", With: "mode=hi lo, type=u16 u32 u64 s16 s32 s64"},
			{Syntax: "mul.mode.type d, a, b", With: "mode=wide, type=u16 u32 s16 s32", Args: "=w0 0 0"},
			{Syntax: "mul{.rnd}{.ftz}{.sat}.f32 d, a, b", Chapter: chapterFloat},
			{Syntax: "mul{.rnd}{.ftz}.f32x2 d, a, b", Chapter: chapterFloat},
			{Syntax: "mul{.rnd}.f64 d, a, b", Chapter: chapterFloat},
			{Syntax: "mul{.rnd}{.ftz}{.sat}.f16 d, a, b", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "mul{.rnd}{.ftz}{.sat}.f16x2 d, a, b", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "mul{.rnd}.bf16 d, a, b", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "mul{.rnd}.bf16x2 d, a, b", Chapter: chapterHalf, With: "rnd=rn"},
		},
	},
	{
		Op: OpMad, Meaning: "d = a * b + c, of the product its low or high half", Unit: UnitFMA, Wait: WaitALU, Chapter: chapterInteger,
		Lead: "hi lo wide",
		Forms: []Form{
			{Syntax: "mad.mode.type d, a, b, c", With: "mode=hi lo, type=u16 u32 u64 s16 s32 s64"},
			{Syntax: "mad.mode.type d, a, b, c", With: "mode=wide, type=u16 u32 s16 s32", Args: "=w0 0 0 w0"},
			{Syntax: "mad.hi.sat.s32 d, a, b, c"},
			{Syntax: "mad.hilo.cc.type d, a, b, c", Chapter: chapterExtended, With: "hilo=hi lo, type=u32 s32 u64 s64"},
			{Syntax: "mad{.ftz}{.sat}.f32 d, a, b, c", Chapter: chapterFloat, Rule: onlyBelowSM20},
			{Syntax: "mad.rnd{.ftz}{.sat}.f32 d, a, b, c", Chapter: chapterFloat},
			{Syntax: "mad.rnd.f64 d, a, b, c", Chapter: chapterFloat},
		},
	},
	{
		Op: OpMul24, Meaning: "d = the low or high 32 of the 48 bits of a * b, a and b of 24 bits", Unit: UnitFMA, Wait: WaitALU, Chapter: chapterInteger,
		Lead:  "hi lo",
		Forms: []Form{{Syntax: "mul24.mode.type d, a, b", With: "mode=hi lo, type=u32 s32"}},
	},
	{
		Op: OpMad24, Meaning: "d = (the low or high 32 of the 48 bits of a * b) + c", Unit: UnitFMA, Wait: WaitALU, Chapter: chapterInteger,
		Lead: "hi lo",
		Forms: []Form{
			{Syntax: "mad24.mode.type d, a, b, c", With: "mode=hi lo, type=u32 s32"},
			{Syntax: "mad24.hi.sat.s32 d, a, b, c"},
		},
	},
	{
		Op: OpSad, Meaning: "d = c + |a - b|", Unit: UnitALU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{{Syntax: "sad.type d, a, b, c", With: "type=u16 u32 u64 s16 s32 s64"}},
	},
	{
		Op: OpDiv, Meaning: "d = a / b", Unit: UnitXU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{
			{Syntax: "div.type d, a, b", With: "type=u16 u32 u64 s16 s32 s64"},
			{Syntax: "div.approx{.ftz}.f32 d, a, b", Chapter: chapterFloat},
			{Syntax: "div.full{.ftz}.f32 d, a, b", Chapter: chapterFloat},
			{Syntax: "div.rnd{.ftz}.f32 d, a, b", Chapter: chapterFloat},
			{Syntax: "div.rnd.f64 d, a, b", Chapter: chapterFloat},
		},
	},
	{
		Op: OpRem, Meaning: "d = a mod b, with the sign of a", Unit: UnitXU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{{Syntax: "rem.type d, a, b", With: "type=u16 u32 u64 s16 s32 s64"}},
	},
	{
		Op: OpAbs, Meaning: "d = |a|", Unit: UnitALU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{
			{Syntax: "abs.type d, a", With: "type=s16 s32 s64"},
			{Syntax: "abs{.ftz}.f32 d, a", Chapter: chapterFloat},
			{Syntax: "abs.f64 d, a", Chapter: chapterFloat},
			{Syntax: "abs{.ftz}.f16 d, a", Chapter: chapterHalf},
			{Syntax: "abs{.ftz}.f16x2 d, a", Chapter: chapterHalf},
			{Syntax: "abs.bf16 d, a", Chapter: chapterHalf},
			{Syntax: "abs.bf16x2 d, a", Chapter: chapterHalf},
		},
	},
	{
		Op: OpNeg, Meaning: "d = -a", Unit: UnitALU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{
			{Syntax: "neg.type d, a", With: "type=s16 s32 s64"},
			{Syntax: "neg{.ftz}.f32 d, a", Chapter: chapterFloat},
			{Syntax: "neg.f64 d, a", Chapter: chapterFloat},
			{Syntax: "neg{.ftz}.f16 d, a", Chapter: chapterHalf},
			{Syntax: "neg{.ftz}.f16x2 d, a", Chapter: chapterHalf},
			{Syntax: "neg.bf16 d, a", Chapter: chapterHalf},
			{Syntax: "neg.bf16x2 d, a", Chapter: chapterHalf},
		},
	},
	{
		Op: OpMin, Meaning: "d = min(a, b)", Unit: UnitALU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: minMaxForms("min"),
	},
	{
		Op: OpMax, Meaning: "d = max(a, b)", Unit: UnitALU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: minMaxForms("max"),
	},
	{
		Op: OpPopc, Meaning: "d = number of ones in a", Unit: UnitXU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{{Syntax: "popc.type d, a", With: "type=b32 b64", Args: "=u32 0"}},
	},
	{
		Op: OpClz, Meaning: "d = number of leading zeros of a", Unit: UnitXU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{{Syntax: "clz.type d, a", With: "type=b32 b64", Args: "=u32 0"}},
	},
	{
		Op: OpBfind, Meaning: "d = position of the most significant non-sign bit of a", Unit: UnitXU, Wait: WaitALU, Chapter: chapterInteger,
		With: "type=u32 u64 s32 s64",
		Forms: []Form{
			{Syntax: "bfind.type d, a", Args: "=u32 0"},
			{Syntax: "bfind.shiftamt.type d, a", Args: "=u32 0"},
		},
	},
	{
		Op: OpFns, Meaning: "d = position of the offset-th one of mask, from base", Unit: UnitXU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{{Syntax: "fns.b32 d, mask, base, offset", Args: "=0 0 0 s32"}},
	},
	{
		Op: OpBrev, Meaning: "d = bits of a in reverse order", Unit: UnitXU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{{Syntax: "brev.type d, a", With: "type=b32 b64"}},
	},
	{
		Op: OpBfe, Meaning: "d = c bits of a from position b", Unit: UnitALU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{{Syntax: "bfe.type d, a, b, c", With: "type=u32 u64 s32 s64", Args: "=0 0 i(0..255) i(0..255)"}},
	},
	{
		Op: OpBfi, Meaning: "f = b with d bits from position c replaced by a", Unit: UnitALU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{{Syntax: "bfi.type f, a, b, c, d", With: "type=b32 b64", Args: "=0 0 0 i(0..255) i(0..255)"}},
	},
	{
		Op: OpSzext, Meaning: "d = the low b bits of a, extended by sign or zero", Unit: UnitALU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{{Syntax: "szext.mode.type d, a, b", With: "mode=clamp wrap, type=u32 s32", Args: "=0 0 u32"}},
	},
	{
		Op: OpBmsk, Meaning: "d = b ones from position a", Unit: UnitALU, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{{Syntax: "bmsk.mode.b32 d, a, b", With: "mode=clamp wrap", Args: "=0 0 0"}},
	},
	{
		Op: OpDp4a, Meaning: "d = c + sum of a.byte[i] * b.byte[i]", Unit: UnitFMA, Wait: WaitALU, Chapter: chapterInteger,
		Forms: []Form{{Syntax: "dp4a.atype.btype d, a, b, c", With: "atype=u32 s32, btype=u32 s32", Args: "=s32 0 1 s32"}},
	},
	{
		Op: OpDp2a, Meaning: "d = c + sum of a.half[i] * b.byte[i], the low or high two bytes of b", Unit: UnitFMA, Wait: WaitALU, Chapter: chapterInteger,
		Lead:  "lo hi",
		Forms: []Form{{Syntax: "dp2a.mode.atype.btype d, a, b, c", With: "mode=lo hi, atype=u32 s32, btype=u32 s32", Args: "=s32 0 1 s32"}},
	},
	{
		Op: OpAddc, Meaning: "d = a + b + carry", Unit: UnitALU, Wait: WaitALU, Chapter: chapterExtended,
		Forms: []Form{
			{Syntax: "addc{.cc}.type d, a, b", With: "type=u32 s32 u64 s64"},
			{Syntax: "addc{.cc}.type d, a, b", With: "type=u16 s16", Rule: undocumentedWithout(ModCC)},
		},
	},
	{
		Op: OpSubc, Meaning: "d = a - (b + borrow)", Unit: UnitALU, Wait: WaitALU, Chapter: chapterExtended,
		Forms: []Form{
			{Syntax: "subc{.cc}.type d, a, b", With: "type=u32 s32 u64 s64"},
			{Syntax: "subc{.cc}.type d, a, b", With: "type=u16 s16", Rule: undocumentedWithout(ModCC)},
		},
	},
	{
		Op: OpMadc, Meaning: "d = (low or high half of a * b) + c + carry", Unit: UnitFMA, Wait: WaitALU, Chapter: chapterExtended,
		Lead: "hi lo", With: "hilo=hi lo",
		Forms: []Form{
			{Syntax: "madc.hilo{.cc}.type d, a, b, c", With: "type=u32 s32 u64 s64"},
			{Syntax: "madc.hilo{.cc}.type d, a, b, c", With: "type=u16 s16", Rule: undocumentedWithout(ModCC)},
		},
	},
}

// minMaxForms are the syntax lines of min and max.
func minMaxForms(op string) []Form {
	return []Form{
		{Syntax: op + ".atype d, a, b", With: "atype=u16 u32 u64 u16x2 s16 s64"},
		{Syntax: op + "{.relu}.btype d, a, b", With: "btype=s16x2 s32"},
		{Syntax: op + "{.ftz}{.NaN}{.xorsign.abs}.f32 d, a, b", Chapter: chapterFloat},
		{Syntax: op + "{.ftz}{.NaN}{.abs}.f32 d, a, b, c", Chapter: chapterFloat},
		{Syntax: op + ".f64 d, a, b", Chapter: chapterFloat},
		{Syntax: op + "{.ftz}{.NaN}{.xorsign.abs}.f16 d, a, b", Chapter: chapterHalf},
		{Syntax: op + "{.ftz}{.NaN}{.xorsign.abs}.f16x2 d, a, b", Chapter: chapterHalf},
		{Syntax: op + "{.NaN}{.xorsign.abs}.bf16 d, a, b", Chapter: chapterHalf},
		{Syntax: op + "{.NaN}{.xorsign.abs}.bf16x2 d, a, b", Chapter: chapterHalf},
	}
}
