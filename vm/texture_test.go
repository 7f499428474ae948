package vm_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
)

// texelBuffer holds 8-bit texels 0, 1, 2, … or f32 texels 0.0, 1.0, 2.0, …
func texelBuffer(t *testing.T, n *vm.Node, float bool) *vm.Buffer {
	t.Helper()
	b, err := n.Buffer("texels", 1024, func(_ int, dst []byte) {
		for i := range dst {
			dst[i] = byte(i)
		}
		for i := 0; float && i < len(dst); i += 4 {
			binary.LittleEndian.PutUint32(dst[i:], math.Float32bits(float32(i/4)))
		}
	})
	must(t, err)
	return b
}

// runTexel runs instructions in one thread, with %t the handle, and returns what they leave in %r0 to %r3.
func runTexel(t *testing.T, n *vm.Node, handle uint64, code string) (words [4]uint32, err error) {
	t.Helper()
	m := parsed(t, "texel.ptx", ".version 8.3\n.target sm_90\n.address_size 64\n"+`
.visible .entry texel(.param .u64 handle, .param .u64 out)
{
	.reg .pred %p;
	.reg .b64 %t, %o, %d<4>;
	.reg .b32 %r<4>, %c<4>;
	.reg .f32 %f<4>;
	.reg .b16 %h<4>;
	ld.param.u64 %t, [handle];
	ld.param.u64 %o, [out];
`+code+`
	st.global.v4.u32 [%o], {%r0, %r1, %r2, %r3};
	ret;
}`)
	k := m.EntryNamed("texel")
	out := buffer(t, n, "out", 16)
	must(t, n.Launch(vm.Launch{Module: m, Entry: k, Params: func(card int) []byte { return params(k, handle, out.Addr(card)) }}))
	if err := n.Synchronize(context.Background()); err != nil {
		return words, err
	}
	b, err := n.Read(out, 0)
	must(t, err)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words, nil
}

// coordinate is code that puts f32 coordinates into %f0, %f1, ….
func coordinates(values ...float32) string {
	var b strings.Builder
	for i, v := range values {
		b.WriteString("mov.f32 %f" + string(rune('0'+i)) + ", 0f")
		const digits = "0123456789ABCDEF"
		for shift := 28; shift >= 0; shift -= 4 {
			b.WriteByte(digits[math.Float32bits(v)>>shift&15])
		}
		b.WriteString(";\n")
	}
	return b.String()
}

const (
	tex1d = "tex.1d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0}];"
	tex2d = "tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}];"
)

