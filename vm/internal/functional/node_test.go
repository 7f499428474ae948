package functional

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

const header = ".version 8.3\n.target sm_90\n.address_size 64\n"

// world is a node of cards with a module on each.
type world struct {
	t    *testing.T
	node *Node
	prog map[string]*state.Program
}

func newWorld(t *testing.T, cards int, text string) *world {
	t.Helper()
	m, diagnostics := parser.Parse("k.ptx", header+text, parser.Options{})
	if m == nil {
		var out strings.Builder
		_ = diagnostics.Write(&out, 5)
		t.Fatal(out.String())
	}
	s := &state.Node{SMs: 2, WarpsPerSM: 64, ClockMHz: 1000}
	for i := range cards {
		s.Cards = append(s.Cards, &state.Card{Index: i, Node: s, Memory: memory.NewCard(i), Direct: true})
	}
	x := &world{t: t, node: NewNode(s), prog: map[string]*state.Program{}}
	x.node.MaxInstructions = 10_000_000
	for _, fn := range m.Funcs {
		prog, err := exec.Decode(m, fn, exec.Env{})
		if err != nil {
			t.Fatal(err)
		}
		if prog.Unsupported != nil {
			t.Fatalf("unsupported: %s", prog.Unsupported.Op)
		}
		x.prog[fn.Name] = prog
	}
	return x
}

func (x *world) buffer(card, words int) uint64 {
	x.t.Helper()
	addr, err := x.node.State.Cards[card].Memory.Alloc("buffer", uint64(4*words), 256, false)
	if err != nil {
		x.t.Fatal(err)
	}
	if err := x.node.State.Cards[card].Memory.Write(addr, make([]byte, 4*words)); err != nil {
		x.t.Fatal(err)
	}
	return addr
}

func (x *world) words(addr uint64, n int) []uint32 {
	x.t.Helper()
	bytes, err := x.node.State.Cards[memory.Owner(addr)].Memory.Bytes(addr, uint64(4*n))
	if err != nil {
		x.t.Fatal(err)
	}
	list := make([]uint32, n)
	for i := range list {
		list[i] = binary.LittleEndian.Uint32(bytes[4*i:])
	}
	return list
}

func (x *world) launch(card int, entry string, grid, block int, params ...uint64) *state.Launch {
	l := &state.Launch{Name: entry, Prog: x.prog[entry], Grid: [3]int{grid, 1, 1}, Block: [3]int{block, 1, 1}, Card: x.node.State.Cards[card]}
	for _, p := range params {
		l.Params = binary.LittleEndian.AppendUint64(l.Params, p)
	}
	return l
}

// meet is a grid-wide barrier: each CTA counts itself in and waits until all have.
const meet = `
.entry meet(.param .u64 p, .param .u64 n)
{
	.reg .pred %p<3>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r3, [n];
	mov.u32 %r1, %tid.x;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra DONE;
	red.release.gpu.global.add.u32 [%rd1], 1;
WAIT:
	ld.acquire.gpu.global.u32 %r2, [%rd1];
	setp.lt.u32 %p2, %r2, %r3;
	@%p2 bra WAIT;
DONE:
	bar.sync 0;
	ret;
}
`

func TestCTAsThatWaitForEachOther(t *testing.T) {
	x := newWorld(t, 1, meet)
	x.node.Resident = func(*state.Launch) int { return 8 }
	counter := x.buffer(0, 1)
	x.node.Start(x.launch(0, "meet", 8, 64, counter, 8))
	if fault := x.node.Run(); fault != nil {
		t.Fatal(fault)
	}
	if got := x.words(counter, 1)[0]; got != 8 {
		t.Errorf("counter %d", got)
	}
}

func TestTooManyCTAsThatWaitForEachOtherAreADeadlock(t *testing.T) {
	x := newWorld(t, 1, meet)
	x.node.Resident = func(*state.Launch) int { return 4 }
	x.node.Start(x.launch(0, "meet", 5, 64, x.buffer(0, 1), 5))
	fault := x.node.Run()
	if fault == nil || fault.Kind != state.FaultDeadlock {
		t.Fatalf("fault %v", fault)
	}
	for _, want := range []string{"4 warps, the first in CTA (0,0,0): spins, and nobody", "waits at barrier 0, to which 32 of 64 threads have come", "at k.ptx:17:2, 4 warps", "1 CTA that finds no room"} {
		if !strings.Contains(fault.Error(), want) {
			t.Errorf("no %q in\n%v", want, fault)
		}
	}
}

func TestCardsWaitForEachOther(t *testing.T) {
	x := newWorld(t, 4, meet)
	counter := x.buffer(2, 1)
	for card := range 4 {
		x.node.Start(x.launch(card, "meet", 2, 32, counter, 8))
	}
	if fault := x.node.Run(); fault != nil {
		t.Fatal(fault)
	}
}

// TestPatience: a CTA that waits, in a loop that counts, for a younger one must let it run.
func TestPatience(t *testing.T) {
	x := newWorld(t, 1, `
.entry k(.param .u64 p)
{
	.reg .pred %p<3>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %ctaid.x;
	setp.eq.u32 %p1, %r1, 1;
	@%p1 bra POST;
	mov.u32 %r2, 0;
WAIT:
	add.u32 %r2, %r2, 1;
	ld.volatile.global.u32 %r3, [%rd1];
	setp.eq.u32 %p2, %r3, 0;
	@%p2 bra WAIT;
	ret;
POST:
	st.volatile.global.u32 [%rd1], 1;
	ret;
}
`)
	x.node.MaxInstructions = 4 * patience
	x.node.Start(x.launch(0, "k", 2, 32, x.buffer(0, 1)))
	if fault := x.node.Run(); fault != nil {
		t.Fatal(fault)
	}
}

