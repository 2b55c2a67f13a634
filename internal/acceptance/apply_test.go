package acceptance

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

// many returns a configuration of n notifications. word is part of each subject.
func many(n int, word, release string) string {
	return fmt.Sprintf(`
resource "notification_notification" "n" {
  for_each = { for i in range(%d) : tostring(i) => i }
  priority = "NORMAL"
  channels = [{
    type      = "slack"
    recipient = ["C024BE91L"]
    subject   = "number ${each.key} %s"
  }]
  triggers = { release = %q }
}
`, n, word, release)
}

// numbered returns the subjects of many.
func numbered(n int, word string) (subjects []string) {
	for i := range n {
		subjects = append(subjects, fmt.Sprintf("number %d %s", i, word))
	}
	return subjects
}

// Many notifications share an access token, and each has its own connection. A change in place
// sends nothing, and its warning is printed once. A release sends each of them once, although the
// service is busy, tokens expire quickly and one is revoked.
func TestManyNotificationsAreEachSentOnce(t *testing.T) {
	t.Parallel()
	const n = 20 // more than Terraform works on at once
	var connections atomic.Int32
	w := newWorkspace(t, func(c *emulator.Config) { c.TokenLifetime = 4 * time.Second },
		func(server *http.Server) {
			server.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					connections.Add(1)
				}
			}
		})
	w.keepProvider(t)
	w.write(t, many(n, "one", "1"))
	w.apply(t)
	if l := w.Ledger(); l.TokenRequests != 1 || connections.Load() != n+1 {
		t.Errorf("%d token requests, %d connections", l.TokenRequests, connections.Load())
	}
	agent := "terraform-provider-notification/" + buildVersion + " terraform/"
	for _, r := range w.Ledger().Requests {
		if got := r.Headers["User-Agent"]; !strings.HasPrefix(got, agent) {
			t.Errorf("the User-Agent is %s, want %s…", got, agent)
		}
	}
	w.sent(t, numbered(n, "one")...)
	ids := w.ids(t)

	w.write(t, many(n, "two", "1"))
	output := w.apply(t)
	w.sent(t)
	if !maps.Equal(w.ids(t), ids) {
		t.Error("a change of a subject changed ids")
	}
	// Terraform prints it in the plan, and again after the apply.
	const warning = "Changes to a notification are not sent by themselves"
	if got := strings.Count(output, warning); got > 2 || got == 0 {
		t.Errorf("the warning is printed %d times", got)
	}

	w.write(t, many(n, "two", "2"))
	// Tokens are revoked once: a submission whose second token is revoked too is rejected.
	w.setSubmissionFaults(t, "delay:400ms*6,revoke,status:429:0,delay:400ms*6,status:429:0,"+
		"delay:400ms*3,status:429:0")
	w.apply(t)
	if l := w.Ledger(); l.TokenRequests < 2 || l.SubmissionRequests < n+3 {
		t.Errorf("%d token requests, %d submissions", l.TokenRequests, l.SubmissionRequests)
	}
	w.sent(t, numbered(n, "two")...)
	if got := w.ids(t); len(got) != n {
		t.Errorf("%d ids in the state", len(got))
	}
}
