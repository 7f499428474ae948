package parser

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/isa"
)

const head = ".version 8.3\n.target sm_90\n.address_size 64\n"

// parse parses what follows the header, and fails the test on an error.
func parse(t *testing.T, text string) *isa.Module {
	t.Helper()
	m, ds := Parse("t.ptx", head+text, Options{})
	if m == nil {
		t.Fatalf("%v\n%s", ds, text)
	}
	return m
}

// kernel parses the body of an entry.
func kernel(t *testing.T, body string) *isa.Func {
	t.Helper()
	return parse(t, ".global .align 16 .b8 g[64];\n.entry k(.param .u64 p)\n{\n"+body+"\n}\n").EntryNamed("k")
}

func TestOnlyUsedRegistersTakeMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f := kernel(t, ".reg .b32 %r<1000000000>; .reg .b32 %s<65536>; add.u32 %r999999999, %r7, %s65535; mov.u32 %r007, %r7; ret;")
	runtime.ReadMemStats(&after)
	var names []string
	for _, r := range f.Regs {
		names = append(names, r.Name)
	}
	if d := cmp.Diff([]string{"%r999999999", "%r7", "%s65535"}, names); d != "" {
		t.Error(d)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("%d bytes allocated", n)
	}
	if dst, src := f.Code[1].Operands[0].Reg, f.Code[1].Operands[1].Reg; dst != src {
		t.Error("%r007 is not %r7")
	}
}

func TestScopesShadow(t *testing.T) {
	f := kernel(t, `.reg .u32 a, b; mov.u32 a, 1; { .reg .u64 a; mov.u64 a, 2; { .reg .f32 a; mov.f32 a, 0f00000000; mov.u32 b, 3; } mov.u64 a, 4; } mov.u32 a, 5; ret;`)
	var got []string
	for i := range f.Code[:len(f.Code)-1] {
		r := f.Code[i].Operands[0].Reg
		got = append(got, fmt.Sprintf("%s%d", f.Regs[r].Type, r))
	}
	if d := cmp.Diff([]string{"u320", "u641", "f322", "u323", "u641", "u320"}, got); d != "" {
		t.Error(d)
	}
}

func TestRegistersNeedNoPercentSign(t *testing.T) {
	f := kernel(t, ".reg .pred add; .reg .u32 tid, $x, _y; mov.u32 tid, %tid.x; setp.eq.u32 add, tid, $x; @!add mov.u32 _y, tid; ret;")
	if g := f.Code[2].Guard; g.Reg != 1 || !g.Neg || f.Regs[g.Reg].Name != "add" {
		t.Errorf("guard %+v of %v", g, f.Regs)
	}
	if s := f.Code[0].Operands[1]; s.Kind != isa.OperandSpecial || s.Special != isa.SpecialTID || s.Part != 0 {
		t.Errorf("%%tid.x is %+v", s)
	}
}

