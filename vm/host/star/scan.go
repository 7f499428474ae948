package star

import "go.starlark.net/syntax"

// place is a line and column of a file.
type place struct{ line, col int32 }

func placeOf(pos syntax.Position) place { return place{pos.Line, pos.Col} }

// scan notes which variables calls are assigned to, so that grad = node.buffer(...) is the buffer grad in every report,
// and where the names of what is called stand, for carets. A call's own place is its parenthesis.
func (f *file) scan(tree *syntax.File) {
	f.names, f.carets = map[place]string{}, map[place]syntax.Position{}
	syntax.Walk(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			if n.Op == syntax.EQ {
				f.assign(n.LHS, n.RHS)
			}
		case *syntax.CallExpr:
			switch fn := n.Fn.(type) {
			case *syntax.Ident:
				f.carets[placeOf(n.Lparen)] = fn.NamePos
			case *syntax.DotExpr:
				f.carets[placeOf(n.Lparen)] = fn.Name.NamePos
			}
		}
		return true
	})
}

// assign notes a = f(...), and both of a, b = f(...), g(...).
func (f *file) assign(to, from syntax.Expr) {
	switch to := to.(type) {
	case *syntax.Ident:
		if call, ok := from.(*syntax.CallExpr); ok {
			f.names[placeOf(call.Lparen)] = to.Name
		}
	case *syntax.TupleExpr:
		if values, ok := from.(*syntax.TupleExpr); ok && len(values.List) == len(to.List) {
			for i := range to.List {
				f.assign(to.List[i], values.List[i])
			}
		}
	}
}
