package isa

import "fmt"

// The rules here say what no syntax line can. Each leaves what is wrong in the checker.

// onlyBelowSM20: f32 mad without rounding exists for sm_1x only.
func onlyBelowSM20(c *checker) {
	if c.target().number >= 20 {
		c.failf(CodeModifiers, "`mad.f32` needs a rounding modifier from sm_20 on: .rn, .rz, .rm or .rp")
	}
}

// undocumentedWithout: the assembler takes the 16-bit types of addc, subc and madc, but only without .cc.
func undocumentedWithout(m Mod) func(*checker) {
	return func(c *checker) {
		if c.in.Has(m) {
			c.failf(CodeType, "type `.%s` does not go with `.%s`", c.in.Type(0), m)
		}
	}
}

// withoutSync: vote and shfl without .sync are gone from sm_70 on with PTX 6.4.
func withoutSync(c *checker) {
	v := c.version()
	if c.target().number >= 70 && !v.Less(Version{6, 4}) {
		c.failf(CodeModifiers, "`%s` needs `.sync` and a member mask from sm_70 on", c.in.Op)
	} else if !v.Less(Version{6, 0}) {
		c.warn(c.in.OpPos, CodeDeprecated, "`"+c.in.Op.String()+"` without `.sync` is deprecated", "sm_70 and later need `.sync` and a member mask")
	}
}

func needsVector(c *checker) {
	if c.in.VectorWidth() == 1 {
		c.failf(CodeModifiers, "`%s` needs .v2 or .v4 here", c.in.Op)
	}
}

func no32BitCode(c *checker) {
	if c.in.Type(0) == U32 {
		c.fail(c.in.OpPos, CodeTarget, "32-bit addresses are not supported; use .u64", "")
	}
}

func needsDimension(c *checker) {
	for _, m := range []Mod{ModGetFirstCtaidX, ModGetFirstCtaidY, ModGetFirstCtaidZ} {
		if c.in.Has(m) {
			return
		}
	}
	c.failf(CodeModifiers, "`%s` needs what to ask for: .is_canceled, .get_first_ctaid or one of its dimensions", c.in.Op)
}

func needsScaleVector(c *checker) {
	for _, m := range []Mod{ModScaleVec_2X, ModScaleVec_4X, ModBlock16, ModBlock32} {
		if c.in.Has(m) {
			return
		}
	}
	c.failf(CodeModifiers, "`.kind::mxf4nvf4` needs its scale vector: .scale_vec::2X, .scale_vec::4X, .block16 or .block32")
}

// sameTypes demands two equal types.
func sameTypes(i, j int) func(*checker) {
	return func(c *checker) {
		if c.in.Type(i) != c.in.Type(j) {
			c.failf(CodeType, "types `.%s` and `.%s` must be the same here", c.in.Type(i), c.in.Type(j))
		}
	}
}

// semWithScope: an mbarrier instruction has both a memory order and a scope, or neither.
func semWithScope(c *checker) {
	sem := c.in.Semantics() != ModNone
	scope := c.in.Scope() != ModNone
	if sem != scope {
		c.failf(CodeModifiers, "`%s` needs a memory order and a scope, or neither", c.in.Op)
	}
}

// compareFitsType: bits compare for equality only, signed integers in six ways, unsigned ones also by .lo .ls .hi .hs, floats also unordered.
func compareFitsType(c *checker) {
	t := c.in.Type(len(c.in.Types) - 1)
	cmp := c.in.Comparison()
	ok := true
	switch cmp {
	case ModEq, ModNe:
	case ModLt, ModLe, ModGt, ModGe:
		ok = t.Kind() != KindBits
	case ModLo, ModLs, ModHi, ModHs:
		ok = t.Kind() == KindUnsigned
	default:
		ok = t.Float()
	}
	if !ok {
		c.failf(CodeType, "comparison `.%s` does not go with type `.%s`", cmp, t)
	}
	if c.in.Has(ModFTZ) && t != F32 && t != F16 && t != F16x2 {
		c.failf(CodeModifiers, "`.ftz` does not go with type `.%s`", t)
	}
}

