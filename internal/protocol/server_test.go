package protocol_test

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"weak"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/notification/terraform-provider-notification/internal/emulator/emulatortest"
	"github.com/notification/terraform-provider-notification/internal/protocol"
	"github.com/notification/terraform-provider-notification/internal/provider"
)

const (
	resourceName = "notification_notification"
	actionName   = "notification_send"
	unknown      = tftypes.UnknownValue
)

func TestMain(m *testing.M) {
	emulatortest.ClearEnvironment()
	m.Run()
}

// framework returns the plugin framework's server of the provider.
func framework() protocol.Server {
	return providerserver.NewProtocol6(provider.New("test"))().(protocol.Server)
}

// configure passes a provider block to the server, as a Terraform of the given version does, and
// returns the schemas.
func configure(
	t testing.TB, server protocol.Server, terraform string,
) *tfprotov6.GetProviderSchemaResponse {
	t.Helper()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: terraform,
		Config: encoded(t, object(schemas.Provider.ValueType(), map[string]any{
			"auth_url": "https://auth.example.com", "base_url": "https://api.example.com",
			"client_id": "id", "client_secret": "secret",
		})),
	})
	if err != nil || len(configured.Diagnostics) > 0 {
		t.Fatal(err, configured)
	}
	return schemas
}

// object returns an object with these members; omitted ones are null.
func object(typ tftypes.Type, members map[string]any) tftypes.Value {
	values := map[string]tftypes.Value{}
	for name, typ := range typ.(tftypes.Object).AttributeTypes {
		values[name] = tftypes.NewValue(typ, members[name])
	}
	return tftypes.NewValue(typ, values)
}

func encoded(t testing.TB, value tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	dynamic, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err != nil {
		t.Fatal(err)
	}
	return &dynamic
}

// notification returns the arguments of a notification. channels is a list of members, nil or
// unknown, or nil or unknown for the whole list.
func notification(schema *tfprotov6.Schema, channels any) tftypes.Value {
	typ := schema.ValueType().(tftypes.Object)
	channel := typ.AttributeTypes["channels"].(tftypes.List).ElementType
	if given, ok := channels.([]any); ok {
		elements := []tftypes.Value{}
		for _, value := range given {
			if members, ok := value.(map[string]any); ok {
				elements = append(elements, object(channel, members))
			} else {
				elements = append(elements, tftypes.NewValue(channel, value))
			}
		}
		channels = elements
	}
	return object(typ, map[string]any{"priority": "HIGH", "channels": channels})
}

// A framework without all methods is an error, so that the provider ends at its start.
func TestWrap_incompleteServer(t *testing.T) {
	t.Parallel()
	incomplete := struct{ tfprotov6.ProviderServer }{framework()}
	if w, err := protocol.Wrap(incomplete); w != nil || err == nil {
		t.Errorf("%v, %v", w, err)
	}
}

// Terraform would not see a method of the framework's server, as one that a new version brings, if
// the wrapper lacked it.
func TestWrap_hasEveryMethod(t *testing.T) {
	t.Parallel()
	w, err := protocol.Wrap(framework())
	if err != nil {
		t.Fatal(err)
	}
	wrapped := reflect.TypeOf(w)
	for method := range reflect.TypeOf(framework()).Methods() {
		if _, ok := wrapped.MethodByName(method.Name); !ok {
			t.Errorf("the wrapper lacks %s: embed its interface in Server", method.Name)
		}
	}
}

