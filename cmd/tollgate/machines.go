package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/isa/machine"
)

func newMachines() *cobra.Command {
	return &cobra.Command{
		Use:   "machines [NAME | FILE.toml]",
		Short: "List the machines, or every figure of one with its source and what is not modelled",
		Long: `Machines lists what can be given to --machine. With a name it prints every figure of that machine, where it comes
from and how sure it is (high, medium, low, estimate; article: only the article claims it), and what is not modelled.

A machine of your own is a TOML file that names a base and gives what differs, each figure with its source:

    name = "slow-links"
    base = "h200-sxm"
    [fabric]
    crossing = { value = 1.2, unit = "us", source = "measured on ours", confidence = "high" }`,
		Example:           "  tollgate machines\n  tollgate machines h200-sxm\n  tollgate machines ./slow-links.toml",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeMachines,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listMachines(cmd)
			}
			m, err := machine.Load(args[0])
			switch {
			case err != nil:
				return err
			case wantsJSON(cmd):
				return writeJSON(cmd.OutOrStdout(), map[string]any{"machine": machineJSON(m)})
			}
			return printMachine(cmd.OutOrStdout(), m)
		},
	}
}

// completeMachines offers the shipped names, and files for the rest.
func completeMachines(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return machine.Names(), cobra.ShellCompDirectiveDefault
}

func listMachines(cmd *cobra.Command) error {
	t := table{right: []int{1, 2, 3, 4, 5}}
	t.add("machine", "cards", "SMs", "MHz", "memory GB", "HBM GB/s", "fabric, one way")
	var all []map[string]any
	for _, name := range machine.Names() {
		m, err := machine.Load(name)
		if err != nil {
			return err
		}
		t.add(m.Name, strconv.Itoa(m.MaxCards), strconv.Itoa(m.Card.SMs), strconv.FormatInt(m.ClockMHz, 10),
			gigabytes(m.Card.MemoryBytes), gigabytes(m.Card.HBMBytesPerSecond), fabricLine(m))
		all = append(all, map[string]any{"name": m.Name, "description": m.Description, "max_cards": m.MaxCards,
			"sms": m.Card.SMs, "clock_mhz": m.ClockMHz, "memory_bytes": m.Card.MemoryBytes,
			"hbm_bytes_per_second": m.Card.HBMBytesPerSecond, "fabric": m.Fabric.Kind})
	}
	if wantsJSON(cmd) {
		return writeJSON(cmd.OutOrStdout(), map[string]any{"machines": all})
	}
	return t.write(cmd.OutOrStdout())
}

// gigabytes prints bytes, or bytes a second, in units of 10^9.
func gigabytes(n int64) string { return strconv.FormatFloat(float64(n)/1e9, 'f', -1, 64) }

// fabricLine sums the fabric up: its kind, peak and achieved rate, and the latency of a crossing.
func fabricLine(m *machine.Machine) string {
	f := &m.Fabric
	if f.Kind == machine.NoFabric {
		return string(f.Kind)
	}
	peak := f.Links * f.LinkBytesPerSec
	return fmt.Sprintf("%s %s GB/s, %.0f by copies, %d ns a crossing", f.Kind, gigabytes(peak),
		float64(peak)*float64(f.CopyEfficiency.Num)/float64(f.CopyEfficiency.Den)/1e9, m.Nanoseconds(f.Crossing))
}

// printMachine prints every figure, section by section.
func printMachine(w io.Writer, m *machine.Machine) error {
	peak := float64(m.ClockMHz) * 1e6 * float64(m.Card.SMs) * float64(m.Card.TensorFlops) / 1e12
	_, err := fmt.Fprintf(w, "%s: %s\n%s; %.0f TFLOPS of dense bf16 a card\n", m.Name, m.Description, fabricLine(m), peak)
	if err != nil {
		return err
	}
	sections := []string{"node", "card", "class", "fabric", "host", "article"}
	notes := map[string]string{
		"class":   " (pipe: latency until the result can be used, interval for which a warp instruction occupies the pipe; cycles)",
		"article": " (what only the article claims)",
	}
	for _, section := range sections {
		if _, err := fmt.Fprintf(w, "\n%s%s\n", section, notes[section]); err != nil {
			return err
		}
		if err := figures(m, section).write(w); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(w, "\nnot modelled"); err != nil {
		return err
	}
	for _, line := range m.NotModelled {
		if _, err := fmt.Fprintf(w, "  - %s\n", line); err != nil {
			return err
		}
	}
	return nil
}

// figures are the rows of one section: name, value, confidence, source.
func figures(m *machine.Machine, section string) *table {
	t := &table{indent: 2}
	if section == "class" {
		t.right = []int{2, 3}
		for c := isa.Class(0); c < isa.NumClasses; c++ {
			latency, _ := m.SourceOf("class." + c.String() + ".latency")
			interval, _ := m.SourceOf("class." + c.String() + ".interval")
			t.add(c.String(), m.Classes[c].Unit, latency.Value, interval.Value, latency.Confidence, latency.Source)
		}
		return t
	}
	t.right = []int{1}
	for _, s := range m.Sources {
		name, ok := strings.CutPrefix(s.Key, section+".")
		if !ok {
			continue
		}
		unit := s.Unit
		if unit == "ratio" {
			unit = ""
		}
		t.add(name, s.Value, unit, s.Confidence, s.Source)
	}
	return t
}

// machineJSON is a machine with stable names: every figure as in the file, and the values that follow from them.
func machineJSON(m *machine.Machine) map[string]any {
	type row struct {
		Key        string `json:"key"`
		Value      string `json:"value"`
		Unit       string `json:"unit,omitempty"`
		Source     string `json:"source"`
		Confidence string `json:"confidence"`
	}
	rows := make([]row, len(m.Sources))
	for i, s := range m.Sources {
		rows[i] = row(s)
	}
	return map[string]any{
		"name": m.Name, "description": m.Description, "figures": rows, "not_modelled": m.NotModelled,
		"cycles": map[string]int64{
			"crossing": m.Fabric.Crossing, "local_poll": m.Fabric.LocalPoll, "relay_extra": m.Fabric.RelayExtra,
			"launch_call": m.Host.LaunchCall, "dependent_launch": m.Host.DependentLaunch, "refill": m.Article.Refill,
		},
	}
}
