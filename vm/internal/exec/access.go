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
		return
	}
	w.R32[e.slot][lane] = uint32(v) & uint32(1<<e.bits-1)
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

// block is the memory that all active lanes of an access lie in, when they do: shared memory or one allocation.
type block struct {
	data  []byte
	owner *memory.Allocation // nil: shared memory
}

// located is a block with the offset in it of each active lane.
type located struct {
	block
	at [32]uint32
}

// locate finds the one block of the own card that all active lanes access, with bounds and alignment checked once for
// each lane. It answers false when they don't lie in one, or anything is wrong with them: then the lanes go one by one.
func (a *access) locate(w *state.Warp, b *located) bool {
	if a.base != baseRegister || !a.wide {
		return a.locateOther(w, b)
	}
	base := w.Src64(a.slot)
	start, ok := a.find(w, &b.block, base[bits.TrailingZeros32(w.Active)]+a.offset)
	if !ok {
		return false
	}
	n := uint64(a.size * a.count)
	if uint64(len(b.data)) < n {
		return false
	}
	limit, shift, low := uint64(len(b.data))-n, a.offset-start, uint64(0)
	if w.Active == allLanes {
		for l := range b.at {
			o := base[l] + shift
			if o > limit {
				return false
			}
			low |= o
			b.at[l] = uint32(o)
		}
	} else {
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			o := base[l] + shift
			if o > limit {
				return false
			}
			low |= o
			b.at[l] = uint32(o)
		}
	}
	return low&uint64(a.align-1) == 0
}

// locateOther is locate for addresses that are not in 64-bit registers.
func (a *access) locateOther(w *state.Warp, b *located) bool {
	start, ok := a.find(w, &b.block, a.address(w, bits.TrailingZeros32(w.Active)))
	if !ok {
		return false
	}
	n := uint64(a.size * a.count)
	if uint64(len(b.data)) < n {
		return false
	}
	limit, low := uint64(len(b.data))-n, uint64(0)
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		o := a.address(w, l) - start
		if o > limit {
			return false
		}
		low |= o
		b.at[l] = uint32(o)
	}
	return low&uint64(a.align-1) == 0
}

// find looks up the block that an address lies in and returns the address of its first byte.
func (a *access) find(w *state.Warp, b *block, addr uint64) (start uint64, ok bool) {
	switch a.space {
	case isa.SpaceShared:
		b.data, b.owner = w.CTA.Shared, nil
		if addr >= memory.SharedWindow {
			start = memory.SharedWindow
		}
		return start, true
	case isa.SpaceGeneric:
		if addr-memory.SharedWindow < memory.WindowSize {
			b.data, b.owner = w.CTA.Shared, nil
			return memory.SharedWindow, true
		}
		fallthrough
	case isa.SpaceGlobal:
		owner, data := w.CTA.Card.Memory.Span(addr)
		if owner == nil || uint64(len(data)) > 1<<32 || a.store && owner.ReadOnly {
			return 0, false
		}
		b.data, b.owner = data, owner
		return owner.Addr, true
	}
	return 0, false
}

// written reports whether nobody need look at the block's shadow bits.
func (b *block) written(w *state.Warp) bool {
	if b.owner != nil {
		return b.owner.Unwritten == 0 || w.CTA.Card.Uninit == state.UninitOff
	}
	return w.CTA.SharedUnwritten == 0 || w.CTA.Card.Uninit == state.UninitOff
}

// check counts bytes that are read though nothing has written them; in error mode they are a fault.
func (b *located) check(w *state.Warp, op *state.Op, a *access) state.Signal {
	size := a.size * a.count
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		p := place{bytes: b.data[b.at[l]:], offset: uint64(b.at[l]), owner: b.owner, memory: w.CTA.Card.Memory}
		if b.owner == nil {
			p.cta = w.CTA
		}
		if signal := p.readable(w, op, l, size); signal != state.Next {
			return signal
		}
	}
	return state.Next
}

