package exec

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// emitAtom decodes atom and red: read, compute, write, lane after lane in ascending order.
func emitAtom(in *instance, inst *isa.Inst) {
	t := inst.Type(len(inst.Types) - 1)
	a := newAccess(inst, t)
	a.store, a.load = true, inst.Op == isa.OpAtom
	operands := inst.Operands
	var to *isa.Operand
	if a.load {
		to, operands = &operands[0], operands[1:]
		if to.Kind == isa.OperandSink {
			to, a.load = nil, false
		}
	}
	if len(operands) < 2 || !in.locate(inst, &operands[0], a) {
		in.emitUnsupported(inst)
		return
	}
	a.b = in.elementsOf(inst, &operands[1], t, false)
	if inst.Has(isa.ModCas) && len(operands) > 2 {
		a.c = in.elementsOf(inst, &operands[2], t, false)
	}
	if t == isa.B128 {
		a.pair = pairUpdates[operation(inst)]
	} else {
		a.update, a.updateGlobal = atomic(operation(inst), t)
	}
	if a.update == nil && a.pair == nil || len(a.b) != a.count || a.c != nil && len(a.c) != a.count || inst.Has(isa.ModCas) && a.c == nil {
		in.emitUnsupported(inst)
		return
	}
	if to != nil {
		a.data = in.elementsOf(inst, to, t, true)
	}
	in.emitAccess(newOp(inst, runAtom), inst, a)
}

// operation is the .op modifier of an atomic.
func operation(inst *isa.Inst) isa.Mod {
	for _, m := range inst.Mods {
		switch m {
		case isa.ModAnd, isa.ModOr, isa.ModXor, isa.ModAdd, isa.ModInc, isa.ModDec, isa.ModMin, isa.ModMax, isa.ModExch, isa.ModCas:
			return m
		}
	}
	return isa.ModNone
}

// update computes what an atomic writes from the old value and its operands.
type update = func(old, b, c uint64) uint64

// atomic returns the update of an operation on a type, nil when there is none, and the one for global memory where it
// differs.
func atomic(op isa.Mod, t isa.Type) (any, global update) {
	switch op {
	case isa.ModExch:
		return func(_, b, _ uint64) uint64 { return b }, nil
	case isa.ModCas:
		mask := uint64(math.MaxUint64) >> (64 - t.Bits())
		return func(old, b, c uint64) uint64 {
			if old == b&mask {
				return c
			}
			return old
		}, nil
	case isa.ModAnd:
		return func(old, b, _ uint64) uint64 { return old & b }, nil
	case isa.ModOr:
		return func(old, b, _ uint64) uint64 { return old | b }, nil
	case isa.ModXor:
		return func(old, b, _ uint64) uint64 { return old ^ b }, nil
	case isa.ModInc: // PTX ISA, atom: d >= b ? 0 : d+1
		return func(old, b, _ uint64) uint64 {
			if old >= b {
				return 0
			}
			return old + 1
		}, nil
	case isa.ModDec: // PTX ISA, atom: d == 0 || d > b ? b : d-1
		return func(old, b, _ uint64) uint64 {
			if old == 0 || old > b {
				return b
			}
			return old - 1
		}, nil
	case isa.ModAdd:
		switch t {
		case isa.F32:
			return addF32, addF32Flushed
		case isa.F64:
			return addF64, nil
		case isa.F16:
			return func(old, b, _ uint64) uint64 { return addHalves(old, b, 1, f16) }, nil
		case isa.F16x2:
			return func(old, b, _ uint64) uint64 { return addHalves(old, b, 2, f16) }, nil
		case isa.BF16:
			return func(old, b, _ uint64) uint64 { return addHalves(old, b, 1, bf16) }, nil
		case isa.BF16x2:
			return func(old, b, _ uint64) uint64 { return addHalves(old, b, 2, bf16) }, nil
		}
		return func(old, b, _ uint64) uint64 { return old + b }, nil
	case isa.ModMin, isa.ModMax:
		least := op == isa.ModMin
		switch t {
		case isa.F16:
			return func(old, b, _ uint64) uint64 { return extremeHalves(old, b, 1, f16, least) }, nil
		case isa.F16x2:
			return func(old, b, _ uint64) uint64 { return extremeHalves(old, b, 2, f16, least) }, nil
		case isa.BF16:
			return func(old, b, _ uint64) uint64 { return extremeHalves(old, b, 1, bf16, least) }, nil
		case isa.BF16x2:
			return func(old, b, _ uint64) uint64 { return extremeHalves(old, b, 2, bf16, least) }, nil
		}
		if t.Float() {
			return nil, nil
		}
		if t.Signed() {
			shift := 64 - t.Bits()
			return func(old, b, _ uint64) uint64 {
				if (int64(old<<shift) < int64(b<<shift)) == least {
					return old
				}
				return b
			}, nil
		}
		return func(old, b, _ uint64) uint64 {
			if (old < b) == least {
				return old
			}
			return b
		}, nil
	}
	return nil, nil
}

func addF32(old, b, _ uint64) uint64 {
	return uint64(bits32(math.Float32frombits(uint32(old)) + math.Float32frombits(uint32(b))))
}

// addF32Flushed takes subnormal operands and results for zero, as atom.add.f32 on global memory does (PTX ISA, atom).
func addF32Flushed(old, b, _ uint64) uint64 {
	return uint64(flush(bits32(math.Float32frombits(flush(uint32(old))) + math.Float32frombits(flush(uint32(b))))))
}

func flush(x uint32) uint32 {
	if x&0x7f800000 == 0 {
		return x & 0x80000000
	}
	return x
}

