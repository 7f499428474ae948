package main

// floats32: PTX ISA, "Floating Point Instructions", single precision, round to nearest even. An explicit float32(...)
// around a product keeps the Go compiler of some hosts from fusing it with a following addition.
var floats32 = []line{
	{"add.f32 add.rn.f32", "f:ff", "a + b"},
	{"sub.f32 sub.rn.f32", "f:ff", "a - b"},
	{"mul.f32 mul.rn.f32", "f:ff", "a * b"},
	{"fma.rn.f32 mad.rn.f32 mad.f32", "f:fff", "fma32(a, b, c)"},
	{"div.rn.f32 div.full.f32 div.approx.f32", "f:ff", "a / b"},
	{"rcp.rn.f32 rcp.approx.f32", "f:f", "1 / a"},
	{"sqrt.rn.f32 sqrt.approx.f32", "f:f", "float32(math.Sqrt(float64(a)))"},
	{"add.ftz.f32 add.rn.ftz.f32", "f:ff", "flush32(flush32(a) + flush32(b))"},
	{"sub.ftz.f32 sub.rn.ftz.f32", "f:ff", "flush32(flush32(a) - flush32(b))"},
	{"mul.ftz.f32 mul.rn.ftz.f32", "f:ff", "flush32(flush32(a) * flush32(b))"},
	{"fma.rn.ftz.f32 mad.rn.ftz.f32 mad.ftz.f32", "f:fff", "flush32(fma32(flush32(a), flush32(b), flush32(c)))"},
	{"div.rn.ftz.f32 div.full.ftz.f32 div.approx.ftz.f32", "f:ff", "flush32(flush32(a) / flush32(b))"},
	{"rcp.rn.ftz.f32 rcp.approx.ftz.f32", "f:f", "flush32(1 / flush32(a))"},
	{"sqrt.rn.ftz.f32 sqrt.approx.ftz.f32", "f:f", "flush32(float32(math.Sqrt(float64(flush32(a)))))"},
	{"min.f32", "f:ff", "min32(a, b)"},
	{"max.f32", "f:ff", "max32(a, b)"},
	{"abs.f32", "f:f", "math.Float32frombits(math.Float32bits(a) &^ (1 << 31))"},
	{"neg.f32", "f:f", "math.Float32frombits(math.Float32bits(a) ^ 1<<31)"},
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
	{"min.f64", "F:FF", "min64(a, b)"},
	{"max.f64", "F:FF", "max64(a, b)"},
	{"abs.f64", "F:F", "math.Abs(a)"},
	{"neg.f64", "F:F", "-a"},
	{"copysign.f64", "U:UU", "a&(1<<63) | b&^(1<<63)"},
}

// halves: f16 and bf16 and their pairs, round to nearest even, in the forms that compilers write.
var halves = []line{}
