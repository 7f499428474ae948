package star

import (
	"context"
	"regexp"
	"testing"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

func TestFixedAndColumns(t *testing.T) {
	out, err := run(t, `
for x, digits in [(0, 1), (-0.04, 1), (0.05, 1), (-1234.56, 1), (999, 0), (1000, 0), (1 << 70, 0), (12, 3), (float("nan"), 1), (1e6, 2), (True, 0)]:
    print(fixed(x, digits))
print(columns([["k", "loss"], [1, "9.5 %"], ["long name", 10]]))
`, vm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const want = "0.0\n0.0\n0.1\n-1,234.6\n999\n1,000\n1,180,591,620,717,411,303,424\n12.000\nNaN\n1,000,000.00\n1\n" +
		"k           loss\n1          9.5 %\nlong name     10\n"
	if out.Stdout != want {
		t.Errorf("got\n%swant\n%s", out.Stdout, want)
	}
}

// A struct by value has C's layout: here {void *peers[2]; uint16_t h; float f; void *p;} of 40 bytes, alignment 8. The
// kernel adds what it finds: x on the other card through the array and through the pointer, h and f.
func TestPack(t *testing.T) {
	files := withKernels(t, map[string]string{
		"k.ptx": `.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .align 8 .b8 s[32])
{
	.reg .b64 %rd<4>;
	.reg .b16 %h;
	.reg .f32 %f<5>;
	ld.param.u64 %rd0, [out];
	ld.param.u64 %rd1, [s+8];
	ld.param.u16 %h, [s+16];
	ld.param.f32 %f0, [s+20];
	ld.param.u64 %rd2, [s+24];
	ld.f32 %f1, [%rd1];
	ld.f32 %f2, [%rd2];
	cvt.rn.f32.u16 %f3, %h;
	add.f32 %f4, %f0, %f1;
	add.f32 %f4, %f4, %f2;
	add.f32 %f4, %f4, %f3;
	st.global.f32 [%rd0], %f4;
	ret;
}
`,
		"p.star": `node = machine(cards = 2)
x, out = node.buffer("f32", 1, per_card(lambda rank: fill(100 * (rank + 1)))), node.buffer("f32", 1)
s = pack(("ptrs", x.peers(), 2), ("u16", 3), ("f32", per_card(lambda rank: 0.5 + rank)), ("ptr", x.on(0)))
node.launch(ptx("k.ptx"), block = 1, args = [out, s])
expect_equal(out, per_card(lambda rank: [200 + 100 + 3 + 0.5 + rank]))
`})
	out, err := Run(context.Background(), Request{Path: "p.star", Files: files, Load: loader(files)})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Differences) > 0 {
		t.Error(out.Differences)
	}
}

// A texture object reads each card's own part of its buffer: texel 1.5 of linear filtering lies halfway between 1 and 2
// (texel i's middle is at i + 0.5), on card 1 ten times as high.
func TestTexture(t *testing.T) {
	files := withKernels(t, map[string]string{
		"k.ptx": `.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 image, .param .u64 out)
{
	.reg .b64 %rd<3>;
	.reg .f32 %f<5>;
	ld.param.u64 %rd1, [image];
	ld.param.u64 %rd2, [out];
	mov.f32 %f0, 0f40000000;
	tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f0}];
	st.global.f32 [%rd2], %f1;
	ret;
}
`,
		"p.star": `node = machine(cards = 2)
x, out = node.buffer("f32", 8, per_card(lambda rank: iota(0, 1 + 9 * rank))), node.buffer("f32", 1)
node.launch(ptx("k.ptx"), block = 1, args = [x.texture(4, filter = "linear"), out])
expect_equal(out, per_card(lambda rank: [1.5 * (1 + 9 * rank)]))
node.launch(ptx("k.ptx"), block = 1, args = [x.texture(4, filter = "linear", index = 4), out])
expect_equal(out, per_card(lambda rank: [5.5 * (1 + 9 * rank)]))
`})
	out, err := Run(context.Background(), Request{Path: "p.star", Files: files, Load: loader(files)})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Differences) > 0 {
		t.Error(out.Differences)
	}
}

// Files that were compiled apart are one program.
func TestLinkedFiles(t *testing.T) {
	files := withKernels(t, map[string]string{
		"a.ptx": ".version 8.3\n.target sm_90\n.address_size 64\n.extern .func (.param .b32 r) answer ();\n" +
			".visible .entry k(.param .u64 out)\n{\n.reg .b64 %rd1;\n.reg .b32 %r1;\nld.param.u64 %rd1, [out];\n" +
			"{\n.param .b32 r;\ncall (r), answer;\nld.param.b32 %r1, [r];\n}\nst.global.u32 [%rd1], %r1;\nret;\n}\n",
		"b.ptx": ".version 8.3\n.target sm_90\n.address_size 64\n.visible .func (.param .b32 r) answer ()\n{\nst.param.b32 [r], 42;\nret;\n}\n",
		"p.star": `node = machine()
out = node.buffer("u32", 1)
node.launch(ptx("a.ptx", "b.ptx").k, block = 1, args = [out])
expect_equal(out, [42])
`})
	out, err := Run(context.Background(), Request{Path: "p.star", Files: files, Load: loader(files)})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Differences) > 0 {
		t.Error(out.Differences)
	}
}

// A file that is no part of a sweep is an error, whatever it holds.
func FuzzReadPart(f *testing.F) {
	f.Add([]byte("point,points,late,cycles,us,loss_nv,skew,status\n0,2,0,5448,2.977,0.18,0,ok\n1,2,1,6448,3.5,,1000,late\n"))
	f.Add([]byte(`{"format":1,"points":1,"axes":[{"name":"loss_nv"}],"rows":[{"set":[{"name":"loss_nv","value":"3"}],"status":"ok"}]}`))
	f.Add([]byte(`{"format":1,"points":2,"axes":[{"name":"a"}],"rows":[{"point":1,"set":[{"name":"a","value":"3"}],"status":"ok"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		part, err := ReadPart("part", data)
		if err != nil {
			return
		}
		whole, err := Merge([]*Sweep{part, part})
		if err == nil && len(whole.Rows) != whole.Of {
			t.Errorf("%d rows of %d points", len(whole.Rows), whole.Of)
		}
		_ = part.Text()
	})
}

// costly are programs that the fuzzer must not run: they ask for much and get it.
var costly = regexp.MustCompile(`\*|<<|[0-9]{5}|[0-9][eE]`)

// No program makes the virtual machine panic, whatever it says.
func FuzzProgram(f *testing.F) {
	for i := range Functions {
		f.Add(Functions[i].Example)
	}
	f.Add(article)
	f.Add("def f(x):\n    return [y for y in x if y]\nprint({1: f((2,)), \"a\": \"%s\" % 3})\nwhile False:\n    pass\n")
	files := withKernels(f, nil)
	load := loader(files)
	cached := host.CachedLoad(load)
	f.Fuzz(func(t *testing.T, text string) {
		if costly.MatchString(text) {
			return
		}
		files := withKernels(t, map[string]string{"p.star": text})
		_, err := Run(context.Background(), Request{Path: "p.star", Files: files, Load: cached, MaxSteps: 20_000, MaxBytes: 1 << 20,
			Options: vm.Options{Functional: true, MaxCycles: 20_000, Threads: 1}})
		if err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
	})
}
