package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/isa"
)

func newISA() *cobra.Command {
	return &cobra.Command{
		Use:   "isa [OPCODE]",
		Short: "Print the instruction table, or all about one instruction",
		Long: `Isa prints the instruction table in the order of the PTX manual: opcode, functional unit, ledger entry of a wait for
its result, origin (ptx, or article for an operator that only the article knows) and meaning. With an opcode, or a
whole spelling such as mad.lo.s32, it prints the syntax lines and the sections of the PTX ISA too.`,
		Example: "  tollgate isa\n  tollgate isa mad\n  tollgate isa sync.nvlink",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return opcodeNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listOpcodes(cmd)
			}
			row, err := findRow(args[0])
			switch {
			case err != nil:
				return err
			case wantsJSON(cmd):
				return writeJSON(cmd.OutOrStdout(), map[string]any{"opcode": rowJSON(row)})
			}
			return printRow(cmd.OutOrStdout(), row)
		},
	}
}

func opcodeNames() []string {
	rows := isa.Rows()
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = rows[i].Op.String()
	}
	return names
}

// findRow takes an opcode or a whole instruction word.
func findRow(word string) (*isa.Row, error) {
	word = strings.TrimSuffix(strings.TrimSpace(word), ";")
	if op, ok := isa.LookupOpcode(word); ok {
		return isa.RowOf(op), nil
	}
	op, _, _, err := isa.Split(word)
	if err != nil {
		return nil, fmt.Errorf("no instruction %q: %w", word, err)
	}
	return isa.RowOf(op), nil
}

func listOpcodes(cmd *cobra.Command) error {
	if wantsJSON(cmd) {
		var all []map[string]any
		for i := range isa.Rows() {
			all = append(all, rowJSON(&isa.Rows()[i]))
		}
		return writeJSON(cmd.OutOrStdout(), map[string]any{"opcodes": all})
	}
	t := table{}
	t.add("opcode", "unit", "wait", "origin", "meaning")
	for _, row := range isa.Rows() {
		t.add(row.Op.String(), string(row.Unit), row.Wait, row.Origin, row.Meaning)
	}
	return t.write(cmd.OutOrStdout())
}

func printRow(w io.Writer, row *isa.Row) error {
	t := table{}
	t.add(row.Op.String(), row.Meaning)
	t.add("unit", string(row.Unit))
	t.add("wait", fmt.Sprintf("%s (tollgate explain %s)", row.Wait, row.Wait))
	t.add("origin", row.Origin)
	for i, section := range row.Section() {
		t.add([]string{"section", ""}[min(i, 1)], section)
	}
	if err := t.write(w); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w, "syntax"); err != nil {
		return err
	}
	forms := table{indent: 4}
	for _, form := range row.Forms {
		choices := form.With
		if row.With != "" {
			choices = strings.TrimPrefix(choices+", "+row.With, ", ")
		}
		forms.add(form.Syntax, choices)
	}
	return forms.write(w)
}

func rowJSON(row *isa.Row) map[string]any {
	return map[string]any{"name": row.Op.String(), "unit": row.Unit, "wait": row.Wait, "origin": row.Origin,
		"meaning": row.Meaning, "sections": row.Section(), "syntax": row.Syntax()}
}
