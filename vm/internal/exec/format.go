package exec

import (
	"math"
	"strconv"
	"strings"

	"github.com/tollgate-sim/tollgate/vm/internal/state"
)

// conversionSpec is one % of a printf format.
type conversionSpec struct {
	left, plus, space, alternate, zero bool
	width, precision                   int // precision -1: none
	long                               int // 8 for ll, l, z, t, j; 2 and 1 for h and hh
	verb                               byte
}

// maxField bounds widths and precisions, which device code computes.
const maxField = 1 << 16

// print formats like C's printf.
func (p *printer) print(format string) {
	for len(format) > 0 && p.signal == state.Next {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			p.out.WriteString(format)
			return
		}
		p.out.WriteString(format[:i])
		spec, rest, ok := p.parse(format[i+1:])
		if !ok {
			p.out.WriteString(format[i:]) // not a conversion: as it stands
			return
		}
		format = rest
		p.convert(&spec)
	}
}

// parse reads a conversion after its %.
func (p *printer) parse(s string) (spec conversionSpec, rest string, ok bool) {
	spec.precision, spec.long = -1, 4
	for len(s) > 0 {
		flag := map[byte]*bool{'-': &spec.left, '+': &spec.plus, ' ': &spec.space, '#': &spec.alternate, '0': &spec.zero}[s[0]]
		if flag == nil {
			break
		}
		*flag = true
		s = s[1:]
	}
	if spec.width, s = p.number(s); spec.width < 0 {
		spec.left, spec.width = true, -spec.width
	}
	if strings.HasPrefix(s, ".") {
		spec.precision, s = p.number(s[1:])
		spec.precision = max(spec.precision, -1)
	}
	for len(s) > 0 && strings.IndexByte("hljztqL", s[0]) >= 0 {
		switch {
		case s[0] != 'h':
			spec.long = 8
		case spec.long == 2:
			spec.long = 1
		default:
			spec.long = 2
		}
		s = s[1:]
	}
	if s == "" || strings.IndexByte("diuoxXcsfFeEgGaAp%", s[0]) < 0 {
		return spec, "", false
	}
	spec.verb = s[0]
	return spec, s[1:], true
}

// number reads digits, or * for an argument.
func (p *printer) number(s string) (int, string) {
	if strings.HasPrefix(s, "*") {
		n := int(int32(p.argument(4)))
		return max(-maxField, min(maxField, n)), s[1:]
	}
	n := 0
	for len(s) > 0 && '0' <= s[0] && s[0] <= '9' {
		n = min(maxField, 10*n+int(s[0]-'0'))
		s = s[1:]
	}
	return n, s
}

// convert writes one argument.
func (p *printer) convert(spec *conversionSpec) {
	switch spec.verb {
	case '%':
		p.out.WriteByte('%')
	case 'c':
		p.pad(spec, "", string([]byte{byte(p.argument(4))}), false)
	case 's':
		p.str(spec)
	case 'd', 'i':
		v := int64(p.integer(spec))
		switch spec.long {
		case 1:
			v = int64(int8(v))
		case 2:
			v = int64(int16(v))
		case 4:
			v = int64(int32(v))
		}
		digits := strconv.FormatInt(v, 10)
		if v < 0 {
			p.digits(spec, "-", digits[1:])
		} else {
			p.digits(spec, sign(spec), digits)
		}
	case 'u':
		p.digits(spec, "", strconv.FormatUint(p.integer(spec), 10))
	case 'o':
		digits := strconv.FormatUint(p.integer(spec), 8)
		if spec.alternate && digits[0] != '0' {
			digits = "0" + digits
		}
		p.digits(spec, "", digits)
	case 'x', 'X':
		v := p.integer(spec)
		prefix, digits := "", strconv.FormatUint(v, 16)
		if spec.alternate && v != 0 {
			prefix = "0x"
		}
		if spec.verb == 'X' {
			prefix, digits = strings.ToUpper(prefix), strings.ToUpper(digits)
		}
		p.digits(spec, prefix, digits)
	case 'p':
		p.pad(spec, "0x", strconv.FormatUint(p.argument(8), 16), false)
	default:
		p.float(spec, math.Float64frombits(p.argument(8)))
	}
}

