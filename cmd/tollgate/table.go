package main

import (
	"io"
	"strings"
	"unicode/utf8"
)

// pageWidth is how many columns text for people takes.
const pageWidth = 120

// table prints rows in columns. The last column is wrapped so that the page's width is kept.
type table struct {
	indent int
	right  []int // columns that are set to the right
	rows   [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// write prints the rows.
func (t *table) write(w io.Writer) error {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row[:max(0, len(row)-1)] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	start := t.indent
	for _, width := range widths {
		start += width + 2
	}
	var b strings.Builder
	for _, row := range t.rows {
		line := strings.Repeat(" ", t.indent)
		for i, cell := range row {
			if i == len(row)-1 {
				lines := wrap(cell, max(30, pageWidth-start))
				b.WriteString(strings.TrimRight(line+lines[0], " ") + "\n")
				for _, more := range lines[1:] {
					b.WriteString(strings.Repeat(" ", start) + more + "\n")
				}
				break
			}
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if t.toTheRight(i) {
				line += space + cell + "  "
			} else {
				line += cell + space + "  "
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *table) toTheRight(column int) bool {
	for _, c := range t.right {
		if c == column {
			return true
		}
	}
	return false
}

// wrap breaks a text between words into lines of at most width columns; at least one.
func wrap(text string, width int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		switch {
		case lines[last] == "":
			lines[last] = word
		case utf8.RuneCountInString(lines[last])+1+utf8.RuneCountInString(word) > width:
			lines = append(lines, word)
		default:
			lines[last] += " " + word
		}
	}
	return lines
}
