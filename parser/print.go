package parser

import (
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// Print writes a module as PTX that parses to the same module. Scopes are gone: a name that several scopes declare
// gets a number behind it. The first error of the writer is returned.
func Print(w io.Writer, m *isa.Module) error {
	p := &printer{w: w, m: m}
	p.module()
	return p.err
}

type printer struct {
	w   io.Writer
	m   *isa.Module
	err error

	// of the function that is being printed:
	f      *isa.Func
	regs   []string
	vars   map[*isa.Var]string
	labels map[int32][]string // by place in the code
	tables map[*isa.Table]string
	protos map[*isa.Proto]string
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *printer) module() {
	p.printf(".version %d.%d\n.target %s\n.address_size %d\n", p.m.Version.Major, p.m.Version.Minor, strings.Join(p.m.Targets, ", "), p.m.AddressSize)
	for _, f := range p.m.Files {
		p.printf(".file %d \"%s\"\n", f.Index, f.Name)
	}
	for _, f := range p.m.Funcs { // initialisers and earlier bodies may name them
		p.printf("%s;\n", p.head(f))
	}
	for _, v := range p.m.Vars {
		p.printf("%s%s;\n", p.variable(v, v.Name), p.initial(v))
	}
	for _, f := range p.m.Funcs {
		if f.Defined {
			p.function(f)
		}
	}
	for _, t := range p.m.Targets {
		if t == "debug" { // which wants a section; what was in it is gone
			p.printf(".section .debug_info { }\n")
		}
	}
	for _, a := range p.m.Aliases {
		p.printf(".alias %s, %s;\n", a.Name, a.Target.Name)
	}
}

var linkageWords = [...]string{isa.LinkNone: "", isa.LinkVisible: ".visible ", isa.LinkExtern: ".extern ", isa.LinkWeak: ".weak ", isa.LinkCommon: ".common "}

// head is everything of a function before its body.
func (p *printer) head(f *isa.Func) string {
	var b strings.Builder
	b.WriteString(linkageWords[f.Linkage])
	if f.Entry {
		b.WriteString(".entry ")
	} else {
		b.WriteString(".func ")
	}
	if len(f.Results) > 0 {
		b.WriteString("(" + p.params(f.Results) + ") ")
	}
	b.WriteString(f.Name + "(" + p.params(f.Params) + ")")
	if f.NoRet {
		b.WriteString(" .noreturn")
	}
	return b.String()
}

// limits are the performance directives.
func (p *printer) limits(l *isa.Limits) string {
	var b strings.Builder
	three := func(word string, n [3]int) {
		if n != [3]int{} {
			fmt.Fprintf(&b, "\n%s %d, %d, %d", word, n[0], n[1], n[2])
		}
	}
	one := func(word string, n int) {
		if n != 0 {
			fmt.Fprintf(&b, "\n%s %d", word, n)
		}
	}
	three(".maxntid", l.MaxNTID)
	three(".reqntid", l.ReqNTID)
	three(".reqnctapercluster", l.ReqNCTAPerCluster)
	one(".maxnreg", l.MaxNReg)
	one(".minnctapersm", l.MinNCTAPerSM)
	one(".maxclusterrank", l.MaxClusterRank)
	if l.ExplicitCluster {
		b.WriteString("\n.explicitcluster")
	}
	if l.BlocksAreClusters {
		b.WriteString("\n.blocksareclusters")
	}
	return b.String()
}

func (p *printer) params(list []*isa.Var) string {
	var out []string
	for _, v := range list {
		name := v.Name
		if name == "" {
			name = "_"
		}
		out = append(out, p.variable(v, name))
	}
	return strings.Join(out, ", ")
}

// variable is the declaration of a variable or parameter, without its initial value.
func (p *printer) variable(v *isa.Var, name string) string {
	var b strings.Builder
	b.WriteString(linkageWords[v.Linkage] + "." + v.Space.String())
	if v.Managed {
		b.WriteString(" .attribute(.managed)")
	}
	if v.Align != elementBytes(v) {
		fmt.Fprintf(&b, " .align %d", v.Align)
	}
	if v.Vec > 0 {
		fmt.Fprintf(&b, " .v%d", v.Vec)
	}
	b.WriteString(" ." + v.Type.String())
	if v.Ptr {
		b.WriteString(" .ptr")
		if v.PtrSpace != isa.SpaceGeneric {
			b.WriteString(" ." + v.PtrSpace.String())
		}
		if v.PtrAlign > 0 {
			fmt.Fprintf(&b, " .align %d", v.PtrAlign)
		}
	}
	b.WriteString(" " + name)
	for _, n := range v.Dims {
		if n == 0 {
			b.WriteString("[]")
		} else {
			fmt.Fprintf(&b, "[%d]", n)
		}
	}
	return b.String()
}

// initial is the initial value, all elements up to the last one given.
func (p *printer) initial(v *isa.Var) string {
	if len(v.Init) == 0 {
		return ""
	}
	dims := v.Dims
	if v.Vec > 0 {
		dims = append(append([]int(nil), dims...), int(v.Vec))
	}
	items := map[int]isa.InitItem{}
	for _, e := range v.Init {
		items[e.Offset] = e
	}
	var rows func(dims []int, offset int) string
	rows = func(dims []int, offset int) string {
		if len(dims) == 0 {
			return p.element(v, items[offset])
		}
		stride := v.Type.Bytes()
		for _, n := range dims[1:] {
			stride *= n
		}
		last := lastBefore(v.Init, offset+dims[0]*stride) // of this row
		var out []string
		for i := 0; i < dims[0] && offset+i*stride <= last; i++ {
			out = append(out, rows(dims[1:], offset+i*stride))
		}
		return "{" + strings.Join(out, ", ") + "}"
	}
	return " = " + rows(dims, 0)
}

// lastBefore returns the offset of the last element given before end, or -1. The elements are in order.
func lastBefore(items []isa.InitItem, end int) int {
	n := sort.Search(len(items), func(i int) bool { return items[i].Offset >= end })
	if n == 0 {
		return -1
	}
	return items[n-1].Offset
}

func (p *printer) element(v *isa.Var, e isa.InitItem) string {
	name := ""
	switch {
	case e.Var != nil:
		name = e.Var.Name
	case e.Func != nil:
		name = e.Func.Name
	case v.Type == isa.F32:
		return fmt.Sprintf("0f%08X", e.Bits)
	case v.Type == isa.F64:
		return fmt.Sprintf("0d%016X", e.Bits)
	default:
		return strconv.FormatUint(e.Bits, 10)
	}
	if e.Generic {
		name = "generic(" + name + ")"
	}
	if e.Bits != 0 {
		name += "+" + strconv.FormatInt(int64(e.Bits), 10)
	}
	if e.Mask != 0 {
		name = fmt.Sprintf("0x%X(%s)", e.Mask, name)
	}
	return name
}

// function prints a function with its body.
func (p *printer) function(f *isa.Func) {
	p.f = f
	p.name(f)
	p.printf("%s%s\n", p.head(f), p.limits(&f.Limits))
	for _, t := range f.Limits.Pragmas {
		p.printf(".pragma \"%s\";\n", t)
	}
	p.printf("{\n")
	p.registers(f)
	for _, v := range f.Vars {
		p.printf("\t%s%s;\n", p.variable(v, p.vars[v]), p.initial(v))
	}
	for _, t := range f.Tables {
		if t.Name != "" {
			p.printf("%s: %s;\n", p.tables[t], p.table(t))
		}
	}
	for _, t := range f.Protos {
		results, noreturn := "", ""
		if len(t.Results) > 0 {
			results = "(" + p.params(t.Results) + ") "
		}
		if t.NoRet {
			noreturn = " .noreturn"
		}
		p.printf("%s: .callprototype %s_ (%s)%s;\n", p.protos[t], results, p.params(t.Params), noreturn)
	}
	loc := int32(-1)
	for i := range f.Code {
		p.place(int32(i))
		in := &f.Code[i]
		if in.Loc != loc && in.Loc >= 0 {
			at := p.m.Locs[in.Loc]
			p.printf("\t.loc %d %d %d\n", at.File, at.Line, at.Col)
		}
		loc = in.Loc
		p.printf("\t%s\n", p.inst(in))
	}
	p.place(int32(len(f.Code)))
	p.printf("}\n")
}

// registers declares the registers of a function that are no parameters, those of one type on a line.
func (p *printer) registers(f *isa.Func) {
	params := map[isa.Reg]bool{}
	for _, list := range [][]*isa.Var{f.Results, f.Params} {
		for _, v := range list {
			params[v.Reg] = true
		}
	}
	type kind struct {
		t   isa.Type
		vec uint8
	}
	var order []kind
	names := map[kind][]string{}
	for i, r := range f.Regs {
		if params[isa.Reg(i)] {
			continue
		}
		k := kind{r.Type, r.Vec}
		if names[k] == nil {
			order = append(order, k)
		}
		names[k] = append(names[k], p.regs[i])
	}
	for _, k := range order {
		vec := ""
		if k.vec > 0 {
			vec = fmt.Sprintf(" .v%d", k.vec)
		}
		p.printf("\t.reg%s .%s %s;\n", vec, k.t, strings.Join(names[k], ", "))
	}
}

func (p *printer) place(at int32) {
	for _, name := range p.labels[at] {
		p.printf("%s:\n", name)
	}
}

// name gives everything in a function its own name.
func (p *printer) name(f *isa.Func) {
	taken := map[string]bool{}
	unique := func(name string) string {
		for free, n := name, 1; ; n++ {
			if !taken[free] {
				taken[free] = true
				return free
			}
			free = name + "$" + strconv.Itoa(n)
		}
	}
	p.regs = make([]string, len(f.Regs))
	p.vars, p.labels = map[*isa.Var]string{}, map[int32][]string{}
	p.tables, p.protos = map[*isa.Table]string{}, map[*isa.Proto]string{}
	for _, list := range [][]*isa.Var{f.Results, f.Params} {
		for _, v := range list {
			if v.Name == "" {
				continue
			}
			p.vars[v] = unique(v.Name)
			if v.Reg != isa.NoReg {
				p.regs[v.Reg] = v.Name
			}
		}
	}
	for i, r := range f.Regs {
		if p.regs[i] == "" {
			p.regs[i] = unique(r.Name)
		}
	}
	for _, v := range f.Vars {
		p.vars[v] = unique(v.Name)
	}
	for _, t := range f.Tables {
		if t.Name != "" {
			p.tables[t] = unique(t.Name)
		}
	}
	for _, t := range f.Protos {
		p.protos[t] = unique(t.Name)
	}
	for _, l := range f.Labels {
		p.labels[l.Target] = append(p.labels[l.Target], unique(l.Name))
	}
}

func (p *printer) label(target int32) string {
	if names := p.labels[target]; len(names) > 0 {
		return names[0]
	}
	return "?"
}

func (p *printer) table(t *isa.Table) string {
	var names []string
	for _, f := range t.Funcs {
		names = append(names, f.Name)
	}
	if len(names) > 0 {
		return ".calltargets " + strings.Join(names, ", ")
	}
	for _, target := range t.Targets {
		names = append(names, p.label(target))
	}
	return ".branchtargets " + strings.Join(names, ", ")
}

// instructionWord is the opcode with its modifiers and types.
func instructionWord(in *isa.Inst) string {
	var b strings.Builder
	b.WriteString(in.Op.String())
	for _, m := range in.Mods {
		if !strings.HasPrefix(m.String(), "::") {
			b.WriteByte('.')
		}
		b.WriteString(m.String())
	}
	for _, t := range in.Types {
		b.WriteString("." + t.String())
	}
	return b.String()
}

func (p *printer) inst(in *isa.Inst) string {
	var b strings.Builder
	if in.Guard.Reg != isa.NoReg {
		b.WriteByte('@')
		if in.Guard.Neg {
			b.WriteByte('!')
		}
		b.WriteString(p.regs[in.Guard.Reg] + " ")
	}
	list := in.Operands
	if in.Op == isa.OpCall && len(list) > 0 && list[0].Kind == isa.OperandFunc && list[0].Func.Entry {
		return b.String() + list[0].Func.Name + p.operands(list[1:]) + ";" // the article's call of an entry
	}
	b.WriteString(instructionWord(in))
	if len(list) > 0 {
		b.WriteString(" " + p.operands(list))
	}
	return b.String() + ";"
}

func (p *printer) operands(list []isa.Operand) string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = p.operand(&list[i])
	}
	return strings.Join(out, ", ")
}

