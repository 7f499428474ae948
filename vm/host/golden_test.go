package host

import "testing"

func TestGoldenSections(t *testing.T) {
	g := golden{results: "a\nb\n", cycles: "c [results]\n"}
	if got := parseGolden(g.format("x.json")); got != g {
		t.Errorf("read back as %q", got)
	}
	if got := parseGolden("# head\r\n[results]\r\na\r\n"); got != (golden{results: "a\n"}) {
		t.Errorf("results alone, with CR LF: %q", got)
	}
	if got := parseGolden(""); got != (golden{}) {
		t.Errorf("empty: %q", got)
	}
}

func TestDifference(t *testing.T) {
	for _, c := range []struct{ want, got, diff string }{
		{"a\nb\n", "a\nb\n", ""},
		{"a\nb\nc\n", "a\nx\nc\n", "    -   2  b\n    +   2  x"},
		{"a\n", "a\nb\n", "    +   2  b"},
		{"", "a\n", "    +   1  a"},
		{"a\nb\n", "", "    -   1  a\n    -   2  b"},
		{"a\nb\nc\nd\n", "b\nc\ne\nd\n", "    -   1  a\n    +   3  e"},
	} {
		if got := difference(c.want, c.got); got != c.diff {
			t.Errorf("%q → %q:\n%s\nwant\n%s", c.want, c.got, got, c.diff)
		}
	}
}

func TestCardList(t *testing.T) {
	for _, c := range []struct {
		cards []int
		want  string
	}{{[]int{3}, "card 3"}, {[]int{0, 1, 2}, "cards 0-2"}, {[]int{0, 2, 3, 7}, "cards 0,2-3,7"}} {
		if got := cardList(c.cards); got != c.want {
			t.Errorf("%v: %s, want %s", c.cards, got, c.want)
		}
	}
}
