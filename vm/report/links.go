package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/tollgate-sim/tollgate/vm"
)

// linkSection lists what each port moved, how full it was and how long bytes queued, and the rates of each
// collective as nccl-tests states them.
func (f *figures) linkSection(opt Options) []string {
	if len(f.r.Links) == 0 {
		return labelled("Links", "nothing crossed between cards")
	}
	columns := []column{{"cards", 6}, {"port", 7}, {"bytes", 9}, {"of peak", 7}, {"of rate", 7}, {"busy", 6}, {"mean queue", 10}, {"longest", 9}, {"mostly", words}}
	var rows [][]string
	for _, egress := range []bool{true, false} {
		var ports []vm.LinkResult
		var cards []int
		for _, l := range f.r.Links {
			if l.Egress == egress {
				ports, cards = append(ports, l), append(cards, l.Card)
			}
		}
		rows = append(rows, alikeCards(cards, func(i int) []string {
			l := &ports[i]
			return []string{portName(l.Egress), decimal(l.Bytes), percent(f.ofPeak(l)), percent(f.ofRate(l)), percent1(ratio(l.Busy, f.r.Total)),
				thousands(round(l.Mean)), thousands(l.Longest), mostly(l)}
		})...)
	}
	lines := table(columns, rows)
	lines = append(lines, note(fmt.Sprintf("Peak is %s GB/s a direction, the rate that copies reach %s GB/s; both shares are of the whole run. Queues are in cycles that a packet, "+
		"request or reply stood before the port; a copy.nvlink puts all its packets there at once.", short(f.peak()/1e9), short(f.effective()/1e9)))...)
	if collectives := f.collectiveTable(opt); len(collectives) > 0 {
		lines = append(append(lines, ""), collectives...)
	}
	return lines
}

func portName(egress bool) string { return map[bool]string{true: "egress", false: "ingress"}[egress] }

// effective is the rate of a port at which bytes really leave, bytes per second.
func (f *figures) effective() float64 {
	e := f.r.Machine.Fabric.CopyEfficiency
	if e.Den == 0 {
		return f.peak()
	}
	return f.peak() * float64(e.Num) / float64(e.Den)
}

// ofPeak and ofRate are the mean rate over the run, as a share of the peak and of what copies reach.
func (f *figures) ofPeak(l *vm.LinkResult) float64 {
	return share0(rate(l.Bytes, f.r.Total, f.clock)*1e9, f.peak())
}

func (f *figures) ofRate(l *vm.LinkResult) float64 {
	return share0(rate(l.Bytes, f.r.Total, f.clock)*1e9, f.effective())
}

func share0(x, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return x / whole
}

// mostly names the launch call that moved most through a port, and other tenants' share of it.
func mostly(l *vm.LinkResult) string {
	s := ""
	if len(l.Shares) > 0 {
		top := l.Shares[0]
		s = fmt.Sprintf("%s, launch %d (%s)", top.Name, top.Step, percent(ratio(top.Bytes, l.Bytes)))
	}
	if l.Tenants > 0 {
		s += "; other tenants hold " + percent(l.Tenants)
	}
	return s
}

// exchange is one launch call in which bytes crossed, or several of the same kernel, their mean.
type exchange struct {
	name   string
	calls  uint64
	cards  int
	cycles uint64 // from the last card's start to the last card's end, summed
	wire   uint64 // bytes that left a card, mean over the cards, summed
	bytes  uint64 // of the collective, one call; 0: not known
	kind   *collective
}

// exchanges sums the launch calls up by kernel.
func (f *figures) exchanges(opt Options) (list []exchange) {
	type span struct {
		name       string
		start, end uint64
		cards      int
		operators  bool
	}
	steps := map[int]*span{}
	var order []int
	for _, l := range f.r.Launches {
		s := steps[l.Step]
		if s == nil {
			s = &span{name: l.Name, operators: l.Operators}
			steps[l.Step], order = s, append(order, l.Step)
		}
		s.start, s.end, s.cards = max(s.start, l.Start), max(s.end, l.End), s.cards+1
	}
	out := map[int]uint64{}
	for i := range f.r.Links {
		if l := &f.r.Links[i]; l.Egress {
			for _, share := range l.Shares {
				out[share.Step] += share.Bytes
			}
		}
	}
	slices.Sort(order)
	for _, step := range slices.Compact(order) {
		s := steps[step]
		if out[step] == 0 || s.end <= s.start {
			continue
		}
		i := slices.IndexFunc(list, func(x exchange) bool { return x.name == s.name && x.cards == s.cards })
		if i < 0 {
			i = len(list)
			x := exchange{name: s.name, cards: s.cards}
			x.kind, x.bytes = f.collectiveOf(s.operators, s.cards, opt)
			list = append(list, x)
		}
		list[i].calls++
		list[i].cycles += s.end - s.start
		list[i].wire += out[step] / uint64(s.cards)
	}
	slices.SortStableFunc(list, func(a, b exchange) int { return cmp.Compare(b.wire, a.wire) })
	return list
}

