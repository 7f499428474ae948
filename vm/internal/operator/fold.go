package operator

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tollgate-sim/tollgate/isa"
)

// Fold reduces equally long contributions, given in ascending card order, into dst. Floating-point types of 32
// bits and less are accumulated in f32, starting from the lowest card's element, and rounded once; f64 in f64;
// integers are exact. So all cards get the same bits. min and max are PTX's: one NaN gives the other operand,
// and -0 < +0 (PTX ISA, "Floating Point Instructions: min", "max").
func Fold(dst []byte, typ isa.Type, op isa.Mod, contributions [][]byte) error {
	f, ok := folds[typ]
	if !ok {
		return fmt.Errorf("reduce has no type .%s", typ)
	}
	return f(dst, op, contributions)
}

var folds = map[isa.Type]func(dst []byte, op isa.Mod, in [][]byte) error{
	isa.F32: func(dst []byte, op isa.Mod, in [][]byte) error {
		return foldFloat(dst, op, in, 4,
			func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) },
			func(b []byte, v float32) { binary.LittleEndian.PutUint32(b, canonical32(v)) })
	},
	isa.BF16: func(dst []byte, op isa.Mod, in [][]byte) error {
		return foldFloat(dst, op, in, 2,
			func(b []byte) float32 {
				return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16)
			},
			func(b []byte, v float32) { binary.LittleEndian.PutUint16(b, bf16(v)) })
	},
	isa.F16: func(dst []byte, op isa.Mod, in [][]byte) error {
		return foldFloat(dst, op, in, 2,
			func(b []byte) float32 { return halfToFloat(binary.LittleEndian.Uint16(b)) },
			func(b []byte, v float32) { binary.LittleEndian.PutUint16(b, half(v)) })
	},
	isa.F64: func(dst []byte, op isa.Mod, in [][]byte) error {
		return foldFloat(dst, op, in, 8,
			func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) },
			func(b []byte, v float64) {
				if v != v {
					binary.LittleEndian.PutUint64(b, 0x7ff8000000000000)
					return
				}
				binary.LittleEndian.PutUint64(b, math.Float64bits(v))
			})
	},
	isa.U32: func(dst []byte, op isa.Mod, in [][]byte) error {
		return foldInteger(dst, op, in, 4, func(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }, binary.LittleEndian.PutUint32)
	},
	isa.S32: func(dst []byte, op isa.Mod, in [][]byte) error {
		return foldInteger(dst, op, in, 4, func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) },
			func(b []byte, v int32) { binary.LittleEndian.PutUint32(b, uint32(v)) })
	},
	isa.S64: func(dst []byte, op isa.Mod, in [][]byte) error {
		return foldInteger(dst, op, in, 8, func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) },
			func(b []byte, v int64) { binary.LittleEndian.PutUint64(b, uint64(v)) })
	},
	isa.U64: func(dst []byte, op isa.Mod, in [][]byte) error {
		return foldInteger(dst, op, in, 8, func(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }, binary.LittleEndian.PutUint64)
	},
}

// Reduces reports whether reduce takes the type.
func Reduces(t isa.Type) bool { _, ok := folds[t]; return ok }

func foldFloat[T float32 | float64](dst []byte, op isa.Mod, in [][]byte, size int, load func([]byte) T, store func([]byte, T)) error {
	var step func(a, b T) T
	switch op {
	case isa.ModAdd:
		for at := 0; at+size <= len(dst); at += size {
			sum := load(in[0][at:])
			for _, c := range in[1:] {
				sum += load(c[at:])
			}
			store(dst[at:], sum)
		}
		return nil
	case isa.ModMin:
		step = minFloat[T]
	case isa.ModMax:
		step = func(a, b T) T { return -minFloat(-a, -b) }
	default:
		return fmt.Errorf("reduce.%s takes integers only", op)
	}
	for at := 0; at+size <= len(dst); at += size {
		acc := load(in[0][at:])
		for _, c := range in[1:] {
			acc = step(acc, load(c[at:]))
		}
		store(dst[at:], acc)
	}
	return nil
}

// minFloat is PTX's min: one NaN gives the other operand, -0 < +0.
func minFloat[T float32 | float64](a, b T) T {
	switch {
	case a != a:
		return b
	case b != b || a < b:
		return a
	case a == b && math.Signbit(float64(a)):
		return a
	}
	return b
}

func foldInteger[T uint32 | int32 | uint64 | int64](dst []byte, op isa.Mod, in [][]byte, size int, load func([]byte) T, store func([]byte, T)) error {
	var step func(a, b T) T
	switch op {
	case isa.ModAdd:
		step = func(a, b T) T { return a + b }
	case isa.ModMin:
		step = func(a, b T) T { return min(a, b) }
	case isa.ModMax:
		step = func(a, b T) T { return max(a, b) }
	case isa.ModAnd:
		step = func(a, b T) T { return a & b }
	case isa.ModOr:
		step = func(a, b T) T { return a | b }
	case isa.ModXor:
		step = func(a, b T) T { return a ^ b }
	default:
		return fmt.Errorf("reduce has no operation .%s", op)
	}
	for at := 0; at+size <= len(dst); at += size {
		acc := load(in[0][at:])
		for _, c := range in[1:] {
			acc = step(acc, load(c[at:]))
		}
		store(dst[at:], acc)
	}
	return nil
}

func canonical32(v float32) uint32 {
	if v != v {
		return 0x7fffffff
	}
	return math.Float32bits(v)
}

// bf16 rounds to the nearest bfloat16, ties to even.
func bf16(v float32) uint16 {
	b := math.Float32bits(v)
	if v != v {
		return 0x7fff
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// half rounds to the nearest binary16, ties to even.
func half(v float32) uint16 {
	b := math.Float32bits(v)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000:
		return 0x7fff
	case b >= 0x477ff000: // rounds to 2^16 or more
		return sign | 0x7c00
	case b < 0x33000001: // at most half of the smallest subnormal
		return sign
	case b < 0x38800000: // subnormal
		shift := 126 - b>>23
		m := b&0x7fffff | 0x800000
		r := m >> shift
		rest := m & (1<<shift - 1)
		if middle := uint32(1) << (shift - 1); rest > middle || rest == middle && r&1 == 1 {
			r++
		}
		return sign | uint16(r)
	}
	b += 0xfff + b>>13&1
	return sign | uint16((b-0x38000000)>>13)
}

func halfToFloat(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp, m := uint32(h>>10&31), uint32(h&0x3ff)
	switch exp {
	case 0:
		v := float32(m) * (1.0 / (1 << 24))
		return math.Float32frombits(sign | math.Float32bits(v))
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | m<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | m<<13)
}
