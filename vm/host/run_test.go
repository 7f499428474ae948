package host_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/programs"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// kernels: scale multiplies n words by two and adds the card's rank; peek stores the first word of another card's
// buffer, found in a table of peers; stop traps.
const kernels = `.version 8.3
.target sm_90
.address_size 64
.visible .entry scale(.param .u64 dst, .param .u64 src, .param .u32 n, .param .u32 rank)
{
	.reg .pred %p;
	.reg .b32 %r<6>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [dst];
	ld.param.u64 %rd2, [src];
	ld.param.u32 %r1, [n];
	ld.param.u32 %r2, [rank];
	mov.u32 %r3, %tid.x;
	setp.ge.u32 %p, %r3, %r1;
	@%p bra DONE;
	mul.wide.u32 %rd3, %r3, 4;
	add.s64 %rd4, %rd2, %rd3;
	add.s64 %rd5, %rd1, %rd3;
	ld.global.u32 %r4, [%rd4];
	shl.b32 %r4, %r4, 1;
	add.u32 %r4, %r4, %r2;
	st.global.u32 [%rd5], %r4;
DONE:
	ret;
}
.visible .entry peek(.param .u64 peek_param_0, .param .u64 peek_param_1, .param .u32 peek_param_2)
{
	.reg .b32 %r<6>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [peek_param_0];
	ld.param.u64 %rd2, [peek_param_1];
	ld.param.u32 %r1, [peek_param_2];
	mul.wide.u32 %rd3, %r1, 8;
	add.s64 %rd2, %rd2, %rd3;
	ld.global.u64 %rd4, [%rd2];
	ld.global.u32 %r2, [%rd4];
	st.global.u32 [%rd1], %r2;
	ret;
}
.visible .entry stop()
{
	trap;
}
`

func load(path, text string) (*isa.Module, error) {
	m, diagnostics := parser.Parse(path, text, parser.Options{})
	if diagnostics.HasErrors() {
		return nil, errors.New(diagnostics[0].String())
	}
	return m, nil
}

