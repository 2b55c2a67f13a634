package protocol

import (
	"context"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Plan and invocation report the errors of validation, without its warnings, and go no further.
func TestActionsAreValidatedAgain(t *testing.T) {
	t.Parallel()
	for items, wrong := range map[string]bool{"a": false, "??": false, "-": true, "??\n-": true} {
		w := wrap(t, "1.14.0")
		config := withItems(t, w.schema.ActionSchemas["sample_thing"].Schema, items+"\n")
		planned, err := w.PlanAction(t.Context(), &tfprotov6.PlanActionRequest{
			ActionType: "sample_thing", Config: config,
		})
		if err != nil {
			t.Fatal(err)
		}
		got := summaries(planned.Diagnostics)
		if len(got) != 1 || (got[0] == "planned") == wrong || got[0] == "validated" {
			t.Errorf("%q: planned with %q", items, got)
		}
		want := []int{1, 1} // events and invocations
		if wrong {
			want = []int{2, 0}
		}
		completed, err := w.completed(t.Context(), config)
		if err != nil || !slices.Equal([]int{len(completed), w.invoked}, want) {
			t.Errorf("%q: %q, %v, invoked %d times", items, completed, err, w.invoked)
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
