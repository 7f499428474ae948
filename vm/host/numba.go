package host

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// numba passes an array of n dimensions as 5 + 2n parameters: meminfo, parent, number of items, bytes an item, data,
// shape, strides in bytes. Which parameters belong together, the mangled name of the entry says: it ends with the
// types of the arguments.

// numbaArgument is one argument of a numba kernel, with the parameters that it takes from first on.
type numbaArgument struct {
	array      bool
	dims       int
	itemBytes  int
	fortran    bool
	first      int
	parameters int
}

// The positions of an array's parameters from its first one on.
const (
	numbaMeminfo = iota
	numbaParent
	numbaItems
	numbaItemBytes
	numbaData
	numbaShape // and behind the shape the strides
)

// numbaTypes are the sizes of the types that the mangled name spells with one letter or by name.
var numbaTypes = map[string]int{
	"b": 1, "a": 1, "h": 1, "s": 2, "t": 2, "i": 4, "j": 4, "l": 8, "m": 8, "x": 8, "y": 8, "f": 4, "d": 8,
	"float16": 2, "complex64": 8, "complex128": 16, "bool": 1,
}

// numbaArguments reads the arguments off an entry's name; nil where the name says something that isn't known here, or
// not as many parameters as there are.
func numbaArguments(entry *isa.Func) []numbaArgument {
	rest, ok := strings.CutPrefix(entry.Name, "_ZN")
	if !ok {
		return nil
	}
	for rest != "" && rest[0] != 'E' { // the name, part by part, with its tags
		rest = strings.TrimPrefix(rest, "B")
		if _, rest, ok = mangledName(rest); !ok {
			return nil
		}
	}
	rest = strings.TrimPrefix(rest, "E")
	var list []numbaArgument
	next := 0
	for rest != "" {
		var a numbaArgument
		if a, rest, ok = numbaType(rest); !ok {
			return nil
		}
		a.first = next
		next += a.parameters
		list = append(list, a)
	}
	if next != len(entry.Params) {
		return nil
	}
	return list
}

// mangledName takes a length and so many letters off the front.
func mangledName(text string) (name, rest string, ok bool) {
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(text[:digits])
	if err != nil || n <= 0 || n > len(text)-digits {
		return "", "", false
	}
	return text[digits : digits+n], text[digits+n:], true
}

// mangledType takes a type of one letter or a name off the front.
func mangledType(text string) (name, rest string, ok bool) {
	if text == "" {
		return "", "", false
	}
	if _, letter := numbaTypes[text[:1]]; letter {
		return text[:1], text[1:], true
	}
	return mangledName(text)
}

// numbaType takes one argument's type off the front: a scalar, or Array<item, dimensions, layout, …>.
func numbaType(text string) (a numbaArgument, rest string, ok bool) {
	name, rest, ok := mangledType(text)
	if !ok {
		return a, "", false
	}
	if name != "Array" {
		_, known := numbaTypes[name]
		a.parameters = 1
		if strings.HasPrefix(name, "complex") {
			a.parameters = 2
		}
		return a, rest, known
	}
	if rest, ok = strings.CutPrefix(rest, "I"); !ok {
		return a, "", false
	}
	item, rest, ok := mangledType(rest)
	if !ok {
		return a, "", false
	}
	if a.itemBytes, ok = numbaTypes[item]; !ok {
		return a, "", false
	}
	dims, rest, ok := strings.Cut(strings.TrimPrefix(rest, "Li"), "E")
	if a.dims, _ = strconv.Atoi(dims); !ok || a.dims < 1 || a.dims > 16 {
		return a, "", false
	}
	layout, rest, ok := mangledName(rest)
	for ok && rest != "" && rest[0] != 'E' { // mutable or not, aligned or not
		_, rest, ok = mangledName(rest)
	}
	if !ok || rest == "" {
		return a, "", false
	}
	a.array, a.fortran, a.parameters = true, layout == "F", numbaShape+2*a.dims
	return a, rest[1:], true
}

// numbaHidden fills in what follows from an array's data: for one dimension everything, for more all but the shape.
func numbaHidden(l *launch) {
	for _, a := range numbaArguments(l.entry) {
		if !a.array {
			continue
		}
		data := l.values[a.first+numbaData]
		if data == nil {
			continue // the array itself is missing: the message says so
		}
		var parts []string
		set := func(parameter int, what string, value int64) {
			if l.fill(a.first+parameter, fmt.Sprint(value)) {
				parts = append(parts, fmt.Sprintf("%s %d", what, value))
			}
		}
		l.fill(a.first+numbaMeminfo, "0")
		l.fill(a.first+numbaParent, "0")
		set(numbaItemBytes, "bytes an item", int64(a.itemBytes))
		if a.dims == 1 && data.buffer != nil {
			set(numbaShape, "shape", data.buffer.bytes/int64(a.itemBytes))
		}
		if shape, ok := a.shape(l); ok {
			items := int64(1)
			for _, n := range shape {
				items *= n
			}
			set(numbaItems, "items", items)
			stride := int64(a.itemBytes)
			for k := range shape {
				d := len(shape) - 1 - k
				if a.fortran {
					d = k
				}
				set(numbaShape+a.dims+d, "stride", stride)
				stride *= shape[d]
			}
		}
		if parts != nil {
			l.why = append(l.why, fmt.Sprintf("the array at %s: %s; meminfo and parent 0", paramName(l.entry.Params[a.first+numbaData]), strings.Join(parts, ", ")))
		}
	}
}

// shape is the shape given, if all of it is and in plain numbers.
func (a *numbaArgument) shape(l *launch) (shape []int64, ok bool) {
	for d := range a.dims {
		v := l.values[a.first+numbaShape+d]
		if v == nil {
			return nil, false
		}
		n, err := strconv.ParseInt(v.text[v.at:], 0, 64)
		if err != nil || n < 0 || n > maxBufferBytes {
			return nil, false
		}
		shape = append(shape, n)
	}
	return shape, true
}

func numbaRoles(entry *isa.Func) map[*isa.Var]role {
	roles := map[*isa.Var]role{}
	for i, a := range numbaArguments(entry) {
		if !a.array {
			continue
		}
		at := func(parameter int, auto bool, format string, args ...any) {
			roles[entry.Params[a.first+parameter]] = role{fmt.Sprintf("argument %d: ", i) + fmt.Sprintf(format, args...), auto, ""}
		}
		at(numbaMeminfo, true, "meminfo, 0")
		at(numbaParent, true, "parent, 0")
		at(numbaItems, true, "items")
		at(numbaItemBytes, true, "bytes an item, %d", a.itemBytes)
		at(numbaData, false, "an array's data")
		for d := range a.dims {
			at(numbaShape+d, a.dims == 1, "shape[%d]", d)
			at(numbaShape+a.dims+d, true, "stride[%d] in bytes", d)
		}
	}
	return roles
}