// wrote marks the active lanes' bytes as written.
func (b *located) wrote(w *state.Warp, a *access) {
	size := a.size * a.count
	if b.owner != nil && b.owner.Unwritten == 0 || b.owner == nil && w.CTA.SharedUnwritten == 0 {
		return
	}
	for m := w.Active; m != 0; m &= m - 1 {
		at := uint64(b.at[bits.TrailingZeros32(m)])
		if b.owner != nil {
			w.CTA.Card.Memory.Wrote(b.owner, at, uint64(size))
		} else {
			sharedWrote(w.CTA, at, size)
		}
	}
}

// sharedWrote marks bytes of shared memory as written.
func sharedWrote(c *state.CTA, at uint64, size int) {
	if c.SharedUnwritten == 0 {
		return
	}
	for i := at; i < at+uint64(size); i++ {
		if bit := uint64(1) << (i & 63); c.SharedWritten[i>>6]&bit == 0 {
			c.SharedWritten[i>>6] |= bit
			c.SharedUnwritten--
		}
	}
}

// runLoadWord executes ld of one 32-bit element through a 64-bit address, the commonest of all, in one pass: the
// destination can't be the address register, so what is found wrong on the way can be done again lane by lane.
func runLoadWord(w *state.Warp, op *state.Op) state.Signal {
	a := op.Extra.(*access)
	if w.CTA.Card.Timed {
		return runLoad(w, op)
	}
	base, d := w.Src64(a.slot), &w.R32[a.data[0].slot]
	var b block
	start, ok := a.find(w, &b, base[bits.TrailingZeros32(w.Active)]+a.offset)
	if !ok || len(b.data) < 4 || !b.written(w) {
		return runLoad(w, op)
	}
	data, limit, shift, low := b.data, uint64(len(b.data))-4, a.offset-start, uint64(0)
	if w.Active == allLanes {
		for l := range d {
			o := base[l] + shift
			if o > limit {
				return laneByLane(w, op, a)
			}
			low |= o
			d[l] = binary.LittleEndian.Uint32(data[o:])
		}
	} else {
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			o := base[l] + shift
			if o > limit {
				return laneByLane(w, op, a)
			}
			low |= o
			d[l] = binary.LittleEndian.Uint32(data[o:])
		}
	}
	if low&3 != 0 {
		return laneByLane(w, op, a)
	}
	return state.Next
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
	for i := range a.data {
		e, shift := &a.data[i], i*a.size
		switch {
		case !e.wide && a.size == 4:
			d := &w.R32[e.slot]
			if w.Active == allLanes {
				for l := range d {
					d[l] = binary.LittleEndian.Uint32(b.data[int(b.at[l])+shift:])
				}
				continue
			}
			for m := w.Active; m != 0; m &= m - 1 {
				l := bits.TrailingZeros32(m) & 31
				d[l] = binary.LittleEndian.Uint32(b.data[int(b.at[l])+shift:])
			}
		case e.wide && a.size == 8:
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
		w.CTA.Card.Memory.Version++
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
		for m := w.Active; m != 0; m &= m - 1 {
			a.data[i].set(w, bits.TrailingZeros32(m), a.size, a.signed, v)
		}
	}
	if w.CTA.Card.Timed {
		w.Access = state.Access{Space: isa.SpaceParam, Load: true, Bytes: int32(a.size * a.count * bits.OnesCount32(w.Active))}
	}
	return state.Next
}

// account describes a located access to the timing.
func account(w *state.Warp, a *access, b *located) {
	space := isa.SpaceShared
	if b.owner != nil {
		space = isa.SpaceGlobal
	}
	w.Access = state.Access{Space: space, Load: a.load, Store: a.store, Atomic: a.update != nil || a.pair != nil, Bytes: int32(a.size * a.count * bits.OnesCount32(w.Active))}
	if space == isa.SpaceShared {
		w.Access.Ways = ways(&b.at, w.Active, a.size*a.count)
	} else {
		w.Access.Sectors = sectors(&b.at, w.Active, a.size*a.count)
	}
}

