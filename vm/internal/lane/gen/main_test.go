package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
)

// TestGeneratedFileIsCurrent regenerates and compares, so that the list and the loops can't drift apart.
func TestGeneratedFileIsCurrent(t *testing.T) {
	want, err := source()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../lanes_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("lanes_gen.go is stale: run go generate ./vm/internal/lane")
	}
}

// TestSpellings demands that every word of the list is one that isa can take apart, and stands there once.
func TestSpellings(t *testing.T) {
	seen := map[string]bool{}
	for _, ln := range append(lanes[:len(lanes):len(lanes)], compares...) {
		for _, word := range ln.words() {
			if _, _, _, err := isa.Split(word); err != nil {
				t.Errorf("%s: %v", word, err)
			}
			if seen[word] {
				t.Errorf("%s is listed twice", word)
			}
			seen[word] = true
		}
	}
}
