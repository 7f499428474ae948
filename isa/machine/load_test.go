package machine

import "testing"

func TestLoadEveryShippedMachine(t *testing.T) {
	for _, name := range Names() {
		m, err := Load(name)
		if err != nil {
			t.Fatalf("%v", err)
		}
		t.Logf("%s %+v", m.Name, m.Fabric)
	}
}
