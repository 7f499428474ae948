// Package machine says what a card, a node and a fabric are: numbers with their sources, read from TOML files.
package machine

import "github.com/tollgate-sim/tollgate/isa"

// Machine is one kind of node: its cards, how they are joined, and what the host costs.
// It is immutable once loaded.
type Machine struct {
	Name        string
	Description string
	ClockMHz    int64 // one clock for all cards; ns = cycles·1000/ClockMHz
	MaxCards    int   // cards one node holds
	Card        Card
	Classes     [isa.NumClasses]Class
	Fabric      Fabric
	Host        Host
	Article     Article
	Sources     []Source // every number with its source, in file order
	NotModelled []string // what the model leaves out, a line each
}

// Source is where one number of a machine file comes from.
type Source struct {
	Key        string // as in the file: card.sms
	Value      string
	Unit       string
	Source     string
	Confidence string // high, medium, low or estimate
}

// Fraction is an exact rational such as 61/10 cycles.
type Fraction struct{ Num, Den int64 }

// Class is the timing of one instruction class.
type Class struct {
	Unit     string   // the pipe that Interval occupies: alu, fma, fp64, xu, lsu, tensor, branch, move, fence
	Latency  int64    // cycles from issue until the result can be used
	Interval Fraction // cycles for which one warp instruction occupies its unit of an SM quarter
}

// Card is one GPU.
type Card struct {
	Capability        string // compute capability, "9.0"
	Target            string // sm_90a
	SMs               int
	QuartersPerSM     int
	ThreadsPerSM      int
	CTAsPerSM         int
	RegistersPerSM    int // 32-bit registers
	RegisterUnit      int // registers are allocated to a warp in multiples of this
	SharedPerSM       int // bytes
	SharedPerCTA      int // bytes, the most that one CTA may use
	SharedReserved    int // bytes per CTA taken by the system
	ThreadsPerCTA     int
	MemoryBytes       int64
	HBMBytesPerSecond int64 // achieved, shared by everything that touches the memory
	HBMPeak           int64 // by the data sheet
	L2BytesPerSecond  int64 // achieved
	L1Latency         int64 // cycles, ld.global that hits L1
	L2Latency         int64 // cycles, ld.global that hits L2; also the local poll of a flag
	HBMLatency        int64 // cycles, ld.global that misses L2
	BankConflict      int64 // cycles for each further way of a bank conflict
	BarrierPerWarp    int64 // cycles a CTA barrier takes on top for each warp
	TensorFlops       int64 // dense bf16 FLOP per cycle and SM: what "percent of peak" refers to
	AcquireExtra      int64 // cycles a ld.acquire takes beyond a relaxed one
	ReleaseGPU        int64 // cycles a release at gpu scope takes first
	BytesInFlight     int64 // global bytes one SM can have under way
}

// FabricKind says how cards are joined.
type FabricKind string

// The fabrics.
const (
	NVLink     FabricKind = "nvlink"      // through NVSwitch, every card at full rate
	PCIePeer   FabricKind = "pcie-peer"   // peer to peer over PCIe
	PCIeStaged FabricKind = "pcie-staged" // through the host's memory
	NoFabric   FabricKind = "none"        // one card alone
)

// Fabric joins the cards of a node.
type Fabric struct {
	Kind            FabricKind
	Links           int64    // per card
	LinkBytesPerSec int64    // one link, one direction
	CopyEfficiency  Fraction // of links × rate reached by copies
	Crossing        int64    // cycles from card to card, one way
	LocalPoll       int64    // cycles until a card that polls its own memory sees the news
	PacketBytes     int64    // unit in which receivers share an egress port
	Multicast       bool     // the switch multicasts and reduces (multimem)
	NativeAtomics   bool     // atomics on a peer's memory
	RelayExtra      int64    // cycles the host adds to a relayed operator (PCIe)
}

// Host is what calls cost.
type Host struct {
	LaunchCall      int64 // cycles a launch call takes
	DependentLaunch int64 // cycles from the end of the stream's earlier step to the start of a launch that waited for it
}

// Article is what only the article claims.
type Article struct {
	GateStopsTensorCores bool  // the rule that operators stop the Tensor Cores
	Refill               int64 // cycles until the first mma after the gate opened
}
