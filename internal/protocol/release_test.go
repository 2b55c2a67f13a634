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

// keeping is a server that keeps the context of a call. Its action has one event, if the context has
// not ended before.
type keeping struct {
	Server

	ctx context.Context //nolint:containedctx // as registerContext does
	err error
}

func (k *keeping) InvokeAction(
	ctx context.Context, _ *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	k.ctx = ctx
	events := func(push func(tfprotov6.InvokeActionEvent) bool) {
		if ctx.Err() == nil {
			push(tfprotov6.InvokeActionEvent{})
		}
	}
	return &tfprotov6.InvokeActionServerStream{Events: events}, k.err
}

func (k *keeping) ConfigureProvider(
	ctx context.Context, _ *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	k.ctx = ctx
	return nil, nil
}

// The context in which a provider is configured ends, although its values last.
func TestConfigureEnds(t *testing.T) {
	t.Parallel()
	k := new(keeping)
	if _, err := Release(k).ConfigureProvider(t.Context(), nil); err != nil || k.ctx.Err() == nil {
		t.Errorf("%v, and the context %v", err, k.ctx.Err())
	}
}

// The context of a stream lasts until the stream ends, also when nobody reads on. That of a stream
// that fails is released at once.
func TestReleaseStream(t *testing.T) {
	t.Parallel()
	k := new(keeping)
	server := Release(k)
	stream, err := server.InvokeAction(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	events := 0
	for range stream.Events {
		events++
		break
	}
	if events != 1 || k.ctx.Err() == nil {
		t.Errorf("%d events, and then the context %v", events, k.ctx.Err())
	}
	k.err = errFailing
	if _, err := server.InvokeAction(t.Context(), nil); !errors.Is(err, errFailing) ||
		k.ctx.Err() == nil {
		t.Errorf("%v, and the context %v", err, k.ctx.Err())
	}
}
