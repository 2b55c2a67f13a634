package protocol

import (
	"context"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// requestsOf is a request for each call that the framework's server offers, by the name of the
// call.
func requestsOf(t *testing.T, schemas *tfprotov6.GetProviderSchemaResponse) map[string]any {
	t.Helper()
	thing := schemas.ResourceSchemas["sample_thing"]
	none := encoded(t, thing.ValueType(), tftypes.NewValue(thing.ValueType(), nil))
	items := withItems(t, thing, "a")
	action := withItems(t, schemas.ActionSchemas["sample_thing"].Schema, "a")
	lookUp := encoded(t, found(nil).Type(), found(nil))
	text := encoded(t, tftypes.String, tftypes.NewValue(tftypes.String, "text"))
	named := &tfprotov6.RawState{JSON: []byte(`{"name":"a"}`)}
	requests := map[string]any{}
	for _, request := range []any{
		&tfprotov6.GetMetadataRequest{},
		&tfprotov6.GetProviderSchemaRequest{},
		&tfprotov6.GetResourceIdentitySchemasRequest{},
		&tfprotov6.ValidateProviderConfigRequest{Config: nothing(t)},
		&tfprotov6.ConfigureProviderRequest{Config: nothing(t)},
		&tfprotov6.StopProviderRequest{},
		&tfprotov6.ValidateResourceConfigRequest{TypeName: "sample_thing", Config: items},
		&tfprotov6.UpgradeResourceStateRequest{
			TypeName: "sample_thing", RawState: &tfprotov6.RawState{JSON: []byte(`{"items":[]}`)},
		},
		&tfprotov6.ReadResourceRequest{TypeName: "sample_thing", CurrentState: items},
		&tfprotov6.PlanResourceChangeRequest{
			TypeName: "sample_thing", PriorState: none, ProposedNewState: items, Config: items,
		},
		&tfprotov6.ApplyResourceChangeRequest{
			TypeName: "sample_thing", PriorState: none, PlannedState: items, Config: items,
		},
		&tfprotov6.ImportResourceStateRequest{TypeName: "sample_named", ID: "a"},
		&tfprotov6.MoveResourceStateRequest{TargetTypeName: "sample_named", SourceState: named},
		&tfprotov6.UpgradeResourceIdentityRequest{TypeName: "sample_named", RawIdentity: named},
		&tfprotov6.GenerateResourceConfigRequest{TypeName: "sample_thing", State: items},
		&tfprotov6.ValidateDataResourceConfigRequest{TypeName: "sample_lookup", Config: lookUp},
		&tfprotov6.ReadDataSourceRequest{TypeName: "sample_lookup", Config: lookUp},
		&tfprotov6.GetFunctionsRequest{},
		&tfprotov6.CallFunctionRequest{
			Name: "echo", Arguments: []*tfprotov6.DynamicValue{text},
		},
		&tfprotov6.ValidateEphemeralResourceConfigRequest{
			TypeName: "sample_secret", Config: nothing(t),
		},
		&tfprotov6.OpenEphemeralResourceRequest{TypeName: "sample_secret", Config: nothing(t)},
		&tfprotov6.RenewEphemeralResourceRequest{TypeName: "sample_secret"},
		&tfprotov6.CloseEphemeralResourceRequest{TypeName: "sample_secret"},
		&tfprotov6.ValidateActionConfigRequest{ActionType: "sample_thing", Config: action},
		&tfprotov6.PlanActionRequest{ActionType: "sample_thing", Config: action},
		&tfprotov6.InvokeActionRequest{ActionType: "sample_thing", Config: action},
		&tfprotov6.ValidateListResourceConfigRequest{
			TypeName: "sample_named", Config: nothing(t),
		},
		&tfprotov6.ListResourceRequest{TypeName: "sample_named", Config: nothing(t)},
		&tfprotov6.ValidateStateStoreConfigRequest{TypeName: "sample_store", Config: nothing(t)},
		configureStore(t),
		&tfprotov6.ReadStateBytesRequest{TypeName: "sample_store", StateID: "default"},
		&tfprotov6.GetStatesRequest{TypeName: "sample_store"},
		&tfprotov6.DeleteStateRequest{TypeName: "sample_store", StateID: "default"},
		&tfprotov6.LockStateRequest{TypeName: "sample_store", StateID: "default"},
		&tfprotov6.UnlockStateRequest{
			TypeName: "sample_store", StateID: "default", LockID: "locked",
		},
	} {
		name := reflect.TypeOf(request).Elem().Name()
		requests[name[:len(name)-len("Request")]] = request
	}
	requests["WriteStateBytes"] = &tfprotov6.WriteStateBytesStream{Chunks: writtenState}
	return requests
}

func configureStore(t *testing.T) *tfprotov6.ConfigureStateStoreRequest {
	t.Helper()
	return &tfprotov6.ConfigureStateStoreRequest{
		TypeName: "sample_store", Config: nothing(t),
		Capabilities: &tfprotov6.ConfigureStateStoreClientCapabilities{ChunkSize: 1024},
	}
}

// writtenState is the state of the sample as Terraform writes it.
func writtenState(push func(*tfprotov6.WriteStateBytesChunk, []*tfprotov6.Diagnostic) bool) {
	length := int64(len(sampleState))
	push(&tfprotov6.WriteStateBytesChunk{
		Meta: &tfprotov6.WriteStateChunkMeta{TypeName: "sample_store", StateID: "default"},
		StateByteChunk: tfprotov6.StateByteChunk{
			Bytes: []byte(sampleState), TotalLength: length,
			Range: tfprotov6.StateByteRange{End: length - 1},
		},
	}, nil)
}

// called makes the call with the given name, and returns the answer, or all items of one that is a
// stream. It fails if the server does not offer the call, or answers with an error.
func called(ctx context.Context, t *testing.T, server Server, name string, request any) []any {
	t.Helper()
	method := reflect.ValueOf(server).MethodByName(name)
	if !method.IsValid() {
		t.Fatal("not offered")
	}
	results := method.Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(request)})
	if err := results[1].Interface(); err != nil {
		t.Fatal(err)
	}
	answer := results[0].Elem()
	answers := []any{answer.Interface()}
	if stream := answer.Field(0); stream.Kind() == reflect.Func {
		answers = nil
		for item := range stream.Seq() {
			answers = append(answers, item.Interface())
		}
	}
	for _, answer := range answers {
		if metadata, ok := answer.(tfprotov6.GetMetadataResponse); ok { // in no order
			slices.SortFunc(metadata.Resources, func(a, b tfprotov6.ResourceMetadata) int {
				return strings.Compare(a.TypeName, b.TypeName)
			})
		}
		diagnostics := reflect.ValueOf(answer).FieldByName("Diagnostics")
		if !diagnostics.IsValid() {
			continue
		}
		for _, d := range diagnostics.Interface().([]*tfprotov6.Diagnostic) {
			if d.Severity == tfprotov6.DiagnosticSeverityError {
				t.Fatalf("%s: %s", d.Summary, d.Detail)
			}
		}
	}
	if len(answers) == 0 {
		t.Fatal("an empty stream")
	}
	return answers
}

