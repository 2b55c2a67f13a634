package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-notification/internal/client"
)

type providerModel struct {
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
	RequestTimeout    types.String `tfsdk:"request_timeout"`
	MaxRetries        types.Int64  `tfsdk:"max_retries"`
	CACertPEM         types.String `tfsdk:"ca_cert_pem"`
	ClientCertPEM     types.String `tfsdk:"client_cert_pem"`
	ClientKeyPEM      types.String `tfsdk:"client_key_pem"`
	AllowInsecureHTTP types.Bool   `tfsdk:"allow_insecure_http"`
}

// clientConfig merges the configuration with the environment and checks all of it. unknown
// names the attributes that are not known yet; the config is usable only without any, and
// without error diagnostics.
func (m providerModel) clientConfig(
	ctx context.Context, getenv func(string) string,
) (config client.Config, unknown []string, diags diag.Diagnostics) {
	s := &settings{getenv: getenv}
	s.onlyAt = s.emulator()
	config = m.read(ctx, s)
	return config, s.unknown, append(s.absent, s.wrong...)
}

// literalErrors is what is wrong with the values themselves, whatever the environment adds:
// it may have what is missing, and allow plain http.
func (m providerModel) literalErrors(ctx context.Context) diag.Diagnostics {
	s := &settings{getenv: func(name string) string {
		if name == variable("allow_insecure_http") {
			return "true"
		}
		return ""
	}}
	m.read(ctx, s)
	return s.wrong
}

func (m providerModel) read(ctx context.Context, s *settings) (config client.Config) {
	allowHTTP := s.boolean("allow_insecure_http", m.AllowInsecureHTTP, false)
	auth := s.address("auth_url", m.AuthURL, allowHTTP || m.AllowInsecureHTTP.IsUnknown())
	base := s.address("base_url", m.BaseURL, allowHTTP || m.AllowInsecureHTTP.IsUnknown())
	system := s.segment("system", m.System)

	config.TokenURL = tokenURL(auth)
	config.NotificationsURL = s.endpoint(
		"notifications_path", m.NotificationsPath, base, system, "notifications/v1",
	)
	config.StudiesURL = s.endpoint("studies_path", m.StudiesPath, base, system, "studies/v1")
	config.ClientID = s.required("client_id", m.ClientID)
	config.ClientSecret = s.required("client_secret", m.ClientSecret)
	config.Scopes = s.scopes(ctx, "scopes", m.Scopes)
	config.Headers = s.headers(ctx, "headers", m.Headers)
	config.RequestIDHeader = s.headerName("request_id_header", m.RequestIDHeader, config.Headers)
	config.RequestTimeout = s.duration("request_timeout", m.RequestTimeout, defaultRequestTimeout)
	config.MaxRetries = s.number("max_retries", m.MaxRetries, defaultMaxRetries, maxMaxRetries)
	config.RootCAs = s.authorities("ca_cert_pem", m.CACertPEM)
	config.Certificate = s.certificate(
		"client_cert_pem", m.ClientCertPEM, "client_key_pem", m.ClientKeyPEM,
	)
	return config
}

// settings reads one attribute after the other and collects the errors: about values that are
// wrong, and about values that are absent.
type settings struct {
	getenv        func(string) string
	onlyAt        string // the origin that every address must have; empty: any
	unknown       []string
	wrong, absent diag.Diagnostics
}

// variable is the environment variable that stands in for an attribute.
func variable(attribute string) string { return "NOTIFICATION_" + strings.ToUpper(attribute) }

// text returns the attribute's value, or else the variable's. An empty string is
// as good as none. ok is false too for a value that is not known yet.
func (s *settings) text(attribute string, value types.String) (text string, ok bool) {
	if value.IsUnknown() {
		s.notKnown(attribute)
		return "", false
	}
	if text = value.ValueString(); text == "" {
		text = s.getenv(variable(attribute))
	}
	return text, text != ""
}

// required is text for an attribute without which nothing works.
func (s *settings) required(attribute string, value types.String) string {
	text, ok := s.text(attribute, value)
	if !ok && !value.IsUnknown() {
		s.missing(attribute, "")
	}
	return text
}

// missing reports that a value is needed, and why, where that does not go without saying.
func (s *settings) missing(attribute, reason string) {
	text := fmt.Sprintf("Set the attribute %s in the provider block or the environment variable %s",
		attribute, variable(attribute))
	if reason != "" {
		text += ": " + reason
	}
	s.absent.AddAttributeError(
		path.Root(attribute), "Missing provider setting "+attribute, text+".",
	)
}

func (s *settings) notKnown(attribute string) { s.unknown = append(s.unknown, attribute) }

// invalid reports a wrong value. It names the variable as well, from which the
// value may have come, and never quotes the value, which may be a secret.
func (s *settings) invalid(attribute string, format string, args ...any) {
	s.wrong.AddAttributeError(
		path.Root(attribute),
		"Invalid provider setting "+attribute,
		fmt.Sprintf("The value of %s (or of the environment variable %s) %s.",
			attribute, variable(attribute), fmt.Sprintf(format, args...)),
	)
}
