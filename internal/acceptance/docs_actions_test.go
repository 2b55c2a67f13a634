//go:build unix

package acceptance

import (
	"testing"
)

// action.tf announces each release; -invoke announces one again, and a destroy nothing. destroy.tf
// announces the destroy, but not the creation.
func TestActionExamples(t *testing.T) {
	t.Parallel()
	t.Run("action.tf", func(t *testing.T) {
		t.Parallel()
		w := newActionExample(t, "action.tf", "1.14")
		w.apply(t)
		w.apply(t, "-var=release=1.4.3")
		w.apply(t, "-invoke=action.notification_send.deployed")
		w.must(t, "destroy")
		w.sent(t, "checkout 1.4.2 is live", "checkout 1.4.3 is live", "checkout 1.4.2 is live")
	})
	t.Run("destroy.tf", func(t *testing.T) {
		t.Parallel()
		w := newActionExample(t, "destroy.tf", "1.16")
		w.apply(t)
		w.sent(t)
		w.must(t, "destroy")
		w.sent(t, "review-42 is gone")
	})
}

// newActionExample returns a workspace with the example. It skips the test below a version of
// Terraform.
func newActionExample(t *testing.T, name, needs string) *workspace {
	t.Helper()
	text := examples(t)["actions/notification_send/"+name]
	checkSources(t, text)
	checkRecipients(t, text)
	if !hasActions(t) || !hasVersion(t, needs) {
		t.Skip("needs Terraform", needs)
	}
	w := newWorkspace(t, nil)
	w.put(t, "main.tf", requiredVersion.ReplaceAllString(text, "")) // which rejects a prerelease
	return w
}
