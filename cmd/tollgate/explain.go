package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/isa"
)

// topicFiles are the texts of `tollgate explain`: a folder a kind, a file a topic. The first line says it in short.
// A .ptx file beside an operator's text is what it stands for on real hardware.
//
//go:embed topics
var topicFiles embed.FS

// topicKinds are the folders, in the order in which they are listed.
var topicKinds = []struct{ name, title string }{
	{"operator", "operators of the article"},
	{"entry", "ledger entries"},
	{"formula", "formulas"},
	{"rule", "rules of the model"},
}

// topic is one thing that can be explained.
type topic struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Summary string `json:"summary"`
	Text    string `json:"text"`
	PTX     string `json:"ptx,omitempty"`
}

func newExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [NAME]",
		Short: "Say what an operator, a ledger entry, a formula or a rule means and where it comes from",
		Example: "  tollgate explain\n  tollgate explain sync.nvlink\n  tollgate explain tc_blocked\n" +
			"  tollgate explain gate",
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			all, err := topics()
			if err != nil {
				return nil, cobra.ShellCompDirectiveError
			}
			return topicNames(all), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := topics()
			if err != nil {
				return &failure{status: exitInternal, err: err}
			}
			if len(args) == 1 {
				if all, err = findTopics(all, args[0]); err != nil {
					return err
				}
			}
			switch {
			case wantsJSON(cmd):
				return writeJSON(cmd.OutOrStdout(), map[string]any{"topics": all})
			case len(args) == 0:
				return listTopics(cmd.OutOrStdout(), all)
			}
			for i := range all {
				if err := all[i].write(cmd.OutOrStdout(), i > 0); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// topics reads all texts, kind by kind, sorted by name.
func topics() (all []topic, err error) {
	for _, kind := range topicKinds {
		files, err := fs.Glob(topicFiles, "topics/"+kind.name+"/*.txt")
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := topicFiles.ReadFile(file)
			if err != nil {
				return nil, err
			}
			t := topic{Name: strings.TrimSuffix(path.Base(file), ".txt"), Kind: kind.name}
			t.Summary, t.Text, _ = strings.Cut(strings.TrimRight(string(text), "\n"), "\n")
			t.Text = strings.TrimLeft(t.Text, "\n")
			ptx, err := topicFiles.ReadFile(strings.TrimSuffix(file, ".txt") + ".ptx")
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			t.PTX = string(ptx)
			all = append(all, t)
		}
	}
	return all, nil
}

func topicNames(all []topic) (names []string) {
	for _, t := range all {
		if !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

// findTopics finds what has the name, in any case: an operator and an entry may share one. A part of an entry, as
// in tc_blocked.copy, is found by the entry.
func findTopics(all []topic, name string) (found []topic, err error) {
	for _, wanted := range []string{name, strings.TrimPrefix(name, "window."), strings.SplitN(name, ".", 2)[0]} {
		for _, t := range all {
			if strings.EqualFold(t.Name, wanted) {
				found = append(found, t)
			}
		}
		if found != nil {
			return found, nil
		}
	}
	text := fmt.Sprintf("nothing is known of %q", name)
	if row, err := findRow(name); err == nil {
		text += fmt.Sprintf("\n    hint: it is an instruction: tollgate isa %s", row.Op)
	} else if near := isa.Nearest(name, topicNames(all)); near != "" {
		text += "\n    hint: did you mean " + near + "?"
	} else {
		text += "\n    hint: tollgate explain lists what is"
	}
	return nil, errors.New(text)
}

func listTopics(w io.Writer, all []topic) error {
	for i, kind := range topicKinds {
		t := table{indent: 2}
		for _, topic := range all {
			if topic.Kind == kind.name {
				t.add(topic.Name, topic.Summary)
			}
		}
		if _, err := fmt.Fprintf(w, "%s%s\n", strings.Repeat("\n", min(i, 1)), kind.title); err != nil {
			return err
		}
		if err := t.write(w); err != nil {
			return err
		}
	}
	return nil
}

func (t *topic) write(w io.Writer, another bool) error {
	text := fmt.Sprintf("%s (%s)\n%s\n", t.Name, t.Kind, t.Summary)
	if another {
		text = "\n" + text
	}
	if t.Text != "" {
		text += "\n" + t.Text + "\n"
	}
	if t.PTX != "" {
		text += "\n    " + strings.TrimRight(strings.ReplaceAll(t.PTX, "\n", "\n    "), " \n") + "\n"
		text = strings.ReplaceAll(text, "\n    \n", "\n\n")
	}
	_, err := io.WriteString(w, text)
	return err
}
