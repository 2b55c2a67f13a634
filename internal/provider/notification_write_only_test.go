package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Terraform before 1.11 would plan these values like any others, and display them.
func TestWriteOnlyInOldTerraform(t *testing.T) {
	t.Parallel()
	w := newWire(t, newBackend(t, nil))
	for name, fields := range map[string]any{
		"known":         map[string]any{"pin": "canary"},
		"unknown value": map[string]any{"pin": tftypes.UnknownValue},
		"unknown":       tftypes.UnknownValue,
	} {
		config := w.value(t, w.schema.ResourceSchemas[resourceName], map[string]any{
			"priority": "HIGH", "channels": []any{
				map[string]any{"type": "slack", "fields_wo": fields},
			},
		})
		req := &tfprotov6.ValidateResourceConfigRequest{TypeName: resourceName, Config: config}
		resp, err := w.ValidateResourceConfig(t.Context(), req)
		if err != nil || len(resp.Diagnostics) != 1 ||
			!strings.Contains(resp.Diagnostics[0].Detail, "1.11") ||
			!strings.HasSuffix(resp.Diagnostics[0].Attribute.String(),
				`AttributeName("fields_wo")`) {
			t.Errorf("%s: %v, %v", name, err, resp.Diagnostics)
		}
		for _, d := range resp.Diagnostics {
			if strings.Contains(d.Summary+d.Detail, "canary") {
				t.Errorf("%s: the value is shown: %s", name, d.Detail)
			}
		}
		req.ClientCapabilities = &tfprotov6.ValidateResourceConfigClientCapabilities{
			WriteOnlyAttributesAllowed: true,
		}
		if resp, err = w.ValidateResourceConfig(t.Context(), req); err != nil ||
			len(resp.Diagnostics) != 0 {
			t.Errorf("%s: refused in new Terraform too: %v, %v", name, err, resp.Diagnostics)
		}
	}
}
