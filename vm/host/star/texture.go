package star

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// handle is a texture or surface object on a buffer: the same number on every card, each card's own part of the buffer.
type handle struct {
	opaque
	node  *node
	what  string // texture, surface
	value uint64
}

func (h *handle) String() string { return fmt.Sprintf("%s(%#x)", h.what, h.value) }

// Type is "texture" or "surface".
func (h *handle) Type() string { return h.what }

// image reads the size of an image in texels, a number or up to three.
func (b *buffer) image(c *call, size starlark.Value, index int64) (vm.Image, error) {
	sizes, err := shape(c, "size", size, [3]int{})
	if err != nil {
		return vm.Image{}, err
	}
	dims := 1
	if list, ok := size.(starlark.Sequence); ok {
		dims = list.Len()
	}
	t, ok := host.ChannelType(b.Dtype)
	if !ok {
		return vm.Image{}, c.fail("a texel's channels are 8, 16 or 32 bits wide, and buffer %s is of %s", b.Name, b.Dtype)
	}
	return vm.Image{Buffer: b.Buffer, Offset: index * int64(b.Dtype.Bytes()), Type: t, Dims: dims,
		Width: sizes[0], Height: sizes[1], Depth: sizes[2]}, nil
}

func (b *buffer) texture(c *call) (starlark.Value, error) {
	var size starlark.Value
	var t vm.Texture
	var address starlark.Value = starlark.String("clamp")
	channels, layers, index, filter := 1, 0, int64(0), "point"
	var cube, normalized, normalizedFloat, fetch bool
	if err := c.unpack("size", &size, "channels?", &channels, "layers?", &layers, "cube?", &cube, "filter?", &filter, "address?", &address,
		"normalized?", &normalized, "normalized_float?", &normalizedFloat, "fetch?", &fetch, "index?", &index); err != nil {
		return nil, err
	}
	var err error
	if t.Image, err = b.image(c, size, index); err != nil {
		return nil, err
	}
	t.Channels, t.Layers, t.Cube = channels, layers, cube
	t.Filter, t.Normalized, t.NormalizedFloat, t.Linear = filter, normalized, normalizedFloat, fetch
	if t.Address, err = addressModes(c, address); err != nil {
		return nil, err
	}
	b.node.steps++
	value, err := b.node.vm.Texture(t)
	if err != nil {
		return nil, err // it begins with texture:
	}
	return &handle{node: b.node, what: "texture", value: value}, nil
}

// addressModes reads one mode for all dimensions, or a list of them.
func addressModes(c *call, v starlark.Value) (modes [3]string, err error) {
	if mode, ok := starlark.AsString(v); ok {
		return [3]string{mode, mode, mode}, nil
	}
	list, ok := v.(starlark.Indexable)
	if !ok || list.Len() > len(modes) {
		return modes, c.fail("address is clamp, border, wrap or mirror, or a list with one for each dimension")
	}
	for i := range list.Len() {
		mode, ok := starlark.AsString(list.Index(i))
		if !ok {
			return modes, c.fail("an address mode is a text, not %s", list.Index(i).Type())
		}
		modes[i] = mode
	}
	return modes, nil
}

func (b *buffer) surface(c *call) (starlark.Value, error) {
	var size starlark.Value
	channels, layers, index := 1, 0, int64(0)
	var cube bool
	if err := c.unpack("size", &size, "channels?", &channels, "layers?", &layers, "cube?", &cube, "index?", &index); err != nil {
		return nil, err
	}
	i, err := b.image(c, size, index)
	if err != nil {
		return nil, err
	}
	i.Channels, i.Layers, i.Cube = channels, layers, cube
	b.node.steps++
	value, err := b.node.vm.Surface(i)
	if err != nil {
		return nil, err // it begins with surface:
	}
	return &handle{node: b.node, what: "surface", value: value}, nil
}

// bindTexture is node.bind_texture(k, name, handle).
func (n *node) bindTexture(c *call) (starlark.Value, error) {
	var of, to starlark.Value
	var name string
	if err := c.unpack("ptx", &of, "name", &name, "handle", &to); err != nil {
		return nil, err
	}
	m, ok := of.(*module)
	if !ok {
		return nil, c.fail("the first argument is a PTX file, not %s", of.Type())
	}
	h, ok := to.(*handle)
	if !ok || h.node != n {
		return nil, hinted("buffer.texture(size) makes one", "%s: a texture or surface of this machine, not %s", c.name, to.Type())
	}
	n.steps++
	if err := n.vm.BindTexture(m.isa, name, h.value); err != nil {
		return nil, c.fail("%w", err)
	}
	return starlark.None, nil
}
