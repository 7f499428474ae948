package star

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/tollgate-sim/tollgate/vm/host"
)

// SweepRequest is one program, run for every combination of some parameters' values.
type SweepRequest struct {
	Program Request // Set, Prints and Dumps are the sweep's own
	Axes    []Axis
	// Shard and Shards take every Shards-th point, from point Shard on; Shards 0 or 1: all of them.
	Shard, Shards int
	Jobs          int // runs side by side, each on one host thread; 0: one a processor
	// Each is called as a point ends, from one goroutine at a time, with the numbers of points ended and to do; may be nil.
	Each func(p Point, ended, of int)
}

// Sweep is what its points came to, in the order of the grid.
type Sweep struct {
	Program string  `json:"program"`
	Axes    []Axis  `json:"axes"`
	Of      int     `json:"points"` // points of the whole grid
	Rows    []Point `json:"rows"`
}

// Point is what the program came to with one combination of values.
type Point struct {
	Index   int            `json:"point"` // in the grid
	Set     []host.Setting `json:"set"`
	Cycles  uint64         `json:"cycles"`
	Us      float64        `json:"us"`
	Loss    *float64       `json:"loss_nv,omitempty"` // nil: not run, or the results depend on timing
	Metrics []host.Setting `json:"metrics,omitempty"`
	Status  string         `json:"status"` // "ok", or in one line what differs or failed
}

// OK is the status of a point whose run ended and whose checks hold.
const OK = "ok"

