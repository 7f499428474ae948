package host

import (
	"strconv"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// textureForm is the hint for a texture or surface.
const textureForm = "texture(NAME, 640x480, linear, wrap, normalized, channels=4), surface(NAME, 640x480)"

// image reads texture(NAME, SIZE, …) and surface(NAME, SIZE, …): an object on another argument's buffer, whose element
// type is that of a channel. SIZE is W, WxH or WxHxD in texels.
func (v *flagValue) image(word, rest string) error {
	inner, closed := strings.CutSuffix(rest[1:], ")")
	if !closed {
		return v.fail(len(word)+len(rest), textureForm, "the ) is missing")
	}
	a := &textureArgument{surface: word == "surface"}
	a.texture.Channels = 1
	at := len(word) + 1
	for i, item := range strings.Split(inner, ",") {
		start := at + len(item) - len(strings.TrimLeft(item, " "))
		text := strings.TrimSpace(item)
		at += len(item) + 1
		var ok bool
		switch i {
		case 0:
			if text == "" || leadingWord(text) != text {
				return v.fail(start, textureForm, "the name of a buffer is missing")
			}
			a.buffer, ok = v.shortName(text), true
		case 1:
			ok = a.size(text)
		default:
			ok = a.option(text)
		}
		if !ok {
			return v.fail(start, textureForm, "%q is no %s of a %s", text, choose(i == 1, "size", "property"), word)
		}
	}
	if a.texture.Dims == 0 {
		return v.fail(len(word), textureForm, "the size is missing")
	}
	v.argument = a
	return nil
}

// size reads W, WxH or WxHxD.
func (a *textureArgument) size(text string) bool {
	sizes := []*int{&a.texture.Width, &a.texture.Height, &a.texture.Depth}
	words := strings.Split(text, "x")
	if len(words) > len(sizes) {
		return false
	}
	for i, word := range words {
		n, err := strconv.ParseUint(word, 10, 28)
		if err != nil || n == 0 {
			return false
		}
		*sizes[i] = int(n)
	}
	a.texture.Dims = len(words)
	return true
}

// option reads a property: a word, or NAME=NUMBER.
func (a *textureArgument) option(text string) bool {
	name, number, given := strings.Cut(text, "=")
	t := &a.texture
	if given {
		n, err := strconv.ParseUint(number, 10, 28)
		if err != nil || n == 0 {
			return false
		}
		switch name {
		case "layers":
			t.Layers = int(n)
		case "channels":
			t.Channels = int(n)
		default:
			return false
		}
		return true
	}
	switch {
	case text == "cube":
		t.Cube = true
	case a.surface:
		return false
	case text == "linear" || text == "point":
		t.Filter = text
	case text == "clamp" || text == "border" || text == "wrap" || text == "mirror":
		t.Address = [3]string{text, text, text}
	case text == "normalized":
		t.Normalized = true
	case text == "normalized_float":
		t.NormalizedFloat = true
	case text == "fetch":
		t.Linear = true
	default:
		return false
	}
	return true
}

// channelOf is the type of a texel's channel on a buffer, if the element type can be one.
func channelOf(b *bufferSpec) (isa.Type, bool) {
	t, ok := channelTypes[b.dtype]
	return t, ok
}
