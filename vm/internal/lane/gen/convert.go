package main

// conversions are the forms of cvt that loops of compiled code are full of. The others are composed of closures (convert.go of the package).
var conversions = []line{
	{"cvt.u64.u32", "U:u", "uint64(a)"},
	{"cvt.s64.s32 cvt.u64.s32", "S:s", "int64(a)"},
	{"cvt.s64.u32", "U:u", "uint64(a)"},
	{"cvt.u32.u64 cvt.s32.u64 cvt.u32.s64 cvt.s32.s64", "u:U", "uint32(a)"},
	{"cvt.u32.u16 cvt.s32.u16 cvt.u16.u32 cvt.u16.s32 cvt.s16.u32 cvt.s16.s32", "h:h", "a"},
	{"cvt.s32.s16 cvt.u32.s16", "s:i", "int32(a)"},
	{"cvt.rn.f32.s32", "f:s", "float32(a)"},
	{"cvt.rn.f32.u32", "f:u", "float32(a)"},
	{"cvt.rn.f64.s32", "F:s", "float64(a)"},
	{"cvt.rn.f64.u32", "F:u", "float64(a)"},
	{"cvt.f64.f32", "F:f", "float64(a)"},
	{"cvt.rn.f32.f64", "f:F", "float32(a)"},
	{"cvt.rn.f32.u16", "f:h", "float32(a)"},
	{"cvt.rn.f32.s16", "f:i", "float32(a)"},
	{"cvt.rzi.s32.f32", "s:f", "truncatedS32(a)"},
	{"cvt.rzi.u32.f32", "u:f", "truncatedU32(a)"},
	{"cvt.f32.f16", "f:h", "fromF16(a)"},
	{"cvt.f32.bf16", "f:h", "fromBF16(a)"},
	{"cvt.rn.f16.f32", "h:f", "toF16(a)"},
	{"cvt.rn.bf16.f32", "h:f", "toBF16(a)"},
	{"cvt.rn.f16x2.f32", "u:ff", "pack(toF16(b), toF16(a))"},
	{"cvt.rn.bf16x2.f32", "u:ff", "pack(toBF16(b), toBF16(a))"},
}
