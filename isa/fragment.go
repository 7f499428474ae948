package isa

// shape returns m, n, k of the modifier .mMnNkK; k is 0 for .m8n8 and the like.
func (in *Inst) shape() (m, n, k int) {
	for _, mod := range in.Mods {
		if m, n, k, ok := readShape(mod.String()); ok {
			return m, n, k
		}
	}
	return 0, 0, 0
}

// readShape reads m16n8k16 or m8n8.
func readShape(s string) (m, n, k int, ok bool) {
	values := [3]*int{&m, &n, &k}
	for i, letter := range "mnk" {
		if len(s) == 0 {
			return m, n, k, i == 2
		}
		if rune(s[0]) != letter {
			return 0, 0, 0, false
		}
		s = s[1:]
		digits := 0
		for len(s) > 0 && s[0] >= '0' && s[0] <= '9' {
			*values[i] = *values[i]*10 + int(s[0]-'0')
			s = s[1:]
			digits++
		}
		if digits == 0 {
			return 0, 0, 0, false
		}
	}
	return m, n, k, len(s) == 0
}

// fragment returns how many registers a thread holds of a matrix operand, and the registers' type. which is 'A', 'B',
// 'C' or 'D' of a multiplication, 'R' the whole operand of ldmatrix, stmatrix, tcgen05.ld and tcgen05.st.
func fragment(in *Inst, which byte) (int, Type) {
	if which == 'R' {
		return registersMoved(in)
	}
	m, n, k := in.shape()
	t := elementType(in, which)
	threads := 32
	switch in.Op {
	case OpWgmmaMmaAsync, OpWgmmaMmaAsyncSp:
		threads = 128
	case OpMma:
		if k == 4 && m == 8 && t != F64 && in.Type(1) == F16 { // four independent 8x8x4 products, one a group of 8 lanes
			threads = 8
		}
	}
	rows, columns := m, n
	switch which {
	case 'A':
		columns = k
		if in.Op == OpMmaSp || in.Op == OpWgmmaMmaAsyncSp { // two of four elements are kept
			columns = k / 2
		}
	case 'B':
		rows = k
	}
	bits := containerBits(in, t)
	count := rows * columns * bits / threads
	if (in.Op == OpWmmaLoad || in.Op == OpWmmaMma) && t == F16 && (which == 'A' || which == 'B') {
		return 8, B32 // wmma keeps 16 halves a thread in all three shapes
	}
	switch t {
	case F64, F32, S32:
		return count / t.Bits(), t
	}
	return count / 32, packedType(t)
}

// packedType is the type of a register that holds several elements: the assembler wants untyped ones.
func packedType(t Type) Type {
	switch t {
	case F16:
		return F16x2
	case BF16:
		return BF16x2
	case TF32:
		return TF32
	}
	return B32
}

// containerBits is the room an element takes in its register: 6- and 4-bit floats of the mixed kinds take a byte.
func containerBits(in *Inst, t Type) int {
	switch t {
	case E2M3, E3M2:
		return 8
	case E2M1:
		if in.Has(ModKindF8f6f4) || in.Has(ModKindMxf8f6f4) {
			return 8
		}
	}
	return t.Bits()
}

// elementType is the type of a matrix operand. mma and wgmma name d, a, b, c in this order; wmma of f16 names d and c only.
func elementType(in *Inst, which byte) Type {
	if len(in.Types) == 1 {
		return in.Types[0]
	}
	if in.Op == OpWmmaMma && len(in.Types) == 2 {
		switch which {
		case 'D':
			return in.Type(0)
		case 'C':
			return in.Type(1)
		}
		return F16
	}
	switch which {
	case 'A':
		return in.Type(1)
	case 'B':
		return in.Type(2)
	case 'C':
		return in.Type(3)
	}
	return in.Type(0)
}

// registersMoved counts the registers of ldmatrix, stmatrix, tcgen05.ld and tcgen05.st: .xN times what one shape holds.
func registersMoved(in *Inst) (int, Type) {
	n := 1
	for _, m := range in.Mods {
		switch m {
		case ModX2:
			n *= 2
		case ModX4:
			n *= 4
		case ModX8:
			n *= 8
		case ModX16:
			n *= 16
		case ModX32:
			n *= 32
		case ModX64:
			n *= 64
		case ModX128:
			n *= 128
		case Mod_16x128b:
			n *= 2
		case Mod_16x256b:
			n *= 4
		case ModM16n16:
			n *= 2
		}
	}
	t := B32
	if in.Op == OpTcgen05Ld && in.Has(ModRed) {
		t = in.Type(0)
	}
	return n, t
}