func TestOperandForms(t *testing.T) {
	f := kernel(t, `
	.reg .b32 %r<9>; .reg .b64 %d<3>; .reg .pred %p<3>; .reg .v4 .f32 v; .local .align 4 .u32 l[4][8];
	mov.u64 %d1, g+12;
	mov.u64 %d2, l[2][3];
	ld.global.u32 %r1, [%d1+-4];
	ld.global.u32 %r1, [g+4+8*2];
	ld.local.u32 %r1, [16];
	ld.param.u64 %d1, [p];
	mov.b64 %d1, {%r1, %r2};
	setp.eq.u32 %p1|%p2, %r1, 0xFFFFFFFF;
	setp.eq.and.u32 %p1|_, %r1, 1, !%p2;
	mov.f32 v.y, 0fBF800000;
	add.f64 %d1, %d1, 1.5;
	vmad.s32.u32.s32 %r1, %r2.b3, -%r3.h1, %r4;
	shfl.sync.idx.b32 %r1|%p1, %r1, 0, 31, -1;
	ret;`)
	op := func(i, j int) isa.Operand { return f.Code[i].Operands[j] }
	if o := op(0, 1); o.Kind != isa.OperandVar || o.Var.Name != "g" || o.Offset != 12 || o.Reg != isa.NoReg {
		t.Errorf("g+12: %+v", o)
	}
	if o := op(1, 1); o.Offset != (2*8+3)*4 {
		t.Errorf("l[2][3] is at %d", o.Offset)
	}
	if o := op(2, 1); o.Kind != isa.OperandAddress || o.Reg == isa.NoReg || o.Offset != -4 {
		t.Errorf("[%%d1+-4]: %+v", o)
	}
	if o := op(3, 1); o.Var == nil || o.Offset != 20 || o.Reg != isa.NoReg {
		t.Errorf("[g+4+8*2]: %+v", o)
	}
	if o := op(4, 1); o.Var != nil || o.Reg != isa.NoReg || o.Offset != 16 {
		t.Errorf("[16]: %+v", o)
	}
	if o := op(5, 1); o.Var != f.Params[0] {
		t.Errorf("[p]: %+v", o)
	}
	if o := op(6, 1); o.Kind != isa.OperandVector || len(o.List) != 2 || o.List[1].Kind != isa.OperandReg {
		t.Errorf("{%%r1, %%r2}: %+v", o)
	}
	if o := op(7, 0); o.Kind != isa.OperandPair || o.List[1].Kind != isa.OperandReg {
		t.Errorf("%%p1|%%p2: %+v", o)
	}
	if o := op(8, 0); o.List[1].Kind != isa.OperandSink {
		t.Errorf("%%p1|_: %+v", o)
	}
	if o := op(8, 3); !o.Neg {
		t.Errorf("!%%p2: %+v", o)
	}
	if o := op(9, 0); f.Regs[o.Reg].Vec != 4 || o.Part != 1 {
		t.Errorf("v.y: %+v", o)
	}
	if o := op(9, 1); !o.Single || o.Bits != 0xBF800000 {
		t.Errorf("0fBF800000: %+v", o)
	}
	if o := op(10, 2); o.Single || o.Bits != math.Float64bits(1.5) {
		t.Errorf("1.5: %+v", o)
	}
	if o := op(11, 1); o.Select != "b3" || o.Part != -1 {
		t.Errorf("%%r2.b3: %+v", o)
	}
	if o := op(11, 2); o.Select != "h1" || !o.Minus {
		t.Errorf("-%%r3.h1: %+v", o)
	}
	if o := op(12, 4); o.Bits != math.MaxUint64 {
		t.Errorf("-1: %+v", o)
	}
}

// TestConstantExpressions compares with values worked out by C's rules.
func TestConstantExpressions(t *testing.T) {
	for text, want := range map[string]int64{
		"2+3*4": 14, "(2+3)*4": 20, "7/2": 3, "-7/2": -3, "-(1<<4)": -16, "~0": -1, "!5": 0, "!0": 1, "1<<4|3": 19, "6&3": 2, "6^3": 5,
		"1?2:3": 2, "0?2:1?4:5": 4, "3<4&&4<3": 0, "3<4||4<3": 1, "5>=5": 1, "5!=5": 0, "0x10": 16, "010": 8, "0b101": 5, "16U": 16,
		"-1>>1": -1, "(.u64)-1>>63": 1, "-1 < 0": 1, "-1 < 0U": 0, "WARP_SZ*2": 64, "0xFFFFFFFFFFFFFFFF": -1, "18446744073709551617": 1, "1-2-3": -4,
		"100/7/2": 7, "1<<2<<1": 8, "1+2<4": 1, "- -3": 3,
	} {
		f := kernel(t, ".reg .b64 d; mov.b64 d, "+text+"; ret;")
		if o := f.Code[0].Operands[1]; o.Kind != isa.OperandInt || int64(o.Bits) != want {
			t.Errorf("%s is %d, want %d", text, int64(o.Bits), want)
		}
	}
}

