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

// Where no element of a list is unknown as a whole, the wrapper answers as the framework alone
// does. Plan and invocation of an action answer with the errors of its validation, if it has any.
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
		w := wrap(t, "1.11.0")
		invoked := 0
		alone := framework(&invoked)

		thing := w.schema.ResourceSchemas["sample_thing"]
		config := generated(t, thing, items)
		same(t, w.ValidateResourceConfig, alone.ValidateResourceConfig,
			tfprotov6.ValidateResourceConfigRequest{
				TypeName: "sample_thing", Config: config,
				ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{
					WriteOnlyAttributesAllowed: true,
				},
			})
		same(t, w.PlanResourceChange, alone.PlanResourceChange,
			tfprotov6.PlanResourceChangeRequest{
				TypeName: "sample_thing", PriorState: generated(t, thing, before),
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

		config = generated(t, w.schema.ActionSchemas["sample_thing"].Schema, items)
		validated := same(t, w.ValidateActionConfig, alone.ValidateActionConfig,
			tfprotov6.ValidateActionConfigRequest{ActionType: "sample_thing", Config: config})
		errs := slices.DeleteFunc(validated.Diagnostics, func(d *tfprotov6.Diagnostic) bool {
			return d.Severity != tfprotov6.DiagnosticSeverityError
		})
		plan, invoke := alone.PlanAction, alone.InvokeAction
		if len(errs) > 0 {
			plan = func(
				context.Context, *tfprotov6.PlanActionRequest,
			) (*tfprotov6.PlanActionResponse, error) {
				return &tfprotov6.PlanActionResponse{Diagnostics: errs}, nil
			}
			invoke = func(
				context.Context, *tfprotov6.InvokeActionRequest,
			) (*tfprotov6.InvokeActionServerStream, error) {
				end := tfprotov6.CompletedInvokeActionEventType{Diagnostics: errs}
				return &tfprotov6.InvokeActionServerStream{
					Events: slices.Values([]tfprotov6.InvokeActionEvent{{Type: end}}),
				}, nil
			}
		}
		same(t, w.PlanAction, plan,
			tfprotov6.PlanActionRequest{ActionType: "sample_thing", Config: config})
		same(t, events(w.InvokeAction), events(invoke),
			tfprotov6.InvokeActionRequest{ActionType: "sample_thing", Config: config})
		if w.invoked != invoked {
			t.Errorf("invoked %d times, want %d", w.invoked, invoked)
		}
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

// events collects the events of an invocation.
func events(
	call func(
		context.Context, *tfprotov6.InvokeActionRequest,
	) (*tfprotov6.InvokeActionServerStream, error),
) func(context.Context, *tfprotov6.InvokeActionRequest) ([]tfprotov6.InvokeActionEvent, error) {
	return func(
		ctx context.Context, req *tfprotov6.InvokeActionRequest,
	) ([]tfprotov6.InvokeActionEvent, error) {
		stream, err := call(ctx, req)
		if err != nil {
			return nil, err
		}
		return slices.Collect(stream.Events), nil
	}
}

// generated is an object whose items are lines NAME=VALUE_WO. "?" stands for an unknown list, name
// or value, "-" for one that is null, "--" for an item that is.
func generated(t *testing.T, schema *tfprotov6.Schema, text string) *tfprotov6.DynamicValue {
	t.Helper()
	object := schema.ValueType().(tftypes.Object)
	list := object.AttributeTypes["items"].(tftypes.List)
	item := list.ElementType.(tftypes.Object)
	value := func(typ tftypes.Type, text string, otherwise any) tftypes.Value {
		switch text {
		case "?":
			otherwise = tftypes.UnknownValue
		case "-":
			otherwise = nil
		}
		return tftypes.NewValue(typ, otherwise)
	}
	elements := []tftypes.Value{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "--" {
			elements = append(elements, tftypes.NewValue(item, nil))
			continue
		}
		name, secret, _ := strings.Cut(line, "=")
		members := map[string]tftypes.Value{"name": value(tftypes.String, name, name)}
		if _, ok := item.AttributeTypes["value_wo"]; ok {
			members["value_wo"] = value(tftypes.String, secret, secret)
		}
		elements = append(elements, tftypes.NewValue(item, members))
	}
	return encoded(t, object, tftypes.NewValue(object, map[string]tftypes.Value{
		"items": value(list, text, elements),
	}))
}
