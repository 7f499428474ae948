package report

import (
	"fmt"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
)

// tensorCores says what the Tensor Cores did, in percent of the cycles of the SMs that had work for them.
func (f *figures) tensorCores() []string {
	t := f.r.Tensor
	if t.SMCycles == 0 {
		return nil
	}
	if f.late != nil && len(t.PerCard) > 1 {
		if s := f.tensorBySkew(); s != "" {
			return labelled("Tensor Cores", s)
		}
	}
	whole := func(n uint64) string { return percent1(ratio(n, t.SMCycles)) }
	idle := t.SMCycles - min(t.SMCycles, t.Busy+t.BlockedWaiting+t.BlockedIdle)
	parts := []string{"busy " + whole(t.Busy)}
	if t.BlockedWaiting > 0 {
		parts = append(parts, "BLOCKED "+whole(t.BlockedWaiting))
	}
	if ratio(t.BlockedIdle, t.SMCycles) >= 0.0005 {
		parts = append(parts, "gate shut, no mma waiting "+whole(t.BlockedIdle))
	}
	parts = append(parts, "idle "+whole(idle))
	if peak := t.Busy * uint64(f.r.Machine.Card.TensorFlops); t.Busy > 0 && peak > 0 {
		parts = append(parts, fmt.Sprintf("(mma.sync: %s of peak while busy)", percent(ratio(t.Flops, peak))))
	}
	return labelled("Tensor Cores", strings.Join(parts, "   "))
}

// tensorBySkew sets the late card against the mean of the others.
func (f *figures) tensorBySkew() string {
	var one, others vm.TensorCard
	for _, c := range f.r.Tensor.PerCard {
		sum := &others
		if c.Card == f.late.card {
			sum = &one
		}
		sum.SMCycles += c.SMCycles
		sum.Busy += c.Busy
		sum.Waiting += c.Waiting
		sum.Shut += c.Shut
	}
	if one.SMCycles == 0 || others.SMCycles == 0 {
		return ""
	}
	s := fmt.Sprintf("card %d busy %s, others %s", f.late.card, percent(ratio(one.Busy, one.SMCycles)), percent(ratio(others.Busy, others.SMCycles)))
	shut := fmt.Sprintf("%.0f / %s", 100*ratio(one.Shut, one.SMCycles), percent(ratio(others.Shut, others.SMCycles)))
	switch waiting := one.Waiting + others.Waiting; {
	case one.Shut+others.Shut == 0:
		return s
	case waiting == 0:
		return s + fmt.Sprintf("; gate shut %s, but no mma was waiting: 0 lost", shut)
	default:
		return s + fmt.Sprintf("; gate shut %s; BLOCKED %s", shut, percent1(ratio(waiting, one.SMCycles+others.SMCycles)))
	}
}

// whyBlocked lists what the gate waited for, on the card that lost most, with the line to look at.
func (f *figures) whyBlocked() []string {
	if !f.gatedWait() {
		return nil
	}
	sheet := f.blocked.Sheet
	total := blockedCycles(sheet)
	list := mostFirst([]share{
		{"copy", sheet[ledger.BlockedCopy], f.copyDetail()},
		{"contention", sheet[ledger.BlockedContention], "bytes of another launch or tenant on the same links"},
		{"barrier", sheet[ledger.BlockedFence] + sheet[ledger.BlockedBarrier], f.barrierDetail()},
		{"reduce", sheet[ledger.BlockedReduce], f.reduceDetail()},
		{"skew", sheet[ledger.BlockedSkew], "the operators waited for another card"},
		{"loop, refill", sheet[ledger.BlockedWork] + sheet[ledger.BlockedRefill], f.workLines()},
		{"held", sheet[ledger.BlockedHold], "suspend_tensor_core … resume_tensor_core of the host"},
	})
	var lines []string
	label := "Why blocked"
	for _, s := range list {
		number := thousands(s.cycles)
		line := fmt.Sprintf("%-*s%s%*s  %4s  %s", labelWidth, label, s.name, max(16-len(s.name), len(number)+1), number, percent(ratio(s.cycles, total)), s.detail)
		lines = append(lines, strings.TrimRight(line, " "))
		label = ""
	}
	return lines
}