func TestLabelsAreIndices(t *testing.T) {
	f := kernel(t, `.reg .u32 i; A: B: mov.u32 i, 0; { C: bra C; bra D; } bra A; D: ts: .branchtargets A, D, D, END; brx.idx i, ts; brx.idx i, {B, END}; END:`)
	targets := map[string]int32{}
	for _, l := range f.Labels {
		targets[l.Name] = l.Target
	}
	want := map[string]int32{"A": 0, "B": 0, "C": 1, "D": 4, "END": 6}
	if d := cmp.Diff(want, targets); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int32{0, 4, 4, 6}, f.Code[4].Operands[1].Table.Targets); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int32{0, 6}, f.Code[5].Operands[1].Table.Targets); d != "" {
		t.Error(d)
	}
	if got := f.Code[2].Operands[0].Target; got != 4 {
		t.Errorf("bra D goes to %d", got)
	}
}

func TestCalls(t *testing.T) {
	m := parse(t, `
.func (.param .b32 r) f(.param .b32 a, .param .align 8 .b8 s[12]);
.extern .func nothing .noreturn;
.entry k()
{
	.reg .b64 p; .param .b32 ret0; .param .b32 a0; .param .align 8 .b8 s0[12];
	proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[12]);
	set: .calltargets f;
	call (ret0), f, (a0, s0);
	mov.u64 p, f;
	call (ret0), p, (a0, s0), proto;
	call.uni (ret0), p, (a0, s0), set;
	call nothing;
	ret;
}
.func (.param .b32 r) f(.param .b32 a, .param .align 8 .b8 s[12]) { ret; }
`)
	k, f := m.EntryNamed("k"), m.EntryNamed("f")
	if !f.Defined || len(f.Params) != 2 || f.Params[1].Offset != 8 || f.Params[1].Size != 12 || len(f.Results) != 1 {
		t.Errorf("f: %+v", f)
	}
	kinds := func(in isa.Inst) (out []isa.OperandKind) {
		for _, o := range in.Operands {
			out = append(out, o.Kind)
		}
		return out
	}
	if d := cmp.Diff([]isa.OperandKind{isa.OperandList, isa.OperandFunc, isa.OperandList}, kinds(k.Code[0])); d != "" {
		t.Error(d)
	}
	if k.Code[0].Operands[1].Func != f || k.Code[1].Operands[1].Func != f {
		t.Error("the call does not reach the definition of f")
	}
	if d := cmp.Diff([]isa.OperandKind{isa.OperandList, isa.OperandReg, isa.OperandList, isa.OperandTable}, kinds(k.Code[2])); d != "" {
		t.Error(d)
	}
	if p := k.Code[2].Operands[3].Proto; p == nil || p.Params[1].Size != 12 {
		t.Errorf("prototype %+v", p)
	}
	if s := k.Code[3].Operands[3].Table; s == nil || s.Funcs[0] != f {
		t.Errorf("table %+v", s)
	}
	if n := m.EntryNamed("nothing"); !n.NoRet || n.Defined {
		t.Errorf("nothing: %+v", n)
	}
}

// TestParameterLayout compares with the offsets that a C compiler gives struct { char a; double b; short c; float4 d; char e[3]; }.
func TestParameterLayout(t *testing.T) {
	m := parse(t, ".entry k(.param .b8 a, .param .f64 b, .param .u16 c, .param .align 16 .b8 d[16], .param .b8 e[3], .param .u64 .ptr .global .align 32 q) { ret; }")
	var offsets []int
	for _, p := range m.Funcs[0].Params {
		offsets = append(offsets, p.Offset)
	}
	if d := cmp.Diff([]int{0, 8, 16, 32, 48, 56}, offsets); d != "" {
		t.Error(d)
	}
	q := m.Funcs[0].Params[5]
	if !q.Ptr || q.PtrSpace != isa.SpaceGlobal || q.PtrAlign != 32 || q.Align != 8 {
		t.Errorf("q: %+v", q)
	}
}

