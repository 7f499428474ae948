package host

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
)

var update = flag.Bool("update", false, "rewrite the golden files of error messages")

// fakeDevice is a buffer whose addresses are easy to tell apart: (card+1)<<38 + base, as on the node.
type fakeDevice uint64

func (f fakeDevice) Addr(card int) uint64 { return uint64(card+1)<<38 + uint64(f) }
func (f fakeDevice) Multicast() uint64    { return 0x6d<<40 + uint64(f) }

// testEntry has a parameter of every kind.
func testEntry() (*isa.Module, *isa.Func) {
	f := &isa.Func{Name: "k", Entry: true, Defined: true}
	offset := 0
	add := func(name string, t isa.Type, dims ...int) {
		size := t.Bytes()
		for _, n := range dims {
			size *= n
		}
		align := t.Bytes()
		if len(dims) > 0 {
			align = 8
		}
		offset = (offset + align - 1) / align * align
		f.Params = append(f.Params, &isa.Var{Name: name, Space: isa.SpaceParam, Type: t, Dims: dims, Size: size, Align: align, Offset: offset, Reg: isa.NoReg, Func: f})
		offset += size
	}
	add("a", isa.U64)
	add("b", isa.B64)
	add("n", isa.U32)
	add("i", isa.S16)
	add("x", isa.F32)
	add("d", isa.F64)
	add("h", isa.F16)
	add("w", isa.B32)
	add("peers", isa.B8, 64)
	add("pair", isa.B8, 8)
	m := &isa.Module{Source: isa.NewSource("k.ptx", ""), Funcs: []*isa.Func{f}, AddressSize: 64}
	return m, f
}

// defaults fills every parameter that a test doesn't name.
var defaults = map[string]string{"a": "u32[4]", "b": "f32[2]:ones", "n": "0", "i": "0", "x": "0", "d": "0", "h": "0", "w": "0", "peers": "peers(s)", "pair": "hex:0000000000000000"}

// shared is a buffer without a parameter that the defaults point to.
var shared = []string{"s=u32[4]"}

func withDefaults(args []string) []string {
	given := map[string]bool{}
	for _, a := range args {
		name, _, _ := strings.Cut(a, "=")
		given[strings.Replace(strings.TrimPrefix(name, "%"), "2", "n", 1)] = true // 2 is n's position
	}
	for _, p := range []string{"a", "b", "n", "i", "x", "d", "h", "w", "peers", "pair"} {
		if !given[p] {
			args = append(args, p+"="+defaults[p])
		}
	}
	return args
}

// bind works the inputs out against fake buffers, at 0x1000, 0x2000, … in order of declaration.
func bind(in *inputs, cards int) *binding {
	b := &binding{cards: cards, buffers: map[string]device{}, tables: map[string]device{}}
	for i, spec := range in.buffers {
		b.buffers[spec.name] = fakeDevice(0x1000 * (i + 1))
		b.tables[spec.name] = fakeDevice(0x100000 * (i + 1))
	}
	return b
}

