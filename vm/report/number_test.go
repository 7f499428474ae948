package report

import "testing"

func TestNumbers(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{thousands(0), "0"},
		{thousands(999), "999"},
		{thousands(1000), "1,000"},
		{thousands(1234567), "1,234,567"},
		{overhead(0.673), "67.3 %"},
		{overhead(9.99), "999.0 %"},
		{overhead(10), "10.0 x"},
		{signed(-0.1557), "-16 %"},
		{percent(0.004), "<1 %"},
		{percent(0), "0 %"},
		{percent(0.534), "53 %"},
		{significant(366.1), "366"},
		{significant(0.81355), "0.81"},
		{significant(0.000228), "0.00023"},
		{ghz(1830), "1.83"},
		{ghz(2520), "2.52"},
		{binary(2 << 20), "2 MiB"},
		{binary(1536), "1.5 KiB"},
		{binary(32), "32 B"},
		{decimal(18874368), "18.9 MB"},
		{decimal(999), "999 B"},
		{cardList([]int{0, 1, 2, 3, 4, 6, 7}), "0-4,6,7"},
		{cardList([]int{5}), "5"},
		{cardList([]int{0, 1}), "0,1"},
		{plural(1, "round"), "1 round"},
		{plural(64, "round"), "64 rounds"},
		{perTime(309e6), "309.0 M/s"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

// The public measurements are complete: each has a card, a size, a time and a source.
func TestMeasurements(t *testing.T) {
	list := Measurements()
	if len(list) < 100 {
		t.Errorf("%d measurements", len(list))
	}
	for _, m := range list {
		if m.Card == "" || m.Fabric == "" || m.Cards < 2 || m.Method == "" || m.Bytes == 0 || m.Micros <= 0 || m.Source == "" {
			t.Errorf("incomplete: %+v", m)
		}
	}
}

func TestClosest(t *testing.T) {
	if got := closest("H100", "nvlink", 8, "multimem", 2<<20); len(got) != 1 || got[0].Micros != 20 {
		t.Errorf("2 MiB: %+v, want the 20 us that tokenweave measured", got)
	}
	if got := closest("H100", "nvlink", 8, "multimem", 1<<40); got != nil {
		t.Errorf("1 TiB: %+v, want none", got)
	}
	if got := closest("H100", "nvlink", 7, "NCCL", 2<<20); got != nil {
		t.Errorf("7 cards: %+v, want none", got)
	}
}
