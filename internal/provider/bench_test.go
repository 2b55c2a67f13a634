package provider

import (
	"context"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
)

// inMemory is the provider with a client that connects to an emulator in the same process.
type inMemory struct {
	*notificationProvider

	data *providerData
}

func (p inMemory) Configure(
	_ context.Context, _ provider.ConfigureRequest, resp *provider.ConfigureResponse,
) {
	resp.ResourceData = p.data
}

// newInMemory starts that emulator. Its work is part of what is measured.
func newInMemory(t testing.TB) inMemory {
	t.Helper()
	_, network := emulatortest.ServeInMemory(t, emulator.Config{
		ClientID: "id", ClientSecret: testSecret, TokenLifetime: time.Hour,
	})
	endpoint := func(path string) *url.URL {
		return &url.URL{Scheme: "http", Host: "notifications.test", Path: path}
	}
	return inMemory{
		notificationProvider: &notificationProvider{version: "bench"},
		data: &providerData{client: client.New(client.Config{
			TokenURL: endpoint("/oauth2/token"), NotificationsURL: endpoint("/notifications/v1"),
			StudiesURL: endpoint("/studies/v1"),
			ClientID:   "id", ClientSecret: testSecret, RequestTimeout: 30 * time.Second,
			Dial: network.Dial,
		})},
	}
}

// One create: the three calls of the protocol, without Terraform, gRPC or sockets.
func BenchmarkCreate(b *testing.B) {
	create := newCreate(b)
	b.ReportAllocs()
	for b.Loop() {
		create()
	}
}

// A create takes no longer than the service: this clock stands still but for those who wait.
func TestCreate_waitsForNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		create := newCreate(t)
		began := time.Now()
		create()
		if took := time.Since(began); took > 0 {
			t.Errorf("%s were spent waiting", took)
		}
	})
}

// newCreate returns what makes one notification.
func newCreate(t testing.TB) func() {
	t.Helper()
	text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	server := newServer(newInMemory(t))
	recipient := []tftypes.Value{text("C024BE91L")}
	arguments := map[string]tftypes.Value{
		"priority": text("HIGH"),
		"channels[]": object(map[string]tftypes.Value{
			"type":      text("slack"),
			"recipient": tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, recipient),
			"subject":   text("checkout is live"),
		}),
	}
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	schema := schemas.ResourceSchemas[resourceName]
	kind := schema.ValueType()
	none := dynamic(t, kind, tftypes.NewValue(kind, nil))
	config := dynamic(t, kind, filled(t, kind, arguments))
	for _, attribute := range schema.Block.Attributes {
		if attribute.Computed {
			arguments[attribute.Name] = tftypes.NewValue(attribute.Type, tftypes.UnknownValue)
		}
	}
	proposed := dynamic(t, kind, filled(t, kind, arguments))
	settings := schemas.Provider.ValueType()
	_, err = server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: dynamic(t, settings, filled(t, settings, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	return func() {
		validated, err := server.ValidateResourceConfig(ctx,
			&tfprotov6.ValidateResourceConfigRequest{TypeName: resourceName, Config: config})
		if err != nil || len(validated.Diagnostics) > 0 {
			t.Fatal(err, validated)
		}
		planned, err := server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
			TypeName: resourceName, PriorState: none, ProposedNewState: proposed, Config: config,
		})
		if err != nil || len(planned.Diagnostics) > 0 {
			t.Fatal(err, planned)
		}
		applied, err := server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
			TypeName: resourceName, PriorState: none, PlannedState: planned.PlannedState,
			PlannedPrivate: planned.PlannedPrivate, Config: config,
		})
		if err != nil || len(applied.Diagnostics) > 0 {
			t.Fatal(err, applied)
		}
	}
}

// object is a value whose type has the given attributes only.
func object(attributes map[string]tftypes.Value) tftypes.Value {
	kinds := map[string]tftypes.Type{}
	for name, value := range attributes {
		kinds[name] = value.Type()
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: kinds}, attributes)
}

func dynamic(t testing.TB, kind tftypes.Type, value tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(kind, value)
	if err != nil {
		t.Fatal(err)
	}
	return &encoded
}

// filled is an object of type kind, in which attributes that are not given are null. What is given
// under a name that ends in [] is the element of a list.
func filled(t testing.TB, kind tftypes.Type, given map[string]tftypes.Value) tftypes.Value {
	t.Helper()
	object, ok := kind.(tftypes.Object)
	if !ok {
		t.Fatalf("%s is no object", kind)
	}
	values := map[string]tftypes.Value{}
	for name, kind := range object.AttributeTypes {
		values[name] = tftypes.NewValue(kind, nil)
		if value, ok := given[name]; ok {
			values[name] = value
		}
		if element, ok := given[name+"[]"]; ok {
			var members map[string]tftypes.Value
			if err := element.As(&members); err != nil {
				t.Fatal(err)
			}
			list, _ := kind.(tftypes.List)
			values[name] = tftypes.NewValue(kind, []tftypes.Value{
				filled(t, list.ElementType, members),
			})
		}
	}
	return tftypes.NewValue(kind, values)
}
