package protocol_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"terraform-provider-notification/internal/protocol"
)

// warning is a server whose validation of actions warns.
type warning struct{ protocol.Server }

func (s warning) ValidateActionConfig(
	ctx context.Context, req *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	resp, err := s.Server.ValidateActionConfig(ctx, req)
	resp.Diagnostics = append(resp.Diagnostics, &tfprotov6.Diagnostic{
		Severity: tfprotov6.DiagnosticSeverityWarning, Summary: "warning",
	})
	return resp, err
}

// An action that is invalid is neither planned nor invoked: the errors of its validation, without
// its warnings, are the response. Channels that are unknown as a whole are valid, and hide no other
// error.
func TestWrap_validatesActionsAgain(t *testing.T) {
	t.Parallel()
	const missing = "Missing Configuration for Required Attribute"
	const unsent = "Unable to submit notification" // the reason is in the details
	w, err := protocol.Wrap(warning{framework()})
	if err != nil {
		t.Fatal(err)
	}
	schema := configure(t, w, "1.14.0").ActionSchemas[actionName].Schema
	for _, test := range []struct {
		channels                    []any
		validated, planned, invoked []string
	}{
		{[]any{unknown}, []string{"warning"}, nil, []string{unsent}},
		{
			[]any{unknown, map[string]any{"subject": "one"}},
			[]string{missing, "warning"}, []string{missing}, []string{missing},
		},
	} {
		config := encoded(t, notification(schema, test.channels))
		validated, validateErr := w.ValidateActionConfig(t.Context(),
			&tfprotov6.ValidateActionConfigRequest{ActionType: actionName, Config: config})
		planned, planErr := w.PlanAction(t.Context(),
			&tfprotov6.PlanActionRequest{ActionType: actionName, Config: config})
		stream, invokeErr := w.InvokeAction(t.Context(),
			&tfprotov6.InvokeActionRequest{ActionType: actionName, Config: config})
		if err := errors.Join(validateErr, planErr, invokeErr); err != nil {
			t.Fatal(err)
		}
		var completed tfprotov6.CompletedInvokeActionEventType
		for event := range stream.Events {
			completed, _ = event.Type.(tfprotov6.CompletedInvokeActionEventType)
		}
		for call, result := range map[string]struct {
			found []*tfprotov6.Diagnostic
			want  []string
		}{
			"validated": {validated.Diagnostics, test.validated},
			"planned":   {planned.Diagnostics, test.planned},
			"invoked":   {completed.Diagnostics, test.invoked},
		} {
			var got []string
			for _, d := range result.found {
				got = append(got, d.Summary)
			}
			if !slices.Equal(got, result.want) {
				t.Errorf("%v, %s: got %q, want %q", test.channels, call, got, result.want)
			}
		}
	}
}
