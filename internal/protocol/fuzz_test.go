package protocol_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/notification/terraform-provider-notification/internal/protocol"
)

// Unless a channel is unknown as a whole, the wrapper responds as the framework alone does. Nothing
// is applied: that would submit a notification.
func FuzzWrap(f *testing.F) {
	for _, text := range []string{
		"", "a", "\xd4", "\xc7\xff\n\xd8\xc9", "\u0153\U0001D4C8", string(make([]byte, 0xd4)),
	} {
		f.Add(text, "value", false, false, "a")
		f.Add("name", text, true, true, text)
		f.Add(text, text, true, false, "")
	}
	w, err := protocol.Wrap(framework())
	if err != nil {
		f.Fatal(err)
	}
	alone := framework()
	schemas := configure(f, w, "1.11.0")
	configure(f, alone, "1.11.0")
	f.Fuzz(func(t *testing.T, text, secret string, unknownText, nullChannel bool, before string) {
		fields := map[string]tftypes.Value{"pin": tftypes.NewValue(tftypes.String, secret)}
		channels := []any{map[string]any{"type": text, "subject": text}}
		if unknownText {
			channels = append(channels, map[string]any{"type": "slack", "subject": unknown})
		}
		if nullChannel {
			channels = append(channels, nil)
		}
		action := encoded(t, notification(schemas.ActionSchemas[actionName].Schema, channels))
		same(t, w.ValidateActionConfig, alone.ValidateActionConfig,
			tfprotov6.ValidateActionConfigRequest{ActionType: actionName, Config: action})

		channels = append(channels, map[string]any{"type": "slack", "fields_wo": fields})
		schema := schemas.ResourceSchemas[resourceName]
		config := encoded(t, notification(schema, channels))
		same(t, w.ValidateResourceConfig, alone.ValidateResourceConfig,
			tfprotov6.ValidateResourceConfigRequest{
				TypeName: resourceName, Config: config, ClientCapabilities: writeOnlyAllowed,
			})
		for _, prior := range []tftypes.Value{
			tftypes.NewValue(schema.ValueType(), nil),
			notification(schema, []any{map[string]any{"type": before}}),
			notification(schema, unknown),
			notification(schema, nil),
		} {
			planned := same(t, w.PlanResourceChange, alone.PlanResourceChange,
				tfprotov6.PlanResourceChangeRequest{
					TypeName: resourceName, PriorState: encoded(t, prior), ProposedNewState: config,
					Config: config,
				})
			same(t, w.ReadResource, alone.ReadResource, tfprotov6.ReadResourceRequest{
				TypeName: resourceName, CurrentState: planned.PlannedState,
			})
		}
		same(t, w.UpgradeResourceState, alone.UpgradeResourceState,
			tfprotov6.UpgradeResourceStateRequest{
				TypeName: resourceName, RawState: &tfprotov6.RawState{JSON: []byte(`{}`)},
			})
	})
}

// same makes a call to the wrapper and to the framework alone, and compares the responses.
func same[Request, Response any](
	t *testing.T, wrapped, alone func(context.Context, *Request) (Response, error), req Request,
) Response {
	t.Helper()
	got, err := wrapped(t.Context(), &req)
	want, wantErr := alone(t.Context(), &req)
	if err = errors.Join(err, wantErr); err != nil {
		t.Fatalf("%T: %v", req, err)
	}
	inAnyOrder := cmpopts.SortSlices(func(a, b *tfprotov6.Diagnostic) bool {
		return a.Attribute.String()+a.Summary+a.Detail < b.Attribute.String()+b.Summary+b.Detail
	})
	if diff := cmp.Diff(want, got, inAnyOrder); diff != "" {
		t.Fatalf("%T: the framework alone (-), the wrapper (+):\n%s", req, diff)
	}
	return want
}
