package star

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

func TestParseAxis(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"cards=2,4,8", "2 4 8"},
		{"k=1..4", "1 2 3 4"},
		{"f=0..1:0.25", "0 0.25 0.5 0.75 1"},
		{"f=0..0.3:0.1", "0 0.1 0.2 0.3"},
		{"n=8..64*2", "8 16 32 64"},
		{"n=1..100*10,7", "1 10 100 7"},
		{"mode=ring,tree", "ring tree"},
		{"x=-2..0", "-2 -1 0"},
		{"x=1..1", "1"},
		{"machine=../my.toml,h200-sxm", "../my.toml h200-sxm"},
		{"k", "--set k: NAME=VALUES, as in cards=2,4,8 or k=1..8"},
		{"k=", "--set k=: NAME=VALUES, as in cards=2,4,8 or k=1..8"},
		{"k=1,,2", "--set k=1,,2: an empty value"},
		{"k=8..1", `--set k=8..1: "8..1": a range is 1..8, 0..1:0.25 or 8..1024*2, upwards`},
		{"k=0..8*2", `--set k=0..8*2: "0..8*2": a range is 1..8, 0..1:0.25 or 8..1024*2, upwards`},
		{"k=1..9:0", `--set k=1..9:0: "1..9:0": a range is 1..8, 0..1:0.25 or 8..1024*2, upwards`},
		{"k=1..1e300", `--set k=1..1e300: "1..1e300": a range is 1..8, 0..1:0.25 or 8..1024*2, upwards`},
		{"k=1..nan", `--set k=1..nan: "1..nan": a range is 1..8, 0..1:0.25 or 8..1024*2, upwards`},
		{"k=1,2,1", "--set k=1,2,1: 1 stands there twice"},
	} {
		a, err := ParseAxis(c.text)
		got := strings.Join(a.Values, " ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// swept measures one barrier round on so many cards, late by so many cycles.
const swept = `node = machine(cards = param("cards", 2))
k = ptx("nvlink_allreduce.ptx")
node.delay(0, 1000 * param("late", 0))
node.launch(k.nvlink_barrier_sync, args = [0])
r = node.result()
metric("skew", r.cards[1].groups["skew"])
expect(param("late", 0) != 3, "three is too late")
`

func sweepOf(t *testing.T, program string, axes []string, change func(*SweepRequest)) (*Sweep, error) {
	t.Helper()
	files := withKernels(t, map[string]string{"p.star": program})
	req := SweepRequest{Program: Request{Path: "p.star", Files: files, Load: loader(files), Options: vm.Options{Silent: true}}}
	for _, text := range axes {
		a, err := ParseAxis(text)
		if err != nil {
			t.Fatal(err)
		}
		req.Axes = append(req.Axes, a)
	}
	if change != nil {
		change(&req)
	}
	return RunSweep(context.Background(), req)
}

// A sweep's points are in the order of the grid, whatever the number of jobs; the delay of card 0 is what card 1 waits.
func TestSweep(t *testing.T) {
	axes := []string{"cards=2,4", "late=0..3"}
	var texts []string
	for _, jobs := range []int{1, 3} {
		calls := 0
		s, err := sweepOf(t, swept, axes, func(r *SweepRequest) {
			r.Jobs = jobs
			r.Each = func(_ Point, ended, of int) {
				if calls++; ended != calls || of != 8 {
					t.Errorf("%d of %d at call %d", ended, of, calls)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range s.Rows {
			late := i % 4
			if p.Index != i || p.Value("cards") != []string{"2", "4"}[i/4] || p.Value("skew") != fmt.Sprint(1000*late) {
				t.Errorf("point %d: %+v", i, p)
			}
			if ok := p.Status == OK; ok == (late == 3) {
				t.Errorf("point %d: status %s", i, p.Status)
			}
		}
		if s.Failed() != 2 || calls != 8 {
			t.Errorf("%d failed, %d calls", s.Failed(), calls)
		}
		texts = append(texts, s.Text())
	}
	if texts[0] != texts[1] {
		t.Errorf("the table depends on the number of jobs:\n%s\n%s", texts[0], texts[1])
	}
	if want := "cards  late  cycles    us  loss_nv  skew  status\n"; !strings.HasPrefix(texts[0], want) {
		t.Errorf("%s, want %s first", texts[0], want)
	}
}

// The parts of shards put together are the whole sweep, byte by byte, from CSV and from JSON, in any order, and where
// some points are in two parts.
func TestShardsMerge(t *testing.T) {
	axes := []string{"late=0..6"}
	whole, err := sweepOf(t, swept, axes, nil)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := whole.WriteCSV(&want); err != nil {
		t.Fatal(err)
	}
	var parts, partsJSON []*Sweep
	for shard := range 3 {
		s, err := sweepOf(t, swept, axes, func(r *SweepRequest) { r.Shard, r.Shards = shard, 3 })
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := s.WriteCSV(&text); err != nil {
			t.Fatal(err)
		}
		part, err := ReadPart("part.csv", text.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		parts = append([]*Sweep{part}, parts...)
		data, err := json.Marshal(map[string]any{"format": 1, "program": s.Program, "axes": s.Axes, "points": s.Of, "rows": s.Rows})
		if err != nil {
			t.Fatal(err)
		}
		if part, err = ReadPart("part.json", data); err != nil {
			t.Fatal(err)
		}
		partsJSON = append(partsJSON, part)
	}
	for _, list := range [][]*Sweep{parts, partsJSON, append(parts, parts[0]), {whole}} {
		merged, err := Merge(list)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := merged.WriteCSV(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.String(), got.String()); diff != "" {
			t.Error(diff)
		}
	}
	// parts[0] is the last shard: points 2 and 5.
	if part, err := Merge(parts[1:]); err == nil || err.Error() != "2 of 7 points are in no part: 2, 5" || len(part.Rows) != 5 {
		t.Errorf("a shard missing: %v", err)
	}
	other := *parts[0]
	other.Rows = append([]Point{}, other.Rows...)
	other.Rows[0].Cycles++
	if _, err := Merge(append(parts, &other)); err == nil || err.Error() != "point 2 came out in two ways: the parts are of different runs" {
		t.Errorf("two ways: %v", err)
	}
	smaller, err := sweepOf(t, swept, []string{"late=0,1"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Merge([]*Sweep{whole, smaller}); err == nil || err.Error() != "parts of different sweeps: 7 points of late, and 2 points of late" {
		t.Errorf("different grids: %v", err)
	}
}

func TestReadPartErrors(t *testing.T) {
	const head = "point,points,late,cycles,us,loss_nv,status\n"
	for text, want := range map[string]string{
		"":                                      "part: error: no part of a sweep: the file is empty",
		"a,b\n1,2\n":                            "part: error: no part of a sweep: its columns are point, points, ..., cycles, us, loss_nv, ..., status",
		head + "0,1,0,x,1,,ok\n":                `part: error: row 2: strconv.ParseUint: parsing "x": invalid syntax`,
		head + "7,1000000000000,0,1,1,,ok\n":    "part: error: a grid of 1000000000000 points; sweeps have at most 100000",
		head + "7,2,0,1,1,,ok\n":                "part: error: point 7 of a grid of 2",
		head + "-1,2,0,1,1,,ok\n":               "part: error: point -1 of a grid of 2",
		head + "0,2,0,1,1,,ok\n1,3\n":           "part: error: no part of a sweep: record on line 3: wrong number of fields",
		head + "0,2,0,1,1,,ok\n1,3,1,1,1,,ok\n": "part: error: row 3: a grid of 3 points, before one of 2",
		"point,points,us,cycles,us,loss_nv,status\n0,2,0,1,1,,ok\n": "part: error: a parameter has the name of a column that every sweep has: us",
		`{"format":2}`: "part: error: no part of a sweep: format 1 is known, this is 2",
		`{"format":1,"points":1,"axes":[{"name":"a"}],"rows":[{"point":0}]}`:                               "part: error: point 0 sets 0 of 1 parameters",
		`{"format":1,"points":1,"axes":[{"name":"a"}],"rows":[{"point":0,"set":[{"name":"b"}]}]}`:          "part: error: point 0 sets b where a is expected",
		`{"format":1,"points":1,"axes":[{"name":"a"}],"rows":[{"point":3,"set":[{"name":"a"}]}],"x":[{}]}`: "part: error: point 3 of a grid of 1",
	} {
		if _, err := ReadPart("part", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// What ends a sweep: a parameter that isn't there, at once; a context, with the points so far. What doesn't: an error
// at one point.
func TestSweepErrors(t *testing.T) {
	if _, err := sweepOf(t, swept, []string{"crads=2,4"}, nil); err == nil || !strings.Contains(err.Error(), "did you mean cards?") {
		t.Errorf("unknown parameter: %v", err)
	}
	if _, err := sweepOf(t, swept, nil, nil); err == nil || !strings.HasPrefix(err.Error(), "a sweep needs values") {
		t.Errorf("no axes: %v", err)
	}
	if _, err := sweepOf(t, swept, []string{"cycles=1"}, nil); err == nil || err.Error() != "--set cycles: every sweep has a column of that name" {
		t.Errorf("reserved name: %v", err)
	}
	s, err := sweepOf(t, swept, []string{"cards=2,9"}, nil)
	if err != nil || s.Failed() != 1 || s.Rows[1].Status != "p.star:1:8: error: machine: h200-sxm holds 1 to 8 cards, not 9" {
		t.Errorf("%v %+v", err, s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	files := withKernels(t, map[string]string{"p.star": swept})
	s, err = RunSweep(ctx, SweepRequest{Program: Request{Path: "p.star", Files: files, Load: loader(files), Options: vm.Options{Silent: true}},
		Axes: []Axis{{"late", []string{"0", "1", "2"}}}, Jobs: 1, Each: func(Point, int, int) { cancel() }})
	if !errors.Is(err, context.Canceled) || len(s.Rows) != 1 {
		t.Errorf("interrupted: %v, %d rows", err, len(s.Rows))
	}
}

// The table: names to the left, numbers to the right, six digits of a metric, - where there is nothing.
func TestSweepText(t *testing.T) {
	loss := 0.25
	s := Sweep{Axes: []Axis{{"mode", []string{"ring", "tree"}}, {"k", []string{"8", "16"}}}, Of: 4, Rows: []Point{
		{Index: 0, Set: []host.Setting{{Name: "mode", Value: "ring"}, {Name: "k", Value: "8"}}, Cycles: 1234567, Us: 674.63, Loss: &loss,
			Metrics: []host.Setting{{Name: "rate", Value: "369.123456789"}}, Status: OK},
		{Index: 3, Set: []host.Setting{{Name: "mode", Value: "tree"}, {Name: "k", Value: "16"}}, Cycles: 5, Us: 0.003, Status: "too late"},
	}}
	const want = "mode   k     cycles     us  loss_nv     rate  status\n" +
		"ring   8  1,234,567  674.6   25.0 %  369.123  ok\n" +
		"tree  16          5    0.0        -        -  too late\n"
	if got := s.Text(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
