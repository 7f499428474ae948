package host

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tollgate-sim/tollgate/isa"
)

// inputs are a launch's arguments, in the order of the entry's parameters, and the buffers they need.
type inputs struct {
	arguments []argument
	buffers   []*bufferSpec
	byName    map[string]*bufferSpec
}

// readFlags reads the texts of --arg and --buffer for an entry. The error is a *FlagError or *MissingArguments.
func readFlags(m *isa.Module, entry *isa.Func, args, buffers []string, cards int) (*inputs, error) {
	in := &inputs{arguments: make([]argument, len(entry.Params)), byName: map[string]*bufferSpec{}}
	values := make([]*flagValue, len(entry.Params))
	for _, text := range args {
		v, index, err := splitArgument(entry, text)
		if err != nil {
			return nil, err
		}
		if values[index] != nil {
			return nil, &FlagError{Flag: "--arg", Text: text, Msg: v.name + " is given twice"}
		}
		v.cards = cards
		if err := v.parse(); err != nil {
			return nil, err
		}
		values[index] = v
		in.arguments[index] = v.argument
	}
	missing := &MissingArguments{Module: m, Entry: entry, Given: args}
	for i, p := range entry.Params {
		if values[i] == nil {
			missing.Absent = append(missing.Absent, p)
		} else if values[i].buffer != nil {
			in.add(values[i].buffer)
		}
	}
	if len(missing.Absent) > 0 {
		return nil, missing
	}
	for _, text := range buffers {
		v, err := splitBuffer(text)
		if err != nil {
			return nil, err
		}
		v.cards = cards
		if in.byName[v.name] != nil {
			return nil, &FlagError{Flag: "--buffer", Text: text, Msg: v.name + " is given twice"}
		}
		if err := v.parse(); err != nil {
			return nil, err
		}
		in.add(v.buffer)
	}
	for i, a := range in.arguments {
		if err := a.check(values[i].size, in.byName, cards); err != nil {
			msg, hint := asUnknown(err)
			return nil, values[i].fail(0, hint, "%s", msg)
		}
	}
	return in, nil
}

func (in *inputs) add(b *bufferSpec) {
	in.buffers = append(in.buffers, b)
	in.byName[b.name] = b
}

// splitArgument finds the parameter of NAME=VALUE. NAME may be the parameter's position, from 0.
func splitArgument(entry *isa.Func, text string) (*flagValue, int, error) {
	name, _, found := strings.Cut(text, "=")
	if !found || name == "" {
		return nil, 0, &FlagError{Flag: "--arg", Text: text, Msg: "this is not NAME=VALUE"}
	}
	names := make([]string, len(entry.Params))
	for i, p := range entry.Params {
		names[i] = paramName(p)
	}
	index := -1
	for i := range names {
		if names[i] == shortName(entry, strings.TrimPrefix(name, "%")) {
			index = i
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 0 && n < len(names) {
		index = n
	}
	if index < 0 {
		if len(names) == 0 {
			return nil, 0, &FlagError{Flag: "--arg", Text: text, Msg: "entry " + entry.Name + " has no parameters"}
		}
		return nil, 0, &FlagError{Flag: "--arg", Text: text, Hint: nearestHint(name, names),
			Msg: "entry " + entry.Name + " has no parameter " + name}
	}
	p := entry.Params[index]
	return &flagValue{flag: "--arg", text: text, at: len(name) + 1, param: p, name: names[index], size: paramSize(p)}, index, nil
}

// splitBuffer reads the NAME of --buffer NAME=VALUE.
func splitBuffer(text string) (*flagValue, error) {
	name, _, found := strings.Cut(text, "=")
	if !found || name == "" || leadingWord(name) != name {
		return nil, &FlagError{Flag: "--buffer", Text: text, Msg: "this is not NAME=VALUE", Hint: "--buffer flags=u32[64]:zeros"}
	}
	return &flagValue{flag: "--buffer", text: text, at: len(name) + 1, name: name}, nil
}

// dump is one --dump NAME=FILE.
type dump struct {
	buffer *bufferSpec
	file   string // with %d: once a card
}

func readDump(text string, byName map[string]*bufferSpec) (dump, error) {
	name, file, found := strings.Cut(text, "=")
	if !found || name == "" || file == "" {
		return dump{}, &FlagError{Flag: "--dump", Text: text, Msg: "this is not NAME=FILE", Hint: "--dump out=out.bin, or out=out-%d.bin for a file a card"}
	}
	b, err := lookupBuffer(name, byName)
	if err != nil {
		msg, hint := asUnknown(err)
		return dump{}, &FlagError{Flag: "--dump", Text: text, Msg: msg, Hint: hint}
	}
	if msg := unwritable(file); msg != "" {
		return dump{}, &FlagError{Flag: "--dump", Text: text, Offset: len(name) + 1, Msg: msg}
	}
	return dump{buffer: b, file: file}, nil
}

// unwritable says why a file can't be written, as far as that can be known before a run; "" if it can.
func unwritable(file string) string {
	file = strings.ReplaceAll(file, "%d", "0")
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return file + " is a folder"
	}
	folder := filepath.Dir(file)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return "there is no folder " + folder
	}
	return ""
}

