package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// nonBlank rejects strings that are empty or hold white space only.
type nonBlank struct{}

func (nonBlank) Description(context.Context) string { return "must not be blank" }

func (v nonBlank) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v nonBlank) ValidateString(
	_ context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	value := req.ConfigValue
	if value.IsNull() || value.IsUnknown() || strings.TrimSpace(value.ValueString()) != "" {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path, "Blank value",
		fmt.Sprintf("%s must not be blank. Set it to a value, or leave it out if it is optional.",
			req.Path))
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

// scopeValue accepts scope tokens (RFC 6749, section 3.3).
type scopeValue struct{}

func (scopeValue) Description(context.Context) string {
	return "must be a scope: printable ASCII characters except spaces, quotes and backslashes"
}

func (v scopeValue) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v scopeValue) ValidateString(
	ctx context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	value := req.ConfigValue
	if value.IsNull() || value.IsUnknown() || validScope(value.ValueString()) {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path, "Invalid scope",
		fmt.Sprintf("%s %s.", req.Path, v.Description(ctx)))
}

// distinctFields rejects channels with a key in both fields and fields_wo. The keys of a known map
// are known even where its values are not.
type distinctFields struct{}

func (distinctFields) Description(context.Context) string {
	return "no key may be in both fields and fields_wo"
}

func (v distinctFields) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

func (distinctFields) ValidateList(
	_ context.Context, req validator.ListRequest, resp *validator.ListResponse,
) {
	for i, element := range req.ConfigValue.Elements() {
		if element.IsNull() || element.IsUnknown() {
			continue
		}
		channel := channelModelFrom(element, &resp.Diagnostics)
		var both []string
		for key := range channel.FieldsWO.Elements() {
			if _, ok := channel.Fields.Elements()[key]; ok {
				both = append(both, key)
			}
		}
		if len(both) > 0 {
			slices.Sort(both)
			at := req.Path.AtListIndex(i).AtName("fields_wo")
			resp.Diagnostics.AddAttributeError(at, "Field given twice",
				fmt.Sprintf("These keys are in both fields and fields_wo: %s. Keep each key in "+
					"one of them only, so that it is clear which value is sent.",
					strings.Join(both, ", ")))
		}
	}
}
