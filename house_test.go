// Package tollgate_test keeps the house in order: which room may import which.
package tollgate_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/tollgate-sim/tollgate"

// room is a part of the house: a folder with all that is below it, unless a longer row names that.
type room struct {
	path    string
	imports []string // rooms it may import, itself included
	modules []string // third-party modules it may import
}

// house is the plan: imports run one way, cmd → programs → vm → isa and cmd → parser → isa.
var house = []room{
	{path: "isa"},
	{path: "isa/machine", imports: []string{"isa"}, modules: []string{"github.com/pelletier/go-toml/v2"}},
	{path: "parser", imports: []string{"isa"}, modules: []string{"github.com/alecthomas/participle/v2"}},
	{path: "vm/internal", imports: []string{"vm/internal", "isa", "isa/machine"}},
	{path: "vm", imports: []string{"vm", "vm/internal", "isa", "isa/machine"}},
	{path: "vm/host", imports: []string{"vm/host", "vm", "isa", "isa/machine"}, modules: []string{"go.starlark.net"}},
	{path: "vm/report", imports: []string{"vm/report", "vm", "vm/internal", "isa", "isa/machine"}},
	{path: "programs", imports: []string{"programs", "vm", "vm/host", "vm/report", "isa", "isa/machine"}},
	{path: "cmd", imports: []string{"cmd", "programs", "vm", "vm/host", "vm/report", "parser", "isa", "isa/machine"},
		modules: []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/schollz/progressbar/v3", "gonum.org/v1/plot"}},
}

// floors are the rooms of the virtual machine from the ground up: a room imports only what lies below it.
var floors = [][]string{
	{"memory", "ledger"},
	{"state"},
	{"lane", "operator"},
	{"exec"},
	{"sm"},
	{"fabric"},
}

func TestImportsRunOneWay(t *testing.T) {
	seen := map[string]bool{}
	for file, imports := range sources(t) {
		folder := path.Dir(file)
		from := roomOf(folder)
		if from == nil {
			t.Errorf("%s is in no room of the house", file)
			continue
		}
		seen[from.path] = true
		for _, name := range imports {
			switch inside, ok := strings.CutPrefix(name, module+"/"); {
			case ok:
				to := roomOf(inside)
				if to == nil || !slices.Contains(from.imports, to.path) {
					t.Errorf("%s: %s must not import %s", file, from.path, inside)
				} else if a, b := floor(folder), floor(inside); a >= 0 && b >= 0 && a <= b && folder != inside {
					t.Errorf("%s: imports of the virtual machine go down, %s is no lower", file, inside)
				}
			case strings.Contains(strings.SplitN(name, "/", 2)[0], "."):
				if !slices.ContainsFunc(from.modules, func(m string) bool { return name == m || strings.HasPrefix(name, m+"/") }) {
					t.Errorf("%s: %s must not import %s", file, from.path, name)
				}
			}
		}
	}
	for _, must := range []string{"isa", "isa/machine", "parser", "vm", "cmd"} {
		if !seen[must] {
			t.Errorf("no file of %s was looked at", must)
		}
	}
}

// sources returns the imports of every Go file that is no test.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || len(name) > 1 && strings.HasPrefix(entry.Name(), ".")):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		all[name] = nil
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			all[name] = append(all[name], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// roomOf finds the room with the longest path that holds the folder.
func roomOf(folder string) *room {
	var found *room
	for i, r := range house {
		if (folder == r.path || strings.HasPrefix(folder, r.path+"/")) && (found == nil || len(r.path) > len(found.path)) {
			found = &house[i]
		}
	}
	return found
}

// floor returns the floor of a room of the virtual machine, or -1.
func floor(folder string) int {
	rest, ok := strings.CutPrefix(folder, "vm/internal/")
	if !ok {
		return -1
	}
	name, _, _ := strings.Cut(rest, "/")
	return slices.IndexFunc(floors, func(f []string) bool { return slices.Contains(f, name) })
}
