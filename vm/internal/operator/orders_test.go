package operator

import (
	"encoding/binary"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
)

// bf16 has 8 bits of mantissa: from 256 on its neighbours are 2 apart. 256 + 1 + 1 + 1 is 259: in f32 that is rounded
// once, to the even one of 258 and 260, 260. Rounded after every card 256 + 1 stays 256, ties going to even. A tree
// adds 256 + 1 to 256 and 1 + 1 to 2: 258, one neighbour below 260. A ring of one element starts at card 0, as the chain.
func TestOrders(t *testing.T) {
	in := make([][]byte, 4)
	for card, bits := range []uint16{0x4380, 0x3f80, 0x3f80, 0x3f80} {
		in[card] = binary.LittleEndian.AppendUint16(nil, bits)
	}
	want := map[string][3]uint64{ // differs, ulp from reduce, ulp from the exact sum
		"card order, f32, rounded once (reduce)": {0, 0, 0},
		"card order, rounded after every card":   {1, 2, 2},
		"ring, f32 carried round, rounded once":  {0, 0, 0},
		"ring, rounded at every hop":             {1, 2, 2},
		"binary tree, f32, rounded once":         {0, 0, 0},
		"binary tree, rounded at every node":     {1, 1, 1},
	}
	got := Orders(isa.BF16, in)
	if len(got) != len(want) {
		t.Fatalf("%d orders, want %d", len(got), len(want))
	}
	for _, o := range got {
		if w := want[o.Name]; w != [3]uint64{o.Differ, o.Most, o.FromExact} || o.Elements != 1 || o.Sum != o.Most {
			t.Errorf("%s: %+v, want %v", o.Name, o, w)
		}
	}
}

// Four elements on four cards: chunk j of a ring starts at card j. In f32, 2^24 + 1 + 1 + (-2^24): from card 0 the ones
// are lost one by one (2^24 + 1 rounds to even), 0; from card 1 they come first, 2 + -2^24 + 2^24 = 2; from card 2
// 1 - 2^24 = -16777215, + 2^24 = 1, + 1 = 2; from card 3 the great ones cancel, 2.
func TestRingStartsAtItsChunk(t *testing.T) {
	words := []uint32{0x4b800000, 0x3f800000, 0x3f800000, 0xcb800000}
	in := make([][]byte, 4)
	for card := range in {
		for range 4 {
			in[card] = binary.LittleEndian.AppendUint32(in[card], words[card])
		}
	}
	for _, o := range Orders(isa.F32, in) {
		if o.Name == "ring, f32 carried round, rounded once" && (o.Differ != 3 || o.Elements != 4) {
			t.Errorf("ring: %+v, want three elements other than the chain's 0", o)
		}
	}
}

func TestOrdersOfOtherTypes(t *testing.T) {
	if got := Orders(isa.U32, [][]byte{{0, 0, 0, 0}, {0, 0, 0, 0}}); got != nil {
		t.Errorf("integers: %v, want none", got)
	}
}