// Channels that are unknown as a whole pass validation, and Terraform accepts their plan: fields_wo
// is null, or the channel stays unknown if write-only attributes are not supported, even where a
// change has unknown members in its place. Channels that are null or known stay the same.
func TestWrap_expandsChannels(t *testing.T) {
	t.Parallel()
	to := []tftypes.Value{tftypes.NewValue(tftypes.String, "C1")}
	known := map[string]any{"type": "slack", "recipient": to, "subject": "one"}
	unknownType := map[string]any{"type": unknown, "recipient": to, "subject": "one"}
	expanded := map[string]any{
		"type": unknown, "recipient": unknown, "subject": unknown, "content_type": unknown,
		"template_id": unknown, "fields": unknown,
	}
	members := maps.Clone(expanded)
	members["fields_wo"] = unknown
	one, changed := []any{known}, []any{members} // as Terraform proposes to change one to an unknown
	for _, test := range []struct {
		terraform       string
		channels, want  any
		prior, proposed any // of a change; nil for a creation
	}{
		{"1.11.0", []any{known, unknown, unknownType}, []any{known, expanded, unknownType}, nil, nil},
		{"1.11.0", unknown, unknown, nil, nil},
		{"1.11.0", []any{unknown}, []any{expanded}, one, changed},
		{"1.11.0-beta1", []any{unknown}, []any{expanded}, nil, nil},
		{"2.0.0", []any{unknown}, []any{expanded}, nil, nil},
		{"1.10.5", []any{known, unknown}, []any{known, unknown}, nil, nil},
		{"1.10.5", []any{unknown}, []any{unknown}, one, changed},
		{"1.10.5", []any{known, unknown}, []any{known, unknown}, one, []any{known, unknown}},
		{"", []any{unknown}, []any{unknown}, nil, nil},
	} {
		w, err := protocol.Wrap(framework())
		if err != nil {
			t.Fatal(err)
		}
		schema := configure(t, w, test.terraform).ResourceSchemas[resourceName]
		config := encoded(t, notification(schema, test.channels))
		validated, err := w.ValidateResourceConfig(t.Context(),
			&tfprotov6.ValidateResourceConfigRequest{
				TypeName: resourceName, Config: config,
				ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{
					WriteOnlyAttributesAllowed: test.terraform >= "1.11",
				},
			})
		if err != nil || len(validated.Diagnostics) > 0 {
			t.Errorf("Terraform %s, %v, validated: %v, %v", test.terraform, test.channels,
				validated, err)
		}
		request := tfprotov6.PlanResourceChangeRequest{
			TypeName: resourceName, Config: config, ProposedNewState: config,
			PriorState: encoded(t, tftypes.NewValue(schema.ValueType(), nil)),
		}
		if test.prior != nil {
			request.PriorState = encoded(t, notification(schema, test.prior))
			request.ProposedNewState = encoded(t, notification(schema, test.proposed))
		}
		planned, err := w.PlanResourceChange(t.Context(), &request)
		if err != nil || slices.ContainsFunc(planned.Diagnostics, isError) {
			t.Fatalf("Terraform %s, %v, planned: %v, %v", test.terraform, test.channels, planned, err)
		}
		var got, want map[string]tftypes.Value
		plan, err := planned.PlannedState.Unmarshal(schema.ValueType())
		if err = errors.Join(err, plan.As(&got), notification(schema, test.want).As(&want)); err != nil {
			t.Fatal(err)
		}
		if !got["channels"].Equal(want["channels"]) {
			t.Errorf("Terraform %s, %v: got %s, want %s", test.terraform, test.channels,
				got["channels"], want["channels"])
		}
	}
}

func isError(d *tfprotov6.Diagnostic) bool {
	return d.Severity == tfprotov6.DiagnosticSeverityError
}

type heldKey struct{}

// After a request about a resource, the values of its context are freed, although the framework
// keeps the context. The framework reports a resource without a schema.
func TestWrap_detachesContexts(t *testing.T) {
	t.Parallel()
	const none = "notification_none" // which the provider does not have, so that no call fails
	w, err := protocol.Wrap(framework())
	if err != nil {
		t.Fatal(err)
	}
	schema := configure(t, w, "1.14.0").ResourceSchemas[resourceName]
	withUnknown := encoded(t, notification(schema, []any{unknown}))
	held := map[string]weak.Pointer[[1024]byte]{}
	contextOf := func(request string) context.Context {
		value := new([1024]byte)
		held[request] = weak.Make(value)
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
