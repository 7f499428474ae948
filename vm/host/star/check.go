package star

import (
	"context"
	"os"

	"go.starlark.net/starlark"

	"github.com/tollgate-sim/tollgate/isa"
)

// Check says what is wrong with a host program's text, without running anything: syntax, and names that are nowhere
// assigned. The error is machine.Problems, or the file system's.
func Check(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	p := newProgram(context.Background(), Request{})
	f := &file{name: name, source: isa.NewSource(name, string(text))}
	p.files[name] = f
	if err := checkText(f.source); err != nil {
		return err
	}
	tree, err := language.Parse(name, text, 0)
	if err != nil {
		return p.explain(err)
	}
	if _, err := starlark.FileProgram(tree, p.words.Has); err != nil {
		return p.explain(err)
	}
	return nil
}
