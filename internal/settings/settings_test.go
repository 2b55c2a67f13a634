package settings

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// unset is a configuration without a value.
func unset() providerBlock {
	return providerBlock{
		Scopes: types.SetNull(types.StringType), Headers: types.MapNull(types.StringType),
	}
}

// complete is one with all that is required.
func complete() providerBlock {
	m := unset()
	m.AuthURL = types.StringValue("https://auth.example.com")
	m.BaseURL = types.StringValue("https://api.example.com")
	m.ClientID = types.StringValue("id")
	m.ClientSecret = types.StringValue("secret")
	return m
}

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if "NOTIFICATION_"+pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func mustConfig(t *testing.T, m providerBlock, getenv func(string) string) Config {
	t.Helper()
	config, unknown, diags := m.read(t.Context(), getenv)
	if diags.HasError() || len(unknown) > 0 {
		t.Fatalf("%v, unknown %v", diags, unknown)
	}
	return config
}

func TestConfigDefaults(t *testing.T) {
	t.Parallel()
	config := mustConfig(t, complete(), env())
	for got, want := range map[string]string{
		config.TokenURL.String():         "https://auth.example.com/oauth2/token",
		config.NotificationsURL.String(): "https://api.example.com/notifications/v1",
		config.StudiesURL.String():       "https://api.example.com/studies/v1",
		config.RequestTimeout.String():   "30s",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if config.MaxRetries != 4 || config.Scopes != nil || config.Headers != nil ||
		config.CheckCredentials || config.RootCAs != nil || config.Certificate != nil {
		t.Errorf("%+v", config)
	}
}

// Everything may come from the environment, and what is configured wins.
func TestConfigFromEnvironment(t *testing.T) {
	t.Parallel()
	certificate, key := newPair(t)
	all := env(
		"AUTH_URL", "https://auth.env", "BASE_URL", "http://api.env/v", "CLIENT_ID", "env-id",
		"CLIENT_SECRET", "env-secret",
		"SCOPES", " b  a b ", "SYSTEM", "emea", "STUDIES_PATH", "s", "REQUEST_TIMEOUT", "5s",
		"MAX_RETRIES", "0",
		"CA_CERT_PEM", certificate, "CLIENT_CERT_PEM", certificate, "CLIENT_KEY_PEM", key,
		"ALLOW_INSECURE_HTTP", "true", "CHECK_CREDENTIALS", "1",
	)
	config := mustConfig(t, unset(), all)
	if config.TokenURL.Host != "auth.env" || config.ClientID != "env-id" ||
		config.ClientSecret != "env-secret" ||
		config.NotificationsURL.String() != "http://api.env/v/emea/notifications/v1" ||
		config.StudiesURL.String() != "http://api.env/v/s" ||
		!slices.Equal(config.Scopes, []string{"a", "b"}) ||
		config.RequestTimeout != 5*time.Second || config.MaxRetries != 0 ||
		!config.CheckCredentials || config.RootCAs == nil || config.Certificate == nil {
		t.Errorf("%+v", config)
	}

	m := complete()
	m.System = types.StringValue("") // as good as none
	m.MaxRetries = types.Int64Value(10)
	m.CheckCredentials = types.BoolValue(false)
	m.Scopes = types.SetValueMust(types.StringType, nil)
	config = mustConfig(t, m, all)
	if config.TokenURL.Host != "auth.example.com" || config.ClientID != "id" ||
		config.MaxRetries != 10 || config.CheckCredentials || len(config.Scopes) != 0 ||
		config.NotificationsURL.String() != "https://api.example.com/emea/notifications/v1" {
		t.Errorf("%+v", config)
	}
}

func TestConfigAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ auth, base, system, path, wantToken, want string }{
		{
			"https://a/", "https://b//", "", "", "https://a/oauth2/token",
			"https://b/notifications/v1",
		},
		{
			"https://a/oauth2/token", "https://b/api", "", "", "https://a/oauth2/token",
			"https://b/api/notifications/v1",
		},
		{
			"https://a/x/oauth2/token//", "https://b/api/", "s1", "", "https://a/x/oauth2/token",
			"https://b/api/s1/notifications/v1",
		},
		{
			"https://a:8443/t%2Fx", "https://b/p%2Fq", "s 1", "",
			"https://a:8443/t%2Fx/oauth2/token", "https://b/p%2Fq/s%201/notifications/v1",
		},
		{
			"http://127.0.0.1:1", "http://[::1]:2", "", "/v2/send/",
			"http://127.0.0.1:1/oauth2/token", "http://[::1]:2/v2/send/",
		},
		{
			"http://LOCALHOST.:1", "http://127.9.9.9//a//b/", "", "",
			"http://LOCALHOST.:1/oauth2/token", "http://127.9.9.9//a//b/notifications/v1",
		},
		{
			"http://localhost:1", "https://b/p", "ignored", "a%2Fb/send?api-version=1",
			"http://localhost:1/oauth2/token", "https://b/p/a%2Fb/send?api-version=1",
		},
	} {
		m := complete()
		m.AuthURL, m.BaseURL = types.StringValue(test.auth), types.StringValue(test.base)
		m.System, m.NotificationsPath = types.StringValue(test.system), types.StringValue(test.path)
		config := mustConfig(t, m, env())
		if got := config.TokenURL.String(); got != test.wantToken {
			t.Errorf("%s: got %s, want %s", test.auth, got, test.wantToken)
		}
		if got := config.NotificationsURL.String(); got != test.want {
			t.Errorf("%s: got %s, want %s", test.base, got, test.want)
		}
	}
}

