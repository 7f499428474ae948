package parser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
)

// bigModule writes a module of about that many lines: kernels of 250 lines as a compiler would write them.
func bigModule(lines int) string {
	var b strings.Builder
	b.WriteString(".version 8.3\n.target sm_90\n.address_size 64\n\n")
	const perKernel = 250
	for k := range max(1, lines/perKernel) {
		fmt.Fprintf(&b, ".visible .entry kernel_%d(\n\t.param .u64 kernel_%d_param_0,\n\t.param .u32 kernel_%d_param_1\n)\n{\n", k, k, k)
		b.WriteString("\t.reg .pred \t%p<4>;\n\t.reg .f32 \t%f<64>;\n\t.reg .b32 \t%r<64>;\n\t.reg .b64 \t%rd<64>;\n\n")
		fmt.Fprintf(&b, "\tld.param.u64 \t%%rd1, [kernel_%d_param_0];\n\tld.param.u32 \t%%r1, [kernel_%d_param_1];\n", k, k)
		b.WriteString("\tcvta.to.global.u64 \t%rd2, %rd1;\n\tmov.u32 \t%r2, %tid.x;\n")
		for i := range (perKernel - 18) / 8 {
			n := 4 + i
			fmt.Fprintf(&b, "$L__BB%d_%d:\n", k, i)
			fmt.Fprintf(&b, "\tmul.wide.u32 \t%%rd%d, %%r2, 4;\n", n)
			fmt.Fprintf(&b, "\tadd.s64 \t%%rd%d, %%rd2, %%rd%d;\n", n+1, n)
			fmt.Fprintf(&b, "\tld.global.v2.f32 \t{%%f%d, %%f%d}, [%%rd%d+%d];\n", n, n+1, n+1, 8*i)
			fmt.Fprintf(&b, "\tfma.rn.f32 \t%%f%d, %%f%d, 0f3F800000, %%f%d;\n", n, n, n+1)
			fmt.Fprintf(&b, "\tst.global.f32 \t[%%rd%d+16], %%f%d; // line %d\n", n+1, n, i)
			fmt.Fprintf(&b, "\tsetp.lt.u32 \t%%p1, %%r2, %%r%d;\n", n)
			fmt.Fprintf(&b, "\t@%%p1 bra \t$L__BB%d_%d;\n", k, i)
		}
		b.WriteString("\tret;\n}\n\n")
	}
	return b.String()
}

const benchmarkLines = 50000

// BenchmarkParse measures text to tree.
func BenchmarkParse(b *testing.B) {
	text := bigModule(benchmarkLines)
	lines := strings.Count(text, "\n")
	b.ReportAllocs()
	for b.Loop() {
		report := &reporter{}
		if t := parseTree(isa.NewSource("big.ptx", text), report); len(t.Items) < benchmarkLines/250 || report.failed() {
			b.Fatal(report.list)
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// BenchmarkLower measures tree to module, the check of each instruction included.
func BenchmarkLower(b *testing.B) {
	text := bigModule(benchmarkLines)
	lines := strings.Count(text, "\n")
	source := isa.NewSource("big.ptx", text)
	tree := parseTree(source, &reporter{})
	b.ReportAllocs()
	for b.Loop() {
		report := &reporter{source: source}
		if m := lower(source, tree, report); m == nil || report.failed() {
			b.Fatal(report.list)
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// BenchmarkLex measures text to tokens.
func BenchmarkLex(b *testing.B) {
	text := bigModule(benchmarkLines)
	lines := strings.Count(text, "\n")
	b.ReportAllocs()
	for b.Loop() {
		s := newScanner(isa.NewSource("big.ptx", text), &reporter{})
		for {
			if t, _ := s.Next(); t.EOF() {
				break
			}
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
