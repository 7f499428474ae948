package isa

// Mod is a modifier: one dotted word after the opcode that is no type, such as .rn, .global or .m16n8k16.
// The few that follow the opcode without a dot (tcgen05.wait::ld, mma.sp::ordered_metadata) begin with the two colons.
type Mod uint16

// The modifiers, by name.
const (
	ModNone                      Mod = iota
	Mod_1d                           // .1d
	Mod_2d                           // .2d
	Mod_2dms                         // .2dms
	Mod_3d                           // .3d
	Mod_4d                           // .4d
	Mod_4x256b                       // .4x256b
	Mod_5d                           // .5d
	Mod_16x32bx2                     // .16x32bx2
	Mod_16x64b                       // .16x64b
	Mod_16x128b                      // .16x128b
	Mod_16x256b                      // .16x256b
	Mod_32x32b                       // .32x32b
	Mod_32x128b                      // .32x128b
	Mod_64x128b                      // .64x128b
	Mod_128x128b                     // .128x128b
	Mod_128x256b                     // .128x256b
	ModA                             // .a
	ModA1d                           // .a1d
	ModA2d                           // .a2d
	ModA2dms                         // .a2dms
	ModAbs                           // .abs
	ModAccF16                        // .acc::f16
	ModAccF32                        // .acc::f32
	ModAcqRel                        // .acq_rel
	ModAcquire                       // .acquire
	ModAcube                         // .acube
	ModAdd                           // .add
	ModAddrMode_0                    // .addr_mode_0
	ModAddrMode_1                    // .addr_mode_1
	ModAddrMode_2                    // .addr_mode_2
	ModAfterThreadSync               // ::after_thread_sync
	ModAlias                         // .alias
	ModAligned                       // .aligned
	ModAll                           // .all
	ModAnd                           // .and
	ModAny                           // .any
	ModApprox                        // .approx
	ModArraySize                     // .array_size
	ModArrive                        // .arrive
	ModAshift                        // .ashift
	ModAsync                         // .async
	ModAsyncGeneric                  // .async::generic
	ModB                             // .b
	ModB4e                           // .b4e
	ModB4x16P64                      // .b4x16_p64
	ModB6x16P32                      // .b6x16_p32
	ModB8x16                         // .b8x16
	ModB1024                         // .b1024
	ModBallot                        // .ballot
	ModBase                          // .base
	ModBeforeThreadSync              // ::before_thread_sync
	ModBfly                          // .bfly
	ModBlock16                       // .block16
	ModBlock32                       // .block32
	ModBlockScale                    // .block_scale
	ModBoxDim                        // .box_dim
	ModBulkGroup                     // .bulk_group
	ModC                             // .c
	ModCa                            // .ca
	ModCas                           // .cas
	ModCC                            // .cc
	ModCg                            // .cg
	ModChannelDataType               // .channel_data_type
	ModChannelOrder                  // .channel_order
	ModClamp                         // .clamp
	ModCluster                       // .cluster
	ModCol                           // .col
	ModCollectorADiscard             // .collector::a::discard
	ModCollectorAFill                // .collector::a::fill
	ModCollectorALastuse             // .collector::a::lastuse
	ModCollectorAUse                 // .collector::a::use
	ModCollectorB0Discard            // .collector::b0::discard
	ModCollectorB0Fill               // .collector::b0::fill
	ModCollectorB0Lastuse            // .collector::b0::lastuse
	ModCollectorB0Use                // .collector::b0::use
	ModCollectorB1Discard            // .collector::b1::discard
	ModCollectorB1Fill               // .collector::b1::fill
	ModCollectorB1Lastuse            // .collector::b1::lastuse
	ModCollectorB1Use                // .collector::b1::use
	ModCollectorB2Discard            // .collector::b2::discard
	ModCollectorB2Fill               // .collector::b2::fill
	ModCollectorB2Lastuse            // .collector::b2::lastuse
	ModCollectorB2Use                // .collector::b2::use
	ModCollectorB3Discard            // .collector::b3::discard
	ModCollectorB3Fill               // .collector::b3::fill
	ModCollectorB3Lastuse            // .collector::b3::lastuse
	ModCollectorB3Use                // .collector::b3::use
	ModConst                         // .const
	ModCpMask                        // .cp_mask
	ModCs                            // .cs
	ModCTA                           // .cta
	ModCTAGroup_1                    // .cta_group::1
	ModCTAGroup_2                    // .cta_group::2
	ModCube                          // .cube
	ModCv                            // .cv
	ModCvt                           // .cvt
	ModD                             // .d
	ModDec                           // .dec
	ModDepth                         // .depth
	ModDown                          // .down
	ModEcl                           // .ecl
	ModEcr                           // .ecr
	ModElementStride                 // .element_stride
	ModElemtype                      // .elemtype
	ModEq                            // .eq
	ModEqu                           // .equ
	ModExch                          // .exch
	ModExpectTx                      // .expect_tx
	ModF4e                           // .f4e
	ModFillMode                      // .fill_mode
	ModFilterMode                    // .filter_mode
	ModFinite                        // .finite
	ModForceUnnormalizedCoords       // .force_unnormalized_coords
	ModFractional                    // .fractional
	ModFTZ                           // .ftz
	ModFull                          // .full
	ModG                             // .g
	ModGe                            // .ge
	ModGetFirstCtaid                 // .get_first_ctaid
	ModGetFirstCtaidX                // .get_first_ctaid::x
	ModGetFirstCtaidY                // .get_first_ctaid::y
	ModGetFirstCtaidZ                // .get_first_ctaid::z
	ModGeu                           // .geu
	ModGL                            // .gl
	ModGlobal                        // .global
	ModGlobalAddress                 // .global_address
	ModGlobalDim                     // .global_dim
	ModGlobalStride                  // .global_stride
	ModGPU                           // .gpu
	ModGrad                          // .grad
	ModGt                            // .gt
	ModGtu                           // .gtu
	ModHeight                        // .height
	ModHi                            // .hi
	ModHs                            // .hs
	ModIdx                           // .idx
	ModIm2col                        // .im2col
	ModIm2colNoOffs                  // .im2col_no_offs
	ModIm2colW                       // .im2col::w
	ModIm2colW_128                   // .im2col::w::128
	ModInc                           // .inc
	ModInfinite                      // .infinite
	ModInterleaveLayout              // .interleave_layout
	ModIsCanceled                    // .is_canceled
	ModKindF8f6f4                    // .kind::f8f6f4
	ModKindF16                       // .kind::f16
	ModKindI8                        // .kind::i8
	ModKindMxf4                      // .kind::mxf4
	ModKindMxf4nvf4                  // .kind::mxf4nvf4
	ModKindMxf8f6f4                  // .kind::mxf8f6f4
	ModKindTf32                      // .kind::tf32
	ModL                             // .l
	ModL1                            // .L1
	ModL1EvictFirst                  // .L1::evict_first
	ModL1EvictLast                   // .L1::evict_last
	ModL1EvictNormal                 // .L1::evict_normal
	ModL1EvictUnchanged              // .L1::evict_unchanged
	ModL1NoAllocate                  // .L1::no_allocate
	ModL2                            // .L2
	ModL2_64B                        // .L2::64B
	ModL2_128B                       // .L2::128B
	ModL2_256B                       // .L2::256B
	ModL2CacheHint                   // .L2::cache_hint
	ModL2EvictFirst                  // .L2::evict_first
	ModL2EvictLast                   // .L2::evict_last
	ModL2EvictNormal                 // .L2::evict_normal
	ModL2EvictUnchanged              // .L2::evict_unchanged
	ModLaunchDependents              // .launch_dependents
	ModLe                            // .le
	ModLeu                           // .leu
	ModLevel                         // .level
	ModLo                            // .lo
	ModLocal                         // .local
	ModLs                            // .ls
	ModLt                            // .lt
	ModLtu                           // .ltu
	ModLu                            // .lu
	ModM8n8                          // .m8n8
	ModM8n8k4                        // .m8n8k4
	ModM8n8k16                       // .m8n8k16
	ModM8n8k32                       // .m8n8k32
	ModM8n8k128                      // .m8n8k128
	ModM8n16                         // .m8n16
	ModM8n32k16                      // .m8n32k16
	ModM16n8                         // .m16n8
	ModM16n8k4                       // .m16n8k4
	ModM16n8k8                       // .m16n8k8
	ModM16n8k16                      // .m16n8k16
	ModM16n8k32                      // .m16n8k32
	ModM16n8k64                      // .m16n8k64
	ModM16n8k128                     // .m16n8k128
	ModM16n8k256                     // .m16n8k256
	ModM16n16                        // .m16n16
	ModM16n16k8                      // .m16n16k8
	ModM16n16k16                     // .m16n16k16
	ModM32n8k16                      // .m32n8k16
	ModM64n8k8                       // .m64n8k8
	ModM64n8k16                      // .m64n8k16
	ModM64n8k32                      // .m64n8k32
	ModM64n8k64                      // .m64n8k64
	ModM64n8k256                     // .m64n8k256
	ModM64n16k8                      // .m64n16k8
	ModM64n16k16                     // .m64n16k16
	ModM64n16k32                     // .m64n16k32
	ModM64n16k64                     // .m64n16k64
	ModM64n16k256                    // .m64n16k256
	ModM64n24k8                      // .m64n24k8
	ModM64n24k16                     // .m64n24k16
	ModM64n24k32                     // .m64n24k32
	ModM64n24k64                     // .m64n24k64
	ModM64n24k256                    // .m64n24k256
	ModM64n32k8                      // .m64n32k8
	ModM64n32k16                     // .m64n32k16
	ModM64n32k32                     // .m64n32k32
	ModM64n32k64                     // .m64n32k64
	ModM64n32k256                    // .m64n32k256
	ModM64n40k8                      // .m64n40k8
	ModM64n40k16                     // .m64n40k16
	ModM64n40k32                     // .m64n40k32
	ModM64n40k64                     // .m64n40k64
	ModM64n48k8                      // .m64n48k8
	ModM64n48k16                     // .m64n48k16
	ModM64n48k32                     // .m64n48k32
	ModM64n48k64                     // .m64n48k64
	ModM64n48k256                    // .m64n48k256
	ModM64n56k8                      // .m64n56k8
	ModM64n56k16                     // .m64n56k16
	ModM64n56k32                     // .m64n56k32
	ModM64n56k64                     // .m64n56k64
	ModM64n64k8                      // .m64n64k8
	ModM64n64k16                     // .m64n64k16
	ModM64n64k32                     // .m64n64k32
	ModM64n64k64                     // .m64n64k64
	ModM64n64k256                    // .m64n64k256
	ModM64n72k8                      // .m64n72k8
	ModM64n72k16                     // .m64n72k16
	ModM64n72k32                     // .m64n72k32
	ModM64n72k64                     // .m64n72k64
	ModM64n80k8                      // .m64n80k8
	ModM64n80k16                     // .m64n80k16
	ModM64n80k32                     // .m64n80k32
	ModM64n80k64                     // .m64n80k64
	ModM64n80k256                    // .m64n80k256
	ModM64n88k8                      // .m64n88k8
	ModM64n88k16                     // .m64n88k16
	ModM64n88k32                     // .m64n88k32
	ModM64n88k64                     // .m64n88k64
	ModM64n96k8                      // .m64n96k8
	ModM64n96k16                     // .m64n96k16
	ModM64n96k32                     // .m64n96k32
	ModM64n96k64                     // .m64n96k64
	ModM64n96k256                    // .m64n96k256
	ModM64n104k8                     // .m64n104k8
	ModM64n104k16                    // .m64n104k16
	ModM64n104k32                    // .m64n104k32
	ModM64n104k64                    // .m64n104k64
	ModM64n112k8                     // .m64n112k8
	ModM64n112k16                    // .m64n112k16
	ModM64n112k32                    // .m64n112k32
	ModM64n112k64                    // .m64n112k64
	ModM64n112k256                   // .m64n112k256
	ModM64n120k8                     // .m64n120k8
	ModM64n120k16                    // .m64n120k16
	ModM64n120k32                    // .m64n120k32
	ModM64n120k64                    // .m64n120k64
	ModM64n128k8                     // .m64n128k8
	ModM64n128k16                    // .m64n128k16
	ModM64n128k32                    // .m64n128k32
	ModM64n128k64                    // .m64n128k64
	ModM64n128k256                   // .m64n128k256
	ModM64n136k8                     // .m64n136k8
	ModM64n136k16                    // .m64n136k16
	ModM64n136k32                    // .m64n136k32
	ModM64n136k64                    // .m64n136k64
	ModM64n144k8                     // .m64n144k8
	ModM64n144k16                    // .m64n144k16
	ModM64n144k32                    // .m64n144k32
	ModM64n144k64                    // .m64n144k64
	ModM64n144k256                   // .m64n144k256
	ModM64n152k8                     // .m64n152k8
	ModM64n152k16                    // .m64n152k16
	ModM64n152k32                    // .m64n152k32
	ModM64n152k64                    // .m64n152k64
	ModM64n160k8                     // .m64n160k8
	ModM64n160k16                    // .m64n160k16
	ModM64n160k32                    // .m64n160k32
	ModM64n160k64                    // .m64n160k64
	ModM64n160k256                   // .m64n160k256
	ModM64n168k8                     // .m64n168k8
	ModM64n168k16                    // .m64n168k16
	ModM64n168k32                    // .m64n168k32
	ModM64n168k64                    // .m64n168k64
	ModM64n176k8                     // .m64n176k8
	ModM64n176k16                    // .m64n176k16
	ModM64n176k32                    // .m64n176k32
	ModM64n176k64                    // .m64n176k64
	ModM64n176k256                   // .m64n176k256
	ModM64n184k8                     // .m64n184k8
	ModM64n184k16                    // .m64n184k16
	ModM64n184k32                    // .m64n184k32
	ModM64n184k64                    // .m64n184k64
	ModM64n192k8                     // .m64n192k8
	ModM64n192k16                    // .m64n192k16
	ModM64n192k32                    // .m64n192k32
	ModM64n192k64                    // .m64n192k64
	ModM64n192k256                   // .m64n192k256
	ModM64n200k8                     // .m64n200k8
	ModM64n200k16                    // .m64n200k16
	ModM64n200k32                    // .m64n200k32
	ModM64n200k64                    // .m64n200k64
	ModM64n208k8                     // .m64n208k8
	ModM64n208k16                    // .m64n208k16
	ModM64n208k32                    // .m64n208k32
	ModM64n208k64                    // .m64n208k64
	ModM64n208k256                   // .m64n208k256
	ModM64n216k8                     // .m64n216k8
	ModM64n216k16                    // .m64n216k16
	ModM64n216k32                    // .m64n216k32
	ModM64n216k64                    // .m64n216k64
	ModM64n224k8                     // .m64n224k8
	ModM64n224k16                    // .m64n224k16
	ModM64n224k32                    // .m64n224k32
	ModM64n224k64                    // .m64n224k64
	ModM64n224k256                   // .m64n224k256
	ModM64n232k8                     // .m64n232k8
	ModM64n232k16                    // .m64n232k16
	ModM64n232k32                    // .m64n232k32
	ModM64n232k64                    // .m64n232k64
	ModM64n240k8                     // .m64n240k8
	ModM64n240k16                    // .m64n240k16
	ModM64n240k32                    // .m64n240k32
	ModM64n240k64                    // .m64n240k64
	ModM64n240k256                   // .m64n240k256
	ModM64n248k8                     // .m64n248k8
	ModM64n248k16                    // .m64n248k16
	ModM64n248k32                    // .m64n248k32
	ModM64n248k64                    // .m64n248k64
	ModM64n256k8                     // .m64n256k8
	ModM64n256k16                    // .m64n256k16
	ModM64n256k32                    // .m64n256k32
	ModM64n256k64                    // .m64n256k64
	ModM64n256k256                   // .m64n256k256
	ModMask                          // .mask
	ModMax                           // .max
	ModMbarrierArriveOne             // .mbarrier::arrive::one
	ModMbarrierCompleteTxBytes       // .mbarrier::complete_tx::bytes
	ModMbarrierInit                  // .mbarrier_init
	ModMemoryLayout                  // .memory_layout
	ModMin                           // .min
	ModMmio                          // .mmio
	ModMulticastCluster              // .multicast::cluster
	ModMulticastClusterAll           // .multicast::cluster::all
	ModNaN                           // .NaN
	ModNaNLower                      // .nan
	ModNc                            // .nc
	ModNe                            // .ne
	ModNeu                           // .neu
	ModNoComplete                    // .noComplete
	ModNoftz                         // .noftz
	ModNoinc                         // .noinc
	ModNormal                        // .normal
	ModNormalizedCoords              // .normalized_coords
	ModNotanumber                    // .notanumber
	ModNum                           // .num
	ModNumber                        // .number
	ModNumMipmapLevels               // .num_mipmap_levels
	ModNumSamples                    // .num_samples
	ModOob                           // .oob
	ModOr                            // .or
	ModP                             // .p
	ModPack_16b                      // .pack::16b
	ModParam                         // .param
	ModParamEntry                    // .param::entry
	ModParamFunc                     // .param::func
	ModParity                        // .parity
	ModPo                            // .po
	ModPopc                          // .popc
	ModProxy                         // .proxy
	ModR                             // .r
	ModRange                         // .range
	ModRank                          // .rank
	ModRc8                           // .rc8
	ModRc16                          // .rc16
	ModRead                          // .read
	ModRed                           // .red
	ModRelaxed                       // .relaxed
	ModRelease                       // .release
	ModRelu                          // .relu
	ModRM                            // .rm
	ModRmi                           // .rmi
	ModRN                            // .rn
	ModRNA                           // .rna
	ModRni                           // .rni
	ModRow                           // .row
	ModRP                            // .rp
	ModRpi                           // .rpi
	ModRs                            // .rs
	ModRZ                            // .rz
	ModRzi                           // .rzi
	ModSat                           // .sat
	ModSatfinite                     // .satfinite
	ModSc                            // .sc
	ModScaleVec_1X                   // .scale_vec::1X
	ModScaleVec_2X                   // .scale_vec::2X
	ModScaleVec_4X                   // .scale_vec::4X
	ModShared                        // .shared
	ModSharedCluster                 // .shared::cluster
	ModSharedCTA                     // .shared::cta
	ModShiftamt                      // .shiftamt
	ModShr7                          // .shr7
	ModShr15                         // .shr15
	ModSpOrderedMetadata             // ::ordered_metadata
	ModSubnormal                     // .subnormal
	ModSwizzleAtomicity              // .swizzle_atomicity
	ModSwizzleMode                   // .swizzle_mode
	ModSync                          // .sync
	ModSyncRestrictSharedCluster     // .sync_restrict::shared::cluster
	ModSyncRestrictSharedCTA         // .sync_restrict::shared::cta
	ModSys                           // .sys
	ModTensormap                     // .tensormap
	ModTensormapGeneric              // .tensormap::generic
	ModTile                          // .tile
	ModTileGather4                   // .tile::gather4
	ModTileScatter4                  // .tile::scatter4
	ModTo                            // .to
	ModTrans                         // .trans
	ModTrap                          // .trap
	ModUni                           // .uni
	ModUnpack_16b                    // .unpack::16b
	ModUp                            // .up
	ModV2                            // .v2
	ModV4                            // .v4
	ModV8                            // .v8
	ModVolatile                      // .volatile
	ModWait                          // .wait
	ModWaitLd                        // ::ld
	ModWaitSt                        // ::st
	ModWarpx2_01_23                  // .warpx2::01_23
	ModWarpx2_02_13                  // .warpx2::02_13
	ModWarpx4                        // .warpx4
	ModWb                            // .wb
	ModWeak                          // .weak
	ModWide                          // .wide
	ModWidth                         // .width
	ModWrap                          // .wrap
	ModWt                            // .wt
	ModX1                            // .x1
	ModX2                            // .x2
	ModX4                            // .x4
	ModX8                            // .x8
	ModX16                           // .x16
	ModX32                           // .x32
	ModX64                           // .x64
	ModX128                          // .x128
	ModXor                           // .xor
	ModXorsign                       // .xorsign
	ModZero                          // .zero
	NumMods
)

