package protocol

import (
	"context"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Plan and invocation report the errors of validation, without its warnings, and go no further.
func TestActionsAreValidatedAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		items []any
		wrong bool
	}{
		"good":    {[]any{"a"}, false},
		"unknown": {[]any{tftypes.UnknownValue}, false},
		"null":    {[]any{nil}, true},
		"mixed":   {[]any{tftypes.UnknownValue, nil}, true},
	} {
		w := wrap(t, "1.14.0")
		config := withItems(t, w.schema.ActionSchemas["sample_thing"].Schema, test.items...)
		wantErrors := 0
		if test.wrong {
			wantErrors = 1
		}
		validated, err := w.ValidateActionConfig(t.Context(),
			&tfprotov6.ValidateActionConfigRequest{ActionType: "sample_thing", Config: config})
		if err != nil {
			t.Fatal(err)
		}
		if got := summaries(validated.Diagnostics); len(got) != 1+wantErrors ||
			!slices.Contains(got, "validated") {
			t.Errorf("%s: validated with %q", name, got)
		}
		planned, err := w.PlanAction(t.Context(), &tfprotov6.PlanActionRequest{
			ActionType: "sample_thing", Config: config,
		})
		if err != nil {
			t.Fatal(err)
		}
		got := summaries(planned.Diagnostics)
		if len(got) != 1 || (got[0] == "planned") == test.wrong || got[0] == "validated" {
			t.Errorf("%s: planned with %q", name, got)
		}
		completed, err := w.completed(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		if len(completed) != 1+wantErrors || w.invoked != 1-wantErrors {
			t.Errorf("%s: %q, invoked %d times", name, completed, w.invoked)
		}
	}
}

// completed invokes the action, and returns "completed" and the summaries of its last event.
func (w *wrapped) completed(
	ctx context.Context, config *tfprotov6.DynamicValue,
) (completed []string, err error) {
	invoked, err := w.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{
		ActionType: "sample_thing", Config: config,
	})
	if err != nil {
		return nil, err
	}
	for event := range invoked.Events {
		if end, ok := event.Type.(tfprotov6.CompletedInvokeActionEventType); ok {
			completed = append(completed, "completed")
			completed = append(completed, summaries(end.Diagnostics)...)
		}
	}
	return completed, nil
}

func summaries(diagnostics []*tfprotov6.Diagnostic) (all []string) {
	for _, d := range diagnostics {
		all = append(all, d.Summary)
	}
	return all
}

// A configuration that cannot be read is an error, and nothing is invoked.
func TestActionsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := wrap(t, "1.14.0")
	config := &tfprotov6.DynamicValue{MsgPack: []byte{0xd4}} // an extension type, cut off
	if _, err := w.PlanAction(t.Context(), &tfprotov6.PlanActionRequest{
		ActionType: "sample_thing", Config: config,
	}); err == nil {
		t.Error("it was planned")
	}
	if _, err := w.completed(t.Context(), config); err == nil || w.invoked != 0 {
		t.Errorf("%v, invoked %d times", err, w.invoked)
	}
}
