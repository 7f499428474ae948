package exec

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// handle says where an instruction has a texture, sampler or surface from: a register, a variable or a parameter.
type handle struct {
	given bool
	base  baseKind // baseRegister, baseVariable; baseNone: the parameter block
	element
	index  int
	offset int
}

// image is what decode knows of a texture or surface instruction.
type image struct {
	object, sampler handle
	coordinates     []element
	shift           []element // offsets in texels
	data            []element // destination, or what is stored
	load            bool
	resident        int32    // predicate that says the texels are there; none: not asked for
	dims            int      // of the instruction's geometry
	layered, cube   bool     // likewise
	samples         bool     // a sample number comes before the coordinates
	whole           bool     // integer coordinates
	gather          int      // tld4: the component; outside: tex
	to              isa.Type // of an element of data
	out             isa.Mod  // of a surface: trap, clamp, zero
	formatted       bool     // .p
	query           isa.Mod
	update, signed  update // of sured; signed: .p on a surface of signed integers
}

func (x *image) slots(see func(*int32, bool)) {
	for _, h := range []*handle{&x.object, &x.sampler} {
		if h.given && h.base == baseRegister && h.slot >= 0 {
			see(&h.slot, false)
		}
	}
	for _, list := range [][]element{x.coordinates, x.shift} {
		for i := range list {
			if list[i].slot >= 0 {
				see(&list[i].slot, false)
			}
		}
	}
	for i := range x.data {
		if x.data[i].slot >= 0 {
			see(&x.data[i].slot, x.load)
		}
	}
	if x.resident >= 0 {
		see(&x.resident, true)
	}
}

// BindTexture stores an object's handle in an opaque variable of a loaded module.
func BindTexture(card *state.Card, m *isa.Module, v *isa.Var, object uint64) error {
	var b [8]byte
	put(b[:], 8, object)
	return card.Memory.Write(card.Images[m][v], b[:])
}

// handleOf decodes the first part of [a, b, c], or b.
func (in *instance) handleOf(inst *isa.Inst, o *isa.Operand, h *handle) bool {
	h.given = true
	switch {
	case o.Var == nil && o.Reg != isa.NoReg:
		h.base, h.slot = baseRegister, in.register(o)
		h.element.wide = in.vars[h.slot].class == class64
	case o.Var == nil:
		return false
	case o.Var.Space == isa.SpaceParam:
		at, ok := paramOffset(in.fn, o.Var)
		if !ok || !in.fn.Entry {
			return false
		}
		h.base, h.offset = baseNone, at
	default:
		h.base, h.index = baseVariable, in.varIndex(o.Var)
	}
	return true
}

// read returns the object's handle in a lane. A register may also hold the address of an opaque variable.
func (h *handle) read(w *state.Warp, lane int) uint64 {
	addr := uint64(0)
	switch h.base {
	case baseNone:
		if h.offset+8 > len(w.CTA.Launch.Params) {
			return 0
		}
		return get(w.CTA.Launch.Params[h.offset:], 8)
	case baseVariable:
		addr = w.CTA.Launch.Vars[h.index]
	default:
		if addr = h.value(w, lane); addr&^(memory.WindowSize-1) == memory.TextureWindow {
			return addr
		}
	}
	if memory.Owner(addr) == w.CTA.Card.Index {
		if b, err := w.CTA.Card.Memory.Bytes(addr, 8); err == nil {
			return get(b, 8)
		}
	}
	return addr
}

// newImage decodes what all texture and surface instructions have: geometry, object, sampler, coordinates.
func (in *instance) newImage(inst *isa.Inst, place *isa.Operand, coordinate isa.Type) (*image, bool) {
	x := &image{resident: none, gather: outside, dims: 2, whole: !coordinate.Float()}
	for _, m := range inst.Mods {
		switch m {
		case isa.Mod_1d:
			x.dims = 1
		case isa.Mod_3d:
			x.dims = 3
		case isa.ModA1d:
			x.dims, x.layered = 1, true
		case isa.ModA2d:
			x.layered = true
		case isa.ModCube:
			x.cube = true
		case isa.ModAcube:
			x.cube, x.layered = true, true
		case isa.Mod_2dms:
			x.samples = true
		case isa.ModA2dms:
			x.samples, x.layered = true, true
		case isa.ModTrap, isa.ModClamp, isa.ModZero:
			x.out = m
		}
	}
	if place.Kind != isa.OperandTensor && place.Kind != isa.OperandAddress || !in.handleOf(inst, place, &x.object) {
		return nil, false
	}
	list := place.List
	if len(list) == 2 {
		if !in.handleOf(inst, &list[0], &x.sampler) {
			return nil, false
		}
		list = list[1:]
	}
	if len(list) == 1 {
		x.coordinates = in.elementsOf(inst, &list[0], coordinate, false)
		if len(x.coordinates) < x.coordinateCount() {
			return nil, false
		}
	}
	return x, true
}

