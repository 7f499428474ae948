package isa

// Type is a fundamental or instruction type of the PTX ISA (section "Types").
type Type uint8

// The types, smallest families first. TypeNone marks the absence of one.
const (
	TypeNone Type = iota
	Pred
	B1
	B8
	B16
	B32
	B64
	B128
	U2
	U4
	U8
	U16
	U32
	U64
	S2
	S4
	S8
	S16
	S32
	S64
	U16x2
	S16x2
	F16
	F16x2
	BF16
	BF16x2
	TF32
	F32
	F32x2
	F64
	E4M3
	E5M2
	E4M3x2
	E5M2x2
	E4M3x4
	E5M2x4
	E2M1
	E2M3
	E3M2
	E2M1x2
	E2M3x2
	E3M2x2
	E2M1x4
	E2M3x4
	E3M2x4
	UE8M0
	UE8M0x2
	UE4M3
	TexRef
	SamplerRef
	SurfRef
	NumTypes
)

// TypeKind groups types by how their bits are read.
type TypeKind uint8

// The kinds of a Type.
const (
	KindNone TypeKind = iota
	KindPred
	KindBits
	KindUnsigned
	KindSigned
	KindFloat
	KindOpaque // texref, samplerref, surfref
)

type typeRow struct {
	name string
	bits int
	kind TypeKind
}

var typeRows = [NumTypes]typeRow{
	TypeNone: {"", 0, KindNone},
	Pred:     {"pred", 1, KindPred},
	B1:       {"b1", 1, KindBits}, B8: {"b8", 8, KindBits}, B16: {"b16", 16, KindBits},
	B32: {"b32", 32, KindBits}, B64: {"b64", 64, KindBits}, B128: {"b128", 128, KindBits},
	U2: {"u2", 2, KindUnsigned}, U4: {"u4", 4, KindUnsigned}, U8: {"u8", 8, KindUnsigned}, U16: {"u16", 16, KindUnsigned},
	U32: {"u32", 32, KindUnsigned}, U64: {"u64", 64, KindUnsigned},
	S2: {"s2", 2, KindSigned}, S4: {"s4", 4, KindSigned}, S8: {"s8", 8, KindSigned}, S16: {"s16", 16, KindSigned},
	S32: {"s32", 32, KindSigned}, S64: {"s64", 64, KindSigned},
	U16x2: {"u16x2", 32, KindUnsigned}, S16x2: {"s16x2", 32, KindSigned},
	F16: {"f16", 16, KindFloat}, F16x2: {"f16x2", 32, KindFloat}, BF16: {"bf16", 16, KindFloat}, BF16x2: {"bf16x2", 32, KindFloat},
	TF32: {"tf32", 32, KindFloat}, F32: {"f32", 32, KindFloat}, F32x2: {"f32x2", 64, KindFloat}, F64: {"f64", 64, KindFloat},
	E4M3: {"e4m3", 8, KindFloat}, E5M2: {"e5m2", 8, KindFloat}, E4M3x2: {"e4m3x2", 16, KindFloat}, E5M2x2: {"e5m2x2", 16, KindFloat},
	E4M3x4: {"e4m3x4", 32, KindFloat}, E5M2x4: {"e5m2x4", 32, KindFloat},
	E2M1: {"e2m1", 4, KindFloat}, E2M3: {"e2m3", 6, KindFloat}, E3M2: {"e3m2", 6, KindFloat},
	E2M1x2: {"e2m1x2", 8, KindFloat}, E2M3x2: {"e2m3x2", 16, KindFloat}, E3M2x2: {"e3m2x2", 16, KindFloat},
	E2M1x4: {"e2m1x4", 16, KindFloat}, E2M3x4: {"e2m3x4", 32, KindFloat}, E3M2x4: {"e3m2x4", 32, KindFloat},
	UE8M0: {"ue8m0", 8, KindFloat}, UE8M0x2: {"ue8m0x2", 16, KindFloat}, UE4M3: {"ue4m3", 8, KindFloat},
	TexRef: {"texref", 64, KindOpaque}, SamplerRef: {"samplerref", 64, KindOpaque}, SurfRef: {"surfref", 64, KindOpaque},
}

var typeByName = func() map[string]Type {
	m := make(map[string]Type, NumTypes)
	for t := TypeNone + 1; t < NumTypes; t++ {
		m[typeRows[t].name] = t
	}
	return m
}()

// LookupType finds a type by its name without the dot.
func LookupType(name string) (Type, bool) { t, ok := typeByName[name]; return t, ok }

// String returns the type's name without the dot.
func (t Type) String() string { return typeRows[t].name }

// Bits returns the width in bits.
func (t Type) Bits() int { return typeRows[t].bits }

// Bytes returns the width in bytes, at least 1.
func (t Type) Bytes() int { return max(1, typeRows[t].bits/8) }

// Kind returns how the type's bits are read.
func (t Type) Kind() TypeKind { return typeRows[t].kind }

// Signed reports a signed integer type.
func (t Type) Signed() bool { return typeRows[t].kind == KindSigned }

// Float reports a floating-point type, packed ones included.
func (t Type) Float() bool { return typeRows[t].kind == KindFloat }

// Integer reports a signed or unsigned integer type.
func (t Type) Integer() bool {
	return typeRows[t].kind == KindSigned || typeRows[t].kind == KindUnsigned
}
