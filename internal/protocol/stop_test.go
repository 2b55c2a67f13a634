package protocol_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/notification/terraform-provider-notification/internal/protocol"
)

// submitting is a server whose calls that submit return the error of their context.
type submitting struct{ protocol.Server }

func (submitting) ApplyResourceChange(
	ctx context.Context, _ *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return nil, ctx.Err()
}

func (submitting) ValidateActionConfig(
	context.Context, *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	return &tfprotov6.ValidateActionConfigResponse{}, nil
}

func (submitting) InvokeAction(
	ctx context.Context, _ *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	return nil, ctx.Err()
}

// Terraform stops a provider once, but makes the calls that it has announced even after that. They
// submit nothing, until another run configures the provider.
func TestNothingStartsAfterStop(t *testing.T) {
	t.Parallel()
	w, err := protocol.Wrap(submitting{framework()})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		when string
		do   func()
		want error
	}{
		{"at first", func() {}, nil},
		{"after a stop", func() { _, _ = w.StopProvider(t.Context(), nil) }, context.Canceled},
		{"in the next run", func() { configure(t, w, "1.11.4") }, nil},
	} {
		step.do()
		_, applied := w.ApplyResourceChange(t.Context(), nil)
		_, invoked := w.InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{})
		if applied != step.want || invoked != step.want { //nolint:errorlint // those of contexts
			t.Errorf("%s: ApplyResourceChange %v, InvokeAction %v; want %v", step.when, applied,
				invoked, step.want)
		}
	}
}
