package settings

import (
	"bytes"
	"crypto/x509"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/notification/terraform-provider-notification/internal/client"
)

// A setting of each type can come from the environment, except headers. The provider block takes
// precedence over it, but an empty value counts as missing.
func TestRead(t *testing.T) {
	t.Parallel()
	defaults := with("scopes", nil).must(t)
	for _, op := range client.Operations() {
		if defaults.URL(op) == nil {
			t.Errorf("there is no URL to %s", op)
		}
	}
	fromEnv := block{}.must(t,
		"AUTH_URL", "https://auth.env", "BASE_URL", "http://api.env/v", "CLIENT_ID", "env-id",
		"CLIENT_SECRET", "env-secret", "SCOPES", " b  a b ", "MAX_RETRIES", "0",
		"ALLOW_INSECURE_HTTP", "true", "CHECK_CREDENTIALS", "1", "HEADERS", "canary",
	)
	environment := []string{
		"AUTH_URL", "https://auth.env", "CLIENT_ID", "env-id", "SYSTEM", "emea", "SCOPES", "a b",
		"MAX_RETRIES", "0", "CHECK_CREDENTIALS", "1",
	}
	b := with("system", "").and("scopes", list()).and("max_retries", 10).
		and("check_credentials", false).and("headers", fields("X-Other", "1", "X-Empty", ""))
	both := b.must(t, environment...)
	ofBlock := b.and("scopes", list("c")).must(t, environment...).Scopes
	for name, test := range map[string]struct{ got, want any }{
		"default studies_path":      {defaults.StudiesURL.String(), "https://api.example.com/studies/v1"},
		"default request_timeout":   {defaults.RequestTimeout, 30 * time.Second},
		"default max_retries":       {defaults.MaxRetries, 4},
		"default scopes":            {len(defaults.Scopes), 0},
		"default headers":           {len(defaults.Header), 0},
		"default check_credentials": {defaults.CheckCredentials, false},
		"default ca_cert_pem":       {defaults.RootCAs == nil, true},
		"default client_cert_pem":   {defaults.Certificate == nil, true},

		"CLIENT_SECRET":     {fromEnv.ClientSecret, "env-secret"},
		"BASE_URL":          {fromEnv.NotificationsURL.String(), "http://api.env/v/notifications/v1"},
		"SCOPES":            {strings.Join(fromEnv.Scopes, ","), "a,b"},
		"MAX_RETRIES":       {fromEnv.MaxRetries, 0},
		"CHECK_CREDENTIALS": {fromEnv.CheckCredentials, true},
		"HEADERS":           {len(fromEnv.Header), 0},

		"auth_url":          {both.TokenURL.Host, "auth.example.com"},
		"client_id":         {both.ClientID, "id"},
		"max_retries":       {both.MaxRetries, 10},
		"check_credentials": {both.CheckCredentials, false},
		"headers":           {fmt.Sprint(both.Header), "map[X-Empty:[] X-Other:[1]]"},
		"base_url, and an empty system": {
			both.NotificationsURL.String(), "https://api.example.com/emea/notifications/v1",
		},
		"scopes":                 {strings.Join(ofBlock, ","), "c"},
		"an empty set of scopes": {strings.Join(both.Scopes, ","), "a,b"},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %v, want %v", name, test.got, test.want)
		}
	}
}

// All problems are reported at once. One error lists all missing settings, with shell commands to
// complete. Copied as they are, or put into the block, their values count as missing.
func TestReadReportsEverything(t *testing.T) {
	t.Parallel()
	_, _, diags := block{}.read(t)
	const missing = "Set auth_url, base_url, client_id and client_secret in the provider block or in "
	if len(diags) != 1 || !strings.HasPrefix(diags[0].Detail(), missing) {
		t.Fatalf("got %v, want %s", diags, missing)
	}
	copied, filledIn, set := []string{}, []string{}, block{}
	command := regexp.MustCompile(`(?m)^    export NOTIFICATION_(\w+)="(<[a-zA-Z' ]+>)"$`)
	for _, found := range command.FindAllStringSubmatch(diags[0].Detail(), -1) {
		copied = append(copied, found[1:]...)
		filledIn = append(filledIn, found[1], "https://x")
		set[strings.ToLower(found[1])] = " " + found[2]
	}
	block{}.must(t, filledIn...)
	_, _, fromEnvironment := block{}.read(t, copied...)
	_, _, fromBlock := set.read(t, filledIn...)
	for _, again := range []diag.Diagnostics{
		fromEnvironment, fromBlock, Validate(t.Context(), set.config(t)),
	} {
		if !again.Equal(diags) {
			t.Errorf("got %v, want %v", again, diags)
		}
	}
	_, _, diags = with("client_id", "").and("client_secret", unknown).read(t)
	if len(diags) != 1 || !strings.HasPrefix(diags[0].Detail(), "Set client_id in ") ||
		strings.Count(diags[0].Detail(), "export") != 1 {
		t.Errorf("%v", diags)
	}

	// A value of the wrong type is one of several errors.
	_, _, diags = block{"max_retries": 1.5}.read(t,
		"AUTH_URL", "x", "ALLOW_INSECURE_HTTP", "perhaps", "REQUEST_TIMEOUT", "soon",
		"CLIENT_KEY_PEM", "x.key", "SCOPES", "a \"b\"", "CHECK_CREDENTIALS", "yes",
	)
	want := []string{
		"", "allow_insecure_http", "auth_url", "check_credentials", "client_cert_pem",
		"client_key_pem", "max_retries", "request_timeout", "scopes",
	}
	if !slices.Equal(paths(diags), want) || diags[0].Summary() != "Missing provider settings" {
		t.Errorf("got %v, want errors at %q", diags, want)
	}
}

