package exec_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tollgate-sim/tollgate/isa"
	"github.com/tollgate-sim/tollgate/parser"
	"github.com/tollgate-sim/tollgate/vm/internal/exec"
	"github.com/tollgate-sim/tollgate/vm/internal/functional"
	"github.com/tollgate-sim/tollgate/vm/internal/memory"
	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// Every file in testdata is a kernel and, in comments that start with `//:`, how it is run and what must come out:
//
//	//: cards 2                                      1 if not given
//	//: buffer NAME COUNT [VALUES]                   u32 elements on every card; without values never written
//	//: launch ENTRY grid=1 block=32 shared=0 args=NAME,NAME@CARD,NUMBER [cards=0,1]
//	//: want NAME[@CARD] VALUES                      on all cards if none is named
//	//: fault KIND TEXT                              the run must end so, its message with its hint containing TEXT
//	//: stdout TEXT                                  a line of what device code prints
//	//: uninit COUNT|error                           bytes read before they were written, over all cards; or the mode
//
// VALUES are numbers, `N*V` for N times V, `A..B` for a run, and stand for zeros where they end early.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".ptx"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			newScript(t, filepath.Base(file), string(text)).run(runNode)
		})
	}
}

// script is one test kernel with its directives.
type script struct {
	t        *testing.T
	module   *isa.Module
	cards    int
	uninit   state.UninitMode
	node     *state.Node
	buffers  map[string][]uint64 // address on each card
	counts   map[string]int
	lines    [][]string
	stdout   strings.Builder
	printed  string // what should be
	launches int
}

func newScript(t *testing.T, name, text string) *script {
	t.Helper()
	module, diagnostics := parser.Parse(name, text, parser.Options{})
	if module == nil {
		var out strings.Builder
		_ = diagnostics.Write(&out, 10)
		t.Fatalf("does not parse:\n%s", out.String())
	}
	s := &script{t: t, module: module, cards: 1, buffers: map[string][]uint64{}, counts: map[string]int{}}
	for _, line := range strings.Split(text, "\n") {
		directive, ok := strings.CutPrefix(line, "//:")
		if !ok {
			continue
		}
		words := strings.Fields(directive)
		switch words[0] {
		case "cards":
			s.cards = s.number(words[1])
		case "stdout":
			s.printed += strings.TrimPrefix(strings.TrimPrefix(directive, " stdout"), " ") + "\n"
		case "uninit":
			if words[1] == "error" {
				s.uninit = state.UninitError
			}
		}
		s.lines = append(s.lines, words)
	}
	s.node = &state.Node{ClockMHz: 1000, SMs: 2, WarpsPerSM: 64}
	for i := range s.cards {
		s.node.Cards = append(s.node.Cards, &state.Card{Index: i, Node: s.node, Memory: memory.NewCard(i), Direct: true, Uninit: s.uninit, Stdout: &s.stdout})
	}
	return s
}

func (s *script) number(word string) int {
	s.t.Helper()
	n, err := strconv.ParseInt(word, 0, 64)
	if err != nil {
		s.t.Fatalf("not a number: %q", word)
	}
	return int(n)
}

// values expands VALUES.
func (s *script) values(words []string, count int) []uint32 {
	s.t.Helper()
	var list []uint32
	for _, w := range words {
		if n, v, ok := strings.Cut(w, "*"); ok {
			for range s.number(n) {
				list = append(list, uint32(s.number(v)))
			}
		} else if a, b, ok := strings.Cut(w, ".."); ok {
			for v := s.number(a); v <= s.number(b); v++ {
				list = append(list, uint32(v))
			}
		} else {
			list = append(list, uint32(s.number(w)))
		}
	}
	if len(list) > count {
		s.t.Fatalf("%d values for %d elements", len(list), count)
	}
	return append(list, make([]uint32, count-len(list))...)
}

// run executes the launches, each card's in order, with an engine that starts from their queues.
func (s *script) run(engine func(s *script, queues [][]*state.Launch) *state.Fault) {
	for _, card := range s.node.Cards {
		if err := exec.LoadModule(card, s.module); err != nil {
			s.t.Fatal(err)
		}
	}
	queues := make([][]*state.Launch, s.cards)
	for _, words := range s.lines {
		switch words[0] {
		case "buffer":
			s.buffer(words[1], s.number(words[2]), words[3:])
		case "launch":
			s.launch(words[1], words[2:], queues)
		}
	}
	s.check(engine(s, queues))
}

// runNode is the engine of functional mode.
func runNode(s *script, queues [][]*state.Launch) *state.Fault {
	node := functional.NewNode(s.node)
	node.MaxInstructions = 50e6
	node.Finished = func(l *state.Launch) *state.Fault {
		queue := &queues[l.Card.Index]
		if *queue = (*queue)[1:]; len(*queue) > 0 {
			node.Start((*queue)[0])
		}
		return nil
	}
	for _, queue := range queues {
		if len(queue) > 0 {
			node.Start(queue[0])
		}
	}
	return node.Run()
}

