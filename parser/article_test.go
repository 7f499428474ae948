package parser

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/isa"
)

func article(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../programs/nvlink_allreduce.ptx")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestArticleNotes lists every note on the article's listing, by hand from the table of the dialect.
func TestArticleNotes(t *testing.T) {
	m, ds := Parse("nvlink_allreduce.ptx", article(t), Options{})
	if m == nil {
		t.Fatal(ds)
	}
	if !m.Dialect || m.Target != "sm_90" || m.AddressSize != 64 || m.Version != (isa.Version{Major: 8, Minor: 3}) {
		t.Errorf("header: dialect %v, target %q, addresses of %d bits, version %v", m.Dialect, m.Target, m.AddressSize, m.Version)
	}
	var got []string
	for _, d := range ds {
		line, col := d.Source.LineCol(d.Pos)
		if d.Code == "ascii" {
			continue
		}
		got = append(got, fmt.Sprintf("%s %s %d:%d %s", d.Severity, d.Code, line, col, text(d)))
	}
	want := []string{
		"note D1 2:9 sm90",
		"note D7 2:9 sm90",
		"note D2 4:29 .reg.u32 card_group_id",
		"note D3 7:1 mov",
		"note D8 10:1 sync.nvlink",
		"note D9 10:13 group",
		"note D5 12:13 %p",
		"note D4 13:1 %p",
		"note D8 15:1 unblock.tc",
		"note D2 19:31 .reg.u64 src",
		"note D2 19:45 .reg.u64 dst",
		"note D2 19:59 .reg.u32 elem",
		"note D8 22:1 copy.nvlink",
		"note D8 24:1 reduce.add.bf16",
		"note D10 24:1 reduce.add.bf16",
		"note D6 25:1 nvlink_barrier_sync",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	var comments []int
	for _, d := range ds {
		if d.Code == "ascii" {
			line, _ := d.Source.LineCol(d.Pos)
			comments = append(comments, line)
		}
	}
	if d := cmp.Diff([]int{3, 9, 14, 18, 21, 23}, comments); d != "" {
		t.Error("lines with Chinese comments:", d)
	}
}

func text(d Diagnostic) string { return d.Source.Text[d.Pos:d.End] }

func TestStrictRefusesTheDialect(t *testing.T) {
	m, ds := Parse("nvlink_allreduce.ptx", article(t), Options{Strict: true})
	if m != nil {
		t.Error("accepted")
	}
	for _, d := range ds {
		remark := d.Code == "D7" || d.Code == "D10" // real PTX may do the same
		if (d.Severity == Error) == remark {
			t.Errorf("%s is a %s", d.Code, d.Severity)
		}
	}
}

// TestArticleInstructions checks what the VM reads of the article's kernels.
func TestArticleInstructions(t *testing.T) {
	m, ds := Parse("nvlink_allreduce.ptx", article(t), Options{})
	if m == nil {
		t.Fatal(ds)
	}
	barrier, allreduce := m.EntryNamed("nvlink_barrier_sync"), m.EntryNamed("nvlink_allreduce_fp16")
	reg := func(f *isa.Func, name string) isa.Reg {
		for i, r := range f.Regs {
			if r.Name == name {
				return isa.Reg(i)
			}
		}
		t.Fatalf("%s has no register %s", f.Name, name)
		return isa.NoReg
	}
	if p := barrier.Params[0]; p.Reg != reg(barrier, "card_group_id") || p.Offset != 0 || p.Size != 4 {
		t.Errorf("card_group_id: %+v", p)
	}
	for i, want := range []int{0, 8, 16} { // u64, u64, u32 in the C layout
		if got := allreduce.Params[i].Offset; got != want {
			t.Errorf("parameter %d at %d, want %d", i, got, want)
		}
	}
	move := barrier.Code[0]
	if move.Op != isa.OpMov || len(move.Types) != 1 || move.Types[0] != isa.U32 {
		t.Errorf("mov wait_cnt, 0 has types %v, want the destination's u32", move.Types)
	}
	sync := barrier.Code[1]
	if sync.Op != isa.OpSyncNVLink || sync.Operands[0].Kind != isa.OperandGroup || sync.Operands[1].Reg != reg(barrier, "card_group_id") {
		t.Errorf("sync.nvlink: %+v", sync)
	}
	branch := barrier.Code[4]
	if branch.Op != isa.OpBra || branch.Guard.Reg != reg(barrier, "%p") || branch.Guard.Neg || branch.Operands[0].Target != 1 {
		t.Errorf("branch: %+v", branch)
	}
	if p := barrier.Regs[branch.Guard.Reg]; p.Type != isa.Pred {
		t.Errorf("%%p has type %s", p.Type)
	}
	if op := barrier.Code[5].Op; op != isa.OpUnblockTC {
		t.Errorf("instruction 5 is %s", op)
	}
	elem := reg(allreduce, "elem")
	for i, want := range []isa.Opcode{isa.OpCopyNVLink, isa.OpReduce} {
		in := allreduce.Code[i]
		if in.Op != want || len(in.Operands) != 3 || in.Operands[2].Reg != elem {
			t.Errorf("%s: the count is not elem: %+v", want, in.Operands)
		}
	}
	if c := allreduce.Code[0]; len(c.Types) != 1 || c.Types[0] != isa.B16 {
		t.Errorf("copy.nvlink has types %v, want b16", c.Types)
	}
	call := allreduce.Code[2]
	if call.Op != isa.OpCall || call.Operands[0].Func != barrier || call.Operands[1].Kind != isa.OperandList || call.Operands[1].List[0].Bits != 0 {
		t.Errorf("call: %+v", call)
	}
}

// TestOperatorsAlone puts each departure from PTX into real PTX, one at a time.
func TestOperatorsAlone(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"D3 takes the predicate's type", ".reg .pred p; mov p, 1;", "D3"},
		{"D3 in half registers moves bits", ".reg .f16 h; mov h, 0;", "D3"},
		{"D4 of a name without %", ".reg .pred p; setp.eq.u32 p, 1, 2; L: !p bra L;", "D4"},
		{"D4 negated register", ".reg .pred %p; setp.eq.u32 %p, 1, 2; L: !%p bra L;", "D4"},
		{"D5 in a guard before its setp", "L: @%q bra L; setp.eq.u32 %q, 1, 2;", "D5"},
		{"D5 once a name", "setp.eq.u32 %q, 1, 2; @%q ret; @!%q ret;", "D5"},
		{"no D5 beside a range", ".reg .pred %q<2>; setp.eq.u32 %q2, 1, 2;", "error"},
		{"D6 of a function", "fn(3);", "D6"},
		{"D6 whatever opcode it also names", "mov(3);", "D6"},
		{"D8 with addresses and count", ".reg .u64 a; mov.u64 a, 0; copy.nvlink.f32 [a+16], [a], 4;", "D8"},
		{"D8 of a variable", "reduce.add.f32 g, g, 4;", "D8"},
		{"D9", "sync.nvlink group, 0;", "D8 D9"},
		{"real call", "call fn, (3);", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := ".version 8.3\n.target sm_90\n.address_size 64\n.global .f32 g[4];\n.func fn(.reg .u32 a) { ret; }\n.func mov(.reg .u32 a) { ret; }\n.entry k() {\n" + c.body + "\nret;\n}\n"
			_, ds := Parse("t.ptx", text, Options{})
			var got []string
			for _, d := range ds {
				if d.Severity == Error && c.want == "error" {
					return
				}
				if d.Severity == Error {
					t.Fatal(d)
				}
				got = append(got, d.Code)
			}
			if g := strings.Join(got, " "); g != c.want {
				t.Errorf("got %q, want %q", g, c.want)
			}
		})
	}
}
