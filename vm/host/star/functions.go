package star

// Function is one word of the vocabulary of host programs.
type Function struct {
	// Of is the value that it is a method of: "" for a free function, else machine, stream, buffer, ptx, event, group or
	// values. What a stream can do, a machine does on its default stream.
	Of        string
	Name      string
	Signature string // what follows the name; "" for a figure
	Text      string
	Example   string // a whole program, run beside the kernels of programs/; its checks hold
}

// Title is the word as programs write it: machine(...), stream.launch(...), buffer.count.
func (f *Function) Title() string {
	if f.Of == "" {
		return f.Name + f.Signature
	}
	return f.Of + "." + f.Name + f.Signature
}

// Starlark is what a reader who knows Python must know of the language.
const Starlark = `A host program says what a CUDA program says on the host, in Starlark: Python's syntax without classes, imports and
exceptions, the same result every time. if, for and while may stand at the top level, names may be reassigned,
functions can't call themselves. load("other.star", "name") takes names from another file; print writes to standard
output; math, json and struct are there. Paths are relative to the file that names them. A first line in triple quotes
is the title of the report.

Launches queue; synchronize, reading, result and the expect functions wait for all that was launched, and so does the
end of the program. Buffers take the name of the variable they are assigned to.`

// Functions is the vocabulary, in the order in which a program uses it.
var Functions = []Function{
	{"", "machine", `(name = "h200-sxm", cards = 1, label = None)`,
		"A node with so many cards, of a machine that tollgate machines lists or of a .toml file. Functions that belong to a machine and are called without one act on the machine made last. A program that makes several gets a line for each instead of a report; label names it there. --machine overrides the name.",
		`node = machine("h100-sxm", cards = 4)
expect(node.cards == 4 and node.clock_mhz == 1830)`},
	{"", "param", `(name, default)`,
		"The default, or the value that --set name=... or a sweep gives; of the type of the default: a number, a text or a truth value.",
		`cards = param("cards", 2)
node = machine(cards = cards)
expect(node.cards == cards)`},
	{"", "ptx", `(path, ...)`,
		`A PTX file, or several that are linked into one program. Its entries are its attributes; k["name"] is for names that are no identifiers. A file with one entry can be launched itself.`,
		`k = ptx("nvlink_allreduce.ptx")
print(k.nvlink_barrier_sync, k["nvlink_allreduce_fp16"])`},
	{"machine", "buffer", `(dtype, count, init = None, name = None)`,
		"Memory for count elements at the same place on every card: u8 to u64, i8 to i64, f16, bf16, f32, f64. init is contents (ramp(), random(7), ...), a list (what it leaves out is zero), a number, bytes, another buffer, per_card(...); without it the elements count as never written. At most 64 GiB over all cards.",
		`node = machine(cards = 2)
x = node.buffer("f32", 4, init = [1, 2, 3])
own = node.buffer("u32", 4, init = per_card(lambda rank: fill(rank)))
expect(x.read() == [1.0, 2.0, 3.0, 0.0] and own.read(1) == [1, 1, 1, 1])`},
	{"machine", "stream", `(name)`,
		"A queue of steps on every card. Streams run beside each other; the steps of one run one after another.",
		`node = machine(cards = 2)
k = ptx("nvlink_allreduce.ptx")
comm = node.stream("comm")
comm.launch(k.nvlink_barrier_sync, args = [0])
expect(node.result().launches[0].stream == "comm")`},
	{"stream", "launch", `(entry, grid = 1, block = None, cluster = None, shared = 0, args = None, cards = None, group = None)`,
		"Calls an entry on all cards, or those of cards. grid, block and cluster are a size or up to three; block is the entry's .reqntid or 32 unless given; shared is dynamic shared memory in bytes. args is a list in the order of the parameters or a dict by their names: a number, a buffer (its address on the launching card), an address, peers(), a group (its number), a list or bytes for an array, per_card(...). group is the set of cards that the article's operators span, by default all cards, also when cards narrows the launch. Also a free function, on the default stream.",
		`node = machine()
k = ptx("vecadd.ptx")
n = 1000
a, b, c = node.buffer("f32", n, ramp()), node.buffer("f32", n, ones()), node.buffer("f32", n)
node.launch(k.vecadd, grid = 8, block = 128, args = {"a": a, "b": b, "c": c, "n": n})
expect_equal(c, iota(1, 1))`},
	{"", "per_card", `(function)`,
		"An argument, or a buffer's contents, that differ from card to card: the function is called with each card's number.",
		`node = machine(cards = 2)
k = ptx("mma_loop.ptx")
out = node.buffer("f32", 512)
node.launch(k.mma_loop, block = 128, args = [out, per_card(lambda rank: 100 + 28 * rank)])
expect(out.read(1)[0] == out.read(0)[0] * 1.28)`},
	{"", "pack", `((type, value), ...)`,
		"A C struct as an argument: its fields in order, each aligned to its size. A type is one of a buffer's, ptr for an address, or ptrs for the addresses on all cards (peers(), eight of them); a third item is the length of an array.",
		`node = machine(cards = 2)
x = node.buffer("f32", 32)
print(pack(("ptrs", x.peers()), ("u32", x.count), ("f32", 0.5), ("i32", [1, 2], 4)))`},
	{"stream", "delay", `(card, cycles)`,
		"Makes the stream's next launch start later on a card, a list of cards or (None) all of them. Also a free function.",
		`node = machine(cards = 2)
k = ptx("nvlink_allreduce.ptx")
delay(1, 1000)
node.launch(k.nvlink_barrier_sync, args = [0])
expect(node.result().cards[0].groups["skew"] == 1000)`},
	{"stream", "suspend_tensor_core", `(cards = None)`,
		"Holds the Tensor Cores from this place of the stream on, as the article's host function does; CUDA has no such call. Also a free function, on the default stream.",
		`node = machine(cards = 2)
k = ptx("nvlink_allreduce.ptx")
suspend_tensor_core()
node.launch(k.nvlink_barrier_sync, args = [0])
resume_tensor_core()`},
	{"stream", "resume_tensor_core", `(cards = None)`,
		"Takes one hold back. A hold that nobody takes back is a warning. Also a free function, on the default stream.",
		`node = machine()
comm = node.stream("comm")
comm.suspend_tensor_core()
comm.resume_tensor_core()`},
	{"stream", "record", `(cards = None)`,
		"An event: the place that the stream has come to, on each card for itself.",
		`node = machine()
k = ptx("vecadd.ptx")
a, b, c = node.buffer("f32", 32, ramp()), node.buffer("f32", 32), node.buffer("f32", 32)
main, comm = node.stream("main"), node.stream("comm")
main.launch(k.vecadd, args = [a, a, b, 32])
done = main.record()
comm.wait(done)
comm.launch(k.vecadd, args = [b, a, c, 32])
expect_equal(c, iota(0, 3))`},
	{"stream", "wait", `(event)`,
		"Lets the stream's further steps start only after the event, on each card for itself.",
		`node = machine(cards = 2)
k = ptx("mma_loop.ptx")
out = node.buffer("f32", 512)
main, comm = node.stream("main"), node.stream("comm")
main.launch(k.mma_loop, block = 128, args = [out, 10])
comm.wait(main.record())
comm.launch(k.mma_loop, block = 128, args = [out, 10])
launches = node.result().launches
expect(launches[2].start > launches[0].end)`},
	{"machine", "synchronize", `()`,
		"Waits for all that was launched. Also a free function.",
		`node = machine(cards = 2)
node.launch(ptx("nvlink_allreduce.ptx").nvlink_barrier_sync, args = [0])
node.synchronize()`},
	{"machine", "group", `(cards)`,
		"A set of cards, numbered from 1 in the order of creation: as a launch's group it is that launch's group 0, as an argument its number. group.id and group.cards say what it is. Also a free function.",
		`node = machine(cards = 4)
k = ptx("nvlink_allreduce.ptx")
half = group([0, 1])
node.launch(k.nvlink_barrier_sync, args = [0], cards = half, group = half)
node.launch(k.nvlink_barrier_sync, args = [half], cards = half.cards)
expect(half.id == 1)`},
	{"machine", "tenant", `(card, direction, share)`,
		`Gives a share of a card's port, "egress" or "ingress", to other users of the machine: from 0 to below 1. Also a free function.`,
		`k = ptx("nvlink_allreduce.ptx")
def total(share):
    node = machine(cards = 2)
    node.tenant(0, "egress", share)
    x, y = node.buffer("bf16", 1 << 16, ramp()), node.buffer("bf16", 1 << 16)
    node.launch(k.nvlink_allreduce_fp16, args = [x, y, 1 << 16])
    return node.result().cycles
expect(total(0.5) > total(0))`},
	{"machine", "result", `(loss = True)`,
		"What the machine's program came to so far, as the report has it: cycles, microseconds, local_cycles (Cycle_local), loss (Loss_nv), open_gate_cycles, thread_instructions, uninit_reads; cards (each with card, end, ledger by entry, groups by column of the report, hidden, window, bytes_out, bytes_in, busy_out, busy_in, copy_busy); launches (card, name, stream, call, start, end); tensor (sm_cycles, busy, blocked_waiting, blocked_idle, flops). local_cycles and loss are None where results depend on timing. loss = False leaves the silent runs out, here and at the end: about twice as fast, and local_cycles, loss and open_gate_cycles are None. With --timing off all cycles are 0; machine.timed tells.",
		`node = machine(cards = 2)
node.launch(ptx("nvlink_allreduce.ptx").nvlink_barrier_sync, args = [0])
r = node.result()
print(r.cycles, r.cards[0].ledger["barrier"], r.loss)
expect(r.loss == (r.cycles - r.local_cycles) / r.local_cycles)`},
	{"buffer", "read", `(card = 0, start = 0, count = None)`,
		"The elements on a card as a list, after all that was launched before.",
		`node = machine()
x = node.buffer("i16", 4, init = [1, -2])
expect(x.read() == [1, -2, 0, 0] and x.read(start = 1, count = 1) == [-2])`},
	{"buffer", "write", `(values, card = None, start = 0)`,
		"Stores a list, or all that init takes, on a card or on all, after all that was launched before.",
		`node = machine(cards = 2)
x = node.buffer("f32", 4, init = zeros())
x.write([7, 8], card = 1, start = 2)
expect(x.read(0) == [0, 0, 0, 0] and x.read(1) == [0, 0, 7, 8])`},
	{"buffer", "on", `(card, index = 0)`,
		"The address on that card, whichever card launches: a peer's pointer. buffer + 16 is the launching card's address and so many bytes.",
		`node = machine(cards = 2)
k = ptx("vecadd.ptx")
a, c = node.buffer("f32", 32, per_card(lambda rank: fill(rank))), node.buffer("f32", 32)
node.launch(k.vecadd, args = [a, a.on(1), c, 32])
expect_equal(c, per_card(lambda rank: fill(rank + 1)))`},
	{"buffer", "at", `(index)`,
		"The launching card's address of an element.",
		`node = machine()
k = ptx("vecadd.ptx")
a, c = node.buffer("f32", 64, ramp()), node.buffer("f32", 32)
node.launch(k.vecadd, args = [a.at(32), a, c, 32])
expect_equal(c, iota(32, 2))`},
	{"buffer", "peers", `()`,
		"The addresses on all cards: by value where the parameter is an array, else as the address of a table u64[cards] in the launching card's memory.",
		`node = machine(cards = 2)
x = node.buffer("f32", 32, ramp())
print(x.peers())`},
	{"buffer", "table", `()`,
		"The address of a table of the addresses on all cards, whatever the parameter.",
		`node = machine(cards = 2)
x = node.buffer("f32", 32, ramp())
print(x.table())`},
	{"buffer", "multicast", `()`,
		"The address for multimem instructions, which stands for the buffer on all cards.",
		`node = machine(cards = 2)
x = node.buffer("f32", 32, ramp())
print(x.multicast())`},
	{"buffer", "texture", `(size, channels = 1, layers = 0, cube = False, filter = "point", address = "clamp", normalized = False, normalized_float = False, fetch = False, index = 0)`,
		"A texture object on each card's part of the buffer, whose element type is that of a channel; as an argument its handle. size is W, [W, H] or [W, H, D] in texels, index the first element. filter is point or linear; address is clamp, border, wrap or mirror, or one for each dimension; normalized says that coordinates go from 0 to 1, normalized_float that integers are read as floats up to 1; fetch is linear memory, as tex1Dfetch reads it.",
		`node = machine()
x = node.buffer("f32", 640 * 480, ramp())
print(x.texture([640, 480], filter = "linear", address = "wrap", normalized = True))`},
	{"buffer", "surface", `(size, channels = 1, layers = 0, cube = False, index = 0)`,
		"A surface object, the same with the properties that surfaces have.",
		`node = machine()
x = node.buffer("u8", 64 * 4, zeros())
print(x.surface(64, channels = 4))`},
	{"machine", "bind_texture", `(ptx, name, handle)`,
		"Lets a .texref, .samplerref or .surfref variable of a PTX file stand for a texture or surface object.",
		`node = machine()
k = ptx("doubled.ptx")   # one of your own, with .global .texref image
x, out = node.buffer("f32", 4, ramp()), node.buffer("f32", 4)
node.bind_texture(k, "image", x.texture(4))
node.launch(k.doubled, block = 4, args = [out])
expect_equal(out, [0, 2, 4, 6])`},
	{"buffer", "count", "", "The number of elements. buffer.dtype, buffer.bytes (on one card) and buffer.name are there too.",
		`node = machine()
x = node.buffer("bf16", 32)
expect(x.count == 32 and x.bytes == 64 and x.dtype == "bf16" and x.name == "x")`},
	{"", "zeros", `()`, "Contents: zeros.", `x = machine().buffer("u8", 3, zeros())
expect(x.read() == [0, 0, 0])`},
	{"", "ones", `()`, "Contents: ones.", `x = machine().buffer("f16", 3, ones())
expect(x.read() == [1, 1, 1])`},
	{"", "fill", `(value)`, "Contents: one value.", `x = machine().buffer("f64", 2, fill(0.1))
expect(x.read() == [0.1, 0.1])`},
	{"", "ramp", `()`, "Contents: 0, 1, 2, ...; a float type starts again where it can't count on exactly (bf16: at 256).",
		`x = machine().buffer("bf16", 300, ramp())
expect(x.read()[254:258] == [254, 255, 0, 1])`},
	{"", "iota", `(start = 0, step = 1)`, "Contents: start, start + step, start + 2 * step, ...", `x = machine().buffer("i32", 3, iota(5, -2))
expect(x.read() == [5, 3, 1])`},
	{"", "random", `(seed, card_step = 0)`,
		"Contents: floats from -1 to below 1 in steps that sums keep exact, integers of any bits. card_step is added to the seed once a card; without it all cards hold the same. The generator is the one of case files.",
		`node = machine(cards = 2)
x = node.buffer("f32", 64, random(7, card_step = 1000003))
expect(x.read(0) != x.read(1) and min(x.read()) >= -1 and max(x.read()) < 1)`},
	{"", "bits", `(seed, card_step = 0)`, "Contents: any bit patterns, NaNs too.", `x = machine().buffer("u32", 64, bits(3))
expect(len(set(x.read())) > 60)`},
	{"", "file", `(path)`, "Contents: the bytes of a file as long as the buffer; with %d in its name of a file a card.",
		`x = machine().buffer("f32", 1024, file("vecadd.c.bin"))
print(x.read(count = 3))`},
	{"", "expect_equal", `(buffer, want, cards = None)`,
		"Checks a buffer bit by bit, on all cards or some; want is all that init takes, or what a collective function gives (of a group: on its cards). Of a NaN only that it is one. A difference names the first card and element, both values with their bits, and the distance in ulp; the program goes on, and the exit status is 1. Returns whether it holds.",
		`node = machine(cards = 2)
k = ptx("nvlink_allreduce.ptx")
grad, total = node.buffer("bf16", 4096, random(7, card_step = 1)), node.buffer("bf16", 4096)
node.launch(k.nvlink_allreduce_fp16, args = [grad, total, 4096])
expect_equal(total, all_reduce_sum(grad))`},
	{"", "expect_close", `(buffer, want, rel = 0, abs = 0, cards = None)`,
		"The same with |got - want| <= abs + rel * |want|.",
		`x = machine().buffer("f32", 2, [1, 1.001])
expect_close(x, ones(), rel = 0.01)`},
	{"", "expect", `(condition, message = "")`, "Checks a condition; the program goes on, and the exit status is 1 where it does not hold.",
		`expect(1 + 1 == 2, "arithmetic")`},
	{"", "all_reduce_sum", `(buffer, cards = None)`,
		"What an all-reduce of the buffer, as it is now, must come to on every card (of cards): summed in ascending card order in f32 (f64 for f64, exact for integers), rounded once, as the article's reduce does.",
		`node = machine(cards = 4)
x = node.buffer("f32", 2, per_card(lambda rank: [rank, 10]))
expect(all_reduce_sum(x).read(3) == [6, 40])
expect(all_reduce_sum(x, cards = [0, 1]).read(0) == [1, 20])`},
	{"", "all_reduce_min", `(buffer, cards = None)`, "The same with the least element; of a number and a NaN the number.",
		`x = machine(cards = 2).buffer("i32", 2, per_card(lambda rank: [rank, -rank]))
expect(all_reduce_min(x).read(0) == [0, -1])`},
	{"", "all_reduce_max", `(buffer, cards = None)`, "The same with the greatest.",
		`x = machine(cards = 2).buffer("i32", 2, per_card(lambda rank: [rank, -rank]))
expect(all_reduce_max(x).read(0) == [1, 0])`},
	{"", "reduce_scatter_sum", `(buffer, cards = None)`, "What a reduce-scatter must come to: card i holds part i of the sums.",
		`x = machine(cards = 2).buffer("i32", 4, iota(1))
expect(reduce_scatter_sum(x).read(1) == [6, 8])`},
	{"", "all_gather", `(buffer, cards = None)`, "What an all-gather must come to: all cards' elements, one card after the other.",
		`x = machine(cards = 2).buffer("i32", 2, per_card(lambda rank: [rank, 7]))
expect(all_gather(x).read(0) == [0, 7, 1, 7])`},
	{"", "all_to_all", `(buffer, cards = None)`, "What an all-to-all must come to: card i holds part i of card 0, of card 1, ...",
		`x = machine(cards = 2).buffer("i32", 2, per_card(lambda rank: [10 * rank, 10 * rank + 1]))
expect(all_to_all(x).read(1) == [1, 11])`},
	{"", "broadcast", `(buffer, root = 0, cards = None)`, "What a broadcast must come to: the root's elements.",
		`x = machine(cards = 2).buffer("i32", 1, per_card(lambda rank: [rank]))
expect(broadcast(x, root = 1).read(0) == [1])`},
	{"values", "read", `(card = 0)`, "The elements for a card, of what a collective function gives. values.dtype and values.count are there too.",
		`x = machine(cards = 2).buffer("i32", 2, ones())
expect(all_reduce_sum(x).read(1) == [2, 2])`},
	{"", "fixed", `(value, digits = 1)`, "A number as text with so many decimals, and commas between thousands.",
		`expect(fixed(1234567.891, 2) == "1,234,567.89" and fixed(2, 0) == "2")`},
	{"", "columns", `(rows)`, "A table as text: its first column to the left, the others to the right.",
		`print(columns([["cards", "cycles"], [2, fixed(60844, 0)], [4, fixed(60846, 0)]]))`},
	{"", "metric", `(name, value)`, "A figure that the program measured: reports print it, sweeps tabulate and plot it.",
		`node = machine(cards = 2)
node.launch(ptx("nvlink_allreduce.ptx").nvlink_barrier_sync, args = [0])
metric("cycles a round", node.result().cycles / 64)`},
}
