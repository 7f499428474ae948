package vm_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/tollgate-sim/tollgate/vm"
)

// stack: every lane takes as many bytes as its number says and fills them, calls a function that takes and fills 64 more,
// and finds its own untouched; then a hundred rounds that take 4 KB each fit, since stackrestore gives them back.
const stack = head + `
.func spoil()
{
	.reg .b64 %s, %p;
	.reg .b32 %v;
	mov.u64 %s, 64;
	alloca.u64 %p, %s;
	mov.u32 %v, -1;
	st.local.v4.u32 [%p], {%v, %v, %v, %v};
	st.local.u32 [%p+60], %v;
	ret;
}
.visible .entry stack(.param .u64 out)
{
	.reg .pred %q;
	.reg .b32 %r<8>;
	.reg .b64 %s, %p, %old, %big, %o, %t<4>;
	ld.param.u64 %o, [out];
	mov.u32 %r0, %tid.x;
	mad.lo.u32 %r1, %r0, 4, 4;
	cvt.u64.u32 %s, %r1;
	setp.lt.u32 %q, %r0, 16;
	@%q bra FEW;
	alloca.u64 %p, %s, 32;
	bra BOTH;
FEW:
	alloca.u64 %p, %s;
BOTH:
	add.u64 %t0, %p, %s;
	st.local.u32 [%t0+-4], %r0;
	call spoil;
	ld.local.u32 %r2, [%t0+-4];
	mov.u32 %r3, 0;
LOOP:
	stacksave.u64 %old;
	mov.u64 %big, 4096;
	alloca.u64 %t1, %big;
	st.local.u32 [%t1+4092], %r3;
	stackrestore.u64 %old;
	add.u32 %r3, %r3, 1;
	setp.lt.u32 %q, %r3, 1000;
	@%q bra LOOP;
	ld.local.u32 %r4, [%t0+-4];
	add.u32 %r2, %r2, %r4;
	mul.wide.u32 %t2, %r0, 4;
	add.u64 %t2, %o, %t2;
	st.global.u32 [%t2], %r2;
	ret;
}
.visible .entry overflow(.param .u64 out)
{
	.reg .b64 %s, %p;
	mov.u64 %s, 1000000;
	alloca.u64 %p, %s;
	ret;
}
`

func TestStack(t *testing.T) {
	m := parsed(t, "stack.ptx", stack)
	for _, functional := range []bool{true, false} {
		n := node(t, "h200-sxm", vm.Options{Functional: functional, Silent: true})
		out := buffer(t, n, "out", 128)
		k := m.EntryNamed("stack")
		must(t, n.Launch(vm.Launch{Module: m, Entry: k, Block: [3]int{32, 1, 1}, Params: func(card int) []byte { return params(k, out.Addr(card)) }}))
		got, err := n.Read(out, 0)
		must(t, err)
		for lane := range 32 {
			if v := binary.LittleEndian.Uint32(got[4*lane:]); v != uint32(2*lane) {
				t.Errorf("lane %d finds %d, want %d", lane, v, 2*lane)
			}
		}
		k = m.EntryNamed("overflow")
		must(t, n.Launch(vm.Launch{Module: m, Entry: k, Params: func(card int) []byte { return params(k, out.Addr(card)) }}))
		_, err = n.Read(out, 0)
		var fault *vm.Fault
		if !errors.As(err, &fault) || fault.Kind != "call" {
			t.Errorf("a million bytes: %v", err)
		}
	}
}
