package isa

import "testing"

// Any word splits or is told what is wrong with it, at a place inside it; what splits is spelled from the same parts.
func FuzzSplit(f *testing.F) {
	for _, word := range []string{"", ".", "::", "add", "add.f32", "add..f32", "ld.global.nc.v4.f32", "tcgen05.wait::ld", "mma.sp::ordered_metadata.sync", "cp.async.bulk.", "tcgen05.mma.kind::i8.sp", "mul.u32.lo", "é.f32", "sp.sp::sp"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		op, mods, types, err := Split(word)
		if err != nil {
			if err.Start < 0 || err.Start > err.End || err.End > len(word) || err.Msg == "" {
				t.Fatalf("%q: error %+v", word, err)
			}
			return
		}
		in := &Inst{Op: op, Mods: mods, Types: types, Guard: Guard{Reg: NoReg}}
		again, mods2, types2, err := Split(in.Spelling())
		if err != nil || again != op || len(mods2) != len(mods) || len(types2) != len(types) {
			t.Fatalf("%q is spelled %q, which splits into %s %v %v, %v", word, in.Spelling(), again, mods2, types2, err)
		}
		Check(nil, nil, in)
	})
}
