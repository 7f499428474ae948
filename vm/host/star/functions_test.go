package star

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/programs"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/host"
)

// doubledPTX reads a texture reference; the sum is twice the texel.
const doubledPTX = `.version 8.3
.target sm_90
.address_size 64
.global .texref image;
.visible .entry doubled(.param .u64 out)
{
	.reg .b64 %rd<3>;
	.reg .b32 %r1;
	.reg .f32 %f<5>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mad.wide.u32 %rd2, %r1, 4, %rd1;
	cvt.rn.f32.u32 %f0, %r1;
	tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f0}];
	add.f32 %f1, %f1, %f1;
	st.global.f32 [%rd2], %f1;
	ret;
}
`

// withKernels is a folder with a program beside the kernels of programs/.
func withKernels(t testing.TB, files map[string]string) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{}
	for _, name := range []string{"nvlink_allreduce.ptx", "mma_loop.ptx", "vecadd.ptx", "vecadd.c.bin"} {
		text, err := programs.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: text}
	}
	all["doubled.ptx"] = &fstest.MapFile{Data: []byte(doubledPTX)}
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

// loader parses PTX of a file system.
func loader(files fstest.MapFS) host.LoadModule {
	return func(path string) (*isa.Module, error) {
		text, err := files.ReadFile(path)
		if err != nil {
			return nil, err
		}
		m, diagnostics := parser.Parse(path, string(text), parser.Options{})
		if diagnostics.HasErrors() {
			return nil, fmt.Errorf("%v", diagnostics)
		}
		return m, nil
	}
}

// run runs a program beside the kernels.
func run(t testing.TB, text string, opt vm.Options) (*host.Outcome, error) {
	t.Helper()
	files := withKernels(t, map[string]string{"p.star": text})
	return Run(context.Background(), Request{Path: "p.star", Files: files, Load: loader(files), Options: opt})
}

// Every word's example runs, and its checks hold.
func TestExamples(t *testing.T) {
	for i := range Functions {
		f := &Functions[i]
		out, err := run(t, f.Example, vm.Options{Silent: true, Threads: 1})
		if err != nil {
			t.Errorf("%s: %v", f.Title(), err)
			continue
		}
		for _, d := range out.Differences {
			t.Errorf("%s: %s", f.Title(), d)
		}
	}
}

// The vocabulary and its documentation are complete both ways.
func TestVocabularyIsDocumented(t *testing.T) {
	documented := map[string][]string{}
	for i := range Functions {
		f := &Functions[i]
		if slices.Contains(documented[f.Of], f.Name) {
			t.Errorf("%s is documented twice", f.Title())
		}
		if f.Text == "" || f.Example == "" {
			t.Errorf("%s has no text or no example", f.Title())
		}
		documented[f.Of] = append(documented[f.Of], f.Name)
	}
	for of, names := range map[string][]string{
		"machine": keys(nodeMethods), "stream": keys(streamMethods), "buffer": append(keys(bufferMethods), "count"), "values": {"read"},
	} {
		if got := slices.Sorted(slices.Values(documented[of])); !slices.Equal(got, slices.Sorted(slices.Values(names))) {
			t.Errorf("methods of a %s: documented %v, there are %v", of, got, names)
		}
	}
	// A free function is documented by itself, or as the method that it calls on the machine made last.
	for name := range freeFunctions {
		if !slices.Contains(documented[""], name) && !slices.Contains(documented["machine"], name) && !slices.Contains(documented["stream"], name) {
			t.Errorf("%s is not documented", name)
		}
	}
	for _, name := range documented[""] {
		if freeFunctions[name] == nil {
			t.Errorf("%s is documented and not there", name)
		}
	}
}
