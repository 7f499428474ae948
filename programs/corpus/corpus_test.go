package corpus

import (
	"strings"
	"testing"
)

func TestLoadFindsEveryFolder(t *testing.T) {
	files, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, f := range files {
		folder, _, _ := strings.Cut(f.Path, "/")
		count[folder]++
		if !strings.Contains(f.Text, ".version") {
			t.Errorf("%s holds no .version", f.Path)
		}
	}
	want := map[string]int{"collectives": 25, "compilers": 152, "matrix": 83, "nvcc": 231, "perf": 12, "public": 217, "tinygrad": 520, "vectors": 499}
	for folder, n := range want {
		if count[folder] != n {
			t.Errorf("%s: %d files, want %d", folder, count[folder], n)
		}
	}
}

func TestLoadTakesPrefixes(t *testing.T) {
	files, err := Load("perf/matmul512.ptx", "perf/allreduce8")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 2 {
		t.Fatalf("%d files", len(files))
	}
	for _, f := range files {
		if !strings.HasPrefix(f.Path, "perf/") {
			t.Errorf("%s was not asked for", f.Path)
		}
	}
}
