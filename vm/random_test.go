package vm_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
)

// randomKernel writes valid kernels without races for a node of some cards: what they compute does not depend on the
// order in which cards, CTAs and warps run. Their memory:
//
//	in     is only read, on any card
//	sums   takes atomics without result, on any card; one operation a third, so that they commute
//	own    has a place a card and thread on every card, which nobody else touches
//	mail   is like own, a copy an epoch: written before a barrier or a flag, read after it
//	flags  count an epoch's arrivals from another card
//	folded receives what copy.nvlink and reduce make of in, a copy an epoch
//	out    gets what each thread's registers have come to
type randomKernel struct {
	*rand.Rand
	text        strings.Builder
	cards       int
	ctas, block int
	labels      int
	epochs      int
}

const (
	inWords   = 64
	sumWords  = 12
	mostEpoch = 6
)

var kernelBuffers = []string{"in", "sums", "own", "mail", "flags", "folded", "out"}

func (k *randomKernel) threads() int { return k.ctas * k.block }

// bytes is the size of a buffer.
func (k *randomKernel) bytes(buffer string) int64 {
	words := map[string]int{
		"in": inWords, "sums": sumWords, "own": k.cards * k.threads(), "mail": mostEpoch * k.cards * k.threads(),
		"flags": mostEpoch, "folded": mostEpoch * inWords, "out": k.threads(),
	}[buffer]
	return int64(4 * words)
}

// params lays out the entry's parameters for a card: its number, then each buffer's address on card 0; addresses on
// another card are 2^38 further on.
func (k *randomKernel) params(entry *isa.Func, buffers []*vm.Buffer) func(card int) []byte {
	return func(card int) []byte {
		values := []uint64{uint64(card)}
		for _, b := range buffers {
			values = append(values, b.Addr(0))
		}
		return params(entry, values...)
	}
}

func (k *randomKernel) line(format string, args ...any) {
	fmt.Fprintf(&k.text, "\t"+format+"\n", args...)
}

func (k *randomKernel) label() string { k.labels++; return fmt.Sprintf("L%d", k.labels) }

// reg is one of the registers that statements read and write.
func (k *randomKernel) reg() string { return fmt.Sprintf("%%r%d", k.IntN(8)) }

func (k *randomKernel) operand() string {
	if k.IntN(4) == 0 {
		return fmt.Sprint(k.IntN(1 << 16))
	}
	return k.reg()
}

func (k *randomKernel) one(of ...string) string { return of[k.IntN(len(of))] }

// kernel writes the module.
func (k *randomKernel) kernel() string {
	k.text.WriteString(head + ".visible .entry k(.param .u32 rank")
	for _, b := range kernelBuffers {
		fmt.Fprintf(&k.text, ", .param .u64 %s", b)
	}
	fmt.Fprintf(&k.text, ")\n{\n\t.reg .b32 %%r<8>, %%c<4>, %%i, %%j, %%n, %%rank, %%tid, %%gtid;\n\t.reg .b64 %%a, %%b, %%src;\n\t.reg .f32 %%f<2>;\n\t.reg .pred %%p;\n\t.shared .align 16 .b8 tile[%d];\n", 4*k.block)
	k.line("ld.param.u32 %%rank, [rank];")
	k.line("mov.u32 %%tid, %%tid.x; mov.u32 %%i, %%ctaid.x; mov.u32 %%j, %%ntid.x;")
	k.line("mad.lo.u32 %%gtid, %%i, %%j, %%tid;")
	for r := range 8 {
		k.line("mad.lo.u32 %%r%d, %%gtid, %d, %%rank; mad.lo.u32 %%r%d, %%rank, %d, %%r%d;", r, k.IntN(1<<20), r, k.IntN(1<<20), r)
	}
	for range 3 + k.IntN(8) {
		if k.IntN(3) == 0 && k.epochs < mostEpoch {
			k.together()
		} else {
			k.statement(0)
		}
	}
	for r := 1; r < 8; r++ {
		k.line("mad.lo.u32 %%r0, %%r0, 31, %%r%d;", r)
	}
	k.line("cvt.u64.u32 %%b, %%gtid; shl.b64 %%b, %%b, 2;")
	k.address("out", "%rank")
	k.line("st.global.u32 [%%a], %%r0;")
	k.line("ret;\n}")
	return k.text.String()
}

// address leaves in %a the address of a buffer on a card, plus the bytes in %b.
func (k *randomKernel) address(buffer, card string) {
	// Through a register, since card may be a number.
	k.line("mov.u32 %%n, %s; cvt.u64.u32 %%a, %%n; shl.b64 %%a, %%a, 38; add.u64 %%a, %%a, %%b;", card)
	k.line("ld.param.u64 %%b, [%s]; add.u64 %%a, %%a, %%b;", buffer)
}

// anyCard is a card: this one, a certain one, or another for every lane (in %n).
func (k *randomKernel) anyCard() string {
	switch k.IntN(3) {
	case 0:
		return "%rank"
	case 1:
		return fmt.Sprint(k.IntN(k.cards))
	}
	k.line("add.u32 %%n, %s, %%rank; rem.u32 %%n, %%n, %d;", k.reg(), k.cards)
	return "%n"
}

