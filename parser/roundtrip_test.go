package parser

import (
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/programs/corpus"
)

// sameModule compares two modules by what they mean: positions, and the names of what a function declares inside, are
// left out, since printing unfolds scopes; everything that points does so to the same thing.
func sameModule(a, b *isa.Module) string {
	byName := func(fs []*isa.Func) []*isa.Func {
		out := append([]*isa.Func(nil), fs...)
		sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
		return out
	}
	position := cmp.Comparer(func(_, _ isa.Pos) bool { return true })
	source := cmp.Comparer(func(_, _ *isa.Source) bool { return true })
	variable := cmp.Comparer(func(x, y *isa.Var) bool {
		if x == nil || y == nil {
			return x == y
		}
		return (x.Func != nil || x.Name == y.Name) && (x.Func == nil) == (y.Func == nil) && x.Space == y.Space && x.Type == y.Type && x.Size == y.Size && x.Align == y.Align
	})
	function := cmp.Comparer(func(x, y *isa.Func) bool { return x == nil && y == nil || x != nil && y != nil && x.Name == y.Name })
	table := cmp.Comparer(func(x, y *isa.Table) bool {
		return x == nil && y == nil || x != nil && y != nil && cmp.Equal(x.Targets, y.Targets) && cmp.Equal(x.Funcs, y.Funcs, function)
	})
	proto := cmp.Comparer(func(x, y *isa.Proto) bool {
		return x == nil && y == nil || x != nil && y != nil && cmp.Equal(x.Params, y.Params, variable) && cmp.Equal(x.Results, y.Results, variable)
	})
	options := cmp.Options{
		position, source, function, table, proto,
		cmpopts.IgnoreFields(isa.RegDecl{}, "Name"), cmpopts.IgnoreFields(isa.Label{}, "Name"), cmpopts.IgnoreFields(isa.Inst{}, "Loc"),
		cmpopts.EquateEmpty(),
	}
	if d := cmp.Diff(a, b, options, variable, cmpopts.IgnoreFields(isa.Module{}, "Funcs", "Vars", "Locs")); d != "" {
		return d
	}
	full := cmp.Options{options, cmp.FilterPath(func(p cmp.Path) bool {
		return p.Last().String() == ".Var"
	}, variable), cmpopts.IgnoreFields(isa.Var{}, "Func")}
	if d := cmp.Diff(a.Vars, b.Vars, full); d != "" {
		return d
	}
	fa, fb := byName(a.Funcs), byName(b.Funcs)
	if len(fa) != len(fb) {
		return "different numbers of functions"
	}
	for i := range fa {
		x, y := *fa[i], *fb[i]
		if d := cmp.Diff(x.Params, y.Params, full); d != "" {
			return x.Name + " parameters: " + d
		}
		if d := cmp.Diff(x.Results, y.Results, full); d != "" {
			return x.Name + " results: " + d
		}
		for k := range min(len(x.Code), len(y.Code)) {
			if p, q := loc(a, &x.Code[k]), loc(b, &y.Code[k]); p != q {
				return x.Name + ": another .loc"
			}
		}
		x.Params, x.Results, x.Tables = nil, nil, nil
		y.Params, y.Results, y.Tables = nil, nil, nil
		if d := cmp.Diff(x, y, options, variable); d != "" {
			return x.Name + ": " + d
		}
	}
	return ""
}

func loc(m *isa.Module, in *isa.Inst) isa.Loc {
	if in.Loc < 0 {
		return isa.Loc{}
	}
	return m.Locs[in.Loc]
}

// roundTrip parses, prints, parses again and prints again. The two texts must be the same, and, where deep asks for
// it (it takes its time), the two modules field by field.
func roundTrip(t *testing.T, name, text string, deep bool) {
	t.Helper()
	first, ds := Parse(name, text, Options{})
	if first == nil {
		t.Errorf("%s: %v", name, ds)
		return
	}
	var printed strings.Builder
	if err := Print(&printed, first); err != nil {
		t.Fatal(err)
	}
	second, ds := Parse(name+" printed", printed.String(), Options{})
	if second == nil {
		t.Errorf("%s: what was printed does not parse: %v", name, ds[0])
		return
	}
	if deep {
		if d := sameModule(first, second); d != "" {
			t.Errorf("%s: printing changed the module (-first +second):\n%s", name, d[:min(len(d), 3000)])
			return
		}
	}
	var again strings.Builder
	if err := Print(&again, second); err != nil {
		t.Fatal(err)
	}
	if printed.String() != again.String() {
		d := cmp.Diff(printed.String(), again.String())
		t.Errorf("%s: printed twice, two texts:\n%s", name, d[:min(len(d), 3000)])
	}
}

// TestCorpusIsAcceptedAndPrints reads every PTX file that the corpus has of every compiler.
func TestCorpusIsAcceptedAndPrints(t *testing.T) {
	files, err := corpus.Load()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		if strings.HasPrefix(f.Path, "tinygrad/lenient/") { // the assembler refuses these: .approx on .f64
			if m, ds := Parse(f.Path, f.Text, Options{Strict: true}); m == nil && !strings.Contains(ds[0].Message, "f64") {
				t.Errorf("%v", ds[0])
			}
			continue
		}
		roundTrip(t, f.Path, f.Text, i%50 == 0 && len(f.Text) < 50000)
	}
}
