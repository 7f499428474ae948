package host_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// brighten reads a 4 × 2 texture in the middle between texels and adds what a surface holds.
const brighten = `.version 8.0
.target sm_80
.address_size 64
.visible .entry brighten(.param .u64 image, .param .u64 more, .param .u64 out)
{
	.reg .b64 %i, %m, %o, %a;
	.reg .b32 %t, %x, %y, %b;
	.reg .f32 %f<8>;
	ld.param.u64 %i, [image];
	ld.param.u64 %m, [more];
	ld.param.u64 %o, [out];
	mov.u32 %t, %tid.x;
	and.b32 %x, %t, 3;
	shr.u32 %y, %t, 2;
	cvt.rn.f32.u32 %f0, %x;
	cvt.rn.f32.u32 %f1, %y;
	add.f32 %f1, %f1, 0f3F000000;
	tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%i, {%f0, %f1}];
	shl.b32 %x, %x, 2;
	suld.b.2d.b32.trap %b, [%m, {%x, %y}];
	mov.b32 %f3, %b;
	add.f32 %f2, %f2, %f3;
	mul.wide.u32 %a, %t, 4;
	add.u64 %a, %a, %o;
	st.global.f32 [%a], %f2;
	ret;
}
`

// TestTextureArguments: objects from the command line. Halfway between texels x−1 and x lies x − 0.5, with the border, 0,
// left of the first; the second row begins with 4, and the border is half of what lies left of it.
func TestTextureArguments(t *testing.T) {
	m, diagnostics := parser.Parse("brighten.ptx", brighten, parser.Options{})
	if diagnostics.HasErrors() {
		t.Fatal(diagnostics)
	}
	request := func(image string) host.RunRequest {
		return host.RunRequest{Module: m, Block: [3]int{8, 1, 1}, Buffers: []string{"texels=f32[8]:ramp", "light=f32[8]:ones"},
			Args: []string{"image=" + image, "more=surface(light, 4x2)", "out=f32[8]"}, Prints: []string{"out"}, Options: vm.Options{Functional: true}}
	}
	for image, want := range map[string]string{
		"texture(texels, 4x2, linear, border)": "1, 1.5, 2.5, 3.5, 3, 5.5, 6.5, 7.5",
		"texture(texels, 4x2, linear)":         "1, 1.5, 2.5, 3.5, 5, 5.5, 6.5, 7.5",
		"texture(texels, 4x2)":                 "1, 2, 3, 4, 5, 6, 7, 8",
	} {
		out, err := host.RunPTX(context.Background(), request(image))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(out.Prints[0].Texts(), ", "); got != want {
			t.Errorf("%s: %s, want %s", image, got, want)
		}
	}
	if _, err := host.RunPTX(context.Background(), request("texture(texels, 40x2)")); err == nil || !strings.Contains(err.Error(), "buffer texels has 32") {
		t.Errorf("a texture larger than its buffer: %v", err)
	}
}
