package vm

import "github.com/tollgate-sim/tollgate/vm/internal/state"

// WithDecoded returns options whose programs are shown to a test before they run.
func WithDecoded(opt Options, see func(*state.Program)) Options {
	opt.decoded = see
	return opt
}
