package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
)

// allKnown reports whether value and everything inside it is known.
func allKnown(ctx context.Context, value attr.Value) bool {
	known, err := value.ToTerraformValue(ctx)
	return err == nil && known.IsFullyKnown()
}
