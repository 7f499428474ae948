package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
)

// sumTypes are the element types of which orders of summation are compared.
var sumTypes = map[Dtype]isa.Type{F16: isa.F16, BF16: isa.BF16, F32: isa.F32}

// SumOrders compares orders of summation over a buffer's contents, as they were at the start, of all cards.
func (out *Outcome) SumOrders(name string) (n vm.NumericsResult, err error) {
	i := slices.IndexFunc(out.session.specs, func(s *bufferSpec) bool { return s.name == name })
	if i < 0 {
		var names []string
		for _, s := range out.session.specs {
			names = append(names, s.name)
		}
		return n, fmt.Errorf("no buffer %q to sum up; there are %s", name, strings.Join(names, ", "))
	}
	spec := out.session.specs[i]
	typ, ok := sumTypes[spec.dtype]
	switch {
	case !ok:
		return n, fmt.Errorf("buffer %s is %s; orders of summation matter for f16, bf16 and f32", name, spec.dtype)
	case spec.init == nil:
		return n, fmt.Errorf("buffer %s has no contents at the start", name)
	case out.session.cards < 2:
		return n, fmt.Errorf("buffer %s is on one card: there is nothing to sum up", name)
	}
	in := make([][]byte, out.session.cards)
	for card := range in {
		in[card] = make([]byte, spec.bytes)
		spec.init(card, in[card])
	}
	n = vm.SumOrders(typ, in)
	n.Buffer = name
	return n, nil
}
