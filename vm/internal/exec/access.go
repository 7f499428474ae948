package exec

import (
	"encoding/binary"
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// access is what decode knows of a memory instruction.
type access struct {
	space  isa.Space // SpaceParam: the launch's parameter block
	size   int       // bytes an element: 1, 2, 4, 8
	count  int       // elements; a 128-bit value is two
	align  int
	signed bool
	load   bool // a destination is written
	store  bool // memory is written
	base   baseKind
	slot   int32 // baseRegister: of the address
	wide   bool  // the address is 64 bits
	index  int   // baseVariable: into Launch.Vars
	offset uint64
	data   []element // destination of a load or atomic, source of a store

	update       update     // atomics: the new value
	updateGlobal update     // in global memory, if it differs there
	b, c         []element  // their operands
	pair         pairUpdate // of 128-bit atomics
}

// baseKind says where the address of an access comes from; the offset is added to it.
type baseKind uint8

const (
	baseNone     baseKind = iota // the offset alone
	baseRegister                 // a register
	baseVariable                 // a module variable, whose address depends on the card
	baseFrame                    // the function's frame in local memory
)

// element is one register that memory is moved to or from.
type element struct {
	slot int32
	wide bool  // in a 64-bit slot
	bits uint8 // width of the register
	over bool  // the slot is the lower half of a register of 128 bits, for a narrower value
}

func (a *access) slots(see func(*int32, bool)) {
	if a.base == baseRegister && a.slot >= 0 {
		see(&a.slot, false)
	}
	for _, list := range [][]element{a.b, a.c} {
		for i := range list {
			if list[i].slot >= 0 {
				see(&list[i].slot, false)
			}
		}
	}
	for i := range a.data {
		if a.data[i].slot >= 0 {
			see(&a.data[i].slot, a.load)
		}
	}
}

// value returns an element's lane.
func (e *element) value(w *state.Warp, lane int) uint64 {
	if e.wide {
		return w.Src64(e.slot)[lane]
	}
	return uint64(w.Src32(e.slot)[lane])
}

// set writes a value that was read with `size` bytes into an element's lane, extended to the register's width.
func (e *element) set(w *state.Warp, lane, size int, signed bool, v uint64) {
	if signed && size < 8 {
		shift := 64 - 8*size
		v = uint64(int64(v<<shift) >> shift)
	}
	if e.wide {
		w.R64[e.slot][lane] = v
		if e.over {
			w.R64[e.slot+1][lane] = above(v, signed)
		}
		return
	}
	w.R32[e.slot][lane] = uint32(v) & uint32(1<<e.bits-1)
}

// setAll is set for all active lanes.
func (e *element) setAll(w *state.Warp, size int, signed bool, v uint64) {
	first := bits.TrailingZeros32(w.Active) & 31
	e.set(w, first, size, signed, v)
	if !e.wide {
		fill(w, &w.R32[e.slot], w.R32[e.slot][first])
		return
	}
	fill(w, &w.R64[e.slot], w.R64[e.slot][first])
	if e.over {
		fill(w, &w.R64[e.slot+1], w.R64[e.slot+1][first])
	}
}

// above is what stands above 64 bits of a value that is extended to 128.
func above(v uint64, signed bool) uint64 {
	if signed {
		return uint64(int64(v) >> 63)
	}
	return 0
}

// fill writes one value into the active lanes.
func fill[T uint32 | uint64](w *state.Warp, d *[32]T, v T) {
	if w.Full {
		for l := 0; l < 32; l += 2 {
			d[l], d[l+1] = v, v
		}
		return
	}
	for m := w.Active; m != 0; m &= m - 1 {
		d[bits.TrailingZeros32(m)&31] = v
	}
}

// get reads a little-endian value.
func get(b []byte, size int) uint64 {
	switch size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// put writes a little-endian value.
func put(b []byte, size int, v uint64) {
	switch size {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// address is the address that a lane accesses, in the access's space.
func (a *access) address(w *state.Warp, lane int) uint64 {
	switch a.base {
	case baseRegister:
		if a.wide {
			return w.Src64(a.slot)[lane] + a.offset
		}
		return uint64(w.Src32(a.slot)[lane] + uint32(a.offset))
	case baseVariable:
		return w.CTA.Launch.Vars[a.index] + a.offset
	case baseFrame:
		return uint64(current(w).Base) + a.offset
	}
	return a.offset
}

// allLanes is the mask of a full warp.
const allLanes = 1<<32 - 1

// block is the memory that all active lanes of an access lie in, when they do: one allocation, shared memory, the
// constant bank, or local memory, of which each lane has a part of its own.
type block struct {
	data   []byte
	size   uint64             // bytes that a lane can reach
	stride uint64             // between the lanes' parts; 0: they share all
	memory *memory.Card       // whose version a change moves
	owner  *memory.Allocation // nil: none
	shared bool
}

// located is a block with the offset in it of each active lane.
type located struct {
	block
	at        [32]uint32
	low, high uint32 // the first and the last of the offsets
}

// locate finds the one block that all active lanes access, with bounds and alignment checked once for each lane. It
// answers false when they don't lie in one, or anything is wrong with them: then the lanes go one by one.
func (a *access) locate(w *state.Warp, b *located) bool {
	first := a.address(w, bits.TrailingZeros32(w.Active)&31)
	start, ok := a.find(w, &b.block, first)
	n := uint64(a.size * a.count)
	if !ok || b.size < n {
		return false
	}
	var low, high, all uint64
	switch {
	case a.base != baseRegister:
		low = first - start
		high, all = low, low
		for l := range b.at {
			b.at[l] = uint32(low)
		}
	case a.wide:
		low, high, all = offsets(&b.at, w.Src64(a.slot), a.offset-start, w.Active)
	case start != 0: // 32 bits reach no window
		return false
	default:
		low, high, all = offsets(&b.at, w.Src32(a.slot), uint32(a.offset), w.Active)
	}
	if high > b.size-n || all&uint64(a.align-1) != 0 {
		return false
	}
	b.low, b.high = uint32(low), uint32(high)
	if b.stride != 0 {
		thread := uint32(w.Index * 32)
		for l := range b.at {
			b.at[l] += (thread + uint32(l)) * uint32(b.stride)
		}
	}
	return true
}

// offsets adds to the lanes' addresses what makes them offsets in a block. It returns the least and the greatest, and all
// or-ed together.
func offsets[A uint32 | uint64](at *[32]uint32, base *[32]A, shift A, lanes uint32) (low, high, all uint64) {
	_, _ = base[0], at[0]
	low = 1<<64 - 1
	if lanes == allLanes {
		for l := 0; l < 32; l += 2 {
			o, p := uint64(base[l]+shift), uint64(base[l+1]+shift)
			low, high, all = min(low, o, p), max(high, o, p), all|o|p
			at[l], at[l+1] = uint32(o), uint32(p)
		}
		return low, high, all
	}
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		o := uint64(base[l] + shift)
		low, high, all = min(low, o), max(high, o), all|o
		at[l] = uint32(o)
	}
	return low, high, all
}

// find looks up the block that an address lies in and returns the address of its first byte.
func (a *access) find(w *state.Warp, b *block, addr uint64) (start uint64, ok bool) {
	c := w.CTA
	space := a.space
	if space == isa.SpaceGeneric {
		switch addr &^ (memory.WindowSize - 1) {
		case memory.SharedWindow:
			space = isa.SpaceShared
		case memory.LocalWindow:
			space = isa.SpaceLocal
		case memory.ConstWindow:
			space = isa.SpaceConst
		default:
			space = isa.SpaceGlobal
		}
	}
	b.memory = c.Card.Memory
	switch space {
	case isa.SpaceGlobal:
		if card := memory.Owner(addr); card != c.Card.Index && card >= 0 && card < len(c.Card.Node.Cards) {
			if !c.Card.Direct {
				return 0, false
			}
			b.memory = c.Card.Node.Cards[card].Memory
		}
		owner, data := b.memory.Span(addr)
		if owner == nil || uint64(len(data)) > 1<<32 || a.store && owner.ReadOnly {
			return 0, false
		}
		b.data, b.owner = data, owner
		start = owner.Addr
	case isa.SpaceShared:
		b.data, b.shared = c.Shared, true
		start = addr & memory.SharedWindow
	case isa.SpaceLocal:
		b.data, b.size, b.stride = c.Local, uint64(c.LocalStride), uint64(c.LocalStride)
		if a.space == isa.SpaceGeneric {
			start = memory.LocalWindow
		}
		return start, true
	case isa.SpaceConst:
		if a.store {
			return 0, false
		}
		b.data = c.Card.Const
		start = addr & memory.ConstWindow
	default:
		return 0, false
	}
	b.size = uint64(len(b.data))
	return start, true
}

// written reports whether nobody need look at the block's shadow bits.
func (b *block) written(w *state.Warp) bool {
	switch {
	case b.owner != nil:
		return b.owner.Unwritten == 0 || w.CTA.Card.Uninit == state.UninitOff
	case b.shared:
		return w.CTA.SharedUnwritten == 0 || w.CTA.Card.Uninit == state.UninitOff
	}
	return true
}

// check counts bytes that are read though nothing has written them; in error mode they are a fault.
func (b *located) check(w *state.Warp, op *state.Op, a *access) state.Signal {
	size := a.size * a.count
	if first, n, ok := contiguous(&b.at, w.Active, size); ok && b.missing(w, first, n) == 0 {
		return state.Next
	}
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		p := place{bytes: b.data[b.at[l]:], offset: uint64(b.at[l]), owner: b.owner, memory: b.memory}
		if b.shared {
			p.cta = w.CTA
		}
		if signal := p.readable(w, op, l, size); signal != state.Next {
			return signal
		}
	}
	return state.Next
}

// missing counts the bytes of a piece of the block that nothing has written.
func (b *located) missing(w *state.Warp, at uint32, size int) uint64 {
	switch {
	case b.owner != nil:
		return b.memory.NeverWritten(b.owner, uint64(at), uint64(size))
	case b.shared:
		return sharedMissing(w.CTA, uint64(at), size)
	}
	return 0
}

// wrote marks the active lanes' bytes as written.
func (b *located) wrote(w *state.Warp, a *access) {
	size := a.size * a.count
	if b.owner != nil && b.owner.Unwritten == 0 || b.owner == nil && (!b.shared || w.CTA.SharedUnwritten == 0) {
		return
	}
	if first, n, ok := contiguous(&b.at, w.Active, size); ok {
		b.mark(w, first, n)
		return
	}
	for m := w.Active; m != 0; m &= m - 1 {
		b.mark(w, b.at[bits.TrailingZeros32(m)&31], size)
	}
}

// mark marks a piece of the block as written.
func (b *located) mark(w *state.Warp, at uint32, size int) {
	if b.owner != nil {
		b.memory.Wrote(b.owner, uint64(at), uint64(size))
	} else {
		sharedWrote(w.CTA, uint64(at), size)
	}
}

// sharedWrote marks bytes of shared memory as written.
func sharedWrote(c *state.CTA, at uint64, size int) {
	if c.SharedUnwritten > 0 {
		c.SharedUnwritten -= int(memory.Shadow(c.SharedWritten).Set(at, uint64(size)))
	}
}

// sharedMissing counts the bytes of a piece of shared memory that nothing has written.
func sharedMissing(c *state.CTA, at uint64, size int) uint64 {
	if c.SharedUnwritten == 0 {
		return 0
	}
	return memory.Shadow(c.SharedWritten).Missing(at, uint64(size))
}

// runLoadWord executes ld of one 32-bit element through a register, the commonest of all, in one pass: unless the
// destination is the address register, what is found wrong on the way can be done again lane by lane.
func runLoadWord(w *state.Warp, op *state.Op) state.Signal {
	a := op.Extra.(*access)
	to := a.data[0].slot
	if w.CTA.Card.Timed || !a.wide && a.slot == to {
		return runLoad(w, op)
	}
	var b block
	start, ok := a.words(w, &b)
	if !ok {
		return runLoad(w, op)
	}
	if a.wide {
		ok = loadWords(&w.R32[to], w.Src64(a.slot), a.offset-start, b.data, w.Active)
	} else {
		ok = loadWords(&w.R32[to], w.Src32(a.slot), uint32(a.offset), b.data, w.Active)
	}
	if !ok {
		return laneByLane(w, op, a)
	}
	return state.Next
}

// words looks up the block that the first active lane accesses and returns its address. It refuses local memory, and
// blocks whose shadow bits somebody has still to look at.
func (a *access) words(w *state.Warp, b *block) (start uint64, ok bool) {
	c := w.CTA
	if a.space == isa.SpaceShared && c.SharedUnwritten == 0 {
		b.data, b.memory = c.Shared, c.Card.Memory
		if a.wide { // an address of 32 bits is below the window
			start = w.Src64(a.slot)[bits.TrailingZeros32(w.Active)&31] & memory.SharedWindow
		}
		return start, true
	}
	start, ok = a.find(w, b, a.address(w, bits.TrailingZeros32(w.Active)&31))
	return start, ok && b.stride == 0 && b.written(w)
}

// loadWords reads the lanes' words, shift being what makes an address an offset in the data. It answers false as soon as
// one is not within the data, or at the end if one is not at a multiple of four.
func loadWords[A uint32 | uint64](d *[32]uint32, base *[32]A, shift A, data []byte, lanes uint32) bool {
	_, _ = base[0], d[0] // looked at here, they are not in the loop
	low := uint64(0)
	if lanes == allLanes {
		for l := 0; l < 32; l += 2 {
			o, p := uint64(base[l]+shift), uint64(base[l+1]+shift)
			oEnd, pEnd := o+4, p+4
			if o > oEnd || oEnd > uint64(len(data)) || p > pEnd || pEnd > uint64(len(data)) {
				return false
			}
			low |= o | p
			d[l] = binary.LittleEndian.Uint32(data[o:oEnd])
			d[l+1] = binary.LittleEndian.Uint32(data[p:pEnd])
		}
		return low&3 == 0
	}
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		o := uint64(base[l] + shift)
		end := o + 4
		if o > end || end > uint64(len(data)) {
			return false
		}
		low |= o
		d[l] = binary.LittleEndian.Uint32(data[o:end])
	}
	return low&3 == 0
}

// runLoad executes ld and ldu.
func runLoad(w *state.Warp, op *state.Op) state.Signal {
	a := op.Extra.(*access)
	var b located
	if !a.locate(w, &b) {
		return laneByLane(w, op, a)
	}
	if !b.written(w) {
		if signal := b.check(w, op, a); signal != state.Next {
			return signal
		}
	}
	a.loadElements(w, &b)
	if w.CTA.Card.Timed {
		account(w, a, &b)
	}
	return state.Next
}

// loadElements reads elements of any size and number.
func (a *access) loadElements(w *state.Warp, b *located) {
	if b.low == b.high && b.stride == 0 {
		from := b.data[b.low:]
		for i := range a.data {
			a.data[i].setAll(w, a.size, a.signed, get(from[i*a.size:], a.size))
		}
		return
	}
	if len(a.data) == 4 && a.size == 4 && !a.data[0].wide && !a.data[1].wide && !a.data[2].wide && !a.data[3].wide {
		a.loadQuads(w, b)
		return
	}
	for i := range a.data {
		e, shift := &a.data[i], i*a.size
		switch {
		case !e.wide && a.size == 4:
			gather(&w.R32[e.slot], &b.at, b.data[shift:], w.Active)
		case e.wide && a.size == 8 && !e.over:
			d := &w.R64[e.slot]
			for m := w.Active; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m) & 31
				d[l] = binary.LittleEndian.Uint64(b.data[int(b.at[l])+shift:])
			}
		default:
			for m := w.Active; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m) & 31
				e.set(w, l, a.size, a.signed, get(b.data[int(b.at[l])+shift:], a.size))
			}
		}
	}
}

