package protocol

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// locking is a server that tries to lock running during its calls.
type locking struct {
	Server

	running *sync.RWMutex
	locked  int
}

func (l *locking) tryLock() {
	if l.running.TryLock() {
		l.locked++
		l.running.Unlock()
	}
}

func (l *locking) ApplyResourceChange(
	context.Context, *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	l.tryLock()
	return nil, nil
}

func (l *locking) InvokeAction(
	context.Context, *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	events := func(func(tfprotov6.InvokeActionEvent) bool) { l.tryLock() }
	return &tfprotov6.InvokeActionServerStream{Events: events}, nil
}

// Nobody can lock running during a call that changes something, and everybody can after it.
func TestTrack(t *testing.T) {
	t.Parallel()
	l := &locking{running: new(sync.RWMutex)}
	server := Track(l, l.running)
	if _, err := server.ApplyResourceChange(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if l.locked > 0 || !l.running.TryLock() {
		t.Fatalf("locked %d times during the change of a resource", l.locked)
	}
	l.running.Unlock()
	stream, err := server.InvokeAction(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	stream.Events(nil)
	if l.locked > 0 || !l.running.TryLock() {
		t.Errorf("locked %d times during an action", l.locked)
	}
	_, err = Track(failing{}, l.running).InvokeAction(t.Context(), nil)
	if !errors.Is(err, errFailing) {
		t.Error(err)
	}
}