// offset leaves in %b the bytes to this thread's word of own or mail, in an epoch.
func (k *randomKernel) offset(epoch int, rank, thread string) {
	k.line("mov.u32 %%i, %s; add.u32 %%i, %%i, %d; mov.u32 %%j, %d; mad.lo.u32 %%i, %%i, %%j, %s; mul.wide.u32 %%b, %%i, 4;", rank, epoch*k.cards, k.threads(), thread)
}

// statement writes something that any lanes may execute.
func (k *randomKernel) statement(depth int) {
	switch choice := k.IntN(10); {
	case choice < 3:
		for range 1 + k.IntN(6) {
			k.arithmetic()
		}
	case choice == 3:
		k.load()
	case choice == 4:
		k.line("rem.u32 %%i, %s, %d; mul.wide.u32 %%b, %%i, 4;", k.reg(), sumWords/3)
		part := k.IntN(3)
		k.line("add.u64 %%b, %%b, %d;", part*4*sumWords/3)
		k.address("sums", k.anyCard())
		k.line("red.global%s.%s [%%a], %s;", k.one("", ".relaxed.gpu", ".relaxed.sys"), [...]string{"add.u32", "max.u32", "xor.b32"}[part], k.reg())
	case choice < 7:
		card := k.anyCard()
		k.line("mov.u32 %%n, %s; mov.u32 %%r7, %%n;", card) // kept: the address is worked out twice
		for range 1 + k.IntN(3) {
			k.offset(0, "%rank", "%gtid")
			k.address("own", "%r7")
			switch k.IntN(3) {
			case 0:
				k.line("st.global.u32 [%%a], %s;", k.reg())
			case 1:
				k.line("ld.global.u32 %%r%d, [%%a];", k.IntN(7))
			case 2:
				k.line("atom.global.add.u32 %%r%d, [%%a], %s;", k.IntN(7), k.reg())
			}
		}
		k.line("mov.u32 %%r7, %%gtid;")
	case depth > 2:
		k.arithmetic()
	case choice < 9:
		k.branch(depth)
	default:
		k.loop(depth)
	}
}

func (k *randomKernel) arithmetic() {
	d := k.reg()
	switch k.IntN(6) {
	case 0, 1:
		k.line("%s %s, %s, %s;", k.one("add.u32", "sub.u32", "mul.lo.u32", "xor.b32", "and.b32", "or.b32", "min.s32", "max.u32", "mul.hi.u32"), d, k.reg(), k.operand())
	case 2:
		k.line("%s %s, %s, %d;", k.one("shl.b32", "shr.u32", "shr.s32"), d, k.reg(), k.IntN(34))
	case 3:
		k.line("mad.lo.u32 %s, %s, %s, %s;", d, k.reg(), k.reg(), k.operand())
	case 4:
		k.line("setp.%s.u32 %%p, %s, %s; selp.b32 %s, %s, %s, %%p;", k.one("lt", "ge", "eq"), k.reg(), k.operand(), d, k.reg(), k.operand())
	case 5:
		k.line("cvt.rn.f32.u32 %%f0, %s; fma.rn.f32 %%f1, %%f0, 0f3F8CCCCD, %%f0; mov.b32 %s, %%f1;", k.reg(), d)
	}
}

func (k *randomKernel) load() {
	k.line("rem.u32 %%i, %s, %d; and.b32 %%i, %%i, 60; mul.wide.u32 %%b, %%i, 4;", k.reg(), inWords)
	k.address("in", k.anyCard())
	switch k.IntN(4) {
	case 0:
		k.line("ld.global.v4.u32 {%%r0, %%r1, %%r2, %%r3}, [%%a];")
	case 1:
		k.line("ld.v2.u32 {%%r4, %%r5}, [%%a+8];")
	case 2:
		k.line("ld.global.u8 %s, [%%a+%d];", k.reg(), k.IntN(4))
	case 3:
		k.line("ld.global.s16 %s, [%%a+%d];", k.reg(), 2*k.IntN(2))
	}
}

func (k *randomKernel) branch(depth int) {
	other, end := k.label(), k.label()
	k.line("and.b32 %%i, %s, %d; setp.eq.u32 %%p, %%i, 0;", k.one("%tid", "%gtid", "%rank", k.reg()), 1<<k.IntN(6))
	k.line("@%%p bra %s;", other)
	for range 1 + k.IntN(2) {
		k.statement(depth + 1)
	}
	k.line("bra %s;", end)
	k.text.WriteString(other + ":\n")
	for range k.IntN(3) {
		k.statement(depth + 1)
	}
	k.text.WriteString(end + ":\n")
}

