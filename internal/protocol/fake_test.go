package protocol

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

var errFailing = errors.New("the canary died")

// fake is a server that keeps the context of a call, does something during the call, and answers
// with an error, if it has one. Its action has one event, and runs while that is read.
type fake struct {
	Server

	ctx    context.Context //nolint:containedctx // as registerContext does
	during func()
	err    error
}

func (f *fake) call(ctx context.Context) error {
	f.ctx = ctx
	if f.during != nil {
		f.during()
	}
	return f.err
}

func (f *fake) GetProviderSchema(
	ctx context.Context, _ *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	return nil, f.call(ctx)
}

func (f *fake) ConfigureProvider(
	ctx context.Context, _ *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	return nil, f.call(ctx)
}

func (f *fake) ReadDataSource(
	ctx context.Context, _ *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	return nil, f.call(ctx)
}

func (f *fake) ApplyResourceChange(
	ctx context.Context, _ *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return nil, f.call(ctx)
}

func (f *fake) InvokeAction(
	ctx context.Context, _ *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	f.ctx = ctx
	return &tfprotov6.InvokeActionServerStream{
		Events: func(push func(tfprotov6.InvokeActionEvent) bool) {
			if f.call(ctx) == nil && ctx.Err() == nil {
				push(tfprotov6.InvokeActionEvent{})
			}
		},
	}, f.err
}
