package isa

// approxDouble: tinygrad writes approximate f64 instructions that PTX does not have.
const approxDouble = "PTX has no .approx of type .f64 here; it is computed in double precision"

// Floating-point arithmetic beyond what the integer opcodes (add, mul, min, ...) already hold.
var floatRows = []Row{
	{
		Op: OpTestp, Meaning: "p = a has the property", Unit: UnitALU, Wait: WaitALU, Chapter: chapterFloat,
		Forms: []Form{{Syntax: "testp.op.type p, a", With: "op=finite infinite number notanumber normal subnormal, type=f32 f64", Args: "=p 0"}},
	},
	{
		Op: OpCopysign, Meaning: "d = b with the sign of a", Unit: UnitALU, Wait: WaitALU, Chapter: chapterFloat,
		Forms: []Form{{Syntax: "copysign.type d, a, b", With: "type=f32 f64"}},
	},
	{
		Op: OpFma, Meaning: "d = a * b + c, rounded once", Unit: UnitFMA, Wait: WaitALU, Chapter: chapterFloat,
		Forms: []Form{
			{Syntax: "fma.rnd{.ftz}{.sat}.f32 d, a, b, c"},
			{Syntax: "fma.rnd{.ftz}.f32x2 d, a, b, c"},
			{Syntax: "fma.rnd.f64 d, a, b, c"},
			{Syntax: "fma.rnd{.ftz}{.sat}.f16 d, a, b, c", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "fma.rnd{.ftz}{.sat}.f16x2 d, a, b, c", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "fma.rnd{.ftz}.relu.f16 d, a, b, c", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "fma.rnd{.ftz}.relu.f16x2 d, a, b, c", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "fma.rnd{.relu}.bf16 d, a, b, c", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "fma.rnd{.relu}.bf16x2 d, a, b, c", Chapter: chapterHalf, With: "rnd=rn"},
			{Syntax: "fma.rnd.oob{.relu}.type d, a, b, c", Chapter: chapterHalf, With: "rnd=rn, type=f16 f16x2 bf16 bf16x2"},
			{Syntax: "fma.rnd{.sat}.f32.abtype d, a, b, c", Chapter: chapterMixed, With: "abtype=f16 bf16", Args: "=0 1 1 0"},
		},
	},
	{
		Op: OpRcp, Meaning: "d = 1 / a", Unit: UnitXU, Wait: WaitALU, Chapter: chapterFloat,
		Forms: []Form{
			{Syntax: "rcp.approx{.ftz}.f32 d, a"},
			{Syntax: "rcp.rnd{.ftz}.f32 d, a"},
			{Syntax: "rcp.rnd.f64 d, a"},
			{Syntax: "rcp.approx.ftz.f64 d, a"},
			{Syntax: "rcp.approx.f64 d, a", Lenient: approxDouble},
		},
	},
	{
		Op: OpSqrt, Meaning: "d = square root of a", Unit: UnitXU, Wait: WaitALU, Chapter: chapterFloat,
		Forms: []Form{
			{Syntax: "sqrt.approx{.ftz}.f32 d, a"},
			{Syntax: "sqrt.rnd{.ftz}.f32 d, a"},
			{Syntax: "sqrt.rnd.f64 d, a"},
			{Syntax: "sqrt.approx.f64 d, a", Lenient: approxDouble},
		},
	},
	{
		Op: OpRsqrt, Meaning: "d = 1 / square root of a", Unit: UnitXU, Wait: WaitALU, Chapter: chapterFloat,
		Forms: []Form{
			{Syntax: "rsqrt.approx{.ftz}.f32 d, a"},
			{Syntax: "rsqrt.approx.f64 d, a"},
			{Syntax: "rsqrt.approx.ftz.f64 d, a"},
		},
	},
	{
		Op: OpSin, Meaning: "d = sin(a)", Unit: UnitXU, Wait: WaitALU, Chapter: chapterFloat,
		Forms: []Form{{Syntax: "sin.approx{.ftz}.f32 d, a"}, {Syntax: "sin.approx.f64 d, a", Lenient: approxDouble}},
	},
	{
		Op: OpCos, Meaning: "d = cos(a)", Unit: UnitXU, Wait: WaitALU, Chapter: chapterFloat,
		Forms: []Form{{Syntax: "cos.approx{.ftz}.f32 d, a"}},
	},
	{
		Op: OpLg2, Meaning: "d = logarithm of a to the base 2", Unit: UnitXU, Wait: WaitALU, Chapter: chapterFloat,
		Forms: []Form{{Syntax: "lg2.approx{.ftz}.f32 d, a"}, {Syntax: "lg2.approx.f64 d, a", Lenient: approxDouble}},
	},
	{
		Op: OpEx2, Meaning: "d = 2 to the power a", Unit: UnitXU, Wait: WaitALU, Chapter: chapterFloat,
		Forms: []Form{
			{Syntax: "ex2.approx{.ftz}.f32 d, a"},
			{Syntax: "ex2.approx.f64 d, a", Lenient: approxDouble},
			{Syntax: "ex2.approx.atype d, a", Chapter: chapterHalf, With: "atype=f16 f16x2"},
			{Syntax: "ex2.approx.ftz.btype d, a", Chapter: chapterHalf, With: "btype=bf16 bf16x2"},
		},
	},
	{
		Op: OpTanh, Meaning: "d = tanh(a)", Unit: UnitXU, Wait: WaitALU, Chapter: chapterFloat,
		Forms: []Form{
			{Syntax: "tanh.approx.type d, a", With: "type=f32"},
			{Syntax: "tanh.approx.type d, a", Chapter: chapterHalf, With: "type=f16 f16x2 bf16 bf16x2"},
		},
	},
}
