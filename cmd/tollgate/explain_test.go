package main

import (
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm"
)

func allTopics(t *testing.T) []topic {
	t.Helper()
	all, err := topics()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Whatever a report or the instruction table names can be explained.
func TestEverythingNamedCanBeExplained(t *testing.T) {
	all := allTopics(t)
	for e := range vm.NumEntries {
		name := vm.Entry(e).String()
		if found, err := findTopics(all, name); err != nil || found[len(found)-1].Kind != "entry" {
			t.Errorf("ledger entry %s: %v", name, err)
		}
	}
	for _, row := range isa.Rows() {
		if found, err := findTopics(all, row.Wait); row.Wait != "" && err != nil {
			t.Errorf("%s waits in %s: %v, %v", row.Op, row.Wait, found, err)
		}
		if found, err := findTopics(all, row.Op.String()); row.Origin == "article" && (err != nil || found[0].Kind != "operator") {
			t.Errorf("operator %s: %v", row.Op, err)
		}
	}
}

// Every formula and figure of the report has a topic, every entry the names that Nsight uses, every topic more than its
// first line.
func TestTopicsAreComplete(t *testing.T) {
	all := allTopics(t)
	for _, name := range []string{"Loss_nv", "Cycle_local", "Cycle_nvlink", "T_sync", "Coef_nvlink", "Link_used", "Sync_block_cycle", "stacking",
		"algbw", "busbw", "percent_of_peak", "gate_open", "what_if"} {
		if found, err := findTopics(all, name); err != nil || found[0].Kind != "formula" {
			t.Errorf("formula %s: %v", name, err)
		}
	}
	for _, name := range []string{"gate", "dialect", "inheritance", "lockstep", "relay", "suspend_tensor_core"} {
		if found, err := findTopics(all, name); err != nil || found[0].Kind != "rule" {
			t.Errorf("rule %s: %v", name, err)
		}
	}
	for _, topic := range all {
		if topic.Text == "" {
			t.Errorf("%s is explained by one line alone", topic.Name)
		}
		if topic.Kind == "entry" && !strings.Contains(topic.Text, "\nNsight Compute: ") {
			t.Errorf("%s: what Nsight Compute calls it is missing", topic.Name)
		}
		if topic.Kind == "operator" && !strings.Contains(topic.Text, "Origin: the article.") {
			t.Errorf("%s: its origin is missing", topic.Name)
		}
		if topic.Kind == "operator" && !strings.Contains(topic.Text, "On real hardware") {
			t.Errorf("%s: what it stands for on real hardware is missing", topic.Name)
		}
	}
}

// The groups that the texts name are those of the ledger.
func TestGroupsOfTheTopics(t *testing.T) {
	groups := map[string]string{}
	for e := range vm.NumEntries {
		name, _, _ := strings.Cut(strings.TrimPrefix(vm.Entry(e).String(), "window."), ".")
		groups[name] = vm.Entry(e).Group()
	}
	for _, topic := range allTopics(t) {
		if topic.Kind == "entry" && !strings.Contains(topic.Text, "Group: "+groups[topic.Name]+".\n") {
			t.Errorf("%s: the ledger's group is %q", topic.Name, groups[topic.Name])
		}
	}
}

func TestTopicsFitThePage(t *testing.T) {
	for _, topic := range allTopics(t) {
		if topic.Summary == "" || strings.HasPrefix(topic.Text, "\n") {
			t.Errorf("%s: no summary on the first line", topic.Name)
		}
		for _, line := range strings.Split(topic.Summary+"\n"+topic.Text+"\n"+topic.PTX, "\n") {
			if len([]rune(line)) > pageWidth-4 {
				t.Errorf("%s: %s", topic.Name, line)
			}
		}
	}
}

// What the operators stand for on real hardware is real PTX: without an error, warning or note.
func TestPTXOfTheTopics(t *testing.T) {
	n := 0
	for _, topic := range allTopics(t) {
		if topic.PTX == "" {
			continue
		}
		n++
		if _, diagnostics := parser.Parse(topic.Name+".ptx", topic.PTX, parser.Options{Strict: true}); len(diagnostics) > 0 {
			t.Errorf("%s: %v", topic.Name, diagnostics)
		}
	}
	if n != 3 {
		t.Errorf("%d topics have PTX", n)
	}
}