// copyDetail is ":22 copy.nvlink  7 x 2 MiB out, 7 in, 369 GB/s, 1 crossing".
func (f *figures) copyDetail() string {
	if f.copy == nil {
		return ""
	}
	s := fmt.Sprintf("%s  %d x %s out, %d in", f.place(f.copy), f.peers*f.collectives, binary(f.payload), f.peers*f.collectives)
	if c := f.blocked; c != nil && c.BusyOut > 0 {
		s += fmt.Sprintf(", %.0f GB/s", rate(c.BytesOut, c.BusyOut, f.clock))
	}
	return s + ", " + plural(f.collectives, "crossing")
}

// barrierDetail is ":10 sync.nvlink  fence 1,510 + 64 rounds x 833".
func (f *figures) barrierDetail() string {
	o := f.sync
	if o == nil {
		return ""
	}
	s := f.place(o) + "  "
	if o.Fence > 0 {
		s += "fence " + thousands(o.Fence) + " + "
	}
	s += plural(o.Rounds, "round")
	if o.Rounds > 0 {
		s += " x " + thousands((o.Cycles-min(o.Fence, o.Cycles))/o.Rounds)
	}
	return s
}

// reduceDetail is ":24 reduce.add  18.9 MB through HBM".
func (f *figures) reduceDetail() string {
	o := f.reduce
	if o == nil {
		return ""
	}
	return fmt.Sprintf("%s  %s through HBM", f.place(o), decimal(o.Bytes*uint64(o.Group+1)*f.collectives))
}

// workLines is the range of lines from the barrier to unblock.tc, the operator kernel's own: ":11-15".
func (f *figures) workLines() string {
	if f.sync == nil || f.sync.Func == nil {
		return ""
	}
	fn := f.sync.Func
	var first, last *isa.Inst
	for i := range fn.Code {
		in := &fn.Code[i]
		if in.OpPos <= f.sync.Pos {
			continue
		}
		if first == nil {
			first = in
		}
		if last = in; in.Op == isa.OpUnblockTC {
			break
		}
	}
	if first == nil {
		return ""
	}
	from, to := f.at(fn, first.OpPos), f.at(fn, last.OpPos)
	if from == to {
		return from
	}
	return from + "-" + to[strings.LastIndexByte(to, ':')+1:]
}

// linksLine says what the ports moved, mean per card.
func (f *figures) linksLine() []string {
	var out, in, copying, busy, hidden uint64
	for _, c := range f.r.Cards {
		out += c.BytesOut
		in += c.BytesIn
		copying += c.CopyBusy
		busy += c.BusyOut
		hidden += c.Hidden
	}
	n := uint64(len(f.r.Cards))
	if n == 0 || out+in == 0 {
		return nil
	}
	s := fmt.Sprintf("%s out, %s in a card", decimal(out/n), decimal(in/n))
	if achieved := f.achieved(); achieved > 0 {
		s += fmt.Sprintf("; %s of %s GB/s while copying", percent(achieved/(f.peak()/1e9)), short(f.peak()/1e9))
	}
	s += fmt.Sprintf("; busy %s of the run", percent(ratio(busy, n*f.r.Total)))
	if hidden > 0 {
		s += fmt.Sprintf("; %s hidden under local work", percent(ratio(hidden, n*f.r.Total)))
	}
	return labelled("Links", s)
}

// achieved is the rate of a card's egress from a copy's start until its last byte has landed, GB/s. Where a launch
// copies in slices, and where there is no copy, it is the rate while the ports had something to do.
func (f *figures) achieved() float64 {
	var bytes, cycles uint64
	for _, c := range f.r.Cards {
		bytes += c.BytesOut
		cycles += c.CopyBusy
	}
	ports := rate(bytes, cycles, f.clock)
	if f.copy == nil {
		return ports
	}
	line := rate(f.copy.Bytes*f.copy.PerCard*f.peers, f.copy.Cycles, f.clock)
	if f.copy.PerCard > f.collectives {
		return max(ports, line)
	}
	return line
}
