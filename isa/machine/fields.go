package machine

import (
	"maps"
	"math/big"
	"slices"
)

// field is one figure of a machine file: its key, the units it may be given in, its range, and where it goes.
type field struct {
	key   string
	kind  kind
	units units // nil: the value has no unit
	lo    int64 // least and largest value after conversion
	hi    int64
	set   func(m *Machine, v *big.Rat)
	text  func(m *Machine, v string)
	flag  func(m *Machine, v bool)
	ratio bool // may be a fraction
}

// units maps a unit's name to what turns a value in it into the unit of the Machine's field.
type units map[string]unit

type unit struct {
	num, den int64
	clock    bool // times the clock in MHz as well: a time that becomes cycles, rounded to the nearest
}

var (
	sizes = units{
		"B": {1, 1, false}, "KiB": {1 << 10, 1, false}, "MiB": {1 << 20, 1, false}, "GiB": {1 << 30, 1, false},
		"MB": {1e6, 1, false}, "GB": {1e9, 1, false},
	}
	rates = units{
		"B/s": {1, 1, false}, "MB/s": {1e6, 1, false}, "GB/s": {1e9, 1, false}, "TB/s": {1e12, 1, false},
	}
	durations = units{"cycles": {1, 1, false}, "ns": {1, 1000, true}, "us": {1, 1, true}}
)

func one(name string) units { return units{name: {1, 1, false}} }

const (
	maxCycles = 1 << 40
	maxBytes  = 1 << 38 // a card's part of the address space
	maxRate   = 1 << 50 // bytes a second
)

func count(key, unit string, lo, hi int64, at func(*Machine) *int) field {
	return field{key: key, kind: kindNumber, units: one(unit), lo: lo, hi: hi,
		set: func(m *Machine, v *big.Rat) { *at(m) = int(v.Num().Int64()) }}
}

func long(key string, u units, lo, hi int64, at func(*Machine) *int64) field {
	return field{key: key, kind: kindNumber, units: u, lo: lo, hi: hi,
		set: func(m *Machine, v *big.Rat) { *at(m) = v.Num().Int64() }}
}

func size(key string, at func(*Machine) *int) field {
	f := count(key, "", 0, maxBytes, at)
	f.units = sizes
	return f
}

func rate(key string, at func(*Machine) *int64) field { return long(key, rates, 1, maxRate, at) }

func cycles(key string, at func(*Machine) *int64) field {
	return long(key, durations, 0, maxCycles, at)
}

func text(key string, at func(*Machine) *string) field {
	return field{key: key, kind: kindText, text: func(m *Machine, v string) { *at(m) = v }}
}

func flag(key string, at func(*Machine) *bool) field {
	return field{key: key, kind: kindBool, flag: func(m *Machine, v bool) { *at(m) = v }}
}

