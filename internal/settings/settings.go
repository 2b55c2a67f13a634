// Package settings makes the client's configuration out of the provider block and the environment.
//
// Its promise: every problem is reported at once, at its attribute, and no message quotes a value
// that may be a secret.
package settings

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"terraform-provider-notification/internal/client"
)

// providerBlock is the provider block.
type providerBlock struct {
	AuthURL           types.String `tfsdk:"auth_url"`
	BaseURL           types.String `tfsdk:"base_url"`
	ClientID          types.String `tfsdk:"client_id"`
	ClientSecret      types.String `tfsdk:"client_secret"`
	Scopes            types.Set    `tfsdk:"scopes"`
	System            types.String `tfsdk:"system"`
	NotificationsPath types.String `tfsdk:"notifications_path"`
	StudiesPath       types.String `tfsdk:"studies_path"`
	Headers           types.Map    `tfsdk:"headers"`
	RequestIDHeader   types.String `tfsdk:"request_id_header"`
	KeyHeader         types.String `tfsdk:"idempotency_key_header"`
	RequestTimeout    types.String `tfsdk:"request_timeout"`
	MaxRetries        types.Int64  `tfsdk:"max_retries"`
	CACertPEM         types.String `tfsdk:"ca_cert_pem"`
	ClientCertPEM     types.String `tfsdk:"client_cert_pem"`
	ClientKeyPEM      types.String `tfsdk:"client_key_pem"`
	CheckCredentials  types.Bool   `tfsdk:"check_credentials"`
	AllowInsecureHTTP types.Bool   `tfsdk:"allow_insecure_http"`
}

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
	var b providerBlock
	diags.Append(from.Get(ctx, &b)...)
	if diags.HasError() {
		return Config{}, nil, diags
	}
	return b.read(ctx, getenv)
}

// Validate reports invalid values in the provider block, so that `terraform validate` finds them
// without the environment and without credentials. A plan stops after an error here and never calls
// Read, so what Read would have reported is added, as warnings.
func Validate(
	ctx context.Context, from tfsdk.Config, getenv func(string) string,
) (diags diag.Diagnostics) {
	var b providerBlock
	diags.Append(from.Get(ctx, &b)...)
	if diags.HasError() {
		return diags
	}
	diags.Append(b.literalErrors()...)
	if !diags.HasError() {
		return diags
	}
	_, _, all := b.read(ctx, getenv)
	for _, d := range all {
		if at, ok := d.(diag.DiagnosticWithPath); ok && !diags.Contains(d) {
			diags.AddAttributeWarning(at.Path(), d.Summary(), d.Detail())
		}
	}
	return diags
}

func (b providerBlock) read(
	ctx context.Context, getenv func(string) string,
) (config Config, unknown []string, diags diag.Diagnostics) {
	r := &reader{getenv: getenv}
	r.emulator = r.emulatorOrigin()
	config = b.config(r)
	if trace := getenv("TRACEPARENT"); trace != "" {
		var err error
		if config.Trace, err = client.ParseTrace(trace); err != nil {
			tflog.Debug(ctx, "Ignored the environment variable TRACEPARENT, which "+err.Error())
		}
	}
	return config, r.unknown, append(r.absent, r.wrong...)
}

// literalErrors is what is wrong with the values themselves, whatever the environment adds: it may
// have what is missing, and allow plain http.
func (b providerBlock) literalErrors() diag.Diagnostics {
	r := &reader{getenv: func(name string) string {
		if name == variable("allow_insecure_http") {
			return "true"
		}
		return ""
	}}
	b.config(r)
	return r.wrong
}

// config reads each setting.
func (b providerBlock) config(r *reader) (config Config) {
	allowHTTP := r.boolean("allow_insecure_http", b.AllowInsecureHTTP) ||
		b.AllowInsecureHTTP.IsUnknown()
	auth := r.address("auth_url", b.AuthURL, allowHTTP)
	base := r.address("base_url", b.BaseURL, allowHTTP)
	system := r.segment("system", b.System)

	config.TokenURL = tokenURL(auth)
	config.NotificationsURL = r.endpoint(
		"notifications_path", b.NotificationsPath, base, system, "notifications/v1")
	config.StudiesURL = r.endpoint("studies_path", b.StudiesPath, base, system, "studies/v1")
	config.ClientID = r.required("client_id", b.ClientID, "placeholder")
	config.ClientSecret = r.required("client_secret", b.ClientSecret, "placeholder")
	config.Scopes = r.scopes("scopes", b.Scopes)
	config.Headers = r.headers("headers", b.Headers)
	config.RequestIDHeader = r.headerName(
		"request_id_header", b.RequestIDHeader, config.Headers, reservedHeaders)
	config.IdempotencyKeyHeader = r.keyHeader(b.KeyHeader, config.Headers, config.RequestIDHeader)
	config.RequestTimeout = r.duration("request_timeout", b.RequestTimeout, 30*time.Second)
	config.MaxRetries = r.number("max_retries", b.MaxRetries, 4, 10)
	// Nothing but the check depends on it, so that a value that is not known yet stops nothing else.
	if !b.CheckCredentials.IsUnknown() {
		config.CheckCredentials = r.boolean("check_credentials", b.CheckCredentials)
	}
	config.RootCAs = r.authorities("ca_cert_pem", b.CACertPEM)
	config.Certificate = r.certificate(
		"client_cert_pem", b.ClientCertPEM, "client_key_pem", b.ClientKeyPEM)
	return config
}
