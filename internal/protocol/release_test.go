package protocol

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"weak"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// When a call has ended, nothing that its context holds is kept.
func TestContextsAreReleased(t *testing.T) {
	t.Parallel()
	w := wrap(t, "1.11.0", nil)
	schema := w.schema.ResourceSchemas["sample_thing"]
	none := encoded(t, schema.ValueType(), tftypes.NewValue(schema.ValueType(), nil))
	config := withItems(t, schema, "a")
	action := withItems(t, w.schema.ActionSchemas["sample_send"].Schema, "a")
	lookUp := encoded(t, found(nil).Type(), found(nil))
	for name, call := range map[string]func(context.Context) error{
		"schema": func(ctx context.Context) error {
			_, err := w.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
			return err
		},
		"validate": func(ctx context.Context) error {
			_, err := w.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{
				TypeName: "sample_thing", Config: config,
			})
			return err
		},
		"upgrade": func(ctx context.Context) error {
			_, err := w.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{
				TypeName: "sample_thing",
				RawState: &tfprotov6.RawState{JSON: []byte(`{"items":[]}`)},
			})
			return err
		},
		"import": func(ctx context.Context) error {
			_, err := w.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{
				TypeName: "sample_thing", ID: "a",
			})
			return err
		},
		"validate data": func(ctx context.Context) error {
			_, err := w.ValidateDataResourceConfig(ctx,
				&tfprotov6.ValidateDataResourceConfigRequest{
					TypeName: "sample_lookup", Config: lookUp,
				})
			return err
		},
		"read data": func(ctx context.Context) error {
			_, err := w.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{
				TypeName: "sample_lookup", Config: lookUp,
			})
			return err
		},
		"read": func(ctx context.Context) error {
			_, err := w.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
				TypeName: "sample_thing", CurrentState: config,
			})
			return err
		},
		"plan": func(ctx context.Context) error {
			_, err := w.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
				TypeName: "sample_thing", PriorState: none, ProposedNewState: config,
				Config: config,
			})
			return err
		},
		"apply": func(ctx context.Context) error {
			_, err := w.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
				TypeName: "sample_thing", PriorState: none, PlannedState: config, Config: config,
			})
			return err
		},
		"validate provider": func(ctx context.Context) error {
			_, err := w.ValidateProviderConfig(ctx, &tfprotov6.ValidateProviderConfigRequest{
				Config: nothing(t),
			})
			return err
		},
		"validate ephemeral": func(ctx context.Context) error {
			_, err := w.ValidateEphemeralResourceConfig(ctx,
				&tfprotov6.ValidateEphemeralResourceConfigRequest{
					TypeName: "sample_secret", Config: nothing(t),
				})
			return err
		},
		"open": func(ctx context.Context) error {
			_, err := w.OpenEphemeralResource(ctx, &tfprotov6.OpenEphemeralResourceRequest{
				TypeName: "sample_secret", Config: nothing(t),
			})
			return err
		},
		"renew": func(ctx context.Context) error {
			_, err := w.RenewEphemeralResource(ctx, &tfprotov6.RenewEphemeralResourceRequest{
				TypeName: "sample_secret",
			})
			return err
		},
		"close": func(ctx context.Context) error {
			_, err := w.CloseEphemeralResource(ctx, &tfprotov6.CloseEphemeralResourceRequest{
				TypeName: "sample_secret",
			})
			return err
		},
		"validate action": func(ctx context.Context) error {
			_, err := w.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{
				ActionType: "sample_send", Config: action,
			})
			return err
		},
		"plan action": func(ctx context.Context) error {
			_, err := w.PlanAction(ctx, &tfprotov6.PlanActionRequest{
				ActionType: "sample_send", Config: action,
			})
			return err
		},
		"invoke": func(ctx context.Context) error {
			_, err := w.completed(ctx, action)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			held := callWithValue(t, call)
			for range 5 { // a sync.Pool keeps its content over the first
				runtime.GC()
			}
			if held.Value() != nil {
				t.Error("the call's context is still kept")
			}
			runtime.KeepAlive(w) // or the server, which may keep the context, is collected too
		})
	}
}

type heldKey struct{}

// callWithValue makes a call with a value in its context, and returns a weak pointer to that value.
func callWithValue(t *testing.T, call func(context.Context) error) weak.Pointer[[1024]byte] {
	t.Helper()
	held := new([1024]byte)
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), heldKey{}, held))
	defer cancel() // as gRPC does after a call
	if err := call(ctx); err != nil {
		t.Error(err)
	}
	return weak.Make(held)
}

func TestReleasable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // fails if it waits forever
		call, cancel := context.WithCancel(context.WithValue(t.Context(), heldKey{}, "held"))
		var c contexts
		released, end := c.releasable(call)
		child, stop := context.WithCancel(released)
		defer stop()
		if child.Value(heldKey{}) != "held" || child.Err() != nil {
			t.Errorf("%v, %v", child.Value(heldKey{}), child.Err())
		}
		cancel()
		<-child.Done()
		if err := released.Err(); err != context.Canceled {
			t.Error(err)
		}
		end()
		if value := released.Value(heldKey{}); value != nil {
			t.Errorf("%v after the end", value)
		}
		configuring, done := context.WithCancel(t.Context())
		c.outlive(context.WithValue(configuring, heldKey{}, "configured"))
		done()
		if value := released.Value(heldKey{}); value != "configured" {
			t.Errorf("%v, so there is no log of what outlives the call", value)
		}

		released, end = c.releasable(t.Context())
		end()
		if released.Err() == nil {
			t.Error("still not cancelled after the end")
		}

		released, end = c.releasable(call)
		if released.Err() == nil {
			t.Error("not cancelled at once, although the call was before")
		}
		end()
	})
}

// What outlives a call has the values of the call that configured the server.
func TestConfigureOutlives(t *testing.T) {
	t.Parallel()
	w := wrap(t, "1.11.0", nil)
	configuring, done := context.WithCancel(context.WithValue(t.Context(), heldKey{}, "configured"))
	_, err := w.ConfigureProvider(configuring, &tfprotov6.ConfigureProviderRequest{
		Config: nothing(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	done()
	released, end := w.contexts.releasable(t.Context())
	end()
	if value := released.Value(heldKey{}); value != "configured" {
		t.Errorf("%v", value)
	}
}