// loop goes round one to four times, another number for every lane.
func (k *randomKernel) loop(depth int) {
	again := k.label()
	k.line("and.b32 %%c%d, %s, 3;", depth, k.reg())
	k.text.WriteString(again + ":\n")
	k.statement(depth + 1)
	k.line("setp.ne.u32 %%p, %%c%d, 0; sub.u32 %%c%d, %%c%d, 1;", depth, depth, depth)
	k.line("@%%p bra %s;", again)
}

// together writes what all threads of all cards do: they exchange through shared memory, through mail, or fold in.
func (k *randomKernel) together() {
	epoch := k.epochs
	k.epochs++
	switch k.IntN(4) {
	case 0: // neighbours in the CTA
		k.line("mov.u32 %%i, tile; mad.lo.u32 %%i, %%tid, 4, %%i; st.shared.u32 [%%i], %s; bar.sync 0;", k.reg())
		k.line("add.u32 %%j, %%tid, %d; rem.u32 %%j, %%j, %d; mov.u32 %%i, tile; mad.lo.u32 %%i, %%j, 4, %%i;", 1+k.IntN(64), k.block)
		k.line("ld.shared.u32 %s, [%%i]; bar.sync 0;", k.reg())
	case 1: // mail to a card, a round of the barrier, then what came from some card
		to := k.IntN(k.cards)
		k.line("add.u32 %%r7, %%rank, %d; rem.u32 %%r7, %%r7, %d;", to, k.cards)
		k.offset(epoch, "%rank", "%gtid")
		k.address("mail", "%r7")
		k.line("st.global.u32 [%%a], %s;", k.reg())
		k.line("fence.acq_rel.sys; sync.nvlink group, 0; fence.acq_rel.sys;")
		k.line("add.u32 %%r7, %%rank, %d; rem.u32 %%r7, %%r7, %d;", k.cards-to, k.cards)
		k.line("add.u32 %%r6, %%gtid, %d; rem.u32 %%r6, %%r6, %d;", k.IntN(k.threads()), k.threads())
		k.offset(epoch, "%r7", "%r6")
		k.address("mail", "%rank")
		k.line("ld.global.u32 %%r%d, [%%a];", k.IntN(8))
	case 2: // a CTA's first thread writes to the next card and raises its flag; all read what came from the one before
		wait, on := k.label(), k.label()
		k.line("bar.sync 0; setp.ne.u32 %%p, %%tid, 0;")
		k.line("@%%p bra %s;", on)
		k.line("add.u32 %%r7, %%rank, 1; rem.u32 %%r7, %%r7, %d;", k.cards)
		k.offset(epoch, "%rank", "%gtid")
		k.address("mail", "%r7")
		k.line("st.global.u32 [%%a], %%r%d;", k.IntN(7))
		k.line("mov.u64 %%b, %d;", 4*epoch)
		k.address("flags", "%r7")
		k.line("red.release.sys.global.add.u32 [%%a], 1;")
		k.line("mov.u64 %%b, %d;", 4*epoch)
		k.address("flags", "%rank")
		k.text.WriteString(wait + ":\n")
		k.line("ld.acquire.sys.global.u32 %%i, [%%a]; setp.lt.u32 %%p, %%i, %d;", k.ctas)
		k.line("@%%p bra %s;", wait)
		k.text.WriteString(on + ":\n")
		k.line("bar.sync 0;")
		k.line("add.u32 %%r7, %%rank, %d; rem.u32 %%r7, %%r7, %d; sub.u32 %%r6, %%gtid, %%tid;", k.cards-1, k.cards)
		k.offset(epoch, "%r7", "%r6")
		k.address("mail", "%rank")
		k.line("ld.global.u32 %%r%d, [%%a];", k.IntN(8))
	case 3: // an all-reduce of in
		kind := k.one("u32", "f32", "s32")
		count := 1 + k.IntN(inWords)
		k.line("mov.u64 %%b, 0;")
		k.address("in", "%rank")
		k.line("mov.u64 %%src, %%a;")
		k.line("mov.u64 %%b, %d;", 4*epoch*inWords)
		k.address("folded", "%rank")
		k.line("copy.nvlink.%s %%src, %%a, %d; reduce.%s.%s %%a, %%src, %d;", kind, count, k.one("add", "min", "max"), kind, count)
		k.line("%s", k.one("unblock.tc;", "", "sync.nvlink group, 0; unblock.tc;"))
		k.line("rem.u32 %%i, %s, %d; add.u32 %%i, %%i, %d; mul.wide.u32 %%b, %%i, 4;", k.reg(), count, epoch*inWords)
		k.address("folded", "%rank")
		k.line("ld.global.u32 %%r%d, [%%a];", k.IntN(8))
	}
}

// fill is what a buffer holds at first.
func (k *randomKernel) fill(buffer string) func(card int, dst []byte) {
	return func(card int, dst []byte) {
		clear(dst)
		for i := 0; buffer == "in" && i < len(dst); i += 4 {
			// Small numbers, of which a float's bits too are an ordinary number.
			binary.LittleEndian.PutUint32(dst[i:], 0x3f800000+uint32(card)<<18+uint32(i)<<10)
		}
	}
}
