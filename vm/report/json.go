package report

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/internal/ledger"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Format is the version of the JSON form. It rises when a name changes its meaning.
const Format = 1

type object = map[string]any

// JSON prints a run as one object. Everything but "host" depends on the program and the machine alone.
func JSON(w io.Writer, r *vm.Result, opt Options) error {
	return encode(w, Object(r, opt))
}

// Object returns what JSON prints, for callers that put it into an object of their own.
func Object(r *vm.Result, opt Options) map[string]any {
	o := object{}
	maps.Copy(o, opt.Extra)
	maps.Copy(o, object{
		"format":     Format,
		"program":    opt.Program,
		"title":      opt.Title,
		"outcome":    opt.Outcome,
		"machine":    r.Machine.Name,
		"clock_mhz":  r.Machine.ClockMHz,
		"functional": r.Functional,
		"modelled":   true,
		"card_count": len(r.Cards),
		"counts": object{
			"thread_instructions":      r.Counts.ThreadInstructions,
			"warp_instructions":        r.Counts.WarpInstructions,
			"uninitialised_bytes_read": r.Counts.UninitReads,
		},
		"warnings": warningList(r),
		"host": object{
			"seconds":                        r.Host.Seconds(),
			"thread_instructions_per_second": perSecond(r),
		},
	})
	if !r.Functional {
		f := derive(r)
		maps.Copy(o, f.timed())
		if len(opt.Sections) > 0 {
			o["report"] = f.sectionObjects(opt)
		}
	}
	return o
}

// FaultJSON prints a fault as one object, its address as a hexadecimal string.
func FaultJSON(w io.Writer, f *state.Fault) error {
	return encode(w, object{"format": Format, "fault": FaultObject(f)})
}

// FaultObject returns the object of a fault.
func FaultObject(f *state.Fault) map[string]any {
	o := object{"kind": string(f.Kind), "message": f.Message, "hint": f.Hint, "kernel": f.Kernel, "card": f.Card}
	maps.Copy(o, place(f.Func, f.Pos))
	if f.HasThread {
		o["cta"], o["thread"] = f.CTA, f.Thread
	}
	if f.HasAddr {
		o["address"] = fmt.Sprintf("0x%x", f.Addr)
	}
	return o
}

func encode(w io.Writer, o object) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(o)
}

func perSecond(r *vm.Result) float64 {
	if r.Host <= 0 {
		return 0
	}
	return float64(r.Counts.ThreadInstructions) / r.Host.Seconds()
}

// place is the file, line, column and function of a position; empty where there is none.
func place(fn *isa.Func, pos isa.Pos) object {
	if fn == nil || fn.Source == nil {
		return object{}
	}
	line, col := fn.Source.LineCol(pos)
	return object{"file": fn.Source.Name, "line": line, "column": col, "function": fn.Name}
}

func warningList(r *vm.Result) []object {
	list := []object{}
	for _, w := range r.Warnings {
		o := place(w.Func, w.Pos)
		o["message"] = w.Message
		list = append(list, o)
	}
	return list
}

// timed is what only a run with a clock has.
func (f *figures) timed() object {
	r := f.r
	o := object{
		"total_cycles": r.Total,
		"total_us":     micros(r.Total, f.clock),
		"cards":        f.cardList(),
		"sms":          smList(r),
		"launches":     launchList(r),
		"operators":    f.operatorList(),
		"waits":        waitList(r),
		"formulas":     f.formulas(),
		"real_gpus":    f.realList(),
		"top_cause":    f.causeText(),
	}
	if r.Tensor.SMCycles > 0 {
		o["tensor_cores"] = tensorObject(r)
	}
	if r.Local != nil {
		o["cycle_local"] = silentObject(r.Local)
	}
	if r.Gate != nil {
		o["gate_open"] = silentObject(r.Gate)
	}
	if r.OneRound != nil {
		o["one_round"] = silentObject(r.OneRound)
	}
	if r.LikeMedian != nil {
		o["late_card_like_median"] = silentObject(r.LikeMedian)
	}
	if l := f.late; l != nil {
		late := object{"card": l.card, "cycles": l.cycles, "waiting_cards": l.waiters, "most_lost": l.each}
		if l.reached != nil {
			late["reached"] = place(l.reached.Func, l.reached.Pos)
		}
		if w := l.wait; w != nil {
			late["waited_at"] = place(w.Func, w.Pos)
		}
		late["work"], late["work_at"] = l.work, l.where
		o["late_card"] = late
	}
	return o
}

