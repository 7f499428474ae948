package host

import (
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
)

// FuzzCase reads any text as a case file: it is a case or an error with places, never a panic.
func FuzzCase(f *testing.F) {
	f.Add(sampleCase)
	f.Add(`{"format": 1, "ptx": "a.ptx", "cards": 2, "entry": "k", "grid": [1,1,1], "block": [1,1,1], "args": [], "buffers": {}}`)
	f.Add("[1e999, -0, \"\\ud800\"]")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := decodeCase(isa.NewSource("case.json", text), sampleFiles, "")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "case.json:") {
				t.Errorf("no place: %v", err)
			}
			return
		}
		for _, b := range c.buffers {
			if b.init != nil && b.bytes < 1<<16 {
				b.init(0, make([]byte, b.bytes))
			}
		}
	})
}

// FuzzArgument reads any text as the value of each kind of parameter.
func FuzzArgument(f *testing.F) {
	for _, value := range []string{"1", "-0x8", "1.5", "nan", "f32[4]:ramp", "u8:1,2", "hex:00ff", "rank", "a@1+4", "peers(a)", "bf16[1<<3]:random(7)"} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if strings.HasPrefix(value, "@") {
			return // files of the host
		}
		m, entry := testEntry()
		for _, p := range entry.Params {
			text := p.Name + "=" + value
			in, err := readFlags(m, entry, withDefaults([]string{text}), shared, 2)
			if err != nil {
				if !strings.HasPrefix(err.Error(), "--arg ") {
					t.Errorf("%s: no flag named: %v", text, err)
				}
				continue
			}
			b := bind(in, 2)
			for i, a := range in.arguments {
				a.put(b, 1, make([]byte, paramSize(entry.Params[i])))
			}
		}
	})
}
