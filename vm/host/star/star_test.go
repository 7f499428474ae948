package star

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// article is the program of design section 7.
const article = `"""the article's host function"""
node = machine("h200-sxm", cards = param("cards", 8))
k = ptx("nvlink_allreduce.ptx")
grad = node.buffer("bf16", 1 << 14, init = ramp())
total = node.buffer("bf16", 1 << 14)
comm = node.stream("comm")

def distributed_grad_sync(src, dst, n):
    comm.suspend_tensor_core()
    comm.launch(k.nvlink_allreduce_fp16, args = [src, dst, n])
    comm.resume_tensor_core()

distributed_grad_sync(grad, total, 1 << 14)
node.synchronize()
expect_equal(total, all_reduce_sum(grad))
`

// The program of the design runs, without a clock too; its golden has every card's sum: ramp() counts to 255 in bf16,
// and eight times an integer below 256 is exact in it.
func TestArticleProgram(t *testing.T) {
	for _, functional := range []bool{false, true} {
		out, err := run(t, article, vm.Options{Functional: functional})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Differences) > 0 {
			t.Error(out.Differences)
		}
		if out.Title != "the article's host function" || out.Results != "32 KiB bf16 a card; result exact on 8 of 8 cards" {
			t.Errorf("title %q, results %q", out.Title, out.Results)
		}
		if err := out.Answer([]string{"total[254:258]"}, nil); err != nil {
			t.Fatal(err)
		}
		if got, want := out.Prints[0].String(), "total[254:258] on cards 0-7: 2032, 2040, 0, 8"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// The same program comes to the same figures, whatever the number of host threads.
func TestDeterminism(t *testing.T) {
	var first *vm.Result
	for _, threads := range []int{1, 2, 1} {
		out, err := run(t, article, vm.Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		out.Result.Host = 0
		if first == nil {
			first = out.Result
		}
		if diff := cmp.Diff(first.Cards, out.Result.Cards); diff != "" || out.Result.Total != first.Total || first.Total == 0 {
			t.Errorf("%d threads: %d cycles, before %d\n%s", threads, out.Result.Total, first.Total, diff)
		}
	}
}

// A difference has its place in the program, the first card and element, both bit patterns and the distance.
func TestDifference(t *testing.T) {
	out, err := run(t, `node = machine(cards = 3)
x = node.buffer("f32", 4, per_card(lambda rank: [1, 2, 3 + rank // 2]))
if not expect_equal(x, [1, 2, 3, 0]):
    print("differs")
expect(x.count == 5, "five elements")
expect_close(x, [1, 2, 3, 0], abs = 1)
`, vm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		// 4.0 is 0x40800000, 3.0 is 0x40400000: 0x400000 apart.
		"p.star:3:8: x[2] on card 2: got 4 (0x40800000), want 3 (0x40400000), 4194304 ulp",
		"p.star:5:1: five elements",
	}
	if diff := cmp.Diff(want, out.Differences); diff != "" {
		t.Error(diff)
	}
	if out.Stdout != "differs\n" {
		t.Errorf("stdout %q", out.Stdout)
	}
}

// Parameters take values by the type of their defaults, and are listed with what they were.
func TestParams(t *testing.T) {
	files := withKernels(t, map[string]string{"p.star": `
n, f, s, b = param("n", 3), param("f", 0.5), param("s", "ring"), param("b", True)
print(n + 1, f * 2, s + "!", not b)
metric("twice", 2 * n)
`})
	out, err := Run(context.Background(), Request{Path: "p.star", Files: files, Set: map[string]string{"n": "0x10", "f": "2", "b": "false"}})
	if err != nil {
		t.Fatal(err)
	}
	if out.Stdout != "17 4.0 ring! True\n" {
		t.Errorf("stdout %q", out.Stdout)
	}
	want := []host.Setting{{Name: "n", Value: "16"}, {Name: "f", Value: "2.0"}, {Name: "s", Value: "ring"}, {Name: "b", Value: "False"}}
	if diff := cmp.Diff(want, out.Params); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]host.Setting{{Name: "twice", Value: "32"}}, out.Metrics); diff != "" {
		t.Error(diff)
	}
}

