// Package settings makes the client's configuration out of the provider block and the environment.
//
// Its promise: every problem is reported at once, and no message quotes a value that may be a
// secret.
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
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/client/wire"
)

// Config is the client's configuration and what the provider decides by itself.
type Config struct {
	client.Config

	// CheckCredentials asks for an access token in each plan that will submit.
	CheckCredentials bool
}

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

// Read merges the provider block with the environment and checks all of it. unknown names the
// attributes that are not known yet; config can be used only if there are none, and no errors.
func Read(
	ctx context.Context, from tfsdk.Config, getenv func(string) string,
) (config Config, unknown []string, diags diag.Diagnostics) {
	r := &reader{getenv: getenv}
	r.emulator = r.emulatorAddress()
	r.config.NoProxy = r.emulator != nil // it may be in the same network, and not on this machine
	r.read(ctx, from)
	r.checkProxy()
	if trace := getenv("TRACEPARENT"); trace != "" {
		var err error
		if r.config.Trace, err = wire.ParseTrace(trace); err != nil {
			tflog.Debug(ctx, "Ignored the environment variable TRACEPARENT, which "+err.Error())
		}
	}
	// Only check_credentials may be unknown without consequence for anything else.
	unknown = slices.DeleteFunc(r.unknown, func(name string) bool {
		return name == "check_credentials"
	})
	return r.config, unknown, append(r.missingSettings(), r.wrong...)
}

// Validate reports what is wrong with the provider block itself. What the block leaves out, the
// environment may add later, so that it is not known yet.
func Validate(ctx context.Context, from tfsdk.Config) diag.Diagnostics {
	r := &reader{}
	r.read(ctx, from)
	return r.wrong
}

// read reads the table from top to bottom, then what is made of several settings.
func (r *reader) read(ctx context.Context, from tfsdk.Config) {
	for _, s := range table {
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
// or set counts as missing.
func (r *reader) setting(ctx context.Context, s setting, value attr.Value) {
	if known, err := value.ToTerraformValue(ctx); err != nil || !known.IsFullyKnown() {
		r.unknown = append(r.unknown, s.name)
	}
	if set, ok := value.(types.Set); ok && !set.IsUnknown() && len(set.Elements()) == 0 {
		value = types.SetNull(types.StringType)
	}
	switch {
	case value.IsUnknown():
		return
	case s.value != nil && !value.IsNull():
		s.value(r, s, value)
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
		if err := s.text(r, text); err != nil {
			r.invalid(s, err)
		}
	case s.placeholder != "":
		r.missing = append(r.missing, s)
	}
}

func (r *reader) isUnknown(name string) bool { return slices.Contains(r.unknown, name) }

// invalid reports a wrong value. It names the variable too, from which the value may have come, and
// never quotes the value, which may be a secret.
func (r *reader) invalid(s setting, reason error) {
	r.wrong.AddAttributeError(path.Root(s.name), "Invalid provider setting "+s.name, fmt.Sprintf(
		"The value of %s (or of the environment variable %s) %s.", s.name, s.variable(), reason))
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
