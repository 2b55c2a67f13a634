package provider

import (
	"strings"
	"testing"
)

// Terraform before 1.11 would plan these values like any others, and display them.
func TestWriteOnlyInOldTerraform(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	for _, fields := range []string{`{"pin":"canary"}`, `{"pin":"?"}`, `"?"`} {
		given := arguments(t,
			`{"priority":"HIGH","channels":[{"type":"slack","fields_wo":`+fields+`}]}`)
		found := w.validateIn(t, given, nil)
		onlySays(t, fields, found, "channels[0].fields_wo: ... 1.11")
		if text := strings.Join(described(t, found), ""); strings.Contains(text, "canary") {
			t.Errorf("%s: the value is shown: %s", fields, text)
		}
		onlySays(t, fields+" in new Terraform", w.validate(t, given), "")
	}
}
