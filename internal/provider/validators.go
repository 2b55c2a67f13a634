package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"terraform-provider-notification/internal/settings"
)

// rule rejects strings that do not satisfy it. Unlike stringvalidator.RegexMatches it does not quote
// them: they may be sensitive.
type rule struct {
	summary     string
	description string // "must be …"
	advice      string // a sentence; may be empty
	satisfied   func(text string) bool
}

// nonBlank accepts strings with more in them than white space.
func nonBlank() rule {
	return rule{
		summary: "Blank value", description: "must not be blank",
		advice:    "Set it to a value, or leave it out if it is optional.",
		satisfied: func(text string) bool { return strings.TrimSpace(text) != "" },
	}
}

// oneScope accepts scopes (RFC 6749, section 3.3).
func oneScope() rule {
	return rule{
		summary: "Invalid scope", satisfied: settings.ValidScope,
		description: "must be a scope: printable ASCII characters except spaces, quotes and " +
			"backslashes",
	}
}

func (v rule) Description(context.Context) string { return v.description }

func (v rule) MarkdownDescription(context.Context) string { return v.description }

func (v rule) ValidateString(
	_ context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	value := req.ConfigValue
	if value.IsNull() || value.IsUnknown() || v.satisfied(value.ValueString()) {
		return
	}
	detail := fmt.Sprintf("%s %s. %s", req.Path, v.description, v.advice)
	resp.Diagnostics.AddAttributeError(req.Path, v.summary, strings.TrimSpace(detail))
}

// choice accepts one of several values, and suggests the correct spelling.
type choice struct {
	summary string
	values  []string
}

func (v choice) Description(context.Context) string {
	return "must be one of " + strings.Join(v.values, ", ")
}

func (v choice) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v choice) ValidateString(
	ctx context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	value := req.ConfigValue.ValueString()
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || slices.Contains(v.values, value) {
		return
	}
	detail := fmt.Sprintf("%s %s, not %q.", req.Path, v.Description(ctx), value)
	folded := strings.NewReplacer("-", "_", " ", "_").Replace(strings.TrimSpace(value))
	right := slices.IndexFunc(v.values, func(right string) bool {
		return strings.EqualFold(folded, right)
	})
	if right >= 0 {
		detail += fmt.Sprintf(" Did you mean %q?", v.values[right])
	}
	resp.Diagnostics.AddAttributeError(req.Path, v.summary, detail)
}
