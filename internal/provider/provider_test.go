package provider

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/notification/terraform-provider-notification/internal/settings"
)

// recorder is a service that logs each request. Below /busy it responds as if it were overloaded;
// elsewhere it issues every token, accepts every notification and finds one study.
func recorder(requests *log.Logger) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		form, _ := io.ReadAll(r.Body) // of a token request
		requests.Printf("%s %s %v %s", r.Method, r.URL, r.Header, form)
		if r.TLS != nil && len(r.TLS.PeerCertificates) > 0 {
			requests.Print("with a client certificate")
		}
		if strings.HasPrefix(r.URL.Path, "/busy/") {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = io.WriteString(w, `{"access_token":"t","token_type":"Bearer","notification_id":"n-1"}`)
	}
}

// run plans and applies a notification, then reads each data source, and stops at the first
// diagnostic. block is the provider block. The diagnostics are logged.
func run(t *testing.T, block map[string]any, events *log.Logger) {
	t.Helper()
	s := newUnconfigured(t)
	found := must(s.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: "1.14.0", Config: s.value(t, s.schema.Provider, block),
	})).Diagnostics
	if len(found) == 0 {
		p := s.plan(t, nil, arguments(t, anAnnouncement+"}"))
		events.Print("planned")
		if found = p.Diagnostics; len(found) == 0 {
			found = s.apply(t, p).Diagnostics
		}
		for _, name := range s.lookups() {
			if len(found) == 0 {
				found = s.read(t, name, false).Diagnostics
			}
		}
	}
	events.Print(described(t, found))
}

// A setting could be read and checked, but used nowhere. So each setting of the schema has a row
// here, with a value and an effect that is seen in a run with it, and not in the same run without
// it.
func TestSettings_takeEffect(t *testing.T) {
	t.Parallel()
	events := log.New(io.Discard, "", 0) // requests and diagnostics
	plain := httptest.NewServer(recorder(events))
	secure := httptest.NewUnstartedServer(recorder(events))
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	secure.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	secure.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	secure.StartTLS()
	pair := secure.TLS.Certificates[0] // the client has the same
	inPEM := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	certificate := inPEM("CERTIFICATE", pair.Certificate[0])
	key := inPEM("PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(pair.PrivateKey)))

	type block = map[string]any
	overTLS := block{"auth_url": secure.URL, "base_url": secure.URL}
	elsewhere := block{"auth_url": "http://notifications.invalid", "request_timeout": "1ns"}
	busy := block{"base_url": plain.URL + "/busy"}
	mutual := func(name, value string) block {
		return block{
			"auth_url": secure.URL, "base_url": secure.URL, "ca_cert_pem": certificate, name: value,
		}
	}
	rows := map[string]struct {
		others block // further settings of the run
		value  any
		want   string // the effect; ... matches anything
	}{
		"auth_url":           {nil, plain.URL + "/auth", "POST /auth/oauth2/token"},
		"token_path":         {nil, "connect?p=1", "POST /connect?p=1"},
		"base_url":           {nil, plain.URL + "/api", "POST /api/notifications/v1 ... GET /api/studies/v1"},
		"client_id":          {nil, "another", "POST /oauth2/token ... client_id=another"},
		"client_secret":      {nil, "another", "POST /oauth2/token ... client_secret=another"},
		"scopes":             {nil, []any{"a", "b"}, "POST /oauth2/token ... scope=a+b"},
		"system":             {nil, "s1", "POST /s1/notifications/v1 ... GET /s1/studies/v1"},
		"notifications_path": {nil, "send?v=2", "POST /send?v=2"},
		"studies_path":       {nil, "find", "GET /find?name=x"},
		"headers": {
			nil, block{"X-Key": "k"}, "POST /notifications/v1 ... X-Key:[k] ... GET ... X-Key:[k]",
		},
		"idempotency_key_header": {nil, "X-Once", "POST /notifications/v1 ... X-Once:["},
		"request_timeout":        {nil, "1ns", "Could not obtain an access token: "},
		"max_retries":            {busy, 1.0, "Gave up after 2 attempts"},
		"ca_cert_pem":            {overTLS, certificate, "POST /notifications/v1"},
		"client_cert_pem": {
			mutual("client_key_pem", key), certificate, "with a client certificate",
		},
		"client_key_pem": {
			mutual("client_cert_pem", certificate), key, "with a client certificate",
		},
		"allow_insecure_http": {elsewhere, true, "POST http://notifications.invalid/oauth2/token"},
		"check_credentials":   {nil, true, "POST /oauth2/token ... planned"},
	}
	for name := range settings.Schema().Attributes {
		row, ok := rows[name]
		if !ok {
			t.Errorf("%s has no row here: add one, with its effect on a request or on the plan",
				name)
			continue
		}
		set := block{
			"auth_url": plain.URL, "base_url": plain.URL, "client_id": "id",
			"client_secret": testSecret, "max_retries": 0.0,
		}
		maps.Copy(set, row.others)
		var without, with bytes.Buffer
		events.SetOutput(&without)
		run(t, set, events)
		set[name] = row.value
		events.SetOutput(&with)
		run(t, set, events)
		if !says(row.want).Match(with.Bytes()) || says(row.want).Match(without.Bytes()) {
			t.Errorf("%s: want %s in\n%s\nand not in\n%s", name, row.want, &with, &without)
		}
	}
}

// Each invalid setting is an error at its attribute, also in validate, which does not read the
// environment.
func TestProviderConfig_wrong(t *testing.T) {
	t.Parallel()
	s := newUnconfigured(t)
	validated := must(s.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{
		Config: s.value(t, s.schema.Provider, map[string]any{"base_url": "ftp://b"}),
	}))
	const wrong = "base_url: Invalid provider setting base_url: ... must be an absolute URL"
	onlySays(t, "validated", validated.Diagnostics, wrong)
	configured := must(s.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: s.value(t, s.schema.Provider, map[string]any{
			"auth_url": "https://a", "base_url": "ftp://b", "client_id": "b", "client_secret": "c",
		}),
	}))
	onlySays(t, "configured", configured.Diagnostics, wrong+" ... Nothing was sent with these settings.")
}
