package report

import (
	"fmt"
	"maps"
)

// numericsSection compares the sums with other orders of summation.
func (f *figures) numericsSection(Options) []string {
	if len(f.r.Numerics) == 0 {
		return labelled("Numerics", "no reduce.add of f16, bf16 or f32 between cards in this run: --numerics BUFFER compares orders over a buffer's contents")
	}
	var lines []string
	for i := range f.r.Numerics {
		n := &f.r.Numerics[i]
		if i > 0 {
			lines = append(lines, "")
		}
		what := n.Buffer
		if what == "" {
			what = f.at(n.Func, n.Pos)
		}
		head := fmt.Sprintf("%s %s, %d cards", what, n.Type, n.Cards)
		if len(n.Orders) > 0 {
			head += ", " + plural(n.Orders[0].Elements, "element")
		}
		var rows [][]string
		for _, o := range n.Orders {
			rows = append(rows, []string{o.Name, thousands(o.Differ), percent1(ratio(o.Differ, o.Elements)), thousands(o.Most), fmt.Sprintf("%.3g", o.Mean), thousands(o.FromExact)})
		}
		lines = append(lines, table([]column{{head, 40}, {"differ", 9}, {"", 6}, {"most ulp", 8}, {"mean ulp", 8}, {"from exact", 10}}, rows)...)
	}
	return append(lines, note("Of a line its first operation, of a buffer its contents at the start. Differences are from the first row, in units in the last place of the type. From exact: "+
		"the largest difference from the exact sum rounded once. Where terms cancel, a small sum is many units away. A ring's chunk j begins at card j.")...)
}

func (f *figures) numericsObjects(Options) any {
	list := []object{}
	for i := range f.r.Numerics {
		n := &f.r.Numerics[i]
		orders := []object{}
		for _, o := range n.Orders {
			orders = append(orders, object{"order": o.Name, "elements": o.Elements, "differ": o.Differ, "most_ulp": o.Most, "mean_ulp": o.Mean, "most_ulp_from_exact": o.FromExact})
		}
		o := place(n.Func, n.Pos)
		if n.Buffer != "" {
			o["buffer"] = n.Buffer
		}
		maps.Copy(o, object{"type": n.Type.String(), "cards": n.Cards, "orders": orders})
		list = append(list, o)
	}
	return list
}
