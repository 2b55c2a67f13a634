package provider

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-notification/internal/settings"
)

// Summaries of the framework's own errors.
const (
	missingRequired = "Missing Configuration for Required Attribute"
	nullList        = "Null List Value"
)

// The values of delivery.
const (
	atLeastOnce = "at_least_once"
	atMostOnce  = "at_most_once"
)

// rule validates strings, and sets and maps of strings.
type rule struct {
	summary     string
	description string // follows the attribute's name: "must be …"

	// check reports whether text is valid. advice, if any, is a further sentence about invalid text.
	check func(text string) (valid bool, advice string)
}

// checkText reports text that is blank or not valid UTF-8.
func checkText(text types.String, at path.Path, diags *diag.Diagnostics) {
	validText().validate(text, at, diags)
	nonBlank().validate(text, at, diags)
}

// checkList reports a list that is empty or has a null element.
func checkList(ctx context.Context, list types.List, at path.Path, diags *diag.Diagnostics) {
	var resp validator.ListResponse
	req := validator.ListRequest{Path: at, ConfigValue: list}
	listvalidator.SizeAtLeast(1).ValidateList(ctx, req, &resp)
	listvalidator.NoNullValues().ValidateList(ctx, req, &resp)
	diags.Append(resp.Diagnostics...)
}

// checkMap reports a map with a null value, or with text that is not valid UTF-8.
func checkMap(ctx context.Context, values types.Map, at path.Path, diags *diag.Diagnostics) {
	var resp validator.MapResponse
	req := validator.MapRequest{Path: at, ConfigValue: values}
	validText().ValidateMap(ctx, req, &resp)
	mapvalidator.NoNullValues().ValidateMap(ctx, req, &resp)
	diags.Append(resp.Diagnostics...)
}

// checkRequired reports a null value with the error of the framework's validation.
func checkRequired(value attr.Value, at path.Path, diags *diag.Diagnostics) {
	if value.IsNull() {
		diags.AddAttributeError(at, missingRequired,
			fmt.Sprintf("Must set a configuration value for the %s attribute as the provider has "+
				"marked it as required.\n\nRefer to the provider documentation or contact the "+
				"provider developers for additional information about configurable attributes that "+
				"are required.", at))
	}
}

// nonBlank accepts strings that contain more than white space.
func nonBlank() rule {
	return rule{"Blank value", "must not be blank", func(text string) (bool, string) {
		return strings.TrimSpace(text) != "", "Set it to a value, or leave it out if it is optional."
	}}
}

// validText accepts UTF-8. JSON cannot carry anything else: the service would receive other text,
// and the state would never equal the configuration.
func validText() rule {
	return rule{"Invalid text", "must be valid UTF-8", func(text string) (bool, string) {
		return utf8.ValidString(text), "Other bytes cannot be sent or stored as they are. " +
			"Convert the text to UTF-8 where it comes from, such as a file or the output of a " +
			"command, or pass it as base64."
	}}
}

// validKey accepts keys that every header can carry. See the service contract, "Idempotency keys".
func validKey() rule {
	const description = "must be 1 to 255 visible ASCII characters, without spaces"
	return rule{"Invalid idempotency key", description, func(text string) (bool, string) {
		odd := strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
		return !odd && text != "" && len(text) <= 255, ""
	}}
}

// positiveDuration accepts Go durations above zero.
func positiveDuration() rule {
	const description = "must be a duration above zero, such as 30s or 10m"
	return rule{"Invalid timeout", description, func(text string) (bool, string) {
		d, err := time.ParseDuration(text)
		return err == nil && d > 0, ""
	}}
}

// scopesOnly accepts scopes (RFC 6749, section 3.3).
func scopesOnly() rule {
	const description = "must contain scopes only, of printable ASCII characters except spaces, " +
		"quotes and backslashes"
	return rule{"Invalid scope", description, func(text string) (bool, string) {
		return settings.ValidScope(text), ""
	}}
}

// validPriority accepts the service's priorities. See the service contract, "Submissions".
func validPriority() rule { return oneOf("Invalid priority", "HIGH", "NORMAL", "BATCH") }

// validDelivery accepts the values of delivery.
func validDelivery() rule { return oneOf("Invalid delivery", atLeastOnce, atMostOnce) }

// oneOf accepts the values, and suggests the correct spelling of one that is misspelt. It does not
// quote the text, which may be sensitive.
func oneOf(summary string, values ...string) rule {
	description := "must be one of " + strings.Join(values, ", ")
	return rule{summary, description, func(text string) (bool, string) {
		folded := strings.NewReplacer("-", "_", " ", "_").Replace(strings.TrimSpace(text))
		for _, value := range values {
			if strings.EqualFold(folded, value) {
				return text == value, fmt.Sprintf("Did you mean %q?", value)
			}
		}
		return false, ""
	}}
}

func (r rule) Description(context.Context) string { return r.description }

func (r rule) MarkdownDescription(context.Context) string { return r.description }

func (r rule) ValidateString(
	_ context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	r.validate(req.ConfigValue, req.Path, &resp.Diagnostics)
}

// ValidateSet reports errors at the set, since the path of an element quotes the element.
func (r rule) ValidateSet(
	_ context.Context, req validator.SetRequest, resp *validator.SetResponse,
) {
	for _, element := range req.ConfigValue.Elements() {
		if text, ok := element.(types.String); ok {
			r.validate(text, req.Path, &resp.Diagnostics)
		}
	}
}

// ValidateMap checks keys and values. It reports errors at the map: a key may be sensitive, and a
// path with a key that is not UTF-8 cannot be sent to Terraform.
func (r rule) ValidateMap(
	_ context.Context, req validator.MapRequest, resp *validator.MapResponse,
) {
	for key, element := range req.ConfigValue.Elements() {
		value, _ := element.(types.String)
		for _, text := range []types.String{types.StringValue(key), value} {
			r.validate(text, req.Path, &resp.Diagnostics)
		}
		if resp.Diagnostics.HasError() {
			return
		}
	}
}

func (r rule) validate(value types.String, at path.Path, diags *diag.Diagnostics) {
	if value.IsNull() || value.IsUnknown() {
		return
	}
	if valid, advice := r.check(value.ValueString()); !valid {
		diags.AddAttributeError(at, r.summary,
			strings.TrimSpace(fmt.Sprintf("%s %s. %s", at, r.description, advice)))
	}
}
