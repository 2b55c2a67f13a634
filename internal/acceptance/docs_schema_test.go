//go:build unix

package acceptance

import (
	"maps"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// The docs are generated from the same schema that Terraform sees.
func TestSchemaDocument(t *testing.T) {
	t.Parallel()
	if !hasVersion(t, "1.11") {
		t.Skip("needs Terraform 1.11 to see ephemeral resources and write-only attributes")
	}
	w := newWorkspace(t, nil)
	w.write(t, "")
	var shown, printed struct {
		Providers map[string]map[string]any `json:"provider_schemas"`
	}
	read(t, w.must(t, "providers", "schema", "-json"), &shown)
	program := filepath.Join(t.TempDir(), "schema")
	if err := build(program, "internal/docs/schema"); err != nil {
		t.Fatal(err)
	}
	text, err := exec.CommandContext(t.Context(), program).Output()
	if err != nil {
		t.Fatal(err)
	}
	read(t, string(text), &printed)

	seen := shown.Providers[providerAddress().String()]
	got := printed.Providers["notification"]
	if !hasActions(t) {
		delete(got, "action_schemas")
	}
	if want := slices.Sorted(maps.Keys(seen)); !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
		t.Errorf("Terraform shows only %s", want)
	}
	for kind, schemas := range seen {
		if !reflect.DeepEqual(got[kind], schemas) {
			t.Errorf("%s differs:\n%v\n%v", kind, got[kind], schemas)
		}
	}
}
