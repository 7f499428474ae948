package parser

import (
	"fmt"
	"strconv"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// function lowers an entry or a function: its head, then its body.
func (l *lowering) function(d *declaration) {
	head := d.Function
	f := l.declared(d)
	if f == nil {
		f = &isa.Func{} // a duplicate: its body is still read for mistakes
	}
	first := f.Name == ""
	if f.Defined && head.Body == nil && f.Entry == (head.Kind.Value == ".entry") {
		l.errorAt(codeDuplicate, &head.Name, "a prototype of `"+f.Name+"` after its body", "")
		return
	}
	before := *f
	if !first {
		l.sameKind(f, head)
	}
	f.Name, f.Entry, f.Source = head.Name.Value, head.Kind.Value == ".entry", l.source
	f.Linkage = l.linkage(d)
	f.Pos = isa.Pos(head.Name.Pos.Offset)
	f.Results = l.parameters(head.Results, f)
	f.Params = l.parameters(head.Params, f)
	l.headRules(d, f)
	if !first {
		l.sameHead(&before, f, d)
	}
	l.tuning(f, head.Tuning)
	if head.Body == nil {
		return
	}
	f.Defined = true
	b := &body{lowering: l, f: f, loc: -1, places: map[*block]map[string]label{}}
	b.lower(head)
}

// declared returns the Func of the name, a new one at its first appearance, or nil after reporting a duplicate.
func (l *lowering) declared(d *declaration) *isa.Func {
	t := &d.Function.Name
	old := l.globals.find(t.Value)
	if old == nil {
		f := &isa.Func{}
		l.globals.names[t.Value] = &symbol{Func: f, Pos: isa.Pos(t.Pos.Offset), Name: t.Value}
		l.module.Funcs = append(l.module.Funcs, f)
		return f
	}
	if old.Func == nil || old.Func.Defined && d.Function.Body != nil {
		l.duplicate(t, t.Value, old.Pos)
		return nil
	}
	return old.Func
}

func (l *lowering) sameKind(f *isa.Func, head *function) {
	if f.Entry != (head.Kind.Value == ".entry") {
		l.errorAt(codeDuplicate, &head.Kind, "`"+f.Name+"` is declared as an entry and as a function", "")
	}
}

// tuning lowers the directives between parameters and body to Limits.
func (l *lowering) tuning(f *isa.Func, list []*tuning) {
	for _, t := range list {
		if len(t.Pragma) > 0 {
			f.Limits.Pragmas = append(f.Limits.Pragmas, pragmas(t.Pragma)...)
			continue
		}
		numbers, ok := l.numbers(t)
		if !ok {
			continue
		}
		three := [3]int{1, 1, 1}
		copy(three[:], numbers)
		switch t.Word.Value {
		case ".maxntid":
			f.Limits.MaxNTID = three
		case ".reqntid":
			f.Limits.ReqNTID = three
		case ".reqnctapercluster":
			f.Limits.ReqNCTAPerCluster = three
		case ".maxnreg":
			if f.Limits.MaxNReg = numbers[0]; numbers[0] > mostRegisters {
				l.warnAt(codeRange, &t.Word, fmt.Sprintf("a thread has at most %d registers", mostRegisters), "")
			}
		case ".minnctapersm":
			f.Limits.MinNCTAPerSM = numbers[0]
		case ".maxclusterrank":
			f.Limits.MaxClusterRank = numbers[0]
		case ".explicitcluster":
			f.Limits.ExplicitCluster = true
		case ".blocksareclusters":
			f.Limits.BlocksAreClusters = true
		case ".noreturn":
			f.NoRet = true
		}
	}
}

// numbersOf says how many numbers a tuning directive takes, least and most.
var numbersOf = map[string][2]int{
	".maxntid": {1, 3}, ".reqntid": {1, 3}, ".reqnctapercluster": {0, 3}, ".maxnreg": {1, 1}, ".minnctapersm": {1, 1}, ".maxnctapersm": {1, 1},
	".maxclusterrank": {1, 1}, ".abi_preserve": {1, 1}, ".abi_preserve_control": {1, 1}, ".local_maxnreg": {1, 1},
}

func (l *lowering) numbers(t *tuning) ([]int, bool) {
	limits, list := numbersOf[t.Word.Value], withoutCommas(t.Numbers)
	if len(list) < limits[0] || len(list) > limits[1] {
		want := plural(limits[1], "number")
		if limits[0] != limits[1] {
			want = strconv.Itoa(limits[0]) + " to " + want
		}
		l.errorAt(codeSyntax, &t.Word, t.Word.Value+" takes "+want+", not "+strconv.Itoa(len(list)), "")
		return nil, false
	}
	var out []int
	for i := range list {
		v, ok := integerLiteral(list[i].Value)
		if !ok || v.Bits > 1<<31-1 {
			l.errorAt(codeRange, &list[i], found(&list[i])+" is too large", "")
			return nil, false
		}
		if v.Bits == 0 && (t.Word.Value == ".maxntid" || t.Word.Value == ".reqntid") {
			l.errorAt(codeRange, &list[i], "a block has at least one thread in each dimension", "")
			return nil, false
		}
		out = append(out, int(v.Bits))
	}
	return out, true
}

func pragmas(tokens []lexer.Token) []string {
	var out []string
	for _, t := range withoutCommas(tokens) {
		out = append(out, unquote(t.Value))
	}
	return out
}
