package protocol

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

type heldKey struct{}

// A context has its parent's values and cancellation until it is detached. Then it is cancelled and
// empty, and work that goes on can still log without a panic.
func TestDetachable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // fails if it waits forever, or a goroutine is left
		parent, cancel := context.WithCancel(context.WithValue(t.Context(), heldKey{}, "held"))
		ctx, detach := detachable(parent)
		child, stop := context.WithCancel(ctx)
		defer stop()
		lasting := context.WithoutCancel(child)
		if child.Value(heldKey{}) != "held" || child.Err() != nil {
			t.Errorf("%v, %v", child.Value(heldKey{}), child.Err())
		}
		cancel()
		<-child.Done()
		if err := ctx.Err(); err != context.Canceled {
			t.Error(err)
		}
		detach()
		if value := lasting.Value(heldKey{}); value != nil {
			t.Errorf("%v after detach", value)
		}
		lasting = tflog.MaskMessageStrings(tflog.SetField(lasting, "field", 1), "secret")
		tflog.Debug(lasting, "after detach", map[string]any{"field": 2})

		ctx, detach = detachable(t.Context())
		detach()
		if ctx.Err() == nil {
			t.Error("not cancelled by detach")
		}

		ctx, detach = detachable(parent)
		if ctx.Err() == nil {
			t.Error("not cancelled at once, although parent was before")
		}
		detach()
	})
}

// Child contexts need no goroutines to be cancelled with it.
func TestDetachable_children(t *testing.T) {
	ctx, detach := detachable(t.Context())
	defer detach()
	before := runtime.NumGoroutine()
	for range 100 {
		child, stop := context.WithCancel(ctx)
		defer stop()
		if child.Err() != nil {
			t.Fatal(child.Err())
		}
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines instead of %d", after, before)
	}
}
