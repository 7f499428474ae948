package isa_test

import (
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
)

const linkHeader = ".version 8.0\n.target sm_80\n.address_size 64\n"

func parseAll(t *testing.T, texts ...string) (modules []*isa.Module) {
	t.Helper()
	for i, text := range texts {
		m, diagnostics := parser.Parse(string(rune('a'+i))+".ptx", linkHeader+text, parser.Options{})
		if diagnostics.HasErrors() {
			t.Fatal(diagnostics)
		}
		modules = append(modules, m)
	}
	return modules
}

func variable(m *isa.Module, name string) (found []*isa.Var) {
	for _, v := range m.Vars {
		if v.Name == name {
			found = append(found, v)
		}
	}
	return found
}

// TestLink: an .extern name means the other module's definition, in code, initialisers and .calltargets alike, and what
// has no linking directive stays apart.
func TestLink(t *testing.T) {
	modules := parseAll(t, `
.extern .func (.param .b32 r) far(.param .b32 x);
.extern .global .align 4 .b8 table[8];
.global .u32 secret = 1;
.func mine() { .reg .u32 %r; ld.global.u32 %r, [secret]; ret; }
.visible .entry main() {
	.reg .u32 %r; .param .b32 a; .param .b32 b;
	ld.global.u32 %r, [table+4];
	st.param.b32 [a], %r;
	call (b), far, (a);
	call mine;
	ret;
}`, `
.extern .global .u32 counter;
.visible .global .align 4 .b8 table[8] = {1, 0, 0, 0, 2};
.global .u32 secret = 2;
.func mine() { .reg .u32 %r; ld.global.u32 %r, [secret]; ret; }
.visible .func (.param .b32 r) far(.param .b32 x) { call mine; ret; }
.visible .global .u64 entrance = far;`, `
.weak .global .u32 counter = 7;`)
	before := len(modules[0].Funcs[0].Code)
	m, err := isa.Link(modules)
	if err != nil {
		t.Fatal(err)
	}
	main := m.EntryNamed("main")
	table := variable(m, "table")
	if len(table) != 1 || table[0].Linkage != isa.LinkVisible || main.Code[0].Operands[1].Var != table[0] {
		t.Errorf("main reads %v, the program has %v", main.Code[0].Operands[1].Var, table)
	}
	far := m.EntryNamed("far")
	called := false
	for _, in := range main.Code {
		for _, o := range in.Operands {
			called = called || o.Func == far && far.Defined
		}
	}
	if !called {
		t.Error("main does not call far of the other module")
	}
	if e := variable(m, "entrance"); len(e) != 1 || e[0].Init[0].Func != far {
		t.Error("the initialiser of entrance is not far")
	}
	if s := variable(m, "secret"); len(s) != 2 || s[0].Init[0].Bits == s[1].Init[0].Bits {
		t.Errorf("%d variables `secret`", len(s))
	}
	if c := variable(m, "counter"); len(c) != 1 || c[0].Linkage != isa.LinkWeak {
		t.Errorf("counter: %v", c)
	}
	if modules[0].Funcs[0].Defined || len(modules[0].Funcs[0].Code) != before {
		t.Error("Link changed a module")
	}
}

// TestLinkChoice: the kinds of definitions decide which one counts.
func TestLinkChoice(t *testing.T) {
	for _, c := range []struct {
		name, first, second, want string // want: value of x, or a part of the error
	}{
		{"weak and visible", ".weak .global .u32 x = 1;", ".visible .global .u32 x = 2;", "2"},
		{"visible and weak", ".visible .global .u32 x = 1;", ".weak .global .u32 x = 2;", "1"},
		{"two weak ones", ".weak .global .u32 x = 1;", ".weak .global .u32 x = 2;", "1"},
		{"two visible ones", ".visible .global .u32 x = 1;", ".visible .global .u32 x = 2;", "defined in a.ptx too"},
		{"none", ".extern .global .u32 x;", ".global .u32 x = 2;", "defined in no file"},
		{"another space", ".extern .global .u32 x;", ".visible .const .u32 x = 2;", ".const"},
	} {
		m, err := isa.Link(parseAll(t, c.first, c.second))
		switch {
		case err != nil:
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.name, err)
			}
		case variable(m, "x")[0].Init[0].Bits != uint64(c.want[0]-'0') || len(variable(m, "x")) != 1:
			t.Errorf("%s: x = %d", c.name, variable(m, "x")[0].Init[0].Bits)
		}
	}
	m, err := isa.Link(parseAll(t, ".common .global .b8 x[4];", ".common .global .b8 x[16];"))
	if err != nil || len(m.Vars) != 1 || m.Vars[0].Size != 16 {
		t.Errorf("two .common: %v", err)
	}
}
