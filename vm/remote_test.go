package vm_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/programs/corpus"
	"github.com/tollgate-sim/tollgate/vm"
)

// remoteOpcodes are the instructions that may be given an address of another card.
var remoteOpcodes = map[isa.Opcode]bool{
	isa.OpLd: true, isa.OpLdu: true, isa.OpSt: true, isa.OpAtom: true, isa.OpRed: true, isa.OpPrefetch: true, isa.OpPrefetchu: true,
	isa.OpDiscard: true, isa.OpApplypriority: true, isa.OpCvta: true, isa.OpIsspacep: true,
	isa.OpMultimemLdReduce: true, isa.OpMultimemSt: true, isa.OpMultimemRed: true,
}

var (
	registerName = regexp.MustCompile(`%([a-z]+)(\d+)`)
	addressName  = regexp.MustCompile(`\[(%[usb]d\d+)(\+\d+)?\]`)
)

// form is one instruction on 32 lanes, each with its own 64 bytes.
type form struct {
	module    *isa.Module
	multicast bool
}

// kernelOf puts an instruction into a kernel: its address register points to the lane's 64 bytes, its other registers
// hold numbers of the lane; afterwards all of them are stored.
func kernelOf(v corpus.Verdict, address string) string {
	widths := map[string]int{"p": 1, "bb": 8, "ub": 8, "sb": 8, "bh": 16, "uh": 16, "sh": 16, "h": 16, "b": 32, "u": 32, "s": 32, "f": 32, "hx": 32, "bd": 64, "ud": 64, "sd": 64, "d": 64, "q": 128}
	types := map[string]string{"p": "pred", "bb": "b8", "ub": "u8", "sb": "s8", "bh": "b16", "uh": "u16", "sh": "s16", "h": "f16", "b": "b32", "u": "u32", "s": "s32", "f": "f32", "hx": "f16x2", "bd": "b64", "ud": "u64", "sd": "s64", "d": "f64", "q": "b128"}
	var declare, before, after []string
	seen := map[string]bool{}
	for i, m := range registerName.FindAllStringSubmatch(v.Text, -1) {
		name := m[0]
		if seen[name] || types[m[1]] == "" {
			continue
		}
		seen[name] = true
		declare = append(declare, fmt.Sprintf(".reg .%s %s;", types[m[1]], name))
		if name == address {
			before = append(before, fmt.Sprintf("add.u64 %s, zt, zl;", name))
			continue
		}
		before = append(before, fmt.Sprintf("mad.lo.u32 zw, zi, %d, %d;", 2*i+3, 17*i+1), "cvt.u64.u32 zx, zw;")
		slot := fmt.Sprintf("[zo+%d]", 16*len(after))
		switch widths[m[1]] {
		case 1:
			before = append(before, fmt.Sprintf("setp.lt.u32 %s, zi, 16;", name))
			after = append(after, fmt.Sprintf("selp.u32 zw, 1, 0, %s; st.u32 %s, zw;", name, slot))
		case 8:
			before = append(before, fmt.Sprintf("cvt.u8.u32 %s, zw;", name))
			after = append(after, fmt.Sprintf("st.b8 %s, %s;", slot, name))
		case 16:
			before = append(before, "mov.b32 {zh, zg}, zw;", fmt.Sprintf("mov.b16 %s, zh;", name))
			after = append(after, fmt.Sprintf("st.b16 %s, %s;", slot, name))
		case 32:
			before = append(before, fmt.Sprintf("mov.b32 %s, zw;", name))
			after = append(after, fmt.Sprintf("st.b32 %s, %s;", slot, name))
		case 64:
			before = append(before, fmt.Sprintf("mov.b64 %s, zx;", name))
			after = append(after, fmt.Sprintf("st.b64 %s, %s;", slot, name))
		case 128:
			before = append(before, fmt.Sprintf("mov.b128 %s, {zx, zl};", name))
			after = append(after, fmt.Sprintf("mov.b128 {zx, zl}, %s; st.v2.b64 %s, {zx, zl};", name, slot))
		}
	}
	lines := []string{".version 9.0", ".target " + v.Target, ".address_size 64", ".entry k (.param .u64 target, .param .u64 out)", "{",
		".reg .b64 zt, zo, zl, zx; .reg .b32 zi, zw; .reg .b16 zh, zg;"}
	lines = append(lines, declare...)
	lines = append(lines, "ld.param.u64 zt, [target];", "ld.param.u64 zo, [out];", "mov.u32 zi, %laneid;",
		"mul.wide.u32 zl, zi, 512;", "add.u64 zo, zo, zl;", "mul.wide.u32 zl, zi, 64;")
	lines = append(lines, before...)
	lines = append(lines, v.Text)
	lines = append(lines, after...)
	return strings.Join(append(lines, "ret;", "}", ""), "\n")
}

