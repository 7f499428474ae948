package vm

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Image says how texels lie in a buffer: x fastest, then y, then z or the layer, without gaps. Sizes left 0 are 1.
type Image struct {
	Buffer   *Buffer
	Offset   int64    // of the first texel in the buffer, bytes
	Type     isa.Type // of a channel: u8 s8 u16 s16 u32 s32 f16 f32
	Channels int      // 1, 2 or 4
	Dims     int      // 1, 2 or 3
	Cube     bool     // six square faces: +x −x +y −y +z −z
	Width    int      // texels
	Height   int
	Depth    int
	Layers   int // 0: not layered
}

// Texture is an image with the way it is read (CUDA C++ Programming Guide, "Texture Memory" and "Texture Fetching").
type Texture struct {
	Image
	Linear          bool      // linear memory, read by tex1Dfetch
	Filter          string    // "point" (or "") or "linear"
	Address         [3]string // "clamp" (or ""), "border", "wrap", "mirror"; the border is 0
	Normalized      bool      // coordinates from 0 to 1
	NormalizedFloat bool      // integer texels are read as floats up to 1
}

// Texture makes a texture object on every card, of the buffer's part there. It returns the handle that kernels take, the
// same on all cards.
func (n *Node) Texture(t Texture) (handle uint64, err error) {
	o, err := t.Image.object()
	if err != nil {
		return 0, fmt.Errorf("texture: %w", err)
	}
	o.Linear, o.Normalized, o.NormalizedFloat = t.Linear, t.Normalized, t.NormalizedFloat
	switch t.Filter {
	case "linear":
		o.FilterLinear = true
	case "", "point":
	default:
		return 0, fmt.Errorf("texture: a filter is point or linear, not %q", t.Filter)
	}
	for i, name := range t.Address {
		mode, ok := addressModes[name]
		if !ok {
			return 0, fmt.Errorf("texture: an address mode is clamp, border, wrap or mirror, not %q", name)
		}
		o.Address[i] = mode
	}
	switch {
	case t.NormalizedFloat && (t.Type.Float() || t.Type.Bits() > 16):
		return 0, fmt.Errorf("texture: texels of %s can't be read as normalised floats; those of 8 and 16-bit integers can", t.Type)
	case o.FilterLinear && !t.Type.Float() && !t.NormalizedFloat:
		return 0, fmt.Errorf("texture: linear filtering is for floats, and integers read as normalised floats")
	case t.Linear && (o.Dims != 1 || o.Layered || o.Cube):
		return 0, fmt.Errorf("texture: linear memory has one dimension")
	}
	return n.object(o, t.Buffer, t.Offset)
}

var addressModes = map[string]state.AddressMode{
	"": state.AddressClamp, "clamp": state.AddressClamp, "border": state.AddressBorder,
	"wrap": state.AddressWrap, "mirror": state.AddressMirror,
}

// Surface makes a surface object on every card, of the buffer's part there. It returns the handle that kernels take, the
// same on all cards.
func (n *Node) Surface(i Image) (handle uint64, err error) {
	o, err := i.object()
	if err != nil {
		return 0, fmt.Errorf("surface: %w", err)
	}
	o.Surface = true
	return n.object(o, i.Buffer, i.Offset)
}

// BindTexture lets a module's .texref, .samplerref or .surfref variable stand for an object, on every card.
func (n *Node) BindTexture(m *isa.Module, name string, handle uint64) error {
	if err := n.Load(m); err != nil {
		return err
	}
	for _, v := range m.Vars {
		if v.Name == name && v.Type.Kind() == isa.KindOpaque {
			return n.do(func(r *run) error {
				for _, c := range r.node.Cards {
					if err := exec.BindTexture(c, m, v, handle); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	return fmt.Errorf("%s has no .texref, .samplerref or .surfref `%s`", m.Source.Name, name)
}

// maxTexels bounds each size, far beyond the hardware's (CUDA C++ Programming Guide, "Technical Specifications").
const maxTexels = 1 << 28

// object checks an image and brings it into the form that cards keep.
func (i Image) object() (*state.Texture, error) {
	switch i.Type {
	case isa.U8, isa.S8, isa.U16, isa.S16, isa.U32, isa.S32, isa.F16, isa.F32:
	default:
		return nil, fmt.Errorf("a texel has channels of 8, 16 or 32-bit integers, f16 or f32, not %s", i.Type)
	}
	if i.Channels != 1 && i.Channels != 2 && i.Channels != 4 {
		return nil, fmt.Errorf("a texel has 1, 2 or 4 channels, not %d", i.Channels)
	}
	if i.Dims < 1 || i.Dims > 3 {
		return nil, fmt.Errorf("an image has 1, 2 or 3 dimensions, not %d", i.Dims)
	}
	o := &state.Texture{Type: i.Type, Channels: i.Channels, Dims: i.Dims, Cube: i.Cube, Layered: i.Layers > 0,
		Width: max(1, i.Width), Height: max(1, i.Height), Depth: max(1, i.Depth), Layers: max(1, i.Layers)}
	switch {
	case max(o.Width, o.Height, o.Depth, o.Layers) > maxTexels:
		return nil, fmt.Errorf("sizes of an image are at most %d", maxTexels)
	case i.Dims < 2 && o.Height > 1 || i.Dims < 3 && o.Depth > 1:
		return nil, fmt.Errorf("%d×%d×%d texels are no image of %d dimensions", o.Width, o.Height, o.Depth, i.Dims)
	case i.Dims == 3 && (o.Layered || o.Cube):
		return nil, fmt.Errorf("layers and faces have 1 or 2 dimensions")
	case i.Cube && (i.Dims != 2 || o.Width != o.Height):
		return nil, fmt.Errorf("the faces of a cube are squares, not %d×%d", o.Width, o.Height)
	}
	// in floating point, so that no size is too large to be compared
	if need := float64(o.TexelBytes()) * float64(o.Width) * float64(o.Height) * float64(o.Depth) * float64(o.Layers); need > float64(1<<40) {
		return nil, fmt.Errorf("an image of %.0f bytes", need)
	}
	if i.Buffer == nil {
		return nil, fmt.Errorf("no buffer given")
	}
	if need := o.Bytes(); i.Offset < 0 || need > i.Buffer.Bytes-i.Offset {
		return nil, fmt.Errorf("the image has %d bytes from %d on; buffer %s has %d", need, i.Offset, i.Buffer.Name, i.Buffer.Bytes)
	}
	o.Name = i.Buffer.Name
	return o, nil
}

// object gives a copy of the object to every card.
func (n *Node) object(o *state.Texture, b *Buffer, offset int64) (handle uint64, err error) {
	err = n.do(func(r *run) error {
		for i, c := range r.node.Cards {
			own := *o
			own.Addr = b.Addr(i) + uint64(offset)
			c.Textures = append(c.Textures, &own)
			handle = state.TextureHandle(len(c.Textures) - 1)
		}
		return nil
	})
	return handle, err
}
