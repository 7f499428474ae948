package main

// floats32: PTX ISA, "Floating Point Instructions", single precision, round to nearest even. An explicit float32(...)
// around a product keeps the Go compiler of some hosts from fusing it with a following addition.
var floats32 = []line{
	{"add.f32 add.rn.f32", "f:ff", "a + b"},
	{"sub.f32 sub.rn.f32", "f:ff", "a - b"},
	{"mul.f32 mul.rn.f32", "f:ff", "a * b"},
	{"div.rn.f32 div.full.f32", "f:ff", "a / b"},
	{"div.approx.f32", "f:ff", "approxQuotient(a, b)"},
	{"div.approx.ftz.f32", "f:ff", "flush32(approxQuotient(flush32(a), flush32(b)))"},
	{"rcp.rn.f32 rcp.approx.f32", "f:f", "1 / a"},
	{"sqrt.rn.f32 sqrt.approx.f32", "f:f", "float32(math.Sqrt(float64(a)))"},
	{"add.ftz.f32 add.rn.ftz.f32", "f:ff", "flush32(flush32(a) + flush32(b))"},
	{"sub.ftz.f32 sub.rn.ftz.f32", "f:ff", "flush32(flush32(a) - flush32(b))"},
	{"mul.ftz.f32 mul.rn.ftz.f32", "f:ff", "flush32(flush32(a) * flush32(b))"},
	{"div.rn.ftz.f32 div.full.ftz.f32", "f:ff", "flush32(flush32(a) / flush32(b))"},
	{"rcp.rn.ftz.f32 rcp.approx.ftz.f32", "f:f", "flush32(1 / flush32(a))"},
	{"sqrt.rn.ftz.f32 sqrt.approx.ftz.f32", "f:f", "flush32(float32(math.Sqrt(float64(flush32(a)))))"},
	{"min.f32", "f:ff", "f32Min(a, b)"},
	{"max.f32", "f:ff", "f32Max(a, b)"},
	{"abs.f32", "f:f", "math.Float32frombits(math.Float32bits(a) &^ (1 << 31))"},
	{"neg.f32", "f:f", "math.Float32frombits(math.Float32bits(a) ^ 1<<31)"},
	{"abs.ftz.f32", "f:f", "flush32(math.Float32frombits(math.Float32bits(a) &^ (1 << 31)))"},
	{"neg.ftz.f32", "f:f", "flush32(math.Float32frombits(math.Float32bits(a) ^ 1<<31))"},
	{"copysign.f32", "u:uu", "a&(1<<31) | b&^(1<<31)"},
}

// floats64: double precision, round to nearest even.
var floats64 = []line{
	{"add.f64 add.rn.f64", "F:FF", "a + b"},
	{"sub.f64 sub.rn.f64", "F:FF", "a - b"},
	{"mul.f64 mul.rn.f64", "F:FF", "a * b"},
	{"fma.rn.f64 mad.rn.f64 mad.f64", "F:FFF", "math.FMA(a, b, c)"},
	{"div.rn.f64 div.f64", "F:FF", "a / b"},
	{"rcp.rn.f64", "F:F", "1 / a"},
	{"sqrt.rn.f64", "F:F", "math.Sqrt(a)"},
	{"min.f64", "F:FF", "f64Min(a, b)"},
	{"max.f64", "F:FF", "f64Max(a, b)"},
	{"abs.f64", "F:F", "math.Abs(a)"},
	{"neg.f64", "F:F", "-a"},
	{"copysign.f64", "U:UU", "a&(1<<63) | b&^(1<<63)"},
}

// halves: f16 and bf16 and their pairs, round to nearest even, in the forms that compilers write.
var halves = []line{
	{"add.f16 add.rn.f16", "h:hh", "f16Add(a, b)"},
	{"sub.f16 sub.rn.f16", "h:hh", "f16Sub(a, b)"},
	{"mul.f16 mul.rn.f16", "h:hh", "f16Mul(a, b)"},
	{"fma.rn.f16", "h:hhh", "f16Fma(a, b, c)"},
	{"add.bf16 add.rn.bf16", "h:hh", "bf16Add(a, b)"},
	{"sub.bf16 sub.rn.bf16", "h:hh", "bf16Sub(a, b)"},
	{"mul.bf16 mul.rn.bf16", "h:hh", "bf16Mul(a, b)"},
	{"fma.rn.bf16", "h:hhh", "bf16Fma(a, b, c)"},
	{"add.f16x2 add.rn.f16x2", "u:uu", "pack(f16Add(uint16(a), uint16(b)), f16Add(uint16(a>>16), uint16(b>>16)))"},
	{"sub.f16x2 sub.rn.f16x2", "u:uu", "pack(f16Sub(uint16(a), uint16(b)), f16Sub(uint16(a>>16), uint16(b>>16)))"},
	{"mul.f16x2 mul.rn.f16x2", "u:uu", "pack(f16Mul(uint16(a), uint16(b)), f16Mul(uint16(a>>16), uint16(b>>16)))"},
	{"fma.rn.f16x2", "u:uuu", "pack(f16Fma(uint16(a), uint16(b), uint16(c)), f16Fma(uint16(a>>16), uint16(b>>16), uint16(c>>16)))"},
	{"add.bf16x2 add.rn.bf16x2", "u:uu", "pack(bf16Add(uint16(a), uint16(b)), bf16Add(uint16(a>>16), uint16(b>>16)))"},
	{"sub.bf16x2 sub.rn.bf16x2", "u:uu", "pack(bf16Sub(uint16(a), uint16(b)), bf16Sub(uint16(a>>16), uint16(b>>16)))"},
	{"mul.bf16x2 mul.rn.bf16x2", "u:uu", "pack(bf16Mul(uint16(a), uint16(b)), bf16Mul(uint16(a>>16), uint16(b>>16)))"},
	{"fma.rn.bf16x2", "u:uuu", "pack(bf16Fma(uint16(a), uint16(b), uint16(c)), bf16Fma(uint16(a>>16), uint16(b>>16), uint16(c>>16)))"},
	{"abs.f16 abs.bf16", "u:u", "a &^ 0x8000"},
	{"neg.f16 neg.bf16", "u:u", "a ^ 0x8000"},
	{"abs.f16x2 abs.bf16x2", "u:u", "a &^ 0x80008000"},
	{"neg.f16x2 neg.bf16x2", "u:u", "a ^ 0x80008000"},
	{"abs.ftz.f16", "u:u", "formatF16.flush(a &^ 0x8000)"},
	{"neg.ftz.f16", "u:u", "formatF16.flush(a ^ 0x8000)"},
	{"abs.ftz.f16x2", "u:u", "flushPair(a &^ 0x80008000)"},
	{"neg.ftz.f16x2", "u:u", "flushPair(a ^ 0x80008000)"},
}
