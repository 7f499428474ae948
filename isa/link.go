package isa

import (
	"fmt"
	"slices"
)

// Link joins modules that were compiled apart into one program, as nvlink does: an .extern name of one stands for the
// .visible, .weak or .common one of another, and names without a linking directive stay private to their module. Of
// several .weak definitions the first counts, unless one is .visible; of several .common ones the largest. The modules
// themselves are not changed. One module alone is returned as it is.
func Link(modules []*Module) (*Module, error) {
	if len(modules) == 1 {
		return modules[0], nil
	}
	l := &linker{funcs: map[*Func]*Func{}, vars: map[*Var]*Var{}, from: map[any]*Module{}, symbols: map[string]any{}}
	for _, m := range modules {
		if m.AddressSize != modules[0].AddressSize {
			return nil, fmt.Errorf("%s has %d-bit addresses, %s %d-bit ones: they can't be linked", m.Source.Name, m.AddressSize, modules[0].Source.Name, modules[0].AddressSize)
		}
		l.collect(m)
	}
	for _, m := range modules {
		l.resolve(m)
	}
	if l.err != nil {
		return nil, l.err
	}
	return l.join(modules), nil
}

// linker knows what every function and variable of the modules becomes.
type linker struct {
	symbols map[string]any // definitions that other modules see, by name: *Func or *Var
	from    map[any]*Module
	funcs   map[*Func]*Func
	vars    map[*Var]*Var
	err     error
}

// fail keeps the first mistake.
func (l *linker) fail(m *Module, pos Pos, format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("%s: error: %s", m.Source.At(pos), fmt.Sprintf(format, args...))
	}
}

// collect notes what a module offers to the others.
func (l *linker) collect(m *Module) {
	for _, f := range m.Funcs {
		l.from[f] = m
		if f.Defined && (f.Linkage == LinkVisible || f.Linkage == LinkWeak) {
			l.offer(m, f.Name, f, f.Linkage, f.Pos, 0)
		}
	}
	for _, v := range m.Vars {
		l.from[v] = m
		if v.Linkage == LinkVisible || v.Linkage == LinkWeak || v.Linkage == LinkCommon {
			l.offer(m, v.Name, v, v.Linkage, v.Pos, v.Size)
		}
	}
}

// offer enters a definition, or decides between it and one of the same name.
func (l *linker) offer(m *Module, name string, symbol any, linkage Linkage, pos Pos, size int) {
	had := l.symbols[name]
	if had == nil {
		l.symbols[name] = symbol
		return
	}
	hadLinkage, hadSize := linkageOf(had)
	switch {
	case linkage == LinkCommon && hadLinkage == LinkCommon:
		if size > hadSize {
			l.symbols[name] = symbol
		}
	case linkage == LinkWeak || linkage == LinkCommon: // the earlier one is as good or better
	case hadLinkage == LinkWeak || hadLinkage == LinkCommon:
		l.symbols[name] = symbol
	default:
		l.fail(m, pos, "`%s` is defined in %s too", name, l.from[had].Source.Name)
	}
}

func linkageOf(symbol any) (Linkage, int) {
	if v, ok := symbol.(*Var); ok {
		return v.Linkage, v.Size
	}
	return symbol.(*Func).Linkage, 0
}

// resolve decides what each of a module's functions and variables becomes. Functions are copied, since their
// instructions will refer to others; variables without initialisers stay what they are.
func (l *linker) resolve(m *Module) {
	for _, f := range m.Funcs {
		def := f
		if !f.Defined {
			def = l.definition(m, f)
		} else if f.Linkage == LinkWeak {
			def, _ = l.symbols[f.Name].(*Func)
		}
		if def == nil {
			def = f
		}
		if l.funcs[def] == nil {
			clone := *def
			l.funcs[def] = &clone
		}
		l.funcs[f] = l.funcs[def]
	}
	for _, f := range m.Funcs {
		l.ownVars(l.funcs[f])
	}
	for _, v := range m.Vars {
		def := v
		if v.Linkage == LinkExtern || v.Linkage == LinkWeak || v.Linkage == LinkCommon {
			found, isVar := l.symbols[v.Name].(*Var)
			switch {
			case isVar:
				def = found
			case v.Linkage == LinkExtern && v.Space != SpaceShared:
				l.fail(m, v.Pos, "`%s` is declared .extern and defined in no file", v.Name)
			}
			if isVar && (found.Space != v.Space || v.Size > found.Size) {
				l.fail(m, v.Pos, "`%s` is declared here as %d bytes of .%s, and defined in %s as %d bytes of .%s",
					v.Name, v.Size, v.Space, l.from[found].Source.Name, found.Size, found.Space)
			}
		}
		if l.vars[def] == nil {
			clone := *def
			l.vars[def] = &clone
		}
		l.vars[v] = l.vars[def]
	}
}

