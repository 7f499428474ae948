package isa

// What the modifiers of an instruction say, for the checker, the timing and the VM.

// Space returns the state space that the instruction's address operand lies in. Without a space modifier it is the
// generic one. Instructions with two spaces (bulk copies) give the first, the destination's.
func (in *Inst) Space() Space {
	for _, m := range in.Mods {
		if s, ok := spaceOf(m); ok {
			return s
		}
	}
	return SpaceGeneric
}

// SourceSpace returns the second space of an instruction that names two: where a copy reads from.
func (in *Inst) SourceSpace() Space {
	found := false
	for _, m := range in.Mods {
		if s, ok := spaceOf(m); ok {
			if found {
				return s
			}
			found = true
		}
	}
	return in.Space()
}

func spaceOf(m Mod) (Space, bool) {
	switch m {
	case ModGlobal:
		return SpaceGlobal, true
	case ModShared, ModSharedCTA, ModSharedCluster:
		return SpaceShared, true
	case ModLocal:
		return SpaceLocal, true
	case ModConst:
		return SpaceConst, true
	case ModParam, ModParamEntry, ModParamFunc:
		return SpaceParam, true
	}
	return SpaceGeneric, false
}

// VectorWidth returns the number of elements that .v2, .v4 or .v8 asks for, 1 without them.
func (in *Inst) VectorWidth() int {
	for _, m := range in.Mods {
		switch m {
		case ModV2:
			return 2
		case ModV4:
			return 4
		case ModV8:
			return 8
		}
	}
	return 1
}

// Rounding returns the rounding modifier, integer rounding and stochastic rounding included, or ModNone.
func (in *Inst) Rounding() Mod {
	for _, m := range in.Mods {
		switch m {
		case ModRN, ModRZ, ModRM, ModRP, ModRni, ModRzi, ModRmi, ModRpi, ModRNA, ModRs:
			return m
		}
	}
	return ModNone
}

// Comparison returns the comparison operator of set, setp and vset, or ModNone.
func (in *Inst) Comparison() Mod {
	for _, m := range in.Mods {
		switch m {
		case ModEq, ModNe, ModLt, ModLe, ModGt, ModGe, ModLo, ModLs, ModHi, ModHs,
			ModEqu, ModNeu, ModLtu, ModLeu, ModGtu, ModGeu, ModNum, ModNaNLower:
			return m
		}
	}
	return ModNone
}

// BoolOp returns the operator that set, setp and lop3 combine their predicate with, or ModNone.
func (in *Inst) BoolOp() Mod {
	for _, m := range in.Mods {
		switch m {
		case ModAnd, ModOr, ModXor:
			return m
		}
	}
	return ModNone
}

// Semantics returns the memory order: .weak .relaxed .acquire .release .acq_rel .sc, or ModNone where none is written.
func (in *Inst) Semantics() Mod {
	for _, m := range in.Mods {
		switch m {
		case ModWeak, ModRelaxed, ModAcquire, ModRelease, ModAcqRel, ModSc:
			return m
		}
	}
	return ModNone
}

// Scope returns .cta, .cluster, .gpu or .sys, or ModNone. membar's .gl counts as .gpu.
func (in *Inst) Scope() Mod {
	for _, m := range in.Mods {
		switch m {
		case ModCTA, ModCluster, ModGPU, ModSys:
			return m
		case ModGL:
			return ModGPU
		}
	}
	return ModNone
}

// Operation returns the operation of atom, red, redux, bar.red, multimem and the article's reduce
// (.add .min .max .inc .dec .and .or .xor .exch .cas .popc), or ModNone.
func (in *Inst) Operation() Mod {
	for _, m := range in.Mods {
		switch m {
		case ModAdd, ModMin, ModMax, ModInc, ModDec, ModAnd, ModOr, ModXor, ModExch, ModCas, ModPopc:
			return m
		}
	}
	return ModNone
}

// Spelling returns the instruction's word with its modifiers and types: opcode, modifiers, types.
func (in *Inst) Spelling() string {
	b := []byte(in.Op.String())
	for _, m := range in.Mods {
		if m.String()[0] != ':' {
			b = append(b, '.')
		}
		b = append(b, m.String()...)
	}
	for _, t := range in.Types {
		b = append(b, '.')
		b = append(b, t.String()...)
	}
	return string(b)
}