// outcome is what an instruction left behind.
type outcome struct {
	registers, target []byte
	err               string
}

// run executes a form on card 0 of two, with an address of a card.
func (f *form) run(t *testing.T, card int, functional bool) (o outcome) {
	t.Helper()
	n := node(t, "h200-sxm", vm.Options{Functional: functional, Cards: 2, Threads: 1, Silent: true})
	target, err := n.Buffer("target", 32*64, func(_ int, dst []byte) {
		for i := range dst {
			dst[i] = byte(i*7) & 0x3f // no NaN, no infinity in any format
		}
	})
	must(t, err)
	out := buffer(t, n, "out", 32*512)
	address := target.Addr(card)
	if f.multicast {
		address = target.Multicast()
	}
	k := f.module.EntryNamed("k")
	err = n.Launch(vm.Launch{Module: f.module, Entry: k, Cards: []int{0}, Block: [3]int{32, 1, 1}, Params: func(int) []byte {
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, address), out.Addr(0))
	}})
	if err == nil {
		_, err = n.Finish(context.Background())
	}
	if err != nil {
		o.err = err.Error()
		return o
	}
	o.registers, err = n.Read(out, 0)
	must(t, err)
	o.target, err = n.Read(target, card)
	must(t, err)
	return o
}

// TestEveryMemoryInstructionReachesOtherCards runs what the assembler accepts on the own card's memory and on another's,
// without and under the clock: the same comes out.
func TestEveryMemoryInstructionReachesOtherCards(t *testing.T) {
	verdicts, err := corpus.Verdicts()
	must(t, err)
	tried := map[string]bool{}
	ran := 0
	for _, v := range verdicts {
		if v.Kind != "insn" || !v.Accepted || strings.ContainsAny(v.Text, "@") || v.Version != "9.0" {
			continue
		}
		at := addressName.FindStringSubmatch(v.Text)
		word, _, _ := strings.Cut(v.Text, " ")
		if at == nil || tried[word] || strings.Contains(word, ".shared") || strings.Contains(word, ".local") || strings.Contains(word, ".const") || strings.Contains(word, ".param") {
			continue
		}
		op, _, _, wrong := isa.Split(word)
		if wrong != nil || !remoteOpcodes[op] {
			continue
		}
		m, diagnostics := parser.Parse(v.ID, kernelOf(v, at[1]), parser.Options{})
		if diagnostics.HasErrors() {
			t.Logf("%s: %s", v.Text, diagnostics[0])
			continue
		}
		if vm.CanRun(m, m.EntryNamed("k")) != nil {
			continue // exec's test lists these
		}
		tried[word] = true
		f := &form{m, strings.HasPrefix(word, "multimem")}
		own, peer, timed := f.run(t, 0, true), f.run(t, 1, true), f.run(t, 1, false)
		for _, far := range []outcome{peer, timed} {
			if own.err != "" || far.err != "" || !bytes.Equal(own.registers, far.registers) || !bytes.Equal(own.target, far.target) {
				t.Errorf("%s: own card and the other's differ (%s, %s)\n%s", v.Text, own.err, far.err,
					firstLines(cmp.Diff(own.registers, far.registers)+cmp.Diff(own.target, far.target), 12))
				break
			}
		}
		ran++
	}
	t.Logf("%d instructions", ran)
	if ran < 300 {
		t.Errorf("only %d instructions were tried", ran)
	}
}

