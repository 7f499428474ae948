package isa

import (
	"strings"
	"testing"
)

// The article's operators: their operands are bare or in brackets, their types those of design 2.3.
func TestArticleOperators(t *testing.T) {
	f := &Func{Regs: []RegDecl{{Name: "id", Type: U32}, {Name: "src", Type: U64}, {Name: "dst", Type: U64}, {Name: "f", Type: F32}}}
	reg := func(i int) Operand { return Operand{Kind: OperandReg, Reg: Reg(i), Part: -1} }
	place := func(i int) Operand { return Operand{Kind: OperandAddress, Reg: Reg(i), Part: -1} }
	group, count := Operand{Kind: OperandGroup, Reg: NoReg}, Operand{Kind: OperandInt, Reg: NoReg, Bits: 64}
	tests := []struct {
		word     string
		operands []Operand
		problem  string // a part of the message, or ""
	}{
		{"sync.nvlink", []Operand{group, reg(0)}, ""},
		{"sync.nvlink", []Operand{group, count}, ""},
		{"sync.nvlink", []Operand{reg(0), reg(0)}, ""},
		{"sync.nvlink", []Operand{group}, "lacks an operand"},
		{"sync.nvlink", []Operand{group, reg(3)}, "is a .f32 register"},
		{"copy.nvlink", []Operand{reg(1), reg(2)}, ""},
		{"copy.nvlink.bf16", []Operand{reg(1), reg(2), count}, ""},
		{"copy.nvlink.b16", []Operand{place(1), place(2), reg(0)}, ""},
		{"copy.nvlink.f16x2", []Operand{reg(1), reg(2)}, "no type `.f16x2`"},
		{"copy.nvlink", []Operand{reg(3), reg(2)}, "an address is needed"},
		{"reduce.add.bf16", []Operand{reg(2), reg(1)}, ""},
		{"reduce.min.f64", []Operand{reg(2), reg(1), count}, ""},
		{"reduce.xor.u64", []Operand{reg(2), reg(1)}, ""},
		{"reduce.and.f32", []Operand{reg(2), reg(1)}, "type `.f32` does not go"},
		{"reduce.add", []Operand{reg(2), reg(1)}, "lacks a type"},
		{"reduce.bf16", []Operand{reg(2), reg(1)}, "needs one of"},
		{"unblock.tc", nil, ""},
		{"unblock.tc", []Operand{reg(0)}, "takes no operand"},
	}
	for _, test := range tests {
		op, mods, types, err := Split(test.word)
		if err != nil {
			t.Errorf("%s: %v", test.word, err)
			continue
		}
		problems := Check(&Module{Version: Version{7, 0}, Target: "sm90"}, f, &Inst{Op: op, Mods: mods, Types: types, Guard: Guard{Reg: NoReg}, Operands: test.operands})
		switch {
		case test.problem == "" && len(problems) > 0:
			t.Errorf("%s: %s", test.word, problems[0].Msg)
		case test.problem != "" && (len(problems) != 1 || !strings.Contains(problems[0].Msg, test.problem)):
			t.Errorf("%s: %v, want %q", test.word, problems, test.problem)
		}
	}
}