// ownVars copies the variables of a copied function that have initialisers, which may name others.
func (l *linker) ownVars(f *Func) {
	for i, v := range f.Vars {
		if len(v.Init) == 0 || l.vars[v] == v {
			continue
		}
		clone := *v
		f.Vars = slices.Clone(f.Vars)
		f.Vars[i], l.vars[v], l.vars[&clone] = &clone, &clone, &clone
	}
}

// definition is the body that belongs to a prototype: of the own module, or what another one offers; nil for none (the
// functions of the system).
func (l *linker) definition(m *Module, f *Func) *Func {
	for _, own := range m.Funcs {
		if own.Name == f.Name && own.Defined {
			return own
		}
	}
	for _, a := range m.Aliases {
		if a.Name == f.Name {
			return f
		}
	}
	def, ok := l.symbols[f.Name].(*Func)
	if ok && (len(def.Params) != len(f.Params) || len(def.Results) != len(f.Results)) {
		l.fail(m, f.Pos, "`%s` is declared here with %d parameters and %d results, and defined in %s with %d and %d",
			f.Name, len(f.Params), len(f.Results), l.from[def].Source.Name, len(def.Params), len(def.Results))
	}
	return def
}

// join makes the program.
func (l *linker) join(modules []*Module) *Module {
	out := *modules[0]
	out.Funcs, out.Vars, out.Aliases, out.Files, out.Locs = nil, nil, nil, nil, nil
	done := map[any]bool{}
	for _, m := range modules {
		if out.Version.Less(m.Version) {
			out.Version = m.Version
		}
		out.Dialect = out.Dialect || m.Dialect
		locs := l.debugLines(&out, m)
		for _, v := range m.Vars {
			if to := l.vars[v]; !done[to] {
				done[to] = true
				to.Init = l.initialisers(to.Init)
				out.Vars = append(out.Vars, to)
			}
		}
		for _, f := range m.Funcs {
			to := l.funcs[f]
			if l.from[f] == m && to.Source == m.Source && !done[to] {
				done[to] = true
				l.rewrite(to, locs)
				for _, v := range to.Vars {
					if len(v.Init) > 0 {
						v.Init = l.initialisers(v.Init)
					}
				}
				out.Funcs = append(out.Funcs, to)
			}
		}
		for _, a := range m.Aliases {
			if a.Target != nil {
				a.Target = l.funcs[a.Target]
			}
			out.Aliases = append(out.Aliases, a)
		}
	}
	return &out
}

// debugLines adds a module's .file and .loc directives, numbered behind those that are there. It returns how many
// .loc came before.
func (l *linker) debugLines(out, m *Module) (locs int32) {
	files := 0
	for _, f := range out.Files {
		files = max(files, f.Index+1)
	}
	locs = int32(len(out.Locs))
	for _, f := range m.Files {
		f.Index += files
		out.Files = append(out.Files, f)
	}
	for _, loc := range m.Locs {
		loc.File += int32(files)
		out.Locs = append(out.Locs, loc)
	}
	return locs
}

func (l *linker) initialisers(items []InitItem) []InitItem {
	items = slices.Clone(items)
	for i := range items {
		if to := l.vars[items[i].Var]; to != nil {
			items[i].Var = to
		}
		if to := l.funcs[items[i].Func]; to != nil {
			items[i].Func = to
		}
	}
	return items
}

// rewrite makes a copied function refer to what its names have become.
func (l *linker) rewrite(f *Func, locs int32) {
	f.Code = slices.Clone(f.Code)
	for i := range f.Code {
		in := &f.Code[i]
		if in.Loc >= 0 {
			in.Loc += locs
		}
		in.Operands = l.operands(in.Operands)
	}
}

// operands returns a list with its names exchanged; the list itself when there are none.
func (l *linker) operands(list []Operand) []Operand {
	copied := false
	set := func(i int, o Operand) {
		if !copied {
			list, copied = slices.Clone(list), true
		}
		list[i] = o
	}
	for i := range list {
		o := list[i]
		changed := false
		if to := l.vars[o.Var]; o.Var != nil && to != nil && to != o.Var {
			o.Var, changed = to, true
		}
		if to := l.funcs[o.Func]; o.Func != nil && to != nil && to != o.Func {
			o.Func, changed = to, true
		}
		if o.Table != nil && len(o.Table.Funcs) > 0 {
			table := *o.Table
			table.Funcs = slices.Clone(table.Funcs)
			for j, f := range table.Funcs {
				if to := l.funcs[f]; to != nil {
					table.Funcs[j] = to
				}
			}
			o.Table, changed = &table, true
		}
		if sub := l.operands(o.List); len(sub) > 0 && &sub[0] != &o.List[0] {
			o.List, changed = sub, true
		}
		if changed {
			set(i, o)
		}
	}
	return list
}
