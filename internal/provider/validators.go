package provider

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/notification/terraform-provider-notification/internal/settings"
)

// requirement is what a validator requires. It follows the attribute's name: "must be …".
type requirement string

func (r requirement) Description(context.Context) string { return string(r) }

func (r requirement) MarkdownDescription(context.Context) string { return string(r) }

// textValidator validates strings, and lists, sets and maps of strings.
type textValidator struct {
	requirement

	summary string
	advice  string // a further sentence about invalid text; may be empty
	valid   func(text string) bool
}

// nonBlank accepts strings that contain more than white space.
func nonBlank() textValidator {
	return textValidator{
		"must not be blank", titleBlank, "Set it to a value, or leave it out if it is optional.",
		func(text string) bool { return strings.TrimSpace(text) != "" },
	}
}

// validText accepts UTF-8. JSON cannot carry anything else: the service would receive other text,
// and the state would never equal the configuration.
func validText() textValidator {
	const advice = "Other bytes cannot be sent or stored as they are. Convert the text to UTF-8 " +
		"where it comes from, such as a file or the output of a command, or pass it as base64."
	return textValidator{"must be valid UTF-8", titleText, advice, utf8.ValidString}
}

// validKey accepts keys that every header can carry. See the service contract, "Idempotency keys".
func validKey() textValidator {
	const description = "must be 1 to 255 visible ASCII characters, without spaces"
	return textValidator{description, titleKey, "", func(text string) bool {
		odd := strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
		return !odd && text != "" && len(text) <= 255
	}}
}

// scopesOnly accepts scopes (RFC 6749, section 3.3).
func scopesOnly() textValidator {
	const description = "must contain scopes only, of printable ASCII characters except spaces, " +
		"quotes and backslashes"
	return textValidator{description, titleScope, "", settings.ValidScope}
}

// positiveDuration leaves it to the library to report what is not a duration.
func positiveDuration() textValidator {
	return textValidator{"must be above zero", titleDuration, "", func(text string) bool {
		duration, err := time.ParseDuration(text)
		return err != nil || duration > 0
	}}
}

func (v textValidator) ValidateString(
	_ context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	if !req.ConfigValue.IsNull() {
		v.validate(req.ConfigValue, req.Path, &resp.Diagnostics)
	}
}

// ValidateSet reports errors at the set, since the path of an element quotes the element.
func (v textValidator) ValidateSet(
	_ context.Context, req validator.SetRequest, resp *validator.SetResponse,
) {
	for _, element := range req.ConfigValue.Elements() {
		v.validate(element, req.Path, &resp.Diagnostics)
	}
}

// ValidateList reports the first invalid element only: often all of them come from one list.
func (v textValidator) ValidateList(
	_ context.Context, req validator.ListRequest, resp *validator.ListResponse,
) {
	for i, element := range req.ConfigValue.Elements() {
		v.validate(element, req.Path.AtListIndex(i), &resp.Diagnostics)
		if resp.Diagnostics.HasError() {
			return
		}
	}
}

// ValidateMap checks keys and values. It reports errors at the map: a key may be sensitive, and a
// path with a key that is not UTF-8 cannot be sent to Terraform.
func (v textValidator) ValidateMap(
	_ context.Context, req validator.MapRequest, resp *validator.MapResponse,
) {
	for key, element := range req.ConfigValue.Elements() {
		v.validate(types.StringValue(key), req.Path, &resp.Diagnostics)
		v.validate(element, req.Path, &resp.Diagnostics)
		if resp.Diagnostics.HasError() {
			return
		}
	}
}

// validate validates a null element like an empty one.
func (v textValidator) validate(value attr.Value, at path.Path, diags *diag.Diagnostics) {
	text, _ := value.(types.String)
	if !value.IsUnknown() && !v.valid(text.ValueString()) {
		diags.AddAttributeError(at, v.summary,
			strings.TrimSpace(fmt.Sprintf("%s %s. %s", at, v.requirement, v.advice)))
	}
}

// noNulls accepts maps without null elements. The error names the map, unlike that of the
// framework's validator.
var noNulls = nullValidator{"must not contain null"}

type nullValidator struct{ requirement }

func (v nullValidator) ValidateMap(
	_ context.Context, req validator.MapRequest, resp *validator.MapResponse,
) {
	values := slices.Collect(maps.Values(req.ConfigValue.Elements()))
	if slices.ContainsFunc(values, attr.Value.IsNull) {
		resp.Diagnostics.AddAttributeError(req.Path, titleNull, fmt.Sprintf("%s %s. Leave such "+
			`elements out, as with a for expression that ends in "if v != null".`, req.Path, v.requirement))
	}
}

// distinctFields reports a channel with a key in both fields and fields_wo.
var distinctFields = fieldsValidator{"must not have a key that is in fields and in fields_wo"}

type fieldsValidator struct{ requirement }

func (fieldsValidator) ValidateObject(
	_ context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse,
) {
	elements := func(name string) map[string]attr.Value {
		fields, _ := req.ConfigValue.Attributes()[name].(types.Map)
		return fields.Elements()
	}
	fields, at := elements("fields"), req.Path.AtName("fields_wo")
	for key := range elements("fields_wo") { // keys are known even if their values are not
		if _, ok := fields[key]; ok {
			resp.Diagnostics.AddAttributeError(at, titleTwice, // no key: it may be sensitive
				fmt.Sprintf("%s has a key that is also in fields. Keep each key in one of them "+
					"only, so that it is clear which value is sent.", at))
			return
		}
	}
}