// Several machines: each has its name, results and figures, and the program can compare them. A barrier round between
// cards takes a crossing and a poll (833 cycles at 1.83 GHz); on one card nothing waits.
func TestSeveralMachines(t *testing.T) {
	out, err := run(t, `
k = ptx("nvlink_allreduce.ptx")
def barrier(cards, label):
    node = machine(cards = cards, label = label)
    node.launch(k.nvlink_barrier_sync, args = [0])
    return node.result()
one = barrier(1, "alone")
two = barrier(2, "pair")
expect(two.cards[1].ledger["barrier"] == 64 * 833, "64 rounds")
expect("barrier" not in one.cards[0].ledger, "one card waits for nobody")
expect(one.loss == 0 and two.loss > 0)
`, vm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Differences) > 0 {
		t.Error(out.Differences)
	}
	if len(out.Machines) != 2 || out.Machines[0].Name != "alone" || out.Machines[1].Name != "pair" {
		t.Fatalf("machines %v", out.Machines)
	}
	text := Figures(out)
	for _, want := range []string{"\nmachine  cards ", "\nalone        1 ", "\npair         2 "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// suspend_tensor_core stops the mma of another stream until resume_tensor_core: the loop needs 100 turns of eight mma,
// 6.1 cycles each, and comes to its first some 80 instructions after its start at 4,612. The hold begins at once and is
// taken back behind the barrier, which its call puts after 9,224: all waits until then.
func TestHoldStopsTheLoop(t *testing.T) {
	out, err := run(t, `node = machine(cards = 2)
out = node.buffer("f32", 512)
main, comm = node.stream("main"), node.stream("comm")
comm.suspend_tensor_core()
main.launch(ptx("mma_loop.ptx"), block = 128, args = [out, 100])
comm.launch(ptx("nvlink_allreduce.ptx").nvlink_barrier_sync, args = [0])
comm.resume_tensor_core()
r = node.result()
print(r.cards[0].ledger)
barrier_end = [l.end for l in r.launches if l.name == "nvlink_barrier_sync"][0]
mma_end = [l.end for l in r.launches if l.name == "mma_loop"][0]
expect(mma_end > barrier_end + 4880 and mma_end < barrier_end + 4880 + 300, "%d after %d" % (mma_end, barrier_end))
expect(r.open_gate_cycles < r.cycles)
`, vm.Options{})
	if err != nil || len(out.Differences) > 0 {
		t.Error(err, out.Differences, out.Stdout)
	}
}

// A check on some cards counts these.
func TestResultsOfSomeCards(t *testing.T) {
	out, err := run(t, `x = machine(cards = 4).buffer("f32", 256, ones())
expect_equal(x, ones(), cards = [0, 2])
expect_close(x, [1] * 256, cards = 2, abs = 1)
`, vm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "1 KiB f32 a card; result within its tolerance on 2 of 4 cards"; out.Results != want {
		t.Errorf("%q, want %q", out.Results, want)
	}
}

// Without the silent runs nothing is known of what the links cost, and the cycles are the same.
func TestResultWithoutLoss(t *testing.T) {
	out, err := run(t, `k = ptx("nvlink_allreduce.ptx")
def meet(**options):
    node = machine(cards = 2)
    node.launch(k.nvlink_barrier_sync, args = [0])
    return node.result(**options)
full, quick = meet(), meet(loss = False)
expect(full.cycles == quick.cycles and full.loss > 0 and full.open_gate_cycles == full.cycles)
expect(quick.loss == None and quick.local_cycles == None and quick.open_gate_cycles == None)
`, vm.Options{})
	if err != nil || len(out.Differences) > 0 {
		t.Fatal(err, out.Differences)
	}
	if out.Machines[0].Result.Local == nil || out.Machines[1].Result.Local != nil {
		t.Error("the silent runs are those of the first machine only")
	}
}

// --machine overrides the program's choice; a launch, host and card sheet of another machine follow from its file.
func TestMachineOverride(t *testing.T) {
	m, err := machine.Load("a100-sxm")
	if err != nil {
		t.Fatal(err)
	}
	out, err := run(t, `node = machine("h200-sxm")
expect(node.name == "a100-sxm" and node.clock_mhz == 1410)`, vm.Options{Machine: m})
	if err != nil || len(out.Differences) > 0 {
		t.Error(err, out.Differences)
	}
}

// What a kernel did wrong comes with the outcome up to it; so does an interruption, of an endless loop of the program too.
func TestFaultAndInterruption(t *testing.T) {
	out, err := run(t, `node = machine()
a = node.buffer("f32", 2, ones())
node.launch(ptx("vecadd.ptx").vecadd, args = [a, a, a, 4])`, vm.Options{})
	fault, ok := host.AsFault(err)
	if !ok || fault.Kind != "out-of-bounds" {
		t.Fatalf("%v", err)
	}
	if out == nil || len(out.Result.Launches) != 1 {
		t.Errorf("outcome %+v", out)
	}
	var placed *Error
	if !errors.As(err, &placed) || !strings.HasSuffix(err.Error(), "\n    launched by p.star:3:6") {
		t.Errorf("%v", err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	files := withKernels(t, map[string]string{"p.star": "print(\"begun\")\nwhile True:\n    pass\n"})
	_, err = Run(ctx, Request{Path: "p.star", Files: files, Options: vm.Options{Stdout: writerFunc(cancel)}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("an endless loop that is interrupted ends with %v", err)
	}
}

// writerFunc calls a function at every write.
type writerFunc func()

func (f writerFunc) Write(p []byte) (int, error) { f(); return len(p), nil }

// The device's output and the program's come in the order in which they happen, and files share functions.
func TestOutputAndFiles(t *testing.T) {
	files := withKernels(t, map[string]string{
		"folder/lib.star": "def twice(x):\n    return 2 * x\nkernel = ptx(\"hello.ptx\").hello\n",
		"folder/hello.ptx": `.version 8.3
.target sm_90
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[7] = {104, 101, 108, 108, 111, 10, 0};
.visible .entry hello()
{
	.reg .b64 %rd<3>;
	mov.u64 %rd1, text;
	cvta.global.u64 %rd1, %rd1;
	mov.u64 %rd2, 0;
	{
	.param .b64 f;
	.param .b64 a;
	.param .b32 r;
	st.param.b64 [f], %rd1;
	st.param.b64 [a], %rd2;
	call.uni (r), vprintf, (f, a);
	}
	ret;
}
`,
		"p.star": `load("folder/lib.star", "kernel", "twice")
node = machine()
print("before")
node.launch(kernel, block = 1)
print("queued")
node.synchronize()
print("after", twice(21))
`})
	out, err := Run(context.Background(), Request{Path: "p.star", Files: files, Load: loader(files)})
	if err != nil {
		t.Fatal(err)
	}
	if want := "before\nqueued\nhello\nafter 42\n"; out.Stdout != want {
		t.Errorf("stdout %q, want %q", out.Stdout, want)
	}
}
