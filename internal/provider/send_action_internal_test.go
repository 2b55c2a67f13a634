package provider

import (
	"context"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// action encodes the configuration of an action.
func (s *testServer) action(t *testing.T, given map[string]any) *tfprotov6.DynamicValue {
	t.Helper()
	return s.value(t, s.schema.ActionSchemas["notification_send"].Schema, given)
}

// invoke invokes the action, and returns the progress and the final event that Terraform receives.
func (s *testServer) invoke(
	ctx context.Context, t *testing.T, given map[string]any,
) (progress []string, completed *tfprotov6.CompletedInvokeActionEventType) {
	t.Helper()
	resp := must(s.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{
		ActionType: "notification_send", Config: s.action(t, given),
	}))
	for event := range resp.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			progress = append(progress, event.Message)
		case tfprotov6.CompletedInvokeActionEventType:
			completed = &event
		}
	}
	return progress, completed
}

// The action submits the same request as the resource, each under its own key; FuzzChannelMembers
// checks the content. The action's progress, which Terraform prints without redaction, contains no
// content.
func TestSendAction(t *testing.T) {
	t.Parallel()
	s := newKeyedTestServer(t)
	s.update(t, nil, with(arguments(t, anAnnouncement+"}"), "idempotency_key", "canary-1"))
	progress, completed := s.invoke(t.Context(), t,
		with(arguments(t, anAnnouncement+"}"), "idempotency_key", "canary-2"))

	submissions := s.Ledger().Submissions
	if len(submissions) != 2 || string(submissions[0].Body) != string(submissions[1].Body) ||
		submissions[0].IdempotencyKey != "canary-1" || submissions[1].IdempotencyKey != "canary-2" {
		t.Fatalf("%+v", submissions)
	}
	onlySays(t, "invoked", completed.Diagnostics, "")
	want := []string{
		"Submitting a notification with priority HIGH through 1 channel",
		"The notification was submitted and has the id " + submissions[1].NotificationID,
	}
	if !slices.Equal(progress, want) {
		t.Errorf("got %q, want %q", progress, want)
	}
}

func TestSendAction_failures(t *testing.T) {
	t.Parallel()
	for fault, test := range map[string]struct {
		says     string
		progress int
	}{
		"status:422": {"Unable to submit notification: ... apply -invoke=ADDRESS", 1},
		"reset-after": {
			"Notification may have been submitted ... remove the action from its trigger ... " +
				"/test/docs/guides/troubleshooting#when-an-answer-is-lost", 1,
		},
		"status:429:600": {
			"asked to wait 10m0s, with only 5m0s left ... Wait a while. ... To submit it:", 1,
		},
		"empty": {"Warning: Notification submitted without an id ... not invoke the action", 2},
	} {
		s := newBackend(t, faulty("submission", fault)).configure(t, nil)
		progress, completed := s.invoke(t.Context(), t, arguments(t, anAnnouncement+"}"))
		onlySays(t, fault, completed.Diagnostics, test.says)
		if got := s.Ledger().SubmissionRequests; got != 1 || len(progress) != test.progress {
			t.Errorf("%s: %d requests, %q", fault, got, progress)
		}
	}
}

// After cancellation nothing is sent to the service or to Terraform.
func TestSendAction_cancelled(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	progress, completed := s.invoke(ctx, t, arguments(t, anAnnouncement+"}"))
	if len(progress) != 0 || len(completed.Diagnostics) != 1 {
		t.Errorf("%q, %+v", progress, completed)
	}
	s.sent(t, 0)
}
