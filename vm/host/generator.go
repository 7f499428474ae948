package host

// generator makes the initial contents of a buffer on a card. The kinds are those of the case format; random and
// ramp are the command line's.
type generator struct {
	kind        string // zeros, fill, byte, iota, bits, lcg, list, file, ramp, random
	value       number // fill, byte
	start, step number // iota
	seed        uint32 // bits, lcg, random
	cardStep    uint32 // added to the seed once a card
	min, max    int64  // lcg
	scale       float64
	values      []number // list
	raw         []uint64 // list_bits: bit patterns
	data        [][]byte // file: the bytes of every card, or of all cards alike when there is one
}

// lcg is the linear congruential generator of the case format.
type lcg uint32

func (s *lcg) draw() uint32 {
	*s = *s*1664525 + 1013904223
	return uint32(*s)
}

// fill writes the contents for a card into dst, a whole number of elements.
func (g *generator) fill(d Dtype, card int, dst []byte) {
	count := int64(len(dst) / d.Bytes())
	each := func(element func(i int64) uint64) {
		for i := range count {
			d.put(dst, i, element(i))
		}
	}
	stream := lcg(g.seed + g.cardStep*uint32(card))
	switch g.kind {
	case "zeros":
		clear(dst)
	case "fill":
		if count > 0 {
			d.put(dst, 0, d.to(g.value))
		}
		for n := d.Bytes(); n < len(dst); n *= 2 {
			copy(dst[n:], dst[:n])
		}
	case "byte":
		for i := range dst {
			dst[i] = byte(g.value.bits)
		}
	case "iota":
		each(func(i int64) uint64 { return g.iota(d, i) })
	case "ramp":
		each(func(i int64) uint64 { return d.ramp(i) })
	case "bits":
		each(func(int64) uint64 { return stream.bits(d) })
	case "random":
		each(func(int64) uint64 { return stream.random(d) })
	case "lcg":
		span := uint64(g.max-g.min) + 1
		each(func(int64) uint64 {
			drawn := g.min + int64(uint64(stream.draw()>>8)%span)
			if g.scale == 1 && !d.Float() {
				return uint64(drawn) & d.mask()
			}
			return d.Round(float64(drawn) * g.scale)
		})
	case "list":
		each(func(i int64) uint64 {
			if i < int64(len(g.values)) {
				return d.to(g.values[i])
			}
			return 0
		})
	case "list_bits":
		each(func(i int64) uint64 {
			if i < int64(len(g.raw)) {
				return g.raw[i]
			}
			return 0
		})
	case "file":
		clear(dst)
		copy(dst, g.data[min(card, len(g.data)-1)])
	}
}

// iota is element i of start, start+step, start+2·step, …
func (g *generator) iota(d Dtype, i int64) uint64 {
	if g.start.integral && g.step.integral {
		sum := g.start.bits + g.step.bits*uint64(i)
		if !d.Float() {
			return sum & d.mask()
		}
	}
	return d.Round(g.start.real + g.step.real*float64(i))
}

// ramp is 0, 1, 2, … It starts again at the first power of two whose successor a float type can't hold, so that
// every element is an exact integer (bf16: 256).
func (d Dtype) ramp(i int64) uint64 {
	if d.Float() {
		return d.Round(float64(i % (2 << dtypeRows[d].frac)))
	}
	return uint64(i) & d.mask()
}

// bits draws an element of any bit pattern: the top bits of one draw, for 64-bit types two draws, high word first.
func (s *lcg) bits(d Dtype) uint64 {
	if d.Bytes() == 8 {
		high := uint64(s.draw())
		return high<<32 | uint64(s.draw())
	}
	return uint64(s.draw() >> (32 - 8*d.Bytes()))
}

// random draws a float from [-1, 1) in steps that the type holds exactly near 1 (2^-7 for bf16, 2^-10 for f16,
// 2^-23 else), and an integer of any bit pattern.
func (s *lcg) random(d Dtype) uint64 {
	if !d.Float() {
		return s.bits(d)
	}
	steps := uint32(1) << min(dtypeRows[d].frac, 23)
	drawn := int64(s.draw()>>8%(2*steps)) - int64(steps)
	return d.Round(float64(drawn) / float64(steps))
}
