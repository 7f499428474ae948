package host

import (
	"encoding/hex"
	"io/fs"

	"github.com/tollgate-sim/tollgate/isa"
)

// expectation is what a buffer must hold at the end.
type expectation struct {
	buffer *bufferSpec
	pos    isa.Pos
	cards  []int // never empty
	same   bool  // the expected bytes are one copy that every card must equal

	file   string // the expected bytes; read when the case runs
	values []byte
	sha256 string // of the expected bytes
	tolerance
	sorted bool // compare as sorted numbers, card by card
}

// tolerance says how near is near enough.
type tolerance struct {
	kind     string // exact, exact_nan, or "" for abs and rel
	abs, rel float64
}

// expectedFault is how the launch must fail.
type expectedFault struct {
	kind  string // trap, assert, deadlock, misaligned, fault
	cards []int  // on one of these; nil: any
}

// expectedStdout is the device printf output.
type expectedStdout struct {
	exact bool // in this order
	lines []string
}

// readExpectations reads "expect", "expect_fault" and "expect_stdout".
func (c *Case) readExpectations(o *object) {
	if n := o.get("expect"); n != nil {
		if all, ok := o.r.object(n, `"expect"`); ok {
			for _, k := range n.keys {
				spec, err := lookupBuffer(k.name, c.byName)
				e, ok := o.r.object(all.get(k.name), "an expectation")
				if err != nil {
					msg, hint := asUnknown(err)
					o.r.report(all.get(k.name), hint, "%s", msg)
				} else if ok {
					c.expect = append(c.expect, c.readExpectation(e, spec))
				}
			}
		}
	}
	if n := o.get("expect_fault"); n != nil {
		if f, ok := o.r.object(n, `"expect_fault"`); ok {
			f.need("kind")
			c.fault = &expectedFault{kind: f.word("kind", "fault", "trap", "assert", "deadlock", "misaligned"), cards: c.readCards(f, "cards")}
			f.done()
		}
	}
	if n := o.get("expect_stdout"); n != nil {
		if s, ok := o.r.object(n, `"expect_stdout"`); ok {
			c.stdout = &expectedStdout{exact: s.word("order", "exact", "any") == "exact"}
			s.need("lines")
			for _, line := range s.list("lines") {
				if o.r.is(line, 's', "a line") {
					c.stdout.lines = append(c.stdout.lines, line.text)
				}
			}
			s.done()
		}
	}
}

func (c *Case) readExpectation(o *object, spec *bufferSpec) expectation {
	e := expectation{buffer: spec, pos: o.value.pos, cards: c.readCards(o, "cards"), same: o.truth("same"), file: o.text("file"), sha256: o.text("sha256")}
	if len(e.cards) == 0 {
		for card := range c.Cards {
			e.cards = append(e.cards, card)
		}
	}
	if spec.bytes == 0 { // a mistake in the buffer
		return e
	}
	total := spec.bytes
	if !e.same {
		total *= int64(len(e.cards))
	}
	values := o.get("values")
	given := 0
	for _, present := range []bool{e.file != "", values != nil, e.sha256 != ""} {
		if present {
			given++
		}
	}
	if given != 1 {
		o.r.report(o.value, "", `an expectation has one of "file", "values" and "sha256"`)
	}
	if e.file != "" {
		if info, err := fs.Stat(c.files, e.file); err != nil {
			o.r.report(o.value.members["file"], "", "%v", err)
		} else if info.Size() != total {
			o.r.report(o.value.members["file"], "", "%s has %d bytes, the cards %d", e.file, info.Size(), total)
		}
	}
	if values != nil && o.r.is(values, '[', `"values"`) {
		if int64(len(values.items))*int64(spec.dtype.Bytes()) != total {
			o.r.report(values, "", "%d values for %d elements", len(values.items), total/int64(spec.dtype.Bytes()))
		} else {
			e.values = make([]byte, total)
			for i, n := range values.items {
				spec.dtype.put(e.values, int64(i), spec.dtype.to(o.r.number(n, "an element")))
			}
		}
	}
	c.readSum(o, &e, total)
	e.tolerance = readTolerance(o)
	e.sorted = o.word("compare", "", "sorted") == "sorted"
	if e.sha256 != "" && (e.kind != "exact" || e.sorted) {
		o.r.report(o.value, "", `"sha256" compares bytes: the tolerance is "exact"`)
	}
	o.done()
	return e
}

// readSum checks "sha256" and "bytes".
func (c *Case) readSum(o *object, e *expectation, total int64) {
	if n := o.get("bytes"); n != nil {
		if bytes := o.r.integer(n, `"bytes"`, 0); bytes != total {
			o.r.report(n, "", "%d bytes expected of cards that hold %d", bytes, total)
		}
	}
	if sum, err := hex.DecodeString(e.sha256); e.sha256 != "" && (err != nil || len(sum) != 32) {
		o.r.report(o.value.members["sha256"], "", `"sha256" is 64 hex digits`)
	}
}

// readTolerance reads "exact", "exact_nan" or {"abs", "rel"}; absent: exact.
func readTolerance(o *object) tolerance {
	n := o.get("tolerance")
	if n == nil {
		return tolerance{kind: "exact"}
	}
	if n.kind == '{' {
		t, _ := o.r.object(n, `"tolerance"`)
		got := tolerance{abs: t.number("abs", 0).real, rel: t.number("rel", 0).real}
		t.done()
		if got.abs < 0 || got.rel < 0 {
			o.r.report(n, "", "a tolerance is not negative")
		}
		return got
	}
	return tolerance{kind: o.word("tolerance", "exact", "exact_nan")}
}
