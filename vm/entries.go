package vm

import "github.com/tollgate-sim/tollgate/vm/internal/ledger"

// NumEntries is the number of ledger entries.
const NumEntries = ledger.NumEntries

// String returns the entry's name as in the tables: issue, tc_blocked.copy, skew.
func (e Entry) String() string { return ledger.Entry(e).String() }

// Group returns the group that the report prints the entry under: local, copy, skew, interruption, contention or host.
func (e Entry) Group() string { return ledger.Entry(e).Group().String() }

// Groups are the groups in the order of the report's columns.
func Groups() []string { return ledger.GroupNames() }

// Blocked reports whether the entry is a part of tc_blocked.
func (e Entry) Blocked() bool { return ledger.Entry(e).Blocked() }

// Meaning returns one line that says what the entry stands for.
func (e Entry) Meaning() string { return ledger.Entry(e).Meaning() }