func (f *figures) cardList() []object {
	list := []object{}
	for i, c := range f.r.Cards {
		groups := object{}
		for g, n := range f.groups[i] {
			groups[ledger.Group(g).String()] = n
		}
		list = append(list, object{
			"card": c.Card, "end": c.End, "groups": groups, "entries": entries(c.Sheet), "hidden": c.Hidden,
			"bytes_out": c.BytesOut, "bytes_in": c.BytesIn, "busy_out": c.BusyOut, "busy_in": c.BusyIn,
			"copy_busy": c.CopyBusy, "window": c.Window,
		})
	}
	return list
}

// entries are all entries of a sheet by name, the empty ones too.
func entries(sheet vm.Sheet) object {
	o := object{}
	for e, n := range sheet {
		o[ledger.Entry(e).String()] = n
	}
	return o
}

func smList(r *vm.Result) []object {
	list := []object{}
	for _, s := range r.SMs {
		list = append(list, object{"card": s.Card, "sm": s.SM, "entries": entries(s.Sheet)})
	}
	return list
}

func launchList(r *vm.Result) []object {
	list := []object{}
	for _, l := range r.Launches {
		list = append(list, object{
			"card": l.Card, "name": l.Name, "stream": l.Stream, "call": l.Call, "start": l.Start, "end": l.End,
			"ctas": l.CTAs, "operators": l.Operators, "tensor": l.Tensor,
		})
	}
	return list
}

func (f *figures) operatorList() []object {
	list := []object{}
	for i := range f.r.Operators {
		op := &f.r.Operators[i]
		o := place(op.Func, op.Pos)
		maps.Copy(o, object{
			"operator": spelled(op), "count": op.Count, "bytes": op.Bytes, "per_card": op.PerCard, "cycles": op.Cycles,
			"fence": op.Fence, "rounds": op.Rounds, "period": op.Period, "group_cards": op.Group,
		})
		if op.Late != nil {
			o["late"] = op.Late
		}
		list = append(list, o)
	}
	return list
}

func waitList(r *vm.Result) []object {
	list := []object{}
	for _, w := range r.Waits {
		o := place(w.Func, w.Pos)
		maps.Copy(o, object{"entry": ledger.Entry(w.Entry).String(), "cycles": w.Cycles, "worst": w.Worst, "card": w.Card})
		if w.For >= 0 {
			o["for_card"], o["for"] = w.For, place(w.ForFunc, w.ForPos)
		}
		list = append(list, o)
	}
	return list
}

func tensorObject(r *vm.Result) object {
	t := r.Tensor
	cards := []object{}
	for _, c := range t.PerCard {
		cards = append(cards, object{"card": c.Card, "sm_cycles": c.SMCycles, "busy": c.Busy, "blocked_waiting": c.Waiting, "gate_shut": c.Shut, "flops": c.Flops})
	}
	return object{
		"sm_cycles": t.SMCycles, "busy": t.Busy, "blocked_waiting": t.BlockedWaiting, "blocked_idle": t.BlockedIdle, "flops": t.Flops,
		"of_peak_while_busy": ratio(t.Flops, t.Busy*uint64(r.Machine.Card.TensorFlops)), "cards": cards,
	}
}

func silentObject(s *vm.SilentResult) object {
	return object{"total_cycles": s.Total, "card_ends": s.Ends, "same_results": s.SameResults}
}

// formulas are the article's, with their inputs.
func (f *figures) formulas() object {
	o := object{}
	if f.comparable() {
		o["loss_nv"] = object{"cycle_nvlink": f.r.Total, "cycle_local": f.r.Local.Total, "value": lossOf(f.r.Total, f.r.Local.Total)}
		if f.r.Gate != nil {
			o["loss_gate_open"] = lossOf(f.r.Gate.Total, f.r.Local.Total)
		}
	}
	if f.sync != nil || f.copy != nil {
		o["t_sync"] = object{
			"tensor_bytes": f.payload, "bandwidth_bytes_per_second": f.peak(), "t_barrier": f.barrier,
			"value": f.transfer + f.barrier, "with_bytes_on_the_wire": f.onTheWire(), "simulated": f.simulated, "collectives": f.collectives,
		}
		o["coef_nvlink"] = object{
			"link_total": f.r.Machine.Fabric.Links, "sync_block_cycle": f.window, "value": f.coef(),
			"achieved_bytes_per_second": f.achieved() * 1e9,
		}
	}
	if t := f.oneRound(); t > 0 {
		o["total_with_one_round"] = t
	}
	if t := f.likeMedian(); t > 0 {
		o["total_with_late_card_like_median"] = t
	}
	return o
}

// realList are the nearest public measurements, each with its source.
func (f *figures) realList() []object {
	list := []object{}
	for _, found := range f.nearest() {
		for _, m := range found {
			list = append(list, object{"card": m.Card, "cards": m.Cards, "fabric": m.Fabric, "method": m.Method, "bytes": m.Bytes, "us": m.Micros, "source": m.Source})
		}
	}
	return list
}