// coordinateCount is the number of coordinates that the geometry has.
func (x *image) coordinateCount() int {
	n := x.dims
	if x.cube {
		n = 3
	}
	if x.layered {
		n++
	}
	if x.samples {
		n++
	}
	return n
}

// emitTexture decodes tex and tld4. A texture has one level, so .base, .level and .grad read the same.
func emitTexture(in *instance, inst *isa.Inst) {
	operands := inst.Operands
	if len(operands) < 2 {
		in.emitUnsupported(inst)
		return
	}
	coordinate := isa.F32
	if inst.Op == isa.OpTex {
		coordinate = inst.Type(1)
	}
	x, ok := in.newImage(inst, &operands[1], coordinate)
	if !ok {
		in.emitUnsupported(inst)
		return
	}
	if inst.Op == isa.OpTld4 {
		for i, m := range []isa.Mod{isa.ModR, isa.ModG, isa.ModB, isa.ModA} {
			if inst.Has(m) {
				x.gather = i
			}
		}
	}
	x.load, x.to = true, inst.Type(0)
	rest := operands[2:]
	switch {
	case inst.Has(isa.ModLevel):
		rest = rest[min(1, len(rest)):]
	case inst.Has(isa.ModGrad):
		rest = rest[min(2, len(rest)):]
	}
	if len(rest) > 0 && rest[0].Kind == isa.OperandVector {
		x.shift = in.elementsOf(inst, &rest[0], isa.S32, false)
		rest = rest[1:]
	}
	if len(rest) > 0 { // a depth to compare with: which comparison is the sampler's, and no sampler here has one
		in.emitUnsupported(inst)
		return
	}
	d := &operands[0]
	if d.Kind == isa.OperandPair {
		x.resident = in.destination(inst, &d.List[1], isa.Pred)
		d = &d.List[0]
	}
	x.data = in.elementsOf(inst, d, x.to, true)
	in.emitImage(inst, x, runTexture)
}

func (in *instance) emitImage(inst *isa.Inst, x *image, run func(*state.Warp, *state.Op) state.Signal) {
	op := newOp(inst, run)
	op.Kind, op.Class, op.Extra = state.Memory, isa.ClassOf(inst), x
	in.prog.GlobalRefs = true
	in.emit(op)
}

// find returns the object that a lane names, after a look at its shape.
func (x *image) find(w *state.Warp, op *state.Op, lane int) (*state.Texture, state.Signal) {
	value := x.object.read(w, lane)
	o := w.CTA.Card.Texture(value)
	surface := op.Inst.Op == isa.OpSuld || op.Inst.Op == isa.OpSust || op.Inst.Op == isa.OpSured || op.Inst.Op == isa.OpSuq
	kind := "texture"
	if surface {
		kind = "surface"
	}
	switch {
	case o == nil:
		return nil, fault(w, op, state.FaultTexture, lane, "0x%x is no %s object", value, kind)
	case o.Surface != surface:
		return nil, fault(w, op, state.FaultTexture, lane, "the object on `%s` is no %s", o.Name, kind)
	case x.coordinates != nil && (o.Dims != x.dims || o.Cube != x.cube || o.Layered != x.layered):
		return nil, fault(w, op, state.FaultTexture, lane, "the %s on `%s` is %s, and read as %s", kind, o.Name, geometry(o.Dims, o.Cube, o.Layered), geometry(x.dims, x.cube, x.layered))
	}
	return o, state.Next
}

// geometry is a shape as PTX spells it.
func geometry(dims int, cube, layered bool) string {
	s := fmt.Sprintf("%dd", dims)
	if cube {
		s = "cube"
	}
	if layered {
		s = "a" + s
	}
	return "." + s
}

// texels is the memory of an object, with what is touched of it by an instruction.
type texels struct {
	o     *state.Texture
	bytes []byte // of the object
	owner *memory.Allocation
	start uint64 // of the object in its allocation
}

// open finds an object's memory.
func open(w *state.Warp, o *state.Texture) texels {
	owner, data := w.CTA.Card.Memory.Span(o.Addr)
	start := o.Addr - owner.Addr
	return texels{o: o, bytes: data[start : start+uint64(o.Bytes())], owner: owner, start: start}
}

// place is a piece of the object's memory.
func (t *texels) place(w *state.Warp, at int) place {
	return place{bytes: t.bytes[at:], memory: w.CTA.Card.Memory, owner: t.owner, offset: t.start + uint64(at)}
}

// footprint collects the sectors that an instruction touches, for the timing.
type footprint struct {
	at    [8][32]uint32
	lanes [8]uint32
	bytes int
}

