package host_test

import (
	"context"
	"errors"
	"path"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/programs/corpus"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// origins says who wrote the files of the corpus, by the start of their paths.
var origins = map[string]string{
	"compilers/t_": "Triton", "compilers/n_": "numba-cuda", "compilers/w_": "Warp", "compilers/c_": "CuTe DSL",
	"compilers/l_": "TileLang", "compilers/h_": "Halide", "compilers/m_": "Mojo", "compilers/g_": "GCC (OpenACC)",
	"compilers/o_": "clang (OpenCL)", "compilers/y_": "tinygrad", "compilers/p_": "nvcc", "public/": "clang", "nvcc/": "nvcc", "tinygrad/": "tinygrad",
}

// TestCompilerOf: every entry of the corpus is put down to the compiler that wrote it. The one for tinygrad's CUDA C
// is NVRTC, whose files look like nvcc's.
func TestCompilerOf(t *testing.T) {
	files, err := corpus.Load("compilers/", "public/", "nvcc/", "tinygrad/")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, f := range files {
		if strings.HasPrefix(f.Path, "compilers/parse/") || len(seen) > 0 && len(f.Text) > 100_000 {
			continue
		}
		want := ""
		for prefix, name := range origins {
			if strings.HasPrefix(f.Path, prefix) {
				want = name
			}
		}
		if strings.Contains(f.Path, "_nvrtc") {
			want = "nvcc"
		}
		m, _ := parser.Parse(path.Base(f.Path), f.Text, parser.Options{})
		for _, fn := range m.Funcs {
			if !fn.Entry || !fn.Defined {
				continue
			}
			if got, _ := host.CompilerOf(m, fn); got != want {
				t.Errorf("%s, entry %.60s: %q, want %q", f.Path, fn.Name, got, want)
			}
			seen[want]++
		}
	}
	if len(seen) != 12 {
		t.Errorf("compilers seen: %v", seen)
	}
}

func corpusModule(t *testing.T, name string) *isa.Module {
	t.Helper()
	files, err := corpus.Load(name)
	if err != nil || len(files) != 1 {
		t.Fatal(err, len(files))
	}
	m, diagnostics := parser.Parse(name, files[0].Text, parser.Options{})
	if diagnostics.HasErrors() {
		t.Fatal(diagnostics)
	}
	return m
}

// TestHidden: what a compiler added to a kernel's parameters is filled in, and said.
func TestHidden(t *testing.T) {
	for _, c := range []struct {
		file  string
		args  []string
		grid  int
		print string
		want  string
		notes []string
	}{
		{"compilers/t_vecadd.ptx", []string{"0=f32[1024]:ramp", "1=f32[1024]:ones", "2=f32[1024]", "3=1000"}, 2, "param_2[996:1002]",
			"997, 998, 999, 1000, 0, 0", []string{"Triton: filled in param_4, param_5 = 0"}},
		{"compilers/t_vecadd.triton3.0_sm_80_w4.ptx", []string{"0=f32[1024]:ramp", "1=f32[1024]:ones", "2=f32[1024]", "3=1000"}, 2, "param_2[996:1002]",
			"997, 998, 999, 1000, 0, 0", []string{"Triton: filled in --block 128"}},
		{"compilers/n_vecadd.ptx", []string{"4=f64[100]", "11=f64[100]:ramp", "18=f64[100]:ones", "21=2"}, 4, "param_4[96:100]",
			"193, 195, 197, 199", []string{"numba-cuda: filled in the array at param_4: bytes an item 8, shape 100, items 100, stride 8", "param_11", "param_18"}},
		// an array of every second element: the stride that is given stays
		{"compilers/n_vecadd.ptx", []string{"4=f64[50]", "11=f64[100]:ramp", "12=50", "13=16", "18=f64[50]:ones", "21=2"}, 4, "param_4[46:50]",
			"185, 189, 193, 197", []string{"param_4", "param_11: bytes an item 8, items 50;", "param_18"}},
		{"tinygrad/gelu.ptx", []string{"data0=f32[64]", "data1=f32[64]:zeros"}, 1, "data0[60:64]", "0, 0, 0, 0", []string{"tinygrad: filled in --block 16"}},
	} {
		out, err := host.RunPTX(context.Background(), host.RunRequest{Module: corpusModule(t, c.file), Grid: [3]int{c.grid, 1, 1}, Args: c.args,
			Prints: []string{c.print}, Options: vm.Options{Functional: true}})
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if got := strings.Join(out.Prints[0].Texts(), ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.file, got, c.want)
		}
		for i, want := range c.notes {
			if i >= len(out.Notes) || !strings.Contains(out.Notes[i], want) {
				t.Errorf("%s: notes %q, want %q", c.file, out.Notes, c.notes)
			}
		}
	}
}

// TestMissingByCompiler: without arguments, only what the user can know is asked for.
func TestMissingByCompiler(t *testing.T) {
	for file, want := range map[string]string{
		"compilers/n_vecadd.ptx":    "needs --arg for param_4, param_11, param_18, param_21;",
		"compilers/n_tile.ptx":      "shape[1]",
		"compilers/t_vecadd.ptx":    "(Triton) needs --arg for param_0, param_1, param_2, param_3;",
		"compilers/w_particles.ptx": "(Warp) needs --arg for param_0,",
	} {
		m := corpusModule(t, file)
		entry := ""
		for _, f := range m.Funcs {
			if f.Entry && f.Defined && entry == "" {
				entry = f.Name
			}
		}
		_, err := host.RunPTX(context.Background(), host.RunRequest{Module: m, Entry: entry, Options: vm.Options{Functional: true}})
		var missing *host.MissingArguments
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
