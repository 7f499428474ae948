package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// EntryError says that a module doesn't settle which entry to run.
type EntryError struct {
	Module  *isa.Module
	Name    string   // the name asked for, or ""
	Entries []string // what there is
}

// Error names the file and the entries it has.
func (e *EntryError) Error() string {
	file := "the module"
	if e.Module.Source != nil {
		file = e.Module.Source.Name
	}
	switch {
	case len(e.Entries) == 0:
		return file + " has no entry to run"
	case e.Name == "":
		return fmt.Sprintf("%s has several entries; choose one with --entry:\n    %s", file, strings.Join(e.Entries, "\n    "))
	}
	s := fmt.Sprintf("%s has no entry %s", file, e.Name)
	if near := isa.Nearest(e.Name, e.Entries); near != "" {
		return s + "\n    hint: did you mean " + near + "?"
	}
	return s + "; it has:\n    " + strings.Join(e.Entries, "\n    ")
}

// SelectEntry finds the entry to run: the one of that name, or with no name the only entry that no other function
// calls. The error is an *EntryError.
func SelectEntry(m *isa.Module, name string) (*isa.Func, error) {
	var entries []*isa.Func
	for _, f := range m.Funcs {
		if f.Entry && f.Defined {
			entries = append(entries, f)
		}
	}
	if name != "" {
		for _, f := range entries {
			if f.Name == name {
				return f, nil
			}
		}
		return nil, &EntryError{Module: m, Name: name, Entries: funcNames(entries)}
	}
	called := calledFuncs(m)
	top := slices.DeleteFunc(slices.Clone(entries), func(f *isa.Func) bool { return called[f] })
	if len(top) == 1 {
		return top[0], nil
	}
	if len(top) == 0 {
		top = entries
	}
	return nil, &EntryError{Module: m, Entries: funcNames(top)}
}

func funcNames(funcs []*isa.Func) []string {
	names := make([]string, len(funcs))
	for i, f := range funcs {
		names[i] = f.Name
	}
	return names
}

// calledFuncs are the functions that some other function's code names.
func calledFuncs(m *isa.Module) map[*isa.Func]bool {
	called := map[*isa.Func]bool{}
	for _, f := range m.Funcs {
		for i := range f.Code {
			for _, o := range f.Code[i].Operands {
				if o.Func != nil && o.Func != f {
					called[o.Func] = true
				}
			}
		}
	}
	return called
}

// paramSize is the number of bytes that a parameter takes.
func paramSize(p *isa.Var) int {
	if p.Size > 0 {
		return p.Size
	}
	return p.Type.Bytes()
}

// paramBlock is the size of an entry's parameter block, in C layout.
func paramBlock(entry *isa.Func) int {
	size := 0
	for _, p := range entry.Params {
		size = max(size, p.Offset+paramSize(p))
	}
	return size
}

// paramName is the name that --arg knows a parameter by: a register parameter without its %, and of the names that
// nvcc and clang make, ENTRY_param_3, the part param_3, since ENTRY may be hundreds of letters.
func paramName(p *isa.Var) string {
	name := strings.TrimPrefix(p.Name, "%")
	if p.Func == nil {
		return name
	}
	return shortName(p.Func, name)
}

// shortName takes the entry's name off what begins with a compiler's parameter name.
func shortName(entry *isa.Func, text string) string {
	if strings.HasPrefix(text, entry.Name+"_param_") {
		return text[len(entry.Name)+1:]
	}
	return text
}

// declaration prints a parameter as PTX declares it, without its name: .u64, .align 8 .b8[64].
func declaration(p *isa.Var) string {
	s := "." + p.Type.String()
	if p.Ptr {
		s += " .ptr"
		if p.PtrSpace != isa.SpaceGeneric {
			s += " ." + p.PtrSpace.String()
		}
	}
	if len(p.Dims) > 0 {
		if p.Align > p.Type.Bytes() {
			s = fmt.Sprintf(".align %d %s", p.Align, s)
		}
		for _, n := range p.Dims {
			s += fmt.Sprintf("[%d]", n)
		}
	}
	return s
}
