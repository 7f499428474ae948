package isa

import (
	"strconv"
	"strings"
)

// target is a name such as sm_90a, taken apart.
type target struct {
	number int
	suffix byte // 'a': this chip only, 'f': its family, 0: all later chips
}

func readTarget(name string) (target, bool) {
	s, ok := strings.CutPrefix(name, "sm_")
	if !ok {
		s, ok = strings.CutPrefix(name, "compute_")
	}
	if !ok {
		s, ok = strings.CutPrefix(name, "sm") // the article's spelling, D1
	}
	var t target
	if n := len(s); n > 0 && (s[n-1] == 'a' || s[n-1] == 'f') {
		t.suffix, s = s[n-1], s[:n-1]
	}
	var err error
	t.number, err = strconv.Atoi(s)
	return t, ok && err == nil
}

// target returns the module's target; a module without one is taken for the newest chip with all features.
func (c *checker) target() target {
	if c.module != nil {
		if t, ok := readTarget(c.module.Target); ok {
			return t
		}
	}
	return target{number: 100, suffix: 'a'}
}

// version returns the module's version; what is newer than the table counts as its newest.
func (c *checker) version() Version {
	newest := Version{9, 0}
	if c.module == nil || newest.Less(c.module.Version) || c.module.Version == (Version{}) {
		return newest
	}
	return c.module.Version
}

func (c *checker) checkSince() {}