// An unknown value is not an error, wherever it is, and does not hide one.
func TestReadUnknown(t *testing.T) {
	t.Parallel()
	certificate, key := newPair(t)
	mayBeAllowed := with("base_url", "http://10.0.0.1").and("allow_insecure_http", unknown)
	for _, test := range []struct {
		name  string
		block block
	}{
		{"scopes", with("scopes", list(unknown, "a"))},
		{"headers", with("headers", fields("A", unknown, "B", "b"))},
		{"allow_insecure_http", mayBeAllowed},
		{"client_cert_pem", with("client_key_pem", key).and("client_cert_pem", unknown)},
		{"client_key_pem", with("client_cert_pem", certificate).and("client_key_pem", unknown)},
	} {
		_, names, diags := test.block.read(t)
		if len(diags) > 0 || !slices.Equal(names, []string{test.name}) {
			t.Errorf("%s: unknown %q, %v", test.name, names, diags)
		}
	}
	for name := range Schema().Attributes {
		want := []string{name}
		if name == "check_credentials" {
			want = nil // lookups do not need it
		}
		b := with(name, unknown)
		config, names, diags := b.read(t, "CHECK_CREDENTIALS", "true")
		if len(diags) > 0 || !slices.Equal(names, want) || want == nil && config.CheckCredentials {
			t.Errorf("%s: unknown %q, %v", name, names, diags)
		}
		wrong := "studies_path"
		if name == wrong {
			wrong = "notifications_path"
		}
		if _, _, diags = b.and(wrong, "../x").read(t); !slices.Equal(paths(diags), []string{wrong}) {
			t.Errorf("%s hides that %s is wrong: %v", name, wrong, diags)
		}
	}
}

// Secrets are sensitive, and each description ends in the name of the environment variable. headers
// has none.
func TestSchema(t *testing.T) {
	t.Parallel()
	secrets := []string{"client_key_pem", "client_secret", "headers"}
	for name, attribute := range Schema().Attributes {
		if attribute.IsSensitive() != slices.Contains(secrets, name) {
			t.Errorf("%s: sensitive %t", name, attribute.IsSensitive())
		}
		text := attribute.GetMarkdownDescription()
		if strings.HasSuffix(text, "`NOTIFICATION_"+strings.ToUpper(name)+"`.") == (name == "headers") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TRACEPARENT has the trace of all requests. If it is invalid, it is ignored, which is logged.
func TestRead_traceParent(t *testing.T) {
	t.Parallel()
	const id = "0af7651916cd43dd8448eb211c80319c"
	for value, want := range map[string]struct {
		trace   string
		ignored int
	}{"": {"", 0}, "00-" + id + "-b7ad6b7169203331-01": {id, 0}, "canary": {"", 1}} {
		var log bytes.Buffer
		ctx := tflogtest.RootLogger(t.Context(), &log)
		config, _, diags := Read(ctx, with("system", nil).config(t), env("TRACEPARENT", value))
		ignored := strings.Count(log.String(), "Ignored the environment variable")
		if config.Trace.ID != want.trace || ignored != want.ignored ||
			diags.HasError() || strings.Contains(log.String(), "canary") {
			t.Errorf("%q: %+v, %v, log %s", value, config.Trace, diags, log.String())
		}
	}
}

// Certificates may be joined without a line break, and carriage returns do not matter. Of a bundle
// with a damaged block, the rest is used.
func TestCertificates(t *testing.T) {
	t.Parallel()
	first, key := newPair(t)
	second, _ := newPair(t)
	joined := strings.TrimSpace(first) + second
	windows := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	system, err := x509.SystemCertPool()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		bundle string
		read   []string
	}{
		"joined":         {joined, []string{first, second}},
		"DER is damaged": {strings.Replace(first, "-----\nMI", "-----\nXX", 1) + second, []string{second}},
		"ends in CR":     {strings.TrimSuffix(windows(joined), "\n"), []string{first, second}},
		"only CR":        {strings.ReplaceAll(joined, "\n", "\r"), []string{first, second}},
		"begins damaged": {first[1:] + second, []string{second}},
	} {
		want := system.Clone()
		for _, certificate := range test.read {
			want.AppendCertsFromPEM([]byte(certificate))
		}
		if got := with("ca_cert_pem", test.bundle).must(t).RootCAs; !got.Equal(want) {
			t.Errorf("%s: the roots are not those of the system and %d", name, len(test.read))
		}
	}
	for _, text := range []func(string) string{strings.TrimSpace, windows} {
		pair := with("client_cert_pem", text(joined)).and("client_key_pem", text(key)+"\r")
		if got := len(pair.must(t).Certificate.Certificate); got != 2 {
			t.Errorf("the client has %d certificates, want 2", got)
		}
	}
}