// What a wrong instruction is told: the kind of mistake, what is wrong, the section of the manual.
func TestProblems(t *testing.T) {
	tests := []struct{ text, code, msg, hint, section string }{
		{"add.b32 %b1, %b2, %b3;", CodeType, "`add` has no type `.b32`", "types: .u16", "Integer Arithmetic Instructions: add"},
		{"add.sat.f64 %d1, %d2, %d3;", CodeModifiers, "`.sat` does not go with the rest of this `add`", "add{.rnd}.f64 d, a, b", "Floating Point Instructions: add"},
		{"fma.f32 %f1, %f2, %f3, %f4;", CodeModifiers, "`fma` needs one of `.rn` `.rz` `.rm` `.rp` here", "fma.rnd", "Floating Point Instructions: fma"},
		{"add.u32 %u1, %u2;", CodeArgument, "`add` lacks an operand", "add.type d, a, b", ""},
		{"add.u32 %u1, %u2, %f1;", CodeArgument, "`%f1` is a .f32 register; .u32 is needed here", "", ""},
		{"add.f32 %f1, %f2, 1;", CodeArgument, "an integer constant can't stand for a .f32", "", ""},
		{"ld.global.v4.b64 {%bd1, %bd2, %bd3, %bd4}, [%ud1];", CodeTarget, "`ld` with `.v4.b64` needs PTX 8.8 and sm_100", ".target sm_90", "Data Movement and Conversion Instructions: ld"},
		{"ld.shared.u32 %u1, [gbuf];", CodeAddressSpace, "`gbuf` is a .global variable", "", ""},
		{"ld.global.v8.u64 {%ud1, %ud2, %ud3, %ud4, %ud5, %ud6, %ud7, %ud8}, [%ud9];", CodeRange, "a vector of 512 bits", "", ""},
		{"bar.sync 16;", CodeRange, "16 is out of range here", "allowed: 0 to 15", ""},
		{"bfe.u32 %u1, %u2, 256, 4;", CodeRange, "256 is out of range", "allowed: 0 to 255", ""},
		{"cp.async.bulk.wait_group %u1;", CodeArgument, "an integer constant is needed here", "", ""},
		{"tcgen05.wait::ld.sync.aligned;", CodeTarget, "`tcgen05.wait` needs PTX 8.6 and sm_100f", ".target sm_90", "TensorCore 5th Generation Family Instructions: tcgen05.wait"},
		{"cvt.u32.f32 %u1, %f1;", CodeModifiers, "a conversion from .f32 to .u32 needs .rni", "", ""},
		{"setp.lo.s32 %p1, %s1, %s2;", CodeType, "comparison `.lo` does not go with type `.s32`", "", ""},
		{"add.ftz.ftz.f32 %f1, %f2, %f3;", CodeModifiers, "`.ftz` stands twice", "", ""},
	}
	for _, test := range tests {
		f, in, err := readInst(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		problems := Check(&Module{Version: Version{9, 0}, Target: "sm_90"}, f, in)
		if len(problems) != 1 {
			t.Errorf("%s: %d problems, want 1: %v", test.text, len(problems), problems)
			continue
		}
		p := problems[0]
		if p.Code != test.code || !strings.Contains(p.Msg, test.msg) || !strings.Contains(p.Hint, test.hint) || test.section != "" && p.Section != test.section {
			t.Errorf("%s:\n got %s: %s [%s] %s\nwant %s: %s [%s] %s", test.text, p.Code, p.Msg, p.Hint, p.Section, test.code, test.msg, test.hint, test.section)
		}
	}
}

// Check answers for any instruction, also one with operands that no parser would make.
func TestCheckTakesAnything(t *testing.T) {
	kinds := OperandTensor + 1
	f := &Func{Regs: []RegDecl{{Name: "r", Type: B32}}}
	for op := OpNone; op <= NumOpcodes; op++ {
		for n := 0; n < 7; n++ {
			for kind := OperandNone; kind < kinds; kind++ {
				in := &Inst{Op: op, Guard: Guard{Reg: 7}}
				for i := 0; i < n; i++ {
					in.Operands = append(in.Operands, Operand{Kind: kind, Reg: Reg(i)})
				}
				for i := 0; op > OpNone && op < NumOpcodes && i < len(formsOf(op)); i++ {
					in.Mods, in.Types = nil, nil
					for _, s := range formsOf(op)[i].mods {
						in.Mods = append(in.Mods, s.mods[0])
					}
					for _, s := range formsOf(op)[i].types {
						in.Types = append(in.Types, s.types[0])
					}
					Check(nil, f, in)
				}
				Check(&Module{}, nil, in)
			}
		}
	}
}

// What the assembler accepts with a warning.
func TestWarnings(t *testing.T) {
	tests := []struct{ target, text, msg string }{
		{"sm_60", "shfl.bfly.b32 %b1, %b2, 1, 0x1f;", "without `.sync` is deprecated"},
		{"sm_60", "vote.ballot.b32 %b1, %p2;", "without `.sync` is deprecated"},
		{"sm_90a", "ld.global.u32 %u1, [%ub3];", "the address `%ub3` is a .u8 register"},
		{"sm_90a", "rcp.approx.f64 %d1, %d2;", "`rcp.approx.f64` is no PTX"},
	}
	for _, test := range tests {
		f, in, err := readInst(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		problems := Check(&Module{Version: Version{9, 0}, Target: test.target}, f, in)
		if len(problems) != 1 || !problems[0].Warning || !strings.Contains(problems[0].Msg, test.msg) {
			t.Errorf("%s: %v, want a warning %q", test.text, problems, test.msg)
		}
	}
}
