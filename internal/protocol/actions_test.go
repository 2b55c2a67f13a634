package protocol

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// An action that is invalid is neither planned nor invoked: the errors of its validation, without
// its warnings, are the response. Items that are unknown as a whole are valid, and hide no other
// error.
func TestActions_areValidatedAgain(t *testing.T) {
	t.Parallel()
	const missing = "Missing Configuration for Required Attribute"
	w := wrap(t, "1.14.0")
	for _, test := range []struct {
		items                         any
		validated, planned, completed string
	}{
		{[]any{members{"name": "a"}}, "warning", "planned", "invoked"},
		{[]any{unknown}, "warning", "planned", "invoked"},
		{[]any{unknown, members{"name": nil}}, "warning, " + missing, missing, missing},
		{nil, "warning, " + missing, missing, missing},
	} {
		config := withItems(t, w.schemas.ActionSchemas["sample_thing"].Schema, test.items)
		validated, validateErr := w.ValidateActionConfig(t.Context(),
			&tfprotov6.ValidateActionConfigRequest{ActionType: "sample_thing", Config: config})
		planned, planErr := w.PlanAction(t.Context(),
			&tfprotov6.PlanActionRequest{ActionType: "sample_thing", Config: config})
		stream, invokeErr := w.InvokeAction(t.Context(),
			&tfprotov6.InvokeActionRequest{ActionType: "sample_thing", Config: config})
		if err := errors.Join(validateErr, planErr, invokeErr); err != nil {
			t.Fatal(err)
		}
		var completed tfprotov6.CompletedInvokeActionEventType
		for event := range stream.Events {
			completed, _ = event.Type.(tfprotov6.CompletedInvokeActionEventType)
		}
		if got := []string{
			summaries(validated.Diagnostics), summaries(planned.Diagnostics),
			summaries(completed.Diagnostics),
		}; !slices.Equal(got, []string{test.validated, test.planned, test.completed}) {
			t.Errorf("%v: %q", test.items, got)
		}
	}
}

func summaries(diagnostics []*tfprotov6.Diagnostic) string {
	var all []string
	for _, d := range diagnostics {
		all = append(all, d.Summary)
	}
	return strings.Join(all, ", ")
}

// A framework without all methods is an error, so that the provider ends at its start.
func TestWrap_incompleteServer(t *testing.T) {
	t.Parallel()
	incomplete := struct{ tfprotov6.ProviderServer }{framework()}
	if w, err := Wrap(incomplete); w != nil || err == nil {
		t.Errorf("%v, %v", w, err)
	}
}
