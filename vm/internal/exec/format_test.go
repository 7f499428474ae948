package exec

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// TestFormat compares with what C's printf gives (ISO C, "The fprintf function").
func TestFormat(t *testing.T) {
	for _, test := range []struct {
		format string
		args   []any // int32, int64, float64
		want   string
	}{
		{"plain", nil, "plain"},
		{"%%|%c|", []any{int32('x')}, "%|x|"},
		{"%5d|%-5d|%05d|%+d|% d", []any{int32(42), int32(42), int32(42), int32(42), int32(42)}, "   42|42   |00042|+42| 42"},
		{"%.4d|%8.3d|%.0d|", []any{int32(-42), int32(5), int32(0)}, "-0042|     005||"},
		{"%u %x %X %#o %#x", []any{int32(-1), int32(255), int32(255), int32(8), int32(0)}, "4294967295 ff FF 010 0"},
		{"%hd %hhu %hhd", []any{int32(65537), int32(257), int32(255)}, "1 1 -1"},
		{"%lld %lx", []any{int64(math.MinInt64), int64(-1)}, "-9223372036854775808 ffffffffffffffff"},
		{"%d %lld %d %f", []any{int32(1), int64(2), int32(3), 4.0}, "1 2 3 4.000000"},
		{"%*d|%-*d|", []any{int32(4), int32(7), int32(4), int32(7)}, "   7|7   |"},
		{"%.2f %8.3f %-8.1f| %+.0f %#.0f", []any{2.345, -1.5, 2.25, 0.5, 3.0}, "2.35   -1.500 2.2     | +0 3."},
		{"%e %.0e %E", []any{12345.678, 12345.678, 1e-7}, "1.234568e+04 1e+04 1.000000E-07"},
		{"%g %g %g %g %G", []any{100000.0, 1e6, 1e-4, 1e-5, 1e-5}, "100000 1e+06 0.0001 1e-05 1E-05"},
		{"%a %a", []any{0.5, -2.75}, "0x1p-1 -0x1.6p+1"},
		{"%f %F %5.1f|%-6f|%06f", []any{math.Inf(1), math.Inf(-1), math.NaN(), math.NaN(), math.Inf(1)}, "inf -INF   nan|nan   |   inf"},
		{"%p", []any{int64(0xabc)}, "0xabc"},
		{"%s", []any{int64(0)}, "(null)"},
		{"50%!", nil, "50%!"},
		{"end %", nil, "end %"},
	} {
		var list []byte
		for _, a := range test.args {
			switch v := a.(type) {
			case int32:
				list = binary.LittleEndian.AppendUint32(list, uint32(v))
			case int64:
				list = append(list, make([]byte, -len(list)&7)...)
				list = binary.LittleEndian.AppendUint64(list, uint64(v))
			case float64:
				list = append(list, make([]byte, -len(list)&7)...)
				list = binary.LittleEndian.AppendUint64(list, math.Float64bits(v))
			}
		}
		node := &state.Node{}
		card := &state.Card{Node: node, Memory: memory.NewCard(0)}
		node.Cards = []*state.Card{card}
		launch := &state.Launch{Card: card, Params: list, Block: [3]int{1, 1, 1}}
		w := &state.Warp{CTA: &state.CTA{Launch: launch, Card: card}}
		p := &printer{w: w, op: &state.Op{Inst: &isa.Inst{}}, list: memory.ParamWindow}
		p.print(test.format)
		if p.signal != state.Next {
			t.Errorf("%q: %v", test.format, w.Fault)
		}
		if got := p.out.String(); got != test.want {
			t.Errorf("%q: %q, want %q", test.format, got, test.want)
		}
	}
}
