package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
	"github.com/tollgate-sim/tollgate/vm/host/star"
)

// tellingWords begin the lines of a program's output that say what it came to. `tollgate run FOLDER` makes a table of
// them.
var tellingWords = []string{"article", "model", "measured", "verdict"}

// told is what a host program of a folder came to.
type told struct {
	Program     string            `json:"program"`
	Title       string            `json:"title"`
	Lines       map[string]string `json:"lines"` // by telling word
	Results     string            `json:"results,omitempty"`
	Differences []string          `json:"differences"`
	Host        time.Duration     `json:"host_nanoseconds"`
	Error       string            `json:"error,omitempty"`
	err         error
	library     bool // it made no machine: functions that others load
}

// isFolder reports whether a name is that of a folder.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// runFolder runs the host programs of a folder side by side and prints one table.
func (r *runnable) runFolder(folder string) error {
	for _, flag := range append([]string{"set", "print", "dump", "ledger"}, launchOnly...) {
		if f := r.cmd.Flags().Lookup(flag); f != nil && f.Changed {
			return fmt.Errorf("--%s does not go with a folder: it runs every host program in it as it is", flag)
		}
	}
	opt, err := r.options()
	if err != nil {
		return err
	}
	opt.Stdout = nil
	files, err := filepath.Glob(filepath.Join(folder, "*.star"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("%s: error: a folder without host programs\n    hint: tollgate test %s runs the case files in it", folder, folder)
	}
	slices.Sort(files)
	all := make([]told, len(files))
	var workers sync.WaitGroup
	var cause atomic.Pointer[any] // of a panic: it goes on here, where it is reported
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, file := range files {
		workers.Go(func() {
			defer func() {
				if c := recover(); c != nil {
					cause.Store(&c)
				}
			}()
			free <- struct{}{}
			defer func() { <-free }()
			all[i] = r.tell(r.cmd.Context(), file, opt)
		})
	}
	workers.Wait()
	if c := cause.Load(); c != nil {
		panic(*c)
	}
	all = slices.DeleteFunc(all, func(t told) bool { return t.library })
	if err := r.showTold(all); err != nil {
		return err
	}
	for _, t := range all {
		switch {
		case t.err != nil:
			return t.err
		case len(t.Differences) > 0:
			return failed(exitFailed)
		}
	}
	return nil
}

// tell runs one program.
func (r *runnable) tell(ctx context.Context, file string, opt vm.Options) told {
	start := time.Now()
	out, err := star.Run(ctx, star.Request{Path: file, Load: r.load, Options: opt})
	t := told{Program: strings.TrimSuffix(filepath.Base(file), ".star"), Lines: map[string]string{}, Differences: []string{}, Host: time.Since(start), err: err}
	if err != nil {
		t.Error = err.Error()
	}
	if out == nil {
		return t
	}
	t.Title, t.Results, t.Differences = out.Title, out.Results, texts(out.Differences)
	t.library = err == nil && out.Result == nil
	for line := range strings.Lines(out.Stdout) {
		word, text, found := strings.Cut(line, ":")
		if found && slices.Contains(tellingWords, word) {
			t.Lines[word] = strings.TrimSpace(text)
		}
	}
	return t
}

func (r *runnable) showTold(all []told) error {
	if wantsJSON(r.cmd) {
		return writeJSON(r.cmd.OutOrStdout(), map[string]any{"programs": all})
	}
	return writeTold(r.cmd.OutOrStdout(), all)
}

// writeTold prints the table: a block a program, what it claims to show and what it came to.
func writeTold(w io.Writer, all []told) error {
	t := &table{}
	for i, p := range all {
		if i > 0 {
			t.add("")
		}
		t.add(p.Program, "", fmt.Sprintf("%s (%.1f s)", p.Title, p.Host.Seconds()))
		for _, word := range tellingWords {
			if text := p.Lines[word]; text != "" {
				t.add("", word, text)
			}
		}
		if len(p.Lines) == 0 && p.err == nil {
			t.add("", "result", p.Results)
		}
		for _, d := range p.Differences {
			t.add("", "differs", d)
		}
		if _, fault := host.AsFault(p.err); fault {
			t.add("", "fault", "see below")
		}
	}
	return t.write(w)
}
