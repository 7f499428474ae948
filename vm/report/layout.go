package report

import (
	"fmt"
	"strings"
)

const (
	labelWidth = 14  // columns before the text of a labelled line
	pageWidth  = 120 // columns at which a text goes on in the next line
)

// labelled prints "Label         text", wrapped under the text.
func labelled(label, text string) []string {
	return wrapped(fmt.Sprintf("%-*s", labelWidth, label), text)
}

// formula prints "Name        = text", wrapped under the text.
func formula(name, text string) []string {
	return wrapped(fmt.Sprintf("%-*s= ", labelWidth-2, name), text)
}

func wrapped(first, text string) []string {
	var lines []string
	line := first
	for _, word := range strings.Split(text, " ") {
		if full := len([]rune(line)) + len([]rune(word)); full > pageWidth && strings.TrimSpace(line) != "" && len(line) > labelWidth {
			lines = append(lines, strings.TrimRight(line, " "))
			line = strings.Repeat(" ", labelWidth)
		}
		line += word + " "
	}
	return append(lines, strings.TrimRight(line, " "))
}

// note prints a remark below a table.
func note(text string) (lines []string) {
	line := ""
	for _, word := range strings.Split(text, " ") {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > pageWidth {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// column is one column of a table: texts are right-aligned except in the first, and in the last of width words.
type column struct {
	head string
	min  int
}

// words is the width of a last column that holds text.
const words = -1

// table lays rows out under the heads of the columns, two spaces apart.
func table(columns []column, rows [][]string) []string {
	width := make([]int, len(columns))
	for i, c := range columns {
		width[i] = max(c.min, len(c.head))
		for _, row := range rows {
			width[i] = max(width[i], len([]rune(row[i])))
		}
	}
	line := func(cells []string) string {
		var b strings.Builder
		for i, cell := range cells {
			if i == 0 || columns[i].min == words {
				fmt.Fprintf(&b, "%*s%-*s", min(2*i, 2), "", width[i], cell)
				continue
			}
			fmt.Fprintf(&b, "  %*s", width[i], cell)
		}
		return strings.TrimRight(b.String(), " ")
	}
	heads := make([]string, len(columns))
	for i, c := range columns {
		heads[i] = c.head
	}
	lines := []string{line(heads)}
	for _, row := range rows {
		lines = append(lines, line(row))
	}
	return lines
}
