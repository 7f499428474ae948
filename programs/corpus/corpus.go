// Package corpus opens the PTX that compilers wrote for the project's tests: public/ and perf/ by clang 19, nvcc/,
// matrix/ and collectives/ by nvcc 13.0, compilers/ by a dozen others, tinygrad/ by its own writer and NVRTC, and
// vectors/ with one instruction a spelling. The files are test data and not part of any program.
package corpus

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// File is one PTX file: its path in the corpus (perf/matmul512.ptx) and its text.
type File struct {
	Path string
	Text string
}

// Load returns every PTX file whose path begins with one of the prefixes (all without one), in order of paths.
// It finds the corpus from the working directory, which for a test is somewhere inside the repository.
func Load(prefixes ...string) ([]File, error) {
	path, err := find("programs/corpus/ptx.zip")
	if err != nil {
		return nil, err
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	defer archive.Close()
	var files []File
	for _, member := range archive.File {
		if !wanted(member.Name, prefixes) {
			continue
		}
		text, err := read(member)
		if err != nil {
			return nil, fmt.Errorf("corpus: %s: %w", member.Name, err)
		}
		files = append(files, File{Path: member.Name, Text: text})
	}
	return files, nil
}

func wanted(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return len(prefixes) == 0
}

func read(member *zip.File) (string, error) {
	r, err := member.Open()
	if err != nil {
		return "", err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	return string(text), err
}

// find looks for a file of the repository in the working directory and those above it.
func find(name string) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("corpus: " + name + " is not above the working directory")
		}
		dir = parent
	}
}