// integer reads an argument of the conversion's width; what is shorter than int has been promoted to it.
func (p *printer) integer(spec *conversionSpec) uint64 {
	v := p.argument(max(4, spec.long))
	switch spec.long {
	case 1:
		v &= 0xff
	case 2:
		v &= 0xffff
	}
	return v
}

func (p *printer) str(spec *conversionSpec) {
	addr := p.argument(8)
	text := "(null)"
	if addr != 0 && p.signal == state.Next {
		text, p.signal = readString(p.w, p.op, p.lane, addr)
	}
	if spec.precision >= 0 && spec.precision < len(text) {
		text = text[:spec.precision]
	}
	p.pad(spec, "", text, false)
}

func sign(spec *conversionSpec) string {
	switch {
	case spec.plus:
		return "+"
	case spec.space:
		return " "
	}
	return ""
}

// digits writes an integer: the precision is its least number of digits.
func (p *printer) digits(spec *conversionSpec, prefix, digits string) {
	if spec.precision == 0 && digits == "0" {
		digits = ""
	}
	if n := spec.precision - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	p.pad(spec, prefix, digits, spec.zero && spec.precision < 0)
}

// pad brings a field to its width: with spaces, or zeros after the prefix.
func (p *printer) pad(spec *conversionSpec, prefix, text string, zeros bool) {
	n := max(0, spec.width-len(prefix)-len(text))
	switch {
	case spec.left:
		p.out.WriteString(prefix + text + strings.Repeat(" ", n))
	case zeros:
		p.out.WriteString(prefix + strings.Repeat("0", n) + text)
	default:
		p.out.WriteString(strings.Repeat(" ", n) + prefix + text)
	}
}

// float writes a double.
func (p *printer) float(spec *conversionSpec, v float64) {
	prefix := sign(spec)
	if math.Signbit(v) && v == v {
		prefix, v = "-", -v
	}
	lower := spec.verb | 0x20
	text := ""
	finite := false
	switch {
	case v != v:
		text = "nan"
	case math.IsInf(v, 0):
		text = "inf"
	default:
		finite = true
		text = p.finite(spec, lower, v)
		if lower == 'a' {
			prefix, text = prefix+text[:2], text[2:]
		}
	}
	if lower != spec.verb {
		prefix, text = strings.ToUpper(prefix), strings.ToUpper(text)
	}
	p.pad(spec, prefix, text, spec.zero && finite)
}

// finite formats a number that is not negative.
func (p *printer) finite(spec *conversionSpec, verb byte, v float64) string {
	precision := spec.precision
	if precision < 0 && verb != 'a' {
		precision = 6
	}
	switch verb {
	case 'a':
		text := strconv.FormatFloat(v, 'x', precision, 64) // Go writes at least two digits of the exponent, C as many as needed
		mantissa, exponent, _ := strings.Cut(text, "p")
		digits := strings.TrimLeft(exponent[1:], "0")
		if digits == "" {
			digits = "0"
		}
		return mantissa + "p" + exponent[:1] + digits
	case 'g':
		precision = max(1, precision)
		_, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', precision-1, 64), "e")
		x, _ := strconv.Atoi(exponent)
		text := ""
		if x < -4 || x >= precision {
			text = strconv.FormatFloat(v, 'e', precision-1, 64)
		} else {
			text = strconv.FormatFloat(v, 'f', precision-1-x, 64)
		}
		if spec.alternate {
			return text
		}
		mantissa, tail, scientific := strings.Cut(text, "e")
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		if scientific {
			return mantissa + "e" + tail
		}
		return mantissa
	}
	text := strconv.FormatFloat(v, verb, precision, 64)
	if spec.alternate && precision == 0 && verb == 'f' {
		text += "."
	}
	return text
}