var modNames = [NumMods]string{
	Mod_1d:                       "1d",
	Mod_2d:                       "2d",
	Mod_2dms:                     "2dms",
	Mod_3d:                       "3d",
	Mod_4d:                       "4d",
	Mod_4x256b:                   "4x256b",
	Mod_5d:                       "5d",
	Mod_16x32bx2:                 "16x32bx2",
	Mod_16x64b:                   "16x64b",
	Mod_16x128b:                  "16x128b",
	Mod_16x256b:                  "16x256b",
	Mod_32x32b:                   "32x32b",
	Mod_32x128b:                  "32x128b",
	Mod_64x128b:                  "64x128b",
	Mod_128x128b:                 "128x128b",
	Mod_128x256b:                 "128x256b",
	ModA:                         "a",
	ModA1d:                       "a1d",
	ModA2d:                       "a2d",
	ModA2dms:                     "a2dms",
	ModAbs:                       "abs",
	ModAccF16:                    "acc::f16",
	ModAccF32:                    "acc::f32",
	ModAcqRel:                    "acq_rel",
	ModAcquire:                   "acquire",
	ModAcube:                     "acube",
	ModAdd:                       "add",
	ModAddrMode_0:                "addr_mode_0",
	ModAddrMode_1:                "addr_mode_1",
	ModAddrMode_2:                "addr_mode_2",
	ModAfterThreadSync:           "::after_thread_sync",
	ModAlias:                     "alias",
	ModAligned:                   "aligned",
	ModAll:                       "all",
	ModAnd:                       "and",
	ModAny:                       "any",
	ModApprox:                    "approx",
	ModArraySize:                 "array_size",
	ModArrive:                    "arrive",
	ModAshift:                    "ashift",
	ModAsync:                     "async",
	ModAsyncGeneric:              "async::generic",
	ModB:                         "b",
	ModB4e:                       "b4e",
	ModB4x16P64:                  "b4x16_p64",
	ModB6x16P32:                  "b6x16_p32",
	ModB8x16:                     "b8x16",
	ModB1024:                     "b1024",
	ModBallot:                    "ballot",
	ModBase:                      "base",
	ModBeforeThreadSync:          "::before_thread_sync",
	ModBfly:                      "bfly",
	ModBlock16:                   "block16",
	ModBlock32:                   "block32",
	ModBlockScale:                "block_scale",
	ModBoxDim:                    "box_dim",
	ModBulkGroup:                 "bulk_group",
	ModC:                         "c",
	ModCa:                        "ca",
	ModCas:                       "cas",
	ModCC:                        "cc",
	ModCg:                        "cg",
	ModChannelDataType:           "channel_data_type",
	ModChannelOrder:              "channel_order",
	ModClamp:                     "clamp",
	ModCluster:                   "cluster",
	ModCol:                       "col",
	ModCollectorADiscard:         "collector::a::discard",
	ModCollectorAFill:            "collector::a::fill",
	ModCollectorALastuse:         "collector::a::lastuse",
	ModCollectorAUse:             "collector::a::use",
	ModCollectorB0Discard:        "collector::b0::discard",
	ModCollectorB0Fill:           "collector::b0::fill",
	ModCollectorB0Lastuse:        "collector::b0::lastuse",
	ModCollectorB0Use:            "collector::b0::use",
	ModCollectorB1Discard:        "collector::b1::discard",
	ModCollectorB1Fill:           "collector::b1::fill",
	ModCollectorB1Lastuse:        "collector::b1::lastuse",
	ModCollectorB1Use:            "collector::b1::use",
	ModCollectorB2Discard:        "collector::b2::discard",
	ModCollectorB2Fill:           "collector::b2::fill",
	ModCollectorB2Lastuse:        "collector::b2::lastuse",
	ModCollectorB2Use:            "collector::b2::use",
	ModCollectorB3Discard:        "collector::b3::discard",
	ModCollectorB3Fill:           "collector::b3::fill",
	ModCollectorB3Lastuse:        "collector::b3::lastuse",
	ModCollectorB3Use:            "collector::b3::use",
	ModConst:                     "const",
	ModCpMask:                    "cp_mask",
	ModCs:                        "cs",
	ModCTA:                       "cta",
	ModCTAGroup_1:                "cta_group::1",
	ModCTAGroup_2:                "cta_group::2",
	ModCube:                      "cube",
	ModCv:                        "cv",
	ModCvt:                       "cvt",
	ModD:                         "d",
	ModDec:                       "dec",
	ModDepth:                     "depth",
	ModDown:                      "down",
	ModEcl:                       "ecl",
	ModEcr:                       "ecr",
	ModElementStride:             "element_stride",
	ModElemtype:                  "elemtype",
	ModEq:                        "eq",
	ModEqu:                       "equ",
	ModExch:                      "exch",
	ModExpectTx:                  "expect_tx",
	ModF4e:                       "f4e",
	ModFillMode:                  "fill_mode",
	ModFilterMode:                "filter_mode",
	ModFinite:                    "finite",
	ModForceUnnormalizedCoords:   "force_unnormalized_coords",
	ModFractional:                "fractional",
	ModFTZ:                       "ftz",
	ModFull:                      "full",
	ModG:                         "g",
	ModGe:                        "ge",
	ModGetFirstCtaid:             "get_first_ctaid",
	ModGetFirstCtaidX:            "get_first_ctaid::x",
	ModGetFirstCtaidY:            "get_first_ctaid::y",
	ModGetFirstCtaidZ:            "get_first_ctaid::z",
	ModGeu:                       "geu",
	ModGL:                        "gl",
	ModGlobal:                    "global",
	ModGlobalAddress:             "global_address",
	ModGlobalDim:                 "global_dim",
	ModGlobalStride:              "global_stride",
	ModGPU:                       "gpu",
	ModGrad:                      "grad",
	ModGt:                        "gt",
	ModGtu:                       "gtu",
	ModHeight:                    "height",
	ModHi:                        "hi",
	ModHs:                        "hs",
	ModIdx:                       "idx",
	ModIm2col:                    "im2col",
	ModIm2colNoOffs:              "im2col_no_offs",
	ModIm2colW:                   "im2col::w",
	ModIm2colW_128:               "im2col::w::128",
	ModInc:                       "inc",
	ModInfinite:                  "infinite",
	ModInterleaveLayout:          "interleave_layout",
	ModIsCanceled:                "is_canceled",
	ModKindF8f6f4:                "kind::f8f6f4",
	ModKindF16:                   "kind::f16",
	ModKindI8:                    "kind::i8",
	ModKindMxf4:                  "kind::mxf4",
	ModKindMxf4nvf4:              "kind::mxf4nvf4",
	ModKindMxf8f6f4:              "kind::mxf8f6f4",
	ModKindTf32:                  "kind::tf32",
	ModL:                         "l",
	ModL1:                        "L1",
	ModL1EvictFirst:              "L1::evict_first",
	ModL1EvictLast:               "L1::evict_last",
	ModL1EvictNormal:             "L1::evict_normal",
	ModL1EvictUnchanged:          "L1::evict_unchanged",
	ModL1NoAllocate:              "L1::no_allocate",
	ModL2:                        "L2",
	ModL2_64B:                    "L2::64B",
	ModL2_128B:                   "L2::128B",
	ModL2_256B:                   "L2::256B",
	ModL2CacheHint:               "L2::cache_hint",
	ModL2EvictFirst:              "L2::evict_first",
	ModL2EvictLast:               "L2::evict_last",
	ModL2EvictNormal:             "L2::evict_normal",
	ModL2EvictUnchanged:          "L2::evict_unchanged",
	ModLaunchDependents:          "launch_dependents",
	ModLe:                        "le",
	ModLeu:                       "leu",
	ModLevel:                     "level",
	ModLo:                        "lo",
	ModLocal:                     "local",
	ModLs:                        "ls",
	ModLt:                        "lt",
	ModLtu:                       "ltu",
	ModLu:                        "lu",
	ModM8n8:                      "m8n8",
	ModM8n8k4:                    "m8n8k4",
	ModM8n8k16:                   "m8n8k16",
	ModM8n8k32:                   "m8n8k32",
	ModM8n8k128:                  "m8n8k128",
	ModM8n16:                     "m8n16",
	ModM8n32k16:                  "m8n32k16",
	ModM16n8:                     "m16n8",
	ModM16n8k4:                   "m16n8k4",
	ModM16n8k8:                   "m16n8k8",
	ModM16n8k16:                  "m16n8k16",
	ModM16n8k32:                  "m16n8k32",
	ModM16n8k64:                  "m16n8k64",
	ModM16n8k128:                 "m16n8k128",
	ModM16n8k256:                 "m16n8k256",
	ModM16n16:                    "m16n16",
	ModM16n16k8:                  "m16n16k8",
	ModM16n16k16:                 "m16n16k16",
	ModM32n8k16:                  "m32n8k16",
	ModM64n8k8:                   "m64n8k8",
	ModM64n8k16:                  "m64n8k16",
	ModM64n8k32:                  "m64n8k32",
	ModM64n8k64:                  "m64n8k64",
	ModM64n8k256:                 "m64n8k256",
	ModM64n16k8:                  "m64n16k8",
	ModM64n16k16:                 "m64n16k16",
	ModM64n16k32:                 "m64n16k32",
	ModM64n16k64:                 "m64n16k64",
	ModM64n16k256:                "m64n16k256",
	ModM64n24k8:                  "m64n24k8",
	ModM64n24k16:                 "m64n24k16",
	ModM64n24k32:                 "m64n24k32",
	ModM64n24k64:                 "m64n24k64",
	ModM64n24k256:                "m64n24k256",
	ModM64n32k8:                  "m64n32k8",
	ModM64n32k16:                 "m64n32k16",
	ModM64n32k32:                 "m64n32k32",
	ModM64n32k64:                 "m64n32k64",
	ModM64n32k256:                "m64n32k256",
	ModM64n40k8:                  "m64n40k8",
	ModM64n40k16:                 "m64n40k16",
	ModM64n40k32:                 "m64n40k32",
	ModM64n40k64:                 "m64n40k64",
	ModM64n48k8:                  "m64n48k8",
	ModM64n48k16:                 "m64n48k16",
	ModM64n48k32:                 "m64n48k32",
	ModM64n48k64:                 "m64n48k64",
	ModM64n48k256:                "m64n48k256",
	ModM64n56k8:                  "m64n56k8",
	ModM64n56k16:                 "m64n56k16",
	ModM64n56k32:                 "m64n56k32",
	ModM64n56k64:                 "m64n56k64",
	ModM64n64k8:                  "m64n64k8",
	ModM64n64k16:                 "m64n64k16",
	ModM64n64k32:                 "m64n64k32",
	ModM64n64k64:                 "m64n64k64",
	ModM64n64k256:                "m64n64k256",
	ModM64n72k8:                  "m64n72k8",
	ModM64n72k16:                 "m64n72k16",
	ModM64n72k32:                 "m64n72k32",
	ModM64n72k64:                 "m64n72k64",
	ModM64n80k8:                  "m64n80k8",
	ModM64n80k16:                 "m64n80k16",
	ModM64n80k32:                 "m64n80k32",
	ModM64n80k64:                 "m64n80k64",
	ModM64n80k256:                "m64n80k256",
	ModM64n88k8:                  "m64n88k8",
	ModM64n88k16:                 "m64n88k16",
	ModM64n88k32:                 "m64n88k32",
	ModM64n88k64:                 "m64n88k64",
	ModM64n96k8:                  "m64n96k8",
	ModM64n96k16:                 "m64n96k16",
	ModM64n96k32:                 "m64n96k32",
	ModM64n96k64:                 "m64n96k64",
	ModM64n96k256:                "m64n96k256",
	ModM64n104k8:                 "m64n104k8",
	ModM64n104k16:                "m64n104k16",
	ModM64n104k32:                "m64n104k32",
	ModM64n104k64:                "m64n104k64",
	ModM64n112k8:                 "m64n112k8",
	ModM64n112k16:                "m64n112k16",
	ModM64n112k32:                "m64n112k32",
	ModM64n112k64:                "m64n112k64",
	ModM64n112k256:               "m64n112k256",
	ModM64n120k8:                 "m64n120k8",
	ModM64n120k16:                "m64n120k16",
	ModM64n120k32:                "m64n120k32",
	ModM64n120k64:                "m64n120k64",
	ModM64n128k8:                 "m64n128k8",
	ModM64n128k16:                "m64n128k16",
	ModM64n128k32:                "m64n128k32",
	ModM64n128k64:                "m64n128k64",
	ModM64n128k256:               "m64n128k256",
	ModM64n136k8:                 "m64n136k8",
	ModM64n136k16:                "m64n136k16",
	ModM64n136k32:                "m64n136k32",
	ModM64n136k64:                "m64n136k64",
	ModM64n144k8:                 "m64n144k8",
	ModM64n144k16:                "m64n144k16",
	ModM64n144k32:                "m64n144k32",
	ModM64n144k64:                "m64n144k64",
	ModM64n144k256:               "m64n144k256",
	ModM64n152k8:                 "m64n152k8",
	ModM64n152k16:                "m64n152k16",
	ModM64n152k32:                "m64n152k32",
	ModM64n152k64:                "m64n152k64",
	ModM64n160k8:                 "m64n160k8",
	ModM64n160k16:                "m64n160k16",
	ModM64n160k32:                "m64n160k32",
	ModM64n160k64:                "m64n160k64",
	ModM64n160k256:               "m64n160k256",
	ModM64n168k8:                 "m64n168k8",
	ModM64n168k16:                "m64n168k16",
	ModM64n168k32:                "m64n168k32",
	ModM64n168k64:                "m64n168k64",
	ModM64n176k8:                 "m64n176k8",
	ModM64n176k16:                "m64n176k16",
	ModM64n176k32:                "m64n176k32",
	ModM64n176k64:                "m64n176k64",
	ModM64n176k256:               "m64n176k256",
	ModM64n184k8:                 "m64n184k8",
	ModM64n184k16:                "m64n184k16",
	ModM64n184k32:                "m64n184k32",
	ModM64n184k64:                "m64n184k64",
	ModM64n192k8:                 "m64n192k8",
	ModM64n192k16:                "m64n192k16",
	ModM64n192k32:                "m64n192k32",
	ModM64n192k64:                "m64n192k64",
	ModM64n192k256:               "m64n192k256",
	ModM64n200k8:                 "m64n200k8",
	ModM64n200k16:                "m64n200k16",
	ModM64n200k32:                "m64n200k32",
	ModM64n200k64:                "m64n200k64",
	ModM64n208k8:                 "m64n208k8",
	ModM64n208k16:                "m64n208k16",
	ModM64n208k32:                "m64n208k32",
	ModM64n208k64:                "m64n208k64",
	ModM64n208k256:               "m64n208k256",
	ModM64n216k8:                 "m64n216k8",
	ModM64n216k16:                "m64n216k16",
	ModM64n216k32:                "m64n216k32",
	ModM64n216k64:                "m64n216k64",
	ModM64n224k8:                 "m64n224k8",
	ModM64n224k16:                "m64n224k16",
	ModM64n224k32:                "m64n224k32",
	ModM64n224k64:                "m64n224k64",
	ModM64n224k256:               "m64n224k256",
	ModM64n232k8:                 "m64n232k8",
	ModM64n232k16:                "m64n232k16",
	ModM64n232k32:                "m64n232k32",
	ModM64n232k64:                "m64n232k64",
	ModM64n240k8:                 "m64n240k8",
	ModM64n240k16:                "m64n240k16",
	ModM64n240k32:                "m64n240k32",
	ModM64n240k64:                "m64n240k64",
	ModM64n240k256:               "m64n240k256",
	ModM64n248k8:                 "m64n248k8",
	ModM64n248k16:                "m64n248k16",
	ModM64n248k32:                "m64n248k32",
	ModM64n248k64:                "m64n248k64",
	ModM64n256k8:                 "m64n256k8",
	ModM64n256k16:                "m64n256k16",
	ModM64n256k32:                "m64n256k32",
	ModM64n256k64:                "m64n256k64",
	ModM64n256k256:               "m64n256k256",
	ModMask:                      "mask",
	ModMax:                       "max",
	ModMbarrierArriveOne:         "mbarrier::arrive::one",
	ModMbarrierCompleteTxBytes:   "mbarrier::complete_tx::bytes",
	ModMbarrierInit:              "mbarrier_init",
	ModMemoryLayout:              "memory_layout",
	ModMin:                       "min",
	ModMmio:                      "mmio",
	ModMulticastCluster:          "multicast::cluster",
	ModMulticastClusterAll:       "multicast::cluster::all",
	ModNaN:                       "NaN",
	ModNaNLower:                  "nan",
	ModNc:                        "nc",
	ModNe:                        "ne",
	ModNeu:                       "neu",
	ModNoComplete:                "noComplete",
	ModNoftz:                     "noftz",
	ModNoinc:                     "noinc",
	ModNormal:                    "normal",
	ModNormalizedCoords:          "normalized_coords",
	ModNotanumber:                "notanumber",
	ModNum:                       "num",
	ModNumber:                    "number",
	ModNumMipmapLevels:           "num_mipmap_levels",
	ModNumSamples:                "num_samples",
	ModOob:                       "oob",
	ModOr:                        "or",
	ModP:                         "p",
	ModPack_16b:                  "pack::16b",
	ModParam:                     "param",
	ModParamEntry:                "param::entry",
	ModParamFunc:                 "param::func",
	ModParity:                    "parity",
	ModPo:                        "po",
	ModPopc:                      "popc",
	ModProxy:                     "proxy",
	ModR:                         "r",
	ModRange:                     "range",
	ModRank:                      "rank",
	ModRc8:                       "rc8",
	ModRc16:                      "rc16",
	ModRead:                      "read",
	ModRed:                       "red",
	ModRelaxed:                   "relaxed",
	ModRelease:                   "release",
	ModRelu:                      "relu",
	ModRM:                        "rm",
	ModRmi:                       "rmi",
	ModRN:                        "rn",
	ModRNA:                       "rna",
	ModRni:                       "rni",
	ModRow:                       "row",
	ModRP:                        "rp",
	ModRpi:                       "rpi",
	ModRs:                        "rs",
	ModRZ:                        "rz",
	ModRzi:                       "rzi",
	ModSat:                       "sat",
	ModSatfinite:                 "satfinite",
	ModSc:                        "sc",
	ModScaleVec_1X:               "scale_vec::1X",
	ModScaleVec_2X:               "scale_vec::2X",
	ModScaleVec_4X:               "scale_vec::4X",
	ModShared:                    "shared",
	ModSharedCluster:             "shared::cluster",
	ModSharedCTA:                 "shared::cta",
	ModShiftamt:                  "shiftamt",
	ModShr7:                      "shr7",
	ModShr15:                     "shr15",
	ModSpOrderedMetadata:         "::ordered_metadata",
	ModSubnormal:                 "subnormal",
	ModSwizzleAtomicity:          "swizzle_atomicity",
	ModSwizzleMode:               "swizzle_mode",
	ModSync:                      "sync",
	ModSyncRestrictSharedCluster: "sync_restrict::shared::cluster",
	ModSyncRestrictSharedCTA:     "sync_restrict::shared::cta",
	ModSys:                       "sys",
	ModTensormap:                 "tensormap",
	ModTensormapGeneric:          "tensormap::generic",
	ModTile:                      "tile",
	ModTileGather4:               "tile::gather4",
	ModTileScatter4:              "tile::scatter4",
	ModTo:                        "to",
	ModTrans:                     "trans",
	ModTrap:                      "trap",
	ModUni:                       "uni",
	ModUnpack_16b:                "unpack::16b",
	ModUp:                        "up",
	ModV2:                        "v2",
	ModV4:                        "v4",
	ModV8:                        "v8",
	ModVolatile:                  "volatile",
	ModWait:                      "wait",
	ModWaitLd:                    "::ld",
	ModWaitSt:                    "::st",
	ModWarpx2_01_23:              "warpx2::01_23",
	ModWarpx2_02_13:              "warpx2::02_13",
	ModWarpx4:                    "warpx4",
	ModWb:                        "wb",
	ModWeak:                      "weak",
	ModWide:                      "wide",
	ModWidth:                     "width",
	ModWrap:                      "wrap",
	ModWt:                        "wt",
	ModX1:                        "x1",
	ModX2:                        "x2",
	ModX4:                        "x4",
	ModX8:                        "x8",
	ModX16:                       "x16",
	ModX32:                       "x32",
	ModX64:                       "x64",
	ModX128:                      "x128",
	ModXor:                       "xor",
	ModXorsign:                   "xorsign",
	ModZero:                      "zero",
}

var modByName = func() map[string]Mod {
	m := make(map[string]Mod, NumMods)
	for x := ModNone + 1; x < NumMods; x++ {
		m[modNames[x]] = x
	}
	return m
}()

// LookupMod finds a modifier by its name without the dot.
func LookupMod(name string) (Mod, bool) { m, ok := modByName[name]; return m, ok }

// String returns the name without the dot.
func (m Mod) String() string { return modNames[m] }
