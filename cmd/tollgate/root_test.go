package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestPanicIsOurFault(t *testing.T) {
	var errs bytes.Buffer
	if status := guarded(&errs, func() int { panic("broken") }); status != exitInternal {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{"tollgate: internal fault: broken\n", "root_test.go", "not in your program"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("%q is missing in\n%s", want, errs.String())
		}
	}
	if status := guarded(&errs, func() int { return exitFailed }); status != exitFailed {
		t.Errorf("status %d", status)
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 10, ""},
		{"one two", 10, "one two"},
		{"one two three", 7, "one two|three"},
		{"unbreakable", 4, "unbreakable"},
		{"a  b\nc", 10, "a b c"},
		{"größer als", 6, "größer|als"}, // characters, not bytes
	} {
		if got := strings.Join(wrap(c.text, c.width), "|"); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestShape(t *testing.T) {
	for _, c := range []struct {
		text string
		want [3]int
	}{
		{"7", [3]int{7, 1, 1}}, {"8,4", [3]int{8, 4, 1}}, {"8, 4, 2", [3]int{8, 4, 2}},
		{"", [3]int{}}, {"0", [3]int{}}, {"-1", [3]int{}}, {"1,2,3,4", [3]int{}}, {"8x4", [3]int{}}, {"99999999999", [3]int{}},
	} {
		var s shape
		err := s.Set(c.text)
		if s.dims != c.want || (err == nil) != (c.want != [3]int{}) {
			t.Errorf("%q: %v, %v", c.text, s.dims, err)
		}
		if err == nil && s.String() != strings.ReplaceAll(c.text, " ", "") {
			t.Errorf("%q prints as %q", c.text, s.String())
		}
	}
}
