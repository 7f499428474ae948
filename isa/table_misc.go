package isa

const (
	chapterStack = "Stack Manipulation Instructions"
	chapterVideo = "Scalar Video Instructions"
	chapterSIMD  = "SIMD Video Instructions"
	chapterMisc  = "Miscellaneous Instructions"
)

var stackRows = []Row{
	{
		Op: OpStacksave, Meaning: "d = stack pointer", Unit: UnitALU, Wait: WaitALU, Chapter: chapterStack,
		Forms: []Form{{Syntax: "stacksave.type d", With: "type=u32 u64"}},
	},
	{
		Op: OpStackrestore, Meaning: "stack pointer = a", Unit: UnitALU, Wait: WaitALU, Chapter: chapterStack,
		Forms: []Form{{Syntax: "stackrestore.type a", With: "type=u32 u64", Args: "0"}},
	},
	{
		Op: OpAlloca, Meaning: "ptr = size bytes of the stack", Unit: UnitALU, Wait: WaitALU, Chapter: chapterStack,
		Forms: []Form{{Syntax: "alloca.type ptr, size{, immAlign}", With: "type=u32 u64", Args: "=0 0 #?"}},
	},
}

const scalarWords = "dtype=u32 s32, atype=u32 s32, btype=u32 s32, op2=add min max, cmp=eq ne lt le gt ge"

// scalarForms are the three syntax lines that vadd, vsub, vabsdiff, vmin and vmax share.
var scalarForms = []Form{
	{Syntax: "vop.dtype.atype.btype{.sat} d, a{.asel}, b{.bsel}", Args: "=0 1. 2."},
	{Syntax: "vop.dtype.atype.btype{.sat}.op2 d, a{.asel}, b{.bsel}, c", Args: "=0 1. 2. 0"},
	{Syntax: "vop.dtype.atype.btype{.sat} d.dsel, a{.asel}, b{.bsel}, c", Args: "=0.! 1. 2. 0"},
}

var shiftForms = []Form{
	{Syntax: "vop.dtype.atype.u32{.sat}.mode d, a{.asel}, b{.bsel}", Args: "=0 1. 2."},
	{Syntax: "vop.dtype.atype.u32{.sat}.mode.op2 d, a{.asel}, b{.bsel}, c", Args: "=0 1. 2. 0"},
	{Syntax: "vop.dtype.atype.u32{.sat}.mode d.dsel, a{.asel}, b{.bsel}, c", Args: "=0.! 1. 2. 0"},
}

var halfForms = []Form{
	{Syntax: "vop2.dtype.atype.btype{.sat} d{.mask}, a{.asel}, b{.bsel}, c", Args: "=0. 1. 2. 0"},
	{Syntax: "vop2.dtype.atype.btype.add d{.mask}, a{.asel}, b{.bsel}, c", Args: "=0. 1. 2. 0"},
}

var byteForms = []Form{
	{Syntax: "vop4.dtype.atype.btype{.sat} d{.mask}, a{.asel}, b{.bsel}, c", Args: "=0. 1. 2. 0"},
	{Syntax: "vop4.dtype.atype.btype.add d{.mask}, a{.asel}, b{.bsel}, c", Args: "=0. 1. 2. 0"},
}

// videoRow is a row of the video instructions: its operands are 32-bit integers of which bytes or halves are picked.
func videoRow(op Opcode, chapter, meaning string, forms []Form) Row {
	return Row{Op: op, Meaning: meaning, Unit: UnitALU, Wait: WaitALU, Chapter: chapter, With: scalarWords + ", mode=clamp wrap", Forms: forms}
}

