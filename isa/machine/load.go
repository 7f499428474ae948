package machine

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

//go:embed files/*.toml
var files embed.FS

// maxFile is the largest machine file that is read, in bytes; the shipped ones have about 20,000.
const maxFile = 1 << 18

// Names returns the names of the machines that come with Tollgate, sorted.
func Names() []string {
	entries, err := fs.ReadDir(files, "files")
	if err != nil { // the folder is embedded: it can't be missing
		return nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".toml")
	}
	return names
}

// Load returns the machine of that name, or of the machine file at that path (anything with a path separator or
// ending in .toml). A file's mistakes come as Problems, each with its place.
func Load(nameOrPath string) (*Machine, error) {
	source, err := open(nameOrPath, "")
	if err != nil {
		return nil, err
	}
	return Parse(source)
}

// Parse returns the machine that a file's text describes. A base in it is a shipped name or a path relative to
// the file.
func Parse(source *isa.Source) (*Machine, error) {
	d, err := read(source, nil)
	if err != nil {
		return nil, err
	}
	return d.build()
}

// open finds a machine file: embedded by name, else on disk, relative to the folder of the file that names it.
func open(nameOrPath, folder string) (*isa.Source, error) {
	if data, err := files.ReadFile("files/" + nameOrPath + ".toml"); err == nil {
		return isa.NewSource(nameOrPath+".toml", string(data)), nil
	}
	if !strings.HasSuffix(nameOrPath, ".toml") && !strings.ContainsRune(nameOrPath, filepath.Separator) {
		return nil, &UnknownError{Name: nameOrPath}
	}
	path := nameOrPath
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, readError(path, err)
	case info.IsDir():
		return nil, fmt.Errorf("%s: error: a folder, not a machine file", path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s: error: %d bytes; a machine file has at most %d", path, info.Size(), maxFile)
	}
	data, err := readAtMost(path, maxFile+1) // a device or pipe says nothing of its size beforehand
	switch {
	case err != nil:
		return nil, readError(path, err)
	case len(data) > maxFile:
		return nil, fmt.Errorf("%s: error: a machine file has at most %d bytes", path, maxFile)
	}
	return isa.NewSource(path, string(data)), nil
}

func readAtMost(path string, n int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, n))
}

// readError says why a file could not be read, without the system call's name.
func readError(path string, err error) error {
	var perr *fs.PathError
	if errors.As(err, &perr) {
		err = perr.Err
	}
	return fmt.Errorf("%s: error: cannot read: %w", path, err)
}

// UnknownError says that no machine has the name.
type UnknownError struct{ Name string }

// Error lists the names that exist.
func (e *UnknownError) Error() string {
	text := fmt.Sprintf("no machine %q; there are %s", e.Name, strings.Join(Names(), ", "))
	if near := isa.Nearest(e.Name, Names()); near != "" {
		text += fmt.Sprintf("\n    hint: did you mean %s? A file of your own needs the ending .toml", near)
	}
	return text
}

// Nanoseconds turns cycles of this machine's clock into nanoseconds, rounded down.
func (m *Machine) Nanoseconds(cycles int64) int64 {
	// Divided first, so that no count of cycles overflows.
	return cycles/m.ClockMHz*1000 + cycles%m.ClockMHz*1000/m.ClockMHz
}

// SourceOf returns the row of Sources for a key of the file, such as card.sms or class.mma.latency.
func (m *Machine) SourceOf(key string) (Source, bool) {
	for _, s := range m.Sources {
		if s.Key == key {
			return s, true
		}
	}
	return Source{}, false
}