// packMatches: one side of the mov is {a, b} or {a, b, c, d}, and the parts' bits add up to the other side's.
func packMatches(c *checker) {
	d, a := &c.in.Operands[0], &c.in.Operands[1]
	if d.Kind == OperandReg && a.Kind == OperandReg && c.in.Type(0) == B128 {
		return // a plain copy
	}
	if d.Kind != OperandVector && a.Kind != OperandVector {
		c.mismatch(a, "a vector in braces is needed on one side")
		return
	}
	vector, scalar := d, a
	if a.Kind == OperandVector {
		vector, scalar = a, d
	}
	if scalar.Kind == OperandVector {
		c.mismatch(scalar, "only one side can be a vector")
		return
	}
	t := c.in.Type(0)
	c.fitValue(scalar, &argument{index: -1, destination: scalar == d}, t)
	if n := len(vector.List); n != 2 && n != 4 {
		c.mismatch(vector, "2 or 4 elements are needed here")
		return
	}
	bits := t.Bits() / len(vector.List)
	kept := 0
	for i := range vector.List {
		if vector.List[i].Kind != OperandSink {
			kept++
		}
	}
	if kept == 0 {
		c.mismatch(vector, "at least one element must be kept")
	}
	for i := range vector.List {
		e := &vector.List[i]
		r, ok := c.register(e)
		switch {
		case e.Kind == OperandSink && vector == d, e.Kind == OperandReg && !ok, e.Kind == OperandInt && vector == a, e.Kind == OperandFloat && vector == a:
		case e.Kind != OperandReg:
			c.mismatch(e, "a register is needed here")
		case r.Type.Bits() != bits || r.Type == Pred:
			c.mismatch(e, fmt.Sprintf("`%s` is a .%s register; %d bits are needed here", r.Name, r.Type, bits))
		}
	}
	c.sameClass(vector)
}

// vectorLimit: a vector has at most 128 bits.
func vectorLimit(c *checker) {
	if n := c.in.VectorWidth() * c.in.Type(0).Bits(); n > 128 {
		c.failf(CodeRange, "a vector of %d bits: at most 128 are allowed", n)
	}
}

// loadStoreRule: vectors have at most 128 bits (256 in global memory for v8.b32 and v4.b64, which alone take L2 priorities);
// ordered and volatile accesses work on global, shared and generic memory.
func loadStoreRule(c *checker) {
	n, t, space := c.in.VectorWidth(), c.in.Type(0), c.in.Space()
	bits := n * t.Bits()
	wide := bits == 256 && (n == 8 && t.Bits() == 32 || n == 4 && t.Bits() == 64)
	outside := space == SpaceGlobal || space == SpaceGeneric
	switch {
	case bits > 128 && !(wide && outside && !c.in.Has(ModVolatile) && c.in.Op != OpLdu):
		c.failf(CodeRange, "a vector of %d bits: at most 128 are allowed", bits)
	case n == 8 && t.Bits() < 16:
		c.failf(CodeRange, "`.v8` needs elements of 16 or 32 bits")
	}
	if sem := c.in.Semantics(); sem != ModNone && sem != ModWeak || c.in.Has(ModVolatile) {
		if space != SpaceGlobal && space != SpaceGeneric && space != SpaceShared {
			c.failf(CodeAddressSpace, "an ordered or volatile access needs the global, shared or generic space")
		}
	}
	for _, m := range []Mod{ModL2_64B, ModL2_128B, ModL2_256B, ModL2CacheHint} {
		if c.in.Has(m) && !outside {
			c.failf(CodeAddressSpace, "`.%s` needs the global or generic space", m)
		}
	}
	for _, m := range []Mod{ModL2EvictFirst, ModL2EvictLast, ModL2EvictNormal} {
		if c.in.Has(m) && !wide {
			c.failf(CodeModifiers, "`.%s` goes with .v8.b32 and .v4.b64 only", m)
		}
	}
}

// vectorAtomics: a vector atomic has at most 128 bits; cache hints are for global memory.
func vectorAtomics(c *checker) {
	if c.in.VectorWidth() > 1 {
		vectorLimit(c)
	}
	if space := c.in.Space(); c.in.Has(ModL2CacheHint) && space != SpaceGlobal && space != SpaceGeneric {
		c.failf(CodeAddressSpace, "`.L2::cache_hint` needs the global or generic space")
	}
}

// multimemRule: which operation goes with which type, and how wide the vector is.
func multimemRule(c *checker) {
	n, t := c.in.VectorWidth(), c.in.Type(0)
	if n > 1 {
		vectorLimit(c)
		if n*t.Bits() < 32 || t == F64 {
			c.failf(CodeModifiers, "`.v%d` does not go with type `.%s`", n, t)
		}
	}
	if sem, scope := c.in.Semantics(), c.in.Scope(); sem != ModWeak && (sem != ModNone) != (scope != ModNone) {
		c.failf(CodeModifiers, "`%s` needs a memory order and a scope, or neither", c.in.Op)
	}
	has := c.in.Has
	var ok bool
	switch {
	case has(ModAnd) || has(ModOr) || has(ModXor):
		ok = t == B32 || t == B64
	case has(ModMin) || has(ModMax):
		ok = t != B32 && t != B64 && t != F32 && t != F64
	case has(ModAdd):
		ok = t != B32 && t != B64 && t != S64
	default:
		ok = true
	}
	if !ok {
		c.failf(CodeType, "type `.%s` does not go with this operation", t)
	}
	if n == 1 && (t.Bits() == 16 || t.Bits() == 8) {
		c.failf(CodeType, "type `.%s` needs a vector", t)
	}
	if (has(ModAccF32) || has(ModAccF16)) && !has(ModAdd) {
		c.failf(CodeModifiers, "`.acc` goes with .add only")
	}
	if has(ModAccF32) && t != F16 && t != F16x2 && t != BF16 && t != BF16x2 {
		c.failf(CodeModifiers, "`.acc::f32` goes with the 16-bit floats only")
	}
	if has(ModAccF16) && t.Bits() != 8 && t != E4M3x4 && t != E5M2x4 {
		c.failf(CodeModifiers, "`.acc::f16` goes with the 8-bit floats only")
	}
}

