package isa

// Nearest returns the candidate closest to name in edit distance, or "" when none is close enough to be what was meant.
func Nearest(name string, candidates []string) string { return nearest(name, candidates) }
