package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
)

// Timing says in which modes Test runs its rows.
type Timing string

// The modes. A case with a golden file is always timed, since the golden holds cycles.
const (
	TimingAuto Timing = ""     // functional, and timed where a golden file asks for cycles
	TimingOff  Timing = "off"  // functional only; cycles are not compared
	TimingOn   Timing = "on"   // timed only
	TimingBoth Timing = "both" // both, every row
)

// TestRequest is what `tollgate test` runs.
type TestRequest struct {
	// Paths are case files, host programs and folders to search for them; none: the current folder.
	Paths []string
	// Files is the file system that Paths and module paths are in; nil: the host's.
	Files   fs.FS
	Load    LoadModule
	Options vm.Options // Machine and Cards are each case's own
	Timing  Timing
	Jobs    int // rows run side by side; 0: one a processor
	// Update rewrites the golden files' "results" or "cycles" section instead of comparing it; only with Files nil.
	Update string
	// Report prints what belongs into the cycles section of a golden file; nil: no cycles are compared. Of a host
	// program the case has only a name and a description.
	Report func(c *Case, out *Outcome) (string, error)
	// Each is called with every row as it ends, from one goroutine at a time; may be nil.
	Each func(Row)
	// Program runs a host program (.star), which is found and compared like a case; nil: those are left out. Its machines
	// are the program's own.
	Program func(ctx context.Context, path string, load LoadModule, opt vm.Options) (*Outcome, error)
	// Main runs only the main PTX file of each case.
	Main bool
}

// Row is one variant of one case, or a file that could not be read.
type Row struct {
	Path     string   `json:"path"`
	Variant  string   `json:"variant,omitempty"` // its PTX file
	Passed   bool     `json:"passed"`
	Problems []string `json:"problems,omitempty"` // why it failed, a difference each
	// Kind says what kind of failure it is: input, unsupported, fault, difference, golden, internal (our own fault).
	Kind               string        `json:"kind,omitempty"`
	Err                error         `json:"-"` // of the kinds input, unsupported and fault
	Cycles             uint64        `json:"cycles,omitempty"`
	ThreadInstructions uint64        `json:"thread_instructions,omitempty"`
	Host               time.Duration `json:"host_nanoseconds"`
	Updated            bool          `json:"updated,omitempty"` // its golden file was rewritten
}

// String is the row of a failure: the case, its variant, what is wrong.
func (r Row) String() string {
	s := choose(r.Passed, "ok    ", "FAIL  ") + r.Path
	if r.Variant != "" {
		s += "  " + r.Variant
	}
	for _, p := range r.Problems {
		s += "\n      " + strings.ReplaceAll(p, "\n", "\n      ")
	}
	return s
}

// Summary is what a test came to.
type Summary struct {
	Rows    []Row `json:"rows"` // in the order of paths and variants
	Passed  int   `json:"passed"`
	Failed  int   `json:"failed"`
	Updated int   `json:"updated,omitempty"`
}

// String is the closing line.
func (s *Summary) String() string {
	text := fmt.Sprintf("%d passed, %d failed", s.Passed, s.Failed)
	if s.Updated > 0 {
		text += fmt.Sprintf(", %d golden files rewritten", s.Updated)
	}
	return text
}

// Test runs case files, every variant a row, and compares golden files. The error is one of the request itself (a
// path that isn't there) or of the context; failures are in the summary.
func Test(ctx context.Context, req TestRequest) (*Summary, error) {
	t := &tester{req: req, load: newModuleCache(req.Load).load}
	if req.Update != "" && req.Update != "results" && req.Update != "cycles" {
		return nil, &FlagError{Flag: "--update", Text: req.Update, Msg: "results or cycles"}
	}
	paths, err := t.find()
	if err != nil {
		return nil, err
	}
	var rows []pending
	for _, p := range paths {
		rows = append(rows, t.rows(p, slices.Contains(req.Paths, p))...)
	}
	if err := t.runAll(ctx, rows); err != nil {
		return nil, err
	}
	s := &Summary{}
	for _, p := range rows {
		s.Rows = append(s.Rows, *p.row)
		s.Passed += choose(p.row.Passed, 1, 0)
		s.Failed += choose(p.row.Passed, 0, 1)
		s.Updated += choose(p.row.Updated, 1, 0)
	}
	return s, nil
}

type tester struct {
	req  TestRequest
	load LoadModule
}

// pending is a row that may still have to run.
type pending struct {
	row     *Row
	c       *Case // nil: the file could not be read, and the row says so
	variant int
	golden  string // path of the golden file, of the main variant; "" where there is none
	named   bool   // the request names the case itself
	program bool   // a host program
}

