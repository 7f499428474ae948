# Targets: build, test (everything that must hold), check (without running the tests), bench, fuzz, divergence.
GO          ?= go
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME    ?= 30s

.PHONY: build test check bench fuzz divergence

build:
	$(GO) build -o bin/tollgate ./cmd/tollgate

test: check
	$(GO) test ./...

check:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt these:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

# Every fuzz target of every package in turn, FUZZTIME each.
fuzz:
	@set -e; for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5s $$package; \
		done; \
	done

# Active lanes against an ideal schedule in every PTX file of the corpus; the tests measure each case's main one.
divergence:
	$(GO) test ./vm -run TestDivergence -variants -v
