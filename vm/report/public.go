package report

import (
	_ "embed" // the table of public measurements
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
	"sync"
)

// publicTable holds measured all-reduce times: card, fabric, cards, method, bytes, microseconds, source.
// Times of the Azure tables are derived from the bus bandwidth that they print.
//
//go:embed public.tsv
var publicTable string

// Measurement is one public measurement of an all-reduce.
type Measurement struct {
	Card   string // H200, RTX 4090
	Fabric string // as in a machine file
	Cards  int
	Method string // NCCL, multimem
	Bytes  uint64
	Micros float64
	Source string
}

// Measurements returns the table, in file order.
var Measurements = sync.OnceValue(func() []Measurement {
	var list []Measurement
	for _, line := range strings.Split(strings.TrimSpace(publicTable), "\n")[1:] {
		c := strings.Split(line, "\t")
		cards, _ := strconv.Atoi(c[2])
		bytes, _ := strconv.ParseUint(c[4], 10, 64)
		us, _ := strconv.ParseFloat(c[5], 64)
		list = append(list, Measurement{c[0], c[1], cards, c[3], bytes, us, c[6]})
	}
	return list
})

// cardNames are the cards of the machine files as the measurements name them, nearest first.
var cardNames = map[string][]string{
	"h200": {"H200", "H100"},
	"h100": {"H100", "H200", "RTX 4090"}, // the last for PCIe
	"a100": {"A100"},
	"rtx":  {"RTX 4090"},
}

// nearest finds, for each method, the measurements that are nearest to the run's collective: the same fabric and
// number of cards, the nearest size within a factor of two, the same card before its sister. Methods come in a fixed order.
func (f *figures) nearest() [][]Measurement {
	if f.payload == 0 || f.reduce == nil {
		return nil
	}
	family, _, _ := strings.Cut(path.Base(f.r.Machine.Name), "-")
	var out [][]Measurement
	for _, method := range []string{"multimem", "NCCL"} {
		for _, card := range cardNames[family] {
			if list := closest(card, string(f.r.Machine.Fabric.Kind), int(f.peers)+1, method, f.payload); list != nil {
				out = append(out, list)
				break
			}
		}
	}
	return out
}

// closest returns the measurements of one kind at the size nearest to bytes, nil if none is within a factor of two.
func closest(card, fabric string, cards int, method string, bytes uint64) []Measurement {
	const reach = 1.0 // octaves
	best := math.Inf(1)
	var list []Measurement
	for _, m := range Measurements() {
		if m.Card != card || m.Fabric != fabric || m.Cards != cards || m.Method != method {
			continue
		}
		switch d := math.Abs(math.Log2(float64(m.Bytes) / float64(bytes))); {
		case d > reach || d > best:
		case d < best:
			best, list = d, []Measurement{m}
		default:
			list = append(list, m)
		}
	}
	return list
}

// realGPUs sets the simulated time of the collective beside the nearest public measurements.
func (f *figures) realGPUs() []string {
	here := f.kernelTime()
	found := f.nearest()
	if len(found) == 0 || here == 0 {
		return nil
	}
	var parts []string
	for _, list := range found {
		low, high := math.Inf(1), 0.0
		for _, m := range list {
			low, high = min(low, m.Micros), max(high, m.Micros)
		}
		times := fmt.Sprintf("%.1f", low)
		if high > low {
			times = fmt.Sprintf("%.0f-%.0f", low, high)
		}
		m := list[0]
		s := fmt.Sprintf("%s %s us (%dx%s)", m.Method, times, m.Cards, m.Card)
		if m.Bytes != f.payload {
			s = binary(m.Bytes) + " " + s
		}
		parts = append(parts, s)
	}
	return labelled("Real GPUs", fmt.Sprintf("%s all-reduce: %s; here %.1f us", binary(f.payload), strings.Join(parts, ", "), micros(here, f.clock)))
}

// kernelTime is the time of a launch with operators, from its start to its end, on the card that waited least.
func (f *figures) kernelTime() (least uint64) {
	for _, l := range f.r.Launches {
		if d := l.End - min(l.Start, l.End); l.Operators && (least == 0 || d < least) {
			least = d
		}
	}
	return least
}