func kernelModule(t *testing.T) *isa.Module {
	t.Helper()
	m, err := load("kernels.ptx", kernels)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRunPTX runs scale on two cards in both modes and looks at all that a run hands back.
func TestRunPTX(t *testing.T) {
	for _, functional := range []bool{true, false} {
		dir := t.TempDir()
		out, err := host.RunPTX(context.Background(), host.RunRequest{
			Module: kernelModule(t), Entry: "scale",
			Args:    []string{"src=u32:1,2,3,4", "dst=i32[4]:zeros", "n=3", "rank=rank"},
			Prints:  []string{"dst[0:4]", "src[1:3]:u16"},
			Dumps:   []string{"dst=" + filepath.Join(dir, "card-%d.bin"), "src=" + filepath.Join(dir, "src.bin")},
			Options: vm.Options{Cards: 2, Functional: functional},
		})
		if err != nil {
			t.Fatalf("functional %t: %v", functional, err)
		}
		var prints []string
		for _, p := range out.Prints {
			prints = append(prints, p.String())
		}
		got := strings.Join(append(prints, out.Results), "\n")
		const want = `dst[0:4] on card 0: 2, 4, 6, 0
dst[0:4] on card 1: 3, 5, 7, 0
src[1:3] on cards 0-1: 0, 2
dst = 2, 4, 6, 0 on card 0, differs on others`
		if got != want {
			t.Errorf("functional %t: got\n%s\nwant\n%s", functional, got, want)
		}
		for file, want := range map[string]string{"card-1.bin": "03000000050000000700000000000000", "src.bin": strings.Repeat("01000000020000000300000004000000", 2)} {
			data, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil || fmt.Sprintf("%x", data) != want {
				t.Errorf("%s: %x, %v", file, data, err)
			}
		}
	}
}

func TestRunPTXTable(t *testing.T) {
	out, err := host.RunPTX(context.Background(), host.RunRequest{
		Module: kernelModule(t), Entry: "peek",
		Args:    []string{"param_0=u32[1]", "peek_param_1=peers(x)", "2=2"},
		Buffers: []string{"x=u32[1]:random(5)"},
		Prints:  []string{"x", "peek_param_0"},
		Options: vm.Options{Cards: 3, Functional: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	last := out.Prints[len(out.Prints)-1]
	if len(last.Cards) != 3 || last.Bits[0] != out.Prints[2].Bits[0] || last.Bits[0] == out.Prints[0].Bits[0] {
		t.Errorf("every card reads card 2's word: %v", out.Prints)
	}
}

func TestRunPTXErrors(t *testing.T) {
	run := func(entry string, args ...string) error {
		_, err := host.RunPTX(context.Background(), host.RunRequest{Module: kernelModule(t), Entry: entry, Args: args, Options: vm.Options{Functional: true}})
		return err
	}
	var entry *host.EntryError
	if err := run(""); !errors.As(err, &entry) || len(entry.Entries) != 3 {
		t.Errorf("no entry: %v", err)
	}
	if err := run("scale", "dst=u64[9000000000]", "src=dst", "n=1", "rank=0"); err == nil || !strings.Contains(err.Error(), "buffer dst: the buffers of 1 cards take 70312500 KiB and more, a run at most 64 GiB") {
		t.Errorf("64 GiB and more: %v", err)
	}
	var missing *host.MissingArguments
	if err := run("peek", "param_2=0"); !errors.As(err, &missing) || len(missing.Absent) != 2 {
		t.Errorf("missing: %v", err)
	}
	const want = `entry scale needs --arg for dst, src, n, rank; its parameters:
    dst   .u64  address, written as u32
    src   .u64  address, read as u32
    n     .u32
    rank  .u32
to paste:
    tollgate run kernels.ptx --entry scale --arg 'dst=u32[1024]' --arg 'src=u32[1024]:ramp' --arg n=1024 --arg rank=1024`
	if err := run("scale"); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	article, err := programs.FS.ReadFile("nvlink_allreduce.ptx")
	if err != nil {
		t.Fatal(err)
	}
	m, err := load("nvlink_allreduce.ptx", string(article))
	if err != nil {
		t.Fatal(err)
	}
	const wantArticle = `entry nvlink_allreduce_fp16 needs --arg for src, dst, elem; its parameters:
    src   .u64  address of bf16, moved by operators
    dst   .u64  address of bf16, moved by operators
    elem  .u32
to paste:
    tollgate run nvlink_allreduce.ptx --arg 'src=bf16[1024]:ramp' --arg 'dst=bf16[1024]:ramp' --arg elem=1024`
	if _, err := host.RunPTX(context.Background(), host.RunRequest{Module: m}); err == nil || err.Error() != wantArticle {
		t.Errorf("got\n%v\nwant\n%s", err, wantArticle)
	}
	if fault, ok := host.AsFault(run("stop")); !ok || fault.Kind != "trap" {
		t.Errorf("trap: %v", fault)
	}
}

// testCases: ok passes, wrong has two wrong elements, trapped and nofault expect a trap, broken has a mistake, lost
// names a PTX file that isn't there.
func testCases() fstest.MapFS {
	launch := `"ptx": "kernels.ptx", "cards": 2, "entry": "scale", "grid": [1, 1, 1], "block": [32, 1, 1], "shared_bytes": 0,
 "args": [{"buffer": "dst"}, {"buffer": "src"}, {"scalar": 3, "type": "u32"}, {"rank": true, "type": "u32"}],
 "buffers": {"dst": {"dtype": "u32", "count": 4, "init": {"gen": "byte", "value": 205}}, "src": {"dtype": "u32", "count": 4, "init": {"gen": "iota", "start": 1, "step": 1}}}`
	stop := `"ptx": "kernels.ptx", "entry": "stop", "grid": [1, 1, 1], "block": [1, 1, 1], "args": [], "buffers": {}, `
	return fstest.MapFS{
		"a/kernels.ptx":  {Data: []byte(kernels)},
		"a/same.ptx":     {Data: []byte(kernels)},
		"a/ok.json":      {Data: []byte(`{"format": 1, "variants": ["same.ptx"], ` + launch + `, "expect": {"dst": {"cards": [0, 1], "values": [2, 4, 6, 3452816845, 3, 5, 7, 3452816845]}}}`)},
		"a/wrong.json":   {Data: []byte(`{"format": 1, ` + launch + `, "expect": {"dst": {"cards": [1], "values": [3, 5, 8, 0]}}}`)},
		"b/kernels.ptx":  {Data: []byte(kernels)},
		"b/trapped.json": {Data: []byte(`{"format": 1, ` + stop + `"expect_fault": {"kind": "trap", "cards": [0]}}`)},
		"b/assert.json":  {Data: []byte(`{"format": 1, ` + stop + `"expect_fault": {"kind": "assert"}}`)},
		"b/faulty.json":  {Data: []byte(`{"format": 1, ` + stop + `"expect": {}}`)},
		"b/broken.json":  {Data: []byte(`{"format": 1, "carts": 2, ` + stop + `"expect": {}}`)},
		"b/lost.json":    {Data: []byte(`{"format": 1, ` + strings.Replace(stop, "kernels", "lost", 1) + `"expect": {}}`)},
		"b/few.json":     {Data: []byte(`{"format": 1, ` + strings.Replace(stop, `"args": []`, `"args": [{"scalar": 1, "type": "u32"}]`, 1) + `"expect": {}}`)},
		"b/linked.json":  {Data: []byte(`{"format": 1, ` + strings.Replace(stop, `"kernels.ptx"`, `["kernels.ptx", "kernels.ptx"]`, 1) + `"expect": {}}`)},
		"b/other.json":   {Data: []byte(`{"no": "case"}`)},
	}
}

func TestTest(t *testing.T) {
	files := testCases()
	request := host.TestRequest{Paths: []string{"a", "b"}, Files: files, Timing: host.TimingBoth, Load: func(path string) (*isa.Module, error) {
		text, err := files.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return load(path, string(text))
	}}
	seen := 0
	request.Each = func(host.Row) { seen++ }
	summary, err := host.Test(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	if summary.String() != "3 passed, 7 failed" || seen != 10 {
		t.Errorf("%s, %d rows seen", summary, seen)
	}
	got := map[string]string{}
	for _, r := range summary.Rows {
		got[r.Path+" "+r.Variant] = r.Kind + "|" + strings.Join(r.Problems, "|")
	}
	const differs = "dst[2] on card 1: got 7 (0x00000007), want 8 (0x00000008); 2 of 4 differ"
	for row, want := range map[string]string{
		"a/ok.json kernels.ptx":                 "|",
		"a/ok.json same.ptx":                    "|",
		"a/wrong.json kernels.ptx":              "difference|functional: " + differs,
		"b/trapped.json kernels.ptx":            "|",
		"b/assert.json kernels.ptx":             "difference|functional: the case expects a fault of kind assert, and this came: b/kernels.ptx:42:2: trap",
		"b/faulty.json kernels.ptx":             "fault|b/kernels.ptx:42:2: trap",
		"b/broken.json ":                        "input|b/broken.json:1:15: error: a case has no key \"carts\"",
		"b/lost.json lost.ptx":                  "input|open b/lost.ptx: file does not exist",
		"b/few.json kernels.ptx":                "input|b/few.json:1:46: error: entry stop has 0 parameters, the launch 1 arguments",
		"b/linked.json kernels.ptx+kernels.ptx": "input|b/kernels.ptx:4:17: error: `scale` is defined in b/kernels.ptx too",
	} {
		if answer, ok := got[row]; !ok || !strings.HasPrefix(answer, want) || want == "|" && answer != want {
			t.Errorf("%s: %q, want %q", row, answer, want)
		}
	}
}

// TestGolden writes golden files, finds them unchanged, and finds a change in either section.
func TestGolden(t *testing.T) {
	dir := t.TempDir()
	for name, file := range testCases() {
		if strings.HasPrefix(name, "a/") && !strings.HasSuffix(name, "wrong.json") {
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), file.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	cycles := "1,234 cycles\n"
	path := dir
	test := func(update string) host.Row {
		t.Helper()
		summary, err := host.Test(context.Background(), host.TestRequest{
			Paths: []string{path}, Update: update,
			Load: func(path string) (*isa.Module, error) {
				text, err := os.ReadFile(path)
				if err != nil {
					return nil, err
				}
				return load(path, string(text))
			},
			Report: func(*host.Case, *host.Outcome) (string, error) { return cycles, nil },
		})
		if err != nil || len(summary.Rows) != 2 {
			t.Fatalf("%v, %v", summary, err)
		}
		return summary.Rows[0]
	}
	if r := test("results"); !r.Passed || r.Updated {
		t.Fatalf("a golden file is made for a case that is only found: %v", r)
	}
	path = filepath.Join(dir, "ok.json")
	if r := test("results"); !r.Passed || !r.Updated {
		t.Fatalf("first update: %v", r)
	}
	path = dir
	golden := filepath.Join(dir, "ok.golden")
	text, err := os.ReadFile(golden)
	const want = `# What ok.json comes to. Rewritten by tollgate test --update=results or --update=cycles.
[results]
dst u32[4] card 0 sha256 c3e21eadf154a62b: 2, 4, 6, 3452816845
dst u32[4] card 1 sha256 0e496fad47e1514d: 3, 5, 7, 3452816845
src u32[4] cards 0-1 sha256 cf97adeedb59e05b: 1, 2, 3, 4
[cycles]
1,234 cycles
`
	if err != nil || string(text) != want {
		t.Errorf("golden file, %v:\n%s", err, text)
	}
	if r := test(""); !r.Passed || r.Updated || r.Cycles == 0 {
		t.Errorf("unchanged: %v", r)
	}
	cycles = "1,235 cycles\n"
	if r := test(""); r.Passed || r.Kind != "golden" || !strings.Contains(r.Problems[0], "cycles differ (- expected, + now)\n    -   1  1,234 cycles\n    +   1  1,235 cycles") {
		t.Errorf("other cycles: %v", r)
	}
	if r := test("results"); r.Passed {
		t.Errorf("updating results accepts other cycles: %v", r)
	}
	if r := test("cycles"); !r.Passed || !r.Updated {
		t.Errorf("updating cycles: %v", r)
	}
	if err := os.WriteFile(golden, []byte(strings.Replace(want, "2, 4, 6", "2, 4, 7", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := test("cycles"); r.Passed || !strings.Contains(r.String(), "results differ") {
		t.Errorf("other results: %v", r)
	}
}

func TestTestErrors(t *testing.T) {
	if _, err := host.Test(context.Background(), host.TestRequest{Paths: []string{"no-such-folder"}}); err == nil {
		t.Error("a folder that isn't there is accepted")
	}
	if _, err := host.Test(context.Background(), host.TestRequest{Update: "all"}); err == nil {
		t.Error("--update=all is accepted")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	files := testCases()
	if _, err := host.Test(ctx, host.TestRequest{Files: files, Paths: []string{"a"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestPanicCostsItsRow: a mistake of ours in one row leaves the others alone, and says so.
func TestPanicCostsItsRow(t *testing.T) {
	files := testCases()
	first := true
	summary, err := host.Test(context.Background(), host.TestRequest{Paths: []string{"a", "b"}, Files: files, Jobs: 1, Load: func(path string) (*isa.Module, error) {
		if first {
			first = false
			panic("a mistake")
		}
		text, err := files.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return load(path, string(text))
	}})
	if err != nil {
		t.Fatal(err)
	}
	internal, passed := 0, 0
	for _, r := range summary.Rows {
		if r.Kind == host.Internal && !r.Passed && strings.Contains(r.Err.Error(), "a mistake") {
			internal++
		}
		if r.Passed {
			passed++
		}
	}
	if internal != 1 || passed == 0 {
		t.Errorf("%d rows with our own fault, want 1; %d passed, want some", internal, passed)
	}
}
