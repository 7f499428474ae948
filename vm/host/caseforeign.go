package host

// Tensor maps are read as strictly as everything else, so that a case is right or wrong whether or not this version can
// run it.

// readTensorMap checks {"tensormap": …}, tiled or im2col.
func (c *Case) readTensorMap(o *object) argument {
	m, ok := o.r.object(o.get("tensormap"), "a tensor map")
	if !ok {
		return foreignArgument{what: "tensormap"}
	}
	m.need("buffer")
	if m.has("buffer") {
		c.bufferName(m, "buffer")
	}
	m.dtype("dtype")
	rank := len(m.integers("dims", 1))
	lengths := map[string]int{"strides_bytes": rank - 1, "element_strides": rank}
	least := map[string]int64{"element_strides": 1, "box": 1, "lower_corner": -1 << 15, "upper_corner": -1 << 15}
	switch m.word("mode", "tiled", "im2col") {
	case "tiled":
		lengths["box"] = rank
	case "im2col":
		lengths["lower_corner"], lengths["upper_corner"] = rank-2, rank-2
		m.integer("channels_per_pixel", 1, 1)
		m.integer("pixels_per_column", 1, 1)
	}
	for _, name := range sortedKeys(lengths) {
		if n := m.need(name); n != nil && len(m.integers(name, least[name])) != lengths[name] {
			o.r.report(n, "", "%q has %d items for %d dimensions", name, len(n.items), rank)
		}
	}
	m.word("swizzle", "none", "32", "64", "128")
	m.word("interleave", "none", "16", "32")
	m.word("oob", "zeros", "nan")
	m.word("l2", "none", "64", "128", "256")
	m.integer("byte_offset", 0, 0)
	m.done()
	return foreignArgument{what: "tensormap"}
}