var videoRows = []Row{
	videoRow(OpVadd, chapterVideo, "d = sat(a + b) op2 c", scalarForms),
	videoRow(OpVsub, chapterVideo, "d = sat(a - b) op2 c", scalarForms),
	videoRow(OpVabsdiff, chapterVideo, "d = sat(|a - b|) op2 c", scalarForms),
	videoRow(OpVmin, chapterVideo, "d = sat(min(a, b)) op2 c", scalarForms),
	videoRow(OpVmax, chapterVideo, "d = sat(max(a, b)) op2 c", scalarForms),
	videoRow(OpVshl, chapterVideo, "d = sat(a << b) op2 c", shiftForms),
	videoRow(OpVshr, chapterVideo, "d = sat(a >> b) op2 c", shiftForms),
	videoRow(OpVmad, chapterVideo, "d = sat((a * b + c) >> scale)", []Form{
		{Syntax: "vmad.dtype.atype.btype{.sat}{.scale} d, {-}a{.asel}, {-}b{.bsel}, {-}c", With: "scale=shr7 shr15", Args: "=0 -1. -2. -0"},
		{Syntax: "vmad.dtype.atype.btype.po{.sat}{.scale} d, a{.asel}, b{.bsel}, c", With: "scale=shr7 shr15", Args: "=0 1. 2. 0"},
	}),
	videoRow(OpVset, chapterVideo, "d = (a cmp b) op2 c", []Form{
		{Syntax: "vset.atype.btype.cmp d, a{.asel}, b{.bsel}", Args: "=u32 0. 1."},
		{Syntax: "vset.atype.btype.cmp.op2 d, a{.asel}, b{.bsel}, c", Args: "=u32 0. 1. u32"},
		{Syntax: "vset.atype.btype.cmp d.dsel, a{.asel}, b{.bsel}, c", Args: "=u32.! 0. 1. u32"},
	}),
	videoRow(OpVadd2, chapterSIMD, "d = a + b by halves, merged with c or summed", halfForms),
	videoRow(OpVsub2, chapterSIMD, "d = a - b by halves, merged with c or summed", halfForms),
	videoRow(OpVavrg2, chapterSIMD, "d = the mean of a and b by halves, merged with c or summed", halfForms),
	videoRow(OpVabsdiff2, chapterSIMD, "d = |a - b| by halves, merged with c or summed", halfForms),
	videoRow(OpVmin2, chapterSIMD, "d = min(a, b) by halves, merged with c or summed", halfForms),
	videoRow(OpVmax2, chapterSIMD, "d = max(a, b) by halves, merged with c or summed", halfForms),
	videoRow(OpVset2, chapterSIMD, "d = a cmp b by halves, merged with c or summed", []Form{
		{Syntax: "vset2.atype.btype.cmp d{.mask}, a{.asel}, b{.bsel}, c", Args: "=u32. 0. 1. u32"},
		{Syntax: "vset2.atype.btype.cmp.add d{.mask}, a{.asel}, b{.bsel}, c", Args: "=u32. 0. 1. u32"},
	}),
	videoRow(OpVadd4, chapterSIMD, "d = a + b by bytes, merged with c or summed", byteForms),
	videoRow(OpVsub4, chapterSIMD, "d = a - b by bytes, merged with c or summed", byteForms),
	videoRow(OpVavrg4, chapterSIMD, "d = the mean of a and b by bytes, merged with c or summed", byteForms),
	videoRow(OpVabsdiff4, chapterSIMD, "d = |a - b| by bytes, merged with c or summed", byteForms),
	videoRow(OpVmin4, chapterSIMD, "d = min(a, b) by bytes, merged with c or summed", byteForms),
	videoRow(OpVmax4, chapterSIMD, "d = max(a, b) by bytes, merged with c or summed", byteForms),
	videoRow(OpVset4, chapterSIMD, "d = a cmp b by bytes, merged with c or summed", []Form{
		{Syntax: "vset4.atype.btype.cmp d{.mask}, a{.asel}, b{.bsel}, c", Args: "=u32. 0. 1. u32"},
		{Syntax: "vset4.atype.btype.cmp.add d{.mask}, a{.asel}, b{.bsel}, c", Args: "=u32. 0. 1. u32"},
	}),
}

var miscRows = []Row{
	{
		Op: OpBrkpt, Meaning: "stop for a debugger", Unit: UnitBranch, Wait: WaitALU, Chapter: chapterMisc,
		Forms: []Form{{Syntax: "brkpt"}},
	},
	{
		Op: OpNanosleep, Meaning: "sleep about t nanoseconds", Unit: UnitBranch, Wait: WaitALU, Chapter: chapterMisc,
		Forms: []Form{{Syntax: "nanosleep.u32 t", Args: "0"}},
	},
	{
		Op: OpPmevent, Meaning: "trigger performance-monitor event a", Unit: UnitBranch, Wait: WaitALU, Chapter: chapterMisc,
		Forms: []Form{
			{Syntax: "pmevent a", Args: "#(0..15)"},
			{Syntax: "pmevent.mask a", Args: "#(0..65535)"},
		},
	},
	{
		Op: OpTrap, Meaning: "abort the grid", Unit: UnitBranch, Wait: WaitALU, Chapter: chapterMisc,
		Forms: []Form{{Syntax: "trap"}},
	},
	{
		Op: OpSetmaxnreg, Meaning: "the warp gives back or asks for registers", Unit: UnitBranch, Wait: WaitALU, Chapter: chapterMisc,
		Forms: []Form{{Syntax: "setmaxnreg.action.sync.aligned.u32 imm-reg-count", With: "action=inc dec", Args: "#(24..256/8)"}},
	},
}

var articleRows = []Row{
	{
		Op: OpSyncNVLink, Meaning: "one round of the barrier over the cards of group; id numbers the round", Unit: UnitNVLink, Wait: WaitBarrier, Origin: "article",
		Chapter: "The article's operators",
		Forms:   []Form{{Syntax: "sync.nvlink group, id", Args: "group u32"}},
	},
	{
		Op: OpCopyNVLink, Meaning: "send count elements at src to every other card's inbox for dst", Unit: UnitNVLink, Wait: WaitCopy, Origin: "article",
		Chapter: "The article's operators",
		Forms:   []Form{{Syntax: "copy.nvlink{.type} src, dst{, count}", With: "type=b8 b16 b32 b64 f16 bf16 f32 f64 s32 u32 u64", Args: "place place count?"}},
	},
	{
		Op: OpReduce, Meaning: "dst = src of all cards, folded by op in ascending card order, rounded once", Unit: UnitNVLink, Wait: WaitReduce, Origin: "article",
		Chapter: "The article's operators",
		Forms: []Form{
			{Syntax: "reduce.op.type dst, src{, count}", With: "op=add min max, type=f16 bf16 f32 f64 s32 u32 u64", Args: "place place count?"},
			{Syntax: "reduce.op.type dst, src{, count}", With: "op=and or xor, type=s32 u32 u64", Args: "place place count?"},
		},
	},
	{
		Op: OpUnblockTC, Meaning: "close the launch's window: the Tensor Cores run again", Unit: UnitNVLink, Wait: WaitALU, Origin: "article",
		Chapter: "The article's operators",
		Forms:   []Form{{Syntax: "unblock.tc"}},
	},
}
