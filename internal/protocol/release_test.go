package protocol

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"weak"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

type heldKey struct{}

// callWithValue makes a call with a value in its context, and returns a weak pointer to that value.
func callWithValue(t *testing.T, call func(context.Context)) weak.Pointer[[1024]byte] {
	t.Helper()
	held := new([1024]byte)
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), heldKey{}, held))
	defer cancel() // as gRPC does after a call
	call(ctx)
	return weak.Make(held)
}

func TestReleasable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // fails if it waits forever
		call, cancel := context.WithCancel(context.WithValue(t.Context(), heldKey{}, "held"))
		r := &releaser{Server: framework(nil)}
		released, end := r.releasable(call)
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
		configuring, done := context.WithCancel(
			context.WithValue(t.Context(), heldKey{}, "configured"))
		_, err := r.ConfigureProvider(configuring, &tfprotov6.ConfigureProviderRequest{
			Config: nothing(t),
		})
		if err != nil {
			t.Fatal(err)
		}
		done()
		if value := released.Value(heldKey{}); value != "configured" {
			t.Errorf("%v, so there is no log of what outlives the call", value)
		}

		released, end = r.releasable(t.Context())
		end()
		if released.Err() == nil {
			t.Error("still not cancelled after the end")
		}

		released, end = r.releasable(call)
		if released.Err() == nil {
			t.Error("not cancelled at once, although the call was before")
		}
		end()
	})
}

// The context in which a provider is configured ends, although its values last.
func TestConfigureEnds(t *testing.T) {
	t.Parallel()
	f := new(fake)
	if _, err := Release(f).ConfigureProvider(t.Context(), nil); err != nil || f.ctx.Err() == nil {
		t.Errorf("%v, and the context %v", err, f.ctx.Err())
	}
}

// The context of a stream lasts until the stream ends. That of a stream that fails is released at
// once.
func TestReleaseStream(t *testing.T) {
	t.Parallel()
	f := new(fake)
	for name, request := range map[string]any{
		"InvokeAction":   &tfprotov6.InvokeActionRequest{},
		"ListResource":   &tfprotov6.ListResourceRequest{},
		"ReadStateBytes": &tfprotov6.ReadStateBytesRequest{},
	} {
		called(t.Context(), t, Release(f), name, request) // fails without an item
		if f.ctx.Err() == nil {
			t.Errorf("%s: its context is not released", name)
		}
	}
	f.err = errFailing
	if _, err := Release(f).InvokeAction(t.Context(), nil); !errors.Is(err, errFailing) ||
		f.ctx.Err() == nil {
		t.Errorf("%v, and the context %v", err, f.ctx.Err())
	}
}