// Each wrong value is reported at its attribute, with the name of its variable, and without the
// value.
func TestConfigErrors(t *testing.T) {
	t.Parallel()
	certificate, key := newPair(t)
	otherCertificate, _ := newPair(t)
	text := func(set func(*providerBlock, types.String), value string) func(*providerBlock) {
		return func(m *providerBlock) { set(m, types.StringValue(value)) }
	}
	auth := func(m *providerBlock, v types.String) { m.AuthURL = v }
	base := func(m *providerBlock, v types.String) { m.BaseURL = v }
	system := func(m *providerBlock, v types.String) { m.System = v }
	sending := func(m *providerBlock, v types.String) { m.NotificationsPath = v }
	timeout := func(m *providerBlock, v types.String) { m.RequestTimeout = v }
	authorities := func(m *providerBlock, v types.String) { m.CACertPEM = v }
	retries := func(n int64) func(*providerBlock) {
		return func(m *providerBlock) { m.MaxRetries = types.Int64Value(n) }
	}
	header := func(name, value string) func(*providerBlock) {
		return func(m *providerBlock) {
			m.Headers = types.MapValueMust(types.StringType,
				map[string]attr.Value{name: types.StringValue(value)})
		}
	}
	pair := func(cert, key string) func(*providerBlock) {
		return func(m *providerBlock) {
			m.ClientCertPEM, m.ClientKeyPEM = types.StringValue(cert), types.StringValue(key)
		}
	}
	scope := func(scopes ...attr.Value) func(*providerBlock) {
		return func(m *providerBlock) { m.Scopes = types.SetValueMust(types.StringType, scopes) }
	}
	for name, test := range map[string]struct {
		change   func(*providerBlock)
		at, want string
	}{
		"relative":     {text(auth, "auth.example.com"), "auth_url", "absolute URL"},
		"other scheme": {text(base, "ftp://b"), "base_url", "absolute URL"},
		"no host":      {text(base, "https:///x"), "base_url", "absolute URL"},
		"user information": {
			text(base, "https://canary:canary@b"), "base_url", "user information",
		},
		"query":             {text(auth, "https://a?canary=1"), "auth_url", "query"},
		"empty query":       {text(auth, "https://a?"), "auth_url", "query"},
		"fragment":          {text(auth, "https://a#canary"), "auth_url", "fragment"},
		"empty fragment":    {text(auth, "https://a#"), "auth_url", "fragment"},
		"control character": {text(auth, "https://a/\n"), "auth_url", "is not a URL"},
		"wrong port":        {text(base, "https://b:canary"), "base_url", "is not a URL"},
		"plain http": {
			text(auth, "http://auth.example.com"), "auth_url", "allow_insecure_http",
		},
		"private address":  {text(base, "http://10.0.0.1"), "base_url", "allow_insecure_http"},
		"port":             {text(base, "https://b:99999"), "base_url", "port"},
		"dots in the root": {text(base, "https://b/a/../c"), "base_url", ". or .."},
		"header given twice": {func(m *providerBlock) {
			m.Headers = types.MapValueMust(types.StringType, map[string]attr.Value{
				"X-Key": types.StringValue("1"), "x-key": types.StringValue("2"),
			})
		}, "", "given twice"},
		"looks like loopback": {
			text(base, "http://127.0.0.1.example.com"), "base_url", "allow_insecure_http",
		},
		"two segments":       {text(system, "a/b"), "system", "single path segment"},
		"dots":               {text(system, ".."), "system", "single path segment"},
		"path is a URL":      {text(sending, "https://c/x"), "notifications_path", "not a URL"},
		"path leaves":        {text(sending, "../x"), "notifications_path", ". or .."},
		"path leaves hidden": {text(sending, "a/%2e%2e/x"), "notifications_path", ". or .."},
		"path with fragment": {text(sending, "x#y"), "notifications_path", "fragment"},
		"path of slashes":    {text(sending, "//"), "notifications_path", "not a path"},
		"blank in query":     {text(sending, "x?a b"), "notifications_path", "not a path"},
		"no duration":        {text(timeout, "30"), "request_timeout", "duration"},
		"negative duration":  {text(timeout, "-1s"), "request_timeout", "above zero"},
		"retries":            {retries(11), "max_retries", "0 to 10"},
		"negative retries":   {retries(-1), "max_retries", "0 to 10"},
		"blank scope":        {scope(types.StringValue("a b")), "scopes", "without blanks"},
		"empty scope":        {scope(types.StringValue("")), "scopes", "neither null nor empty"},
		"null scope":         {scope(types.StringNull()), "scopes", "neither null nor empty"},
		"authorization": {
			header("authorization", "canary"), `headers["authorization"]`, "needs it for itself",
		},
		"idempotency": {
			header("X-Idempotency-Key", "canary"), `headers["X-Idempotency-Key"]`,
			"idempotency_key_header",
		},
		"header name": {
			header("X Key", "canary"), "headers", "not the name of a header",
		},
		"Latin-1 in header": {header("X-\xe9", "canary"), "headers", "not the name of a header"},
		"header value":      {header("X-Key", "canary\r\n"), `headers["X-Key"]`, "line break"},
		"no PEM": {
			text(authorities, "canary"), "ca_cert_pem", "no certificate in PEM",
		},
		"key for authority": {text(authorities, key), "ca_cert_pem", "certificates only"},
		"damaged authority": {
			text(authorities,
				certificate+strings.Replace(certificate, "-----\nMI", "-----\nXX", 1)),
			"ca_cert_pem", "block 2",
		},
		"cut off authority": {
			text(authorities, certificate+certificate[:100]), "ca_cert_pem", "not complete",
		},
		"certificate alone": {
			pair(certificate, ""), "client_key_pem", "together with client_cert_pem",
		},
		"key alone": {pair("", key), "client_cert_pem", "together with client_key_pem"},
		"another's key": {
			pair(otherCertificate, key), "client_key_pem", "not the private key",
		},
		"no key": {
			pair(certificate, "canary"), "client_key_pem", "no private key in PEM",
		},
		"wrong and unknown headers": {func(m *providerBlock) {
			m.Headers = types.MapValueMust(types.StringType, map[string]attr.Value{
				"Host": types.StringValue("canary"), "X-Key": types.StringUnknown(),
			})
		}, `headers["Host"]`, "needs it for itself"},
		"wrong and unknown scopes": {
			scope(types.StringUnknown(), types.StringValue("a b")), "scopes", "without blanks",
		},
		"no certificate": {
			pair("canary", key), "client_cert_pem", "no certificate in PEM",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := complete()
			test.change(&m)
			_, _, diags := m.read(t.Context(), env())
			if len(diags) != 1 ||
				test.at != "" && diags[0].(diag.DiagnosticWithPath).Path().String() != test.at ||
				!strings.Contains(diags[0].Detail(), test.want) {
				t.Fatalf("got %v, want one at %s: %s", diags, test.at, test.want)
			}
			if strings.Contains(diags[0].Summary()+diags[0].Detail(), "canary") {
				t.Errorf("quotes the value: %v", diags)
			}

			// Validation says the same, unless the environment may make it good.
			want := diags
			if strings.Contains(test.want, "together with") || test.want == "allow_insecure_http" {
				want = nil
			}
			if got := m.literalErrors(); !reflect.DeepEqual(got, want) {
				t.Errorf("validation: got %v, want %v", got, want)
			}
			m.BaseURL, m.ClientID = types.StringUnknown(), types.StringNull()
			if got := m.literalErrors(); test.at != "base_url" && !reflect.DeepEqual(got, want) {
				t.Errorf("validation with less: got %v, want %v", got, want)
			}
		})
	}
}