// gather reads the lanes' words at offsets in the data.
func gather(d, at *[32]uint32, data []byte, lanes uint32) {
	_, _ = d[0], at[0]
	if lanes == allLanes {
		for l := 0; l < 32; l += 2 {
			o, p := uint64(at[l]), uint64(at[l+1])
			d[l] = binary.LittleEndian.Uint32(data[o : o+4])
			d[l+1] = binary.LittleEndian.Uint32(data[p : p+4])
		}
		return
	}
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		o := uint64(at[l])
		d[l] = binary.LittleEndian.Uint32(data[o : o+4])
	}
}

// loadQuads reads four 32-bit elements a lane.
func (a *access) loadQuads(w *state.Warp, b *located) {
	d0, d1, d2, d3 := &w.R32[a.data[0].slot], &w.R32[a.data[1].slot], &w.R32[a.data[2].slot], &w.R32[a.data[3].slot]
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		from := b.data[b.at[l]:][:16]
		d0[l] = binary.LittleEndian.Uint32(from)
		d1[l] = binary.LittleEndian.Uint32(from[4:])
		d2[l] = binary.LittleEndian.Uint32(from[8:])
		d3[l] = binary.LittleEndian.Uint32(from[12:])
	}
}

// runStoreWord executes st of one 32-bit element through a register in one pass. What is found wrong on the way is done
// again lane by lane; the lanes before it write the same once more.
func runStoreWord(w *state.Warp, op *state.Op) state.Signal {
	a := op.Extra.(*access)
	if w.CTA.Card.Timed {
		return runStore(w, op)
	}
	var b block
	start, ok := a.words(w, &b)
	if !ok {
		return runStore(w, op)
	}
	var changed uint32
	if a.wide {
		changed, ok = storeWords(w.Src32(a.data[0].slot), w.Src64(a.slot), a.offset-start, b.data, w.Active)
	} else {
		changed, ok = storeWords(w.Src32(a.data[0].slot), w.Src32(a.slot), uint32(a.offset), b.data, w.Active)
	}
	if changed != 0 {
		b.memory.Version++
	}
	if !ok {
		return laneByLane(w, op, a)
	}
	return state.Next
}

