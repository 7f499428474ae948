package parser

import (
	"strconv"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// symbol is what a name stands for. Exactly one of the pointers is set, or it is a register.
type symbol struct {
	Var   *isa.Var
	Func  *isa.Func
	Table *isa.Table
	Proto *isa.Proto

	IsReg bool
	Reg   isa.Reg // NoReg until the register is used
	Type  isa.Type
	Vec   uint8
	Pos   isa.Pos
	Name  string
}

// registerRange is %r<10>: as many registers as it says, of which most files use few. A register gets its symbol when
// it is first named.
type registerRange struct {
	Count int64
	Type  isa.Type
	Vec   uint8
	Pos   isa.Pos
}

// label is a place in the code of the function.
type label struct {
	Target int32
	Pos    isa.Pos
}

// scope holds the names declared between two braces.
type scope struct {
	outer  *scope
	names  map[string]*symbol
	ranges map[string]registerRange
	labels map[string]label
}

func newScope(outer *scope) *scope {
	return &scope{outer: outer, names: map[string]*symbol{}}
}

// find returns the innermost symbol of that name.
func (s *scope) find(name string) *symbol {
	for ; s != nil; s = s.outer {
		if sym, ok := s.names[name]; ok {
			return sym
		}
		if s.ranges != nil {
			if sym := s.fromRange(name); sym != nil {
				return sym
			}
		}
	}
	return nil
}

// own returns the symbol of that name declared in this very scope.
func (s *scope) own(name string) *symbol {
	if sym, ok := s.names[name]; ok {
		return sym
	}
	return s.fromRange(name)
}

// fromRange makes the symbol of a register that a range declares: %r7 of %r<10>. Leading zeros don't count.
func (s *scope) fromRange(name string) *symbol {
	for i := len(name) - 1; i > 0 && name[i] >= '0' && name[i] <= '9'; i-- {
		r, ok := s.ranges[name[:i]]
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(name[i:], 10, 64)
		if err != nil || n >= r.Count {
			continue
		}
		canonical := name[:i] + strconv.FormatInt(n, 10)
		sym := s.names[canonical]
		if sym == nil {
			sym = &symbol{IsReg: true, Reg: isa.NoReg, Type: r.Type, Vec: r.Vec, Pos: r.Pos, Name: canonical}
			s.names[canonical] = sym
		}
		if canonical != name {
			s.names[name] = sym
		}
		return sym
	}
	return nil
}

// findLabel returns the innermost label of that name: jumps go out of braces, not into them.
func (s *scope) findLabel(name string) (label, bool) {
	for ; s != nil; s = s.outer {
		if l, ok := s.labels[name]; ok {
			return l, true
		}
	}
	return label{}, false
}

// visible lists the names in force, for hints.
func (s *scope) visible() []string {
	var names []string
	for ; s != nil; s = s.outer {
		for n := range s.names {
			names = append(names, n)
		}
	}
	return sortedUnique(names)
}

// visibleLabels lists the labels in force.
func (s *scope) visibleLabels() []string {
	var names []string
	for ; s != nil; s = s.outer {
		for n := range s.labels {
			names = append(names, n)
		}
	}
	return sortedUnique(names)
}

// rangeHint explains a register just beyond its range, or returns "".
func (s *scope) rangeHint(name string) string {
	base := strings.TrimRight(name, "0123456789")
	for ; s != nil && base != name; s = s.outer {
		if r, ok := s.ranges[base]; ok {
			return "`" + base + "<" + strconv.FormatInt(r.Count, 10) + ">` declares " + base + "0 to " + base + strconv.FormatInt(r.Count-1, 10)
		}
	}
	return ""
}
