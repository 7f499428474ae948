package claims_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
	"github.com/tollgate-sim/tollgate/vm/host/star"
)

// load parses a PTX file that a program names.
func load(path string) (*isa.Module, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, diagnostics := parser.Parse(path, string(text), parser.Options{})
	if diagnostics.HasErrors() {
		return nil, fmt.Errorf("%v", diagnostics)
	}
	return m, nil
}

// claim is what an experiment measured, by name.
type claim struct {
	*testing.T
	metrics map[string]float64
}

// of is one figure.
func (c claim) of(format string, a ...any) float64 {
	c.Helper()
	name := fmt.Sprintf(format, a...)
	v, ok := c.metrics[name]
	if !ok {
		c.Fatalf("%s is not measured", name)
	}
	return v
}

// rises checks that figures rise strictly, with their names' numbers in order.
func (c claim) rises(format string, numbers ...any) {
	c.Helper()
	for i := 1; i < len(numbers); i++ {
		if before, after := c.of(format, numbers[i-1]), c.of(format, numbers[i]); before >= after {
			c.Errorf(format+" = %v, "+format+" = %v: it must rise", numbers[i-1], before, numbers[i], after)
		}
	}
}

// holds checks one relation.
func (c claim) holds(condition bool, format string, a ...any) {
	c.Helper()
	if !condition {
		c.Errorf(format, a...)
	}
}

// within checks a figure up to a part of what it should be.
func (c claim) within(name string, got, want, part float64) {
	c.Helper()
	c.holds(math.Abs(got-want) <= part*math.Abs(want), "%s is %v, not within %v %% of %v", name, got, 100*part, want)
}

// orderings is what must hold in the model of each of the article's claims. The golden files have the exact figures.
var orderings = map[string]func(c claim){
	"claim1": func(c claim) {
		c.holds(c.of("loss_1") == 0, "one card loses %v", c.of("loss_1"))
		c.rises("loss_%d", 1, 2, 4, 8)
		c.rises("exposed_%d", 4, 2, 1)
		c.rises("overlapped_%d", 4, 2, 1)
		for _, batch := range []int{1, 2, 4} {
			c.holds(c.of("overlapped_%d", batch) <= c.of("exposed_%d", batch), "batch %d: overlapping makes it worse", batch)
		}
	},
	"claim2": func(c claim) {
		c.rises("loss_k%d", 4, 2, 1)
		c.holds(c.of("loss_k1") > c.of("loss_batch2") && c.of("loss_batch2") > c.of("loss_batch3"), "the loss does not fall with the work of a step")
		c.within("2 loss(2)", 2*c.of("loss_k2"), c.of("loss_k1"), 0.1)
		c.within("4 loss(4)", 4*c.of("loss_k4"), c.of("loss_k1"), 0.1)
		c.holds(c.of("loss_k1") > 0.2 && c.of("loss_k4") < 0.2, "loss(1) = %v, loss(4) = %v: 20 %% is between them", c.of("loss_k1"), c.of("loss_k4"))
	},
	"claim3": func(c claim) {
		c.rises("extra_mine_%d", 25, 50, 75)
		c.holds(c.of("contention_alone") == 0, "contention without a tenant")
		for percent, stretch := range map[int]float64{25: 1 / 0.75, 50: 2, 75: 4} {
			c.within("contention", c.of("contention_mine_%d", percent), c.of("extra_mine_%d", percent), 0.02)
			c.within("the stretch", c.of("stretch_mine_%d", percent), stretch, 0.1)
		}
		c.within("contention of one card", c.of("contention_one_50"), c.of("extra_one_50"), 0.02)
		c.holds(c.of("extra_other_50") == 0 && c.of("contention_other_50") == 0, "a tenant on other cards costs %v", c.of("extra_other_50"))
	},
	"claim4": func(c claim) {
		sizes := []int{8, 1 << 10, 64 << 10, 1 << 20, 16 << 20}
		peer := func(size int) float64 { return c.of("peer_%d", size) / c.of("nvlink_%d", size) }
		for i := 1; i < len(sizes); i++ {
			c.holds(peer(sizes[i]) > peer(sizes[i-1]), "PCIe ÷ NVLink does not grow: %v at %d B, %v at %d B", peer(sizes[i-1]), sizes[i-1], peer(sizes[i]), sizes[i])
		}
		top := 16 << 20
		c.holds(peer(8) < 3 && peer(1<<20) > 2 && peer(top) > 6, "PCIe ÷ NVLink is %v at 8 B, %v at 1 MiB, %v at the top", peer(8), peer(1<<20), peer(top))
		staged := c.of("staged_%d", top) / c.of("nvlink_%d", top)
		c.holds(staged > 9, "through the host %v times NVLink", staged)
		for _, size := range []int{1 << 20, top, 128 << 20} {
			c.holds(c.of("nvlink_%d", size) < c.of("peer_%d", size) && c.of("peer_%d", size) < c.of("staged_%d", size), "%d B: NVLink < peer to peer < staged does not hold", size)
		}
		// The fold of the operators goes through HBM on every fabric, so their ratio is lower.
		c.holds(peer(128<<20) > 5, "the relayed operators take %v times as long", peer(128<<20))
	},
	"claim5": func(c claim) {
		c.holds(c.of("operators_1") == 0 && c.of("flags_1") == 0, "one card loses %v and %v", c.of("operators_1"), c.of("flags_1"))
		c.holds(c.of("fence_flags_1") >= 1500, "the flag kernel on one card pays %v cycles of fence", c.of("fence_flags_1"))
		c.holds(c.of("operators_8") > 0 && c.of("flags_8") > 0, "eight cards lose nothing")
	},
	"claim6": func(c claim) {
		c.rises("share_%d", 1<<16, 1<<18, 1<<19, 1<<20, 1<<21, 1<<22, 1<<23, 1<<24)
		c.rises("double_%d", 1<<19, 1<<20, 1<<21, 1<<22, 1<<23, 1<<24)
		c.holds(c.of("double_%d", 1<<24) > 1.85 && c.of("double_%d", 1<<24) <= 2, "T(2S) / T(S) comes to %v", c.of("double_%d", 1<<24))
		// The copy is half of the time between the size before equal and equal, and barrier × bandwidth is there too.
		c.holds(c.of("crossover") > c.of("equal")/2 && c.of("crossover") <= c.of("equal"), "crossover at %v B, half and half at %v B", c.of("crossover"), c.of("equal"))
	},
	"claim7": func(c claim) {
		words := []string{"ideal", "real"}
		at := func(fabric, hbm, fp8 int) float64 { return c.of("t_%s_%s_%s", words[fabric], words[hbm], words[fp8]) }
		for i := range 2 {
			for j := range 2 {
				c.holds(at(0, i, j) <= at(1, i, j) && at(i, 0, j) <= at(i, 1, j) && at(i, j, 0) <= at(i, j, 1), "time is not monotone at %d %d", i, j)
			}
		}
		c.holds(at(1, 1, 1) >= max(at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)), "all three together take less than one alone")
		c.holds(c.of("product") > 0 && c.of("product") < 1, "the product of efficiencies is %v", c.of("product"))
	},
}