// Whatever the framework's server offers goes through the wrappers, with the same answer. When a
// call has ended, nothing that its context holds is kept, but for what outlives calls.
func TestEveryCall(t *testing.T) {
	t.Parallel()
	held := map[string]weak.Pointer[[1024]byte]{}
	var servers []Server
	for method := range reflect.TypeOf(framework(nil)).Methods() {
		t.Run(method.Name, func(t *testing.T) {
			w, invoked := wrap(t, "1.14.0"), 0
			alone := framework(&invoked)
			servers = append(servers, w)
			request := requestsOf(t, w.schema)[method.Name]
			if request == nil {
				t.Fatal("no request")
			}
			for _, server := range []Server{w, alone} {
				called(t.Context(), t, server, "ConfigureStateStore", configureStore(t))
			}
			var got []any
			held[method.Name] = callWithValue(t, func(ctx context.Context) {
				got = called(ctx, t, w, method.Name, request)
			})
			want := called(t.Context(), t, alone, method.Name, request)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, and the framework alone: %+v", got, want)
			}
		})
	}
	for range 5 { // a sync.Pool keeps its content over the first
		runtime.GC()
	}
	for name, held := range held {
		if kept := held.Value() != nil; kept != (name == "ConfigureProvider") {
			t.Errorf("%s: the context is kept: %t", name, kept)
		}
	}
	runtime.KeepAlive(servers) // which may keep the contexts, or they are collected too
}