// TestArgumentForms gives one parameter a value and checks its bytes on card 1 of 4.
func TestArgumentForms(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data ...byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("eight.bin", 1, 2, 3, 4, 5, 6, 7, 8)
	for card := range 4 {
		write("card-"+string(rune('0'+card))+".bin", byte(card), 0, 0, 0, 0, 0, 0, 9)
	}
	le := func(bits uint64, size int) []byte {
		b := make([]byte, size)
		putBytes(b, bits)
		return b
	}
	const card1 = 2 << 38 // the range of card 1
	peers := make([]byte, 64)
	for card := range 4 {
		putBytes(peers[8*card:8*card+8], uint64(card+1)<<38+0x1000)
	}
	for _, c := range []struct {
		arg  string
		want []byte
	}{
		{"n=42", le(42, 4)}, {"n=0x2a", le(42, 4)}, {"n=-1", le(0xffffffff, 4)}, {"n=4294967295", le(0xffffffff, 4)},
		{"%n=7", le(7, 4)}, {"2=7", le(7, 4)}, {"n=+7", le(7, 4)},
		{"a=18446744073709551615", le(0xffffffffffffffff, 8)}, {"a=-9223372036854775808", le(1<<63, 8)}, {"a=0", le(0, 8)},
		{"i=-32768", le(0x8000, 2)}, {"w=0xdeadbeef", le(0xdeadbeef, 4)},
		{"x=1.5", le(0x3fc00000, 4)}, {"x=1", le(0x3f800000, 4)}, {"x=-inf", le(0xff800000, 4)}, {"x=nan", le(0x7fc00000, 4)},
		{"x=0f3F800000", le(0x3f800000, 4)}, {"x=1e-3", le(0x3a83126f, 4)}, {"x=.5", le(0x3f000000, 4)},
		{"d=0.1", le(0x3fb999999999999a, 8)}, {"d=0d4000000000000000", le(0x4000000000000000, 8)},
		{"h=65504", le(0x7bff, 2)}, {"h=0.1", le(0x2e66, 2)}, {"h=hex:003c", le(0x3c00, 2)},
		{"w=f32:1.5", le(0x3fc00000, 4)}, {"w=bf16:1,2", le(0x40003f80, 4)}, {"n=hex:01020304", []byte{1, 2, 3, 4}},
		{"n=rank", le(1, 4)}, {"n=cards", le(4, 4)}, {"i=rank", le(1, 2)}, {"a=cards", le(4, 8)},
		{"a=u32[4]", le(card1+0x1000, 8)}, {"b=f32[4]:zeros", le(card1+0x2000, 8)}, {"b=bf16[1<<10]:ramp", le(card1+0x2000, 8)},
		{"b=u8:1,2,3", le(card1+0x2000, 8)}, {"b=hex:0102", le(card1+0x2000, 8)}, {"b=@" + dir + "/eight.bin", le(card1+0x2000, 8)},
		{"b=a", le(card1+0x1000, 8)}, {"b=a@3", le(4<<38+0x1000, 8)}, {"b=a+16", le(card1+0x1010, 8)}, {"b=a@0+0x10", le(1<<38+0x1010, 8)},
		{"b=peers(a)", le(card1+0x100000, 8)}, {"b=table(a)", le(card1+0x100000, 8)}, {"b=multicast(a)", le(0x6d<<40+0x1000, 8)},
		{"peers=peers(a)", peers}, {"pair=@" + dir + "/eight.bin", []byte{1, 2, 3, 4, 5, 6, 7, 8}},
		{"pair=@" + dir + "/card-%d.bin", []byte{1, 0, 0, 0, 0, 0, 0, 9}}, {"pair=u32:1,2", []byte{1, 0, 0, 0, 2, 0, 0, 0}},
		{"pair={a+16}", le(card1+0x1010, 8)}, {"pair={u8 1, u16 2, f32 1.5}", []byte{1, 0, 2, 0, 0, 0, 0xc0, 0x3f}},
		{"pair={@4 i32 -2}", []byte{0, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff}}, {"pair={f16 inf,@6 u8 255}", []byte{0, 0x7c, 0, 0, 0, 0, 0xff, 0}},
		{"pair={-1}", le(0xffffffffffffffff, 8)}, {"pair={a@3}", le(4<<38+0x1000, 8)}, {"peers={u32[4]:ones, @56 0x10}", append(append(le(card1+0x3000, 8), make([]byte, 48)...), le(16, 8)...)},
	} {
		m, entry := testEntry()
		in, err := readFlags(m, entry, withDefaults([]string{c.arg}), shared, 4)
		if err != nil {
			t.Errorf("%s: %v", c.arg, err)
			continue
		}
		_, index, _ := splitArgument(entry, c.arg)
		got := make([]byte, paramSize(entry.Params[index]))
		in.arguments[index].put(bind(in, 4), 1, got)
		if !bytes.Equal(got, c.want) {
			t.Errorf("%s: bytes %x, want %x", c.arg, got, c.want)
		}
	}
}

