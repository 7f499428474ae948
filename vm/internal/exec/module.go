package exec

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// gridWorkspace is the size of what the runtime hands to a cooperative launch for its grid-wide barrier.
const gridWorkspace = 64

// constBank is the size of the constant bank (PTX ISA, "Constant State Space": 64 KB, and ten more regions of 64 KB).
const constBank = 11 * 64 << 10

// LoadModule places a module's .global and .const variables on a card and initialises them. Loading it again does
// nothing: the variables keep their values between launches.
func LoadModule(card *state.Card, m *isa.Module) error {
	if card.Images[m] != nil {
		return nil
	}
	addresses := map[*isa.Var]uint64{}
	var placed []*isa.Var
	for _, v := range moduleVars(m) {
		switch v.Space {
		case isa.SpaceGlobal:
			addr, err := card.Memory.Alloc(v.Name, uint64(v.Size), uint64(max(v.Align, v.Type.Bytes())), false)
			if err != nil {
				return fmt.Errorf("%s: %w", m.Source.At(v.Pos), err)
			}
			addresses[v] = addr
		case isa.SpaceConst:
			at := alignUp(len(card.Const), max(v.Align, v.Type.Bytes()))
			if at+v.Size > constBank {
				return fmt.Errorf("%s: constant variables need more than %d bytes", m.Source.At(v.Pos), constBank)
			}
			addresses[v] = uint64(at)
			card.Const = append(card.Const, make([]byte, at+v.Size-len(card.Const))...)
		default:
			continue
		}
		placed = append(placed, v)
	}
	for _, v := range placed {
		bytes := make([]byte, v.Size)
		for i := range v.Init {
			if err := initialise(m, addresses, v, &v.Init[i], bytes); err != nil {
				return err
			}
		}
		if v.Space == isa.SpaceConst {
			copy(card.Const[addresses[v]:], bytes)
			continue
		}
		if v.Size == 0 {
			continue
		}
		// without an initialiser a variable is zero (PTX ISA, "Initializers"): it counts as written
		if err := card.Memory.Write(addresses[v], bytes); err != nil {
			return fmt.Errorf("%s: %w", m.Source.At(v.Pos), err)
		}
	}
	if card.Images == nil {
		card.Images = map[*isa.Module]map[*isa.Var]uint64{}
	}
	card.Images[m] = addresses
	return nil
}

// moduleVars lists the variables of a module and those that functions declare in .global and .const.
func moduleVars(m *isa.Module) []*isa.Var {
	list := append([]*isa.Var(nil), m.Vars...)
	for _, fn := range m.Funcs {
		list = append(list, fn.Vars...)
	}
	return list
}

// initialise writes one initialised element into a variable's bytes.
func initialise(m *isa.Module, addresses map[*isa.Var]uint64, v *isa.Var, item *isa.InitItem, bytes []byte) error {
	value := item.Bits
	switch {
	case item.Var != nil:
		addr, ok := addresses[item.Var]
		if !ok && item.Var.Space != isa.SpaceShared {
			return fmt.Errorf("%s: the initialiser of `%s` names `%s`, which has no address", m.Source.At(v.Pos), v.Name, item.Var.Name)
		}
		value += addr
		if item.Generic {
			value += windowOf(item.Var.Space)
		}
	case item.Func != nil:
		value += functionAddress(m, item.Func)
	}
	if item.Mask != 0 {
		for shift := 0; shift < 64; shift += 8 {
			if item.Mask>>shift&0xff != 0 {
				value = value & item.Mask >> shift
				break
			}
		}
	}
	if item.Offset < 0 || item.Offset+item.Size > len(bytes) {
		return fmt.Errorf("%s: the initialiser of `%s` is longer than the variable", m.Source.At(v.Pos), v.Name)
	}
	for i := range item.Size {
		if i < 8 {
			bytes[item.Offset+i] = byte(value >> (8 * i))
		}
	}
	return nil
}

// functionAddress is the generic address of a module's function.
func functionAddress(m *isa.Module, fn *isa.Func) uint64 {
	for i, f := range m.Funcs {
		if f == fn || f.Name == fn.Name && f.Defined {
			return codeAddress(i)
		}
	}
	return 0
}

// Bind looks up the addresses of the variables that a launch's program refers to. The module must have been loaded on
// the launch's card.
func Bind(l *state.Launch) {
	if l.Workspace == 0 && l.Prog.Workspace {
		if addr, err := l.Card.Memory.Alloc("grid workspace", gridWorkspace, 0, false); err == nil { // else kernels find null, and trap
			if l.Card.Memory.Write(addr, make([]byte, gridWorkspace)) == nil {
				l.Workspace = addr
			}
		}
	}
	if l.Prog.Heap && l.Card.Heap == nil {
		l.Card.Heap = &state.Heap{Used: map[uint64]uint64{}}
		if base, err := l.Card.Memory.Alloc("device heap", heapSize, 0, false); err == nil { // else malloc answers null
			l.Card.Heap.Free = []state.HeapPiece{{Addr: base, Size: heapSize}}
		}
	}
	l.Card.Memory.Commit()
	l.Vars = make([]uint64, len(l.Prog.Vars))
	image := l.Card.Images[l.Prog.Module]
	for i, v := range l.Prog.Vars {
		l.Vars[i] = image[v]
	}
}

// VariableAddress returns the generic address of a loaded module's variable on a card.
func VariableAddress(card *state.Card, m *isa.Module, v *isa.Var) (uint64, bool) {
	addr, ok := card.Images[m][v]
	if ok && v.Space == isa.SpaceConst {
		addr += memory.ConstWindow
	}
	return addr, ok
}
