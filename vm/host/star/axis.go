package star

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tollgate-sim/tollgate/vm/host"
)

// Axis is a parameter of a program with the values that a sweep gives it.
type Axis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// maxPoints bounds the grid of a sweep.
const maxPoints = 100_000

// ParseAxis reads NAME=VALUES: values parted by commas, each a text, a range of integers 1..8, a range with a step
// 0..1:0.25, or with a factor 8..1024*2.
func ParseAxis(text string) (Axis, error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok || name == "" || list == "" {
		return Axis{}, fmt.Errorf("--set %s: NAME=VALUES, as in cards=2,4,8 or k=1..8", text)
	}
	a := Axis{Name: name}
	for _, item := range strings.Split(list, ",") {
		values, err := expand(item)
		if err != nil {
			return a, fmt.Errorf("--set %s: %w", text, err)
		}
		a.Values = append(a.Values, values...)
		if len(a.Values) > maxPoints {
			return a, fmt.Errorf("--set %s: more than %d values", text, maxPoints)
		}
	}
	seen := map[string]bool{}
	for _, v := range a.Values {
		if seen[v] {
			return a, fmt.Errorf("--set %s: %s stands there twice", text, v)
		}
		seen[v] = true
	}
	return a, nil
}

// expand lists the values of one item.
func expand(item string) ([]string, error) {
	if item == "" {
		return nil, fmt.Errorf("an empty value")
	}
	from, rest, isRange := strings.Cut(item, "..")
	low, err := strconv.ParseFloat(from, 64)
	if !isRange || err != nil {
		return []string{item}, nil // a text with two dots is one, as in ../my.toml
	}
	to, by, factor := rest, "", false
	if i := strings.IndexAny(rest, ":*"); i >= 0 {
		to, by, factor = rest[:i], rest[i+1:], rest[i] == '*'
	}
	high, errHigh := strconv.ParseFloat(to, 64)
	step, errStep := 1.0, error(nil)
	if by != "" {
		step, errStep = strconv.ParseFloat(by, 64)
	}
	bounds := fmt.Errorf("%q: a range is 1..8, 0..1:0.25 or 8..1024*2, upwards", item)
	switch {
	case errHigh != nil || errStep != nil, math.IsNaN(low + high + step), math.IsInf(low+high+step, 0), low > high:
		return nil, bounds
	case factor && (step <= 1 || low <= 0), !factor && step <= 0, !factor && (high-low)/step > maxPoints:
		return nil, bounds
	}
	var values []string
	end := high + math.Abs(high)*1e-12 // so that 0..1:0.1 ends with 1
	for i := 0; ; i++ {
		v := low + float64(i)*step
		if factor {
			v = low * math.Pow(step, float64(i))
		}
		if v > end {
			return values, nil
		}
		values = append(values, strconv.FormatFloat(v, 'g', 12, 64))
	}
}

// reserved are the columns that every sweep has; parameters and metrics have other names.
var reserved = []string{"point", "points", "cycles", "us", "loss_nv", "status"}

// grid is every combination of values, the last axis changing fastest.
func grid(axes []Axis) ([][]host.Setting, error) {
	count := 1
	names := map[string]bool{}
	for _, a := range axes {
		if slices.Contains(reserved, a.Name) {
			return nil, fmt.Errorf("--set %s: every sweep has a column of that name", a.Name)
		}
		if names[a.Name] {
			return nil, fmt.Errorf("--set gives %s twice", a.Name)
		}
		names[a.Name] = true
		if count *= len(a.Values); count > maxPoints {
			return nil, fmt.Errorf("a sweep has at most %d points", maxPoints)
		}
	}
	points := make([][]host.Setting, count)
	for i := range points {
		rest := i
		point := make([]host.Setting, len(axes))
		for k := len(axes) - 1; k >= 0; k-- {
			values := axes[k].Values
			point[k] = host.Setting{Name: axes[k].Name, Value: values[rest%len(values)]}
			rest /= len(values)
		}
		points[i] = point
	}
	return points, nil
}