func TestInitialisers(t *testing.T) {
	m := parse(t, `
.global .align 4 .u32 a[3] = {0x11111111, 0, 3};
.global .u64 b[2] = {generic(a)+4, a};
.global .u8 c[2] = {0xFF(generic(a)+4), 0xFF00(a)};
.const .f32 d[4] = {0.5, 0f3E800000};
.global .s32 e[3][2] = { {1,2}, {3} };
.func f() { ret; }
.global .u64 g = f;
.global .b8 h[3] = {-1, 300, WARP_SZ};
.global .v2 .f32 i = {1.0, 2.0};
.global .u16 j[] = {1, 2, 3};
`)
	v := map[string]*isa.Var{}
	for _, x := range m.Vars {
		v[x.Name] = x
	}
	type item struct {
		Offset, Size int
		Bits, Mask   uint64
		Symbol       string
		Generic      bool
	}
	items := func(name string) (out []item) {
		for _, e := range v[name].Init {
			i := item{e.Offset, e.Size, e.Bits, e.Mask, "", e.Generic}
			if e.Var != nil {
				i.Symbol = e.Var.Name
			}
			if e.Func != nil {
				i.Symbol = e.Func.Name
			}
			out = append(out, i)
		}
		return out
	}
	for name, want := range map[string][]item{
		"a": {{0, 4, 0x11111111, 0, "", false}, {8, 4, 3, 0, "", false}},
		"b": {{0, 8, 4, 0, "a", true}, {8, 8, 0, 0, "a", false}},
		"c": {{0, 1, 4, 0xFF, "a", true}, {1, 1, 0, 0xFF00, "a", false}},
		"d": {{0, 4, 0x3F000000, 0, "", false}, {4, 4, 0x3E800000, 0, "", false}},
		"e": {{0, 4, 1, 0, "", false}, {4, 4, 2, 0, "", false}, {8, 4, 3, 0, "", false}},
		"g": {{0, 8, 0, 0, "f", false}},
		"h": {{0, 1, 0xFF, 0, "", false}, {1, 1, 44, 0, "", false}, {2, 1, 32, 0, "", false}},
		"i": {{0, 4, 0x3F800000, 0, "", false}, {4, 4, 0x40000000, 0, "", false}},
		"j": {{0, 2, 1, 0, "", false}, {2, 2, 2, 0, "", false}, {4, 2, 3, 0, "", false}},
	} {
		if d := cmp.Diff(want, items(name)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if j := v["j"]; j.Size != 6 || j.Dims[0] != 3 {
		t.Errorf("j has %d bytes, dimensions %v", j.Size, j.Dims)
	}
}

func TestLimits(t *testing.T) {
	m := parse(t, `.visible .entry k() .maxntid 32, 2 .minnctapersm 3 .maxnreg 40 .reqnctapercluster 4 .explicitcluster
.pragma "nounroll";
{ .pragma "other"; ret; }
.entry l() .reqntid 64 .maxclusterrank 8 { ret; }`)
	want := isa.Limits{MaxNTID: [3]int{32, 2, 1}, ReqNCTAPerCluster: [3]int{4, 1, 1}, MaxNReg: 40, MinNCTAPerSM: 3, ExplicitCluster: true, Pragmas: []string{"nounroll", "other"}}
	if d := cmp.Diff(want, m.Funcs[0].Limits); d != "" {
		t.Error(d)
	}
	if l := m.Funcs[1].Limits; l.ReqNTID != [3]int{64, 1, 1} || l.MaxClusterRank != 8 {
		t.Errorf("%+v", l)
	}
}

func TestDebugDirectives(t *testing.T) {
	m := parse(t, `.file 1 "a.cu"
.file 2 "b.cu", 1710000000, 4096
.entry k()
{
	.reg .u32 a;
	.loc 1 5 3
	$L__tmp0:
	.loc 2 9 1, function_name $L__info0+16, inlined_at 1 6 3
	mov.u32 a, 1;
	ret;
}
.section .debug_info { .b32 $L__end-$L__start
$L__info0: $L__start: .b8 1, -2, 0x3 .b64 $L__tmp0+16 .b32 .debug_abbrev
$L__end: }
.section .debug_macinfo { }
`)
	if d := cmp.Diff([]isa.DebugFile{{Index: 1, Name: "a.cu"}, {Index: 2, Name: "b.cu"}}, m.Files); d != "" {
		t.Error(d)
	}
	k := m.EntryNamed("k")
	if got := m.Locs[k.Code[0].Loc]; got != (isa.Loc{File: 2, Line: 9, Col: 1}) {
		t.Errorf("mov is at %+v", got)
	}
}

func TestSeparateWords(t *testing.T) {
	f := kernel(t, ".reg .u32 a;\nadd\n .u32 a, a, 1; add .u32 a, a, 2; L : bra .uni L;")
	if f.Code[0].Op != isa.OpAdd || f.Code[0].Type(0) != isa.U32 || f.Code[2].Operands[0].Target != 2 {
		t.Errorf("%+v", f.Code)
	}
}

func TestDeepNestingIsAnError(t *testing.T) {
	for name, text := range map[string]string{
		"blocks":      head + ".entry k() " + strings.Repeat("{", 10000) + strings.Repeat("}", 10000),
		"parentheses": head + ".global .u32 x = " + strings.Repeat("(", 10000) + "1" + strings.Repeat(")", 10000) + ";",
		"lists":       head + ".global .u32 x[1] = " + strings.Repeat("{", 10000) + "1" + strings.Repeat("}", 10000) + ";",
		"operands":    head + ".entry k() { mov.b64 x, " + strings.Repeat("{", 10000) + "; }",
		"signs":       head + ".global .u32 x = " + strings.Repeat("-", 100000) + "1;",
		"conditions":  head + ".global .u32 x = " + strings.Repeat("1?1:", 100000) + "1;",
	} {
		m, ds := Parse(name, text, Options{})
		if m != nil || ds.Count(Error) != 1 || !strings.Contains(ds[0].Message, "1,000 deep") {
			t.Errorf("%s: %v", name, ds)
		}
	}
	if m, ds := Parse("fine", head+".entry k() "+strings.Repeat("{", 900)+"ret;"+strings.Repeat("}", 900), Options{}); m == nil {
		t.Error(ds)
	}
}

func TestLimitsOfTheInput(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "blank": " \n\t\r\n", "comment": "// nothing\n", "large": strings.Repeat(" ", maxFileBytes+1)} {
		m, ds := Parse(name, text, Options{})
		if m != nil || ds.Count(Error) != 1 {
			t.Errorf("%s: %v", name, ds)
			continue
		}
		if line, col := ds[0].Source.LineCol(ds[0].Pos); line == 0 || col == 0 {
			t.Errorf("%s: the error stands nowhere", name)
		}
	}
}

func TestMaxErrorsBoundsTheErrors(t *testing.T) {
	_, ds := Parse("t.ptx", head+".entry k() {\n"+strings.Repeat("frob;\n", 500)+"}", Options{MaxErrors: 7})
	if n := ds.Count(Error); n != 7 {
		t.Errorf("%d errors", n)
	}
}

func TestNewerVersionIsANote(t *testing.T) {
	m, ds := Parse("t.ptx", ".version 9.4\n.target sm_130a\n.address_size 64\n.entry k() { ret; }", Options{Strict: true})
	if m == nil || ds.Count(Note) != 2 {
		t.Errorf("%v", ds)
	}
}

// TestPortionsDoNotShow reads a module of many portions of tokens, and one with a function longer than a portion.
func TestPortionsDoNotShow(t *testing.T) {
	m, ds := Parse("big.ptx", bigModule(5000), Options{})
	if m == nil || len(m.Funcs) != 5000/250 {
		t.Fatal(ds)
	}
	for _, f := range m.Funcs {
		if n := len(f.Code); n != 208 { // 4 at the start, 29 blocks of 7, ret
			t.Errorf("%s has %d instructions", f.Name, n)
		}
	}
	f := kernel(t, ".reg .u32 a;\n"+strings.Repeat("mov.u32 a, 1;\n", 3*portionTokens)+"ret;")
	if n := len(f.Code); n != 3*portionTokens+1 {
		t.Errorf("%d instructions", n)
	}
}

func TestRangesOfVariablesAreBounded(t *testing.T) {
	_, ds := Parse("t.ptx", head+".entry k() { .param .b32 p<60000>, q<40001>; ret; }", Options{})
	if len(ds) != 1 || !strings.Contains(ds[0].Message, "100,000 variables") {
		t.Errorf("%v", ds)
	}
	_, ds = Parse("t.ptx", head+".entry k() { .param .b32 p<60>, p<40>; ret; }", Options{})
	if len(ds) != 1 || !strings.Contains(ds[0].Message, "`p0` is declared twice") {
		t.Errorf("%v", ds)
	}
}