// Plain http is refused by validation where the block itself refuses it.
func TestLiteralErrors_plainHTTP(t *testing.T) {
	t.Parallel()
	m := unset()
	m.BaseURL = types.StringValue("http://b.example.com")
	m.AllowInsecureHTTP = types.BoolValue(false)
	if diags := m.literalErrors(); !slices.Equal(attributes(diags), []string{"base_url"}) {
		t.Errorf("%v", diags)
	}
	m.AllowInsecureHTTP = types.BoolUnknown()
	if diags := m.literalErrors(); len(diags) > 0 {
		t.Errorf("%v", diags)
	}
}

// One run reports everything.
func TestConfigReportsEverythingAtOnce(t *testing.T) {
	t.Parallel()
	missing := []string{"auth_url", "base_url", "client_id", "client_secret"}
	_, _, diags := unset().read(t.Context(), env())
	if got := attributes(diags); !slices.Equal(got, missing) {
		t.Errorf("got %v, want %v", got, missing)
	}
	for i, d := range diags {
		if !strings.Contains(d.Detail(), missing[i]) ||
			!strings.Contains(d.Detail(), variable(missing[i])) {
			t.Errorf("does not name attribute and variable: %s", d.Detail())
		}
	}

	var placeholders []string
	for i, d := range diags {
		_, placeholder, _ := strings.Cut(strings.TrimSuffix(d.Detail(), "."), "will do: ")
		placeholders = append(placeholders, strings.ToUpper(missing[i]), placeholder)
	}
	if _, _, diags := unset().read(t.Context(), env(placeholders...)); len(diags) > 0 {
		t.Errorf("the placeholders %q will not do: %v", placeholders, diags)
	}
	_, _, diags = unset().read(t.Context(), env(
		"AUTH_URL", "x", "MAX_RETRIES", "many", "ALLOW_INSECURE_HTTP", "perhaps",
		"REQUEST_TIMEOUT", "soon", "CLIENT_KEY_PEM", "x", "SCOPES", "a \"b\"",
		"CHECK_CREDENTIALS", "yes",
	))
	want := []string{
		"allow_insecure_http", "auth_url", "base_url", "check_credentials", "client_cert_pem",
		"client_id", "client_key_pem", "client_secret", "max_retries", "request_timeout", "scopes",
	}
	if got := attributes(diags); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func attributes(diags diag.Diagnostics) []string {
	var names []string
	for _, d := range diags {
		names = append(names, d.(diag.DiagnosticWithPath).Path().String())
	}
	slices.Sort(names)
	return names
}

// What is not known yet is not an error, wherever it is, and does not hide one.
func TestConfigUnknown(t *testing.T) {
	t.Parallel()
	model := reflect.TypeFor[providerBlock]()
	for i := range model.NumField() {
		name := model.Field(i).Tag.Get("tfsdk")
		m := complete()
		field := reflect.ValueOf(&m).Elem().Field(i)
		switch field.Interface().(type) {
		case types.String:
			field.Set(reflect.ValueOf(types.StringUnknown()))
		case types.Bool:
			field.Set(reflect.ValueOf(types.BoolUnknown()))
		case types.Int64:
			field.Set(reflect.ValueOf(types.Int64Unknown()))
		case types.Set:
			field.Set(reflect.ValueOf(
				types.SetValueMust(types.StringType, []attr.Value{types.StringUnknown()})))
		case types.Map:
			field.Set(reflect.ValueOf(types.MapValueMust(types.StringType,
				map[string]attr.Value{"X-Key": types.StringUnknown()})))
		}
		want := []string{name}
		if name == "check_credentials" {
			want = nil // lookups do not wait for it
		}
		config, unknown, diags := m.read(t.Context(), env("CHECK_CREDENTIALS", "true"))
		if diags.HasError() || !slices.Equal(unknown, want) || want == nil && config.CheckCredentials {
			t.Errorf("%s: unknown %v, %v", name, unknown, diags)
		}
		m.ClientID, m.AuthURL = types.StringNull(), types.StringValue("x")
		if name == "client_id" || name == "auth_url" {
			continue
		}
		if _, _, diags = m.read(t.Context(), env()); len(diags) != 2 {
			t.Errorf("%s hides problems: %v", name, diags)
		}
	}
	m := complete()
	m.AllowInsecureHTTP = types.BoolUnknown()
	m.BaseURL = types.StringValue("http://10.0.0.1") // may be allowed
	if _, unknown, diags := m.read(t.Context(), env()); diags.HasError() ||
		!slices.Equal(unknown, []string{"allow_insecure_http"}) {
		t.Errorf("plain http that may be allowed: %v, %v", unknown, diags)
	}
	m = complete()
	m.ClientCertPEM = types.StringUnknown()
	_, key := newPair(t)
	m.ClientKeyPEM = types.StringValue(key)
	if _, unknown, diags := m.read(t.Context(), env()); diags.HasError() ||
		!slices.Equal(unknown, []string{"client_cert_pem"}) {
		t.Errorf("half of a pair: %v, %v", unknown, diags)
	}
}

// Every attribute can be read from the model, and the other way round.
func TestBlockFitsSchema(t *testing.T) {
	t.Parallel()
	model := reflect.TypeFor[providerBlock]()
	schema := Schema()
	if diags := schema.ValidateImplementation(t.Context()); diags.HasError() {
		t.Fatal(diags)
	}
	if model.NumField() != len(schema.Attributes) {
		t.Errorf("%d fields, %d attributes", model.NumField(), len(schema.Attributes))
	}
	for i := range model.NumField() {
		name := model.Field(i).Tag.Get("tfsdk")
		attribute, ok := schema.Attributes[name]
		if !ok {
			t.Errorf("no attribute %s", name)
			continue
		}
		secret := name == "client_secret" || name == "client_key_pem" || name == "headers"
		if attribute.IsSensitive() != secret {
			t.Errorf("%s: sensitive %t", name, attribute.IsSensitive())
		}
		if name != "headers" &&
			!strings.Contains(attribute.GetMarkdownDescription(), variable(name)) {
			t.Errorf("%s does not name its variable", path.Root(name))
		}
	}
}

// newPair is a certificate and its key, in PEM.
func newPair(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}))
}
