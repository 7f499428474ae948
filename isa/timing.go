package isa

// ClassOf returns the timing class of an instruction. The classes are those that facts measure: which of them an
// instruction falls into depends on its type's width and kind, its state space, and for fences on its scope.
func ClassOf(in *Inst) Class {
	t := in.Type(0)
	switch in.Op {
	case OpMov, OpCvta, OpCall, OpRet, OpExit, OpMapa, OpGetctarank, OpIsspacep, OpStacksave, OpStackrestore, OpAlloca,
		OpSyncNVLink, OpCopyNVLink, OpReduce, OpUnblockTC, OpPmevent, OpGriddepcontrol, OpSetmaxnreg, OpTrap, OpBrkpt, OpNanosleep:
		return ClassMove
	case OpBra, OpBrxIdx:
		return ClassBranch
	case OpAdd, OpSub, OpMul, OpMad, OpFma, OpMin, OpMax, OpAbs, OpNeg, OpCopysign, OpAddc, OpSubc, OpMadc, OpSad, OpMul24, OpMad24, OpTestp:
		return arithmeticClass(in, t)
	case OpDiv, OpRem, OpRcp, OpSqrt, OpRsqrt:
		return divisionClass(in, t)
	case OpSin, OpCos, OpLg2, OpEx2, OpTanh:
		return ClassApprox
	case OpSet, OpSetp:
		if in.sourceType().Bits() == 64 && !in.sourceType().Float() {
			return ClassInt64
		}
		return ClassCompare
	case OpSelp, OpSlct, OpAnd, OpOr, OpXor, OpNot, OpCnot, OpShl, OpShr, OpLop3, OpShf, OpPrmt, OpDp4a, OpDp2a:
		switch {
		case t == Pred:
			return ClassCompare
		case t.Bits() == 64:
			return ClassInt64
		}
		return ClassInt
	case OpBfe, OpBfi, OpSzext, OpBmsk:
		return ClassBitField
	case OpPopc, OpClz, OpBfind, OpBrev, OpFns:
		return ClassBitCount
	case OpCvt, OpCvtPack:
		return convertClass(in)
	case OpShfl:
		return ClassShuffle
	case OpVote, OpActivemask, OpElect:
		return ClassVote
	case OpMatch:
		return ClassMatch
	case OpRedux:
		return ClassRedux
	case OpBarWarpSync:
		return ClassWarpBarrier
	case OpBar, OpBarrier, OpBarrierClusterArrive, OpBarrierClusterWait:
		return ClassBarrier
	case OpMembar, OpFence:
		return fenceClass(in)
	case OpLd, OpLdu, OpSt, OpAtom, OpRed, OpPrefetch, OpPrefetchu, OpMultimemLdReduce, OpMultimemSt, OpMultimemRed:
		return memoryClass(in)
	case OpTex, OpTld4, OpSuld: // texels go through the L1 that loads go through
		return ClassLoadGlobal
	case OpSust:
		return ClassStoreGlobal
	case OpSured:
		return ClassAtomGlobal
	case OpMma, OpMmaSp, OpWmmaMma:
		return ClassMMA
	}
	if OpVadd <= in.Op && in.Op <= OpVset4 {
		return ClassVideo
	}
	return ClassOther
}

// sourceType is the last type modifier: what set and cvt read.
func (in *Inst) sourceType() Type {
	if n := len(in.Types); n > 0 {
		return in.Types[n-1]
	}
	return TypeNone
}

func arithmeticClass(in *Inst, t Type) Class {
	wide := in.Has(ModWide)
	switch {
	case t == F64:
		return ClassFloat64
	case t == F16 || t == F16x2 || t == BF16 || t == BF16x2:
		return ClassFloat16
	case t.Float():
		return ClassFloat32
	case in.Has(ModHi) && (in.Op == OpMul || in.Op == OpMad || in.Op == OpMadc):
		if t.Bits() == 64 {
			return ClassInt64Mul
		}
		return ClassIntMulHigh
	case t.Bits() == 64 && (in.Op == OpMul || in.Op == OpMad || in.Op == OpMadc):
		return ClassInt64Mul
	case t.Bits() == 64 && !wide:
		return ClassInt64
	}
	return ClassInt
}

func divisionClass(in *Inst, t Type) Class {
	switch {
	case t == F64:
		return ClassDiv64
	case t.Float() && (in.Has(ModApprox) || in.Op == OpRsqrt):
		return ClassApprox
	case t.Float() && in.Op == OpDiv:
		return ClassDiv32
	case t.Float():
		return ClassRoot32
	case t.Bits() == 64:
		return ClassInt64Div
	}
	return ClassIntDiv
}

func convertClass(in *Inst) Class {
	to, from := in.Type(0), in.sourceType()
	small := func(t Type) bool { return E4M3 <= t && t <= UE4M3 }
	half := func(t Type) bool { return t == F16 || t == BF16 || t == F16x2 || t == BF16x2 || t == TF32 }
	switch {
	case small(to) || small(from):
		return ClassConvertFP8
	case !to.Float() && !from.Float():
		return ClassInt
	case to.Float() && from.Float() && (half(to) || half(from)) && to != F64 && from != F64:
		return ClassConvertHalf
	}
	return ClassConvert
}

func fenceClass(in *Inst) Class {
	switch {
	case in.Has(ModSys):
		return ClassFenceSys
	case in.Has(ModGPU) || in.Op == OpMembar && !in.Has(ModCTA):
		return ClassFenceGPU
	}
	return ClassFenceCTA
}

func memoryClass(in *Inst) Class {
	atomic := in.Op == OpAtom || in.Op == OpRed
	store := in.Op == OpSt || in.Op == OpMultimemSt || in.Op == OpMultimemRed
	switch space := in.Space(); {
	case space == SpaceShared && atomic:
		return ClassAtomShared
	case space == SpaceShared && store:
		return ClassStoreShared
	case space == SpaceShared:
		return ClassLoadShared
	case space == SpaceParam:
		return ClassMove
	case space == SpaceConst:
		return ClassLoadConst
	case space == SpaceLocal:
		return ClassLoadLocal
	case atomic:
		return ClassAtomGlobal
	case store:
		return ClassStoreGlobal
	}
	return ClassLoadGlobal
}