// TestTextureRead: addressing, filtering and geometries, by the formulas of the CUDA C++ Programming Guide ("Texture
// Fetching"). The texels are their own numbers, so the expected values are sums of indices.
func TestTextureRead(t *testing.T) {
	row := vm.Image{Type: isa.F32, Channels: 1, Dims: 1, Width: 8}
	plane := vm.Image{Type: isa.F32, Channels: 1, Dims: 2, Width: 4, Height: 4}
	with := func(i vm.Image, filter, mode string, normalized bool) vm.Texture {
		return vm.Texture{Image: i, Filter: filter, Address: [3]string{mode, mode, mode}, Normalized: normalized}
	}
	for _, c := range []struct {
		name    string
		texture vm.Texture
		code    string
		want    float32
	}{
		{"point takes floor(x)", with(row, "point", "clamp", false), coordinates(3.9) + tex1d, 3},
		{"clamp below", with(row, "point", "clamp", false), coordinates(-7) + tex1d, 0},
		{"clamp above", with(row, "point", "clamp", false), coordinates(8) + tex1d, 7},
		{"border", with(row, "point", "border", false), coordinates(8) + tex1d, 0},
		{"not a number", with(row, "point", "clamp", false), coordinates(float32(math.NaN())) + tex1d, 0},
		{"infinity", with(row, "point", "clamp", false), coordinates(float32(math.Inf(1))) + tex1d, 7},
		{"normalised", with(row, "point", "clamp", true), coordinates(0.70) + tex1d, 5},
		{"wrap: frac(1.3)·8 = 2.4", with(row, "point", "wrap", true), coordinates(1.3) + tex1d, 2},
		{"wrap: frac(−0.2)·8 = 6.4", with(row, "point", "wrap", true), coordinates(-0.2) + tex1d, 6},
		{"mirror: (1 − frac(1.3))·8 = 5.6", with(row, "point", "mirror", true), coordinates(1.3) + tex1d, 5},
		{"mirror: 1 − frac(−1) is the end", with(row, "point", "mirror", true), coordinates(-1) + tex1d, 7},
		{"wrap needs normalised coordinates", with(row, "point", "wrap", false), coordinates(9) + tex1d, 7},
		{"linear between 2 and 3", with(row, "linear", "clamp", false), coordinates(2.75) + tex1d, 2.25},
		{"linear at the edge, clamped", with(row, "linear", "clamp", false), coordinates(8) + tex1d, 7},
		{"linear at the edge, half of it border", with(row, "linear", "border", false), coordinates(8) + tex1d, 3.5},
		{"linear over the seam: half of 7 and of 0", with(row, "linear", "wrap", true), coordinates(0) + tex1d, 3.5},
		{"weights have 8 bits", with(row, "linear", "clamp", false), coordinates(0.5+1.0/1024) + tex1d, 0},
		{"2d", with(plane, "point", "clamp", false), coordinates(2.5, 3.5) + tex2d, 14},
		{"bilinear: between 5, 6, 9, 10", with(plane, "linear", "clamp", false), coordinates(2, 2) + tex2d, 7.5},
		{"an offset of one texel", with(plane, "point", "clamp", false), coordinates(1, 1) + "tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}], {%c0, %c1};", 10},
		{"the base level", with(plane, "point", "clamp", false), coordinates(1, 1) + "tex.base.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}];", 5},
		{"any level: there is one", with(plane, "point", "clamp", false), coordinates(1, 1, 3) + "tex.level.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}], %f2;", 5},
		{"gradients", with(plane, "point", "clamp", false), coordinates(1, 1, 3, 2) + "tex.grad.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}], {%f2, %f2}, {%f3, %f3};", 5},
		{"3d", with(vm.Image{Type: isa.F32, Channels: 1, Dims: 3, Width: 2, Height: 3, Depth: 4}, "point", "clamp", false),
			coordinates(1, 2, 3) + "tex.3d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1, %f2, %f2}];", 1 + 2*2 + 3*6},
		{"trilinear: the middle of the first cube", with(vm.Image{Type: isa.F32, Channels: 1, Dims: 3, Width: 2, Height: 3, Depth: 4}, "linear", "clamp", false),
			coordinates(1, 1, 1) + "tex.3d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1, %f2, %f2}];", 0.5*1 + 0.5*2 + 0.5*6},
		{"a layer", with(vm.Image{Type: isa.F32, Channels: 1, Dims: 1, Width: 8, Layers: 3}, "point", "clamp", false),
			coordinates(1) + "tex.a1d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%c2, %f0}];", 17},
		{"the last layer for one beyond", with(vm.Image{Type: isa.F32, Channels: 1, Dims: 2, Width: 2, Height: 2, Layers: 2}, "point", "clamp", false),
			coordinates(1, 1) + "tex.a2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%c2, %f0, %f1, %f1}];", 7},
		{"cube, −y: face 3", with(vm.Image{Type: isa.F32, Channels: 1, Dims: 2, Cube: true, Width: 2, Height: 2}, "point", "clamp", true),
			coordinates(0.5, -1, 0.5) + "tex.cube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1, %f2, %f2}];", 3*4 + 1}, // s = 0.75, t = (−0.5+1)/2
		{"cubes in layers, +z: face 4", with(vm.Image{Type: isa.F32, Channels: 1, Dims: 2, Cube: true, Width: 2, Height: 2, Layers: 3}, "point", "clamp", true),
			coordinates(-0.5, 0.5, 2) + "tex.acube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%c2, %f0, %f1, %f2}];", 2*24 + 4*4}, // s = t = 0.375
	} {
		n := node(t, "h200-sxm", vm.Options{Functional: true})
		c.texture.Buffer = texelBuffer(t, n, true)
		handle, err := n.Texture(c.texture)
		must(t, err)
		got, err := runTexel(t, n, handle, "mov.u32 %c0, 1; mov.u32 %c1, 1; mov.u32 %c2, 2;\n"+c.code)
		must(t, err)
		if got[0] != math.Float32bits(c.want) {
			t.Errorf("%s: %v, want %v", c.name, math.Float32frombits(got[0]), c.want)
		}
	}
}

