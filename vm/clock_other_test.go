//go:build !unix

package vm_test

import "time"

var started = time.Now()

// processTime stands in for the processor time that this process has used.
func processTime() time.Duration { return time.Since(started) }
