//go:build unix

package acceptance

import (
	"regexp"
	"strings"
	"testing"
)

var (
	actionBlock = regexp.MustCompile(
		`(?ms)^action "notification_send" "(\w+)" \{\n  config \{\n(.*?)^  \}\n\}$`)
	lifecycleBlock = regexp.MustCompile(`(?ms)^\n?  lifecycle \{\n.*?^  \}\n`)
)

// The action is invoked where Terraform has actions. Elsewhere its arguments are checked as those
// of the resource, which has the same and more.
func actionExample(t *testing.T, path string) {
	w, ok := newActionExample(t, path)
	if !ok {
		return
	}
	w.apply(t)
	w.apply(t, "-var=release=1.4.3")
	w.apply(t, "-invoke=action.notification_send.deployed")
	w.must(t, "destroy", "-input=false", "-auto-approve")
	if got := w.Ledger().SubmissionRequests; got != 3 {
		t.Errorf("%d notifications were submitted, want 3", got)
	}
}

// The destroy is announced, and not the creation.
func destroyActionExample(t *testing.T, path string) {
	w, ok := newActionExample(t, path)
	if !ok {
		return
	}
	w.apply(t)
	w.silent(t, "apply")
	w.must(t, "destroy", "-input=false", "-auto-approve")
	w.submittedOnce(t, 1)
}

// newActionExample is a workspace with that example, or not ok where Terraform is too old for it.
func newActionExample(t *testing.T, path string) (w *workspace, ok bool) {
	t.Helper()
	w = newWorkspace(t, nil)
	text := examples(t)[path]
	wanted := requiredVersion.FindStringSubmatch(text)[1]
	if hasActions(t) && hasVersion(t, wanted) {
		w.put(t, "main.tf", requiredVersion.ReplaceAllString(text, "")) // which refuses a prerelease
		return w, true
	}
	if !hasVersion(t, "1.4") {
		t.Skip("needs Terraform 1.4 for terraform_data")
	}
	w.put(t, "main.tf", asResource(t, text))
	w.must(t, "validate")
	return w, false
}

// asResource turns actions into resources for a Terraform that has none.
func asResource(t *testing.T, text string) string {
	t.Helper()
	text = requiredVersion.ReplaceAllString(lifecycleBlock.ReplaceAllString(text, ""), "")
	replaced := actionBlock.ReplaceAllString(text,
		"resource \"notification_notification\" \"$1\" {\n$2}")
	if replaced == text || strings.Contains(replaced, "action") {
		t.Fatalf("no action found, or more than one kind of them:\n%s", replaced)
	}
	return replaced
}
