package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"terraform-provider-notification/internal/settings"
)

// rule is a validator of strings.
type rule struct {
	summary     string
	description string // "must be …", what follows the attribute's name

	// check reports whether text is valid, and what follows the description where it is not.
	check func(text string) (valid bool, advice string)
}

// nonBlank accepts strings with more in them than white space.
func nonBlank() rule {
	return rule{"Blank value", "must not be blank", func(text string) (bool, string) {
		return strings.TrimSpace(text) != "",
			". Set it to a value, or leave it out if it is optional."
	}}
}

// oneScope accepts scopes (RFC 6749, section 3.3).
func oneScope() rule {
	const description = "must be a scope: printable ASCII characters except spaces, quotes and " +
		"backslashes"
	return rule{"Invalid scope", description, func(text string) (bool, string) {
		return settings.ValidScope(text), "."
	}}
}

// oneOf accepts the values, and suggests the correct spelling of one that is misspelt.
func oneOf(summary string, values ...string) rule {
	description := "must be one of " + strings.Join(values, ", ")
	return rule{summary, description, func(text string) (bool, string) {
		folded := strings.NewReplacer("-", "_", " ", "_").Replace(strings.TrimSpace(text))
		for _, value := range values {
			if strings.EqualFold(folded, value) {
				return text == value, fmt.Sprintf(", not %q. Did you mean %q?", text, value)
			}
		}
		return false, fmt.Sprintf(", not %q.", text)
	}}
}

func (r rule) Description(context.Context) string { return r.description }

func (r rule) MarkdownDescription(context.Context) string { return r.description }

func (r rule) ValidateString(
	_ context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if valid, advice := r.check(req.ConfigValue.ValueString()); !valid {
		resp.Diagnostics.AddAttributeError(req.Path, r.summary,
			fmt.Sprintf("%s %s%s", req.Path, r.description, advice))
	}
}