// TestTextureFormats: what registers get of texels of each kind, and the queries.
func TestTextureFormats(t *testing.T) {
	bytes := func(typ isa.Type, channels int) vm.Image {
		return vm.Image{Type: typ, Channels: channels, Dims: 2, Width: 16, Height: 4}
	}
	const fetch = "mov.u32 %c0, 3; mov.u32 %c1, 2;\n"
	f := math.Float32bits
	for _, c := range []struct {
		name    string
		texture vm.Texture
		code    string
		want    [4]uint32
	}{
		{"four bytes", vm.Texture{Image: bytes(isa.U8, 4)}, fetch + "tex.2d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%t, {%c0, %c1}];", [4]uint32{140, 141, 142, 143}},
		{"signed bytes", vm.Texture{Image: bytes(isa.S8, 4)}, fetch + "tex.2d.v4.s32.s32 {%r0, %r1, %r2, %r3}, [%t, {%c0, %c1}];", [4]uint32{1<<32 - 116, 1<<32 - 115, 1<<32 - 114, 1<<32 - 113}},
		{"u8 up to 1", vm.Texture{Image: bytes(isa.U8, 4), NormalizedFloat: true}, fetch + "tex.2d.v4.f32.s32 {%r0, %r1, %r2, %r3}, [%t, {%c0, %c1}];",
			[4]uint32{f(140. / 255), f(141. / 255), f(142. / 255), f(143. / 255)}},
		{"s8 from −1", vm.Texture{Image: bytes(isa.S8, 1), NormalizedFloat: true}, "mov.u32 %c0, 15; mov.u32 %c1, 3; tex.2d.v4.f32.s32 {%r0, %r1, %r2, %r3}, [%t, {%c0, %c1}];",
			[4]uint32{f(63. / 127), 0, 0, f(1)}},
		{"pairs of halves: 1 in the third and 0", vm.Texture{Image: bytes(isa.U8, 1), NormalizedFloat: true},
			"mov.u32 %c0, 0; tex.2d.v2.f16x2.s32 {%r0, %r1}, [%t, {%c0, %c0}]; mov.u32 %r2, 0; mov.u32 %r3, 0;", [4]uint32{0, 0x3c00 << 16, 0, 0}},
		{"linear memory ends", vm.Texture{Image: vm.Image{Type: isa.U8, Channels: 1, Dims: 1, Width: 20}, Linear: true},
			"mov.u32 %c0, 20; mov.u32 %c1, 19; tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%t, {%c0}]; tex.1d.v4.u32.s32 {%r1, _, _, _}, [%t, {%c1}]; mov.u32 %r2, 0; mov.u32 %r3, 0;", [4]uint32{0, 19, 0, 0}},
		{"gather: counter-clockwise from the lower left", vm.Texture{Image: bytes(isa.U8, 4)},
			coordinates(2, 1) + "tld4.g.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%t, {%f0, %f1}];", [4]uint32{64 + 4 + 1, 64 + 8 + 1, 8 + 1, 4 + 1}},
		{"resident", vm.Texture{Image: bytes(isa.U8, 4)}, fetch + "tex.2d.v4.u32.s32 {%r0, %r1, %r2, %r3}|%p, [%t, {%c0, %c1}]; selp.u32 %r3, 7, 8, %p;", [4]uint32{140, 141, 142, 7}},
		{"sizes", vm.Texture{Image: bytes(isa.U8, 4)}, "txq.width.b32 %r0, [%t]; txq.height.b32 %r1, [%t]; txq.depth.b32 %r2, [%t]; txq.array_size.b32 %r3, [%t];", [4]uint32{16, 4, 1, 1}},
		{"format", vm.Texture{Image: bytes(isa.U8, 4), NormalizedFloat: true, Normalized: true, Filter: "linear"},
			"txq.channel_data_type.b32 %r0, [%t]; txq.channel_order.b32 %r1, [%t]; txq.normalized_coords.b32 %r2, [%t]; txq.filter_mode.b32 %r3, [%t];", [4]uint32{0x10d2, 0x10b5, 1, 1}},
		{"kind", vm.Texture{Image: bytes(isa.U8, 4)}, "istypep.texref %p, %t; selp.u32 %r0, 1, 0, %p; istypep.surfref %p, %t; selp.u32 %r1, 1, 0, %p; mov.u32 %r2, 0; mov.u32 %r3, 0;", [4]uint32{1, 0, 0, 0}},
	} {
		n := node(t, "h200-sxm", vm.Options{Functional: true})
		c.texture.Buffer = texelBuffer(t, n, false)
		handle, err := n.Texture(c.texture)
		must(t, err)
		got, err := runTexel(t, n, handle, c.code)
		must(t, err)
		if got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
}

// TestSurface: coordinates in bytes, what lies outside, formatted stores and reductions.
func TestSurface(t *testing.T) {
	plane := vm.Image{Type: isa.U8, Channels: 4, Dims: 2, Width: 4, Height: 4}
	const xy = "mov.u32 %c0, 4; mov.u32 %c1, 1;\n"
	const load = "suld.b.2d.b32.trap %r0, [%t, {%c0, %c1}];\n"
	const rest = "mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
	for _, c := range []struct {
		name  string
		image vm.Image
		code  string
		want  uint32 // %r0
		fault string
	}{
		{"x counts bytes", plane, xy + load, 0x17161514, ""},
		{"beyond the end, clamped", plane, "mov.u32 %c0, 64; mov.u32 %c1, -3; suld.b.2d.b32.clamp %r0, [%t, {%c0, %c1}];", 0x0f0e0d0c, ""},
		{"beyond the end, zero", plane, "mov.u32 %c0, 0; mov.u32 %c1, 4; suld.b.2d.b32.zero %r0, [%t, {%c0, %c1}];", 0, ""},
		{"beyond the end, trap", plane, "mov.u32 %c0, 16; mov.u32 %c1, 0;" + load, 0, "x = 16 bytes"},
		{"between texels", plane, "mov.u32 %c0, 2; mov.u32 %c1, 0;" + load, 0, "not aligned to 4"},
		{"two registers", plane, xy + "suld.b.2d.v2.b16.trap {%h0, %h1}, [%t, {%c0, %c1}]; mov.b32 %r0, {%h1, %h0};", 0x15141716, ""},
		{"store", plane, xy + "mov.u32 %r1, 0x01020304; sust.b.2d.b32.trap [%t, {%c0, %c1}], %r1;" + load, 0x01020304, ""},
		{"store outside, zero", plane, xy + "mov.u32 %c2, -4; mov.u32 %r1, 5; sust.b.2d.b32.zero [%t, {%c2, %c1}], %r1;" + load, 0x17161514, ""},
		{"formatted store: x counts texels, bytes saturate", plane, "mov.u32 %c0, 1; mov.u32 %c1, 1; mov.u32 %r1, 300; mov.u32 %r2, 2;" +
			"sust.p.2d.v4.b32.trap [%t, {%c0, %c1}], {%r1, %r2, %r2, %r2}; mov.u32 %c0, 4;" + load, 0x020202ff, ""},
		{"formatted store of halves", vm.Image{Type: isa.F16, Channels: 2, Dims: 2, Width: 4, Height: 4}, "mov.u32 %c0, 1; mov.u32 %c1, 1; mov.f32 %f0, 0f3F800000; mov.f32 %f1, 0fC0000000; mov.b32 %r1, %f0; mov.b32 %r2, %f1;" +
			"sust.p.2d.v2.b32.trap [%t, {%c0, %c1}], {%r1, %r2}; mov.u32 %c0, 4;" + load, 0xc0003c00, ""},
		{"add", plane, xy + "mov.u32 %r1, 1; sured.b.add.2d.u32.trap [%t, {%c0, %c1}], %r1;" + load, 0x17161515, ""},
		{"signed minimum", plane, xy + "mov.u32 %r1, -1; sured.b.min.2d.s32.trap [%t, {%c0, %c1}], %r1;" + load, 0xffffffff, ""},
		{"unsigned minimum", plane, xy + "mov.u32 %r1, -1; sured.b.min.2d.u32.trap [%t, {%c0, %c1}], %r1;" + load, 0x17161514, ""},
		{"the surface's format makes .p signed", vm.Image{Type: isa.S32, Channels: 1, Dims: 2, Width: 4, Height: 4}, "mov.u32 %c0, 1; mov.u32 %c1, 1;" +
			"mov.u32 %r1, -1; sured.p.max.2d.b32.trap [%t, {%c0, %c1}], %r1; mov.u32 %c0, 4;" + load, 0x17161514, ""},
		{"layers", vm.Image{Type: isa.U8, Channels: 4, Dims: 1, Width: 4, Layers: 3}, "mov.u32 %c0, 4; mov.u32 %c2, 2; suld.b.a1d.b32.trap %r0, [%t, {%c2, %c0}];", 0x27262524, ""},
		{"3d", vm.Image{Type: isa.U8, Channels: 1, Dims: 3, Width: 4, Height: 2, Depth: 4}, "mov.u32 %c0, 1; mov.u32 %c1, 1; mov.u32 %c2, 3; suld.b.3d.b8.trap {%h0}, [%t, {%c0, %c1, %c2, %c2}]; cvt.u32.u16 %r0, %h0;", 1 + 4 + 3*8, ""},
		{"size", plane, "suq.width.b32 %r0, [%t];", 4, ""},
		{"another shape", plane, "mov.u32 %c0, 0; suld.b.1d.b32.trap %r0, [%t, {%c0}];", 0, "is .2d, and read as .1d"},
		{"no texture", plane, coordinates(0, 0) + tex2d, 0, "is no texture"},
		{"no object", plane, "mov.u64 %t, 4711; mov.u32 %c0, 0;" + "suld.b.1d.b32.trap %r0, [%t, {%c0}];", 0, "0x1267 is no surface object"},
	} {
		for _, functional := range []bool{true, false} {
			n := node(t, "h200-sxm", vm.Options{Functional: functional, Silent: true})
			c.image.Buffer = texelBuffer(t, n, false)
			handle, err := n.Surface(c.image)
			must(t, err)
			got, err := runTexel(t, n, handle, c.code+"\n"+rest)
			var fault *vm.Fault
			switch {
			case errors.As(err, &fault):
				if c.fault == "" || !strings.Contains(fault.Error(), c.fault) {
					t.Errorf("%s: %v", c.name, fault)
				}
			case err != nil || got[0] != c.want || c.fault != "":
				t.Errorf("%s: %#x %v, want %#x %s", c.name, got[0], err, c.want, c.fault)
			}
		}
	}
}

// TestTextureVariable: a .texref at module scope and one among the parameters.
func TestTextureVariable(t *testing.T) {
	m := parsed(t, "texref.ptx", ".version 8.3\n.target sm_90\n.address_size 64\n"+`
.global .texref image;
.visible .entry texref(.param .texref other, .param .u64 out)
{
	.reg .b64 %o, %t;
	.reg .b32 %r<4>, %c;
	ld.param.u64 %o, [out];
	mov.u32 %c, 2;
	tex.1d.v4.u32.s32 {%r0, _, _, _}, [image, {%c}];
	tex.1d.v4.u32.s32 {%r1, _, _, _}, [other, {%c}];
	mov.u64 %t, image;
	tex.1d.v4.u32.s32 {%r2, _, _, _}, [%t, {%c}];
	st.global.u32 [%o], %r0;
	st.global.u32 [%o+4], %r1;
	st.global.u32 [%o+8], %r2;
	ret;
}`)
	n := node(t, "h200-sxm", vm.Options{Functional: true})
	b := texelBuffer(t, n, false)
	image := vm.Image{Buffer: b, Type: isa.U8, Channels: 1, Dims: 1, Width: 8}
	first, err := n.Texture(vm.Texture{Image: image})
	must(t, err)
	image.Offset = 100
	second, err := n.Texture(vm.Texture{Image: image})
	must(t, err)
	must(t, n.BindTexture(m, "image", first))
	if err := n.BindTexture(m, "picture", first); err == nil {
		t.Error("a variable that is not there was bound")
	}
	out := buffer(t, n, "out", 12)
	k := m.EntryNamed("texref")
	must(t, n.Launch(vm.Launch{Module: m, Entry: k, Params: func(card int) []byte { return params(k, second, out.Addr(card)) }}))
	got, err := n.Read(out, 0)
	must(t, err)
	if got[0] != 2 || got[4] != 102 || got[8] != 2 {
		t.Errorf("texels %d, %d, %d; want 2, 102, 2", got[0], got[4], got[8])
	}
}

// TestTextureRefused: descriptions that make no object.
func TestTextureRefused(t *testing.T) {
	n := node(t, "h200-sxm", vm.Options{Functional: true})
	b := texelBuffer(t, n, false)
	good := vm.Image{Buffer: b, Type: isa.U8, Channels: 1, Dims: 2, Width: 8, Height: 8}
	for want, change := range map[string]func(*vm.Texture){
		"channels":       func(t *vm.Texture) { t.Channels = 3 },
		"dimensions":     func(t *vm.Texture) { t.Dims = 4 },
		"buffer":         func(t *vm.Texture) { t.Width = 1000 },
		"squares":        func(t *vm.Texture) { t.Cube, t.Height = true, 4 },
		"f64":            func(t *vm.Texture) { t.Type = isa.F64 },
		"filter":         func(t *vm.Texture) { t.Filter = "cubic" },
		"address mode":   func(t *vm.Texture) { t.Address[1] = "repeat" },
		"linear memory":  func(t *vm.Texture) { t.Linear = true },
		"filtering":      func(t *vm.Texture) { t.Filter = "linear" },
		"layers":         func(t *vm.Texture) { t.Dims, t.Depth, t.Layers = 3, 2, 2 },
		"no buffer":      func(t *vm.Texture) { t.Buffer = nil },
		"1 dimensions":   func(t *vm.Texture) { t.Dims = 1 },
		"sizes":          func(t *vm.Texture) { t.Width = 1 << 30 },
		"normalised":     func(t *vm.Texture) { t.Type, t.NormalizedFloat = isa.F32, true },
		"bytes":          func(t *vm.Texture) { t.Offset = 1000 },
		"an image of 73": func(t *vm.Texture) { t.Dims, t.Width, t.Height, t.Depth = 3, 1<<28, 1<<28, 1<<10 },
	} {
		texture := vm.Texture{Image: good}
		change(&texture)
		if _, err := n.Texture(texture); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestTextureUninitialised: texels that nothing has written are counted, or a fault.
func TestTextureUninitialised(t *testing.T) {
	for _, mode := range []string{"count", "error", "off"} {
		n := node(t, "h200-sxm", vm.Options{Functional: true, Uninit: mode})
		b, err := n.Buffer("empty", 64, nil)
		must(t, err)
		handle, err := n.Texture(vm.Texture{Image: vm.Image{Buffer: b, Type: isa.U8, Channels: 1, Dims: 1, Width: 64}})
		must(t, err)
		_, err = runTexel(t, n, handle, "mov.u32 %c0, 3; tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%t, {%c0}];")
		if (err != nil) != (mode == "error") || err != nil && !strings.Contains(err.Error(), "of `empty` that nothing has written") {
			t.Errorf("%s: %v", mode, err)
		}
		if mode == "error" {
			continue
		}
		if reads := finish(t, n).Counts.UninitReads; mode == "count" && reads != 1 || mode == "off" && reads != 0 {
			t.Errorf("%s: %d bytes", mode, reads)
		}
	}
}
