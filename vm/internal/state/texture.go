package state

import (
	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
)

// FaultTexture is a texture or surface instruction on something that is none, or not of its shape.
const FaultTexture FaultKind = "texture"

// Texture is a texture or surface object of a card: texels that lie in its global memory, x fastest, then y, then z,
// face and layer, without gaps.
type Texture struct {
	Surface  bool
	Name     string // of the buffer
	Addr     uint64 // of the first texel
	Type     isa.Type
	Channels int
	Dims     int // 1, 2, 3
	Cube     bool
	Layered  bool
	Width    int // in texels, at least 1 as all sizes
	Height   int
	Depth    int
	Layers   int // of a layered cube: cubes
	// Linear: linear memory, read by integer coordinates; what lies outside reads as zero.
	Linear bool
	// NormalizedFloat: integer texels are read as floats between 0 or -1 and 1.
	NormalizedFloat bool
	Sampler
}

// Sampler says how a texture is read.
type Sampler struct {
	FilterLinear bool
	Address      [3]AddressMode
	Normalized   bool // float coordinates run from 0 to 1
}

// AddressMode says what stands outside a texture. The values are those that txq.addr_mode_N answers.
type AddressMode uint8

// The address modes, in the order of the PTX ISA's table "Opaque Type Fields in Unified Texture Mode"; clamp_ogl is left
// out by nobody's compiler and stands for clamp.
const (
	AddressWrap AddressMode = iota
	AddressMirror
	AddressClampOGL
	AddressClamp
	AddressBorder
)

// TexelBytes is the size of a texel.
func (t *Texture) TexelBytes() int { return t.Type.Bytes() * t.Channels }

// Bytes is the size of all texels.
func (t *Texture) Bytes() int64 {
	faces := int64(1)
	if t.Cube {
		faces = 6
	}
	return int64(t.TexelBytes()) * int64(t.Width) * int64(t.Height) * int64(t.Depth) * faces * int64(t.Layers)
}

// TextureHandle is the value by which kernels know a card's i-th texture or surface object. It is no address.
func TextureHandle(i int) uint64 { return memory.TextureWindow + uint64(i+1)<<4 }

// Texture returns the object of a handle, nil where there is none.
func (c *Card) Texture(handle uint64) *Texture {
	i := (handle-memory.TextureWindow)>>4 - 1
	if handle&15 != 0 || i >= uint64(len(c.Textures)) {
		return nil
	}
	return c.Textures[i]
}
