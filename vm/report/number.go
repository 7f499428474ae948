package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// thousands prints an integer with commas: 1,234,567.
func thousands(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// ratio is part ÷ whole, 0 where there is no whole.
func ratio(part, whole uint64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// percent prints a fraction as "16 %", and what would round to nothing as "<1 %".
func percent(x float64) string {
	if 0 < x && x < 0.005 {
		return "<1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}

// significant prints a number of any size: whole from 10 on, two digits below.
func significant(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2g", x)
}

// percent1 prints a fraction as "16.4 %".
func percent1(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// signed prints a relative change as "-16 %" or "+25 %".
func signed(x float64) string { return fmt.Sprintf("%+.0f %%", 100*x) }

// overhead prints a loss: a percentage, from 1000 % on a factor.
func overhead(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.1f x", x)
	}
	return percent1(x)
}

// ghz prints a clock: 1.83, 2.52, 1.755.
func ghz(mhz int64) string { return strconv.FormatFloat(float64(mhz)/1000, 'f', -1, 64) }

// micros turns cycles into microseconds.
func micros(cycles uint64, mhz int64) float64 {
	if mhz == 0 {
		return 0
	}
	return float64(cycles) / float64(mhz)
}

// binary prints a size as programs state it: 2 MiB, 48 KiB, 1.5 KiB, 32 B.
func binary(bytes uint64) string {
	for _, u := range []struct {
		size uint64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if bytes >= u.size {
			return short(float64(bytes)/float64(u.size)) + " " + u.name
		}
	}
	return fmt.Sprintf("%d B", bytes)
}

// decimal prints traffic as rates count it: 14.7 MB, 3.2 kB, 32 B.
func decimal(bytes uint64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}} {
		if float64(bytes) >= u.size {
			return fmt.Sprintf("%.1f %s", float64(bytes)/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d B", bytes)
}

// short prints a number with at most two decimals.
func short(x float64) string {
	return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64)
}

// rate is bytes per second, in GB/s, of bytes moved in cycles.
func rate(bytes, cycles uint64, mhz int64) float64 {
	if cycles == 0 {
		return 0
	}
	return float64(bytes) / float64(cycles) * float64(mhz) / 1000
}

// perTime prints a rate: 21.5 M/s, 830 k/s, 12 /s.
func perTime(perSecond float64) string {
	switch {
	case perSecond >= 1e6:
		return fmt.Sprintf("%.1f M/s", perSecond/1e6)
	case perSecond >= 1e3:
		return fmt.Sprintf("%.1f k/s", perSecond/1e3)
	}
	return fmt.Sprintf("%.0f /s", perSecond)
}

// plural prints "1 card", "3 cards".
func plural(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// cardList prints a sorted list of cards with runs joined: 0-4,6,7.
func cardList(cards []int) string {
	var parts []string
	for i := 0; i < len(cards); {
		j := i
		for j+1 < len(cards) && cards[j+1] == cards[j]+1 {
			j++
		}
		switch {
		case j > i+1:
			parts = append(parts, fmt.Sprintf("%d-%d", cards[i], cards[j]))
		default:
			for _, c := range cards[i : j+1] {
				parts = append(parts, strconv.Itoa(c))
			}
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}
