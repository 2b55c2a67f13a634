//go:build unix

package acceptance

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
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

	got := printed.Providers["notification"]
	if !hasActions(t) {
		delete(got, "action_schemas")
	}
	for address, seen := range shown.Providers { // there is one
		if diff := cmp.Diff(seen, got); diff != "" {
			t.Errorf("Terraform sees of %s (-), the docs show (+):\n%s", address, diff)
		}
	}
	if len(shown.Providers) != 1 {
		t.Errorf("Terraform sees %d providers, want one", len(shown.Providers))
	}
}
