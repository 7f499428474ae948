package isa

// Opcode numbers a row of the instruction table. An opcode is the part of the spelling whose order is fixed
// (cp.async.bulk.tensor); what follows it is a set of modifiers.
type Opcode uint16

// The opcodes, in the order of the PTX manual; the article's operators last.
const (
	OpNone Opcode = iota

	OpAdd
	OpSub
	OpMul
	OpMad
	OpMul24
	OpMad24
	OpSad
	OpDiv
	OpRem
	OpAbs
	OpNeg
	OpMin
	OpMax
	OpPopc
	OpClz
	OpBfind
	OpFns
	OpBrev
	OpBfe
	OpBfi
	OpSzext
	OpBmsk
	OpDp4a
	OpDp2a

	OpAddc
	OpSubc
	OpMadc

	OpTestp
	OpCopysign
	OpFma
	OpRcp
	OpSqrt
	OpRsqrt
	OpSin
	OpCos
	OpLg2
	OpEx2
	OpTanh

	OpSet
	OpSetp
	OpSelp
	OpSlct

	OpAnd
	OpOr
	OpXor
	OpNot
	OpCnot
	OpLop3
	OpShf
	OpShl
	OpShr

	OpMov
	OpShfl
	OpPrmt
	OpLd
	OpLdu
	OpSt
	OpStAsync
	OpStBulk
	OpMultimemLdReduce
	OpMultimemSt
	OpMultimemRed
	OpPrefetch
	OpPrefetchu
	OpApplypriority
	OpDiscard
	OpCreatepolicy
	OpIsspacep
	OpCvta
	OpCvt
	OpCvtPack
	OpMapa
	OpGetctarank

	OpCPAsync
	OpCPAsyncCommitGroup
	OpCPAsyncWaitGroup
	OpCPAsyncWaitAll
	OpCPAsyncBulk
	OpCPReduceAsyncBulk
	OpCPAsyncBulkPrefetch
	OpCPAsyncBulkTensor
	OpCPReduceAsyncBulkTensor
	OpCPAsyncBulkPrefetchTensor
	OpCPAsyncBulkCommitGroup
	OpCPAsyncBulkWaitGroup
	OpTensormapReplace

	OpTex
	OpTld4
	OpTxq
	OpIstypep
	OpSuld
	OpSust
	OpSured
	OpSuq

	OpBrxIdx
	OpBra
	OpCall
	OpRet
	OpExit

	OpBar
	OpBarrier
	OpBarWarpSync
	OpBarrierClusterArrive
	OpBarrierClusterWait
	OpMembar
	OpFence
	OpAtom
	OpRed
	OpRedAsync
	OpVote
	OpMatch
	OpActivemask
	OpRedux
	OpGriddepcontrol
	OpElect

	OpMbarrierInit
	OpMbarrierInval
	OpMbarrierExpectTx
	OpMbarrierCompleteTx
	OpMbarrierArrive
	OpMbarrierArriveDrop
	OpCPAsyncMbarrierArrive
	OpMbarrierTestWait
	OpMbarrierTryWait
	OpMbarrierPendingCount
	OpTensormapCPFenceproxy
	OpClusterlaunchcontrolTryCancel
	OpClusterlaunchcontrolQueryCancel

	OpWmmaLoad
	OpWmmaStore
	OpWmmaMma
	OpMma
	OpMmaSp
	OpLdmatrix
	OpStmatrix
	OpMovmatrix

	OpWgmmaMmaAsync
	OpWgmmaMmaAsyncSp
	OpWgmmaFence
	OpWgmmaCommitGroup
	OpWgmmaWaitGroup

	OpTcgen05Alloc
	OpTcgen05Dealloc
	OpTcgen05RelinquishAllocPermit
	OpTcgen05Ld
	OpTcgen05St
	OpTcgen05Wait
	OpTcgen05CP
	OpTcgen05Shift
	OpTcgen05Mma
	OpTcgen05MmaSp
	OpTcgen05MmaWs
	OpTcgen05MmaWsSp
	OpTcgen05Fence
	OpTcgen05Commit

	OpStacksave
	OpStackrestore
	OpAlloca

	OpVadd
	OpVsub
	OpVabsdiff
	OpVmin
	OpVmax
	OpVshl
	OpVshr
	OpVmad
	OpVset
	OpVadd2
	OpVsub2
	OpVavrg2
	OpVabsdiff2
	OpVmin2
	OpVmax2
	OpVset2
	OpVadd4
	OpVsub4
	OpVavrg4
	OpVabsdiff4
	OpVmin4
	OpVmax4
	OpVset4

	OpBrkpt
	OpNanosleep
	OpPmevent
	OpTrap
	OpSetmaxnreg

	OpSyncNVLink
	OpCopyNVLink
	OpReduce
	OpUnblockTC
	NumOpcodes
)

