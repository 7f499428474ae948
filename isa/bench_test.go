package isa

import "testing"

// BenchmarkCheck checks the instructions that real code has most, one after the other.
func BenchmarkCheck(b *testing.B) {
	texts := []string{
		"add.s32 %s1, %s2, %s3;", "mov.u32 %u1, %tid.x;", "fma.rn.f32 %f1, %f2, %f3, %f4;", "ld.global.nc.f32 %f1, [%ud1+4];", "shl.b32 %b1, %b2, 4;",
		"st.shared.v4.f32 [%u1], {%f1, %f2, %f3, %f4};", "setp.ge.s32 %p1, %s1, %s2;", "@%p1 bra L1;", "mad.lo.s32 %s1, %s2, %s3, %s4;",
		"cvta.to.global.u64 %ud1, %ud2;", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, %f4}, {%b1, %b2, %b3, %b4}, {%b5, %b6}, {%f1, %f2, %f3, %f4};",
	}
	type line struct {
		f  *Func
		in *Inst
	}
	var lines []line
	for _, text := range texts {
		f, in, err := readInst(text)
		if err != nil {
			b.Fatal(err)
		}
		lines = append(lines, line{f, in})
	}
	m := &Module{Version: Version{8, 5}, Target: "sm_90a"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l := lines[i%len(lines)]
		if problems := Check(m, l.f, l.in); problems != nil {
			b.Fatal(problems)
		}
	}
}

// BenchmarkSplit splits the words of these instructions.
func BenchmarkSplit(b *testing.B) {
	words := []string{"add.s32", "mov.u32", "fma.rn.f32", "ld.global.nc.f32", "st.shared.v4.f32", "setp.ge.s32", "bra", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, _, _, err := Split(words[i%len(words)]); err != nil {
			b.Fatal(err)
		}
	}
}
