//go:build unix

package vm_test

import (
	"syscall"
	"time"
)

// processTime is the processor time that this process has used, all threads together: what other processes take away
// does not count.
func processTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
