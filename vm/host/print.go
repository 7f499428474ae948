package host

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Print is elements of a buffer, on cards that hold the same.
type Print struct {
	Name  string
	Dtype Dtype
	Cards []int
	From  int64
	Bits  []uint64
}

// String is one line: out[0:4] on cards 0-7: 1, 2, 3, 4.
func (p Print) String() string {
	return fmt.Sprintf("%s[%d:%d] on %s: %s", p.Name, p.From, p.From+int64(len(p.Bits)), cardList(p.Cards), strings.Join(p.Texts(), ", "))
}

// Texts are the elements as numbers.
func (p Print) Texts() []string {
	texts := make([]string, len(p.Bits))
	for i, bits := range p.Bits {
		texts[i] = p.Dtype.Text(bits)
	}
	return texts
}

// cardList prints ascending cards: card 3, cards 0-4,6.
func cardList(cards []int) string {
	var ranges []string
	for i := 0; i < len(cards); {
		j := i
		for j+1 < len(cards) && cards[j+1] == cards[j]+1 {
			j++
		}
		if j == i {
			ranges = append(ranges, strconv.Itoa(cards[i]))
		} else {
			ranges = append(ranges, fmt.Sprintf("%d-%d", cards[i], cards[j]))
		}
		i = j + 1
	}
	return choose(len(cards) == 1, "card ", "cards ") + strings.Join(ranges, ",")
}

// cardGroup is cards that hold the same bytes.
type cardGroup struct {
	cards []int
	data  []byte
}

// grouped reads a buffer on all cards and puts equal ones together, in the order of their first card.
func (s *session) grouped(spec *bufferSpec) ([]cardGroup, error) {
	var groups []cardGroup
	for card := range s.cards {
		data, err := s.read(spec, card)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(groups, func(g cardGroup) bool { return bytes.Equal(g.data, data) })
		if i < 0 {
			groups = append(groups, cardGroup{data: data})
			i = len(groups) - 1
		}
		groups[i].cards = append(groups[i].cards, card)
	}
	return groups, nil
}

// show reads a window; cards that hold the same in it are one Print.
func (s *session) show(w window) ([]Print, error) {
	n := int64(w.dtype.Bytes())
	var prints []Print
	for card := range s.cards {
		data, err := s.read(w.buffer, card)
		if err != nil {
			return nil, err
		}
		part := data[w.from*n : w.to*n]
		bits := make([]uint64, w.to-w.from)
		for i := range bits {
			bits[i] = w.dtype.get(part, int64(i))
		}
		i := slices.IndexFunc(prints, func(p Print) bool { return slices.Equal(p.Bits, bits) })
		if i < 0 {
			prints = append(prints, Print{Name: w.buffer.name, Dtype: w.dtype, From: w.from, Bits: bits})
			i = len(prints) - 1
		}
		prints[i].Cards = append(prints[i].Cards, card)
	}
	return prints, nil
}

// write writes a buffer into a file: every card's into one of its own where the name has %d, else one after the other.
func (s *session) write(d dump) error {
	perCard := strings.Contains(d.file, "%d")
	var all []byte
	for card := range s.cards {
		data, err := s.read(d.buffer, card)
		if err != nil {
			return err
		}
		if !perCard {
			all = append(all, data...)
			continue
		}
		if err := writeFile(strings.ReplaceAll(d.file, "%d", strconv.Itoa(card)), data); err != nil {
			return err
		}
	}
	if perCard {
		return nil
	}
	return writeFile(d.file, all)
}

func writeFile(name string, data []byte) error {
	err := os.WriteFile(name, data, 0o644)
	if cause := new(fs.PathError); errors.As(err, &cause) {
		return fmt.Errorf("%s: error: cannot write: %w", name, cause.Err)
	}
	return err
}

// summary is the line of results of a PTX file: the first elements of what the run changed.
func (s *session) summary() (string, error) {
	const buffers, elements = 3, 6
	var parts []string
	for _, spec := range s.specs {
		changed, err := s.changed(spec)
		if err != nil {
			return "", err
		}
		if !changed {
			continue
		}
		if len(parts) == buffers {
			parts = append(parts, "...")
			break
		}
		count := spec.count()
		prints, err := s.show(window{buffer: spec, dtype: spec.dtype, to: min(count, elements)})
		if err != nil {
			return "", err
		}
		text := fmt.Sprintf("%s = %s", spec.name, strings.Join(prints[0].Texts(), ", "))
		if count > elements {
			text += ", ..."
		}
		switch {
		case len(prints) > 1:
			text += fmt.Sprintf(" on %s, differs on others", cardList(prints[0].Cards))
		case s.cards > 1:
			text += " on all cards"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 && len(s.specs) > 0 {
		return "no buffer was changed", nil
	}
	return strings.Join(parts, "; "), nil
}

// changed reports whether some card's contents are no longer what they were made as; a buffer never written
// before counts as zeros.
func (s *session) changed(spec *bufferSpec) (bool, error) {
	was := make([]byte, spec.bytes)
	for card := range s.cards {
		clear(was)
		if spec.init != nil {
			spec.init(card, was)
		}
		is, err := s.read(spec, card)
		if err != nil || !bytes.Equal(was, is) {
			return true, err
		}
	}
	return false, nil
}

// tee writes to both, or to the first alone when there is no second.
func tee(first *bytes.Buffer, second io.Writer) io.Writer {
	if second == nil {
		return first
	}
	return io.MultiWriter(first, second)
}