func (f *footprint) add(tap, lane, at, size int) {
	f.at[tap][lane] = uint32(at)
	f.lanes[tap] |= 1 << lane
	f.bytes += size
}

func (f *footprint) account(w *state.Warp, load, store, atomic bool, size int) {
	w.Access = state.Access{Space: isa.SpaceGlobal, Load: load, Store: store, Atomic: atomic, Bytes: int32(f.bytes)}
	for tap := 0; tap < len(f.at); tap += 2 { // neighbours in x lie in the same sector, nearly always
		if lanes := f.lanes[tap]; lanes != 0 {
			w.Access.Sectors += sectors(&f.at[tap], lanes, size)
		}
	}
}

// runTexture executes tex and tld4 for one active lane after another.
func runTexture(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*image)
	var touched footprint
	size := 1
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		o, signal := x.find(w, op, l)
		if signal != state.Next {
			return signal
		}
		s := &o.Sampler
		if x.sampler.given {
			other := w.CTA.Card.Texture(x.sampler.read(w, l))
			if other == nil {
				return fault(w, op, state.FaultTexture, l, "0x%x is no sampler", x.sampler.read(w, l))
			}
			s = &other.Sampler
		}
		size = o.TexelBytes()
		result, signal := x.sample(w, op, l, o, s, &touched)
		if signal != state.Next {
			return signal
		}
		x.deliver(w, l, o, &result)
	}
	if x.resident >= 0 {
		w.P[x.resident] |= w.Active
	}
	if w.CTA.Card.Timed {
		touched.account(w, true, false, false, size)
	}
	return state.Next
}

// deliver writes the four components, or two pairs of them.
func (x *image) deliver(w *state.Warp, lane int, o *state.Texture, t *texel) {
	for i := range x.data {
		v := t.pattern(o, i&3, x.to)
		if x.to == isa.F16x2 {
			v = t.pattern(o, 2*i&3, x.to) | t.pattern(o, (2*i+1)&3, x.to)<<16
		}
		x.data[i].set(w, lane, 8, false, uint64(v))
	}
}

// sample reads what a lane's coordinates ask for.
func (x *image) sample(w *state.Warp, op *state.Op, lane int, o *state.Texture, s *state.Sampler, touched *footprint) (result texel, signal state.Signal) {
	c := x.coordinates
	layer, side := 0, 0
	if x.layered {
		layer = int(min(c[0].value(w, lane)&0xffffffff, uint64(o.Layers-1)))
		c = c[1:]
	}
	if x.samples {
		c = c[1:]
	}
	var shift [3]int
	for i := range min(3, len(x.shift)) {
		shift[i] = int(int32(x.shift[i].value(w, lane)))
	}
	axes := [3]taps{{at: [2]int{0, outside}}, {at: [2]int{0, outside}}, {at: [2]int{0, outside}}}
	sizes := [3]int{o.Width, o.Height, o.Depth}
	linear := s.FilterLinear && floats(o) || x.gather >= 0
	if x.whole {
		for d := range x.dims {
			mode := s.Address[d]
			if o.Linear {
				mode = state.AddressBorder
			}
			axes[d] = integerAxis(int(int32(c[d].value(w, lane)))+shift[d], sizes[d], mode)
		}
		linear = false
	} else {
		var at [3]float64
		n := x.dims
		if x.cube {
			n = 3
		}
		for d := range n {
			at[d] = float64(math.Float32frombits(uint32(c[d].value(w, lane))))
		}
		within := *s
		if x.cube {
			side, at[0], at[1] = face(at[0], at[1], at[2])
			within = state.Sampler{Normalized: true, Address: [3]state.AddressMode{state.AddressClamp, state.AddressClamp}}
		}
		for d := range x.dims {
			axes[d] = axis(at[d], sizes[d], shift[d], within.Address[d], &within, linear)
		}
	}
	t := open(w, o)
	corner := [8]texel{}
	used := 1
	if linear {
		used = 1 << x.dims
	}
	for k := range used {
		i := index(o, axes[0].at[k&1], axes[1].at[k>>1&1], axes[2].at[k>>2], side, layer)
		if i == outside {
			continue
		}
		size := o.TexelBytes()
		p := t.place(w, i*size)
		if signal := p.readable(w, op, lane, size); signal != state.Next {
			return result, signal
		}
		corner[k] = readTexel(o, p.bytes)
		touched.add(k, lane, int(p.offset), size)
	}
	switch {
	case x.gather >= 0: // counter-clockwise from the lower left, where y grows downwards (PTX ISA, tld4)
		for i, k := range [4]int{2, 3, 1, 0} {
			result.f[i], result.i[i] = corner[k].f[x.gather], corner[k].i[x.gather]
		}
	case !linear:
		result = corner[0]
	default:
		for ch := range 4 {
			for k := range used {
				weight := 1.0
				for d := range x.dims {
					if k>>d&1 != 0 {
						weight *= axes[d].weight
					} else {
						weight *= 1 - axes[d].weight
					}
				}
				if weight != 0 {
					product := weight * corner[k].f[ch]
					result.f[ch] += product
				}
			}
		}
	}
	return result, state.Next
}

