package provider

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The provider and the emulator have a list of the priorities each, and the docs quote it. An error
// of the provider and one of the emulator quote theirs.
func TestPriorities(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	quoted := func(text string) []string {
		found := regexp.MustCompile(`\b[A-Z]{4,}\b`).FindAllString(text, -1)
		slices.Sort(found)
		return slices.Compact(found)
	}
	notification := announcement(t, "one")
	notification["priority"] = "unknown"
	priorities := quoted(strings.Join(described(t, w.validate(t, notification)), ""))
	_, refusal := w.submit(t, notification)
	_, row, _ := strings.Cut(document(t, "internal/emulator/README.md"), "| `priority` | string | ")
	row, _, _ = strings.Cut(row, "\n")
	for place, text := range map[string]string{
		"the emulator's parser":       string(refusal),
		"the description":             priorityDescription,
		"internal/emulator/README.md": row,
	} {
		if got := quoted(text); len(got) == 0 || !slices.Equal(got, priorities) {
			t.Errorf("%s has the priorities %v, the validator %v", place, got, priorities)
		}
	}
	for _, priority := range priorities {
		notification["priority"] = priority
		if status, answer := w.submit(t, notification); status != http.StatusCreated {
			t.Errorf("the emulator refuses %s: %s", priority, answer)
		}
		if w.keptChannel(t, "?priority="+priority) == nil {
			t.Errorf("the filter of the emulator's ledger does not find %s", priority)
		}
	}
}
