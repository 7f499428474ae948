package exec

import (
	"encoding/binary"
	"math/bits"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// matrices is what decode knows of ldmatrix and stmatrix: 8x8 matrices of 16-bit elements, whose rows of 16 bytes lie
// where the lanes' addresses say, the rows of matrix i at the addresses of lanes 8i to 8i+7.
type matrices struct {
	*access           // of one row
	regs    []element // one a matrix
	trans   bool
}

func (x *matrices) slots(see func(*int32, bool)) {
	x.access.slots(see)
	for i := range x.regs {
		see(&x.regs[i].slot, x.load)
	}
}

// emitMatrix decodes ldmatrix and stmatrix of shape .m8n8.
func emitMatrix(in *instance, inst *isa.Inst) {
	x := &matrices{access: &access{space: spaceOf(inst), size: 8, count: 2, align: 16}, trans: inst.Has(isa.ModTrans)}
	address, data := 1, 0
	op := newOp(inst, runLdmatrix)
	if x.load = inst.Op == isa.OpLdmatrix; !x.load {
		x.store, address, data = true, 0, 1
		op.Run = runStmatrix
	}
	if !inst.Has(isa.ModM8n8) || inst.Type(0) != isa.B16 || len(inst.Operands) != 2 || !in.locate(inst, &inst.Operands[address], x.access) {
		in.emitUnsupported(inst)
		return
	}
	x.regs = in.elementsOf(inst, &inst.Operands[data], isa.B32, x.load)
	op.Kind, op.Class, op.Extra, op.Sync = state.Memory, isa.ClassOf(inst), x, state.SlotAllLanes
	in.emit(op)
}

// rows finds the rows of all matrices. Rows whose lane has exited are nil.
func (x *matrices) rows(w *state.Warp, op *state.Op) (rows [32]place, signal state.Signal) {
	for l := range 8 * len(x.regs) {
		if w.Live>>l&1 == 0 {
			continue
		}
		if rows[l], signal = x.resolve(w, op, w.CTA.Card, l, x.address(w, l)); signal != state.Next {
			return rows, signal
		}
	}
	if w.CTA.Card.Timed {
		x.account(w, &rows)
	}
	return rows, state.Next
}

// account describes the access to the timing.
func (x *matrices) account(w *state.Warp, rows *[32]place) {
	var at [32]uint32
	var lanes uint32
	for l := range rows {
		if rows[l].bytes != nil {
			at[l] = uint32(rows[l].offset)
			lanes |= 1 << l
		}
	}
	w.Access = state.Access{Space: isa.SpaceShared, Load: x.load, Store: x.store, Bytes: int32(16 * bits.OnesCount32(lanes)), Ways: ways(&at, lanes, 16)}
}

// runLdmatrix gives lane l of each matrix the elements 2(l%4) and 2(l%4)+1 of row l/4; transposed, of column l/4
// (PTX ISA, "Warp-level matrix load instruction: ldmatrix").
func runLdmatrix(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*matrices)
	rows, signal := x.rows(w, op)
	if signal != state.Next {
		return signal
	}
	for l := range rows {
		if rows[l].bytes != nil {
			if signal := rows[l].readable(w, op, l, 16); signal != state.Next {
				return signal
			}
		}
	}
	for i := range x.regs {
		matrix := rows[8*i : 8*i+8]
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			var v uint32
			if x.trans {
				v = elementAt(&matrix[l%4*2], l/4) | elementAt(&matrix[l%4*2+1], l/4)<<16
			} else {
				v = elementAt(&matrix[l/4], l%4*2) | elementAt(&matrix[l/4], l%4*2+1)<<16
			}
			x.regs[i].set(w, l, 4, false, uint64(v))
		}
	}
	return state.Next
}

func elementAt(row *place, column int) uint32 {
	if row.bytes == nil {
		return 0
	}
	return uint32(binary.LittleEndian.Uint16(row.bytes[2*column:]))
}

// runStmatrix is the other way round.
func runStmatrix(w *state.Warp, op *state.Op) state.Signal {
	x := op.Extra.(*matrices)
	rows, signal := x.rows(w, op)
	if signal != state.Next {
		return signal
	}
	put := func(row *place, column int, v uint16) {
		if row.bytes != nil {
			binary.LittleEndian.PutUint16(row.bytes[2*column:], v)
		}
	}
	for i := range x.regs {
		matrix := rows[8*i : 8*i+8]
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			v := uint32(x.regs[i].value(w, l))
			if x.trans {
				put(&matrix[l%4*2], l/4, uint16(v))
				put(&matrix[l%4*2+1], l/4, uint16(v>>16))
			} else {
				put(&matrix[l/4], l%4*2, uint16(v))
				put(&matrix[l/4], l%4*2+1, uint16(v>>16))
			}
		}
	}
	for l := range rows {
		if rows[l].bytes != nil {
			rows[l].wrote(16, true)
		}
	}
	return state.Next
}

// emitMovmatrix decodes movmatrix: the transpose of an 8x8 matrix held as ldmatrix gives it.
func emitMovmatrix(in *instance, inst *isa.Inst) {
	op := newOp(inst, runMovmatrix)
	op.D = in.destination(inst, &inst.Operands[0], isa.B32)
	op.A = in.source(inst, &inst.Operands[1], isa.B32)
	op.Kind, op.Class, op.Sync = state.WarpSync, isa.ClassOf(inst), state.SlotAllLanes
	in.emit(op)
}

func runMovmatrix(w *state.Warp, op *state.Op) state.Signal {
	a, d := *w.Src32(op.A), &w.R32[op.D]
	at := func(row, column int) uint32 { return a[4*row+column/2] >> (16 * (column & 1)) & 0xffff }
	for m := w.Active; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 31
		d[l] = at(l%4*2, l/4) | at(l%4*2+1, l/4)<<16
	}
	return state.Next
}
