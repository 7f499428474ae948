package host

import (
	"errors"
	"fmt"
	"slices"
)

// device is a buffer on the node as arguments see it: *vm.Buffer.
type device interface {
	Addr(card int) uint64
	Multicast() uint64
}

// binding is what arguments are worked out against: the cards and the buffers that exist by now.
type binding struct {
	cards   int
	buffers map[string]device
	tables  map[string]device // a buffer's peer table: u64[cards], the same on every card
	objects map[*textureArgument]uint64
}

// argument is the value of one entry parameter, or of one field of a struct.
type argument interface {
	// check says why the argument can't fill a parameter of so many bytes, given the buffers by name.
	check(size int, buffers map[string]*bufferSpec, cards int) error
	// put writes the parameter's bytes for a launch on the card. dst has the size that check accepted.
	put(b *binding, card int, dst []byte)
	// tables lists the buffers whose table of peers is needed.
	tables() []string
}

// bufferSpec is a buffer to make: symmetric over the cards.
type bufferSpec struct {
	name  string
	dtype Dtype
	bytes int64
	init  func(card int, dst []byte) // nil: never written
}

// count is the number of elements.
func (b *bufferSpec) count() int64 { return b.bytes / int64(b.dtype.Bytes()) }

// bytesArgument is a value that needs no buffer: a number, hex bytes, a file. One slice, or one a card.
type bytesArgument struct{ perCard [][]byte }

func (a bytesArgument) check(size int, _ map[string]*bufferSpec, cards int) error {
	if len(a.perCard) > 1 && len(a.perCard) != cards {
		return fmt.Errorf("%d values for %d cards", len(a.perCard), cards)
	}
	for _, data := range a.perCard {
		if len(data) != size {
			return fmt.Errorf("the parameter has %d bytes, the value %d", size, len(data))
		}
	}
	return nil
}

func (a bytesArgument) put(_ *binding, card int, dst []byte) {
	copy(dst, a.perCard[min(card, len(a.perCard)-1)])
}

func (a bytesArgument) tables() []string { return nil }

// bufferArgument is an address within a buffer.
type bufferArgument struct {
	name     string
	card     int  // with relative unset: that card; with it: so many cards further, modulo their number
	relative bool // relative with card 0 is the launching card
	offset   int64
}

func (a bufferArgument) check(size int, buffers map[string]*bufferSpec, cards int) error {
	if !a.relative && (a.card < 0 || a.card >= cards) {
		return fmt.Errorf("there is no card %d: the node has cards 0 to %d", a.card, cards-1)
	}
	if err := pointerSize(size); err != nil {
		return err
	}
	_, err := lookupBuffer(a.name, buffers)
	return err
}

func (a bufferArgument) put(b *binding, card int, dst []byte) {
	on := a.card
	if a.relative {
		on = ((card+a.card)%b.cards + b.cards) % b.cards
	}
	putBytes(dst, b.buffers[a.name].Addr(on)+uint64(a.offset))
}

func (a bufferArgument) tables() []string { return nil }

// peerTableArgument is the address of a table u64[cards] in the launching card's memory: a buffer's addresses.
type peerTableArgument struct{ name string }

func (a peerTableArgument) check(size int, buffers map[string]*bufferSpec, _ int) error {
	if err := pointerSize(size); err != nil {
		return err
	}
	_, err := lookupBuffer(a.name, buffers)
	return err
}

func (a peerTableArgument) put(b *binding, card int, dst []byte) {
	putBytes(dst, b.tables[a.name].Addr(card))
}

func (a peerTableArgument) tables() []string { return []string{a.name} }

// peerArrayArgument is a by-value array of a buffer's addresses on card 0, 1, …, zero beyond the last card.
type peerArrayArgument struct {
	name  string
	slots int // 0: as many as the parameter has
}

func (a peerArrayArgument) check(size int, buffers map[string]*bufferSpec, cards int) error {
	if size%8 != 0 || a.slots != 0 && size != 8*a.slots {
		return fmt.Errorf("the parameter has %d bytes, an array of addresses 8 each", size)
	}
	if size/8 < cards {
		return fmt.Errorf("the parameter's %d bytes don't hold the addresses of %d cards", size, cards)
	}
	_, err := lookupBuffer(a.name, buffers)
	return err
}

func (a peerArrayArgument) put(b *binding, _ int, dst []byte) {
	clear(dst)
	for c := range b.cards {
		putBytes(dst[8*c:8*c+8], b.buffers[a.name].Addr(c))
	}
}

func (a peerArrayArgument) tables() []string { return nil }

