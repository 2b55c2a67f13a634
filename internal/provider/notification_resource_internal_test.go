package provider

import (
	"bytes"
	"testing"
)

// What a create stores and reports, for each outcome of the submission and each delivery. It always
// makes one request. Write-only fields are not stored.
func TestCreate(t *testing.T) {
	t.Parallel()
	const given = `{"priority":"HIGH",` +
		`"channels":[{"type":"sms"},{"type":"slack","fields":{"a":"1"},"fields_wo":{"b":"canary"}}]`
	const atMost, stored, confirmed = `,"delivery":"at_most_once"`, true, true
	for name, test := range map[string]struct {
		fault, more, says string
		stored, confirmed bool
	}{
		"accepted": {"", "", "", stored, confirmed},
		"without an id": {
			"empty", "", "Warning: Notification submitted without an id (request id ", stored, confirmed,
		},
		"rejected": {
			"status:422", atMost, "Unable to submit notification: Not submitted: ", false, false,
		},
		"not in time": {
			"status:429:60", `,"timeouts":{"create":"30s"}`, "with only 30s left", false, false,
		},
		"unknown": {
			"reset-after", "", "Notification may have been submitted: ... /test/docs/guides/troubleshooting#when-an-answer-is-lost",
			false, false,
		},
		"unknown, at most once": {
			"reset-after", atMost,
			"Warning: Notification stored as unconfirmed (request id ... /test/docs/guides/troubleshooting#when-an-answer-is-lost",
			stored, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newBackend(t, faulty("submission", test.fault)).configure(t, nil)
			resp := s.apply(t, s.plan(t, nil, arguments(t, given+test.more+"}")))
			onlySays(t, name, resp.Diagnostics, test.says)
			ledger := s.Ledger()
			if ledger.SubmissionRequests != 1 {
				t.Fatalf("%d submissions: %+v", ledger.SubmissionRequests, ledger.Requests)
			}
			const agent = "terraform-provider-notification/test terraform/1.14.0"
			if got := ledger.Requests[1].Headers["User-Agent"]; got != agent {
				t.Errorf("the user agent is %q", got)
			}
			if bytes.Contains(resp.NewState.MsgPack, []byte("canary")) || len(resp.Private) > 0 {
				t.Errorf("stored %q, private %q", resp.NewState.MsgPack, resp.Private)
			}
			none := s.resource(t, nil).MsgPack
			if got := !bytes.Equal(resp.NewState.MsgPack, none); got != test.stored {
				t.Fatalf("stored: %t", got)
			} else if !got {
				return
			}
			var id any
			if test.fault == "" {
				id = ledger.Submissions[0].NotificationID
			}
			s.has(t, name, resp.NewState, map[string]any{
				"notification_id": id, "id": id, "confirmed": test.confirmed, "as_submitted": true,
			})
		})
	}
}
