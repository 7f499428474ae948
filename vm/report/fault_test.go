package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

var store = &isa.Func{Name: "k", Source: isa.NewSource("k.ptx", ".entry k ()\n{\n\t@%p\tst.global.u32 [%rd1], %r1;\n}\n")}

// storePos is the place of "st" in the third line.
var storePos = isa.Pos(strings.Index(store.Source.Text, "st.global"))

func TestFault(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault state.Fault
		want  []string
	}{
		{
			"a store out of bounds",
			state.Fault{
				Kind: state.FaultBounds, Message: "store of 4 bytes", Hint: "the nearest allocation is out, 16 bytes before", Func: store, Pos: storePos,
				Kernel: "k", Card: 3, CTA: [3]uint32{1, 0, 0}, Thread: [3]uint32{31, 0, 0}, HasThread: true, Addr: 0x10000000400, HasAddr: true,
			},
			[]string{
				"k.ptx:3:6: fault: out-of-bounds: store of 4 bytes",
				"  \t@%p\tst.global.u32 [%rd1], %r1;",
				"  \t   \t^",
				"  in kernel k, card 3, CTA (1,0,0), thread (31,0,0), address 0x10000000400",
				"  hint: the nearest allocation is out, 16 bytes before",
			},
		},
		{
			"a deadlock of several lines",
			state.Fault{Kind: state.FaultDeadlock, Message: "nothing can run\ncard 0 waits at :10 for card 1\ncard 1 has ended", Kernel: "k", Func: store, Pos: storePos},
			[]string{
				"k.ptx:3:6: fault: deadlock: nothing can run",
				"  \t@%p\tst.global.u32 [%rd1], %r1;",
				"  \t   \t^",
				"  card 0 waits at :10 for card 1",
				"  card 1 has ended",
				"  in kernel k, card 0",
			},
		},
		{
			"no place",
			state.Fault{Kind: state.FaultMaxCycles, Message: "1,000 cycles are over", Pos: isa.NoPos},
			[]string{"fault: max-cycles: 1,000 cycles are over", "  on card 0"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Fault(&b, &test.fault); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestFaultJSON(t *testing.T) {
	var b bytes.Buffer
	f := &state.Fault{Kind: state.FaultMisaligned, Message: "m", Func: store, Pos: storePos, Kernel: "k", Addr: 0x7f, HasAddr: true}
	if err := FaultJSON(&b, f); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Format int
		Fault  struct {
			Kind, File, Address string
			Line, Column        int
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Format != Format || got.Fault.Kind != "misaligned" || got.Fault.Address != "0x7f" || got.Fault.File != "k.ptx" || got.Fault.Line != 3 || got.Fault.Column != 6 {
		t.Errorf("%+v", got)
	}
}
