package protocol

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Track returns a server that holds running for reading during each call that changes something
// outside of Terraform: ApplyResourceChange and InvokeAction. Whoever locks it knows that none is
// under way, and lets no other begin. A process that ends by itself needs that. It would not have
// to, if Terraform and its providers noticed each other's end
// (https://github.com/hashicorp/terraform/issues/23527).
func Track(server Server, running *sync.RWMutex) Server {
	return tracker{server, running}
}

type tracker struct {
	Server

	running *sync.RWMutex
}

func (t tracker) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	t.running.RLock()
	defer t.running.RUnlock()
	return t.Server.ApplyResourceChange(ctx, req)
}

// InvokeAction returns before the action runs: it runs while its events are read.
func (t tracker) InvokeAction(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := t.Server.InvokeAction(ctx, req)
	if err != nil {
		return nil, err
	}
	events := stream.Events
	stream.Events = func(push func(tfprotov6.InvokeActionEvent) bool) {
		t.running.RLock()
		defer t.running.RUnlock()
		events(push)
	}
	return stream, nil
}
