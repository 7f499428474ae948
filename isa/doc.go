// Package isa is the instruction set as data, and the values that the other packages hand to each other.
//
// The instruction table (row.go, table_*.go) has one row an opcode, in the order of the PTX manual: its syntax lines as
// the manual prints them, what each placeholder and operand may be, what the instruction means, which unit executes it,
// and under which ledger entry a wait for its result is booked. table_since.go adds from which PTX version and target
// on a spelling exists. Split takes an instruction word apart, Check compares an instruction with its row: it reads the
// syntax lines (form.go), the short notation for operands (argument.go) and the few rules that no line can say (rule.go).
//
// The values are Module, Func, Inst and Operand: a PTX file with every name resolved. isa imports nothing of the project.
package isa
