package protocol

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// cancelled is a framework whose calls that submit return the error of their context.
type cancelled struct{ Server }

func (cancelled) ValidateActionConfig(
	context.Context, *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	return &tfprotov6.ValidateActionConfigResponse{}, nil
}

func (cancelled) ApplyResourceChange(
	ctx context.Context, _ *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return nil, ctx.Err()
}

func (cancelled) InvokeAction(
	ctx context.Context, _ *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	return nil, ctx.Err()
}

// After Terraform has stopped the provider, calls that submit are cancelled before they begin, until
// another run configures the provider.
func TestNothingStartsAfterStop(t *testing.T) {
	t.Parallel()
	w, err := Wrap(cancelled{framework()})
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string, want error) {
		t.Helper()
		_, applied := w.ApplyResourceChange(t.Context(), nil)
		_, invoked := w.InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{})
		if applied != want || invoked != want { //nolint:errorlint // the very errors of contexts
			t.Errorf("%s: ApplyResourceChange %v, InvokeAction %v; want %v", when, applied, invoked, want)
		}
	}
	check("at first", nil)
	_, _ = w.StopProvider(t.Context(), &tfprotov6.StopProviderRequest{})
	check("after the stop", context.Canceled)
	_, _ = w.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{})
	check("in the next run", nil)
}
