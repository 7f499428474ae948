package parser

import (
	"slices"

	"github.com/tollgate-sim/tollgate/isa"
)

// nearestOf returns the candidate that was perhaps meant, the same one whatever the order of the candidates.
func nearestOf(name string, candidates []string) string {
	return isa.Nearest(name, sortedUnique(candidates))
}

func sortedUnique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// didYouMean is the hint that names the nearest candidate, or "".
func didYouMean(name string, candidates []string) string {
	if best := nearestOf(name, candidates); best != "" && best != name {
		return "did you mean `" + best + "`?"
	}
	return ""
}
