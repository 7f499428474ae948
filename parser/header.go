package parser

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tollgate-sim/tollgate/isa"
)

// newestVersion is the last PTX ISA version that the instruction table knows (PTX ISA 9.0, CUDA 13.0).
var newestVersion = isa.Version{Major: 9, Minor: 0}

// lastMinor is the last minor version of each major one (PTX ISA, "Release Notes").
var lastMinor = map[int]int{1: 5, 2: 3, 3: 2, 4: 3, 5: 1, 6: 5, 7: 8, 8: 8, 9: 0}

// targets are the names that .target takes (PTX ISA, "Directives: .target"), for hints.
var targets = strings.Fields(`sm_10 sm_11 sm_12 sm_13 sm_20 sm_21 sm_30 sm_32 sm_35 sm_37 sm_50 sm_52 sm_53 sm_60 sm_61 sm_62
	sm_70 sm_72 sm_75 sm_80 sm_82 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_101 sm_101a sm_101f sm_103 sm_103a sm_103f
	sm_110 sm_110a sm_110f sm_120 sm_120a sm_120f sm_121 sm_121a sm_121f`)

// targetOptions may follow the target, or stand alone in a .target of their own.
var targetOptions = []string{"debug", "map_f64_to_f32", "texmode_independent", "texmode_unified"}

// header lowers .version, .target and .address_size, which begin a module in this order.
func (l *lowering) header(t *tree) {
	var version, target, size *declaration
	for i, it := range t.Items {
		d := it.Decl
		if d == nil {
			continue
		}
		switch {
		case d.Version != nil:
			if version != nil {
				l.errorAt(codeSyntax, d.Version, "a second .version", "")
				continue
			}
			if version = d; i > 0 && t.Items[0].Err == nil {
				l.errorAt(codeSyntax, d.Version, ".version must be the first directive", "")
			}
			if d.Version.Pos.Line != d.Pos.Line {
				l.errorIn(codeSyntax, d.Pos.Offset, d.Pos.Offset+len(".version"), "the number stands in the line of .version", "")
			}
			l.version(d.Version)
		case d.Target != nil:
			if version != nil && target == nil && i != 1 && t.Items[1].Err == nil {
				l.errorAt(codeSyntax, &d.Target[0], ".target must follow .version", "")
			}
			if target == nil {
				target = d
			} else if previous := t.Items[i-1]; previous.Decl != nil && previous.Decl.Target == nil {
				l.errorAt(codeSyntax, &d.Target[0], "a .target after other directives", "")
			}
			l.target(d.Target)
		case d.AddressSize != nil:
			if size != nil {
				l.errorAt(codeSyntax, d.AddressSize, "a second .address_size", "")
				continue
			}
			if previous := t.Items[max(0, i-1)]; target == nil || previous.Decl == nil && previous.Err == nil || previous.Decl != nil && previous.Decl.Target == nil {
				l.errorAt(codeSyntax, d.AddressSize, ".address_size must follow .target", "")
			}
			size = d
			l.since("the address_size directive", d.AddressSize)
			l.addressSize(d.AddressSize)
		}
	}
	broken := slices.ContainsFunc(t.Items, func(it item) bool { return it.Err != nil })
	start := 0
	if len(t.Items) > 0 {
		start = t.Items[0].Pos
	}
	switch {
	case version == nil && !broken:
		l.errorIn(codeSyntax, start, start, "the module does not begin with .version", "as in `.version 8.3`")
	case target == nil && !broken:
		l.noTarget(t, version)
	}
	if size == nil {
		l.module.AddressSize = 64
		if target != nil {
			l.dialect.noAddressSize = &target.Target[0]
		}
	}
}

// noTarget complains about what stands where .target should, or about .version when nothing does.
func (l *lowering) noTarget(t *tree, version *declaration) {
	at, end := version.Pos.Offset, version.Pos.Offset+len(".version")
	for i := range t.Items {
		if it := &t.Items[i]; it.Pos > at {
			at, end = it.Pos, it.Pos
			break
		}
	}
	l.errorIn(codeSyntax, at, end, "no .target follows .version", "as in `.target sm_90`")
}

func (l *lowering) version(t *lexer.Token) {
	major, minor, ok := strings.Cut(t.Value, ".")
	v := isa.Version{}
	var errMajor, errMinor error
	v.Major, errMajor = strconv.Atoi(major)
	v.Minor, errMinor = strconv.Atoi(minor)
	switch {
	case !ok || errMajor != nil || errMinor != nil:
		l.errorAt(codeVersion, t, found(t)+" is no PTX version", "as in `.version 8.3`")
	case newestVersion.Less(v):
		l.report.add(Diagnostic{Severity: Note, Code: codeVersion, Pos: isa.Pos(t.Pos.Offset), End: isa.Pos(t.Pos.Offset + len(t.Value)),
			Message: "PTX " + t.Value + " is newer than the instruction table (9.0): what it adds is unknown here"})
	case v.Major < 1 || v.Minor > lastMinor[v.Major]:
		l.errorAt(codeVersion, t, "there is no PTX version "+t.Value, "")
	}
	l.module.Version = v
}

func (l *lowering) target(names []lexer.Token) {
	names = withoutCommas(names)
	for i := range names {
		t := &names[i]
		name := t.Value
		since, known := isa.TargetSince(name)
		if article := strings.Replace(name, "sm", "sm_", 1); !known {
			if since, known = isa.TargetSince(article); known {
				name = article
				l.dialect.note("D1", nameOf(t), "`.target "+t.Value+"`: PTX spells it `"+name+"`", "")
			}
		}
		option := slices.Contains(targetOptions, name)
		switch {
		case slices.Contains(l.module.Targets, name) && option:
			l.errorAt(codeOther, t, "a second "+found(t), "")
		case option && l.module.Target == "":
			l.errorAt("target-too-low", t, "the target stands first, before "+found(t), "as in `.target sm_90, "+name+"`")
		case option && name == "map_f64_to_f32" && targetNumber(l.module.Target) >= 13:
			l.errorAt("target-too-low", t, l.module.Target+" has 64-bit arithmetic: map_f64_to_f32 ends with sm_12", "")
		case name == "debug":
			l.debugTarget = t
		case option:
		case known && l.module.Target != "" && targetNumber(name) > targetNumber(l.module.Target):
			l.errorAt("target-too-low", t, "a second target, newer than "+l.module.Target+": "+found(t), "")
		case known && l.module.Version != (isa.Version{}) && l.module.Version.Less(since):
			l.errorAt("version-too-low", t, fmt.Sprintf("target %s needs .version %d.%d", found(t), since.Major, since.Minor), "")
		case known:
		case newestVersion.Less(l.module.Version) && strings.HasPrefix(name, "sm_"):
			l.report.add(Diagnostic{Severity: Note, Code: codeVersion, Pos: isa.Pos(t.Pos.Offset), End: isa.Pos(t.Pos.Offset + len(t.Value)),
				Message: "target " + found(t) + " is newer than the instruction table"})
		default:
			l.errorAt(codeOther, t, "unknown target "+found(t), didYouMean(name, append(slices.Clone(targets), targetOptions...)))
		}
		if !option && l.module.Target == "" {
			l.module.Target = name
		}
		l.module.Targets = append(l.module.Targets, name)
	}
}

func (l *lowering) addressSize(t *lexer.Token) {
	switch v, _ := integerLiteral(t.Value); v.Bits {
	case 32, 64:
		l.module.AddressSize = int(v.Bits)
	default:
		l.errorAt(codeOther, t, "an address has 32 or 64 bits", "")
	}
}
