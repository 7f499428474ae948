package main

import (
	"encoding/json"
	"io"
	"maps"

	"github.com/spf13/cobra"
)

const flagJSON = "json"

// jsonFormat is the version of everything that --json prints. It rises when a name changes its meaning.
const jsonFormat = 1

// wantsJSON reports whether --json was given.
func wantsJSON(cmd *cobra.Command) bool {
	on, err := cmd.Flags().GetBool(flagJSON)
	return err == nil && on
}

// writeJSON prints one object with its format number.
func writeJSON(w io.Writer, fields map[string]any) error {
	fields = maps.Clone(fields)
	fields["format"] = jsonFormat
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(fields)
}
