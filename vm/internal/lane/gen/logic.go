package main

// logic: PTX ISA, "Logic and Shift Instructions". Predicate logic is in predicate.go of the package: it needs no loop.
var logic = []line{
	{"and.b32 and.b16", "u:uu", "a & b"},
	{"and.b64", "U:UU", "a & b"},
	{"or.b32 or.b16", "u:uu", "a | b"},
	{"or.b64", "U:UU", "a | b"},
	{"xor.b32 xor.b16", "u:uu", "a ^ b"},
	{"xor.b64", "U:UU", "a ^ b"},
	{"not.b16", "h:h", "^a"},
	{"not.b32", "u:u", "^a"},
	{"not.b64", "U:U", "^a"},
	{"cnot.b32 cnot.b16", "u:u", "isZero(a)"},
	{"cnot.b64", "U:U", "isZero(a)"},
	{"shl.b16", "h:hu", "a << b"},
	{"shl.b32", "u:uu", "a << b"},
	{"shl.b64", "U:Uu", "a << b"},
	{"shr.u16 shr.b16", "h:hu", "a >> b"},
	{"shr.u32 shr.b32", "u:uu", "a >> b"},
	{"shr.u64 shr.b64", "U:Uu", "a >> b"},
	{"shr.s16", "i:iu", "a >> b"},
	{"shr.s32", "s:su", "a >> b"},
	{"shr.s64", "S:Su", "a >> b"},
	{"shf.l.wrap.b32", "u:uuu", "uint32((uint64(b)<<32 | uint64(a)) << (c & 31) >> 32)"},
	{"shf.l.clamp.b32", "u:uuu", "b<<min(c, 32) | a>>(32-min(c, 32))"},
	{"shf.r.wrap.b32", "u:uuu", "uint32((uint64(b)<<32 | uint64(a)) >> (c & 31))"},
	{"shf.r.clamp.b32", "u:uuu", "a>>min(c, 32) | b<<(32-min(c, 32))"},
	{"prmt.b32", "u:uuu", "permute(a, b, c)"},
	{"prmt.f4e.b32", "u:uuu", "uint32((uint64(b)<<32 | uint64(a)) >> ((c & 3) * 8))"},
	{"prmt.b4e.b32", "u:uuu", "permute(a, b, backward[c&3])"},
	{"prmt.rc8.b32", "u:uuu", "(a >> ((c & 3) * 8) & 0xff) * 0x01010101"},
	{"prmt.ecl.b32", "u:uuu", "permute(a, b, edgeLeft[c&3])"},
	{"prmt.ecr.b32", "u:uuu", "permute(a, b, edgeRight[c&3])"},
	{"prmt.rc16.b32", "u:uuu", "(a >> ((c & 1) * 16) & 0xffff) * 0x00010001"},
}

// moves: selections and copies of "Comparison and Selection" and "Data Movement".
var moves = []line{
	{"mov.b32 mov.u32 mov.s32 mov.f32 mov.b16 mov.u16 mov.s16", "u:u", "a"},
	{"mov.b64 mov.u64 mov.s64 mov.f64", "U:U", "a"},
	{"selp.b32 selp.u32 selp.s32 selp.f32 selp.b16 selp.u16 selp.s16", "u:uup", "choose(c != 0, a, b)"},
	{"selp.b64 selp.u64 selp.s64 selp.f64", "U:UUp", "choose(c != 0, a, b)"},
	{"slct.b32.s32 slct.u32.s32 slct.s32.s32 slct.f32.s32 slct.b16.s32 slct.u16.s32 slct.s16.s32", "u:uus", "a ^ (a^b)&uint32(c>>31)"},
	{"slct.b64.s32 slct.u64.s32 slct.s64.s32 slct.f64.s32", "U:UUs", "a ^ (a^b)&uint64(int64(c>>31))"},
	{"slct.b32.f32 slct.u32.f32 slct.s32.f32 slct.f32.f32 slct.b16.f32 slct.u16.f32 slct.s16.f32", "u:uuf", "choose(c >= 0, a, b)"},
	{"slct.b64.f32 slct.u64.f32 slct.s64.f32 slct.f64.f32", "U:UUf", "choose(c >= 0, a, b)"},
	{"slct.ftz.b32.f32 slct.ftz.u32.f32 slct.ftz.s32.f32 slct.ftz.f32.f32 slct.ftz.b16.f32 slct.ftz.u16.f32 slct.ftz.s16.f32", "u:uuf", "choose(flush32(c) >= 0, a, b)"},
	{"slct.ftz.b64.f32 slct.ftz.u64.f32 slct.ftz.s64.f32 slct.ftz.f64.f32", "U:UUf", "choose(flush32(c) >= 0, a, b)"},
}