// TestBufferForms checks size and contents of the buffers that values make.
func TestBufferForms(t *testing.T) {
	dir := t.TempDir()
	for card := range 4 {
		if err := os.WriteFile(filepath.Join(dir, "c"+string(rune('0'+card))), []byte{byte(card), 7}, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		value string
		dtype Dtype
		bytes int64
		want  []byte // first bytes on card 1; nil: never written
	}{
		{"f32[4]", F32, 16, nil},
		{"f32[2]:ones", F32, 8, []byte{0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f}},
		{"u16[0x3]:ramp", U16, 6, []byte{0, 0, 1, 0, 2, 0}},
		{"i8:-1,2", I8, 2, []byte{0xff, 2}},
		{"f16: 1, -inf", F16, 4, []byte{0, 0x3c, 0, 0xfc}},
		{"hex:0a0B", U8, 2, []byte{10, 11}},
		{"@" + dir + "/c%d", U8, 2, []byte{1, 7}},
		{"u64[1<<20]:zeros", U64, 8 << 20, []byte{0, 0}},
	} {
		m, entry := testEntry()
		in, err := readFlags(m, entry, withDefaults(nil), []string{"s=u32[4]", "extra=" + c.value}, 4)
		if err != nil {
			t.Errorf("%s: %v", c.value, err)
			continue
		}
		b := in.byName["extra"]
		if b.dtype != c.dtype || b.bytes != c.bytes || (b.init == nil) != (c.want == nil) {
			t.Errorf("%s: %s, %d bytes, init %t", c.value, b.dtype, b.bytes, b.init != nil)
			continue
		}
		if b.init != nil {
			data := make([]byte, b.bytes)
			b.init(1, data)
			if !bytes.Equal(data[:len(c.want)], c.want) {
				t.Errorf("%s: contents %x, want %x", c.value, data[:len(c.want)], c.want)
			}
		}
	}
}

func TestPrintWindows(t *testing.T) {
	byName := map[string]*bufferSpec{"out": {name: "out", dtype: F32, bytes: 64}}
	for text, want := range map[string]window{
		"out":            {dtype: F32, from: 0, to: 8},
		"out[2]":         {dtype: F32, from: 2, to: 3},
		"out[2:5]":       {dtype: F32, from: 2, to: 5},
		"out[:5]":        {dtype: F32, from: 0, to: 5},
		"out[12:]":       {dtype: F32, from: 12, to: 16},
		"out[30:32]:u16": {dtype: U16, from: 30, to: 32},
		"out:u8":         {dtype: U8, from: 0, to: 8},
	} {
		got, err := readWindow(text, byName)
		got.buffer = nil
		if err != nil || got != want {
			t.Errorf("--print %s: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

// TestFlagErrors compares the messages of testdata/flagerrors.txt: after a line "$ FLAG TEXT" the whole error.
func TestFlagErrors(t *testing.T) {
	checkErrors(t, "flagerrors.txt", func(line string) error {
		m, entry := testEntry()
		kind, text, _ := strings.Cut(line, " ")
		switch kind {
		case "--arg":
			_, err := readFlags(m, entry, withDefaults([]string{text}), shared, 4)
			return err
		case "--args": // exactly these
			_, err := readFlags(m, entry, strings.Fields(text), nil, 4)
			return err
		case "--buffer":
			_, err := readFlags(m, entry, withDefaults(nil), append([]string{text}, shared...), 4)
			return err
		}
		in, err := readFlags(m, entry, withDefaults(nil), shared, 4)
		if err != nil {
			return err
		}
		if kind == "--dump" {
			_, err = readDump(text, in.byName)
		} else {
			_, err = readWindow(text, in.byName)
		}
		return err
	})
}

// checkErrors checks a file of chunks: a line "$ INPUT" and below it the error that run must answer. With -update the
// answers are rewritten.
func checkErrors(t *testing.T, file string, run func(input string) error) {
	t.Helper()
	path := filepath.Join("testdata", file)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for chunk := range strings.SplitSeq(string(text), "$ ") {
		if strings.TrimSpace(chunk) == "" {
			continue
		}
		input, want, _ := strings.Cut(chunk, "\n")
		input, want = strings.TrimSpace(input), strings.TrimRight(want, "\n")
		got := ""
		if err := run(input); err != nil {
			got = err.Error()
		} else {
			t.Errorf("%s: no error", input)
		}
		if got != want && !*update {
			t.Errorf("%s:\n%s\nwant\n%s", input, got, want)
		}
		out.WriteString("$ " + input + "\n" + got + "\n\n")
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.TrimRight(out.String(), "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMissingFileIsNamed(t *testing.T) {
	m, entry := testEntry()
	_, err := readFlags(m, entry, []string{"a=@no-such-file.bin"}, nil, 1)
	var flagErr *FlagError
	if !errors.As(err, &flagErr) || !strings.Contains(flagErr.Msg, "no-such-file.bin") {
		t.Errorf("error %v", err)
	}
}
