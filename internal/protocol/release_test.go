package protocol

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

type heldKey struct{}

// A call's context has its values and its cancellation until the call ends. Then it is cancelled
// and empty, and work that goes on can still log without a panic.
func TestReleasable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // fails if it waits forever, or a goroutine is left
		call, cancel := context.WithCancel(context.WithValue(t.Context(), heldKey{}, "held"))
		released, end := releasable(call)
		child, stop := context.WithCancel(released)
		defer stop()
		lasting := context.WithoutCancel(child)
		if child.Value(heldKey{}) != "held" || child.Err() != nil {
			t.Errorf("%v, %v", child.Value(heldKey{}), child.Err())
		}
		cancel()
		<-child.Done()
		if err := released.Err(); err != context.Canceled {
			t.Error(err)
		}
		end()
		if value := lasting.Value(heldKey{}); value != nil {
			t.Errorf("%v after the end", value)
		}
		lasting = tflog.MaskMessageStrings(tflog.SetField(lasting, "field", 1), "secret")
		tflog.Debug(lasting, "after the end", map[string]any{"field": 2})

		released, end = releasable(t.Context())
		end()
		if released.Err() == nil {
			t.Error("still not cancelled after the end")
		}

		released, end = releasable(call)
		if released.Err() == nil {
			t.Error("not cancelled at once, although the call was before")
		}
		end()
	})
}

// Child contexts of a call's context need no goroutines to be cancelled with it.
func TestReleasable_children(t *testing.T) {
	released, end := releasable(t.Context())
	defer end()
	before := runtime.NumGoroutine()
	for range 100 {
		child, stop := context.WithCancel(released)
		defer stop()
		if child.Err() != nil {
			t.Fatal(child.Err())
		}
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines instead of %d", after, before)
	}
}