// fields are all figures but the class table, in the order in which a file should give them.
var fields = []field{
	long("node.clock", one("MHz"), 1, 100_000, func(m *Machine) *int64 { return &m.ClockMHz }),
	count("node.max_cards", "cards", 1, 1024, func(m *Machine) *int { return &m.MaxCards }),

	text("card.capability", func(m *Machine) *string { return &m.Card.Capability }),
	text("card.target", func(m *Machine) *string { return &m.Card.Target }),
	count("card.sms", "SM", 1, 4096, func(m *Machine) *int { return &m.Card.SMs }),
	count("card.quarters_per_sm", "quarters", 1, 16, func(m *Machine) *int { return &m.Card.QuartersPerSM }),
	count("card.threads_per_sm", "threads", 32, 1<<16, func(m *Machine) *int { return &m.Card.ThreadsPerSM }),
	count("card.ctas_per_sm", "CTAs", 1, 1<<10, func(m *Machine) *int { return &m.Card.CTAsPerSM }),
	count("card.registers_per_sm", "registers", 1<<10, 1<<22, func(m *Machine) *int { return &m.Card.RegistersPerSM }),
	count("card.register_unit", "registers", 1, 1<<12, func(m *Machine) *int { return &m.Card.RegisterUnit }),
	size("card.shared_per_sm", func(m *Machine) *int { return &m.Card.SharedPerSM }),
	size("card.shared_per_cta", func(m *Machine) *int { return &m.Card.SharedPerCTA }),
	size("card.shared_reserved", func(m *Machine) *int { return &m.Card.SharedReserved }),
	count("card.threads_per_cta", "threads", 1, 1024, func(m *Machine) *int { return &m.Card.ThreadsPerCTA }),
	long("card.memory", sizes, 1<<20, maxBytes, func(m *Machine) *int64 { return &m.Card.MemoryBytes }),
	rate("card.hbm_rate", func(m *Machine) *int64 { return &m.Card.HBMBytesPerSecond }),
	rate("card.hbm_peak", func(m *Machine) *int64 { return &m.Card.HBMPeak }),
	rate("card.l2_rate", func(m *Machine) *int64 { return &m.Card.L2BytesPerSecond }),
	cycles("card.l1_latency", func(m *Machine) *int64 { return &m.Card.L1Latency }),
	cycles("card.l2_latency", func(m *Machine) *int64 { return &m.Card.L2Latency }),
	cycles("card.hbm_latency", func(m *Machine) *int64 { return &m.Card.HBMLatency }),
	cycles("card.bank_conflict", func(m *Machine) *int64 { return &m.Card.BankConflict }),
	cycles("card.barrier_per_warp", func(m *Machine) *int64 { return &m.Card.BarrierPerWarp }),
	long("card.tensor_flops", one("FLOP/cycle/SM"), 0, 1<<20, func(m *Machine) *int64 { return &m.Card.TensorFlops }),
	cycles("card.acquire_extra", func(m *Machine) *int64 { return &m.Card.AcquireExtra }),
	cycles("card.release_gpu", func(m *Machine) *int64 { return &m.Card.ReleaseGPU }),
	long("card.bytes_in_flight", sizes, 32, maxBytes, func(m *Machine) *int64 { return &m.Card.BytesInFlight }),

	text("fabric.kind", func(m *Machine) *string { return (*string)(&m.Fabric.Kind) }),
	long("fabric.links", one("links"), 0, 1024, func(m *Machine) *int64 { return &m.Fabric.Links }),
	rate("fabric.link_rate", func(m *Machine) *int64 { return &m.Fabric.LinkBytesPerSec }),
	{key: "fabric.copy_efficiency", kind: kindNumber, units: one("ratio"), lo: 0, hi: 1, ratio: true,
		set: func(m *Machine, v *big.Rat) { m.Fabric.CopyEfficiency = fraction(v) }},
	cycles("fabric.crossing", func(m *Machine) *int64 { return &m.Fabric.Crossing }),
	cycles("fabric.local_poll", func(m *Machine) *int64 { return &m.Fabric.LocalPoll }),
	long("fabric.packet", sizes, 1, maxBytes, func(m *Machine) *int64 { return &m.Fabric.PacketBytes }),
	flag("fabric.multicast", func(m *Machine) *bool { return &m.Fabric.Multicast }),
	flag("fabric.native_atomics", func(m *Machine) *bool { return &m.Fabric.NativeAtomics }),
	cycles("fabric.relay_extra", func(m *Machine) *int64 { return &m.Fabric.RelayExtra }),

	cycles("host.launch_call", func(m *Machine) *int64 { return &m.Host.LaunchCall }),
	cycles("host.dependent_launch", func(m *Machine) *int64 { return &m.Host.DependentLaunch }),

	flag("article.gate_stops_tensor_cores", func(m *Machine) *bool { return &m.Article.GateStopsTensorCores }),
	cycles("article.refill", func(m *Machine) *int64 { return &m.Article.Refill }),
}

// fieldByKey finds a field by its dotted key.
var fieldByKey = func() map[string]*field {
	byKey := make(map[string]*field, len(fields))
	for i := range fields {
		byKey[fields[i].key] = &fields[i]
	}
	return byKey
}()

// pipes are the units that a class row may name.
var pipes = []string{"alu", "fma", "fp64", "xu", "lsu", "tensor", "branch", "move", "fence"}

// confidences are the marks a source may carry; `article` only in the [article] section.
var confidences = []string{"high", "medium", "low", "estimate", "article"}

func fraction(v *big.Rat) Fraction { return Fraction{Num: v.Num().Int64(), Den: v.Denom().Int64()} }

// names lists the units, sorted.
func (u units) names() []string { return slices.Sorted(maps.Keys(u)) }
