package protocol

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Where no item is unknown as a whole, the wrappers answer as the framework alone does.
func FuzzWrap(f *testing.F) {
	for _, items := range []string{
		"", "?", "-", "a", "a=b\n?=?\n--\n=c", "-=b", "\xd4", "a=\xc7\xff\n\xd8\xc9",
		"\u0153\U0001D4C8=?", strings.Repeat("x", 0xd4) + "=b",
		"a\n" + strings.Repeat("\xd5", 40) + "\n-",
	} {
		f.Add(items, "-")
		f.Add("?=a\n\xd4", items)
	}
	f.Fuzz(func(t *testing.T, items, before string) {
		if slices.Contains(strings.Split(items+"\n"+before, "\n"), "??") {
			return
		}
		w, alone := wrap(t, "1.11.0"), framework()
		thing := w.schemas.ResourceSchemas["sample_thing"]
		config := withItems(t, thing, items)
		same(t, w.ValidateResourceConfig, alone.ValidateResourceConfig,
			tfprotov6.ValidateResourceConfigRequest{
				TypeName: "sample_thing", Config: config,
				ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{
					WriteOnlyAttributesAllowed: true,
				},
			})
		same(t, w.PlanResourceChange, alone.PlanResourceChange,
			tfprotov6.PlanResourceChangeRequest{
				TypeName: "sample_thing", PriorState: withItems(t, thing, before),
				ProposedNewState: config, Config: config,
			})
		none := encoded(t, thing.ValueType(), tftypes.NewValue(thing.ValueType(), nil))
		planned := same(t, w.PlanResourceChange, alone.PlanResourceChange,
			tfprotov6.PlanResourceChangeRequest{
				TypeName: "sample_thing", PriorState: none, ProposedNewState: config,
				Config: config,
			})
		same(t, w.ApplyResourceChange, alone.ApplyResourceChange,
			tfprotov6.ApplyResourceChangeRequest{
				TypeName: "sample_thing", PriorState: none, PlannedState: planned.PlannedState,
				PlannedPrivate: planned.PlannedPrivate, Config: config,
			})

		config = withItems(t, w.schemas.ActionSchemas["sample_thing"].Schema, items)
		same(t, w.ValidateActionConfig, alone.ValidateActionConfig,
			tfprotov6.ValidateActionConfigRequest{ActionType: "sample_thing", Config: config})
	})
}

// same makes a call to the wrapper and to the framework alone, and compares the answers.
func same[Request, Response any](
	t *testing.T, wrapped, alone func(context.Context, *Request) (Response, error), req Request,
) Response {
	t.Helper()
	got, err := wrapped(t.Context(), &req)
	want, wantErr := alone(t.Context(), &req)
	if err != nil || wantErr != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%T:\n%+v, %v\nthe framework alone:\n%+v, %v", req, got, err, want, wantErr)
	}
	return want
}