// RunSweep runs a sweep. A point that fails is a row that says so; a parameter that the program doesn't have ends the
// sweep at once. When the context ends, the points so far come with its error.
func RunSweep(ctx context.Context, req SweepRequest) (*Sweep, error) {
	points, err := grid(req.Axes)
	if err != nil {
		return nil, err
	}
	if len(req.Axes) == 0 {
		return nil, errors.New("a sweep needs values: --set NAME=VALUES, as in --set cards=2,4,8")
	}
	shards := max(req.Shards, 1)
	if req.Shard < 0 || req.Shard >= shards {
		return nil, fmt.Errorf("there is no shard %d of %d: they are numbered from 0", req.Shard, shards)
	}
	var todo []int
	for i := req.Shard; i < len(points); i += shards {
		todo = append(todo, i)
	}
	s := &Sweep{Program: req.Program.Path, Axes: req.Axes, Of: len(points)}
	if req.Program.Load != nil {
		req.Program.Load = host.CachedLoad(req.Program.Load)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	rows := make([]*Point, len(todo))
	queue := make(chan int)
	var workers sync.WaitGroup
	var mutex sync.Mutex
	ended := 0
	jobs := req.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	for range min(jobs, len(todo)) {
		workers.Go(func() {
			for i := range queue {
				p, err := runPoint(ctx, req.Program, todo[i], points[todo[i]])
				if err != nil {
					stop(err)
				}
				if ctx.Err() != nil {
					continue
				}
				mutex.Lock()
				rows[i] = p
				ended++
				if req.Each != nil {
					req.Each(*p, ended, len(todo))
				}
				mutex.Unlock()
			}
		})
	}
	// From the last point on: values mostly go up, and so does what a run takes. The longest first leaves no processor
	// idle at the end.
	for i := len(todo) - 1; i >= 0; i-- {
		queue <- i
	}
	close(queue)
	workers.Wait()
	for _, p := range rows {
		if p != nil {
			s.Rows = append(s.Rows, *p)
		}
	}
	return s, context.Cause(ctx)
}

// runPoint runs the program with one combination. The error is one that every point would meet.
func runPoint(ctx context.Context, program Request, index int, set []host.Setting) (p *Point, err error) {
	p = &Point{Index: index, Set: set, Status: OK}
	defer func() {
		if cause := recover(); cause != nil { // a mistake of ours: it must not take the process with it
			err = fmt.Errorf("internal fault: %v\n%s", cause, debug.Stack())
		}
	}()
	program.Set = map[string]string{}
	for _, s := range set {
		program.Set[s.Name] = s.Value
	}
	program.Options.Threads = 1
	program.Options.Stdout = io.Discard
	out, err := Run(ctx, program)
	var unknown *unknownParam
	switch {
	case errors.As(err, &unknown):
		return nil, err
	case err != nil:
		p.Status = firstLine(err)
	case len(out.Differences) > 0:
		p.Status = out.Differences[0]
	}
	if out == nil {
		return p, nil
	}
	p.Metrics = out.Metrics
	machines := out.Machines
	if len(machines) == 0 {
		machines = []*host.Outcome{out}
	}
	for _, m := range machines { // one after the other
		if r := m.Result; r != nil {
			p.Cycles += r.Total
			p.Us += microseconds(r.Total, r.Machine.ClockMHz)
		}
	}
	if r := out.Result; len(machines) == 1 && r != nil && r.Local != nil && r.Local.SameResults && r.Local.Total > 0 {
		loss := (float64(r.Total) - float64(r.Local.Total)) / float64(r.Local.Total)
		p.Loss = &loss
	}
	return p, nil
}

// firstLine is what went wrong, in one line.
func firstLine(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// Failed counts the points that did not come out as they should.
func (s *Sweep) Failed() (n int) {
	for _, p := range s.Rows {
		if p.Status != OK {
			n++
		}
	}
	return n
}

// metricNames lists what the points measured, in the order of first mention.
func (s *Sweep) metricNames() []string {
	var names []string
	seen := map[string]bool{}
	for _, p := range s.Rows {
		for _, m := range p.Metrics {
			if !seen[m.Name] {
				seen[m.Name] = true
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// Columns are the names of a sweep's columns: axes, figures, metrics.
func (s *Sweep) Columns() (axes, figures []string) {
	for _, a := range s.Axes {
		axes = append(axes, a.Name)
	}
	return axes, append([]string{"cycles", "us", "loss_nv"}, s.metricNames()...)
}

// Value is a point's text in a column; "" where it has none.
func (p *Point) Value(column string) string {
	for _, s := range p.Set {
		if s.Name == column {
			return s.Value
		}
	}
	switch column {
	case "point":
		return strconv.Itoa(p.Index)
	case "cycles":
		return strconv.FormatUint(p.Cycles, 10)
	case "us":
		return strconv.FormatFloat(p.Us, 'f', 3, 64)
	case "loss_nv":
		if p.Loss == nil {
			return ""
		}
		return strconv.FormatFloat(*p.Loss, 'g', 6, 64)
	case "status":
		return p.Status
	}
	for _, m := range p.Metrics {
		if m.Name == column {
			return m.Value
		}
	}
	return ""
}

// Text is the table for people.
func (s *Sweep) Text() string {
	axes, figures := s.Columns()
	head := append(append([]string{}, axes...), figures...)
	failed := s.Failed() > 0
	if failed {
		head = append(head, "status")
	}
	rows := [][]string{head}
	for i := range s.Rows {
		p := &s.Rows[i]
		row := make([]string, len(head))
		for k, column := range head {
			row[k] = p.shown(column)
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	columns(&b, rows, func(column int) bool {
		if column < len(axes) {
			return s.Axes[column].numeric()
		}
		return head[column] != "status"
	})
	return b.String()
}

// shown is a value as the table prints it.
func (p *Point) shown(column string) string {
	switch text := p.Value(column); {
	case text == "":
		return "-"
	case column == "cycles":
		return grouped(p.Cycles)
	case column == "us":
		return strconv.FormatFloat(p.Us, 'f', 1, 64)
	case column == "loss_nv":
		return lossText(*p.Loss)
	case strings.Contains(text, ".") && p.measured(column):
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return text
		}
		return strconv.FormatFloat(v, 'g', 6, 64)
	default:
		return text
	}
}

// measured reports a column that is a metric of the point.
func (p *Point) measured(column string) bool {
	for _, m := range p.Metrics {
		if m.Name == column {
			return true
		}
	}
	return false
}

// numeric reports an axis all of whose values are numbers.
func (a *Axis) numeric() bool {
	for _, v := range a.Values {
		if _, err := strconv.ParseFloat(v, 64); err != nil {
			return false
		}
	}
	return true
}
