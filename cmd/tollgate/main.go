// Command tollgate runs PTX kernels on simulated multi-card machines and says where every cycle went.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
