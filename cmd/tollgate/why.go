package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/vm"
	"github.com/tollgate-sim/tollgate/vm/report"
)

func newWhy() *cobra.Command {
	var run *runnable
	cmd := &cobra.Command{
		Use:   "why FILE [CARD]",
		Short: "Follow the critical path of a run across the cards",
		Long: `Why runs a PTX file, a host program or a case file as tollgate run does, and says in at most ten lines what the end
of the run waited for: back from the end of the last card, or of CARD, through whatever ended each wait, be it another
card's arrival at a barrier, its bytes, the flag that it set, the gate, or the launch before in the stream.`,
		Example: "  tollgate why straggler.json\n" +
			"  tollgate why straggler.json 3\n" +
			"  tollgate why barrier.star --set cards=4",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return fmt.Errorf("why needs a file, and at most a card\n    hint: tollgate why FILE.json, or FILE.json 5")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			card := -1
			if len(args) == 2 {
				n, err := strconv.Atoi(args[1])
				if err != nil || n < 0 {
					return fmt.Errorf("%q is no card: a number from 0", args[1])
				}
				card = n
			}
			run.why = &card
			return run.run(args[:1])
		},
	}
	run = newRunnable(cmd)
	return cmd
}

// whyText prints the critical path in place of the report.
func (s *simulation) whyText(w io.Writer, r *vm.Result, opt report.Options) error {
	if *s.why >= len(r.Cards) {
		return fmt.Errorf("there is no card %d: the run has %d", *s.why, len(r.Cards))
	}
	return report.Why(w, r, *s.why, opt)
}
