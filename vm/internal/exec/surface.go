package exec

import (
	"math"
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// emitSurface decodes suld, sust and sured.
func emitSurface(in *instance, inst *isa.Inst) {
	place, data := 0, 1
	if inst.Op == isa.OpSuld {
		place, data = 1, 0
	}
	if len(inst.Operands) != 2 {
		in.emitUnsupported(inst)
		return
	}
	x, ok := in.newImage(inst, &inst.Operands[place], isa.S32)
	if !ok || x.coordinates == nil {
		in.emitUnsupported(inst)
		return
	}
	x.load, x.to, x.formatted = inst.Op == isa.OpSuld, inst.Type(0), inst.Has(isa.ModP)
	x.data = in.elementsOf(inst, &inst.Operands[data], x.to, x.load)
	run := runSurface
	if inst.Op == isa.OpSured {
		run = runReduceSurface
		signed, unsigned := isa.S32, isa.U32
		if x.to.Bits() == 64 {
			signed, unsigned = isa.S64, isa.U64
		}
		t := x.to
		if x.formatted {
			t = unsigned
			x.signed = surfaceUpdate(inst, signed)
		}
		if x.update = surfaceUpdate(inst, t); x.update == nil {
			in.emitUnsupported(inst)
			return
		}
	}
	in.emitImage(inst, x, run)
}

// surfaceUpdate is the operation of sured.
func surfaceUpdate(inst *isa.Inst, t isa.Type) update {
	signed := func(a, b uint64) bool { return int64(a) < int64(b) }
	if t.Bits() == 32 {
		signed = func(a, b uint64) bool { return int32(a) < int32(b) }
	}
	less := func(a, b uint64) bool { return a < b }
	if t.Signed() {
		less = signed
	}
	switch {
	case inst.Has(isa.ModAdd):
		return func(old, b, _ uint64) uint64 { return old + b }
	case inst.Has(isa.ModAnd):
		return func(old, b, _ uint64) uint64 { return old & b }
	case inst.Has(isa.ModOr):
		return func(old, b, _ uint64) uint64 { return old | b }
	case inst.Has(isa.ModMin):
		return func(old, b, _ uint64) uint64 {
			if less(b, old) {
				return b
			}
			return old
		}
	case inst.Has(isa.ModMax):
		return func(old, b, _ uint64) uint64 {
			if less(old, b) {
				return b
			}
			return old
		}
	}
	return nil
}

// spot finds the bytes of the surface that a lane's coordinates name: x counts bytes, or texels for .p (PTX ISA, suld,
// sust). It answers outside for what .zero leaves out.
func (x *image) spot(w *state.Warp, op *state.Op, lane int, o *state.Texture, size int) (at int, signal state.Signal) {
	c := x.coordinates
	unit := 1
	if x.formatted {
		unit = o.TexelBytes()
	}
	var layer, out int
	row := o.Width * o.TexelBytes()
	clamp := func(v, most int) int {
		if v >= 0 && v <= most {
			return v
		}
		out++
		return min(max(v, 0), most)
	}
	if x.layered {
		layer = clamp(int(uint32(c[0].value(w, lane))), o.Layers-1)
		c = c[1:]
	}
	given := [3]int{}
	for d := range x.dims {
		given[d] = int(int32(c[d].value(w, lane)))
	}
	first := given[0] * unit
	if first%min(size, o.TexelBytes()) != 0 {
		return 0, fault(w, op, state.FaultMisaligned, lane, "x = %d bytes into a row of the surface on `%s` is not aligned to %d", first, o.Name, min(size, o.TexelBytes()))
	}
	px, py, pz := clamp(first, row-size), clamp(given[1], o.Height-1), clamp(given[2], o.Depth-1)
	switch {
	case out == 0 || x.out == isa.ModClamp:
	case x.out == isa.ModZero:
		return outside, state.Next
	default:
		return 0, fault(w, op, state.FaultBounds, lane, "the surface on `%s` has %d×%d×%d texels of %d bytes and %d layers; x = %d bytes, y = %d, z = %d, layer %d is outside",
			o.Name, o.Width, o.Height, o.Depth, o.TexelBytes(), o.Layers, first, given[1], given[2], layer)
	}
	if size > row {
		return 0, fault(w, op, state.FaultTexture, lane, "an access of %d bytes to the surface on `%s`, whose rows have %d", size, o.Name, row)
	}
	return ((layer*o.Depth+pz)*o.Height+py)*row + px, state.Next
}

// runSurface executes suld and sust.
func runSurface(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*image)
	var touched footprint
	each := x.to.Bytes()
	size := each * len(x.data)
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		o, signal := x.find(w, op, l)
		if signal != state.Next {
			return signal
		}
		if x.formatted {
			size = o.TexelBytes()
		}
		at, signal := x.spot(w, op, l, o, size)
		if signal != state.Next {
			return signal
		}
		if at == outside {
			for i := range x.data {
				if x.load {
					x.data[i].set(w, l, 8, false, 0)
				}
			}
			continue
		}
		t := open(w, o)
		p := t.place(w, at)
		touched.add(0, l, int(p.offset), size)
		if x.load {
			if signal := p.readable(w, op, l, size); signal != state.Next {
				return signal
			}
			for i := range x.data {
				x.data[i].set(w, l, each, false, get(p.bytes[i*each:], each))
			}
			continue
		}
		changed := false
		store := func(i, n int, v uint64) {
			old := get(p.bytes[i*n:], n)
			put(p.bytes[i*n:], n, v)
			changed = changed || get(p.bytes[i*n:], n) != old
		}
		if x.formatted {
			for i := range min(o.Channels, len(x.data)) {
				store(i, o.Type.Bytes(), toChannel(o, uint32(x.data[i].value(w, l))))
			}
		} else {
			for i := range x.data {
				store(i, each, x.data[i].value(w, l))
			}
		}
		p.wrote(size, changed)
	}
	if w.CTA.Card.Timed {
		touched.account(w, x.load, !x.load, false, size)
	}
	return state.Next
}

// toChannel converts a 32-bit component of sust.p to the surface's format: of floats an f32, else an integer, cut to the
// channel's range.
func toChannel(o *state.Texture, v uint32) uint64 {
	switch o.Type {
	case isa.F16:
		return uint64(f16.round(math.Float32frombits(v)))
	case isa.U8:
		return uint64(min(v, 0xff))
	case isa.U16:
		return uint64(min(v, 0xffff))
	case isa.S8:
		return uint64(min(max(int32(v), -0x80), 0x7f))
	case isa.S16:
		return uint64(min(max(int32(v), -0x8000), 0x7fff))
	}
	return uint64(v)
}

// runReduceSurface executes sured.
func runReduceSurface(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*image)
	var touched footprint
	size := x.to.Bytes()
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		o, signal := x.find(w, op, l)
		if signal != state.Next {
			return signal
		}
		at, signal := x.spot(w, op, l, o, size)
		if signal != state.Next {
			return signal
		}
		if at == outside {
			continue
		}
		t := open(w, o)
		p := t.place(w, at)
		if signal := p.readable(w, op, l, size); signal != state.Next {
			return signal
		}
		update := x.update
		if x.formatted && o.Type.Signed() {
			update = x.signed
		}
		old := get(p.bytes, size)
		put(p.bytes, size, update(old, x.data[0].value(w, l), 0))
		p.wrote(size, get(p.bytes, size) != old)
		touched.add(0, l, int(p.offset), size)
	}
	if w.CTA.Card.Timed {
		touched.account(w, false, true, true, size)
	}
	return state.Next
}
