package host

import (
	"fmt"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
)

// textureArgument is the handle of a texture or surface object on a buffer of the launching card.
type textureArgument struct {
	buffer  string
	surface bool
	texture vm.Texture // without the buffer
}

func (a *textureArgument) check(size int, buffers map[string]*bufferSpec, _ int) error {
	if err := pointerSize(size); err != nil {
		return err
	}
	b, err := lookupBuffer(a.buffer, buffers)
	if err != nil || a.texture.Type != isa.TypeNone {
		return err
	}
	t, ok := channelOf(b)
	if !ok {
		return fmt.Errorf("a texel's channels are 8, 16 or 32 bits wide, and buffer %s is of %s", b.name, b.dtype)
	}
	a.texture.Type = t
	return nil
}

func (a *textureArgument) put(b *binding, _ int, dst []byte) { putBytes(dst, b.objects[a]) }

func (a *textureArgument) tables() []string { return nil }

// makeObjects makes the texture and surface objects that arguments ask for.
func (s *session) makeObjects(arguments []argument) error {
	for _, a := range arguments {
		switch a := a.(type) {
		case structArgument:
			for _, f := range a.fields {
				if err := s.makeObjects([]argument{f.value}); err != nil {
					return err
				}
			}
		case *textureArgument:
			if _, made := s.objects[a]; made {
				continue
			}
			t := a.texture
			t.Buffer = s.buffers[a.buffer]
			build := func() (uint64, error) { return s.node.Texture(t) }
			if a.surface {
				build = func() (uint64, error) { return s.node.Surface(t.Image) }
			}
			handle, err := build()
			if err != nil {
				return fmt.Errorf("buffer %s: %w", a.buffer, err)
			}
			if s.objects == nil {
				s.objects = map[*textureArgument]uint64{}
			}
			s.objects[a] = handle
		}
	}
	return nil
}

// channelTypes are the types that a texel's channel can have.
var channelTypes = map[Dtype]isa.Type{U8: isa.U8, I8: isa.S8, U16: isa.U16, I16: isa.S16, U32: isa.U32, I32: isa.S32, F16: isa.F16, F32: isa.F32}

// readTexture reads {"texture": …} or {"surface": …}.
func (c *Case) readTexture(o *object, kind string) argument {
	n := o.get(kind)
	a := &textureArgument{surface: kind == "surface"}
	t, ok := o.r.object(n, "a "+kind)
	if !ok {
		return a
	}
	before := len(o.r.problems)
	t.need("buffer")
	if t.has("buffer") {
		a.buffer = c.bufferName(t, "buffer")
	}
	i := &a.texture.Image
	d := t.dtype("dtype")
	i.Type = channelTypes[d]
	t.need("width")
	size := func(name string, least int64) int { return int(t.integerTo(name, least, 1, 1<<28)) }
	i.Dims, i.Channels, i.Width, i.Height, i.Depth = size("dims", 1), size("channels", 1), size("width", 1), size("height", 1), size("depth", 1)
	if t.has("layers") {
		i.Layers = size("layers", 1)
	}
	i.Cube = t.truth("cube")
	if !a.surface {
		a.texture.Linear = t.truth("linear")
		a.texture.Normalized = t.truth("normalized_coords")
		a.texture.Filter = t.word("filter", "point", "linear")
		mode := t.word("address", "clamp", "border", "wrap", "mirror")
		a.texture.Address = [3]string{mode, mode, mode}
		a.texture.NormalizedFloat = t.word("read", "element", "normalized_float") == "normalized_float"
	}
	t.done()
	if len(o.r.problems) == before && i.Type == isa.TypeNone {
		o.r.report(n, "", "a texel's channels are 8, 16 or 32 bits wide, not %s", d)
	}
	return a
}
