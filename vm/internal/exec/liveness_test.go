package exec

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// TestNoTwoLiveRegistersShareASlot walks programs at random. On each walk every slot remembers which variable was
// written last; a variable that the walk has written must still be in its slot when an operation reads it.
func TestNoTwoLiveRegistersShareASlot(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ptx")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		walkModule(t, file, string(text))
	}
	for seed := range 200 {
		walkModule(t, fmt.Sprintf("random%d.ptx", seed), randomKernel(rand.New(rand.NewSource(int64(seed)))))
	}
}

func walkModule(t *testing.T, name, text string) {
	t.Helper()
	m, diagnostics := parser.Parse(name, text, parser.Options{})
	if m == nil {
		var out strings.Builder
		_ = diagnostics.Write(&out, 3)
		t.Fatalf("%s does not parse:\n%s\n%s", name, out.String(), text)
	}
	for _, fn := range m.Funcs {
		if !fn.Entry {
			continue
		}
		d := newDecoder(m, fn)
		d.layShared(fn)
		d.instance(fn, false)
		for i := 0; i < len(d.order); i++ {
			in := d.order[i]
			in.emitAll()
			in.allocate()
			for seed := range 20 {
				walk(t, name, in, rand.New(rand.NewSource(int64(seed))))
			}
		}
	}
}

// walk follows one random path of at most 2,000 operations.
func walk(t *testing.T, name string, in *instance, random *rand.Rand) {
	t.Helper()
	type place struct {
		class class
		slot  int32
	}
	holds := map[place]int32{}
	written := map[int32]bool{}
	at := func(v int32) place { return place{in.vars[v].class, in.vars[v].slot} }
	pc := int32(0)
	for range 2000 {
		op := &in.ops[pc]
		visit(op, func(slot *int32, write bool) {
			if v := *slot; !write && written[v] && holds[at(v)] != v {
				t.Fatalf("%s, operation %d (%s): variable %d has lost its slot %v to variable %d", name, pc, op.Inst.Op, v, at(v), holds[at(v)])
			}
		})
		taken := op.Guard < 0 || random.Intn(2) == 0
		if taken {
			fresh := map[place]int32{}
			visit(op, func(slot *int32, write bool) {
				if !write {
					return
				}
				if other, twice := fresh[at(*slot)]; twice && other != *slot {
					t.Fatalf("%s, operation %d (%s): two destinations in slot %v", name, pc, op.Inst.Op, at(*slot))
				}
				fresh[at(*slot)] = *slot
				holds[at(*slot)], written[*slot] = *slot, true
			})
		}
		next, leaves := successors(in.ops, pc, nil)
		if op.Kind != state.Control {
			pc++
			continue
		}
		if leaves && (taken || len(next) == 0) {
			return
		}
		if !taken {
			pc++
			continue
		}
		pc = next[random.Intn(len(next))]
		if int(pc) >= len(in.ops) {
			return
		}
	}
}

// randomKernel writes a kernel of blocks with random arithmetic on a few registers of each width, guarded writes,
// forward and backward branches.
func randomKernel(random *rand.Rand) string {
	var b strings.Builder
	b.WriteString(".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n")
	b.WriteString("\t.reg .pred %p<6>;\n\t.reg .b32 %r<24>;\n\t.reg .b64 %d<12>;\n\tld.param.u64 %d0, [p];\n")
	r := func() string { return fmt.Sprintf("%%r%d", random.Intn(24)) }
	d := func() string { return fmt.Sprintf("%%d%d", random.Intn(12)) }
	p := func() string { return fmt.Sprintf("%%p%d", random.Intn(6)) }
	blocks := 3 + random.Intn(8)
	for i := range blocks {
		fmt.Fprintf(&b, "L%d:\n", i)
		for range random.Intn(12) {
			guard := ""
			if random.Intn(4) == 0 {
				guard = "@" + p() + " "
			}
			switch random.Intn(8) {
			case 0:
				fmt.Fprintf(&b, "\t%sadd.u32 %s, %s, %s;\n", guard, r(), r(), r())
			case 1:
				fmt.Fprintf(&b, "\t%smul.wide.u32 %s, %s, %s;\n", guard, d(), r(), r())
			case 2:
				fmt.Fprintf(&b, "\t%ssetp.lt.u32 %s|%s, %s, %d;\n", guard, "%p0", "%p1", r(), random.Intn(9))
			case 3:
				fmt.Fprintf(&b, "\t%smov.b64 {%s, %s}, %s;\n", guard, r(), r(), d())
			case 4:
				fmt.Fprintf(&b, "\t%smov.b64 %s, {%s, %s};\n", guard, d(), r(), r())
			case 5:
				fmt.Fprintf(&b, "\t%sselp.b32 %s, %s, %s, %s;\n", guard, r(), r(), r(), p())
			case 6:
				fmt.Fprintf(&b, "\t%sld.global.v2.u32 {%s, %s}, [%s];\n", guard, r(), r(), d())
			default:
				fmt.Fprintf(&b, "\t%ssetp.ne.u32 %s, %s, %s;\n", guard, p(), r(), r())
			}
		}
		switch random.Intn(3) {
		case 0:
			fmt.Fprintf(&b, "\t@%s bra L%d;\n", p(), random.Intn(blocks))
		case 1:
			fmt.Fprintf(&b, "\t@!%s bra L%d;\n", p(), random.Intn(blocks))
		}
	}
	b.WriteString("\tst.global.u32 [%d0], %r0;\n\tret;\n}\n")
	return b.String()
}

// TestSlotsOfStraightLineCode counts by hand: three 32-bit values are live at most, %r4 shares a slot.
func TestSlotsOfStraightLineCode(t *testing.T) {
	prog := decodeText(t, `.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<9>;
	.reg .b64 %d<2>;
	ld.param.u64 %d0, [p];
	mov.u32 %r0, %tid.x;
	add.u32 %r1, %r0, 1;
	add.u32 %r2, %r0, %r1;
	add.u32 %r3, %r2, %r1;
	add.u32 %r4, %r3, %r2;
	st.global.u32 [%d0], %r4;
	ret;
}
`)
	// %r0 until %r2, %r1 until %r3, %r2 until %r4: two at a time, and a result may take its dying source's slot
	if prog.N32 != 2 || prog.N64 != 1 {
		t.Errorf("slots: %d of 32 bits, %d of 64; want 2 and 1", prog.N32, prog.N64)
	}
	if want := registersOf(2 + 2); prog.Registers != want {
		t.Errorf("registers a thread: %d, want %d", prog.Registers, want)
	}
}

func decodeText(t *testing.T, text string) *state.Program {
	t.Helper()
	m, diagnostics := parser.Parse("k.ptx", text, parser.Options{})
	if m == nil {
		var out strings.Builder
		_ = diagnostics.Write(&out, 3)
		t.Fatal(out.String())
	}
	var entry *isa.Func
	for _, fn := range m.Funcs {
		if fn.Entry {
			entry = fn
		}
	}
	prog, err := Decode(m, entry, Env{})
	if err != nil {
		t.Fatal(err)
	}
	return prog
}