func TestMaxInstructions(t *testing.T) {
	x := newWorld(t, 1, `
.entry k()
{
	.reg .b32 %r<2>;
	mov.u32 %r1, 0;
ROUND:
	add.u32 %r1, %r1, 1;
	bra ROUND;
}
`)
	x.node.MaxInstructions = 100_000
	x.node.Start(x.launch(0, "k", 1, 32))
	fault := x.node.Run()
	if fault == nil || fault.Kind != state.FaultMaxCycles || !strings.Contains(fault.Error(), "k.ptx:11:") && !strings.Contains(fault.Error(), "k.ptx:12:") {
		t.Fatalf("fault %v", fault)
	}
}

// ring is an Operators that lets the warps of a card go on once as many as `want` have come.
type ring struct {
	node   *Node
	want   int
	came   []*state.Warp
	rounds int
	exited int
	gate   bool // the third round opens the gate
}

func (r *ring) Arrive(w *state.Warp) (bool, *state.Fault) {
	r.came = append(r.came, w)
	if len(r.came) < r.want {
		return false, nil
	}
	r.rounds++
	came := r.came
	r.came = nil
	for _, other := range came {
		if other != w {
			r.node.Resume(other)
		}
	}
	if r.gate && r.rounds == 3 {
		for i, c := range r.node.State.Cards {
			c.GateShut = false
			r.node.Wake(i)
		}
	}
	return true, nil
}

func (r *ring) Exited(*state.Warp) *state.Fault { r.exited++; return nil }
func (r *ring) Waiting(w *state.Warp) string {
	if w.Park == state.ParkGate {
		return "waits for the gate"
	}
	return fmt.Sprintf("waits at `%s` with %d others", w.Operator.Code, len(r.came)-1)
}

const rounds = `
.entry k()
{
	sync.nvlink group, 0;
	sync.nvlink group, 0;
	sync.nvlink group, 0;
	ret;
}
`

func TestOperatorsDecideWhoGoesOn(t *testing.T) {
	x := newWorld(t, 2, rounds)
	r := &ring{node: x.node, want: 12} // 2 cards x 2 CTAs x 3 warps
	x.node.Operators = r
	for card := range 2 {
		x.node.Start(x.launch(card, "k", 2, 96))
	}
	if fault := x.node.Run(); fault != nil {
		t.Fatal(fault)
	}
	if r.rounds != 3 || r.exited != 12 {
		t.Errorf("%d rounds, %d warps exited; want 3 and 12", r.rounds, r.exited)
	}
}

func TestMissingPeerIsADeadlock(t *testing.T) {
	x := newWorld(t, 2, rounds)
	x.node.Operators = &ring{node: x.node, want: 2}
	x.node.Start(x.launch(1, "k", 1, 32))
	fault := x.node.Run()
	if fault == nil || fault.Kind != state.FaultDeadlock || !strings.Contains(fault.Error(), "card 1: k at k.ptx:7:2, 1 warp: waits at `sync.nvlink` with 0 others") {
		t.Fatalf("fault %v", fault)
	}
}

const multiply = `
.entry mma()
{
	.reg .b32 %r<5>;
	.reg .f32 %f<5>;
	mov.u32 %r1, 0;
	mov.f32 %f1, 0f00000000;
	mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%f1, %f1, %f1, %f1};
	ret;
}
`

func TestGateHoldsTensorCores(t *testing.T) {
	for _, opens := range []bool{true, false} {
		x := newWorld(t, 1, rounds+multiply)
		x.node.State.Cards[0].GateShut = true
		x.node.Operators = &ring{node: x.node, want: 1, gate: opens}
		var ended []string
		x.node.Finished = func(l *state.Launch) *state.Fault {
			ended = append(ended, l.Name)
			return nil
		}
		x.node.Start(x.launch(0, "mma", 1, 32))
		x.node.Start(x.launch(0, "k", 1, 32))
		fault := x.node.Run()
		switch {
		case opens && (fault != nil || fmt.Sprint(ended) != "[k mma]"):
			t.Errorf("fault %v, ended %v", fault, ended)
		case !opens && (fault == nil || !strings.Contains(fault.Error(), "waits for the gate")):
			t.Errorf("fault %v, ended %v", fault, ended)
		}
	}
}

func TestFinishedStartsTheNext(t *testing.T) {
	x := newWorld(t, 1, meet)
	counter := x.buffer(0, 1)
	n := 1
	x.node.Finished = func(l *state.Launch) *state.Fault {
		if !l.Done {
			t.Error("not done")
		}
		if n++; n <= 3 {
			x.node.Start(x.launch(0, "meet", 1, 32, counter, uint64(n)))
		}
		return nil
	}
	x.node.Start(x.launch(0, "meet", 1, 32, counter, 1))
	if fault := x.node.Run(); fault != nil {
		t.Fatal(fault)
	}
	if got := x.words(counter, 1)[0]; got != 3 {
		t.Errorf("counter %d, want 3", got)
	}
}
