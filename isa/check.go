package isa

// Problem is one thing that Check finds wrong with an instruction.
type Problem struct {
	Pos     Pos
	Msg     string
	Hint    string
	Section string // of the PTX ISA, or ""
	Warning bool
	Code    string // the kind of mistake: type, version-too-low, target-too-low, range, ...
}

// Check compares an instruction with its row of the table. It answers nothing for a correct one.
func Check(m *Module, f *Func, in *Inst) []Problem {
	if in.Op == OpNone || in.Op >= NumOpcodes {
		return []Problem{{Pos: in.OpPos, Msg: "not an instruction", Code: "unknown-instruction"}}
	}
	return nil
}
