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

// The action's progress, which Terraform prints without redaction, contains no content.
func TestSendAction(t *testing.T) {
	t.Parallel()
	const submitting = "Submitting a notification with priority HIGH through 1 channel"
	for fault, test := range map[string]struct {
		says     string
		progress []string
	}{
		`json-after:{"notification_id":"n-1"}`: {
			"", []string{submitting, "The notification was submitted and has the id n-1"},
		},
		"status:422": {
			"Unable to submit notification: ... apply -invoke=ADDRESS", []string{submitting},
		},
		"reset-after": {
			"Notification may have been submitted ... remove the action from its trigger ... " +
				"/test/docs/guides/troubleshooting#when-an-answer-is-lost", []string{submitting},
		},
		"status:429:600": {
			"asked to wait 10m0s, with only 5m0s left ... Wait a while. ... To submit it:",
			[]string{submitting},
		},
		"empty": {
			"Warning: Notification submitted without an id ... not invoke the action",
			[]string{submitting, "The notification was submitted; the service returned no id"},
		},
	} {
		s := newBackend(t, faulty("submission", fault)).configure(t, nil)
		progress, completed := s.invoke(t.Context(), t, arguments(t, anAnnouncement+"}"))
		onlySays(t, fault, completed.Diagnostics, test.says)
		if !slices.Equal(progress, test.progress) {
			t.Errorf("%s: %q, want %q", fault, progress, test.progress)
		}
		if got := s.Ledger().SubmissionRequests; got != 1 {
			t.Errorf("%s: %d submissions", fault, got)
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