// emitQuery decodes txq and suq.
func emitQuery(in *instance, inst *isa.Inst) {
	if len(inst.Operands) < 2 {
		in.emitUnsupported(inst)
		return
	}
	x, ok := in.newImage(inst, &inst.Operands[1], isa.U32)
	if !ok {
		in.emitUnsupported(inst)
		return
	}
	x.load = true
	for _, m := range inst.Mods {
		if m != isa.ModLevel {
			x.query = m
		}
	}
	if inst.Has(isa.ModLevel) && len(inst.Operands) == 3 {
		x.shift = in.elementsOf(inst, &inst.Operands[2], isa.U32, false)
	}
	x.data = in.elementsOf(inst, &inst.Operands[0], isa.B32, true)
	in.emitImage(inst, x, runQuery)
}

// The channel types and orders as txq and suq answer them: OpenCL's constants (PTX ISA, "Channel Data Type and Channel
// Order Fields").
var (
	channelTypes = map[isa.Type]uint32{isa.S8: 0x10d7, isa.S16: 0x10d8, isa.S32: 0x10d9, isa.U8: 0x10da, isa.U16: 0x10db,
		isa.U32: 0x10dc, isa.F16: 0x10dd, isa.F32: 0x10de}
	normalizedTypes = map[isa.Type]uint32{isa.S8: 0x10d0, isa.S16: 0x10d1, isa.U8: 0x10d2, isa.U16: 0x10d3}
	channelOrders   = map[int]uint32{1: 0x10b0, 2: 0x10b2, 4: 0x10b5}
)

func runQuery(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*image)
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		o, signal := x.find(w, op, l)
		if signal != state.Next {
			return signal
		}
		level := uint64(0)
		if len(x.shift) > 0 {
			level = min(31, x.shift[0].value(w, l))
		}
		for i := range x.data {
			x.data[i].set(w, l, 8, false, uint64(attribute(o, x.query, level)))
		}
	}
	if w.CTA.Card.Timed {
		w.Access = state.Access{Space: isa.SpaceParam, Load: true}
	}
	return state.Next
}

// attribute is what a query answers; of a level other than 0 the sizes that it would have.
func attribute(o *state.Texture, query isa.Mod, level uint64) uint32 {
	flag := func(b bool) uint32 {
		if b {
			return 1
		}
		return 0
	}
	switch query {
	case isa.ModWidth:
		return uint32(max(1, o.Width>>level))
	case isa.ModHeight:
		return uint32(max(1, o.Height>>level))
	case isa.ModDepth:
		return uint32(max(1, o.Depth>>level))
	case isa.ModArraySize:
		return uint32(o.Layers)
	case isa.ModChannelDataType:
		if o.NormalizedFloat {
			return normalizedTypes[o.Type]
		}
		return channelTypes[o.Type]
	case isa.ModChannelOrder:
		return channelOrders[o.Channels]
	case isa.ModNormalizedCoords:
		return flag(o.Normalized)
	case isa.ModForceUnnormalizedCoords:
		return flag(!o.Normalized)
	case isa.ModFilterMode:
		return flag(o.FilterLinear)
	case isa.ModAddrMode_0:
		return uint32(o.Address[0])
	case isa.ModAddrMode_1:
		return uint32(o.Address[1])
	case isa.ModAddrMode_2:
		return uint32(o.Address[2])
	case isa.ModNumMipmapLevels, isa.ModNumSamples:
		return 1
	case isa.ModMemoryLayout:
		return flag(!o.Linear)
	}
	return 0
}

// emitIstypep decodes istypep: which kind of object a handle or opaque variable is.
func emitIstypep(in *instance, inst *isa.Inst) {
	x := &image{resident: none, gather: outside, to: inst.Type(0)}
	if len(inst.Operands) != 2 || !in.handleOf(inst, &inst.Operands[1], &x.object) {
		in.emitUnsupported(inst)
		return
	}
	x.resident = in.destination(inst, &inst.Operands[0], isa.Pred)
	op := newOp(inst, runIstypep)
	op.Class, op.Extra = isa.ClassOf(inst), x
	in.emit(op)
}

func runIstypep(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*image)
	p := w.P[x.resident] &^ w.Active
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		o := w.CTA.Card.Texture(x.object.read(w, l))
		if o != nil && (x.to == isa.SurfRef) == o.Surface && x.to != isa.SamplerRef {
			p |= 1 << l
		}
	}
	w.P[x.resident] = p
	return state.Next
}