func (t *tester) readFile(name string) ([]byte, error) {
	if t.req.Files != nil {
		return fs.ReadFile(t.req.Files, name)
	}
	return os.ReadFile(name)
}

// find lists the case files, in the order of the paths, sorted within a folder.
func (t *tester) find() ([]string, error) {
	roots := t.req.Paths
	if len(roots) == 0 {
		roots = []string{"."}
	}
	var found []string
	for _, root := range roots {
		visit := func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir():
				if base := path.Base(name); name != root && strings.HasPrefix(base, ".") {
					return fs.SkipDir
				}
			case name == root, t.isProgram(name):
				found = append(found, name)
			case strings.HasSuffix(name, ".json"):
				if text, err := t.readFile(name); err == nil && isCase(text) {
					found = append(found, name)
				}
			}
			return nil
		}
		var err error
		if t.req.Files != nil {
			err = fs.WalkDir(t.req.Files, root, visit)
		} else {
			err = filepath.WalkDir(root, visit)
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// isProgram reports a host program that can be run.
func (t *tester) isProgram(name string) bool {
	return t.req.Program != nil && strings.HasSuffix(name, ".star")
}

// rows reads a case and makes a row for each variant.
func (t *tester) rows(name string, named bool) []pending {
	if t.isProgram(name) {
		c := &Case{Name: strings.TrimSuffix(path.Base(name), ".star")}
		return []pending{{row: &Row{Path: name}, c: c, golden: strings.TrimSuffix(name, ".star") + ".golden", named: named, program: true}}
	}
	var c *Case
	var err error
	if t.req.Files != nil {
		c, err = ReadCase(t.req.Files, name)
	} else {
		c, err = ReadCaseFile(name)
	}
	if err != nil {
		row := &Row{Path: name}
		row.fail("input", err)
		return []pending{{row: row}}
	}
	var rows []pending
	for v := range c.Variants {
		if v > 0 && t.req.Main {
			break
		}
		p := pending{row: &Row{Path: name, Variant: c.VariantName(v)}, c: c, variant: v, named: named}
		if v == 0 {
			p.golden = strings.TrimSuffix(name, ".json") + ".golden"
		}
		rows = append(rows, p)
	}
	return rows
}

// runAll runs the rows on as many goroutines as there are jobs.
func (t *tester) runAll(ctx context.Context, rows []pending) error {
	jobs := t.req.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	queue := make(chan pending)
	var workers sync.WaitGroup
	var saying sync.Mutex
	for range jobs {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for p := range queue {
				if p.c != nil && ctx.Err() == nil {
					t.run(ctx, p)
				}
				if t.req.Each != nil {
					saying.Lock()
					t.req.Each(*p.row)
					saying.Unlock()
				}
			}
		}()
	}
	for _, p := range rows {
		queue <- p
	}
	close(queue)
	workers.Wait()
	return ctx.Err()
}

// Internal is the kind of a row in which we failed, not what it tests.
const Internal = "internal"

// run runs a row in its modes and compares.
func (t *tester) run(ctx context.Context, p pending) {
	start := time.Now()
	defer func() {
		if cause := recover(); cause != nil { // a mistake of ours: it costs its row, not the other rows
			p.row.Passed = false
			p.row.fail(Internal, fmt.Errorf("internal fault: %v\n%s", cause, debug.Stack()))
		}
	}()
	want, hasGolden, err := t.golden(p)
	if err != nil {
		p.row.fail("input", err)
		return
	}
	timed := t.req.Timing == TimingOn || t.req.Timing == TimingBoth || (hasGolden || p.program) && t.req.Timing == TimingAuto
	if t.req.Timing == TimingOff || t.req.Timing == TimingBoth || !timed {
		t.mode(ctx, p, true, want, hasGolden && !timed && t.req.Update == "")
	}
	if timed && p.row.Kind == "" {
		t.mode(ctx, p, false, want, hasGolden)
	}
	p.row.Passed = p.row.Kind == ""
	p.row.Host = time.Since(start)
}

// golden reads the golden file of a row, if it has one. With --update a case that the request names gets one; those
// found in a folder are only rewritten.
func (t *tester) golden(p pending) (golden, bool, error) {
	if p.golden == "" || t.req.Report == nil {
		return golden{}, false, nil
	}
	text, err := t.readFile(p.golden)
	if errors.Is(err, fs.ErrNotExist) {
		return golden{}, t.req.Update != "" && p.named, nil
	}
	return parseGolden(string(text)), err == nil, err
}

