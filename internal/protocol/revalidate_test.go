package protocol

import (
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
		events := called(t.Context(), t, w, "InvokeAction", &tfprotov6.InvokeActionRequest{
			ActionType: "sample_thing", Config: config,
		})
		event := events[0].(tfprotov6.InvokeActionEvent).Type
		diagnostics := event.(tfprotov6.CompletedInvokeActionEventType).Diagnostics
		want := []int{1, 0, 1} // events, diagnostics and invocations
		if wrong {
			want = []int{1, 1, 0}
		}
		if got := []int{len(events), len(diagnostics), w.invoked}; !slices.Equal(got, want) {
			t.Errorf("%q: %v and invoked %d times", items, events, w.invoked)
		}
	}
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
	if _, err := w.InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{
		ActionType: "sample_thing", Config: config,
	}); err == nil {
		t.Error("it was invoked")
	}
}
