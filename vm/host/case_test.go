package host

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tollgate-sim/tollgate/isa"
)

// sampleCase has something of everything that a case file can say.
const sampleCase = `{
 "format": 1,
 "name": "sample",
 "description": "everything at once",
 "topics": ["a", "b"],
 "ptx": "sample.ptx",
 "variants": ["sample.O0.ptx", ["one.ptx", "two.ptx"]],
 "modules": {"step": "step.ptx"},
 "builds": {"sample.O0.ptx": {"target": "sm_90", "params": 3, "entry_names": {"k": "k_0d"}}},
 "cards": 2,
 "machine": "h100-sxm",
 "groups": {"2": [1], "1": [0, 1]},
 "launches": [
  {"entry": "k", "grid": [4, 1, 1], "block": [128, 1, 1], "cluster": [2, 1, 1], "shared_bytes": 64, "stream": "main", "group": [0],
   "args": [{"buffer": "in"}, {"buffer": "in", "card": 1, "byte_offset": 16}, {"buffer": "in", "card_offset": -1}, {"multicast": "out"},
    {"peer_table": "in"}, {"peer_array": "in", "slots": 4}, {"scalar": -1, "type": "u32"}, {"scalar": 0.1, "type": "bf16"},
    {"rank": true, "type": "u32"}, {"cards": true, "type": "i64"},
    {"texture": {"buffer": "in", "dims": 2, "dtype": "u8", "channels": 4, "width": 2, "height": 2, "filter": "linear", "address": "wrap", "read": "element"}},
    {"tensormap": {"buffer": "in", "dtype": "f32", "dims": [2, 2], "strides_bytes": [16], "box": [2, 1], "element_strides": [1, 1], "swizzle": "64", "oob": "nan"}},
    {"struct": [{"offset": 8, "buffer": "out"}, {"offset": 2, "scalar": 7, "type": "u16"}], "size": 16, "align": 8}]},
  {"suspend": true, "stream": "comm"},
  {"delay": 1000, "stream": "comm", "cards": [1]},
  {"module": "step", "entry": "mma", "grid": [1, 1, 1], "block": [32, 1, 1], "args": []},
  {"resume": true, "stream": "comm"} ],
 "buffers": {
  "in": {"dtype": "f32", "count": 4, "init": {"gen": "file", "file": "in.bin"}, "multicast": true},
  "out": {"dtype": "i16", "count": 2, "per_card": [{"gen": "list", "values": [1, -2]}, {"gen": "list_bits", "values": ["ffff", "0x7"]}]},
  "raw": {"dtype": "u64", "count": 3}
 },
 "expect": {
  "in": {"cards": [0, 1], "same": true, "file": "in.bin", "tolerance": {"abs": 0.5, "rel": 0}},
  "out": {"cards": [1], "values": [-1, 7], "tolerance": "exact", "compare": "sorted"},
  "raw": {"sha256": "2c99e266cc8ac8f6efe3a00a59090b9db61b014fe70bb065c05459b1e4d8cb22", "bytes": 48, "tolerance": "exact"}
 },
 "expect_fault": {"kind": "trap", "cards": [0]},
 "expect_stdout": {"order": "any", "lines": ["b", "a"]}
}
`

var sampleFiles = fstest.MapFS{"in.bin": {Data: []byte("0123456789abcdef")}}

