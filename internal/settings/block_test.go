package settings

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// blockWith is a provider block with the given strings; max_retries is a number.
func blockWith(t *testing.T, given map[string]any) tfsdk.Config {
	t.Helper()
	schema := Schema()
	kind, _ := schema.Type().TerraformType(t.Context()).(tftypes.Object)
	attributes := map[string]tftypes.Value{}
	for name, kind := range kind.AttributeTypes {
		attributes[name] = tftypes.NewValue(kind, given[name])
	}
	return tfsdk.Config{Raw: tftypes.NewValue(kind, attributes), Schema: schema}
}

// summaries are "error auth_url" and the like.
func summaries(diags diag.Diagnostics) (all []string) {
	for _, d := range diags {
		at := ""
		if located, ok := d.(diag.DiagnosticWithPath); ok {
			at = located.Path().String()
		}
		all = append(all, strings.ToLower(d.Severity().String())+" "+at)
	}
	return all
}

// Validation reports wrong literals only; with one, it reports the rest too, as warnings.
func TestValidate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		given map[string]any
		env   []string
		want  []string
	}{
		"nothing":            {nil, nil, nil},
		"nothing in a hurry": {nil, []string{"MAX_RETRIES", "many"}, nil},
		"unknown":            {map[string]any{"auth_url": tftypes.UnknownValue}, nil, nil},
		"plain http":         {map[string]any{"base_url": "http://b.example.com"}, nil, nil},
		"wrong and missing": {
			map[string]any{"base_url": "ftp://b", "client_id": "id", "client_secret": "secret"},
			nil,
			[]string{"error base_url", "warning auth_url"},
		},
		"wrong twice": {
			map[string]any{"base_url": "ftp://b", "max_retries": 99},
			[]string{"AUTH_URL", "https://a", "CLIENT_ID", "id", "REQUEST_TIMEOUT", "soon"},
			[]string{
				"error base_url", "error max_retries", "warning client_secret",
				"warning request_timeout",
			},
		},
	} {
		diags := Validate(t.Context(), blockWith(t, test.given), env(test.env...))
		if got := summaries(diags); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// A block is read into the same configuration as its values.
func TestRead(t *testing.T) {
	t.Parallel()
	given := map[string]any{
		"auth_url": "https://a", "base_url": "https://b", "client_id": "id",
		"client_secret": "secret", "max_retries": 7,
	}
	config, unknown, diags := Read(t.Context(), blockWith(t, given), env())
	if diags.HasError() || len(unknown) > 0 || config.MaxRetries != 7 || config.ClientID != "id" ||
		config.StudiesURL.String() != "https://b/studies/v1" {
		t.Errorf("%+v, unknown %q, %v", config, unknown, diags)
	}
	given["client_secret"] = tftypes.UnknownValue
	_, unknown, diags = Read(t.Context(), blockWith(t, given), env())
	if diags.HasError() || !slices.Equal(unknown, []string{"client_secret"}) {
		t.Errorf("unknown %q, %v", unknown, diags)
	}
}

// A block of another type is an error, not an empty block.
func TestRead_otherSchema(t *testing.T) {
	t.Parallel()
	schema := Schema()
	delete(schema.Attributes, "auth_url")
	kind, _ := schema.Type().TerraformType(t.Context()).(tftypes.Object)
	attributes := map[string]tftypes.Value{}
	for name, kind := range kind.AttributeTypes {
		attributes[name] = tftypes.NewValue(kind, nil)
	}
	other := tfsdk.Config{Raw: tftypes.NewValue(kind, attributes), Schema: schema}
	if _, _, diags := Read(t.Context(), other, env()); !strings.Contains(
		diags[0].Detail(), "auth_url") || len(diags) != 1 {
		t.Errorf("%v", diags)
	}
	if diags := Validate(t.Context(), other, env()); !strings.Contains(
		diags[0].Detail(), "auth_url") || len(diags) != 1 {
		t.Errorf("%v", diags)
	}
}

// A TRACEPARENT that is not valid is ignored, and the debug log says so.
func TestRead_traceParent(t *testing.T) {
	t.Parallel()
	for value, lines := range map[string]int{
		"": 0, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01": 0, "canary": 1,
	} {
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(context.WithoutCancel(t.Context()), &log)
		getenv := func(name string) string {
			if name == "TRACEPARENT" {
				return value
			}
			return ""
		}
		if _, _, diags := complete().read(ctx, getenv); diags.HasError() {
			t.Fatal(diags)
		}
		if got := strings.Count(log.String(), "Ignored the environment variable"); got != lines ||
			strings.Contains(log.String(), "canary") {
			t.Errorf("%q: %s", value, log.String())
		}
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	m := complete()
	m.Headers = types.MapValueMust(types.StringType, map[string]attr.Value{
		"X-Key": types.StringValue("1"), "X-Other": types.StringValue(""),
	})
	headers := mustConfig(t, m, env()).Headers
	if len(headers) != 2 || headers["X-Key"] != "1" || headers["X-Other"] != "" {
		t.Errorf("%q", headers)
	}
	m.Headers = types.MapValueMust(types.StringType, map[string]attr.Value{
		"X-Key": types.StringNull(),
	})
	if _, _, diags := m.read(t.Context(), env()); len(diags) != 1 ||
		!strings.Contains(diags[0].Detail(), `The header "X-Key" of headers has no value.`) {
		t.Errorf("%v", diags)
	}
	for _, unknown := range []types.Map{
		types.MapUnknown(types.StringType),
		types.MapValueMust(types.StringType, map[string]attr.Value{
			"A": types.StringUnknown(), "B": types.StringValue("b"),
		}),
	} {
		m.Headers = unknown
		if _, names, diags := m.read(t.Context(), env()); diags.HasError() ||
			!slices.Equal(names, []string{"headers"}) {
			t.Errorf("unknown %q, %v", names, diags)
		}
	}
}

// Each name that request_id_header refuses, and why.
func TestHeaderName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"X-Request-ID": "", "x-correlation-id": "",
		"X Key": "is not the name of a header", "traceparent": "for itself",
		"idempotency-key": "for itself", "user-agent": "would mean something else",
		"TRACESTATE": "would mean something else", "x-key": "also set in headers",
	} {
		m := complete()
		m.RequestIDHeader = types.StringValue(name)
		m.Headers = types.MapValueMust(types.StringType, map[string]attr.Value{
			"X-Key": types.StringValue("1"),
		})
		config, _, diags := m.read(t.Context(), env())
		if (want == "") != (len(diags) == 0) || len(diags) > 1 ||
			want != "" && !strings.Contains(diags[0].Detail(), want) ||
			want == "" && config.RequestIDHeader != name {
			t.Errorf("%s: %v", name, diags)
		}
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	for text, valid := range map[string]bool{
		"a": true, "notifications.read": true, "~!#[]": true, "": false, "a b": false, " ": false,
		`"`: false, `\`: false, "\x7f": false, "ü": false, "\xff": false, "a\x00": false,
	} {
		if ValidScope(text) != valid {
			t.Errorf("scope %q: %t", text, !valid)
		}
	}
	for text, valid := range map[string]bool{
		"emea": true, "a b": true, "ü": true, "..": false, ".": false, "a/b": false, `a\b`: false,
		"a?": false, "a#": false, "a%": false, " a": false, "a ": false, "a\x7f": false,
		"a\x1f": false, "...": true,
	} {
		m := complete()
		m.System = types.StringValue(text)
		if _, _, diags := m.read(t.Context(), env()); diags.HasError() == valid {
			t.Errorf("system %q: %v", text, diags)
		}
	}
	for text, valid := range map[string]bool{
		"x": true, "/x/y": true, "x?a=b": true, " x": false, "x\x7f": false, "x\n": false,
		"/": false, "x?a b": false, "%zz": false,
	} {
		m := complete()
		m.NotificationsPath = types.StringValue(text)
		if _, _, diags := m.read(t.Context(), env()); diags.HasError() == valid {
			t.Errorf("path %q: %v", text, diags)
		}
	}
	for address, want := range map[string]string{
		"https://a/t%2Fx/oauth2/token":  "https://a/t%2Fx/oauth2/token",
		"https://a/t%2Fx/oauth2/token/": "https://a/t%2Fx/oauth2/token",
		"https://a:65535":               "https://a:65535/oauth2/token",
	} {
		m := complete()
		m.AuthURL = types.StringValue(address)
		if got := mustConfig(t, m, env()).TokenURL.String(); got != want {
			t.Errorf("%s: %s", address, got)
		}
	}
	m := complete()
	m.BaseURL = types.StringValue("https://b:0")
	if _, _, diags := m.read(t.Context(), env()); len(diags) != 1 {
		t.Errorf("port 0: %v", diags)
	}
}
