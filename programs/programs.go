// Package programs embeds the sample programs: kernels (.ptx), host programs (.star), case files (.json) and
// their expected results (.bin).
//
// A case file has the format of the corpus: one launch, or a list of steps, with arguments, buffers, inputs
// and expected contents. A case whose steps launch kernels of more than one PTX file names the others:
//
//	"ptx": "nvlink_allreduce.ptx",
//	"modules": {"step": "mma_loop.ptx"},
//	"launches": [
//	  {"module": "step", "entry": "mma_loop", ...},
//	  {"entry": "nvlink_allreduce_fp16", ...}
//	]
//
// "modules" (optional) maps names to further PTX files beside the case file; a launch's "module" (optional)
// is one of those names, and "" or its absence stands for the file of "ptx". A module is loaded once on each
// card, like the one of "ptx". "variants" replace the file of "ptx" only.
package programs

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

// FS holds every file of this package that a run can need.
//
//go:embed *.ptx *.star *.json *.bin
var FS embed.FS

// Demo is the case file that `tollgate demo` runs.
const Demo = "demo.json"

// Cases returns the file names of all case files, sorted.
func Cases() []string {
	names, err := fs.Glob(FS, "*.json")
	if err != nil { // only a malformed pattern can fail, and this one is constant
		panic(err)
	}
	return names
}

// Name returns a case's name: its file name without the folder and the ending.
func Name(file string) string { return strings.TrimSuffix(path.Base(file), ".json") }
