package report

import (
	"fmt"
	"strings"

	"github.com/tollgate-sim/tollgate/isa/machine"
	"github.com/tollgate-sim/tollgate/vm"
)

// lossOf is (total − local) ÷ local.
func lossOf(total, local uint64) float64 {
	if local == 0 {
		return 0
	}
	return (float64(total) - float64(local)) / float64(local)
}

// comparable reports whether the run on the ideal fabric was made and came to the same results.
func (f *figures) comparable() bool {
	return f.r.Local != nil && f.r.Local.SameResults && f.r.Local.Total > 0
}

// loss is Loss_nv with its inputs.
func (f *figures) loss() []string {
	switch local := f.r.Local; {
	case local == nil:
		return nil
	case !local.SameResults:
		return formula("Loss_nv", "not stated: results depend on timing (on an ideal fabric other values come out)")
	case local.Total == 0:
		return nil
	default:
		t, base := thousands(f.r.Total), thousands(local.Total)
		return formula("Loss_nv", fmt.Sprintf("(%s - %s) / %s = %s", t, base, base, overhead(lossOf(f.r.Total, local.Total))))
	}
}

// syncTime is T_sync by the article's formula, with the bytes that really cross, and as simulated.
func (f *figures) syncTime() []string {
	if f.sync == nil && f.copy == nil || f.peers == 0 && f.payload > 0 {
		return nil
	}
	sum := thousands(f.transfer + f.barrier)
	if f.payload == 0 {
		return formula("T_sync", fmt.Sprintf("0 B / %s GB/s + T_barrier = 0 + %s = %s; simulated %s", short(f.peak()/1e9), thousands(f.barrier), sum, thousands(f.simulated)))
	}
	inputs := fmt.Sprintf("%s + %s = %s", thousands(f.transfer), thousands(f.barrier), sum)
	if f.late != nil {
		return formula("T_sync", fmt.Sprintf("%s; simulated %s after the last arrival", inputs, thousands(f.simulated)))
	}
	s := fmt.Sprintf("%s / %s GB/s + T_barrier = %s", binary(f.payload), short(f.peak()/1e9), inputs)
	if f.peers > 1 {
		s += fmt.Sprintf("; with %s on the wire %s", binary(f.peers*f.payload), thousands(f.onTheWire()))
	}
	return formula("T_sync", s+"; simulated "+thousands(f.simulated))
}

// onTheWire is T_sync with every copy of the tensor that leaves a card.
func (f *figures) onTheWire() uint64 { return f.peers*f.transfer + f.barrier }

// syncRemark says how often the tensor crosses here and in the algorithms in use.
func (f *figures) syncRemark() []string {
	if f.late != nil || f.copy == nil || f.peers < 2 {
		return nil
	}
	n := float64(f.peers + 1)
	s := fmt.Sprintf("(copy.nvlink sends the tensor %d times: one-shot; a ring sends it %s times, NVLS %s)",
		f.peers, trimmed(2*(n-1)/n), trimmed((n+1)/n))
	return wrapped(fmt.Sprintf("%*s", labelWidth, ""), s)
}

// trimmed prints a factor with at most three decimals.
func trimmed(x float64) string { return fmt.Sprintf("%.4g", x) }

// coefficient is Coef_nvlink as the article prints it, and the measured one beside it.
func (f *figures) coefficient() []string {
	if f.copy == nil && f.sync == nil || f.window == 0 {
		return nil
	}
	measured := ""
	if a := f.achieved(); a > 0 && f.copy != nil {
		measured = fmt.Sprintf("measured %s/%s = %s", significant(a), short(f.peak()/1e9), significant(a/(f.peak()/1e9)))
	}
	if f.r.Machine.Fabric.Kind != machine.NVLink {
		s := "not defined: no NVLink in this machine"
		if measured != "" {
			s += "; " + measured
		}
		return formula("Coef_nvlink", s)
	}
	links := f.r.Machine.Fabric.Links
	s := fmt.Sprintf("%d / (%d + %s) = %.4f (adds links to cycles)", links, links, thousands(f.window), f.coef())
	if measured != "" {
		s += "; " + measured
	}
	return formula("Coef_nvlink", s)
}

// coef is Link_total ÷ (Link_total + Sync_block_cycle).
func (f *figures) coef() float64 {
	links := float64(f.r.Machine.Fabric.Links)
	if links == 0 {
		return 0
	}
	return links / (links + float64(f.window))
}

// openGate is the same run with the article's rule switched off.
func (f *figures) openGate() []string {
	gate := f.r.Gate
	if gate == nil {
		return nil
	}
	s := thousands(gate.Total) + " cycles"
	if f.comparable() {
		exposed := gate.Total - min(gate.Total, f.r.Local.Total)
		s += ", loss " + overhead(lossOf(gate.Total, f.r.Local.Total)) + ": "
		if lossOf(gate.Total, f.r.Local.Total) < 0.0005 {
			s += "the all-reduce hides behind the mma"
		} else {
			s += thousands(exposed) + " cycles stay exposed"
		}
	}
	return formula("Gate open", s+". That operators stop Tensor Cores is the article's rule; no public source confirms it (tollgate explain gate)")
}

// oneRound is T of the run in which only the first round of each barrier of a launch costs something; 0 where there is
// no such run, or it came to other results.
func (f *figures) oneRound() uint64 {
	if f.sync == nil {
		return 0
	}
	return changedTotal(f.r.OneRound)
}

// likeMedian is T of the run in which the late card came when the median card did; 0 where there is none.
func (f *figures) likeMedian() uint64 {
	if f.late == nil || f.r.Late != f.late.card {
		return 0
	}
	return changedTotal(f.r.LikeMedian)
}

func changedTotal(s *vm.SilentResult) uint64 {
	if s == nil || !s.SameResults {
		return 0
	}
	return s.Total
}

// whatIf lists what single changes would bring, where a card is late.
func (f *figures) whatIf() []string {
	if f.late == nil {
		return nil
	}
	var parts []string
	if t := f.likeMedian(); t > 0 {
		parts = append(parts, fmt.Sprintf("card %d like the median %s", f.late.card, f.changed(t)))
	}
	if t := f.oneRound(); t > 0 {
		parts = append(parts, "one round "+f.changed(t))
	}
	if len(parts) == 0 {
		return nil
	}
	return labelled("What if", strings.Join(parts, "; "))
}

// changed is "341,354 (-14 %)".
func (f *figures) changed(t uint64) string {
	return fmt.Sprintf("%s (%s)", thousands(t), signed(lossOf(t, f.r.Total)))
}
