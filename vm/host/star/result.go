package star

import (
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"github.com/tollgate-sim/tollgate/vm"
)

// finish drains the machine and sums it up, with the silent runs where asked.
func (n *node) finish(silent bool) error {
	if n.result != nil && n.at == n.steps && (n.silent || !silent) {
		return nil
	}
	var err error
	if silent {
		n.result, err = n.vm.Finish(n.program.ctx)
	} else {
		n.result, err = n.vm.Result(n.program.ctx)
	}
	n.at, n.silent = n.steps, silent
	return err
}

// known is the result so far, after a fault what is known until then.
func (n *node) known() *vm.Result {
	if n.result == nil || n.at != n.steps {
		// The error was told when it came.
		n.result, _ = n.vm.Result(n.program.ctx)
	}
	return n.result
}

// resultOf is node.result(): the figures of all that ran so far. loss = False leaves the silent runs out, and with them
// what only they know.
func (n *node) resultOf(c *call) (starlark.Value, error) {
	loss := true
	if err := c.unpack("loss?", &loss); err != nil {
		return nil, err
	}
	n.noLoss = n.noLoss || !loss
	if err := n.finish(loss); err != nil {
		return nil, c.fail("%w", err)
	}
	r := n.result
	fields := starlark.StringDict{
		"cycles":              cycles(r.Total),
		"microseconds":        starlark.Float(microseconds(r.Total, r.Machine.ClockMHz)),
		"local_cycles":        starlark.None,
		"loss":                starlark.None,
		"open_gate_cycles":    starlark.None,
		"thread_instructions": cycles(r.Counts.ThreadInstructions),
		"uninit_reads":        cycles(r.Counts.UninitReads),
	}
	if r.Local != nil && r.Local.SameResults {
		fields["local_cycles"] = cycles(r.Local.Total)
		if r.Local.Total > 0 {
			fields["loss"] = starlark.Float((float64(r.Total) - float64(r.Local.Total)) / float64(r.Local.Total))
		}
	}
	switch {
	case r.Gate != nil:
		fields["open_gate_cycles"] = cycles(r.Gate.Total)
	case n.silent:
		fields["open_gate_cycles"] = cycles(r.Total) // the gate cost nothing
	}
	var cards, launches []starlark.Value
	for i := range r.Cards {
		cards = append(cards, cardStruct(&r.Cards[i]))
	}
	for i := range r.Launches {
		launches = append(launches, launchStruct(&r.Launches[i]))
	}
	fields["cards"], fields["launches"] = starlark.NewList(cards), starlark.NewList(launches)
	t := r.Tensor
	fields["tensor"] = record(starlark.StringDict{"sm_cycles": cycles(t.SMCycles), "busy": cycles(t.Busy),
		"blocked_waiting": cycles(t.BlockedWaiting), "blocked_idle": cycles(t.BlockedIdle), "flops": cycles(t.Flops)})
	return record(fields), nil
}

func record(fields starlark.StringDict) starlark.Value {
	return starlarkstruct.FromStringDict(starlarkstruct.Default, fields)
}

func cycles(n uint64) starlark.Int { return starlark.MakeUint64(n) }

func microseconds[T ~int | ~int64 | ~uint64](n uint64, mhz T) float64 {
	return float64(n) / float64(mhz)
}

// cardStruct is one card's sheet, by entry and by group.
func cardStruct(r *vm.CardResult) starlark.Value {
	ledger, groups := starlark.NewDict(int(vm.NumEntries)), starlark.NewDict(len(vm.Groups()))
	sums := map[string]uint64{}
	for e, n := range r.Sheet {
		entry := vm.Entry(e)
		if n > 0 {
			set(ledger, entry.String(), n)
		}
		sums[entry.Group()] += n
	}
	for _, name := range vm.Groups() {
		set(groups, name, sums[name])
	}
	return record(starlark.StringDict{"card": starlark.MakeInt(r.Card), "end": cycles(r.End), "ledger": ledger, "groups": groups,
		"hidden": cycles(r.Hidden), "window": cycles(r.Window), "bytes_out": cycles(r.BytesOut), "bytes_in": cycles(r.BytesIn),
		"busy_out": cycles(r.BusyOut), "busy_in": cycles(r.BusyIn), "copy_busy": cycles(r.CopyBusy)})
}

func set(d *starlark.Dict, key string, n uint64) {
	_ = d.SetKey(starlark.String(key), cycles(n)) // a string is a key, and the dict is ours
}

func launchStruct(l *vm.LaunchResult) starlark.Value {
	return record(starlark.StringDict{"card": starlark.MakeInt(l.Card), "name": starlark.String(l.Name), "stream": starlark.String(l.Stream),
		"call": cycles(l.Call), "start": cycles(l.Start), "end": cycles(l.End)})
}
