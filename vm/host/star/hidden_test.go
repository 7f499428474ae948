package star

import (
	"context"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/programs/corpus"
	"github.com/tollgate-sim/tollgate/vm"
)

// TestHiddenArguments: a launch of Triton's kernel needs neither the scratch pointers at the end nor the block, in a list
// and by name; who gives all arguments may.
func TestHiddenArguments(t *testing.T) {
	kernel, err := corpus.Load("compilers/t_vecadd.ptx")
	if err != nil || len(kernel) != 1 {
		t.Fatal(len(kernel), err)
	}
	for _, args := range []string{"[x, y, out, 100]", "[x, y, out, 100, 0, 0]",
		`{"param_0": x, "param_1": y, "param_2": out, "param_3": 100}`} {
		files := withKernels(t, map[string]string{"t.ptx": kernel[0].Text, "p.star": `
node = machine("h200-sxm")
k = ptx("t.ptx")
x = node.buffer("f32", 100, init = ramp())
y = node.buffer("f32", 100, init = ramp())
out = node.buffer("f32", 100)
node.launch(k.add_masked, grid = 1, args = ` + args + `)
expect_equal(out, [2 * i for i in range(100)])
`})
		result, err := Run(context.Background(), Request{Path: "p.star", Files: files, Load: loader(files), Options: vm.Options{Functional: true}})
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Differences) > 0 {
			t.Errorf("%s: %s", args, strings.Join(result.Differences, "\n"))
		}
	}
}
