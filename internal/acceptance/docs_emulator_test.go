//go:build unix

package acceptance

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator"
)

// The guide names every member of the ledger and every request, and no member that is not there.
func TestGuideOfTheEmulator(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(repository, "docs", "guides", "emulator.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, schema, ok := strings.Cut(string(text), "## Ledger")
	parts := strings.Split(schema, "| Member | Type | Content |")
	if !ok || len(parts) != 4 {
		t.Fatalf("the guide has %d tables of members", len(parts)-1)
	}
	for i, value := range []any{emulator.Ledger{}, emulator.Submission{}, emulator.Request{}} {
		members := jsonMembers(reflect.TypeOf(value))
		var named []string
		for _, line := range strings.Split(parts[i+1], "\n") {
			cells := strings.Split(line, "|")
			if len(cells) < 4 || !strings.Contains(cells[1], "`") {
				continue
			}
			for _, name := range strings.Split(cells[1], ",") {
				named = append(named, strings.Trim(name, " `"))
			}
		}
		slices.Sort(members)
		slices.Sort(named)
		if !slices.Equal(members, named) {
			t.Errorf("%T has the members %q, the guide names %q", value, members, named)
		}
	}
	help := newWorkspace(t, nil)
	out, status := help.script(t, "notification-emulator exec -h")
	for _, path := range []string{
		"health", "ledger", "reset", "faults", "revoke", "events",
	} {
		path = "/_emulator/" + path
		if !strings.Contains(string(text), path) || !strings.Contains(out, path) || status != 0 {
			t.Errorf("%s is not in both the guide and the help", path)
		}
	}
}

func jsonMembers(of reflect.Type) (names []string) {
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Anonymous {
			names = append(names, jsonMembers(field.Type)...)
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}
