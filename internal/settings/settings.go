// Package settings builds the client's configuration from the provider block and the environment.
// It reports every problem at once, and no message quotes a value that may be a secret.
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

	"github.com/notification/terraform-provider-notification/internal/client"
	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// Titles of errors. docs/guides/troubleshooting.md explains each. The name of a setting or variable
// follows, except after TitleAllMissing.
const (
	TitleAllMissing = "Missing provider settings"
	TitleMissing    = "Missing provider setting"
	titleInvalid    = "Invalid provider setting"
	titleVariable   = "Invalid environment variable"
)

// Config is the client's configuration, with the setting that only the provider uses.
type Config struct {
	client.Config

	// CheckCredentials requests an access token in each plan that will submit.
	CheckCredentials bool
}

// loader reads the settings one after the other and collects the problems.
type loader struct {
	environment func(variable string) types.String
	emulator    *url.URL // the only origin that addresses may have; nil: any

	config  Config
	unknown []string // names of settings
	refused []string // names of settings whose text is invalid
	inBlock []string // names of settings that the provider block has
	missing []setting
	diags   diag.Diagnostics

	// Values that other settings are checked against or built from.
	allowHTTP                                 bool
	auth, base                                *url.URL
	system                                    string
	tokenPath, notificationsPath, studiesPath *url.URL
	clientCert, clientKey                     string
}

// Read merges the provider block with the environment and checks the result. unknown names the
// attributes that are not known yet. config can be used only if there are none, and no errors.
func Read(
	ctx context.Context, from tfsdk.Config, getenv func(string) string,
) (config Config, unknown []string, diags diag.Diagnostics) {
	l := &loader{
		environment: func(name string) types.String { return types.StringValue(getenv(name)) },
	}
	l.emulator = l.emulatorAddress(getenv(emulatorVariable))
	l.config.NoProxy = l.emulator != nil // it may be on another machine of this network
	l.read(ctx, from)
	if trace := getenv("TRACEPARENT"); trace != "" {
		var err error
		if l.config.Trace, err = wire.ParseTrace(trace); err != nil {
			tflog.Debug(ctx, "Ignored the environment variable TRACEPARENT, which "+err.Error())
		}
	}
	// Only check_credentials itself may be unknown without consequence.
	unknown = slices.DeleteFunc(l.unknown, func(name string) bool {
		return name == "check_credentials"
	})
	return l.config, unknown, l.diags
}

// Validate reports problems of the provider block itself: the environment, which may set what the
// block leaves out, is unknown.
func Validate(ctx context.Context, from tfsdk.Config) diag.Diagnostics {
	l := &loader{environment: func(string) types.String { return types.StringUnknown() }}
	l.read(ctx, from)
	return l.diags
}

// read reads each setting, then builds and checks what depends on several.
func (l *loader) read(ctx context.Context, from tfsdk.Config) {
	for _, s := range l.settings() {
		var value attr.Value
		if diags := from.GetAttribute(ctx, path.Root(s.name), &value); diags.HasError() {
			l.diags.Append(diags...)
			continue
		}
		l.readSetting(ctx, s, value)
	}
	l.checkAddress("auth_url", l.auth)
	l.checkAddress("base_url", l.base)
	l.checkKeyHeader()
	l.checkPair()
	l.config.TokenURL = l.tokenURL()
	l.config.NotificationsURL = l.endpoint(l.notificationsPath, "notifications/v1")
	l.config.StudiesURL = l.endpoint(l.studiesPath, "studies/v1")
	l.diags = append(l.missingSettings(), l.diags...)
}

// readSetting reads the attribute, or else the environment variable, or else the default. An empty
// string or set counts as missing. Of max_retries, whose default is 4:
//
//	attribute  variable  read
//	3          "5"       3
//	null       "5"       5
//	null       ""        4
//	unknown    "5"       nothing; its name is added to l.unknown
//	null       unknown   the same, in Validate
func (l *loader) readSetting(ctx context.Context, s setting, value attr.Value) {
	inBlock := value.IsUnknown() || textOf(value) != ""
	switch {
	case inBlock:
		l.inBlock = append(l.inBlock, s.name)
	case s.parse != nil:
		value = l.environment(variable(s.name))
	}
	if known, err := value.ToTerraformValue(ctx); err != nil || !known.IsFullyKnown() {
		l.unknown = append(l.unknown, s.name)
	}
	text := cmp.Or(textOf(value), s.fallback)
	bare := strings.TrimSpace(text)
	// Lines that were copied as they are count as missing: a run must not get as far as a deployment.
	isPlaceholder := strings.HasPrefix(bare, "<") && strings.HasSuffix(bare, ">")
	switch {
	case value.IsUnknown(), value.IsNull():
	case s.required != "" && (text == "" || isPlaceholder):
		l.missing = append(l.missing, s)
	case inBlock && s.readCollection != nil:
		s.readCollection(s, value)
	case text != "":
		if err := s.parse(text); err != nil {
			l.refused = append(l.refused, s.name)
			l.invalid(s.name, err)
		}
	}
}

func (l *loader) isUnknown(name string) bool { return slices.Contains(l.unknown, name) }

// invalid reports an invalid value. It names the environment variable too, which the value may come
// from. It does not quote the value, which may be a secret.
func (l *loader) invalid(name string, reason error) {
	l.diags.AddAttributeError(path.Root(name), titleInvalid+" "+name, fmt.Sprintf(
		"The value of %s (or of the environment variable %s) %s.", name, variable(name), reason))
}

// textOf returns a value as its environment variable would hold it. It is empty for null, an
// unknown value and an empty set.
func textOf(value attr.Value) string {
	if value.IsNull() || value.IsUnknown() {
		return ""
	}
	switch value := value.(type) {
	case types.Set:
		if len(value.Elements()) == 0 {
			return ""
		}
	case types.String:
		return value.ValueString()
	case types.Number: // in full: String rounds
		return value.ValueBigFloat().Text('g', -1)
	}
	return value.String()
}

// missingSettings returns one error about all missing required settings. Every run requires them,
// since Configure does not know what the run will do.
func (l *loader) missingSettings() (diags diag.Diagnostics) {
	if len(l.missing) == 0 {
		return nil
	}
	var names, exports []string
	for _, s := range l.missing {
		names = append(names, s.name)
		exports = append(exports, fmt.Sprintf(`    export %s="<%s>"`, variable(s.name), s.required))
	}
	list := names[0]
	if last := len(names) - 1; last > 0 {
		list = strings.Join(names[:last], ", ") + " and " + names[last]
	}
	diags.AddError(TitleAllMissing, "Set "+list+" in the provider block or in the environment, with "+
		"your own values in place of <…>:\n\n"+strings.Join(exports, "\n"))
	return diags
}