func addF64(old, b, _ uint64) uint64 {
	sum := math.Float64frombits(old) + math.Float64frombits(b)
	if sum != sum {
		return 0x7fffffffffffffff
	}
	return math.Float64bits(sum)
}

// bits32 is a float's pattern, with one pattern for all NaNs.
func bits32(x float32) uint32 {
	if x != x {
		return 0x7fffffff
	}
	return math.Float32bits(x)
}

// extremeHalves takes the smaller or larger of each pair of halves: one NaN gives the other operand, -0 < +0 (PTX ISA,
// "Half Precision Floating Point Instructions: min").
func extremeHalves(old, b uint64, n int, h half, least bool) (result uint64) {
	for i := range n {
		x, y := uint16(old>>(16*i)), uint16(b>>(16*i))
		u, v := h.widen(x), h.widen(y)
		switch {
		case u != u && v != v:
			x = 0x7fff
		case u != u, v == v && least == (v < u || u == v && y>>15 > x>>15):
			x = y
		}
		result |= uint64(x) << (16 * i)
	}
	return result
}

// half is a 16-bit float format.
type half struct{ exponent, fraction uint }

var (
	f16  = half{5, 10}
	bf16 = half{8, 7}
)

// widen converts to f32, exactly.
func (h half) widen(x uint16) float32 {
	sign := uint32(x) >> 15 << 31
	exponent, fraction := uint32(x)>>h.fraction&(1<<h.exponent-1), uint32(x)&(1<<h.fraction-1)
	bias := uint32(127 - (1<<(h.exponent-1) - 1))
	switch {
	case exponent == 1<<h.exponent-1:
		return math.Float32frombits(sign | 0xff<<23 | fraction<<(23-h.fraction))
	case exponent == 0 && h.exponent < 8: // subnormal: fraction times the smallest step
		v := math.Ldexp(float64(fraction), 2-1<<(h.exponent-1)-int(h.fraction))
		return math.Float32frombits(sign | math.Float32bits(float32(v)))
	}
	return math.Float32frombits(sign | (exponent+bias)<<23 | fraction<<(23-h.fraction))
}

// round converts from f32 to the nearest, ties to even.
func (h half) round(x float32) uint16 {
	if x != x {
		return 0x7fff
	}
	pattern := math.Float32bits(x)
	sign := uint16(pattern >> 31 << 15)
	magnitude := pattern & 0x7fffffff
	infinity := uint32(1<<h.exponent-1) << h.fraction
	if h.exponent == 8 {
		magnitude += 0x7fff + magnitude>>16&1
		return sign | uint16(min(magnitude>>16, infinity))
	}
	bias := uint32(127-15) << 23
	if magnitude < bias+1<<23 { // below the smallest normal: count steps of 2^-24
		steps := math.RoundToEven(math.Ldexp(float64(math.Float32frombits(magnitude)), 24))
		return sign | uint16(steps)
	}
	magnitude = magnitude - bias
	magnitude += 0xfff + magnitude>>13&1
	return sign | uint16(min(magnitude>>13, infinity))
}

// addHalves adds packed 16-bit floats. The sum in f32 is rounded once more without harm: 24 bits are at least twice
// 11, and 2.
func addHalves(old, b uint64, n int, h half) (sum uint64) {
	for i := range n {
		shift := 16 * i
		sum |= uint64(h.round(h.widen(uint16(old>>shift))+h.widen(uint16(b>>shift)))) << shift
	}
	return sum
}

// pairUpdate is an atomic on 128 bits: old, then the operands' halves, low first, give the new halves.
type pairUpdate func(old [2]uint64, rows *[6]uint64) [2]uint64

var pairUpdates = map[isa.Mod]pairUpdate{
	isa.ModExch: func(_ [2]uint64, rows *[6]uint64) [2]uint64 { return [2]uint64{rows[0], rows[1]} },
	isa.ModCas: func(old [2]uint64, rows *[6]uint64) [2]uint64 {
		if old == [2]uint64{rows[0], rows[1]} {
			return [2]uint64{rows[2], rows[3]}
		}
		return old
	},
}

// at performs the update on memory and returns the old value.
func (p pairUpdate) at(bytes []byte, rows *[6]uint64) (lo, hi uint64, changed bool) {
	old := [2]uint64{binary.LittleEndian.Uint64(bytes), binary.LittleEndian.Uint64(bytes[8:])}
	next := p(old, rows)
	binary.LittleEndian.PutUint64(bytes, next[0])
	binary.LittleEndian.PutUint64(bytes[8:], next[1])
	return old[0], old[1], next != old
}

// runAtom executes atom and red.
func runAtom(w *state.Warp, op *state.Op) state.Signal {
	a := op.Extra.(*access)
	var b located
	if a.pair != nil || !a.locate(w, &b) || !b.written(w) {
		return laneByLane(w, op, a)
	}
	update := a.updateAt(b.owner != nil)
	changed := uint64(0)
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		for i := range a.count {
			to := b.data[int(b.at[l])+i*a.size:]
			old := get(to, a.size)
			var c uint64
			if a.c != nil {
				c = a.c[i].value(w, l)
			}
			next := update(old, a.b[i].value(w, l), c)
			put(to, a.size, next)
			changed |= old ^ get(to, a.size)
			if a.data != nil {
				a.data[i].set(w, l, a.size, false, old)
			}
		}
	}
	if changed != 0 {
		b.memory.Version++
	}
	if w.CTA.Card.Timed {
		account(w, a, &b)
	}
	return state.Next
}

// updateAt is the update for the kind of memory.
func (a *access) updateAt(global bool) update {
	if global && a.updateGlobal != nil {
		return a.updateGlobal
	}
	return a.update
}