// compares are the comparisons of setp and set and the tests of testp; each answers a mask over the lanes.
var compares = join(integerCompares, compareFloats(), tests)

var integerCompares = []line{
	{"setp.eq.b16 setp.eq.u16 setp.eq.s16 setp.eq.b32 setp.eq.u32 setp.eq.s32", "p:uu", "a == b"},
	{"setp.ne.b16 setp.ne.u16 setp.ne.s16 setp.ne.b32 setp.ne.u32 setp.ne.s32", "p:uu", "a != b"},
	{"setp.lt.u32 setp.lo.u32 setp.lt.u16 setp.lo.u16", "p:uu", "a < b"},
	{"setp.le.u32 setp.ls.u32 setp.le.u16 setp.ls.u16", "p:uu", "a <= b"},
	{"setp.gt.u32 setp.hi.u32 setp.gt.u16 setp.hi.u16", "p:uu", "a > b"},
	{"setp.ge.u32 setp.hs.u32 setp.ge.u16 setp.hs.u16", "p:uu", "a >= b"},
	{"setp.lt.s16", "p:ii", "a < b"},
	{"setp.le.s16", "p:ii", "a <= b"},
	{"setp.gt.s16", "p:ii", "a > b"},
	{"setp.ge.s16", "p:ii", "a >= b"},
	{"setp.lt.s32", "p:ss", "a < b"},
	{"setp.le.s32", "p:ss", "a <= b"},
	{"setp.gt.s32", "p:ss", "a > b"},
	{"setp.ge.s32", "p:ss", "a >= b"},
	{"setp.eq.b64 setp.eq.u64 setp.eq.s64", "p:UU", "a == b"},
	{"setp.ne.b64 setp.ne.u64 setp.ne.s64", "p:UU", "a != b"},
	{"setp.lt.u64 setp.lo.u64", "p:UU", "a < b"},
	{"setp.le.u64 setp.ls.u64", "p:UU", "a <= b"},
	{"setp.gt.u64 setp.hi.u64", "p:UU", "a > b"},
	{"setp.ge.u64 setp.hs.u64", "p:UU", "a >= b"},
	{"setp.lt.s64", "p:SS", "a < b"},
	{"setp.le.s64", "p:SS", "a <= b"},
	{"setp.gt.s64", "p:SS", "a > b"},
	{"setp.ge.s64", "p:SS", "a >= b"},
}

// floatCompares are the comparisons of numbers; those that end in u hold for NaN too.
var floatCompares = []struct{ name, expr string }{
	{"eq", "a == b"},
	{"ne", "a < b || a > b"},
	{"lt", "a < b"},
	{"le", "a <= b"},
	{"gt", "a > b"},
	{"ge", "a >= b"},
	{"equ", "!(a < b || a > b)"},
	{"neu", "a != b"},
	{"ltu", "!(a >= b)"},
	{"leu", "!(a > b)"},
	{"gtu", "!(a <= b)"},
	{"geu", "!(a < b)"},
	{"num", "a == a && b == b"},
	{"nan", "a != a || b != b"},
}

func compareFloats() (list []line) {
	for _, c := range floatCompares {
		list = append(list,
			line{"setp." + c.name + ".f32", "p:ff", c.expr},
			line{"setp." + c.name + ".ftz.f32", "p:zz", c.expr},
			line{"setp." + c.name + ".f64", "p:FF", c.expr})
	}
	return list
}

// tests: testp. Zeros count as normal.
var tests = []line{
	{"testp.finite.f32", "p:u", "a<<1 < 0xff<<24"},
	{"testp.infinite.f32", "p:u", "a<<1 == 0xff<<24"},
	{"testp.number.f32", "p:u", "a<<1 <= 0xff<<24"},
	{"testp.notanumber.f32", "p:u", "a<<1 > 0xff<<24"},
	{"testp.normal.f32", "p:u", "a<<1 < 0xff<<24 && (a<<1 >= 1<<24 || a<<1 == 0)"},
	{"testp.subnormal.f32", "p:u", "a<<1 < 1<<24 && a<<1 != 0"},
	{"testp.finite.f64", "p:U", "a<<1 < 0x7ff<<53"},
	{"testp.infinite.f64", "p:U", "a<<1 == 0x7ff<<53"},
	{"testp.number.f64", "p:U", "a<<1 <= 0x7ff<<53"},
	{"testp.notanumber.f64", "p:U", "a<<1 > 0x7ff<<53"},
	{"testp.normal.f64", "p:U", "a<<1 < 0x7ff<<53 && (a<<1 >= 1<<53 || a<<1 == 0)"},
	{"testp.subnormal.f64", "p:U", "a<<1 < 1<<53 && a<<1 != 0"},
}
