package main

import (
	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/programs"
	"github.com/tollgate-sim/tollgate/vm/host"
)

func newDemo() *cobra.Command {
	var s *simulation
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Run the article's all-reduce beside an mma loop on 8 x H200",
		Long: `Demo runs the article's listing, verbatim, on eight H200: its all-reduce of 2 MiB a card on one stream, a loop of mma
on another. The report says what the gate took from the Tensor Cores, and why. Nothing has to be set up: kernels,
inputs and expected results are part of tollgate.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := host.ReadCase(programs.FS, programs.Demo)
			if err != nil {
				return &failure{status: exitInternal, err: err}
			}
			s.program, s.title = "tollgate demo", c.Description
			opt, err := s.options()
			if err != nil {
				return err
			}
			return s.show(host.RunCase(cmd.Context(), host.CaseRequest{
				Case: c, Load: embeddedModules(programs.FS), Options: opt, Prints: s.prints, Dumps: s.dumps,
			}))
		},
	}
	s = newSimulation(cmd)
	return cmd
}
