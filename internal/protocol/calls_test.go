package protocol

import (
	"context"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"weak"
)

// requestFor is a request for a call. It names what the provider does not have, so that each call
// is answered, and the answer repeats the name.
func requestFor(call reflect.Method) any {
	request := reflect.New(call.Type.In(2).Elem())
	for _, name := range []string{"TypeName", "TargetTypeName", "ActionType", "Name"} {
		if field := request.Elem().FieldByName(name); field.IsValid() {
			field.SetString("sample_none")
		}
	}
	return request.Interface()
}

// called makes the call with the given name, and returns the answer, or all items of one that is a
// stream. It fails if the server does not offer the call, or if there is no answer.
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
	if stream := answer.Field(0); stream.Kind() == reflect.Func {
		var items []any
		for item := range stream.Seq() {
			items = append(items, item.Interface())
		}
		if len(items) == 0 {
			t.Fatal("an empty stream")
		}
		return items
	}
	return []any{answer.Interface()}
}

// Whatever the framework's server offers goes through the wrapper, with the same answer. When a call
// of a resource has ended, nothing that its context holds is kept. The framework keeps the others.
func TestEveryCall(t *testing.T) {
	t.Parallel()
	released := []string{
		"ValidateResourceConfig", "UpgradeResourceState", "ReadResource", "PlanResourceChange",
		"ApplyResourceChange",
		"StopProvider", // which the framework never keeps
	}
	held := map[string]weak.Pointer[[1024]byte]{}
	var servers []Server
	for method := range reflect.TypeOf(framework()).Methods() {
		t.Run(method.Name, func(t *testing.T) {
			w, request, value := wrap(t, "1.14.0"), requestFor(method), new([1024]byte)
			servers, held[method.Name] = append(servers, w), weak.Make(value)
			ctx, cancel := context.WithCancel(context.WithValue(t.Context(), heldKey{}, value))
			got := called(ctx, t, w, method.Name, request)
			cancel() // as gRPC does after a call
			want := called(t.Context(), t, framework(), method.Name, request)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, and the framework alone: %+v", got, want)
			}
		})
	}
	for range 5 { // a sync.Pool keeps its content over the first
		runtime.GC()
	}
	for name, held := range held {
		if kept := held.Value() != nil; kept == slices.Contains(released, name) {
			t.Errorf("%s: the context is kept: %t", name, kept)
		}
	}
	runtime.KeepAlive(servers) // which may keep the contexts, or they are collected too
}