// Every experiment comes to its golden file, and to the orderings that must hold.
func TestClaims(t *testing.T) {
	for name, ordered := range orderings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := claim{t, map[string]float64{}}
			s, err := host.Test(context.Background(), host.TestRequest{
				Paths: []string{name + ".star"}, Load: load, Timing: host.TimingOn, Jobs: 1,
				Program: func(ctx context.Context, path string, load host.LoadModule, opt vm.Options) (*host.Outcome, error) {
					return star.Run(ctx, star.Request{Path: path, Load: load, Options: opt})
				},
				Report: func(p *host.Case, out *host.Outcome) (string, error) {
					for _, m := range out.Metrics {
						v, err := strconv.ParseFloat(m.Value, 64)
						if err != nil {
							return "", err
						}
						c.metrics[m.Name] = v
					}
					return fmt.Sprintf("%s: %s (modelled)\n", p.Name, p.Description) + star.Figures(out), nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range s.Rows {
				if !row.Passed {
					t.Error(row)
				}
			}
			ordered(c)
		})
	}
}

// What the pages show is what the experiments print: a page's block is the output in the golden file.
func TestPages(t *testing.T) {
	for name := range orderings {
		golden, err := os.ReadFile(name + ".golden")
		if err != nil {
			t.Fatal(err)
		}
		var output strings.Builder
		for line := range strings.Lines(string(golden)) {
			if text, ok := strings.CutPrefix(line, "stdout: "); ok {
				output.WriteString(text)
			}
		}
		page, err := os.ReadFile(filepath.Join("../../docs/claims", name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		if output.Len() == 0 || !strings.Contains(string(page), "\n```\n"+output.String()+"```\n") {
			t.Errorf("docs/claims/%s.md does not show what %s.star prints:\n%s", name, name, output.String())
		}
	}
}