// TestMultimemNeedsASwitch: without an NVSwitch that multicasts, multimem is a fault at its line, with and without a
// clock, for every machine that has none.
func TestMultimemNeedsASwitch(t *testing.T) {
	for _, line := range []string{
		"multimem.ld_reduce.relaxed.sys.global.add.f32 %f1, [%a];",
		"multimem.st.relaxed.sys.global.f32 [%a], %f1;",
		"multimem.red.relaxed.sys.global.add.f32 [%a], %f1;",
	} {
		m := parsed(t, "multimem.ptx", head+".visible .entry k(.param .u64 p)\n{\n.reg .f32 %f1;\n.reg .b64 %a;\nmov.f32 %f1, 0f3F800000;\nld.param.u64 %a, [p];\n"+line+"\nret;\n}\n")
		for _, machine := range []string{"a100-sxm", "h100-pcie", "rtx-4090"} {
			for _, functional := range []bool{true, false} {
				n := node(t, machine, vm.Options{Functional: functional, Cards: 2, Silent: true})
				b := buffer(t, n, "data", 256)
				k := m.EntryNamed("k")
				must(t, n.Launch(vm.Launch{Module: m, Entry: k, Params: func(int) []byte { return params(k, b.Multicast()) }}))
				_, err := n.Finish(context.Background())
				var fault *vm.Fault
				if !errors.As(err, &fault) {
					t.Errorf("%s, %s: %v, want a fault", line, machine, err)
					continue
				}
				if at, _ := m.Source.LineCol(fault.Pos); at != 10 || !strings.Contains(fault.Message, "switch") {
					t.Errorf("%s, %s: line %d: %v", line, machine, at, err)
				}
			}
		}
	}
}

// TestCopyAsyncFromAnotherCard: cp.async brings what the other card's memory holds, whole and in part, and zeros for
// the rest; half of the lanes copy from the own card.
func TestCopyAsyncFromAnotherCard(t *testing.T) {
	const text = head + `
.visible .entry k(.param .u64 own, .param .u64 peer, .param .u64 out)
{
	.shared .align 16 .b8 room[512];
	.reg .pred %p;
	.reg .b32 %r<8>;
	.reg .b64 %a<4>, %o, %l;
	ld.param.u64 %a0, [own];
	ld.param.u64 %a1, [peer];
	ld.param.u64 %o, [out];
	mov.u32 %r0, %tid.x;
	shl.b32 %r1, %r0, 4;
	cvt.u64.u32 %l, %r1;
	setp.lt.u32 %p, %r0, 16;
	selp.b64 %a2, %a0, %a1, %p;
	add.u64 %a2, %a2, %l;
	add.u64 %o, %o, %l;
	mov.u32 %r2, room;
	add.u32 %r2, %r2, %r1;
	and.b32 %r3, %r0, 15;
	cp.async.ca.shared.global [%r2], [%a2], 16, %r3;
	cp.async.commit_group;
	cp.async.wait_group 0;
	ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2];
	st.global.v4.u32 [%o], {%r4, %r5, %r6, %r7};
	ret;
}
`
	m := parsed(t, "copy.ptx", text)
	k := m.EntryNamed("k")
	byteAt := func(card, i int) byte { return byte(1 + card*100 + i%100) }
	for _, functional := range []bool{true, false} {
		n := node(t, "h200-sxm", vm.Options{Functional: functional, Cards: 2})
		from, err := n.Buffer("from", 512, func(card int, dst []byte) {
			for i := range dst {
				dst[i] = byteAt(card, i)
			}
		})
		must(t, err)
		out := buffer(t, n, "out", 512)
		must(t, n.Launch(vm.Launch{Module: m, Entry: k, Cards: []int{0}, Block: [3]int{32, 1, 1}, Params: func(int) []byte {
			return params(k, from.Addr(0), from.Addr(1), out.Addr(0))
		}}))
		_, err = n.Finish(context.Background())
		must(t, err)
		got, err := n.Read(out, 0)
		must(t, err)
		for i, b := range got {
			lane := i / 16
			want := byte(0)
			if i%16 < lane%16 {
				want = byteAt(lane/16, i)
			}
			if b != want {
				t.Fatalf("functional %t: byte %d of lane %d is %d, want %d", functional, i%16, lane, b, want)
			}
		}
	}
}

func firstLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[:min(n, len(lines))], "\n")
}
