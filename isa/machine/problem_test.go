package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tollgate-sim/tollgate/isa"
)

// parse reads a file that has h200-sxm as its base; its first two lines are given.
func parse(text string) (*Machine, error) {
	return Parse(isa.NewSource("my.toml", "name = \"my\"\nbase = \"h200-sxm\"\n"+text))
}

func TestProblems(t *testing.T) {
	const ok = `unit = "SM", source = "s", confidence = "low" }`
	for _, c := range []struct {
		text string
		want []string // line:col: text
	}{
		{`bass = "h200-sxm"`, []string{"3:1: unknown key bass"}},
		{"[gpu]\n", []string{"3:2: unknown key gpu"}},
		{"[card]\nsm = { value = 1, " + ok, []string{"4:1: unknown key card.sm"}},
		{"[card]\nsms = { value = 1, colour = 2, " + ok, []string{"4:20: unknown key card.sms.colour"}},
		{"[class]\nfma = { value = 1, " + ok, []string{"4:1: unknown key class.fma"}},
		{"[card]\nsms = 132\n", []string{"4:1: card.sms must be a table with a source, not a number"}},
		{"card = 1", []string{"3:1: card must be a table, not a number"}},
		{"[card]\nsms = { value = 1, unit = \"SM\", confidence = \"low\" }", []string{"4:1: card.sms has no source"}},
		{"[card]\nsms = { value = 1, unit = \"SM\", source = \" \", confidence = \"low\" }", []string{"4:33: card.sms.source is empty"}},
		{"[card]\nsms = { value = 1, unit = \"SM\", source = 7, confidence = \"low\" }", []string{"4:33: card.sms.source must be a text, not a number"}},
		{"[card]\nsms = { value = 1, unit = \"SM\", source = \"s\" }", []string{"4:1: card.sms has no confidence"}},
		{"[card]\nsms = { value = 1, unit = \"SM\", source = \"s\", confidence = \"sure\" }", []string{`4:47: card.sms.confidence is "sure"; it is high, medium, low or estimate (article: only in [article])`}},
		{"[card]\nsms = { value = 1, unit = \"SM\", source = \"s\", confidence = \"article\" }", []string{`4:47: card.sms.confidence is "article"; it is high, medium, low or estimate (article: only in [article])`}},
		{"[card]\nsms = { value = 1, unit = \"GB\", source = \"s\", confidence = \"low\" }", []string{`4:20: card.sms: unit "GB" does not fit; it is one of SM`}},
		{"[card]\nhbm_rate = { value = 4, unit = \"GB\", source = \"s\", confidence = \"low\" }", []string{`4:25: card.hbm_rate: unit "GB" does not fit; it is one of B/s, GB/s, MB/s, TB/s`}},
		{"[card]\nsms = { value = 1, source = \"s\", confidence = \"low\" }", []string{"4:1: card.sms: no unit; it is one of SM"}},
		{"[card]\nsms = { " + ok, []string{"4:1: card.sms: no value"}},
		{"[card]\nsms = { value = \"1\", " + ok, []string{"4:9: card.sms: the value must be a number, not a text"}},
		{"[card]\nsms = { value = 1.5, " + ok, []string{"4:9: card.sms: 1.5 must be whole"}},
		{"[card]\nsms = { value = 0, " + ok, []string{"4:9: card.sms: 0 is out of range (1 to 4096)"}},
		{"[card]\nsms = { value = -3, " + ok, []string{"4:9: card.sms: -3 is out of range (1 to 4096)"}},
		{"[card]\nsms = { value = 1e9, " + ok, []string{"4:9: card.sms: 1e9 is no number that can be used here"}},
		{"[card]\nsms = { value = inf, " + ok, []string{"4:9: card.sms: inf is no number that can be used here"}},
		{"[card]\nsms = { value = 1979-05-27, " + ok, []string{"4:9: card.sms: the value must be a number, not a date"}},
		{"[node]\nclock = { value = 0, unit = \"MHz\", source = \"s\", confidence = \"low\" }", []string{"4:11: node.clock: 0 is out of range (1 to 100000)"}},
		{"[fabric]\nmulticast = { value = true, unit = \"1\", source = \"s\", confidence = \"low\" }", []string{"4:29: fabric.multicast: true or false has no unit"}},
		{"[fabric]\nkind = { value = \"tin cans\", source = \"s\", confidence = \"low\" }", []string{`4:10: fabric.kind: unknown fabric "tin cans"; there are nvlink, pcie-peer, pcie-staged, none`}},
		{"[fabric]\nkind = { value = \"pcie-peer\", source = \"s\", confidence = \"low\" }", []string{"base: fabric.multicast: only an NVLink switch multicasts"}},
		{"[fabric]\ncopy_efficiency = { value = 1.2, unit = \"ratio\", source = \"s\", confidence = \"low\" }", []string{"4:21: fabric.copy_efficiency: 1.2 is out of range (above 0 to 1)"}},
		{"[card]\nhbm_rate = { value = 5, unit = \"TB/s\", source = \"s\", confidence = \"low\" }", []string{"4:14: card.hbm_rate: more than the peak, 4800000000000 bytes a second"}},
		{"[class]\nint = { pipe = \"alu\", latency = 4, unit = \"cycles\", source = \"s\", confidence = \"low\" }", []string{"4:1: class.int: no interval"}},
		{"[class]\nint = { pipe = \"alo\", latency = 4, interval = 2, unit = \"cycles\", source = \"s\", confidence = \"low\" }", []string{`4:9: class.int: unknown pipe "alo"; there are alu, fma, fp64, xu, lsu, tensor, branch, move, fence`}},
		{"[class]\nint = { pipe = \"alu\", latency = 4, interval = 0, unit = \"ns\", source = \"s\", confidence = \"low\" }", []string{`4:50: class.int: unit "ns" does not fit; it is one of cycles`}},
		{"[class]\nint = { pipe = \"alu\", latency = 4, interval = 0, unit = \"cycles\", source = \"s\", confidence = \"low\" }", []string{"4:36: class.int: 0 is out of range (above 0 to 16777216)"}},
		{"name = \"twice\"", []string{"3:1: name is given twice"}},
		{"[card]\n[card]\n", []string{"4:2: [card] is given twice"}},
		{"[[card]]\n", []string{"3:3: a list of tables ([[...]]) has no meaning in a machine file"}},
		{"not_modelled = \"weather\"", []string{"3:1: not_modelled must be a list of texts, not a text"}},
		{"not_modelled = [1]", []string{"3:1: not_modelled must be a list of texts; it holds a number"}},
		{"description = \"\"", []string{"3:1: description is empty"}},
		{"[node\n", []string{"3:6: not TOML: expected ']' to close table name"}},
		// One mistake, one error; all of them, in file order.
		{"[card]\nsm = 1\nsms = 2\n[host]\nlaunch = 3", []string{
			"4:1: unknown key card.sm", "5:1: card.sms must be a table with a source, not a number", "7:1: unknown key host.launch"}},
	} {
		_, err := parse(c.text)
		problems, isProblems := err.(Problems)
		if !isProblems {
			t.Errorf("%s\ngot %v, want %v", c.text, err, c.want)
			continue
		}
		var got []string
		for _, p := range problems {
			line, col := p.Source.LineCol(p.Pos)
			if p.Source.Name == "my.toml" {
				got = append(got, fmt.Sprintf("%d:%d: %s", line, col, p.Text))
			} else {
				got = append(got, "base: "+p.Text)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s\n%s", c.text, diff)
		}
	}
}

func TestProblemShowsThePlace(t *testing.T) {
	_, err := parse("[card]\nsm = { value = 132, unit = \"SM\", source = \"counted\", confidence = \"high\" }\n" +
		"sms = { value = 132, unit = \"GB\", source = \"" + strings.Repeat("a long source ", 10) + "\", confidence = \"sure\" }\n")
	// The caret of the second stands under confidence; of a long line only what surrounds it is shown.
	want := strings.Join([]string{
		`my.toml:4:1: error: unknown key card.sm`,
		`    sm = { value = 132, unit = "SM", source = "counted", confidence = "high" }`,
		`    ^`,
		`    hint: did you mean sms?`,
		`my.toml:5:188: error: card.sms.confidence is "sure"; it is high, medium, low or estimate (article: only in [article])`,
		`    ... ource a long source a long source a long source a long source a long source ", confidence = "sure" }`,
		strings.Repeat(" ", 4+4) + strings.Repeat(" ", strings.Index(`ource a long source a long source a long source a long source a long source ", confidence`, "confidence")) + "^",
	}, "\n")
	if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
		t.Error(diff)
	}
}

