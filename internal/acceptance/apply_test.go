package acceptance

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// many is a configuration of n notifications. word is part of each subject, release7 the trigger of
// number 7.
func many(n int, word, release7 string) string {
	return fmt.Sprintf(`
resource "notification_notification" "n" {
  for_each = { for i in range(%d) : tostring(i) => i }
  priority = "NORMAL"
  channels = [{
    type      = "slack"
    recipient = ["C024BE91L"]
    subject   = "number ${each.key} %s"
  }]
  triggers = { release = each.key == "7" ? %q : "1" }
}
`, n, word, release7)
}

// Many notifications share an access token, and each has a connection of its own. Those are sent
// again whose triggers changed, and a warning about many stands there once.
func TestManyNotifications(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.write(t, many(40, "one", "1")) // more than Terraform works on at once
	w.apply(t)
	w.submittedOnce(t, 40)
	ids, ledger := w.ids(t), w.Ledger()
	if len(ids) != 40 || ledger.SubmissionRequests != 40 || ledger.TokenRequests != 1 ||
		ledger.Connections != 41 {
		t.Errorf("%d ids, %d submissions, %d token requests, %d connections", len(ids),
			ledger.SubmissionRequests, ledger.TokenRequests, ledger.Connections)
	}

	w.ClearLedger()
	w.write(t, many(40, "two", "1"))
	output := w.apply(t)
	w.silent(t, "change of a subject")
	if !maps.Equal(w.ids(t), ids) {
		t.Error("a change of a subject changed ids")
	}
	if got := strings.Count(output,
		"Changes to a notification are not sent by themselves"); got > 2 || got == 0 {
		t.Errorf("the warning stands there %d times", got)
	}

	w.write(t, many(40, "two", "2"))
	w.apply(t)
	if got := w.Ledger().SubmissionRequests; got != 1 {
		t.Errorf("one changed trigger made %d submissions", got)
	}
}

// In spite of answers with 503, short-lived tokens and a revocation during the run, each
// notification is submitted exactly once.
func TestEveryNotificationOnceUnderRefusals(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, func(c *emulator.Config) {
		c.TokenLifetime = 2 * time.Second
		// Late, so that a token expires meanwhile.
		sequence := strings.Repeat("delay:200ms*6,status:503:0,", 13) +
			"delay:200ms*5,revoke,status:503:0,delay:200ms*6,status:503:0,repeat"
		c.Faults = emulator.Faults{"submission": sequence}
	})
	// One in seven attempts is refused: with four retries, one of 100 is refused each time now and
	// then.
	w.setenv("NOTIFICATION_MAX_RETRIES", "10")
	w.write(t, many(100, "one", "1"))
	began := time.Now()
	w.apply(t)
	took := time.Since(began)
	w.submittedOnce(t, 100)
	ledger := w.Ledger()
	if want := 100 + (100-1)/6; ledger.SubmissionRequests < want {
		t.Errorf("%d requests, want at least %d: were there no refusals?",
			ledger.SubmissionRequests, want)
	}
	// A token is used for 4/5 of its lifetime; each revocation costs one more.
	if limit := int(took/(1600*time.Millisecond)) + 4; ledger.TokenRequests < 2 ||
		ledger.TokenRequests > limit {
		t.Errorf("%d token requests in %s, want at most %d", ledger.TokenRequests, took, limit)
	}
	if ids := w.ids(t); len(ids) != 100 {
		t.Errorf("%d ids in the state", len(ids))
	}
}