func (s *script) buffer(name string, count int, values []string) {
	s.counts[name] = count
	for _, card := range s.node.Cards {
		addr, err := card.Memory.Alloc(name, uint64(4*count), 256, false)
		if err != nil {
			s.t.Fatal(err)
		}
		s.buffers[name] = append(s.buffers[name], addr)
		if len(values) == 0 {
			continue
		}
		var bytes []byte
		for _, v := range s.values(values, count) {
			bytes = binary.LittleEndian.AppendUint32(bytes, v)
		}
		if err := card.Memory.Write(addr, bytes); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *script) launch(entry string, options []string, queues [][]*state.Launch) {
	fn := s.module.EntryNamed(entry)
	if fn == nil {
		s.t.Fatalf("no entry %s", entry)
	}
	prog, err := exec.Decode(s.module, fn, exec.Env{})
	if err != nil {
		s.t.Fatal(err)
	}
	if prog.Unsupported != nil {
		s.t.Fatalf("unsupported: %s", prog.Unsupported.Op)
	}
	grid, block, shared, args, cards := 1, 32, 0, []string(nil), []int(nil)
	for _, o := range options {
		key, value, _ := strings.Cut(o, "=")
		switch key {
		case "grid":
			grid = s.number(value)
		case "block":
			block = s.number(value)
		case "shared":
			shared = s.number(value)
		case "args":
			args = strings.Split(value, ",")
		case "cards":
			for _, c := range strings.Split(value, ",") {
				cards = append(cards, s.number(c))
			}
		default:
			s.t.Fatalf("unknown option %s", o)
		}
	}
	if cards == nil {
		for i := range s.cards {
			cards = append(cards, i)
		}
	}
	s.launches++
	for _, card := range cards {
		params := make([]byte, prog.ParamBytes+8)
		for i, arg := range args {
			name, at, named := strings.Cut(arg, "@")
			value := uint64(0)
			if addresses, ok := s.buffers[name]; ok {
				owner := card
				if named {
					owner = s.number(at)
				}
				value = addresses[owner]
			} else {
				value = uint64(s.number(arg))
			}
			to := params[fn.Params[i].Offset:]
			if fn.Params[i].Type.Bytes() == 8 {
				binary.LittleEndian.PutUint64(to, value)
			} else {
				binary.LittleEndian.PutUint32(to, uint32(value))
			}
		}
		queues[card] = append(queues[card], &state.Launch{
			ID: s.launches, Name: entry, Prog: prog, Grid: [3]int{grid, 1, 1}, Block: [3]int{block, 1, 1},
			SharedDynamic: shared, Params: params[:prog.ParamBytes], Card: s.node.Cards[card],
		})
	}
}

func (s *script) check(fault *state.Fault) {
	wanted := false
	for _, words := range s.lines {
		switch words[0] {
		case "fault":
			wanted = true
			text := strings.Join(words[2:], " ")
			if fault == nil {
				s.t.Errorf("no fault, want %s: %s", words[1], text)
			} else if got := strings.ReplaceAll(fault.Error(), "\n", " "); string(fault.Kind) != words[1] || !strings.Contains(got, text) {
				s.t.Errorf("fault %s: %s\nwant  %s: %s", fault.Kind, got, words[1], text)
			}
		case "want":
			name, at, named := strings.Cut(words[1], "@")
			want := s.values(words[2:], s.counts[name])
			for i, card := range s.node.Cards {
				if named && strconv.Itoa(i) != at {
					continue
				}
				got, err := card.Memory.Bytes(s.buffers[name][i], uint64(4*len(want)))
				if err != nil {
					s.t.Fatal(err)
				}
				for k, w := range want {
					if g := binary.LittleEndian.Uint32(got[4*k:]); g != w {
						s.t.Errorf("card %d: %s[%d] = %d (0x%x), want %d (0x%x)", i, name, k, g, g, w, w)
						break
					}
				}
			}
		case "uninit":
			if s.uninit == state.UninitError {
				continue
			}
			total := uint64(0)
			for _, card := range s.node.Cards {
				total += card.Counts.UninitReads
			}
			if fmt.Sprint(total) != words[1] {
				s.t.Errorf("%d bytes read before they were written, want %s", total, words[1])
			}
		}
	}
	if got := s.stdout.String(); got != s.printed {
		s.t.Errorf("printed %q, want %q", got, s.printed)
	}
	if fault != nil && !wanted {
		s.t.Errorf("fault: %v", fault)
	}
}
