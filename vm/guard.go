package vm

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// guard waits for goroutines. A panic in one of them, which is a mistake of ours, goes on in the goroutine that waits,
// where a command can say so; left alone it would end the process.
type guard struct {
	group sync.WaitGroup
	cause atomic.Pointer[error]
}

// Go runs a function on a goroutine of its own.
func (g *guard) Go(do func()) { g.group.Go(func() { g.call(do) }) }

// call runs a function and keeps what it panics with.
func (g *guard) call(do func()) {
	defer func() {
		if cause := recover(); cause != nil {
			err := fmt.Errorf("%v\n%s", cause, debug.Stack())
			g.cause.Store(&err)
		}
	}()
	do()
}

// Wait waits for all goroutines, and panics if one did.
func (g *guard) Wait() {
	g.group.Wait()
	if cause := g.cause.Load(); cause != nil {
		panic(*cause)
	}
}
