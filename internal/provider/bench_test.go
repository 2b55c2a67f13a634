package provider

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/bench/noop"
	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
)

// inMemory is the provider with a client that connects to an emulator in the same process.
type inMemory struct {
	*notificationProvider

	service *service
}

func (p inMemory) Configure(
	_ context.Context, _ provider.ConfigureRequest, resp *provider.ConfigureResponse,
) {
	resp.ResourceData = p.service
}

// newInMemory starts that emulator. Its work is part of what is measured.
func newInMemory(b *testing.B) inMemory {
	b.Helper()
	_, network := emulatortest.ServeInMemory(b, emulator.Config{
		ClientID: "id", ClientSecret: testSecret, TokenLifetime: time.Hour,
	})
	endpoint := func(path string) *url.URL {
		return &url.URL{Scheme: "http", Host: "notifications.test", Path: path}
	}
	return inMemory{
		notificationProvider: &notificationProvider{version: "bench"},
		service: &service{client: client.New(client.Config{
			TokenURL: endpoint("/oauth2/token"), NotificationsURL: endpoint("/notifications/v1"),
			StudiesURL: endpoint("/studies/v1"),
			ClientID:   "id", ClientSecret: testSecret, RequestTimeout: 30 * time.Second,
			Dial: network.Dial,
		})},
	}
}

// One create: the three calls of the protocol, without Terraform, gRPC or sockets.
func BenchmarkCreate(b *testing.B) {
	text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	b.Run("noop", func(b *testing.B) {
		benchmarkCreate(b, providerserver.NewProtocol6(noop.New())(), "noop_thing",
			map[string]tftypes.Value{"value": text("checkout is live")})
	})
	b.Run("notification", func(b *testing.B) {
		server := newServer(providerserver.NewProtocol6(newInMemory(b))())
		recipient := []tftypes.Value{text("C024BE91L")}
		benchmarkCreate(b, server, resourceName, map[string]tftypes.Value{
			"priority": text("HIGH"),
			"channels[]": object(map[string]tftypes.Value{
				"type":      text("slack"),
				"recipient": tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, recipient),
				"subject":   text("checkout is live"),
			}),
		})
	})
}

// object is a value whose type has the given attributes only.
func object(attributes map[string]tftypes.Value) tftypes.Value {
	kinds := map[string]tftypes.Type{}
	for name, value := range attributes {
		kinds[name] = value.Type()
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: kinds}, attributes)
}

// benchmarkCreate makes b.N resources with the given arguments. An argument whose
// name ends in [] is a list with the given element.
func benchmarkCreate(
	b *testing.B, server tfprotov6.ProviderServer, typeName string,
	arguments map[string]tftypes.Value,
) {
	b.Helper()
	ctx := b.Context()
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		b.Fatal(err)
	}
	schema := schemas.ResourceSchemas[typeName]
	kind := schema.ValueType()
	none := dynamic(b, kind, tftypes.NewValue(kind, nil))
	config := dynamic(b, kind, filled(b, kind, arguments))
	for _, attribute := range schema.Block.Attributes {
		if attribute.Computed {
			arguments[attribute.Name] = tftypes.NewValue(attribute.Type, tftypes.UnknownValue)
		}
	}
	proposed := dynamic(b, kind, filled(b, kind, arguments))
	empty := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}
	if schemas.Provider != nil {
		empty, _ = schemas.Provider.ValueType().(tftypes.Object)
	}
	_, err = server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{
		Config: dynamic(b, empty, filled(b, empty, nil)),
	})
	if err != nil {
		b.Fatal(err)
	}

	b.ReportAllocs()
	fastest := time.Duration(math.MaxInt64)
	for b.Loop() {
		began := time.Now()
		validated, err := server.ValidateResourceConfig(ctx,
			&tfprotov6.ValidateResourceConfigRequest{TypeName: typeName, Config: config})
		if err != nil || len(validated.Diagnostics) > 0 {
			b.Fatal(err, validated)
		}
		planned, err := server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
			TypeName: typeName, PriorState: none, ProposedNewState: proposed, Config: config,
		})
		if err != nil || len(planned.Diagnostics) > 0 {
			b.Fatal(err, planned)
		}
		applied, err := server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
			TypeName: typeName, PriorState: none, PlannedState: planned.PlannedState,
			PlannedPrivate: planned.PlannedPrivate, Config: config,
		})
		if err != nil || len(applied.Diagnostics) > 0 {
			b.Fatal(err, applied)
		}
		fastest = min(fastest, time.Since(began))
	}
	b.ReportMetric(float64(fastest.Nanoseconds()), "fastest-ns/op") // for the check of budgets
}

func dynamic(b *testing.B, kind tftypes.Type, value tftypes.Value) *tfprotov6.DynamicValue {
	b.Helper()
	encoded, err := tfprotov6.NewDynamicValue(kind, value)
	if err != nil {
		b.Fatal(err)
	}
	return &encoded
}

// filled is an object of type kind, in which attributes that are not given are null.
func filled(b *testing.B, kind tftypes.Type, given map[string]tftypes.Value) tftypes.Value {
	b.Helper()
	object, ok := kind.(tftypes.Object)
	if !ok {
		b.Fatalf("%s is no object", kind)
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
				b.Fatal(err)
			}
			list, _ := kind.(tftypes.List)
			values[name] = tftypes.NewValue(kind, []tftypes.Value{
				filled(b, list.ElementType, members),
			})
		}
	}
	return tftypes.NewValue(kind, values)
}

func BenchmarkStudiesFromJSON(b *testing.B) {
	for _, n := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprintf("studies=%d", n), func(b *testing.B) {
			study := `{"name":"ATLAS","id":9007199254740993,"phase":"III",` +
				`"sites":[{"country":"CH","open":true}],"sponsor":null}`
			body := []byte("[" + strings.Repeat(study+",", n-1) + study + "]")
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := studiesFromJSON(b.Context(), body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
