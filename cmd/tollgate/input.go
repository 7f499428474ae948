package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// maxInput is the largest file that is read; the parser takes 100 MB.
const maxInput = 101 << 20

// readInput reads a file that the user named; - is standard input. An error names the file and what to do.
func readInput(cmd *cobra.Command, name string) (string, error) {
	if name == "-" {
		data, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxInput))
		if err != nil {
			return "", fmt.Errorf("standard input: error: cannot read: %w", err)
		}
		return string(data), nil
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", cannotRead(name, err)
	case info.IsDir():
		return "", fmt.Errorf("%s: error: a folder, not a file\n    hint: name the files in it, as in %s", name, filepath.Join(name, "*.ptx"))
	}
	f, err := os.Open(name)
	if err != nil {
		return "", cannotRead(name, err)
	}
	defer f.Close()
	// Limited, because a device or pipe does not say how long it is.
	data, err := io.ReadAll(io.LimitReader(f, maxInput))
	if err != nil {
		return "", cannotRead(name, err)
	}
	return string(data), nil
}

// cannotRead says why a file can't be read, without the system call's name.
func cannotRead(name string, err error) error {
	var perr *fs.PathError
	if errors.As(err, &perr) {
		err = perr.Err
	}
	return fmt.Errorf("%s: error: cannot read: %w", name, err)
}
