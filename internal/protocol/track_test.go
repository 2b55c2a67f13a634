package protocol

import (
	"errors"
	"sync"
	"testing"
)

// Nobody can lock running during a call that changes something, and everybody can after it.
func TestTrack(t *testing.T) {
	t.Parallel()
	running, calls := new(sync.RWMutex), 0
	f := &fake{during: func() {
		calls++
		if running.TryLock() {
			t.Errorf("locked during call %d", calls)
			running.Unlock()
		}
	}}
	server := Track(f, running)
	if _, err := server.ApplyResourceChange(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if calls != 1 || !running.TryLock() {
		t.Fatalf("after %d calls for the change of a resource it cannot be locked", calls)
	}
	running.Unlock()
	stream, err := server.InvokeAction(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for range stream.Events {
		break
	}
	if calls != 2 || !running.TryLock() {
		t.Errorf("after %d calls, the last of an action, it cannot be locked", calls)
	}
	f.err = errFailing
	if _, err := server.InvokeAction(t.Context(), nil); !errors.Is(err, errFailing) {
		t.Error(err)
	}
}
