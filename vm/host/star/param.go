package star

import (
	"slices"
	"strconv"

	"go.starlark.net/starlark"

	"github.com/tollgate-sim/tollgate/vm/host"
)

// newParam is param(name, default): a value that --set and sweeps change. It has the type of its default.
func newParam(c *call) (starlark.Value, error) {
	var name string
	var value starlark.Value
	if err := c.unpack("name", &name, "default", &value); err != nil {
		return nil, err
	}
	if text, ok := c.program.req.Set[name]; ok {
		var err error
		if value, err = paramValue(c, name, text, value); err != nil {
			return nil, err
		}
	}
	shown := value.String()
	if text, ok := starlark.AsString(value); ok {
		shown = text
	}
	for _, known := range c.program.params {
		if known.Name == name {
			return value, nil
		}
	}
	c.program.params = append(c.program.params, host.Setting{Name: name, Value: shown})
	return value, nil
}

// paramValue reads a text as a value of the default's type.
func paramValue(c *call, name, text string, like starlark.Value) (starlark.Value, error) {
	bad := func(want string) (starlark.Value, error) {
		return nil, c.fail("%s takes %s, as its default %s, not %q", name, want, like, text)
	}
	switch like.(type) {
	case starlark.Bool:
		switch text {
		case "true", "True", "on", "1":
			return starlark.True, nil
		case "false", "False", "off", "0":
			return starlark.False, nil
		}
		return bad("true or false")
	case starlark.Int:
		n, ok := host.ParseNumber(text)
		if !ok || n.Whole() == nil {
			return bad("an integer")
		}
		return starlark.MakeBigInt(n.Whole()), nil
	case starlark.Float:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return bad("a number")
		}
		return starlark.Float(v), nil
	case starlark.String:
		return starlark.String(text), nil
	}
	return nil, c.fail("the default of %s is a number, a text or a truth value, not %s", name, like.Type())
}

// newMetric is metric(name, value): a figure that the program measured, which reports print and sweeps tabulate.
func newMetric(c *call) (starlark.Value, error) {
	var name string
	var value starlark.Value
	if err := c.unpack("name", &name, "value", &value); err != nil {
		return nil, err
	}
	if _, ok := numberOf(value); !ok {
		return nil, c.fail("%s is a number, not %s", name, value.Type())
	}
	if slices.Contains(reserved, name) {
		return nil, c.fail("every sweep has a column %s: choose another name", name)
	}
	for _, known := range c.program.metrics {
		if known.Name == name {
			return nil, c.fail("%s is measured twice", name)
		}
	}
	c.program.metrics = append(c.program.metrics, host.Setting{Name: name, Value: value.String()})
	return value, nil
}
