package protocol_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/notification/terraform-provider-notification/internal/protocol"
)

// warning is a server whose validation of actions warns.
type warning struct{ protocol.Server }

func (s warning) ValidateActionConfig(
	ctx context.Context, req *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	resp, err := s.Server.ValidateActionConfig(ctx, req)
	resp.Diagnostics = append(resp.Diagnostics, &tfprotov6.Diagnostic{
		Severity: tfprotov6.DiagnosticSeverityWarning, Summary: "warning",
	})
	return resp, err
}

// Only an error of its validation keeps an action from being planned: not a warning, nor channels
// that are unknown as a whole. Package provider tests the errors.
func TestWrap_validatesActionsAgain(t *testing.T) {
	t.Parallel()
	w, err := protocol.Wrap(warning{framework()})
	if err != nil {
		t.Fatal(err)
	}
	schema := configure(t, w, "1.14.0").ActionSchemas[actionName].Schema
	planned, err := w.PlanAction(t.Context(), &tfprotov6.PlanActionRequest{
		ActionType: actionName, Config: encoded(t, notification(schema, []any{unknown})),
	})
	if err != nil || len(planned.Diagnostics) > 0 {
		t.Errorf("%+v, %v", planned, err)
	}
}
