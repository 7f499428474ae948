package exec

import (
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// StartCTA makes the index-th CTA of a launch resident on an SM of the launch's card, reusing the memory of one that
// has ended.
func StartCTA(l *state.Launch, index uint64, sm int) *state.CTA {
	p := l.Prog
	if l.Vars == nil {
		Bind(l)
	}
	var c *state.CTA
	if n := len(l.Pool); n > 0 {
		c = l.Pool[n-1]
		l.Pool = l.Pool[:n-1]
		reset(c)
	} else {
		c = newCTA(l)
	}
	grid := [3]uint64{uint64(l.Grid[0]), uint64(l.Grid[1]), uint64(l.Grid[2])}
	c.ID = [3]uint32{uint32(index % grid[0]), uint32(index / grid[0] % grid[1]), uint32(index / (grid[0] * grid[1]))}
	c.Index, c.SM, c.LiveWarps = index, sm, len(c.Warps)
	c.SharedUnwritten = len(c.Shared)
	threads := l.Threads()
	for i, w := range c.Warps {
		live := uint32(allLanes)
		if rest := threads - 32*i; rest < 32 {
			live = 1<<rest - 1
		}
		w.Live = live
		w.Frags = append(w.Frags[:0], state.Fragment{PC: p.Start, Mask: live})
		w.Current, w.Settled = 0, false
	}
	return c
}

// newCTA allocates a CTA's memory: the registers of all its warps in one piece.
func newCTA(l *state.Launch) *state.CTA {
	p := l.Prog
	warps := (l.Threads() + 31) / 32
	c := &state.CTA{Launch: l, Card: l.Card}
	if shared := p.SharedStatic + l.SharedDynamic; shared > 0 {
		c.Shared = make([]byte, alignUp(p.SharedStatic, 16)+l.SharedDynamic)
		c.SharedWritten = make([]uint64, (len(c.Shared)+63)/64)
	}
	if p.LocalBytes > 0 {
		c.LocalStride = alignUp(p.LocalBytes, 16)
		c.Local = make([]byte, c.LocalStride*warps*32)
	}
	r32, r64, preds := make([][32]uint32, warps*p.N32), make([][32]uint64, warps*p.N64), make([]uint32, warps*p.NP)
	all := make([]state.Warp, warps)
	c.Warps = make([]*state.Warp, warps)
	for i := range all {
		w := &all[i]
		*w = state.Warp{
			R32: r32[i*p.N32 : (i+1)*p.N32 : (i+1)*p.N32], R64: r64[i*p.N64 : (i+1)*p.N64 : (i+1)*p.N64], P: preds[i*p.NP : (i+1)*p.NP : (i+1)*p.NP],
			Index: i, CTA: c, Prog: p, Frags: make([]state.Fragment, 0, 1),
		}
		c.Warps[i] = w
	}
	return c
}

// reset makes a CTA that has ended as good as new: what its predecessor left must not show.
func reset(c *state.CTA) {
	clear(c.Shared)
	clear(c.SharedWritten)
	clear(c.Local)
	c.Barriers = [16]state.BarrierState{}
	c.Race = nil
	c.Released = c.Released[:0]
	for _, w := range c.Warps {
		clear(w.R32)
		clear(w.R64)
		clear(w.P)
		frags := w.Frags
		*w = state.Warp{R32: w.R32, R64: w.R64, P: w.P, Index: w.Index, CTA: c, Prog: w.Prog, Frags: frags}
	}
}

// EndCTA gives the memory of a CTA whose warps have all exited back to its launch.
func EndCTA(c *state.CTA) { c.Launch.Pool = append(c.Launch.Pool, c) }
