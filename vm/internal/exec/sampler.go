package exec

import (
	"math"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// outside marks a texel beyond the border.
const outside = -1

// taps are the texels of one dimension that a coordinate takes its value from: one, or two with the weight of the second.
type taps struct {
	at     [2]int
	weight float64
}

// fold brings a texel's index into an axis of n texels, or answers outside.
func fold(i, n int, mode state.AddressMode) int {
	if uint(i) < uint(n) {
		return i
	}
	switch mode {
	case state.AddressBorder:
		return outside
	case state.AddressWrap:
		return ((i % n) + n) % n
	case state.AddressMirror:
		if i = ((i % (2 * n)) + 2*n) % (2 * n); i >= n {
			i = 2*n - 1 - i
		}
		return i
	}
	return min(max(i, 0), n-1)
}

// far is where coordinates end: beyond it every texel is the outermost one, and floats are no longer exact integers.
const far = 1 << 30

// axis finds the texels for a float coordinate (CUDA C++ Programming Guide, "Texture Fetching"): point sampling takes
// texel floor(x), linear filtering the two around x − 0.5, with a weight of 8 bits of fraction.
func axis(x float64, n, offset int, mode state.AddressMode, s *state.Sampler, linear bool) (t taps) {
	if x != x {
		x = 0
	}
	if s.Normalized {
		x += float64(offset) / float64(n)
		if math.IsInf(x, 0) && (mode == state.AddressWrap || mode == state.AddressMirror) {
			x = 0
		}
		switch whole := math.Floor(x); mode {
		case state.AddressWrap:
			x -= whole
		case state.AddressMirror:
			if x -= whole; math.Mod(whole, 2) != 0 {
				x = 1 - x
			}
		}
		x *= float64(n)
	} else {
		x += float64(offset)
		if mode != state.AddressBorder { // wrap and mirror are for normalised coordinates
			mode = state.AddressClamp
		}
	}
	if linear {
		x -= 0.5
	}
	x = min(max(x, -far), far)
	whole := math.Floor(x)
	i := int(whole)
	if !linear {
		if s.Normalized && (mode == state.AddressWrap || mode == state.AddressMirror) && i == n {
			i = n - 1 // 1 − 0 of mirror, or rounding
		}
		return taps{at: [2]int{fold(i, n, mode), outside}}
	}
	t.weight = math.RoundToEven((x-whole)*256) / 256
	t.at = [2]int{fold(i, n, mode), fold(i+1, n, mode)}
	return t
}

// integerAxis finds the texel for an integer coordinate: always in texels.
func integerAxis(x, n int, mode state.AddressMode) taps {
	if mode != state.AddressBorder {
		mode = state.AddressClamp
	}
	return taps{at: [2]int{fold(x, n, mode), outside}}
}

// face picks the side of a cube that a direction hits, and the coordinates there, from 0 to 1 (CUDA C++ Programming
// Guide, "Cubemap Textures").
func face(x, y, z float64) (side int, s, t float64) {
	m := math.Abs(z)
	switch ax, ay := math.Abs(x), math.Abs(y); {
	case ax >= ay && ax >= m:
		if m = ax; x >= 0 {
			side, s, t = 0, -z, -y
		} else {
			side, s, t = 1, z, -y
		}
	case ay >= m:
		if m = ay; y >= 0 {
			side, s, t = 2, x, z
		} else {
			side, s, t = 3, x, -z
		}
	case z >= 0:
		side, s, t = 4, x, -y
	default:
		side, s, t = 5, -x, -y
	}
	if m == 0 {
		return side, 0.5, 0.5
	}
	return side, (s/m + 1) / 2, (t/m + 1) / 2
}

// index is a texel's number in the object's memory, or outside.
func index(o *state.Texture, x, y, z, side, layer int) int {
	if x < 0 || y < 0 || z < 0 {
		return outside
	}
	i := layer
	if o.Cube {
		i = i*6 + side
	}
	return ((i*o.Depth+z)*o.Height+y)*o.Width + x
}

// channel decodes one channel of a texel: a float, or the bits of an integer extended to 32.
func channel(o *state.Texture, b []byte) (v float64, raw uint32) {
	raw = uint32(get(b, o.Type.Bytes()))
	switch o.Type {
	case isa.F32:
		return float64(math.Float32frombits(raw)), raw
	case isa.F16:
		return float64(f16.widen(uint16(raw))), raw
	case isa.S8:
		raw = uint32(int32(int8(raw)))
	case isa.S16:
		raw = uint32(int32(int16(raw)))
	}
	if !o.NormalizedFloat {
		return 0, raw
	}
	switch o.Type {
	case isa.U8:
		v = float64(raw) / 255
	case isa.U16:
		v = float64(raw) / 65535
	case isa.S8:
		v = max(-1, float64(int32(raw))/127)
	case isa.S16:
		v = max(-1, float64(int32(raw))/32767)
	}
	return v, raw
}

// floats reports whether the texels are read as floats.
func floats(o *state.Texture) bool { return o.Type.Float() || o.NormalizedFloat }

// texel is a texel's four channels: the floats, or the bits of integers. A channel that the object lacks is 0, the
// fourth 1.
type texel struct {
	f [4]float64
	i [4]uint32
}

func readTexel(o *state.Texture, b []byte) (t texel) {
	t.f[3], t.i[3] = 1, 1
	for c := range o.Channels {
		t.f[c], t.i[c] = channel(o, b[c*o.Type.Bytes():])
	}
	return t
}

// pattern is a channel as a register takes it: an f32, f16, or the 32 bits of an integer. Reading floats as integers,
// or integers as floats, gives their bits (the ISA leaves it open).
func (t *texel) pattern(o *state.Texture, c int, to isa.Type) uint32 {
	switch {
	case !floats(o):
		return t.i[c]
	case to == isa.F16 || to == isa.F16x2:
		return uint32(f16.round(float32(t.f[c])))
	}
	return bits32(float32(t.f[c]))
}