// sectors counts the distinct 32-byte sectors that the lanes touch.
func sectors(at *[32]uint32, lanes uint32, size int) int32 {
	if first, n, ok := contiguous(at, lanes, size); ok {
		return int32((first+uint32(n)-1)>>5 - first>>5 + 1)
	}
	var seen [128]uint32
	n := 0
	for m := lanes; m != 0; m &= m - 1 {
		from := at[bits.TrailingZeros32(m)]
	next:
		for s := from >> 5; s <= (from+uint32(size)-1)>>5; s++ {
			for i := n - 1; i >= 0; i-- { // the last is the likeliest
				if seen[i] == s {
					continue next
				}
			}
			if n < len(seen) {
				seen[n] = s
				n++
			}
		}
	}
	return int32(n)
}

// contiguous reports whether the lanes access one piece of memory, each its part in order, or all the same part. It
// returns where the piece starts and its bytes.
func contiguous(at *[32]uint32, lanes uint32, size int) (first uint32, bytes int, ok bool) {
	if lanes == 0 {
		return 0, 0, false
	}
	low := bits.TrailingZeros32(lanes)
	first = at[low]
	if n := bits.OnesCount32(lanes); n == 1 || at[31-bits.LeadingZeros32(lanes)] != first {
		bytes = n * size
	} else {
		for m := lanes; m != 0; m &= m - 1 {
			if at[bits.TrailingZeros32(m)] != first {
				return 0, 0, false
			}
		}
		return first, size, true
	}
	want := first
	for m := lanes; m != 0; m &= m - 1 {
		if at[bits.TrailingZeros32(m)] != want {
			return 0, 0, false
		}
		want += uint32(size)
	}
	return first, bytes, true
}

// ways counts the passes that a shared-memory access takes: 32 banks of 4 bytes, each giving one word a pass; lanes
// that want the same word share it. Accesses of 8 and 16 bytes go in halves and quarters of the warp.
func ways(at *[32]uint32, lanes uint32, size int) int32 {
	// 32 neighbouring words lie in 32 banks: lanes that stay within them never meet.
	low, high := ^uint32(0), uint32(0)
	for m := lanes; m != 0; m &= m - 1 {
		a := at[bits.TrailingZeros32(m)&31]
		low, high = min(low, a), max(high, a)
	}
	if (high+uint32(size)-1)>>2-low>>2 < 32 {
		return 1
	}
	group := 32
	if size > 4 {
		group = max(1, 128/size)
	}
	passes := int32(0)
	for first := 0; first < 32; first += group {
		mask := lanes >> first
		if group < 32 {
			mask &= 1<<group - 1
		}
		if mask != 0 {
			passes += conflicts(at, first, mask, size)
		}
	}
	return passes
}

// conflicts returns the most distinct words that the lanes of a group want of one bank.
func conflicts(at *[32]uint32, first int, mask uint32, size int) int32 {
	// Distinct words in a list; those of a bank are chained, newest first.
	var words [64]uint32
	var older [64]int8
	var newest [32]int8 // index in words + 1; 0: none
	var count [32]int8
	n, most := 0, int8(1)
	for m := mask; m != 0; m &= m - 1 {
		from := at[first+bits.TrailingZeros32(m)]
	next:
		for word := from >> 2; word <= (from+uint32(size)-1)>>2; word++ {
			bank := word & 31
			for i := newest[bank]; i != 0; i = older[i-1] {
				if words[i-1] == word {
					continue next
				}
			}
			if n == len(words) {
				return int32(most)
			}
			words[n], older[n] = word, newest[bank]
			n++
			newest[bank] = int8(n)
			count[bank]++
			most = max(most, count[bank])
		}
	}
	return int32(most)
}
