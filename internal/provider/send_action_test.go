package provider

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/emulator"
)

const everything = `{
	"priority": "NORMAL",
	"channels": [
		{
			"type": "canary-type", "recipient": ["canary-recipient"], "subject": "canary subject",
			"content_type": "md", "template_id": "canary-template",
			"fields": {"a": "canary-field", "b": ""}
		},
		{"type": "sms", "fields": {}}
	]
}`

// invoke invokes the action, and returns the progress and the final event that Terraform receives.
func (w *wire) invoke(
	ctx context.Context, t *testing.T, text string,
) (progress []string, completed *tfprotov6.CompletedInvokeActionEventType) {
	t.Helper()
	return w.invokeWith(ctx, t, arguments(t, text))
}

func (w *wire) invokeWith(
	ctx context.Context, t *testing.T, given map[string]any,
) (progress []string, completed *tfprotov6.CompletedInvokeActionEventType) {
	t.Helper()
	schema := w.schema.ActionSchemas["notification_send"].Schema
	resp, err := w.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{
		ActionType: "notification_send", Config: w.value(t, schema, given),
	})
	if err != nil {
		t.Fatal(err)
	}
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

// For the same input the action submits what the resource submits: TestChannelMembers looks at
// what that is. Its progress, which Terraform
// prints without redaction, contains no content.
func TestSendAction(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	w.create(t, arguments(t, everything))
	progress, completed := w.invoke(t.Context(), t, everything)

	submissions := b.Ledger().Submissions
	if len(submissions) != 2 || string(submissions[0].Body) != string(submissions[1].Body) {
		t.Fatalf("%d submissions:\n%s\n%s", len(submissions), submissions[0].Body,
			submissions[len(submissions)-1].Body)
	}
	if completed == nil || len(completed.Diagnostics) != 0 || len(progress) != 2 ||
		!strings.Contains(progress[0], "NORMAL through 2 channels") ||
		!strings.Contains(progress[1], submissions[1].NotificationID) {
		t.Errorf("%q, %+v", progress, completed)
	}
	if strings.Contains(strings.Join(progress, ""), "canary") {
		t.Errorf("progress gives content away: %q", progress)
	}
}

func TestSendAction_failures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault, summary, detail string
		progress               int
	}{
		"refused": {"status:422", "Unable to submit notification", "apply -invoke=ADDRESS", 1},
		"lost": {
			"reset-after", "Notification may have been submitted",
			"remove the action from its trigger", 1,
		},
		"without id": {
			"empty", "Notification submitted without an id", "not invoke the action again", 2,
		},
	} {
		b := newBackend(t, func(c *emulator.Config) {
			c.Faults = emulator.Faults{"submission": test.fault}
		})
		progress, completed := newWire(t, b).invoke(t.Context(), t, everything)
		if len(progress) != test.progress || completed == nil || len(completed.Diagnostics) != 1 ||
			!strings.HasPrefix(completed.Diagnostics[0].Summary, test.summary) ||
			!strings.Contains(completed.Diagnostics[0].Detail, test.detail) {
			t.Errorf("%s: %q, %+v", name, progress, completed)
		}
		if got := b.Ledger().SubmissionRequests; got != 1 {
			t.Errorf("%s: %d requests", name, got)
		}
	}
}

// After cancellation nothing is sent to the service or to Terraform.
func TestSendAction_cancelled(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("Ctrl-C"))
	progress, completed := w.invoke(ctx, t, everything)
	if len(progress) != 0 || completed == nil || len(completed.Diagnostics) != 1 {
		t.Errorf("%q, %+v", progress, completed)
	}
	b.sent(t, 0)()
}

// The action is validated like the resource and, since Terraform validates actions with unknown
// variables only, again when it is planned and invoked.
func TestSendAction_validation(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	for text, want := range map[string]string{
		`{"priority":"high","channels":[{"type":"x"}]}`:                `Did you mean "HIGH"?`,
		`{"priority":"HIGH","channels":[]}`:                            "at least 1",
		`{"priority":"HIGH","channels":[{"type":null,"subject":"x"}]}`: "channels[0].type",
		`{"priority":"HIGH","channels":[{"type":" "}]}`: "" +
			"channels[0].type must not be blank",
	} {
		given := arguments(t, text)
		_, invoked := w.invokeWith(t.Context(), t, given)
		for when, diags := range map[string][]*tfprotov6.Diagnostic{
			"validate": w.validateAction(t, given), "plan": w.planAction(t, given),
			"invoke": invoked.Diagnostics,
		} {
			if len(diags) != 1 || !strings.Contains(diags[0].Summary+diags[0].Detail, want) {
				t.Errorf("%s, %s: %+v", text, when, diags)
			}
		}
	}
	b.sent(t, 0)()
}

// validateAction are the diagnostics of the action's validation.
func (w *wire) validateAction(t *testing.T, given map[string]any) []*tfprotov6.Diagnostic {
	t.Helper()
	schema := w.schema.ActionSchemas["notification_send"].Schema
	resp, err := w.ValidateActionConfig(t.Context(), &tfprotov6.ValidateActionConfigRequest{
		ActionType: "notification_send", Config: w.value(t, schema, given),
	})
	if err != nil {
		t.Fatal(err)
	}
	return resp.Diagnostics
}

// What is not known yet is neither refused nor reported, by the action and the resource.
func TestUnknownArguments(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	const later = tftypes.UnknownValue
	for name, channels := range map[string]any{
		"all":         later,
		"a channel":   []any{later},
		"its members": []any{map[string]any{"type": later, "recipient": later, "fields": later}},
		"their elements": []any{map[string]any{
			"type": "slack", "recipient": []any{later, "a"}, "fields": map[string]any{"a": later},
		}},
	} {
		given := map[string]any{"priority": later, "channels": channels}
		diagnostics := append(w.validateAction(t, given), w.planAction(t, given)...)
		given["delivery"], given["resend_on_change"] = later, later
		given["triggers"] = map[string]any{"a": later}
		given["timeouts"] = map[string]any{"create": later}
		p := w.plan(t, nil, given)
		diagnostics = append(diagnostics, p.Diagnostics...)
		found := w.validate(t, given)
		if len(diagnostics)+len(found) > 0 ||
			w.attribute(t, p.PlannedState, "delivery") != later {
			t.Errorf("%s: %+v, %q", name, diagnostics, found)
		}
	}
	b.sent(t, 0)()
}

// The two schemas describe the same channels.
func TestActionAndResourceAgree(t *testing.T) {
	t.Parallel()
	w := newWire(t, newBackend(t, nil))
	channels := func(schema *tfprotov6.Schema) map[string]channelMember {
		found := map[string]channelMember{}
		for _, member := range channelMembers(t, schema) {
			found[member.Name] = member
		}
		return found
	}
	ofResource := channels(w.schema.ResourceSchemas[resourceName])
	ofAction := channels(w.schema.ActionSchemas["notification_send"].Schema)
	if len(ofResource) != len(ofAction)+1 || !ofResource["fields_wo"].WriteOnly {
		t.Errorf("%d and %d members", len(ofResource), len(ofAction))
	}
	for name, a := range ofAction {
		r, ok := ofResource[name]
		if !ok || !r.Type.Equal(a.Type) || r.Required != a.Required ||
			r.Optional != a.Optional || r.Description != a.Description ||
			r.Sensitive != a.Sensitive || r.Deprecated != a.Deprecated {
			t.Errorf("%s differs", name)
		}
	}
}
