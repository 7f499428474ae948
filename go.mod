module github.com/tollgate-sim/tollgate

go 1.26
