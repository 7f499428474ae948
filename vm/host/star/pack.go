package star

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// packed is a C struct as a by-value argument: its fields one after the other, each aligned to its size.
type packed struct {
	opaque
	fields []packedField
}

type packedField struct {
	param isa.Var // what argument sees: a type and a size
	value starlark.Value
}

// fieldTypes are the types of fields as parameters have them; ptr is an address, ptrs the addresses on all cards.
var fieldTypes = map[string]isa.Type{
	"u8": isa.U8, "i8": isa.S8, "u16": isa.U16, "i16": isa.S16, "u32": isa.U32, "i32": isa.S32, "u64": isa.U64, "i64": isa.S64,
	"f16": isa.F16, "bf16": isa.BF16, "f32": isa.F32, "f64": isa.F64, "ptr": isa.U64, "ptrs": isa.U64,
}

// newPacked is pack(("ptr", x), ("u32", 7), ("ptrs", x.peers(), 8)).
func newPacked(c *call) (starlark.Value, error) {
	if len(c.kwargs) > 0 {
		return nil, c.fail("fields have no names: pack((type, value), ...)")
	}
	p := &packed{}
	for i, arg := range c.args {
		field, ok := arg.(starlark.Tuple)
		if !ok || len(field) < 2 || len(field) > 3 {
			return nil, c.fail(`field %d is (type, value), or (type, list, count)`, i)
		}
		name, _ := starlark.AsString(field[0])
		t, known := fieldTypes[name]
		if !known {
			return nil, hinted(nearest(name, keys(fieldTypes)), "%s: field %d has no type %s", c.name, i, field[0])
		}
		of := packedField{value: field[1]}
		of.param = isa.Var{Name: fmt.Sprintf("field %d", i), Type: t, Size: t.Bytes()}
		count := 0
		if name == "ptrs" {
			count = 8
		}
		if len(field) == 3 {
			var err error
			if count, err = starlark.AsInt32(field[2]); err != nil || count < 1 || count > maxFieldCount {
				return nil, c.fail("field %d has 1 to %d elements, not %s", i, maxFieldCount, field[2])
			}
		}
		if count > 0 {
			of.param.Dims, of.param.Size = []int{count}, count*t.Bytes()
		}
		p.fields = append(p.fields, of)
	}
	return p, nil
}

// maxFieldCount bounds an array in a struct; PTX allows 32,764 bytes of parameters.
const maxFieldCount = 4096

func (p *packed) String() string { return fmt.Sprintf("pack(%d fields)", len(p.fields)) }

// Type is "pack".
func (p *packed) Type() string { return "pack" }

// bytes lays the struct out for a launch on a card.
func (p *packed) bytes(n *node, c *call, size, card int) ([]byte, error) {
	var out []byte
	align := 1
	pad := func(to int) {
		for len(out)%to != 0 {
			out = append(out, 0)
		}
	}
	for i := range p.fields {
		f := &p.fields[i]
		width := f.param.Type.Bytes()
		align = max(align, width)
		pad(width)
		data, err := n.argument(c, &f.param, f.value, card)
		if err != nil {
			return nil, fmt.Errorf("%s (%s): %w", f.param.Name, host.Declaration(&f.param), err)
		}
		out = append(out, data...)
		for range f.param.Size - len(data) {
			out = append(out, 0)
		}
	}
	pad(align)
	if len(out) != size {
		return nil, fmt.Errorf("it takes %d bytes, the struct has %d", size, len(out))
	}
	return out, nil
}
