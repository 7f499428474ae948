package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// dialect notes where a text departs from PTX the way the article's listing does: D1 to D10 of the design.
type dialect struct {
	report        *reporter
	used          bool
	noAddressSize *lexer.Token // the target, when no .address_size follows it
}

// dialectSections name the part of the PTX ISA that says how it is spelled there.
var dialectSections = map[string]string{
	"D1": "PTX Module Directives: .target",
	"D2": "Parameter State Space",
	"D3": "Data Movement and Conversion Instructions: mov",
	"D4": "Predicated Execution",
	"D5": "Register State Space",
	"D6": "Control Flow Instructions: call",
	"D7": "PTX Module Directives: .address_size",
}

// note says how PTX spells what stands at the name. Options.Strict makes it an error.
func (d *dialect) note(code string, at name, message, hint string) {
	d.used = true
	d.report.add(Diagnostic{Severity: Note, Code: code, lenient: true, Pos: isa.Pos(at.Pos), End: isa.Pos(at.End), Message: message, Hint: hint, Section: dialectSections[code]})
}

// remark is a note that stays one: real PTX may do the same.
func (d *dialect) remark(code string, at name, message, hint string) {
	d.report.add(Diagnostic{Severity: Note, Code: code, Pos: isa.Pos(at.Pos), End: isa.Pos(at.End), Message: message, Hint: hint, Section: dialectSections[code]})
}

// finish adds the note that makes sense only in a text that uses the dialect anyway.
func (d *dialect) finish(l *lowering) {
	if d.used && d.noAddressSize != nil {
		d.remark("D7", nameOf(d.noAddressSize), "no .address_size: 64 bits are taken", "optional in PTX too: `.address_size 64` after .target")
	}
}

// operatorHints say what stands for the article's operators in PTX.
var operatorHints = map[isa.Opcode]string{
	isa.OpSyncNVLink: "in PTX: fence.acq_rel.sys, then red.release.sys on every card's flag and a loop of ld.acquire.sys",
	isa.OpCopyNVLink: "in PTX: ld.global and st.global through the other cards' pointers, or multimem.st",
	isa.OpReduce:     "in PTX: ld.global from every card's pointer and add, or multimem.ld_reduce",
	isa.OpUnblockTC:  "PTX has nothing like it: no real instruction stops the Tensor Cores",
}

func isOperator(op isa.Opcode) bool { return operatorHints[op] != "" }

// operator notes one of the article's operators (D8), and a kernel named after another type than it reduces (D10).
func (l *lowering) operator(f *isa.Func, op isa.Opcode, w word, at name) {
	l.dialect.note("D8", at, "`"+op.String()+"` is an operator of the article", operatorHints[op])
	if op != isa.OpReduce || len(w.Types) == 0 || w.Types[0] != isa.BF16 {
		return
	}
	for _, half := range []string{"fp16", "f16", "half"} {
		i := strings.Index(strings.ToLower(f.Name), half)
		if i >= 0 && (i == 0 || f.Name[i-1] != 'b' && f.Name[i-1] != 'B') {
			l.dialect.remark("D10", at, "`"+f.Name+"` is named after "+half+" and reduces bf16", "")
			return
		}
	}
}
