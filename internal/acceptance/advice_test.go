package acceptance

import (
	"maps"
	"strings"
	"testing"
)

// With create_before_destroy the old notification is still there after a replacement that failed.
// What the guide "When an answer is lost" says about the next apply is true, and so is its advice.
// Its page tries what holds otherwise.
func TestAdvice(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.useFakeProvider(t)
	write := func(release string) {
		w.write(t, `
resource "fake_later" "build" {
  input = { release = "1", tick = "`+release+`" }
}
locals {
  releases = {
    adopted   = "`+release+`"
    again     = "`+release+`"
    replaced  = "1" # by -replace
    unchanged = fake_later.build.output.release
  }
}
`+notificationWith(`[{ type = "slack", recipient = ["C1"], subject = each.key }]`,
			`for_each = toset(["adopted", "again", "replaced", "unchanged"])
  triggers = { release = local.releases[each.key] }
  lifecycle {
    create_before_destroy = true
  }`))
	}
	write("1")
	w.apply(t)
	write("2")
	w.submissionsMeet(t, "reset-after,repeat")
	output, status := w.tryApply(t, "-replace="+address+`["replaced"]`)
	if status != 1 || strings.Count(output, "Error: Notification may have been submitted") != 4 {
		t.Fatalf("exit status %d\n%s", status, output)
	}
	w.stopLosing(t)

	const adopted = address + `["adopted"]`
	if output, status := w.terraform(t, "import", adopted, "unknown"); status != 1 ||
		!strings.Contains(output, "Resource already managed") {
		t.Errorf("exit status %d\n%s", status, output)
	}
	w.must(t, "state", "rm", adopted)
	w.must(t, "import", adopted, "unknown")
	w.apply(t)
	if got := w.subjects(); !maps.Equal(got, map[string]int{"again": 1}) {
		t.Errorf("the next apply submitted %v", got)
	}
}
