package exec_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// operatorsOf runs the only warp of an entry, lets it pass every operator at once, and lists what it came to.
func operatorsOf(t *testing.T, text, entry string, threads int, params ...uint64) ([]string, *state.Fault) {
	t.Helper()
	s := newScript(t, "k.ptx", text)
	fn := s.module.EntryNamed(entry)
	prog, err := exec.Decode(s.module, fn, exec.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if prog.Unsupported != nil {
		t.Fatalf("unsupported: %s", prog.Unsupported.Op)
	}
	if !prog.Operators {
		t.Error("the program says that it reaches no operator")
	}
	block := make([]byte, 64)
	for i, p := range params {
		binary.LittleEndian.PutUint64(block[fn.Params[i].Offset:], p)
	}
	l := &state.Launch{Name: entry, Prog: prog, Grid: [3]int{1, 1, 1}, Block: [3]int{threads, 1, 1}, Params: block[:prog.ParamBytes], Card: s.node.Cards[0]}
	w := exec.StartCTA(l, 0, 0).Warps[0]
	var list []string
	for range 1000 {
		switch signal, _ := exec.Run(w, 1_000_000); signal {
		case state.AtOperator:
			c := w.Operator
			text := c.Code.String()
			switch {
			case c.Count > 0:
				text += fmt.Sprintf(" %s %s src=0x%x dst=0x%x count=%d", c.Red, c.Type, c.Src, c.Dst, c.Count)
			case strings.HasPrefix(text, "sync"):
				text += fmt.Sprintf(" %d", c.Group)
			}
			list = append(list, text)
			exec.PassOperator(w)
		case state.Exited:
			return list, nil
		case state.Faulted:
			return list, w.Fault
		case state.Waiting:
			return append(list, "stuck"), nil
		}
	}
	t.Fatal("no end")
	return nil, nil
}

func TestArticleReachesItsOperators(t *testing.T) {
	text, err := os.ReadFile("../../../programs/nvlink_allreduce.ptx")
	if err != nil {
		t.Fatal(err)
	}
	got, fault := operatorsOf(t, string(text), "nvlink_allreduce_fp16", 32, 0x4000000100, 0x4000000200, 1<<20)
	if fault != nil {
		t.Fatal(fault)
	}
	want := []string{
		"copy.nvlink  b16 src=0x4000000100 dst=0x4000000200 count=1048576",
		"reduce add bf16 src=0x4000000100 dst=0x4000000200 count=1048576",
	}
	for range 64 { // setp.lt wait_cnt, 64
		want = append(want, "sync.nvlink 0")
	}
	want = append(want, "unblock.tc")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// body is a kernel around some lines; p is a 64-bit parameter, %rd1 its value, %r1 the lane, %p1 lane < 8.
func body(lines string) string {
	return `.version 8.3
.target sm_90
.address_size 64
.entry k(.param .u64 p)
{
	.reg .pred %p<4>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %laneid;
	setp.lt.u32 %p1, %r1, 8;
` + lines + `
	ret;
}
`
}

func TestOperatorRules(t *testing.T) {
	for _, test := range []struct {
		name, lines string
		threads     int
		want        []string
		fault       string
	}{
		{name: "addresses and counts", threads: 32, lines: `
	copy.nvlink.f32 [%rd1+16], [%rd1], 12;
	reduce.max.f32 [%rd1], [%rd1+16], 12;
	sync.nvlink group, 3;`,
			want: []string{"copy.nvlink  f32 src=0x5010 dst=0x5000 count=12", "reduce max f32 src=0x5010 dst=0x5000 count=12", "sync.nvlink 3"}},
		{name: "fragments meet at the operator", threads: 32, lines: `
	@%p1 bra THERE;
	add.u32 %r2, %r1, 1;
THERE:
	sync.nvlink group, 0;`, want: []string{"sync.nvlink 0"}},
		{name: "lanes that came from two sides of a jump table", threads: 4, lines: `
ways: .branchtargets A, B, A, B;
	brx.idx %r1, ways;
A:
	bra C;
B:
	add.u32 %r3, %r1, 1;
C:
	unblock.tc;`, want: []string{"unblock.tc"}},
		{name: "exited lanes are not waited for", threads: 32, lines: `
	@%p1 exit;
	sync.nvlink group, 1;`, want: []string{"sync.nvlink 1"}},
		{name: "lanes exit while the others wait", threads: 32, lines: `
	@!%p1 bra THERE;
	add.u32 %r2, %r1, 1;
	exit;
THERE:
	sync.nvlink group, 1;`, want: []string{"sync.nvlink 1"}},
		{name: "a guard true for no lane", threads: 32, lines: `
	setp.gt.u32 %p2, %r1, 40;
	@%p2 sync.nvlink group, 1;
	@!%p2 sync.nvlink group, 2;`, want: []string{"sync.nvlink 2"}},
		{name: "a guard true for some lanes", threads: 32, lines: `
	@%p1 unblock.tc;`,
			fault: "operator `unblock.tc` is executed by lanes 0-7 only: its guard is false for lanes 8-31"},
		{name: "a guard true for all lanes left", threads: 8, lines: `
	@%p1 unblock.tc;`, want: []string{"unblock.tc"}},
		{name: "different operators on the two sides of a branch", threads: 32, lines: `
	@%p1 bra THERE;
	sync.nvlink group, 1;
	ret;
THERE:
	unblock.tc;`,
			fault: "lanes 0-7 come to operator `unblock.tc` in line 17, lanes 8-31 to `sync.nvlink` in line 14"},
		{name: "the same operator twice in the text is two", threads: 32, lines: `
	@%p1 bra THERE;
	sync.nvlink group, 1;
	ret;
THERE:
	sync.nvlink group, 1;`,
			fault: "to operator `sync.nvlink` in line 17"},
		{name: "operands differ", threads: 32, lines: `
	and.b32 %r2, %r1, 4;
	sync.nvlink group, %r2;`,
			fault: "the group of `sync.nvlink` differs between lanes of a warp: 0x0 in lane 0, 0x4 in lane 4"},
		{name: "operands differ in lanes that have exited", threads: 32, lines: `
	@!%p1 exit;
	shr.u32 %r2, %r1, 3;
	sync.nvlink group, %r2;`, want: []string{"sync.nvlink 0"}},
		{name: "addresses differ", threads: 32, lines: `
	cvt.u64.u32 %rd2, %r1;
	add.u64 %rd3, %rd1, %rd2;
	copy.nvlink %rd3, %rd1, 4;`,
			fault: "the source of `copy.nvlink` differs between lanes of a warp: 0x5000 in lane 0, 0x5001 in lane 1"},
		{name: "lanes that can't come", threads: 32, lines: `
	@%p1 bra THERE;
	sync.nvlink group, 1;
	ret;
THERE:
	bar.sync 0;`, want: []string{"stuck"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, fault := operatorsOf(t, body(test.lines), "k", test.threads, 0x5000)
			if test.fault != "" {
				if fault == nil || fault.Kind != state.FaultOperator || !strings.Contains(fault.Message, test.fault) {
					t.Fatalf("fault %v\nwant %s", fault, test.fault)
				}
				return
			}
			if fault != nil {
				t.Fatal(fault)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCountNeedsAParameter(t *testing.T) {
	s := newScript(t, "k.ptx", body("	copy.nvlink %rd1, %rd1, 1;"))
	fn := s.module.EntryNamed("k")
	for i := range fn.Code {
		if in := &fn.Code[i]; len(in.Operands) == 3 && in.Op.String() == "copy.nvlink" {
			in.Operands = in.Operands[:2] // as if written without a count
		}
	}
	if _, err := exec.Decode(s.module, fn, exec.Env{}); err == nil || !strings.Contains(err.Error(), "no parameter `elem`") {
		t.Errorf("error %v", err)
	}
}