var partNames = [...]string{".x", ".y", ".z", ".w"}

func (p *printer) operand(o *isa.Operand) string {
	sign := ""
	switch {
	case o.Neg:
		sign = "!"
	case o.Minus:
		sign = "-"
	}
	switch o.Kind {
	case isa.OperandReg:
		if o.Select != "" {
			return sign + p.regs[o.Reg] + "." + o.Select
		}
		return sign + p.register(o)
	case isa.OperandInt:
		return strconv.FormatInt(int64(o.Bits), 10)
	case isa.OperandFloat:
		if o.Single {
			return fmt.Sprintf("0f%08X", o.Bits)
		}
		return fmt.Sprintf("0d%016X", o.Bits)
	case isa.OperandAddress:
		return "[" + p.base(o) + "]"
	case isa.OperandTensor:
		return "[" + p.base(o) + ", " + p.operands(o.List) + "]"
	case isa.OperandVector:
		return "{" + p.operands(o.List) + "}"
	case isa.OperandVar, isa.OperandFunc:
		return sign + p.base(o)
	case isa.OperandLabel:
		return p.label(o.Target)
	case isa.OperandSpecial:
		if o.Part >= 0 {
			return sign + o.Special.String() + partNames[o.Part]
		}
		return sign + o.Special.String()
	case isa.OperandPair:
		return p.operand(&o.List[0]) + "|" + p.operand(&o.List[1])
	case isa.OperandSink:
		return "_"
	case isa.OperandList:
		return "(" + p.operands(o.List) + ")"
	case isa.OperandTable:
		switch {
		case o.Proto != nil:
			return p.protos[o.Proto]
		case o.Table.Name == "":
			return "{" + strings.TrimPrefix(p.table(o.Table), ".branchtargets ") + "}"
		}
		return p.tables[o.Table]
	case isa.OperandGroup:
		return "group"
	}
	return "?"
}

func (p *printer) register(o *isa.Operand) string {
	name := p.regs[o.Reg]
	if o.Part >= 0 {
		name += partNames[o.Part]
	}
	return name
}

// base is a symbol or register with its displacement.
func (p *printer) base(o *isa.Operand) string {
	name := ""
	switch {
	case o.Reg != isa.NoReg:
		name = p.register(o)
	case o.Var != nil:
		name = o.Var.Name
		if local := p.vars[o.Var]; local != "" {
			name = local
		}
	case o.Func != nil:
		name = o.Func.Name
	default:
		return strconv.FormatInt(o.Offset, 10)
	}
	if o.Offset != 0 {
		name += "+" + strconv.FormatInt(o.Offset, 10)
	}
	return name
}