// window is one --print NAME[from:to]: elements of a buffer, read as a type.
type window struct {
	buffer   *bufferSpec
	dtype    Dtype
	from, to int64
}

// defaultWindow is how many elements --print NAME shows.
const defaultWindow = 8

// readWindow reads NAME, NAME[i], NAME[i:j], NAME[:j], NAME[i:], each with an optional :dtype behind.
func readWindow(text string, byName map[string]*bufferSpec) (window, error) {
	fail := func(offset int, hint, msg string) (window, error) {
		return window{}, &FlagError{Flag: "--print", Text: text, Offset: offset, Msg: msg, Hint: hint}
	}
	name := leadingWord(text)
	b, err := lookupBuffer(name, byName)
	if err != nil {
		msg, hint := asUnknown(err)
		return fail(0, hint, msg)
	}
	w := window{buffer: b, dtype: b.dtype}
	body, tail := text[len(name):], ""
	if strings.HasPrefix(body, "[") {
		end := strings.IndexByte(body, ']')
		if end < 0 {
			return fail(len(text), name+"[0:8]", "the ] is missing")
		}
		body, tail = body[1:end], body[end+1:]
	} else {
		body, tail = "", body
	}
	if tail != "" {
		word, found := strings.CutPrefix(tail, ":")
		d, known := LookupDtype(word)
		if !found || !known {
			return fail(len(text)-len(tail), name+"[0:8] or "+name+"[0:8]:f32", "unexpected "+strconv.Quote(tail))
		}
		w.dtype = d
	}
	count := b.bytes / int64(w.dtype.Bytes())
	if w.from, w.to, err = bounds(body, count); err != nil {
		return fail(len(name)+1, name+"[0:8]", err.Error())
	}
	return w, nil
}

// bounds reads what stands between the brackets of a window over count elements.
func bounds(text string, count int64) (from, to int64, err error) {
	if text == "" {
		return 0, min(count, defaultWindow), nil
	}
	first, second, ranged := strings.Cut(text, ":")
	if first != "" {
		if from, err = strconv.ParseInt(first, 0, 64); err != nil {
			return 0, 0, &windowError{strconv.Quote(first) + " is no index"}
		}
	}
	to = from + 1
	switch {
	case ranged && second == "":
		to = count
	case ranged:
		if to, err = strconv.ParseInt(second, 0, 64); err != nil {
			return 0, 0, &windowError{strconv.Quote(second) + " is no index"}
		}
	}
	if from < 0 || to > count || from >= to {
		return 0, 0, &windowError{"the buffer has elements 0 to " + strconv.FormatInt(count-1, 10)}
	}
	return from, to, nil
}

type windowError struct{ msg string }

func (e *windowError) Error() string { return e.msg }
