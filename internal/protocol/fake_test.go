package protocol

import (
	"context"
	"errors"
	"iter"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

var errFailing = errors.New("the canary died")

// fake is a server that keeps the context of a call, does something during the call, and answers
// with an error, if it has one.
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

// ReadDataSource returns the state "found" beside its error.
func (f *fake) ReadDataSource(
	ctx context.Context, _ *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	found := &tfprotov6.DynamicValue{MsgPack: []byte("found")}
	return &tfprotov6.ReadDataSourceResponse{State: found}, f.call(ctx)
}

func (f *fake) ApplyResourceChange(
	ctx context.Context, _ *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return nil, f.call(ctx)
}

func (f *fake) InvokeAction(
	ctx context.Context, _ *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	return &tfprotov6.InvokeActionServerStream{Events: one[tfprotov6.InvokeActionEvent](ctx, f)}, f.err
}

func (f *fake) ListResource(
	ctx context.Context, _ *tfprotov6.ListResourceRequest,
) (*tfprotov6.ListResourceServerStream, error) {
	return &tfprotov6.ListResourceServerStream{
		Results: one[tfprotov6.ListResourceResult](ctx, f),
	}, f.err
}

func (f *fake) ReadStateBytes(
	ctx context.Context, _ *tfprotov6.ReadStateBytesRequest,
) (*tfprotov6.ReadStateBytesStream, error) {
	return &tfprotov6.ReadStateBytesStream{Chunks: one[tfprotov6.ReadStateByteChunk](ctx, f)}, f.err
}

// one is a stream with one item. The call lasts until that is read.
func one[Item any](ctx context.Context, f *fake) iter.Seq[Item] {
	f.ctx = ctx
	return func(push func(Item) bool) {
		if f.call(ctx) == nil && ctx.Err() == nil {
			var item Item
			push(item)
		}
	}
}
