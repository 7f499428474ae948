package lane

import (
	"math/bits"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// The video instructions (PTX ISA, "Video Instructions"): arithmetic on bytes and halves picked from 32-bit registers, in
// 64 bits, then saturated, combined with a third operand, merged into it.

// field is a part of a register: .b0 to .b3, .h0, .h1 or all of it.
type field struct{ shift, width uint }

func fieldOf(selector string) field {
	if len(selector) == 2 {
		n := uint(selector[1] - '0')
		if selector[0] == 'b' {
			return field{8 * (n & 3), 8}
		}
		return field{16 * (n & 1), 16}
	}
	return field{0, 32}
}

// read extracts the field, extended by its sign or with zeros.
func (f field) read(x uint32, signed bool) int64 {
	v := uint64(x) >> f.shift << (64 - f.width)
	if signed {
		return int64(v) >> (64 - f.width)
	}
	return int64(v >> (64 - f.width))
}

// merge puts a result into the field of c; a whole register takes no notice of c.
func (f field) merge(x int64, c uint32) uint32 {
	mask := uint32(1<<f.width-1) << f.shift
	return uint32(x)<<f.shift&mask | c&^mask
}

// clamp saturates to the range of the field.
func (f field) clamp(x int64, signed bool) int64 {
	if signed {
		return min(max(x, -1<<(f.width-1)), 1<<(f.width-1)-1)
	}
	return min(max(x, 0), 1<<f.width-1)
}

// videoArithmetic are the first operations, by the opcode without the number of elements.
var videoArithmetic = map[string]func(a, b int64) int64{
	"vadd": func(a, b int64) int64 { return a + b },
	"vsub": func(a, b int64) int64 { return a - b },
	"vabsdiff": func(a, b int64) int64 {
		return max(a, b) - min(a, b)
	},
	"vmin": func(a, b int64) int64 { return min(a, b) },
	"vmax": func(a, b int64) int64 { return max(a, b) },
	"vavrg": func(a, b int64) int64 { // rounded to nearest, ties up for sums from 0 on
		if a+b >= 0 {
			return (a + b + 1) >> 1
		}
		return (a + b) >> 1
	},
	"vshl": func(a, b int64) int64 { return a << uint(b) },
	"vshr": func(a, b int64) int64 { return a >> uint(b) },
}

// videoCompares are the comparisons of vset.
var videoCompares = map[isa.Mod]func(a, b int64) bool{
	isa.ModEq: func(a, b int64) bool { return a == b },
	isa.ModNe: func(a, b int64) bool { return a != b },
	isa.ModLt: func(a, b int64) bool { return a < b },
	isa.ModLe: func(a, b int64) bool { return a <= b },
	isa.ModGt: func(a, b int64) bool { return a > b },
	isa.ModGe: func(a, b int64) bool { return a >= b },
}

// videoOperation is the first operation of an instruction; vset's answers 0 or 1.
func videoOperation(in *isa.Inst) (func(a, b int64) int64, bool) {
	name := strings.TrimRight(in.Op.String(), "24")
	if f, ok := videoArithmetic[name]; ok {
		return f, true
	}
	for _, m := range in.Mods {
		if compare, ok := videoCompares[m]; ok {
			return func(a, b int64) int64 {
				if compare(a, b) {
					return 1
				}
				return 0
			}, true
		}
	}
	return nil, false
}

// videoTypes are the types of d, a and b; vset names only those of a and b.
func videoTypes(in *isa.Inst) (d, a, b isa.Type) {
	if len(in.Types) == 2 {
		return isa.U32, in.Types[0], in.Types[1]
	}
	return in.Type(0), in.Type(1), in.Type(2)
}

// selectVideo picks the scalar forms: vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vset.
func selectVideo(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	operate, ok := videoOperation(in)
	if !ok || len(in.Operands) < 3 {
		return Choice{}, false
	}
	typeD, typeA, typeB := videoTypes(in)
	d, a, b := fieldOf(in.Operands[0].Select), fieldOf(in.Operands[1].Select), fieldOf(in.Operands[2].Select)
	sat, signed := in.Has(isa.ModSat), typeD.Signed()
	shift := in.Op == isa.OpVshl || in.Op == isa.OpVshr
	wrap := in.Has(isa.ModWrap)
	second := secondOperation(in)
	whole := field{0, 32}
	lane := func(ra, rb, rc uint32) uint32 {
		x, y := a.read(ra, typeA.Signed()), b.read(rb, typeB.Signed())
		if shift {
			if wrap {
				y &= 31
			}
			y = min(y, 32)
		}
		r := operate(x, y)
		if sat {
			r = d.clamp(r, signed)
		}
		if second != nil {
			r = second(r, whole.read(rc, signed))
		}
		return d.merge(r, rc)
	}
	if len(in.Operands) < 4 {
		return Choice{Run: binary32(func(ra, rb uint32) uint32 { return lane(ra, rb, 0) })}, true
	}
	return Choice{Run: ternary32(lane)}, true
}

// secondOperation combines the result with the third operand; nil without one. The operators of vmin and vmax are part
// of their opcodes, so a .min or .max among the modifiers is the second one.
func secondOperation(in *isa.Inst) func(r, c int64) int64 {
	switch {
	case in.Has(isa.ModAdd):
		return func(r, c int64) int64 { return r + c }
	case in.Has(isa.ModMin):
		return func(r, c int64) int64 { return min(r, c) }
	case in.Has(isa.ModMax):
		return func(r, c int64) int64 { return max(r, c) }
	}
	return nil
}

// selectVideoSIMD picks the forms on two halves and on four bytes. Their elements come from both registers, numbered
// from a's lowest up to b's highest; the mask says which are computed, the others are those of c. With .add all results
// are added to c.
func selectVideoSIMD(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	operate, ok := videoOperation(in)
	if !ok || len(in.Operands) != 4 {
		return Choice{}, false
	}
	typeD, typeA, typeB := videoTypes(in)
	count := 2
	if strings.HasSuffix(in.Op.String(), "4") {
		count = 4
	}
	width := uint(32 / count)
	mask := digits(in.Operands[0].Select, "3210"[4-count:])
	fromA := digits(in.Operands[1].Select, "3210"[4-count:])
	fromB := digits(in.Operands[2].Select, map[int]string{2: "32", 4: "7654"}[count])
	if len(fromA) != count || len(fromB) != count {
		return Choice{}, false
	}
	sat, add, signed := in.Has(isa.ModSat), in.Has(isa.ModAdd), typeD.Signed()
	pick := func(ra, rb uint32, n uint, t isa.Type) int64 {
		if n *= width; n >= 32 {
			return field{n - 32, width}.read(rb, t.Signed())
		}
		return field{n, width}.read(ra, t.Signed())
	}
	return Choice{Run: ternary32(func(ra, rb, rc uint32) uint32 {
		result := rc
		for _, i := range mask {
			to := field{i * width, width}
			// The selectors are written from the highest element down.
			at := count - 1 - int(i)
			r := operate(pick(ra, rb, fromA[at], typeA), pick(ra, rb, fromB[at], typeB))
			switch {
			case add:
				result += uint32(r)
				continue
			case sat:
				r = to.clamp(r, signed)
			}
			result = to.merge(r, result)
		}
		return result
	})}, true
}

// digits are the numbers of a selector such as .b3210, or of the default.
func digits(selector, otherwise string) (list []uint) {
	if selector == "" {
		selector = "." + otherwise
	}
	for _, c := range selector[1:] {
		list = append(list, uint(c-'0')&7)
	}
	return list
}

// selectVideoMad picks vmad: a product, with either sign, plus or minus c, plus one with .po, shifted and saturated.
func selectVideoMad(in *isa.Inst, _ *isa.Func) (Choice, bool) {
	if len(in.Operands) != 4 {
		return Choice{}, false
	}
	_, typeA, typeB := videoTypes(in)
	a, b := fieldOf(in.Operands[1].Select), fieldOf(in.Operands[2].Select)
	negative := in.Operands[1].Minus != in.Operands[2].Minus
	minusC := in.Operands[3].Minus
	signed := typeA.Signed() || typeB.Signed() || negative || minusC
	var one uint64
	if in.Has(isa.ModPo) || negative || minusC {
		one = 1
	}
	shift := uint(0)
	if in.Has(isa.ModShr7) {
		shift = 7
	} else if in.Has(isa.ModShr15) {
		shift = 15
	}
	sat := in.Has(isa.ModSat)
	return Choice{Run: ternary32(func(ra, rb, rc uint32) uint32 {
		x, y := a.read(ra, typeA.Signed()), b.read(rb, typeB.Signed())
		hi, lo := bits.Mul64(uint64(x), uint64(y))
		hi -= uint64(x>>63&y) + uint64(y>>63&x)
		if negative {
			hi, lo = ^hi, ^lo
		} else if minusC {
			rc = ^rc
		}
		c := uint64(rc)
		var top uint64
		if signed {
			c = uint64(int64(int32(rc)))
			top = uint64(int64(c) >> 63)
		}
		var carry uint64
		lo, carry = bits.Add64(lo, c, 0)
		hi += top + carry
		lo, carry = bits.Add64(lo, one, 0)
		hi += carry
		r := lo>>shift | hi<<(64-shift)
		switch {
		case sat && signed:
			return uint32(min(max(int64(r), -1<<31), 1<<31-1))
		case sat:
			return uint32(min(r, 1<<32-1))
		}
		return uint32(r)
	})}, true
}
