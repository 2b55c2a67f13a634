package settings

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// reader reads one setting after the other and collects the problems.
type reader struct {
	getenv   func(string) string // nil: what the environment holds is not known
	emulator *url.URL            // the only place for addresses; nil: any

	config  Config
	unknown []string // names of attributes
	missing []setting
	wrong   diag.Diagnostics

	// What other settings are checked against or completed with.
	allowHTTP                      bool
	base                           *url.URL
	system                         string
	notificationsPath, studiesPath *url.URL
	clientCert, clientKey          string
}

// read reads the table from top to bottom, then what is made of several settings.
func (r *reader) read(ctx context.Context, from tfsdk.Config) {
	for _, s := range r.table() {
		var value attr.Value
		if diags := from.GetAttribute(ctx, path.Root(s.name), &value); diags.HasError() {
			r.wrong.Append(diags...)
			continue
		}
		r.setting(ctx, s, value)
	}
	r.config.NotificationsURL = r.endpoint(r.notificationsPath, "notifications/v1")
	r.config.StudiesURL = r.endpoint(r.studiesPath, "studies/v1")
	r.checkHalves()
}

// setting reads the attribute's value, or else the variable, or else the default. An empty string
// counts as missing.
func (r *reader) setting(ctx context.Context, s setting, value attr.Value) {
	if known, err := value.ToTerraformValue(ctx); err != nil || !known.IsFullyKnown() {
		r.unknown = append(r.unknown, s.name)
	}
	switch {
	case value.IsUnknown():
		return
	case s.value != nil && !value.IsNull():
		s.value(s, value)
		return
	case s.text == nil:
		return
	}
	text := textOf(value)
	if text == "" {
		if r.getenv == nil {
			r.unknown = append(r.unknown, s.name)
			return
		}
		text = cmp.Or(r.getenv(s.variable()), s.fallback)
	}
	switch {
	case text != "":
		if err := s.text(text); err != nil {
			r.invalid(s, err)
		}
	case s.placeholder != "":
		r.missing = append(r.missing, s)
	}
}

// textOf is a value as its variable would hold it, empty for null.
func textOf(value attr.Value) string {
	if text, ok := value.(types.String); ok {
		return text.ValueString()
	}
	if value.IsNull() {
		return ""
	}
	return value.String()
}

func (r *reader) isUnknown(name string) bool { return slices.Contains(r.unknown, name) }

// invalid reports a wrong value. It names the variable too, from which the value may have come, and
// never quotes the value, which may be a secret.
func (r *reader) invalid(s setting, reason error) {
	r.wrong.AddAttributeError(path.Root(s.name), "Invalid provider setting "+s.name, fmt.Sprintf(
		"The value of %s (or of the environment variable %s) %s.", s.name, s.variable(), reason))
}

// missingSettings is one error about all settings that are required and missing. They are required
// of every run, since Configure does not know what the run will do.
func (r *reader) missingSettings() (diags diag.Diagnostics) {
	if len(r.missing) == 0 {
		return nil
	}
	var names []string
	var exports strings.Builder
	for _, s := range r.missing {
		names = append(names, s.name)
		fmt.Fprintf(&exports, "    export %s=%q\n", s.variable(), s.placeholder)
	}
	list := names[0]
	if last := len(names) - 1; last > 0 {
		list = strings.Join(names[:last], ", ") + " and " + names[last]
	}
	diags.AddError("Missing provider settings", "Set "+list+" in the provider block, or your own "+
		"values in the environment. A run that sends nothing and looks up no studies, such as an "+
		"import or a destroy, can use these placeholders:\n\n"+exports.String())
	return diags
}
