// Package lane holds what an instruction does to the 32 lanes of a warp, from registers to registers.
//
// Registers of 8, 16 and 32 bits are lanes of Warp.R32 (the narrow ones always zero-extended), those of 64 bits lanes of
// Warp.R64, predicates masks in Warp.P. A lane function writes the lanes of Warp.Active and no others; when Warp.Full
// says that those are all the live ones it may write all 32. Simple functions are one line each in gen, from which
// `go generate` writes lanes_gen.go; the others are in files named after their family.
//
// Results are the same on every host: products are never left for the Go compiler to fuse, and every NaN is canonical.
package lane

//go:generate go run ./gen

import (
	"slices"
	"strings"
	"sync"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Func runs one decoded operation on a warp's active lanes.
type Func = func(*state.Warp, *state.Op) state.Signal

// Choice is what decode puts into an operation: the function, and what it reads from Op.Imm and Op.Extra.
type Choice struct {
	Run   Func
	Imm   uint64
	Extra any
}

// spelled is a function and the instruction word that it serves.
type spelled[F any] struct {
	word string
	run  F
}

// selector picks the lane function of one opcode by the instruction's modifiers, types and operands.
type selector func(in *isa.Inst, f *isa.Func) (Choice, bool)

// Select picks the lane function for an instruction of function f. It answers false when the VM can't run it.
func Select(in *isa.Inst, f *isa.Func) (Choice, bool) {
	if !Executes(in.Op) {
		return Choice{}, false
	}
	return selectors[in.Op](in, f)
}

// Executes reports whether this package has lane functions for the opcode, in some form at least.
func Executes(op isa.Opcode) bool { return op < isa.NumOpcodes && selectors[op] != nil }

// listed is the selector of opcodes all of whose forms are lines of the list.
func listed(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	run, ok := laneIndex()[keyOf(in.Op, in.Mods, in.Types)]
	return Choice{Run: run}, ok
}

// firstOf is a selector that asks several in turn.
func firstOf(list ...selector) selector {
	return func(in *isa.Inst, f *isa.Func) (Choice, bool) {
		for _, s := range list {
			if c, ok := s(in, f); ok {
				return c, true
			}
		}
		return Choice{}, false
	}
}

// only reports that the instruction has no modifiers but roundings and those named.
func only(in *isa.Inst, mods ...isa.Mod) bool {
	for _, m := range in.Mods {
		if _, rounds := roundings[m]; !rounds && !slices.Contains(mods, m) {
			return false
		}
	}
	return true
}

// keyOf is an instruction word with its modifiers in alphabetical order, since the assembler takes them as a set.
func keyOf(op isa.Opcode, mods []isa.Mod, types []isa.Type) string {
	sorted := slices.Clone(mods)
	slices.Sort(sorted)
	var b strings.Builder
	b.WriteString(op.String())
	for _, m := range slices.Compact(sorted) {
		b.WriteByte('.')
		b.WriteString(m.String())
	}
	for _, t := range types {
		b.WriteByte('.')
		b.WriteString(t.String())
	}
	return b.String()
}

// laneIndex and compareIndex find generated functions by keyOf; made at first use, so that a program that runs no
// kernel does not pay.
var (
	laneIndex    = sync.OnceValue(func() map[string]Func { return index(lanes) })
	compareIndex = sync.OnceValue(func() map[string]compare { return index(compares) })
)

func index[F any](list []spelled[F]) map[string]F {
	m := make(map[string]F, len(list))
	for _, s := range list {
		if op, mods, types, err := isa.Split(s.word); err == nil {
			m[keyOf(op, mods, types)] = s.run
		}
	}
	return m
}
