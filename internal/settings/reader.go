package settings

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// reader reads one setting after the other and collects the errors: about values that are wrong,
// and about values that are absent.
type reader struct {
	getenv        func(string) string
	emulator      string // the origin that every address must have; empty: any
	unknown       []string
	wrong, absent diag.Diagnostics
}

// variable is the environment variable that takes the place of an attribute.
func variable(attribute string) string { return "NOTIFICATION_" + strings.ToUpper(attribute) }

// text returns the attribute's value, or else the variable's. An empty string counts as missing. ok
// is also false for a value that is not known yet.
func (r *reader) text(attribute string, value types.String) (text string, ok bool) {
	return r.textOf(attribute, value, value.ValueString())
}

// textOf is text for an attribute of any type, whose value is given as text too.
func (r *reader) textOf(attribute string, value attr.Value, given string) (text string, ok bool) {
	if value.IsUnknown() {
		r.notKnown(attribute)
		return "", false
	}
	if value.IsNull() || given == "" {
		given = r.getenv(variable(attribute))
	}
	return given, given != ""
}

// required is text for a setting without which no request can be made. It is required of every run,
// since Configure does not know what the run will do.
func (r *reader) required(attribute string, value types.String, placeholder string) string {
	text, ok := r.text(attribute, value)
	if !ok && !value.IsUnknown() {
		r.missing(attribute, ". If this run sends nothing and looks up no studies, as in an import "+
			"or a destroy, a placeholder will do: "+placeholder)
	}
	return text
}

// missing reports that a value is needed; reason, with its punctuation, follows where to set it.
func (r *reader) missing(attribute, reason string) {
	text := fmt.Sprintf("Set the attribute %s in the provider block or the environment variable %s",
		attribute, variable(attribute))
	r.absent.AddAttributeError(
		path.Root(attribute), "Missing provider setting "+attribute, text+reason+".",
	)
}

func (r *reader) notKnown(attribute string) { r.unknown = append(r.unknown, attribute) }

// invalid reports a wrong value. It names the variable too, from which the value may have come, and
// never quotes the value, which may be a secret.
func (r *reader) invalid(attribute string, format string, args ...any) {
	r.wrong.AddAttributeError(
		path.Root(attribute),
		"Invalid provider setting "+attribute,
		fmt.Sprintf("The value of %s (or of the environment variable %s) %s.",
			attribute, variable(attribute), fmt.Sprintf(format, args...)),
	)
}
