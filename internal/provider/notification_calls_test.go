package provider

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// What a create stores and reports, for each outcome of the submission and each delivery. It always
// makes one request. Write-only fields are sent, but not stored.
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
				channels := ledger.Submissions[0].Channels
				if !maps.Equal(channels[1].Fields, map[string]string{"a": "1", "b": "canary"}) {
					t.Errorf("sent %+v", channels)
				}
			}
			s.has(t, name, resp.NewState, map[string]any{
				"notification_id": id, "id": id, "confirmed": test.confirmed, "as_submitted": true,
			})
			at, _ := s.attribute(t, resp.NewState, "submitted_at").(string)
			if err := isRecent(at); err != nil {
				t.Error(err)
			}
		})
	}
}

// An update stores the plan.
func TestReadUpdateDelete_makeNoRequest(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	created := s.update(t, nil, arguments(t, anAnnouncement+"}"))
	s.ClearLedger()
	read := must(s.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: resourceName, CurrentState: created,
	}))
	onlySays(t, "read", read.Diagnostics, "")
	if !bytes.Equal(read.NewState.MsgPack, created.MsgPack) {
		t.Error("reading changes the state")
	}
	updated := s.update(t, created,
		arguments(t, strings.Replace(anAnnouncement, "HIGH", "BATCH", 1)+"}"))
	id := s.attribute(t, created, "notification_id")
	s.has(t, "updated", updated, map[string]any{
		"priority": "BATCH", "as_submitted": false, "notification_id": id, "id": id,
	})
	null := s.resource(t, nil)
	planned := must(s.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceName, PriorState: updated, ProposedNewState: null, Config: null,
	}))
	onlySays(t, "delete, planned", planned.Diagnostics, "")
	deleted := s.apply(t, plannedNotification{planned, updated, null})
	onlySays(t, "deleted", deleted.Diagnostics, "")
	s.sent(t, 0)
}

// An import stores the id, without a request. The plan that follows fills in the arguments,
// delivery too, and warns about nothing, since it is not known what was sent. Once it is applied,
// the next one changes nothing.
func TestImport(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	imported := func(id string) *tfprotov6.ImportResourceStateResponse {
		return must(s.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{
			TypeName: resourceName, ID: id,
		}))
	}
	refused := imported("")
	onlySays(t, "without an id", refused.Diagnostics, "The import id is empty")
	if len(refused.ImportedResources) > 0 {
		t.Error("imported without an id")
	}
	state := imported(importedID).ImportedResources[0].State
	want := map[string]any{
		"notification_id": importedID, "id": importedID, "as_submitted": false,
		"submitted_at": nil, "confirmed": nil, "delivery": nil,
	}
	s.has(t, "imported", state, want)
	want["delivery"] = atLeastOnce
	for _, more := range []string{
		``, `,"resend_on_change":true,"triggers":{"a":"1"},"timeouts":{"create":"1m"}`,
	} {
		given := arguments(t, `{"priority":"HIGH","channels":[{"type":"slack"}]`+more+"}")
		p := s.plan(t, state, given)
		onlySays(t, more, p.Diagnostics, "")
		if len(p.RequiresReplace) > 0 {
			t.Errorf("%s: replaced for %v", more, p.RequiresReplace)
		}
		filled := s.update(t, state, given)
		s.has(t, more, filled, want)
		again := s.plan(t, filled, given)
		if !bytes.Equal(again.PlannedState.MsgPack, filled.MsgPack) {
			t.Errorf("%s: planned %q", more, again.PlannedState.MsgPack)
		}
	}
	s.sent(t, 0)
}
