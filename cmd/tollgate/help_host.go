package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/vm/host/star"
)

// newHostHelp is the help topic about host programs: `tollgate help host`, and a page for each word.
func newHostHelp() *cobra.Command {
	topic := &cobra.Command{
		Use:   "host",
		Short: "How to write a host program: the functions of FILE.star",
	}
	topic.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		write := writeFunctions
		if cmd != topic {
			write = func(w io.Writer) error { return writeFunction(w, cmd.Name()) }
		}
		_ = write(cmd.OutOrStdout()) // help has no error to return
	})
	for _, name := range functionNames() {
		word := &cobra.Command{Use: name, Short: "The word " + name + " of host programs"}
		topic.AddCommand(word)
	}
	return topic
}

// functionNames lists the words, each once.
func functionNames() []string {
	var names []string
	seen := map[string]bool{}
	for _, f := range star.Functions {
		if !seen[f.Name] {
			seen[f.Name] = true
			names = append(names, f.Name)
		}
	}
	return names
}

// writeFunctions lists the whole vocabulary.
func writeFunctions(w io.Writer) error {
	var b strings.Builder
	b.WriteString(paragraphs(star.Starlark) + "\n\n")
	for i := range star.Functions {
		f := &star.Functions[i]
		b.WriteString(strings.Join(wrap(f.Title(), pageWidth), "\n    ") + "\n")
		b.WriteString("    " + strings.Join(wrap(f.Text, pageWidth-4), "\n    ") + "\n")
	}
	b.WriteString("\ntollgate help host NAME prints an example, as in tollgate help host launch; docs/host-programs.md has them all.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFunction prints a word with its example.
func writeFunction(w io.Writer, name string) error {
	var b strings.Builder
	for i := range star.Functions {
		f := &star.Functions[i]
		if f.Name != name {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString(strings.Join(wrap(f.Title(), pageWidth), "\n    ") + "\n\n")
		b.WriteString(strings.Join(wrap(f.Text, pageWidth), "\n") + "\n\n")
		b.WriteString("    " + strings.ReplaceAll(f.Example, "\n", "\n    ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// paragraphs wraps a text whose paragraphs are parted by empty lines.
func paragraphs(text string) string {
	var out []string
	for _, p := range strings.Split(text, "\n\n") {
		out = append(out, strings.Join(wrap(p, pageWidth), "\n"))
	}
	return strings.Join(out, "\n\n")
}

// functionReference is the reference part of docs/host-programs.md.
func functionReference() string {
	var b strings.Builder
	for i := range star.Functions {
		f := &star.Functions[i]
		b.WriteString("### " + strings.TrimPrefix(f.Of+"."+f.Name, ".") + "\n\n")
		b.WriteString("`" + f.Title() + "`\n\n" + strings.Join(wrap(f.Text, pageWidth), "\n") + "\n\n")
		b.WriteString("```python\n" + f.Example + "\n```\n\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