// collectiveOf is what a launch does: what the user says, else by its operators.
func (f *figures) collectiveOf(operators bool, cards int, opt Options) (*collective, uint64) {
	switch {
	case opt.Collective.Kind != "":
		return collectiveNamed(opt.Collective.Kind), opt.Collective.Bytes
	case operators && f.reduce != nil && f.copy != nil:
		return collectiveNamed("all-reduce"), f.payload
	case operators && f.copy != nil:
		return collectiveNamed("all-gather"), f.payload * uint64(cards)
	}
	return nil, 0
}

// algbw and busbw are in GB/s, 0 where the size is not known.
func (x *exchange) algbw(clock int64) float64 { return rate(x.bytes*x.calls, x.cycles, clock) }

func (x *exchange) busbw(clock int64) float64 {
	if x.kind == nil {
		return 0
	}
	return x.algbw(clock) * x.kind.factor(float64(x.cards))
}

func (f *figures) collectiveTable(opt Options) []string {
	list := f.exchanges(opt)
	if len(list) == 0 {
		return nil
	}
	var rows [][]string
	unknown := false
	for i := range list {
		x := &list[i]
		row := []string{x.name, thousands(x.calls), fmt.Sprintf("%.1f", micros(x.cycles, f.clock)/float64(x.calls)), decimal(x.wire / x.calls), gigabytes(rate(x.wire, x.cycles, f.clock))}
		if x.kind == nil {
			unknown = true
			row = append(row, "?", "", "", "")
		} else {
			row = append(row, x.kind.name, binary(x.bytes), gigabytes(x.algbw(f.clock)), gigabytes(x.busbw(f.clock)))
		}
		rows = append(rows, row)
	}
	lines := table([]column{{"launch", 24}, {"calls", 5}, {"us", 8}, {"on the wire", 11}, {"GB/s", 6}, {"collective", 10}, {"size", 8}, {"algbw", 7}, {"busbw", 7}}, rows)
	text := "A launch's time is from the last card's start to the last card's end; on the wire: what leaves a card. algbw = size / time, busbw = algbw x " +
		"2(n-1)/n of an all-reduce, (n-1)/n of an all-gather, reduce-scatter or all-to-all, 1 of a broadcast or reduce, as nccl-tests defines them."
	if unknown {
		text += " --collective KIND:BYTES says what a kernel in real PTX does."
	}
	return append(lines, note(text)...)
}

func gigabytes(x float64) string {
	if x == 0 {
		return "0"
	}
	return significantPoint(x)
}

// significantPoint prints a rate: 366, 36.6, 3.66, 0.037.
func significantPoint(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

func (f *figures) linkObjects(opt Options) any {
	ports := []object{}
	for i := range f.r.Links {
		l := &f.r.Links[i]
		shares := []object{}
		for _, s := range l.Shares {
			shares = append(shares, object{"launch": s.Step, "name": s.Name, "bytes": s.Bytes})
		}
		ports = append(ports, object{"card": l.Card, "direction": portName(l.Egress), "bytes": l.Bytes, "busy_cycles": l.Busy, "busy": ratio(l.Busy, f.r.Total),
			"of_peak": f.ofPeak(l), "of_effective_rate": f.ofRate(l), "pieces": l.Pieces, "mean_queue_cycles": l.Mean, "longest_queue_cycles": l.Longest,
			"tenants": l.Tenants, "contributors": shares})
	}
	list := []object{}
	for _, x := range f.exchanges(opt) {
		o := object{"name": x.name, "calls": x.calls, "cards": x.cards, "mean_us": micros(x.cycles, f.clock) / float64(x.calls), "bytes_on_the_wire": x.wire / x.calls}
		if x.kind != nil {
			maps.Copy(o, object{"collective": x.kind.name, "bytes": x.bytes, "algbw_gbs": x.algbw(f.clock), "busbw_gbs": x.busbw(f.clock)})
		}
		list = append(list, o)
	}
	return object{"ports": ports, "launches": list, "peak_bytes_per_second": f.peak(), "effective_bytes_per_second": f.effective()}
}
