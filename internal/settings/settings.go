// Package settings makes the client's configuration out of the provider block and the environment.
//
// Its promise: every problem is reported at once, and no message quotes a value that may be a
// secret.
package settings

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"terraform-provider-notification/internal/client"
)

// Config is the client's configuration and what the provider decides by itself.
type Config struct {
	client.Config

	// CheckCredentials asks for an access token in each plan that will submit.
	CheckCredentials bool
}

// Read merges the provider block with the environment and checks all of it. unknown names the
// attributes that are not known yet; config can be used only if there are none, and no errors.
func Read(
	ctx context.Context, from tfsdk.Config, getenv func(string) string,
) (config Config, unknown []string, diags diag.Diagnostics) {
	r := &reader{getenv: getenv}
	r.emulator = r.emulatorAddress()
	r.read(ctx, from)
	if trace := getenv("TRACEPARENT"); trace != "" {
		var err error
		if r.config.Trace, err = client.ParseTrace(trace); err != nil {
			tflog.Debug(ctx, "Ignored the environment variable TRACEPARENT, which "+err.Error())
		}
	}
	// Nothing but the check of the credentials waits for its own setting.
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
