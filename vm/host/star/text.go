package star

import (
	"math"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// maxDigits is how many decimals fixed prints at most.
const maxDigits = 30

// fixed is fixed(value, digits): a number as reports print it.
func fixed(c *call) (starlark.Value, error) {
	var value starlark.Value
	digits := 1
	if err := c.unpack("value", &value, "digits?", &digits); err != nil {
		return nil, err
	}
	n, err := number(c, "value", value)
	if err != nil {
		return nil, err
	}
	if digits < 0 || digits > maxDigits {
		return nil, c.fail("digits is 0 to %d, not %d", maxDigits, digits)
	}
	if math.IsNaN(n.Float()) || math.IsInf(n.Float(), 0) {
		return starlark.String(strconv.FormatFloat(n.Float(), 'g', -1, 64)), nil
	}
	text := strconv.FormatFloat(n.Float(), 'f', digits, 64)
	if w := n.Whole(); w != nil { // exact, however large
		text = w.String()
		if digits > 0 {
			text += "." + strings.Repeat("0", digits)
		}
	}
	text, negative := strings.CutPrefix(text, "-")
	whole, decimals, _ := strings.Cut(text, ".")
	if strings.Trim(text, "0.") == "" {
		negative = false // -0.04 with one digit is 0.0
	}
	text = groupDigits(whole)
	if decimals != "" {
		text += "." + decimals
	}
	if negative {
		text = "-" + text
	}
	return starlark.String(text), nil
}

// textColumns is columns(rows): a table as text, its first column to the left, the others to the right.
func textColumns(c *call) (starlark.Value, error) {
	var rows starlark.Iterable
	if err := c.unpack("rows", &rows); err != nil {
		return nil, err
	}
	var cells [][]string
	outer := rows.Iterate()
	defer outer.Done()
	var row starlark.Value
	for outer.Next(&row) {
		list, ok := row.(starlark.Iterable)
		if !ok {
			return nil, c.fail("a row is a list, not %s", row.Type())
		}
		var texts []string
		inner := list.Iterate()
		var cell starlark.Value
		for inner.Next(&cell) {
			text, isText := starlark.AsString(cell)
			if !isText {
				text = cell.String()
			}
			texts = append(texts, text)
		}
		inner.Done()
		cells = append(cells, texts)
	}
	var b strings.Builder
	columns(&b, cells, func(column int) bool { return column > 0 })
	return starlark.String(strings.TrimSuffix(b.String(), "\n")), nil
}