// mode is one run of a row.
func (t *tester) mode(ctx context.Context, p pending, functional bool, want golden, hasGolden bool) {
	opt := t.req.Options
	opt.Functional = functional
	opt.Threads = 1
	opt.Silent = functional || !hasGolden || want.cycles != "" && !want.namesLoss()
	opt.Stdout = io.Discard
	out, err := t.execute(ctx, p, opt)
	if out != nil && out.Result != nil {
		p.row.Cycles = max(p.row.Cycles, out.Result.Total)
		p.row.ThreadInstructions += out.Result.Counts.ThreadInstructions
	}
	if err != nil {
		p.row.fail(kindOf(err), err)
		return
	}
	prefix := ""
	if t.req.Timing == TimingBoth {
		prefix = choose(functional, "functional: ", "timed: ")
	}
	for _, d := range out.Differences {
		p.row.add("difference", prefix+d)
	}
	if hasGolden {
		t.compareGolden(p, out, want)
	}
}

// execute runs a case or a host program.
func (t *tester) execute(ctx context.Context, p pending, opt vm.Options) (*Outcome, error) {
	if !p.program {
		return RunCase(ctx, CaseRequest{Case: p.c, Variant: p.variant, Load: t.load, Options: opt})
	}
	out, err := t.req.Program(ctx, p.row.Path, t.load, opt)
	if out != nil {
		p.c.Description = out.Title
	}
	return out, err
}

// compareGolden compares or rewrites the golden file.
func (t *tester) compareGolden(p pending, out *Outcome, want golden) {
	results, err := out.results()
	if err != nil {
		p.row.fail("input", err)
		return
	}
	cycles := want.cycles
	if out.Result != nil && !out.Result.Functional {
		out.Result.Host = 0 // differs from run to run
		if cycles, err = t.req.Report(p.c, out); err != nil {
			p.row.fail("input", err)
			return
		}
	}
	got := golden{results: results, cycles: cycles}
	next := want
	switch t.req.Update {
	case "results":
		next.results = got.results
		if want.cycles == "" {
			next.cycles = got.cycles
		}
	case "cycles":
		next.cycles = got.cycles
		if want.results == "" {
			next.results = got.results
		}
	}
	if t.req.Update != "" && next != want {
		if err := os.WriteFile(p.golden, []byte(next.format(path.Base(p.row.Path))), 0o644); err != nil {
			p.row.fail("input", err)
			return
		}
		p.row.Updated = true
	}
	if diff := difference(next.results, got.results); diff != "" {
		p.row.add("golden", p.golden+": results differ (- expected, + now)\n"+diff)
	}
	if diff := difference(next.cycles, got.cycles); diff != "" {
		p.row.add("golden", p.golden+": cycles differ (- expected, + now)\n"+diff)
	}
}

// fail notes an error that ended a row.
func (r *Row) fail(kind string, err error) {
	r.Err = err
	r.add(kind, err.Error())
}

// add notes one problem; the first one's kind is the row's.
func (r *Row) add(kind, problem string) {
	if r.Kind == "" {
		r.Kind = kind
	}
	r.Problems = append(r.Problems, problem)
}

// kindOf says whose mistake an error of a run is.
func kindOf(err error) string {
	var argument *UnsupportedError
	var instruction vm.Unsupported
	fault, isFault := AsFault(err)
	switch {
	case errors.As(err, &argument), errors.As(err, &instruction), isFault && fault.Kind == "unsupported":
		return "unsupported"
	case isFault:
		return "fault"
	}
	return "input"
}

// moduleCache keeps the last modules loaded: the cases of a folder often share a PTX file.
type moduleCache struct {
	inner  LoadModule
	mutex  sync.Mutex
	recent []*cachedModule // last used first
}

// cachedModules is how many modules are kept.
const cachedModules = 16

type cachedModule struct {
	path   string
	once   sync.Once
	module *isa.Module
	err    error
}

func newModuleCache(load LoadModule) *moduleCache { return &moduleCache{inner: load} }

func (c *moduleCache) load(path string) (*isa.Module, error) {
	c.mutex.Lock()
	i := slices.IndexFunc(c.recent, func(m *cachedModule) bool { return m.path == path })
	var m *cachedModule
	if i >= 0 {
		m = c.recent[i]
		c.recent = slices.Delete(c.recent, i, i+1)
	} else {
		m = &cachedModule{path: path}
	}
	c.recent = slices.Insert(c.recent, 0, m)
	c.recent = c.recent[:min(len(c.recent), cachedModules)]
	c.mutex.Unlock()
	m.once.Do(func() { m.module, m.err = c.inner(path) })
	return m.module, m.err
}
