package star

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tollgate-sim/tollgate/vm/host"
)

// A sweep's file, whole or a shard's part, is CSV or JSON. The columns of the CSV are point, points (of the whole
// grid), the axes, cycles, us, loss_nv, the metrics, status.

// WriteCSV writes the points.
func (s *Sweep) WriteCSV(w io.Writer) error {
	axes, figures := s.Columns()
	head := slices.Concat([]string{"point", "points"}, axes, figures, []string{"status"})
	out := csv.NewWriter(w)
	if err := out.Write(head); err != nil {
		return err
	}
	for i := range s.Rows {
		row := make([]string, len(head))
		for k, column := range head {
			row[k] = s.Rows[i].Value(column)
		}
		row[1] = strconv.Itoa(s.Of)
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// ReadPart reads what a sweep wrote, CSV or JSON.
func ReadPart(name string, data []byte) (*Sweep, error) {
	var s *Sweep
	var err error
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		s, err = readJSON(data)
	} else {
		s, err = readCSV(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: error: %w", name, err)
	}
	return s, nil
}

func readJSON(data []byte) (*Sweep, error) {
	var s struct {
		Sweep
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("no part of a sweep: %w", err)
	}
	if s.Format != 1 || s.Of < 1 {
		return nil, fmt.Errorf("no part of a sweep: format 1 is known, this is %d", s.Format)
	}
	return &s.Sweep, s.check()
}

func readCSV(data []byte) (*Sweep, error) {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("no part of a sweep: %w", err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("no part of a sweep: the file is empty")
	}
	head := rows[0]
	cycles := slices.Index(head, "cycles")
	if cycles < 2 || head[0] != "point" || head[1] != "points" || cycles+3 >= len(head) || head[cycles+1] != "us" ||
		head[cycles+2] != "loss_nv" || head[len(head)-1] != "status" {
		return nil, fmt.Errorf("no part of a sweep: its columns are point, points, ..., cycles, us, loss_nv, ..., status")
	}
	s := &Sweep{}
	for _, name := range head[2:cycles] {
		s.Axes = append(s.Axes, Axis{Name: name})
	}
	for i, row := range rows[1:] {
		p, of, err := readRow(head, row, cycles)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+2, err)
		}
		if s.Of != 0 && s.Of != of {
			return nil, fmt.Errorf("row %d: a grid of %d points, before one of %d", i+2, of, s.Of)
		}
		s.Of = of
		s.Rows = append(s.Rows, p)
	}
	return s, s.check()
}

func readRow(head, row []string, cycles int) (p Point, of int, err error) {
	if p.Index, err = strconv.Atoi(row[0]); err != nil {
		return p, 0, err
	}
	if of, err = strconv.Atoi(row[1]); err != nil {
		return p, 0, err
	}
	for k := 2; k < cycles; k++ {
		p.Set = append(p.Set, host.Setting{Name: head[k], Value: row[k]})
	}
	if p.Cycles, err = strconv.ParseUint(row[cycles], 10, 64); err != nil {
		return p, 0, err
	}
	if p.Us, err = strconv.ParseFloat(row[cycles+1], 64); err != nil {
		return p, 0, err
	}
	if text := row[cycles+2]; text != "" {
		loss, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return p, 0, err
		}
		p.Loss = &loss
	}
	for k := cycles + 3; k < len(head)-1; k++ {
		if row[k] != "" {
			p.Metrics = append(p.Metrics, host.Setting{Name: head[k], Value: row[k]})
		}
	}
	p.Status = row[len(head)-1]
	return p, of, nil
}

// check refuses points outside the grid.
func (s *Sweep) check() error {
	if s.Of > maxPoints {
		return fmt.Errorf("a grid of %d points; sweeps have at most %d", s.Of, maxPoints)
	}
	for _, a := range s.Axes {
		if slices.Contains(reserved, a.Name) {
			return fmt.Errorf("a parameter has the name of a column that every sweep has: %s", a.Name)
		}
	}
	for _, p := range s.Rows {
		if p.Index < 0 || p.Index >= s.Of {
			return fmt.Errorf("point %d of a grid of %d", p.Index, s.Of)
		}
		if len(p.Set) != len(s.Axes) {
			return fmt.Errorf("point %d sets %d of %d parameters", p.Index, len(p.Set), len(s.Axes))
		}
		for i, set := range p.Set {
			if set.Name != s.Axes[i].Name {
				return fmt.Errorf("point %d sets %s where %s is expected", p.Index, set.Name, s.Axes[i].Name)
			}
		}
	}
	return nil
}

// Merge puts the parts of one sweep together. Points may be in several parts if they came out the same. Points that are
// in none are an error, which comes with the rest.
func Merge(parts []*Sweep) (*Sweep, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("no parts to merge")
	}
	whole := &Sweep{Program: parts[0].Program}
	var names []string
	rows := map[int]Point{}
	for _, part := range parts {
		if whole.Program == "" {
			whole.Program = part.Program
		}
		if len(part.Rows) == 0 {
			continue // a shard beyond the last point
		}
		var own []string
		for _, a := range part.Axes {
			own = append(own, a.Name)
		}
		if names == nil {
			names, whole.Of = own, part.Of
		}
		if !slices.Equal(own, names) || part.Of != whole.Of {
			return nil, fmt.Errorf("parts of different sweeps: %d points of %s, and %d points of %s", whole.Of, strings.Join(names, ", "), part.Of, strings.Join(own, ", "))
		}
		for _, p := range part.Rows {
			if was, ok := rows[p.Index]; ok && !samePoint(was, p) {
				return nil, fmt.Errorf("point %d came out in two ways: the parts are of different runs", p.Index)
			}
			rows[p.Index] = p
		}
	}
	for _, name := range names {
		whole.Axes = append(whole.Axes, Axis{Name: name})
	}
	var missing []string
	for i := range whole.Of {
		p, ok := rows[i]
		if !ok {
			missing = append(missing, strconv.Itoa(i))
			continue
		}
		whole.Rows = append(whole.Rows, p)
		for k, set := range p.Set {
			if !slices.Contains(whole.Axes[k].Values, set.Value) {
				whole.Axes[k].Values = append(whole.Axes[k].Values, set.Value)
			}
		}
	}
	if len(missing) > 0 {
		const most = 10
		text := strings.Join(missing[:min(len(missing), most)], ", ")
		if len(missing) > most {
			text += ", ..."
		}
		return whole, fmt.Errorf("%d of %d points are in no part: %s", len(missing), whole.Of, text)
	}
	return whole, nil
}

// samePoint compares what a file keeps of two points.
func samePoint(a, b Point) bool {
	columns := []string{"cycles", "us", "loss_nv", "status"}
	for _, s := range slices.Concat(a.Set, b.Set, a.Metrics, b.Metrics) {
		columns = append(columns, s.Name)
	}
	for _, column := range columns {
		if a.Value(column) != b.Value(column) {
			return false
		}
	}
	return true
}
