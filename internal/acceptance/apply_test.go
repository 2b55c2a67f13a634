package acceptance

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
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

func TestTwoHundredNotifications(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.write(t, many(200, "one", "1"))
	w.apply(t)
	w.submittedOnce(t, 200)
	ledger := w.Ledger()
	if ledger.SubmissionRequests != 200 || ledger.TokenRequests != 1 || ledger.Connections > 32 {
		t.Errorf("%d submissions, %d token requests, %d connections", ledger.SubmissionRequests,
			ledger.TokenRequests, ledger.Connections)
	}
	if ids := w.ids(t); len(ids) != 200 {
		t.Errorf("%d ids", len(ids))
	}
}

// Of many notifications, those are sent again whose triggers changed. There are more of them than
// Terraform works on at once.
func TestChangesOfManyNotifications(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.write(t, many(20, "one", "1"))
	w.apply(t)
	w.submittedOnce(t, 20)
	ids := w.ids(t)
	if len(ids) != 20 {
		t.Errorf("%d ids", len(ids))
	}

	w.ClearLedger()
	w.must(t, "plan", "-detailed-exitcode", "-input=false")
	w.silent(t, "plan without a change")

	w.write(t, many(20, "two", "1"))
	output := w.apply(t)
	w.silent(t, "change of a subject")
	if !maps.Equal(w.ids(t), ids) {
		t.Error("a change of a subject changed ids")
	}
	if got := strings.Count(output,
		"Changes to a notification are not sent by themselves"); got > 2 || got == 0 {
		t.Errorf("the warning stands there %d times", got)
	}

	w.write(t, many(20, "two", "2"))
	w.apply(t)
	if got := w.Ledger().SubmissionRequests; got != 1 {
		t.Errorf("one changed trigger made %d submissions", got)
	}
	w.submittedOnce(t, 1)

	w.ClearLedger()
	w.must(t, "destroy", "-input=false", "-auto-approve")
	w.silent(t, "destroy")
}

// In spite of answers with 503, short-lived tokens and a revocation during the run, each
// notification is submitted exactly once.
func TestEveryNotificationOnceUnderRefusals(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, func(c *emulator.Config) {
		c.TokenLifetime = 2 * time.Second
		c.Latency = 200 * time.Millisecond // so that a token expires meanwhile
		sequence := strings.Repeat("pass*6,status:503:0,", 13) +
			"pass*5,revoke,status:503:0,pass*6,status:503:0,repeat"
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

func TestServiceDown(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	gone := httptest.NewServer(nil)
	gone.Close()
	w.setenv("NOTIFICATION_AUTH_URL", gone.URL)
	w.setenv("NOTIFICATION_MAX_RETRIES", "2")
	w.write(t, many(3, "one", "1"))
	output, status := w.terraform(t, "apply", "-no-color", "-input=false", "-auto-approve")
	for _, want := range []string{
		"refused", gone.URL + "/oauth2/token", "was not submitted",
		"attempt 3, the last", "auth_url",
	} {
		if !strings.Contains(words(output), want) {
			t.Errorf("does not say %q:\n%s", want, output)
		}
	}
	if status != 1 {
		t.Errorf("exit status %d", status)
	}
	w.silent(t, "nothing can be sent")
}

// Numbers keep their digits from the answer to the output.
func TestNumbersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	const long = "0.123456789012345678901234567890123456789012345678901234567890123456789012345678" +
		"90123456789012345678901234567890123456789012345678901234567890123456789"
	w := newWorkspace(t, func(c *emulator.Config) {
		c.Studies = []json.RawMessage{
			json.RawMessage(`{"name":"ATLAS","id":9007199254740993,"long":` + long + `}`),
		}
	})
	w.write(t, `
data "notification_studies" "found" {
  name = "ATLAS"
}
output "studies" {
  value = data.notification_studies.found.studies
}
`)
	w.apply(t)
	output := w.must(t, "output", "-json", "studies")
	for _, digits := range []string{"9007199254740993", long} {
		if !strings.Contains(output, digits) {
			t.Errorf("%s is not in %s", digits, output)
		}
	}
}

// Token and API requests use the proxy that the usual variables set.
func TestProxy(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	var proxy string
	for _, variable := range w.env {
		if value, ok := strings.CutPrefix(variable, "NOTIFICATION_BASE_URL="); ok {
			proxy = value
		}
	}
	w.setenv("HTTP_PROXY", proxy) // the emulator accepts requests in absolute form
	w.setenv("NOTIFICATION_AUTH_URL", "http://auth.notifications.invalid")
	w.setenv("NOTIFICATION_BASE_URL", "http://api.notifications.invalid")
	w.setenv("NOTIFICATION_ALLOW_INSECURE_HTTP", "true")
	w.write(t, many(1, "one", "1"))
	w.apply(t)
	w.submittedOnce(t, 1)
	for i, host := range []string{"auth.notifications.invalid", "api.notifications.invalid"} {
		if got := w.Ledger().Requests[i].Headers["Host"]; got != host {
			t.Errorf("request %d went to %s, want %s", i, got, host)
		}
	}
}