// cpAsyncSizes: the source size of cp.async is at most the copied size.
func cpAsyncSizes(c *checker) {
	o := c.in.Operands
	if len(o) > 3 && o[2].Kind == OperandInt && o[3].Kind == OperandInt && o[3].Bits > o[2].Bits {
		if c.form.args[3].kind == argAny32 {
			c.fail(o[3].Pos, CodeRange, fmt.Sprintf("source size %d is more than the %d bytes copied", int64(o[3].Bits), o[2].Bits), "")
		}
	}
}

// dimensions returns N of the modifier .Nd of a tensor instruction.
func (in *Inst) dimensions() int {
	for _, m := range in.Mods {
		switch m {
		case Mod_1d:
			return 1
		case Mod_2d:
			return 2
		case Mod_3d:
			return 3
		case Mod_4d:
			return 4
		case Mod_5d:
			return 5
		}
	}
	return 0
}

// im2colCount is the number of im2col offsets that a tensor copy takes: none in the tiled modes.
func (c *checker) im2colCount() int {
	switch {
	case c.in.Has(ModIm2col):
		return c.in.dimensions() - 2
	case c.in.Has(ModIm2colW), c.in.Has(ModIm2colW_128):
		return 2
	}
	return 0
}

// tensorCoordinates: one coordinate a dimension; gather4 and scatter4 take a column and four rows of a 2d tensor; im2col needs three dimensions.
func tensorCoordinates(c *checker) {
	dim := c.in.dimensions()
	n := dim
	if c.in.Has(ModTileGather4) || c.in.Has(ModTileScatter4) {
		n = 5
		if dim != 2 {
			c.failf(CodeModifiers, "gather4 and scatter4 go with .2d only")
		}
	}
	if dim < 3 && (c.in.Has(ModIm2col) || c.in.Has(ModIm2colW) || c.in.Has(ModIm2colW_128) || c.in.Has(ModIm2colNoOffs)) {
		c.failf(CodeModifiers, "im2col modes need .3d, .4d or .5d")
	}
	for i := range c.in.Operands {
		if o := &c.in.Operands[i]; o.Kind == OperandTensor && len(o.List) > 0 {
			c.fitVector(&o.List[0], &argument{index: -1}, n, S32)
		}
	}
}

// textureRule: cube textures take float coordinates, multi-sampled ones integers, and 16-bit results only two at a time.
func textureRule(c *checker) {
	coordinates := c.in.Type(1)
	switch {
	case c.in.Has(ModCube) || c.in.Has(ModAcube):
		if coordinates != F32 && c.in.Op == OpTex {
			c.failf(CodeType, "cube textures take .f32 coordinates")
		}
	case c.in.Has(Mod_2dms) || c.in.Has(ModA2dms):
		if coordinates != S32 {
			c.failf(CodeType, "multi-sampled textures take .s32 coordinates")
		}
	}
	if c.in.Op == OpTex && (c.in.Has(ModLevel) || c.in.Has(ModGrad)) && coordinates != F32 {
		c.failf(CodeType, ".level and .grad take .f32 coordinates")
	}
	c.texturePlace()
}

// surfaceRule: the assembler wants the mode for out-of-range coordinates spelled out.
func surfaceRule(c *checker) {
	if c.in.Op != OpSuq && !c.in.Has(ModTrap) && !c.in.Has(ModClamp) && !c.in.Has(ModZero) {
		c.failf(CodeModifiers, "`%s` needs one of `.trap` `.clamp` `.zero`", c.in.Op)
	}
	c.texturePlace()
}

// texturePlace checks the inside of [a, b, c]: handles first, coordinates last.
func (c *checker) texturePlace() {
	for i := range c.in.Operands {
		o := &c.in.Operands[i]
		if o.Kind == OperandAddress && (c.in.Op == OpTex || c.in.Op == OpTld4 || c.in.Op == OpSuld || c.in.Op == OpSust || c.in.Op == OpSured) {
			c.mismatch(o, "coordinates are needed in the brackets")
		}
		if o.Kind == OperandTensor && (len(o.List) == 0 || len(o.List) > 2) {
			c.mismatch(o, "[texture, coordinates] or [texture, sampler, coordinates] is needed here")
		}
	}
}

