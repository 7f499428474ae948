package host

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
)

// A golden file stands beside a case file, NAME.golden beside NAME.json. It has two sections, so that results and
// cycle counts are accepted one without the other:
//
//	# What NAME.json comes to. Rewritten by tollgate test --update=results or --update=cycles.
//	[results]
//	out f32[1024] cards 0-7 sha256 0123456789abcdef: 0, 3, 6, 9, ...
//	[cycles]
//	(the report)
type golden struct {
	results string
	cycles  string
}

const (
	resultsHead = "[results]\n"
	cyclesHead  = "[cycles]\n"
)

// parseGolden reads a golden file; a section that is not there is empty.
func parseGolden(text string) golden {
	var g golden
	text = strings.ReplaceAll(text, "\r\n", "\n")
	head, cycles, _ := strings.Cut(text, cyclesHead)
	_, g.results, _ = strings.Cut(head, resultsHead)
	g.cycles = cycles
	return g
}

// format prints the file.
func (g golden) format(name string) string {
	return fmt.Sprintf("# What %s comes to. Rewritten by tollgate test --update=results or --update=cycles.\n%s%s%s%s",
		name, resultsHead, g.results, cyclesHead, g.cycles)
}

// goldenElements is how many elements of a buffer a golden file shows.
const goldenElements = 8

// results prints what came out of a run, a line a buffer and group of cards that hold the same, then the output of
// device printf.
func (out *Outcome) results() (string, error) {
	var b strings.Builder
	for _, m := range out.Machines {
		text, err := m.contents()
		if err != nil {
			return "", err
		}
		b.WriteString("machine " + m.Name + "\n" + text)
	}
	if len(out.Machines) == 0 && out.session != nil {
		text, err := out.contents()
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	for line := range strings.Lines(out.Stdout) {
		b.WriteString("stdout: " + strings.TrimRight(line, "\n") + "\n")
	}
	return b.String(), nil
}

// contents prints the buffers of one machine.
func (out *Outcome) contents() (string, error) {
	var b strings.Builder
	for _, spec := range out.session.specs {
		groups, err := out.session.grouped(spec)
		if err != nil {
			return "", err
		}
		for _, g := range groups {
			fmt.Fprintf(&b, "%s %s[%d] %s sha256 %.8x: ", spec.name, spec.dtype, spec.count(), cardList(g.cards), sha256.Sum256(g.data))
			for i := range min(spec.count(), goldenElements) {
				if i > 0 {
					b.WriteString(", ")
				}
				b.WriteString(spec.dtype.Text(spec.dtype.get(g.data, i)))
			}
			if spec.count() > goldenElements {
				b.WriteString(", ...")
			}
			b.WriteByte('\n')
		}
	}
	return b.String(), nil
}

// namesLoss reports whether the cycles section holds what only the silent runs know.
func (g golden) namesLoss() bool { return strings.Contains(g.cycles, "Loss") }

// difference says how two texts differ, line by line: what was expected with -, what came with +; "" where they are
// equal. Equal lines around are left out.
func difference(want, got string) string {
	if want == got {
		return ""
	}
	a, b := lines(want), lines(got)
	common := commonLines(a, b)
	var out bytes.Buffer
	i, j := 0, 0
	for _, c := range append(common, [2]int{len(a), len(b)}) {
		for ; i < c[0]; i++ {
			fmt.Fprintf(&out, "    -%4d  %s\n", i+1, a[i])
		}
		for ; j < c[1]; j++ {
			fmt.Fprintf(&out, "    +%4d  %s\n", j+1, b[j])
		}
		i, j = c[0]+1, c[1]+1
	}
	return strings.TrimRight(out.String(), "\n")
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// commonLines is a longest common subsequence, as pairs of indices. Goldens are some dozens of lines.
func commonLines(a, b []string) [][2]int {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var common [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common = append(common, [2]int{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return common
}
