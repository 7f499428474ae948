package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/tollgate-sim/tollgate/isa"
)

// run is the whole command line: arguments and streams in, exit status out.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	return guarded(errs, func() int {
		// The first Ctrl-C ends the run and prints what is known so far; a second one ends the process.
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		context.AfterFunc(ctx, stop)
		root := newRoot()
		root.SetArgs(args)
		root.SetIn(in)
		root.SetOut(out)
		root.SetErr(errs)
		return finish(root.ExecuteContextC(ctx))
	})
}

// guarded turns a panic into the exit status of a fault of our own.
func guarded(errs io.Writer, work func() int) (status int) {
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(errs, "tollgate: internal fault: %v\n\n%s\nThis is a mistake in tollgate, not in your program. Please report it with the input that led here.\n", cause, debug.Stack())
			status = exitInternal
		}
	}()
	return work()
}

// newRoot puts the command line together.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "tollgate",
		Short: "Run PTX kernels on simulated multi-card machines, and see where every cycle went",
		Long: `Tollgate runs PTX kernels on simulated multi-card machines, with no GPU, and says where every cycle went:
to copies, barriers, contention, late cards and stopped Tensor Cores. Every figure it prints is modelled.

    tollgate demo                       the article's all-reduce beside an mma loop on eight cards
    tollgate run vecadd.ptx --arg ...   a kernel of your own
    tollgate check *.ptx                mistakes only
    tollgate machines h200-sxm          what the model assumes, figure by figure, with sources

Exit status: 0 fine; 1 a check or test failed; 2 bad input, or something that is not supported;
3 a fault in the running kernel (trap, assert, bad access, deadlock, --max-cycles); 4 a fault of tollgate itself;
130 interrupted.`,
		Args:              commandOnly,
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		// Without an argument of its own the root prints its help.
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().Bool(flagJSON, false, "print JSON for programs instead of text for people")
	root.CompletionOptions.HiddenDefaultCmd = false
	root.AddCommand(
		newDemo(), newRun(), newWhy(), newCheck(), newTest(), newMachines(), newISA(), newSweep(), newExplain(), newVersion(),
		newHostHelp(),
	)
	return root
}

// commandOnly refuses words that are no command, and names the nearest.
func commandOnly(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	hint := "tollgate --help lists the commands"
	switch ext := filepath.Ext(args[0]); {
	case ext == ".ptx" || ext == ".json":
		hint = "tollgate run " + args[0] + " runs it, tollgate check says what is wrong with it"
	default:
		if near := isa.Nearest(args[0], names); near != "" {
			hint = "did you mean tollgate " + near + "?"
		}
	}
	return fmt.Errorf("no command %q\n    hint: %s", args[0], hint)
}

// needs is the Args of a command that takes at least one of what it names.
func needs(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s needs %s\n    hint: %s", cmd.Name(), what, cmd.UseLine())
		}
		return nil
	}
}