// cvtRule: which conversions round. To a smaller float or from an integer to a float: a float rounding; from a float to
// an integer: an integer rounding; float to the same float: an integer rounding is allowed; all others: none.
func cvtRule(c *checker) {
	d, a := c.in.Type(0), c.in.Type(1)
	rounding := c.in.Rounding()
	integral := rounding == ModRni || rounding == ModRzi || rounding == ModRmi || rounding == ModRpi
	switch {
	case a.Float() && !d.Float():
		if !integral {
			c.failf(CodeModifiers, "a conversion from .%s to .%s needs .rni, .rzi, .rmi or .rpi", a, d)
		}
	case a.Float() && d == a:
		if rounding != ModNone && !integral {
			c.failf(CodeModifiers, "`.%s` does not go with a conversion between equal types", rounding)
		}
	case a == BF16 && d.Bits() > 16:
		if integral {
			c.failf(CodeModifiers, "`.%s` does not go with a conversion from .%s to .%s", rounding, a, d)
		}
	case d.Float() && (!a.Float() || d.Bits() < a.Bits() || d.Bits() == a.Bits()):
		if integral || rounding == ModNone && !(d == BF16 && a == F16 || d == F16 && a == BF16) {
			c.failf(CodeModifiers, "a conversion from .%s to .%s needs .rn, .rz, .rm or .rp", a, d)
		}
	default:
		if rounding != ModNone {
			c.failf(CodeModifiers, "a conversion from .%s to .%s does not round: `.%s` can't stand here", a, d, rounding)
		}
	}
	if c.in.Has(ModFTZ) && a != F32 && d != F32 {
		c.failf(CodeModifiers, "`.ftz` goes with .f32 only")
	}
	if c.in.Has(ModSat) && !saturates(d, a) {
		c.failf(CodeModifiers, "`.sat` does nothing in a conversion from .%s to .%s", a, d)
	}
}

// saturates reports whether a value of type a can lie outside the range that .sat clamps to: that of an integer d, 0 to 1 of a float d.
func saturates(d, a Type) bool {
	switch {
	case d == BF16 || a == BF16 && d.Float():
		return false
	case d.Float() || a.Float():
		return true
	case d.Signed() == a.Signed():
		return d.Bits() < a.Bits()
	case d.Signed():
		return d.Bits() <= a.Bits()
	}
	return true
}

// tensorMemoryWidth: a thread moves at most 128 registers at once.
func tensorMemoryWidth(c *checker) {
	if n, _ := registersMoved(c.in); n > 128 {
		c.failf(CodeModifiers, "this shape times this number is %d registers; at most 128 are moved", n)
	}
}

// accumulatorFits: a product that is rounded to f16 is added to f16.
func accumulatorFits(c *checker) {
	if c.in.Type(0) == F16 && c.in.Type(3) != F16 {
		c.failf(CodeType, "an .f16 result needs an .f16 accumulator")
	}
}

// scaleInput: the scale of the accumulator goes with f16 and tf32 only.
func scaleInput(c *checker) {
	n := len(c.in.Operands)
	last := &c.in.Operands[n-1]
	if last.Kind == OperandInt && n > 0 && c.in.Has(ModKindF8f6f4) && c.form.args[len(c.form.args)-1].kind == argConstant && n > 5 {
		if c.in.Operands[n-2].Kind == OperandReg || c.in.Operands[n-2].Kind == OperandInt {
			c.mismatch(last, "a scale goes with .kind::f16 and .kind::tf32 only")
		}
	}
}

// sparsitySelector: the selector picks which lanes hold the metadata; its range follows from how many do. A row of the
// sparse operand has k/2 elements of 2 bits (tf32: k/2 of 4 bits, 4-bit types: k/4 pairs of 2), 16 rows, 32 bits a lane.
func sparsitySelector(c *checker) {
	_, _, k := c.in.shape()
	t := c.in.Type(1)
	bits := k
	switch {
	case t == TF32:
		bits = 2 * k
	case t.Bits() == 4:
		bits = k / 2
	}
	if bits == 0 {
		return
	}
	choices := max(1, 64/bits)
	for i := range c.form.args {
		if c.form.args[i].kind == argConstant && i < len(c.in.Operands) && (i == 5 || c.in.Op == OpWgmmaMmaAsyncSp && i == 4) {
			if o := &c.in.Operands[i]; o.Kind == OperandInt && o.Bits >= uint64(choices) {
				c.fail(o.Pos, CodeRange, fmt.Sprintf("sparsity selector %d is out of range", int64(o.Bits)), fmt.Sprintf("allowed: 0 to %d", choices-1))
			}
		}
	}
}