var opcodeNames = [NumOpcodes]string{
	OpAdd:                             "add",
	OpSub:                             "sub",
	OpMul:                             "mul",
	OpMad:                             "mad",
	OpMul24:                           "mul24",
	OpMad24:                           "mad24",
	OpSad:                             "sad",
	OpDiv:                             "div",
	OpRem:                             "rem",
	OpAbs:                             "abs",
	OpNeg:                             "neg",
	OpMin:                             "min",
	OpMax:                             "max",
	OpPopc:                            "popc",
	OpClz:                             "clz",
	OpBfind:                           "bfind",
	OpFns:                             "fns",
	OpBrev:                            "brev",
	OpBfe:                             "bfe",
	OpBfi:                             "bfi",
	OpSzext:                           "szext",
	OpBmsk:                            "bmsk",
	OpDp4a:                            "dp4a",
	OpDp2a:                            "dp2a",
	OpAddc:                            "addc",
	OpSubc:                            "subc",
	OpMadc:                            "madc",
	OpTestp:                           "testp",
	OpCopysign:                        "copysign",
	OpFma:                             "fma",
	OpRcp:                             "rcp",
	OpSqrt:                            "sqrt",
	OpRsqrt:                           "rsqrt",
	OpSin:                             "sin",
	OpCos:                             "cos",
	OpLg2:                             "lg2",
	OpEx2:                             "ex2",
	OpTanh:                            "tanh",
	OpSet:                             "set",
	OpSetp:                            "setp",
	OpSelp:                            "selp",
	OpSlct:                            "slct",
	OpAnd:                             "and",
	OpOr:                              "or",
	OpXor:                             "xor",
	OpNot:                             "not",
	OpCnot:                            "cnot",
	OpLop3:                            "lop3",
	OpShf:                             "shf",
	OpShl:                             "shl",
	OpShr:                             "shr",
	OpMov:                             "mov",
	OpShfl:                            "shfl",
	OpPrmt:                            "prmt",
	OpLd:                              "ld",
	OpLdu:                             "ldu",
	OpSt:                              "st",
	OpStAsync:                         "st.async",
	OpStBulk:                          "st.bulk",
	OpMultimemLdReduce:                "multimem.ld_reduce",
	OpMultimemSt:                      "multimem.st",
	OpMultimemRed:                     "multimem.red",
	OpPrefetch:                        "prefetch",
	OpPrefetchu:                       "prefetchu",
	OpApplypriority:                   "applypriority",
	OpDiscard:                         "discard",
	OpCreatepolicy:                    "createpolicy",
	OpIsspacep:                        "isspacep",
	OpCvta:                            "cvta",
	OpCvt:                             "cvt",
	OpCvtPack:                         "cvt.pack",
	OpMapa:                            "mapa",
	OpGetctarank:                      "getctarank",
	OpCPAsync:                         "cp.async",
	OpCPAsyncCommitGroup:              "cp.async.commit_group",
	OpCPAsyncWaitGroup:                "cp.async.wait_group",
	OpCPAsyncWaitAll:                  "cp.async.wait_all",
	OpCPAsyncBulk:                     "cp.async.bulk",
	OpCPReduceAsyncBulk:               "cp.reduce.async.bulk",
	OpCPAsyncBulkPrefetch:             "cp.async.bulk.prefetch",
	OpCPAsyncBulkTensor:               "cp.async.bulk.tensor",
	OpCPReduceAsyncBulkTensor:         "cp.reduce.async.bulk.tensor",
	OpCPAsyncBulkPrefetchTensor:       "cp.async.bulk.prefetch.tensor",
	OpCPAsyncBulkCommitGroup:          "cp.async.bulk.commit_group",
	OpCPAsyncBulkWaitGroup:            "cp.async.bulk.wait_group",
	OpTensormapReplace:                "tensormap.replace",
	OpTex:                             "tex",
	OpTld4:                            "tld4",
	OpTxq:                             "txq",
	OpIstypep:                         "istypep",
	OpSuld:                            "suld",
	OpSust:                            "sust",
	OpSured:                           "sured",
	OpSuq:                             "suq",
	OpBrxIdx:                          "brx.idx",
	OpBra:                             "bra",
	OpCall:                            "call",
	OpRet:                             "ret",
	OpExit:                            "exit",
	OpBar:                             "bar",
	OpBarrier:                         "barrier",
	OpBarWarpSync:                     "bar.warp.sync",
	OpBarrierClusterArrive:            "barrier.cluster.arrive",
	OpBarrierClusterWait:              "barrier.cluster.wait",
	OpMembar:                          "membar",
	OpFence:                           "fence",
	OpAtom:                            "atom",
	OpRed:                             "red",
	OpRedAsync:                        "red.async",
	OpVote:                            "vote",
	OpMatch:                           "match",
	OpActivemask:                      "activemask",
	OpRedux:                           "redux",
	OpGriddepcontrol:                  "griddepcontrol",
	OpElect:                           "elect",
	OpMbarrierInit:                    "mbarrier.init",
	OpMbarrierInval:                   "mbarrier.inval",
	OpMbarrierExpectTx:                "mbarrier.expect_tx",
	OpMbarrierCompleteTx:              "mbarrier.complete_tx",
	OpMbarrierArrive:                  "mbarrier.arrive",
	OpMbarrierArriveDrop:              "mbarrier.arrive_drop",
	OpCPAsyncMbarrierArrive:           "cp.async.mbarrier.arrive",
	OpMbarrierTestWait:                "mbarrier.test_wait",
	OpMbarrierTryWait:                 "mbarrier.try_wait",
	OpMbarrierPendingCount:            "mbarrier.pending_count",
	OpTensormapCPFenceproxy:           "tensormap.cp_fenceproxy",
	OpClusterlaunchcontrolTryCancel:   "clusterlaunchcontrol.try_cancel",
	OpClusterlaunchcontrolQueryCancel: "clusterlaunchcontrol.query_cancel",
	OpWmmaLoad:                        "wmma.load",
	OpWmmaStore:                       "wmma.store",
	OpWmmaMma:                         "wmma.mma",
	OpMma:                             "mma",
	OpMmaSp:                           "mma.sp",
	OpLdmatrix:                        "ldmatrix",
	OpStmatrix:                        "stmatrix",
	OpMovmatrix:                       "movmatrix",
	OpWgmmaMmaAsync:                   "wgmma.mma_async",
	OpWgmmaMmaAsyncSp:                 "wgmma.mma_async.sp",
	OpWgmmaFence:                      "wgmma.fence",
	OpWgmmaCommitGroup:                "wgmma.commit_group",
	OpWgmmaWaitGroup:                  "wgmma.wait_group",
	OpTcgen05Alloc:                    "tcgen05.alloc",
	OpTcgen05Dealloc:                  "tcgen05.dealloc",
	OpTcgen05RelinquishAllocPermit:    "tcgen05.relinquish_alloc_permit",
	OpTcgen05Ld:                       "tcgen05.ld",
	OpTcgen05St:                       "tcgen05.st",
	OpTcgen05Wait:                     "tcgen05.wait",
	OpTcgen05CP:                       "tcgen05.cp",
	OpTcgen05Shift:                    "tcgen05.shift",
	OpTcgen05Mma:                      "tcgen05.mma",
	OpTcgen05MmaSp:                    "tcgen05.mma.sp",
	OpTcgen05MmaWs:                    "tcgen05.mma.ws",
	OpTcgen05MmaWsSp:                  "tcgen05.mma.ws.sp",
	OpTcgen05Fence:                    "tcgen05.fence",
	OpTcgen05Commit:                   "tcgen05.commit",
	OpStacksave:                       "stacksave",
	OpStackrestore:                    "stackrestore",
	OpAlloca:                          "alloca",
	OpVadd:                            "vadd",
	OpVsub:                            "vsub",
	OpVabsdiff:                        "vabsdiff",
	OpVmin:                            "vmin",
	OpVmax:                            "vmax",
	OpVshl:                            "vshl",
	OpVshr:                            "vshr",
	OpVmad:                            "vmad",
	OpVset:                            "vset",
	OpVadd2:                           "vadd2",
	OpVsub2:                           "vsub2",
	OpVavrg2:                          "vavrg2",
	OpVabsdiff2:                       "vabsdiff2",
	OpVmin2:                           "vmin2",
	OpVmax2:                           "vmax2",
	OpVset2:                           "vset2",
	OpVadd4:                           "vadd4",
	OpVsub4:                           "vsub4",
	OpVavrg4:                          "vavrg4",
	OpVabsdiff4:                       "vabsdiff4",
	OpVmin4:                           "vmin4",
	OpVmax4:                           "vmax4",
	OpVset4:                           "vset4",
	OpBrkpt:                           "brkpt",
	OpNanosleep:                       "nanosleep",
	OpPmevent:                         "pmevent",
	OpTrap:                            "trap",
	OpSetmaxnreg:                      "setmaxnreg",
	OpSyncNVLink:                      "sync.nvlink",
	OpCopyNVLink:                      "copy.nvlink",
	OpReduce:                          "reduce",
	OpUnblockTC:                       "unblock.tc",
}

var opcodeByName = func() map[string]Opcode {
	m := make(map[string]Opcode, NumOpcodes)
	for o := OpNone + 1; o < NumOpcodes; o++ {
		m[opcodeNames[o]] = o
	}
	return m
}()

// LookupOpcode finds an opcode by its exact name (no modifiers).
func LookupOpcode(name string) (Opcode, bool) { o, ok := opcodeByName[name]; return o, ok }

// String returns the opcode's name.
func (o Opcode) String() string { return opcodeNames[o] }
