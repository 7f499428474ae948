package vm

import "fmt"

// What CUDA allows along each axis of a grid and of a CTA, in a cluster and a thread (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability"; more than 8 CTAs in a cluster is the non-portable size).
var (
	mostCTAs    = [3]int{1<<31 - 1, 1<<16 - 1, 1<<16 - 1}
	mostThreads = [3]int{1024, 1024, 64}
)

const (
	mostCTAsInCluster = 16
	mostLocal         = 512 << 10 // bytes of local memory a thread
)

// checkCluster says what is wrong with a launch's cluster, "" if nothing (PTX ISA, "Cluster Dimension Directives").
func checkCluster(l *Launch) string {
	limits := &l.Entry.Limits
	shape, required := l.Cluster, limits.ReqNCTAPerCluster
	if shape == [3]int{} {
		shape = required
	}
	if shape == [3]int{} {
		if limits.ExplicitCluster {
			return "no cluster is given; .explicitcluster wants one"
		}
		return ""
	}
	ctas := 1
	for i, axis := range "xyz" {
		size := max(1, shape[i])
		if required != [3]int{} && size != max(1, required[i]) {
			return fmt.Sprintf("a cluster of %d CTAs along %c; .reqnctapercluster wants %d", size, axis, max(1, required[i]))
		}
		if l.Grid[i]%size != 0 {
			return fmt.Sprintf("a grid of %d CTAs along %c is not a multiple of the cluster's %d", l.Grid[i], axis, size)
		}
		if ctas *= min(size, mostCTAsInCluster+1); ctas > mostCTAsInCluster {
			return fmt.Sprintf("a cluster of more than %d CTAs; CUDA allows no larger one", mostCTAsInCluster)
		}
	}
	if most := limits.MaxClusterRank; most > 0 && ctas > most {
		return fmt.Sprintf("a cluster of %d CTAs; .maxclusterrank allows %d", ctas, most)
	}
	return ""
}