// storeWords writes the lanes' words up to the first that is not within the data or not at a multiple of four. It
// returns a value other than 0 if a word changed.
func storeWords[A uint32 | uint64](v *[32]uint32, base *[32]A, shift A, data []byte, lanes uint32) (changed uint32, ok bool) {
	_, _ = base[0], v[0]
	if lanes == allLanes {
		for l := range v {
			o := uint64(base[l] + shift)
			end := o + 4
			if o > end || end > uint64(len(data)) || o&3 != 0 {
				return changed, false
			}
			to := data[o:end]
			changed |= binary.LittleEndian.Uint32(to) ^ v[l]
			binary.LittleEndian.PutUint32(to, v[l])
		}
		return changed, true
	}
	for m := lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		o := uint64(base[l] + shift)
		end := o + 4
		if o > end || end > uint64(len(data)) || o&3 != 0 {
			return changed, false
		}
		to := data[o:end]
		changed |= binary.LittleEndian.Uint32(to) ^ v[l]
		binary.LittleEndian.PutUint32(to, v[l])
	}
	return changed, true
}

// runStore executes st.
func runStore(w *state.Warp, op *state.Op) state.Signal {
	a := op.Extra.(*access)
	var b located
	if !a.locate(w, &b) {
		return laneByLane(w, op, a)
	}
	changed := uint64(0)
	for i := range a.data {
		e := &a.data[i]
		switch {
		case a.size == 4 && !e.wide:
			v := w.Src32(e.slot)
			if w.Active == allLanes {
				for l := range v {
					to := b.data[int(b.at[l])+4*i:]
					changed |= uint64(binary.LittleEndian.Uint32(to) ^ v[l])
					binary.LittleEndian.PutUint32(to, v[l])
				}
				continue
			}
			for m := w.Active; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m) & 31
				to := b.data[int(b.at[l])+4*i:]
				changed |= uint64(binary.LittleEndian.Uint32(to) ^ v[l])
				binary.LittleEndian.PutUint32(to, v[l])
			}
		case a.size == 8 && e.wide:
			v := w.Src64(e.slot)
			for m := w.Active; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m) & 31
				to := b.data[int(b.at[l])+8*i:]
				changed |= binary.LittleEndian.Uint64(to) ^ v[l]
				binary.LittleEndian.PutUint64(to, v[l])
			}
		default:
			for m := w.Active; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m) & 31
				to, v := b.data[int(b.at[l])+i*a.size:], e.value(w, l)
				old := get(to, a.size)
				put(to, a.size, v)
				changed |= old ^ get(to, a.size)
			}
		}
	}
	if changed != 0 {
		b.memory.Version++
	}
	b.wrote(w, a)
	if w.CTA.Card.Timed {
		account(w, a, &b)
	}
	return state.Next
}

// runLoadParam reads a launch's parameter: the same for all lanes.
func runLoadParam(w *state.Warp, op *state.Op) state.Signal {
	a := op.Extra.(*access)
	params := w.CTA.Launch.Params
	if a.offset+uint64(a.size*a.count) > uint64(len(params)) {
		return fault(w, op, state.FaultBounds, bits.TrailingZeros32(w.Active), "read of %d bytes at offset %d of the parameters, which have %d bytes", a.size*a.count, a.offset, len(params))
	}
	for i := range a.data {
		v := get(params[a.offset+uint64(i*a.size):], a.size)
		a.data[i].setAll(w, a.size, a.signed, v)
	}
	if w.CTA.Card.Timed {
		w.Access = state.Access{Space: isa.SpaceParam, Load: true, Bytes: int32(a.size * a.count * bits.OnesCount32(w.Active))}
	}
	return state.Next
}
