package main

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tollgate-sim/tollgate/vm/host/star"
)

// palette are colours that stay apart for people who see few (Okabe and Ito, 2008).
var palette = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255},
	color.RGBA{230, 159, 0, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{0, 0, 0, 255},
}

// line is the points of a plot that agree in all parameters but the one along it.
type line struct {
	name   string
	points plotter.XYs
}

// drawSweep draws a column over a parameter, a line for each combination of the others.
func drawSweep(s *star.Sweep, file, x, y, logs string) error {
	if x == "" {
		x = longest(s)
	}
	_, figures := s.Columns()
	if y == "" {
		y = "us"
		if len(figures) > 3 {
			y = figures[3]
		}
	}
	lines, names, err := linesOf(s, x, y)
	if err != nil {
		return err
	}
	p := plot.New()
	p.Title.Text = plotTitle(s.Program)
	p.Title.Padding = vg.Points(6)
	p.X.Padding, p.Y.Padding = vg.Points(8), vg.Points(8)
	p.X.Label.Text, p.Y.Label.Text = x, y
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	for i, l := range lines {
		curve, marks, err := plotter.NewLinePoints(l.points)
		if err != nil {
			return err
		}
		curve.Color, marks.Color = palette[i%len(palette)], palette[i%len(palette)]
		curve.Dashes = plotDashes(i / len(palette))
		marks.Shape, marks.Radius = draw.CircleGlyph{}, vg.Points(2.5)
		drawn := []plot.Thumbnailer{curve, marks}
		if names != nil {
			drawn = drawn[1:] // nothing lies between two names
		} else {
			p.Add(curve)
		}
		p.Add(marks)
		if l.name != "" {
			p.Legend.Add(l.name, drawn...)
		}
	}
	if names != nil {
		p.NominalX(names...)
	} else if logs == "x" || logs == "xy" || logs == "auto" && geometric(lines, func(xy plotter.XY) float64 { return xy.X }) {
		if err := logarithmic(&p.X, lines, func(xy plotter.XY) float64 { return xy.X }); err != nil {
			return fmt.Errorf("%s: %w", x, err)
		}
	}
	if logs == "y" || logs == "xy" || logs == "auto" && geometric(lines, func(xy plotter.XY) float64 { return xy.Y }) {
		if err := logarithmic(&p.Y, lines, func(xy plotter.XY) float64 { return xy.Y }); err != nil {
			return fmt.Errorf("%s: %w", y, err)
		}
	} else {
		p.Y.Min = min(p.Y.Min, 0)
		p.Y.Max += (p.Y.Max - p.Y.Min) / 20 // so that no mark is cut
	}
	return p.Save(18*vg.Centimeter, 11*vg.Centimeter, file)
}

// longest is the parameter with most values.
func longest(s *star.Sweep) string {
	name, most := "", 0
	for _, a := range s.Axes {
		if len(a.Values) > most {
			name, most = a.Name, len(a.Values)
		}
	}
	return name
}

// linesOf sorts the points into lines. Where some value along the plot is no number, they are numbered, and the names
// come back.
func linesOf(s *star.Sweep, x, y string) (lines []*line, names []string, err error) {
	position := map[string]float64{}
	for _, a := range s.Axes {
		if a.Name != x {
			continue
		}
		for i, v := range a.Values {
			number, err := strconv.ParseFloat(v, 64)
			if err != nil {
				names = a.Values
			}
			position[v] = choose(names == nil, number, float64(i))
		}
		for i, v := range names {
			position[v] = float64(i)
		}
	}
	byName := map[string]*line{}
	for i := range s.Rows {
		p := &s.Rows[i]
		value, err := strconv.ParseFloat(p.Value(y), 64)
		if err != nil || p.Status != star.OK || math.IsNaN(value) || math.IsInf(value, 0) {
			continue // nothing was measured here
		}
		var rest []string
		for _, set := range p.Set {
			if set.Name != x {
				rest = append(rest, set.Name+"="+set.Value)
			}
		}
		name := strings.Join(rest, " ")
		l := byName[name]
		if l == nil {
			l = &line{name: name}
			byName[name] = l
			lines = append(lines, l)
		}
		l.points = append(l.points, plotter.XY{X: position[p.Value(x)], Y: value})
	}
	if len(lines) == 0 {
		return nil, nil, errors.New("no point has a value to draw")
	}
	for _, l := range lines {
		sort.SliceStable(l.points, func(i, j int) bool { return l.points[i].X < l.points[j].X })
	}
	return lines, names, nil
}

func choose[T any](condition bool, yes, no T) T {
	if condition {
		return yes
	}
	return no
}

// geometric reports positive values so far apart that a linear axis would hide most of them.
func geometric(lines []*line, of func(plotter.XY) float64) bool {
	low, high := math.Inf(1), 0.0
	for _, l := range lines {
		for _, p := range l.points {
			low, high = min(low, of(p)), max(high, of(p))
		}
	}
	return low > 0 && high >= 32*low
}

func logarithmic(a *plot.Axis, lines []*line, of func(plotter.XY) float64) error {
	for _, l := range lines {
		for _, p := range l.points {
			if of(p) <= 0 {
				return errors.New("a logarithmic axis takes positive values only")
			}
		}
	}
	a.Scale, a.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	if a.Min == a.Max { // one value has no extent
		a.Min, a.Max = a.Min/2, a.Max*2
	}
	return nil
}

// plotDashes tells lines apart once the colours are used up.
func plotDashes(round int) []vg.Length {
	return [][]vg.Length{nil, {vg.Points(6), vg.Points(3)}, {vg.Points(2), vg.Points(2)}}[round%3]
}

// plotTitle names the program; a merged CSV does not know it.
func plotTitle(program string) string {
	if program == "" {
		return "modelled"
	}
	return filepath.Base(program) + " (modelled)"
}