func TestMissingFigures(t *testing.T) {
	_, err := Parse(isa.NewSource("empty.toml", ""))
	if err == nil || !strings.Contains(err.Error(), "empty.toml:1:1: error: name is missing") {
		t.Errorf("an empty file: %v", err)
	}
	_, err = Parse(isa.NewSource("bare.toml", "name = \"bare\"\ndescription = \"nothing in it\"\n"))
	problems, _ := err.(Problems)
	if len(problems) != len(fields)+int(isa.NumClasses) {
		t.Fatalf("%d problems:\n%v", len(problems), err)
	}
	if want := "node.clock is missing, and no base gives it"; problems[0].Text != want {
		t.Errorf("%s, want %s", problems[0].Text, want)
	}
	if want := `clock = { value = 1, unit = "MHz", source = "...", confidence = "low" }`; problems[0].Hint != want {
		t.Errorf("hint %s, want %s", problems[0].Hint, want)
	}
}

// Nothing panics, whatever the text nests.
func TestDeepNesting(t *testing.T) {
	for _, text := range []string{
		"a = " + strings.Repeat("[", maxFile/2),
		"a = " + strings.Repeat("{b=", maxFile/4),
		strings.Repeat("a.", maxFile/4) + "b = 1",
	} {
		if _, err := Parse(isa.NewSource("deep.toml", text)); err == nil {
			t.Error("accepted")
		}
	}
}
