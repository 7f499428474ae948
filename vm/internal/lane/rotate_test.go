package lane

import (
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// TestShfWrap: the 64 bits of two registers, or of one twice, which is a rotation (PTX ISA, "shf": the amount is taken
// modulo 32).
func TestShfWrap(t *testing.T) {
	for word, want := range map[string]func(low, high uint64, n uint32) uint32{
		"shf.l.wrap.b32": func(low, high uint64, n uint32) uint32 { return uint32((high<<32 | low) >> (32 - n%32)) },
		"shf.r.wrap.b32": func(low, high uint64, n uint32) uint32 { return uint32((high<<32 | low) >> (n % 32)) },
	} {
		for _, high := range []int32{0, 1} {
			in := instruction(t, word, 4)
			in.Operands[2].Reg = isa.Reg(high)
			choice, ok := Select(in, nil)
			if !ok {
				t.Fatal("no " + word)
			}
			for _, active := range []uint32{1<<32 - 1, 0x0ff000f1} {
				w := &state.Warp{R32: make([][32]uint32, 4), Prog: &state.Program{}, Active: active, Full: active == 1<<32-1, Live: 1<<32 - 1}
				for l := range uint32(32) {
					w.R32[0][l], w.R32[1][l], w.R32[2][l] = 0x80000001*l+0x12345678, 0x9e3779b9*l, 3*l
				}
				choice.Run(w, &state.Op{D: 3, D2: -1, A: 0, B: high, C: 2})
				for l := range 32 {
					x := uint32(0)
					if active>>l&1 != 0 {
						x = want(uint64(w.R32[0][l]), uint64(w.R32[high][l]), w.R32[2][l])
					}
					if got := w.R32[3][l]; got != x {
						t.Errorf("%s of %#x and %#x by %d = %#x, want %#x", word, w.R32[0][l], w.R32[high][l], w.R32[2][l], got, x)
					}
				}
			}
		}
	}
}
