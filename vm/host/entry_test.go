package host

import (
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
)

func TestSelectEntry(t *testing.T) {
	barrier := &isa.Func{Name: "barrier", Entry: true, Defined: true}
	reduce := &isa.Func{Name: "allreduce", Entry: true, Defined: true,
		Code: []isa.Inst{{Op: isa.OpCall, Operands: []isa.Operand{{Kind: isa.OperandFunc, Func: barrier}}}}}
	helper := &isa.Func{Name: "helper", Defined: true}
	declared := &isa.Func{Name: "later", Entry: true}
	loop := &isa.Func{Name: "loop", Entry: true, Defined: true}
	module := func(funcs ...*isa.Func) *isa.Module {
		return &isa.Module{Source: isa.NewSource("k.ptx", ""), Funcs: funcs}
	}
	for _, c := range []struct {
		m    *isa.Module
		name string
		want *isa.Func
		err  string
	}{
		{module(barrier, reduce, helper, declared), "", reduce, ""},
		{module(barrier, reduce), "barrier", barrier, ""},
		{module(loop), "", loop, ""},
		{module(reduce, loop), "", nil, "k.ptx has several entries; choose one with --entry:\n    allreduce\n    loop"},
		{module(helper, declared), "", nil, "k.ptx has no entry to run"},
		{module(barrier, reduce), "alreduce", nil, "k.ptx has no entry alreduce\n    hint: did you mean allreduce?"},
		{module(barrier, reduce), "helper", nil, "k.ptx has no entry helper; it has:\n    barrier\n    allreduce"},
	} {
		got, err := SelectEntry(c.m, c.name)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got != c.want || text != c.err {
			t.Errorf("entry %q: %v, %q; want error %q", c.name, got, text, c.err)
		}
	}
}

// TestMissingArgumentsGuess has a kernel of the usual shape: load addresses from .param, add an index, load, store.
func TestMissingArgumentsGuess(t *testing.T) {
	f := &isa.Func{Name: "scale", Entry: true, Defined: true}
	for _, name := range []string{"src", "dst", "n"} {
		typ := isa.U64
		if name == "n" {
			typ = isa.U32
		}
		f.Params = append(f.Params, &isa.Var{Name: name, Space: isa.SpaceParam, Type: typ, Reg: isa.NoReg})
	}
	for range 6 {
		f.Regs = append(f.Regs, isa.RegDecl{Type: isa.B64})
	}
	reg := func(r isa.Reg) isa.Operand { return isa.Operand{Kind: isa.OperandReg, Reg: r} }
	param := func(i int) isa.Operand {
		return isa.Operand{Kind: isa.OperandAddress, Var: f.Params[i], Reg: isa.NoReg}
	}
	at := func(r isa.Reg) isa.Operand { return isa.Operand{Kind: isa.OperandAddress, Reg: r} }
	inst := func(op isa.Opcode, t isa.Type, mods []isa.Mod, operands ...isa.Operand) {
		f.Code = append(f.Code, isa.Inst{Op: op, Types: []isa.Type{t}, Mods: mods, Operands: operands})
	}
	inst(isa.OpLd, isa.U64, []isa.Mod{isa.ModParam}, reg(0), param(0))
	inst(isa.OpLd, isa.U64, []isa.Mod{isa.ModParam}, reg(1), param(1))
	inst(isa.OpCvta, isa.U64, nil, reg(2), reg(0))
	inst(isa.OpAdd, isa.S64, nil, reg(3), reg(2), reg(5))
	inst(isa.OpAdd, isa.S64, nil, reg(4), reg(1), reg(5))
	inst(isa.OpLd, isa.F32, nil, reg(5), at(3))
	inst(isa.OpSt, isa.F32, nil, at(4), reg(5))
	err := &MissingArguments{Module: &isa.Module{Source: isa.NewSource("my kernel.ptx", "")}, Entry: f, Absent: f.Params[:2], Given: []string{"n=4"}}
	const want = `entry scale needs --arg for src, dst; its parameters:
    src  .u64  address, read as f32
    dst  .u64  address, written as f32
    n    .u32
to paste:
    tollgate run 'my kernel.ptx' --entry scale --arg n=4 --arg 'src=f32[1024]:ramp' --arg 'dst=f32[1024]'`
	if got := err.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestGridOfBlocksAreClusters(t *testing.T) {
	plain := &isa.Func{Limits: isa.Limits{ReqNCTAPerCluster: [3]int{2, 1, 1}}}
	clusters := &isa.Func{Limits: isa.Limits{ReqNCTAPerCluster: [3]int{2, 3, 1}, BlocksAreClusters: true}}
	if got := gridOf(plain, [3]int{6, 1, 1}, [3]int{2, 1, 1}); got != [3]int{6, 1, 1} {
		t.Errorf("a grid of CTAs becomes %v", got)
	}
	if got := gridOf(clusters, [3]int{2, 2, 4}, [3]int{}); got != [3]int{4, 6, 4} {
		t.Errorf("2x2x4 clusters of 2x3x1 are %v CTAs", got)
	}
}