// multicastArgument is a buffer's address for multimem instructions, which stands for all cards.
type multicastArgument struct{ name string }

func (a multicastArgument) check(size int, buffers map[string]*bufferSpec, _ int) error {
	if err := pointerSize(size); err != nil {
		return err
	}
	_, err := lookupBuffer(a.name, buffers)
	return err
}

func (a multicastArgument) put(b *binding, _ int, dst []byte) {
	putBytes(dst, b.buffers[a.name].Multicast())
}

func (a multicastArgument) tables() []string { return nil }

// cardArgument is the index of the launching card (rank), or the number of cards.
type cardArgument struct {
	number bool  // the number of cards
	dtype  Dtype // as the case file spells it
	typed  bool  // dtype is set; else any size will do
}

func (a cardArgument) check(size int, _ map[string]*bufferSpec, _ int) error {
	if a.typed && size != a.dtype.Bytes() {
		return fmt.Errorf("the parameter has %d bytes, a %s %d", size, a.dtype, a.dtype.Bytes())
	}
	if size > 8 {
		return fmt.Errorf("the parameter has %d bytes and takes no single number", size)
	}
	return nil
}

func (a cardArgument) put(b *binding, card int, dst []byte) {
	value := card
	if a.number {
		value = b.cards
	}
	bits := uint64(value)
	if a.typed && a.dtype.Float() {
		bits = a.dtype.Round(float64(value))
	}
	putBytes(dst, bits)
}

func (a cardArgument) tables() []string { return nil }

// structArgument is a by-value struct; bytes that no field names are zero.
type structArgument struct {
	size   int
	fields []structField
}

type structField struct {
	offset int
	size   int
	value  argument
}

func (a structArgument) check(size int, buffers map[string]*bufferSpec, cards int) error {
	if size != a.size {
		return fmt.Errorf("the parameter has %d bytes, the struct %d", size, a.size)
	}
	for _, f := range a.fields {
		if f.offset < 0 || f.offset > size-f.size {
			return fmt.Errorf("the field at offset %d has %d bytes and ends outside the struct's %d", f.offset, f.size, size)
		}
		if err := f.value.check(f.size, buffers, cards); err != nil {
			return fmt.Errorf("field at offset %d: %w", f.offset, err)
		}
	}
	return nil
}

func (a structArgument) put(b *binding, card int, dst []byte) {
	clear(dst)
	for _, f := range a.fields {
		f.value.put(b, card, dst[f.offset:f.offset+f.size])
	}
}

func (a structArgument) tables() []string {
	var names []string
	for _, f := range a.fields {
		names = append(names, f.value.tables()...)
	}
	return names
}

// foreignArgument is one that the case format knows and this version can't make: tensor maps.
type foreignArgument struct{ what string }

func (a foreignArgument) check(int, map[string]*bufferSpec, int) error {
	return &UnsupportedError{What: a.what + " argument"}
}
func (a foreignArgument) put(*binding, int, []byte) {}
func (a foreignArgument) tables() []string          { return nil }

// UnsupportedError is something that an input asks for and this version can't do yet.
type UnsupportedError struct{ What string }

// Error returns "unsupported: …".
func (e *UnsupportedError) Error() string { return "unsupported: " + e.What }

func pointerSize(size int) error {
	if size != 8 {
		return fmt.Errorf("the parameter has %d bytes, an address 8", size)
	}
	return nil
}

func lookupBuffer(name string, buffers map[string]*bufferSpec) (*bufferSpec, error) {
	if b, ok := buffers[name]; ok {
		return b, nil
	}
	names := make([]string, 0, len(buffers))
	for known := range buffers {
		names = append(names, known)
	}
	slices.Sort(names)
	return nil, &unknownName{kind: "buffer", name: name, known: names}
}

// unknownName is a name that nothing has, with the nearest that something does.
type unknownName struct {
	kind, name string
	known      []string
}

func (e *unknownName) Error() string {
	s := fmt.Sprintf("there is no %s named %s", e.kind, e.name)
	if hint := e.hint(); hint != "" {
		s += "; " + hint
	}
	return s
}

func (e *unknownName) hint() string { return nearestHint(e.name, e.known) }

// asUnknown splits an unknown name off an error, so that the hint can stand on a line of its own.
func asUnknown(err error) (msg, hint string) {
	var unknown *unknownName
	if errors.As(err, &unknown) {
		return fmt.Sprintf("there is no %s named %s", unknown.kind, unknown.name), unknown.hint()
	}
	return err.Error(), ""
}

// sortedKeys lists a map's keys in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
