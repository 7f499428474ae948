package machine

import (
	"cmp"
	"slices"
)

// didYouMean is a hint with the nearest of the known names, or "".
func didYouMean(name string, known []string) string {
	if near := nearest(name, known); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// nearest returns the known name with the fewest edits, or "" where none is near.
func nearest(name string, known []string) string {
	if len(known) == 0 || len(name) > 64 {
		return ""
	}
	best := slices.MinFunc(known, func(a, b string) int { return cmp.Compare(edits(name, a), edits(name, b)) })
	if edits(name, best) > max(1, len(best)/3) {
		return ""
	}
	return best
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
