package exec_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// TestStepEqualsRun runs the same kernels one operation at a time, all warps of all cards in turn, with the accesses
// of other cards' memory as messages. The results are the same; deadlocks are for an engine to see.
func TestStepEqualsRun(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "//: fault deadlock") {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".ptx"), func(t *testing.T) {
			s := newScript(t, filepath.Base(file), string(text))
			for _, card := range s.node.Cards {
				card.Direct, card.Timed = false, true
			}
			s.run(runStepped)
		})
	}
}

// runStepped is an engine without a clock that does what the timed one does.
func runStepped(s *script, queues [][]*state.Launch) *state.Fault {
	resident := make([][]*state.CTA, len(queues))
	for round := 0; ; round++ {
		if round == 5_000_000 {
			s.t.Fatal("no end")
		}
		busy := false
		for i := range queues {
			if len(queues[i]) == 0 {
				continue
			}
			busy = true
			l := queues[i][0]
			if l.Next == 0 {
				for ; l.Next < l.CTAs(); l.Next++ {
					resident[i] = append(resident[i], exec.StartCTA(l, l.Next, 0))
				}
			}
			s.node.Cards[i].Now++
			live := false
			for _, cta := range resident[i] {
				for _, w := range cta.Warps {
					if w.Live == 0 {
						continue
					}
					live = true
					if fault := s.step(w); fault != nil {
						return fault
					}
				}
			}
			if !live {
				queues[i], resident[i] = queues[i][1:], nil
			}
		}
		if !busy {
			return nil
		}
	}
}

// step executes one operation of a warp and carries its messages at once.
func (s *script) step(w *state.Warp) *state.Fault {
	next := exec.NextOp(w)
	before := w.Thread.WarpInstructions
	signal := exec.Step(w)
	if next == nil && (signal != state.Waiting || w.Thread.WarpInstructions != before) {
		s.t.Fatalf("nothing could run, but Step said %d", signal)
	}
	switch signal {
	case state.Faulted:
		return w.Fault
	case state.Pending:
		if len(w.Access.Remote) == 0 {
			s.t.Fatal("pending for nothing")
		}
		for i, ra := range w.Access.Remote {
			if ra.Owner == w.CTA.Card.Index || i > 0 && ra.Owner <= w.Access.Remote[i-1].Owner {
				s.t.Fatalf("part %d goes to card %d", i, ra.Owner)
			}
			if fault := exec.Apply(s.node.Cards[ra.Owner], ra); fault != nil {
				return fault
			}
			exec.Finish(w, ra)
		}
	}
	return nil
}
