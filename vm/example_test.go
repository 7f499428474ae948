package vm_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"math"

	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm"
)

// scalePTX multiplies each element of x by two.
const scalePTX = `.version 8.3
.target sm_90
.address_size 64
.visible .entry twice(.param .u64 x)
{
	.reg .b64 %rd<3>;
	.reg .b32 %r1;
	.reg .f32 %f1;
	ld.param.u64 %rd1, [x];
	mov.u32 %r1, %tid.x;
	mad.wide.u32 %rd2, %r1, 4, %rd1;
	ld.global.f32 %f1, [%rd2];
	add.f32 %f1, %f1, %f1;
	st.global.f32 [%rd2], %f1;
	ret;
}
`

// meetPTX is one round of the article's barrier.
const meetPTX = `.version 8.3
.target sm90
.entry meet (.reg .u32 id)
{
sync.nvlink group, id;
unblock.tc;
ret;
}
`

// A kernel runs on one card in a handful of lines: parse, make a node, a buffer, a launch, read.
func Example() {
	module, diagnostics := parser.Parse("twice.ptx", scalePTX, parser.Options{})
	if diagnostics.HasErrors() {
		log.Fatal(diagnostics)
	}
	h200, _ := machine.Load("h200-sxm")
	node, _ := vm.NewNode(vm.Options{Machine: h200})
	x, _ := node.Buffer("x", 4*4, func(_ int, dst []byte) {
		for i := range 4 {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(float32(i)))
		}
	})
	if err := node.Launch(vm.Launch{Module: module, Entry: module.EntryNamed("twice"), Block: [3]int{4, 1, 1},
		Params: func(card int) []byte { return binary.LittleEndian.AppendUint64(nil, x.Addr(card)) }}); err != nil {
		log.Fatal(err)
	}
	data, err := node.Read(x, 0)
	for i := range 4 {
		fmt.Print(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])), " ")
	}
	fmt.Println(err)
	// Output: 0 2 4 6 <nil>
}

// Finish runs everything to its end and says where the cycles went: here a barrier for which card 1 comes 1,000 cycles
// late, so that card 0 loses them to skew.
func ExampleNode_Finish() {
	module, _ := parser.Parse("meet.ptx", meetPTX, parser.Options{})
	h200, _ := machine.Load("h200-sxm")
	node, _ := vm.NewNode(vm.Options{Machine: h200, Cards: 2})
	_ = node.Delay([]int{1}, "", 1000)
	if err := node.Launch(vm.Launch{Module: module, Entry: module.EntryNamed("meet"), Block: [3]int{32, 1, 1}}); err != nil {
		log.Fatal(err)
	}
	result, err := node.Finish(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for entry, cycles := range result.Cards[0].Sheet {
		if cycles > 0 {
			fmt.Println(vm.Entry(entry), cycles)
		}
	}
	fmt.Println("total", result.Total, "on an ideal fabric", result.Local.Total)
	// Output:
	// issue 2
	// window.issue 1
	// barrier 833
	// skew 1000
	// launch 4612
	// total 6448 on an ideal fabric 5615
}

// An event lets one stream wait for another, on each card for itself.
func ExampleNode_Wait() {
	module, _ := parser.Parse("twice.ptx", scalePTX, parser.Options{})
	h200, _ := machine.Load("h200-sxm")
	node, _ := vm.NewNode(vm.Options{Machine: h200, Cards: 2})
	x, _ := node.Buffer("x", 4, func(_ int, dst []byte) { binary.LittleEndian.PutUint32(dst, math.Float32bits(3)) })
	twice := vm.Launch{Module: module, Entry: module.EntryNamed("twice"), Block: [3]int{1, 1, 1},
		Params: func(card int) []byte { return binary.LittleEndian.AppendUint64(nil, x.Addr(card)) }}
	for _, stream := range []string{"compute", "copy"} {
		twice.Stream = stream
		_ = node.Launch(twice)
		if stream == "compute" {
			done, _ := node.Record(nil, "compute")
			_ = node.Wait(done, "copy")
		}
	}
	data, err := node.Read(x, 1)
	fmt.Println(math.Float32frombits(binary.LittleEndian.Uint32(data)), err)
	// Output: 12 <nil>
}
