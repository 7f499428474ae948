package isa

// Class is a timing class: instructions that share a unit, a latency and an issue interval.
// A machine file has one row a class.
type Class uint8

// The timing classes.
const (
	ClassMove        Class = iota // mov, cvta, ld.param, special registers, call, ret, exit, the article's operators: one issue slot, ready the next cycle
	ClassInt                      // 32-bit integer add, multiply (low), logic, shift, select, min/max
	ClassIntMulHigh               // mul.hi, mad.hi
	ClassInt64                    // 64-bit integer add, logic, shift, compare
	ClassInt64Mul                 // 64-bit integer multiply
	ClassIntDiv                   // 32-bit div, rem
	ClassInt64Div                 // 64-bit div, rem
	ClassBitField                 // bfe, bfi, szext, bmsk
	ClassBitCount                 // popc, clz, bfind, brev, fns
	ClassVideo                    // video instructions
	ClassCompare                  // setp, set, logic on predicates
	ClassFloat32                  // f32 add, mul, fma, min, max, abs, neg
	ClassFloat16                  // f16, bf16 and packed arithmetic
	ClassFloat64                  // f64 add, mul, fma, min, max
	ClassDiv32                    // div.rn.f32 and other full-precision f32 division
	ClassDiv64                    // f64 div, rcp, sqrt
	ClassRoot32                   // rcp.rn.f32, sqrt.rn.f32
	ClassApprox                   // one MUFU operation: rcp/rsqrt/sqrt/sin/cos/lg2/ex2/tanh.approx
	ClassConvert                  // cvt between integers and floats, and between float widths at quarter rate
	ClassConvertHalf              // cvt between f16/bf16 and f32 at half rate
	ClassConvertFP8               // cvt to and from 8-bit and smaller floats
	ClassBranch                   // bra, brx.idx
	ClassShuffle                  // shfl
	ClassVote                     // vote, activemask, elect
	ClassMatch                    // match
	ClassRedux                    // redux
	ClassWarpBarrier              // bar.warp.sync
	ClassBarrier                  // bar, barrier; the latency beyond the last arrival
	ClassLoadShared               // ld.shared
	ClassStoreShared              // st.shared
	ClassAtomShared               // atom.shared, red.shared
	ClassLoadGlobal               // ld.global and generic loads of the own card's memory
	ClassStoreGlobal              // st.global
	ClassAtomGlobal               // atom, red on the own card's memory
	ClassLoadConst                // ld.const
	ClassLoadLocal                // ld.local, st.local
	ClassFenceCTA                 // fence.cta, membar.cta
	ClassFenceGPU                 // fence.gpu, membar.gl
	ClassFenceSys                 // fence.sys, membar.sys: the fixed cost; draining posted traffic may take longer
	ClassMMA                      // mma.sync, f16 and bf16 m16n8k16 as the unit of work
	ClassOther                    // everything that has no class of its own
	NumClasses
)

var classNames = [NumClasses]string{
	ClassMove:        "move",
	ClassInt:         "int",
	ClassIntMulHigh:  "int_mul_high",
	ClassInt64:       "int64",
	ClassInt64Mul:    "int64_mul",
	ClassIntDiv:      "int_div",
	ClassInt64Div:    "int64_div",
	ClassBitField:    "bit_field",
	ClassBitCount:    "bit_count",
	ClassVideo:       "video",
	ClassCompare:     "compare",
	ClassFloat32:     "float32",
	ClassFloat16:     "float16",
	ClassFloat64:     "float64",
	ClassDiv32:       "div32",
	ClassDiv64:       "div64",
	ClassRoot32:      "root32",
	ClassApprox:      "approx",
	ClassConvert:     "convert",
	ClassConvertHalf: "convert_half",
	ClassConvertFP8:  "convert_fp8",
	ClassBranch:      "branch",
	ClassShuffle:     "shuffle",
	ClassVote:        "vote",
	ClassMatch:       "match",
	ClassRedux:       "redux",
	ClassWarpBarrier: "warp_barrier",
	ClassBarrier:     "barrier",
	ClassLoadShared:  "load_shared",
	ClassStoreShared: "store_shared",
	ClassAtomShared:  "atom_shared",
	ClassLoadGlobal:  "load_global",
	ClassStoreGlobal: "store_global",
	ClassAtomGlobal:  "atom_global",
	ClassLoadConst:   "load_const",
	ClassLoadLocal:   "load_local",
	ClassFenceCTA:    "fence_cta",
	ClassFenceGPU:    "fence_gpu",
	ClassFenceSys:    "fence_sys",
	ClassMMA:         "mma",
	ClassOther:       "other",
}

// LookupClass finds a class by the name machine files use.
func LookupClass(name string) (Class, bool) {
	for c, n := range classNames {
		if n == name {
			return Class(c), true
		}
	}
	return 0, false
}

// String returns the name that machine files use.
func (c Class) String() string { return classNames[c] }