func readSample(t *testing.T, text string) *Case {
	t.Helper()
	c, err := decodeCase(isa.NewSource("case.json", text), sampleFiles, "folder")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCase(t *testing.T) {
	c := readSample(t, sampleCase)
	if c.Name != "sample" || c.Cards != 2 || c.Machine != "h100-sxm" {
		t.Errorf("name %q, cards %d, machine %q", c.Name, c.Cards, c.Machine)
	}
	if got := []string{c.VariantName(0), c.VariantName(1), c.VariantName(2)}; !slices.Equal(got, []string{"sample.ptx", "sample.O0.ptx", "one.ptx+two.ptx"}) {
		t.Errorf("variants %q", got)
	}
	if b := c.builds["sample.O0.ptx"]; b.params != 3 || b.entries["k"] != "k_0d" {
		t.Errorf("build %+v", b)
	}
	if fmt.Sprint(c.groups) != "[{1 [0 1]} {2 [1]}]" {
		t.Errorf("groups %v", c.groups)
	}
	var kinds []string
	for _, s := range c.steps {
		kinds = append(kinds, fmt.Sprintf("%d %q %v %d", s.kind, s.stream, s.cards, s.delay))
	}
	want := []string{`0 "main" [] 0`, `2 "comm" [] 0`, `1 "comm" [1] 1000`, `0 "" [] 0`, `3 "comm" [] 0`}
	if !slices.Equal(kinds, want) {
		t.Errorf("steps %q", kinds)
	}
	k := c.steps[0]
	if k.grid != [3]int{4, 1, 1} || k.block != [3]int{128, 1, 1} || k.cluster != [3]int{2, 1, 1} || k.shared != 64 || !slices.Equal(k.group, []int{0}) {
		t.Errorf("launch %+v", k)
	}
	if c.steps[3].module != "step" || c.fault.kind != "trap" || c.stdout.exact || !c.expect[1].sorted || !c.expect[0].same {
		t.Error("module, fault, stdout or expectations are not as written")
	}
}

// TestCaseArguments checks the parameter bytes of the sample's first launch on card 1 of 2.
func TestCaseArguments(t *testing.T) {
	c := readSample(t, sampleCase)
	b := &binding{cards: 2, buffers: map[string]device{"in": fakeDevice(0x1000), "out": fakeDevice(0x2000)}, tables: map[string]device{"in": fakeDevice(0x9000)}}
	words := func(values ...uint64) []byte {
		out := make([]byte, 8*len(values))
		for i, v := range values {
			putBytes(out[8*i:8*i+8], v)
		}
		return out
	}
	want := [][]byte{
		words(2<<38 + 0x1000), words(2<<38 + 0x1010), words(1<<38 + 0x1000), words(0x6d<<40 + 0x2000), words(2<<38 + 0x9000),
		words(1<<38+0x1000, 2<<38+0x1000, 0, 0), {0xff, 0xff, 0xff, 0xff}, {0xcd, 0x3d}, {1, 0, 0, 0}, words(2), words(6 << 32), nil,
		append([]byte{0, 0, 7, 0, 0, 0, 0, 0}, words(2<<38+0x2000)...),
	}
	if a, ok := c.steps[0].arguments[10].argument.(*textureArgument); ok {
		b.objects = map[*textureArgument]uint64{a: 6 << 32} // the node would give it
	}
	for i, a := range c.steps[0].arguments {
		if want[i] == nil {
			var unsupported *UnsupportedError
			if err := a.argument.check(a.size, c.byName, 2); !errors.As(err, &unsupported) {
				t.Errorf("argument %d: %v, want it unsupported", i, err)
			}
			continue
		}
		if err := a.argument.check(a.size, c.byName, 2); err != nil || a.size != len(want[i]) {
			t.Errorf("argument %d: %d bytes, want %d; %v", i, a.size, len(want[i]), err)
			continue
		}
		got := make([]byte, a.size)
		a.argument.put(b, 1, got)
		if !slices.Equal(got, want[i]) {
			t.Errorf("argument %d: % x, want % x", i, got, want[i])
		}
	}
}

// TestCaseErrors compares the messages of testdata/caseerrors.txt. An input "OLD => NEW" is the sample with the one
// OLD replaced by NEW.
func TestCaseErrors(t *testing.T) {
	checkErrors(t, "caseerrors.txt", func(input string) error {
		old, replacement, found := strings.Cut(input, " => ")
		if !found || strings.Count(sampleCase, old) != 1 {
			t.Errorf("%q stands %d times in the sample", old, strings.Count(sampleCase, old))
			return nil
		}
		_, err := decodeCase(isa.NewSource("case.json", strings.Replace(sampleCase, old, replacement, 1)), sampleFiles, "")
		return err
	})
}

// TestCaseNeverPanics reads every prefix of the sample, and the sample with every byte replaced.
func TestCaseNeverPanics(t *testing.T) {
	for i := range len(sampleCase) {
		if _, err := decodeCase(isa.NewSource("case.json", sampleCase[:i]), sampleFiles, ""); err == nil && i < len(sampleCase)-1 {
			t.Errorf("the first %d bytes are accepted", i)
		}
		for _, b := range []string{`"`, "}", "\xff"} {
			_, _ = decodeCase(isa.NewSource("case.json", sampleCase[:i]+b+sampleCase[i+1:]), sampleFiles, "")
		}
	}
	deep := strings.Repeat("[", 100000)
	if _, err := decodeCase(isa.NewSource("case.json", deep), sampleFiles, ""); err == nil || !strings.Contains(err.Error(), "100 deep") {
		t.Errorf("deep nesting: %.200v", err)
	}
}
