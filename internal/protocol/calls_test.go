package protocol

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"testing"
	"weak"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// After a call of a resource, the values of its context are released, although the framework keeps
// the context. The framework reports a resource without a schema.
func TestCalls_releaseTheirContexts(t *testing.T) {
	t.Parallel()
	const none = "sample_none" // which the provider does not have, so that no call fails
	w := wrap(t, "1.14.0")
	withUnknown := withItems(t, w.schemas.ResourceSchemas["sample_thing"], []any{unknown})
	held := map[string]weak.Pointer[[1024]byte]{}
	contextOf := func(call string) context.Context {
		value := new([1024]byte)
		held[call] = weak.Make(value)
		return context.WithValue(t.Context(), heldKey{}, value)
	}
	_, validateErr := w.ValidateResourceConfig(contextOf("ValidateResourceConfig"),
		&tfprotov6.ValidateResourceConfigRequest{TypeName: none, Config: withUnknown})
	_, upgradeErr := w.UpgradeResourceState(contextOf("UpgradeResourceState"),
		&tfprotov6.UpgradeResourceStateRequest{TypeName: none})
	_, readErr := w.ReadResource(contextOf("ReadResource"),
		&tfprotov6.ReadResourceRequest{TypeName: none})
	_, planErr := w.PlanResourceChange(contextOf("PlanResourceChange"),
		&tfprotov6.PlanResourceChangeRequest{TypeName: none, Config: withUnknown})
	_, applyErr := w.ApplyResourceChange(contextOf("ApplyResourceChange"),
		&tfprotov6.ApplyResourceChangeRequest{TypeName: none})
	if err := errors.Join(validateErr, upgradeErr, readErr, planErr, applyErr); err != nil {
		t.Error(err)
	}
	for range 5 { // a sync.Pool keeps its values during the first
		runtime.GC()
	}
	for name, held := range held {
		if held.Value() != nil {
			t.Errorf("%s: the context is kept", name)
		}
	}
	runtime.KeepAlive(w) // which may keep the contexts; else they would be collected with it
}

// Unless an item is unknown as a whole, the wrapper responds as the framework alone does.
func FuzzWrap(f *testing.F) {
	for _, text := range []string{
		"", "a", "\xd4", "\xc7\xff\n\xd8\xc9", "\u0153\U0001D4C8", string(make([]byte, 0xd4)),
	} {
		f.Add(text, "value", false, false, "a")
		f.Add("name", text, true, true, text)
		f.Add(text, text, true, false, "")
	}
	f.Fuzz(func(t *testing.T, name, secret string, unknownValue, nullItem bool, before string) {
		items := []any{members{"name": name, "value_wo": secret}, members{"name": name}}
		if unknownValue {
			items = append(items, members{"name": unknown, "value_wo": secret})
		}
		if nullItem {
			items = append(items, nil)
		}
		w, alone := wrap(t, "1.11.0"), framework()
		thing := w.schemas.ResourceSchemas["sample_thing"]
		config := withItems(t, thing, items)
		same(t, w.ValidateResourceConfig, alone.ValidateResourceConfig,
			tfprotov6.ValidateResourceConfigRequest{
				TypeName: "sample_thing", Config: config, ClientCapabilities: writeOnlyAllowed,
			})
		for _, prior := range []any{[]any{members{"name": before}}, unknown, nil} {
			same(t, w.PlanResourceChange, alone.PlanResourceChange,
				tfprotov6.PlanResourceChangeRequest{
					TypeName: "sample_thing", PriorState: withItems(t, thing, prior),
					ProposedNewState: config, Config: config,
				})
		}
		none := encoded(t, thing.ValueType(), nil)
		planned := same(t, w.PlanResourceChange, alone.PlanResourceChange,
			tfprotov6.PlanResourceChangeRequest{
				TypeName: "sample_thing", PriorState: none, ProposedNewState: config, Config: config,
			})
		applied := same(t, w.ApplyResourceChange, alone.ApplyResourceChange,
			tfprotov6.ApplyResourceChangeRequest{
				TypeName: "sample_thing", PriorState: none, PlannedState: planned.PlannedState,
				PlannedPrivate: planned.PlannedPrivate, Config: config,
			})
		same(t, w.ReadResource, alone.ReadResource,
			tfprotov6.ReadResourceRequest{TypeName: "sample_thing", CurrentState: applied.NewState})
		same(t, w.UpgradeResourceState, alone.UpgradeResourceState,
			tfprotov6.UpgradeResourceStateRequest{
				TypeName: "sample_thing", RawState: &tfprotov6.RawState{JSON: []byte(`{}`)},
			})
		config = withItems(t, w.schemas.ActionSchemas["sample_thing"].Schema, items)
		same(t, w.ValidateActionConfig, alone.ValidateActionConfig,
			tfprotov6.ValidateActionConfigRequest{ActionType: "sample_thing", Config: config})
	})
}

// same makes a call to the wrapper and to the framework alone, and compares the responses.
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
