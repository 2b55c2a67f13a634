package settings

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Each invalid value is reported at its attribute, with the name of the environment variable, and
// without the value. Validate reports it with the same text, unless the environment may correct it.
func TestWrongValues(t *testing.T) {
	t.Parallel()
	certificate, key := newPair(t)
	otherCertificate, _ := newPair(t)
	damage := func(text string) string { return strings.Replace(text, "-----\nMI", "-----\nXX", 1) }
	damaged := damage(certificate)
	oneLine := func(text string) string { return strings.ReplaceAll(text, "\n", " ") }
	trusted := strings.ReplaceAll(certificate, "CERTIFICATE", "TRUSTED CERTIFICATE")
	headed := func(text string) string { // as by an older OpenSSL
		const headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: x,canary\n\n"
		return strings.Replace(text, "-----\n", "-----\n"+headers, 1)
	}
	pair := func(cert, key string) block {
		return block{"client_cert_pem": cert, "client_key_pem": key}
	}
	for _, test := range []struct {
		at    string
		value any // of the attribute, or a block
		want  string
	}{
		{"base_url", "ftp://b", "absolute URL"},
		{"base_url", "https:///x", "absolute URL"},
		{"base_url", "https://\u00ad/x", "absolute URL"}, // IDNA removes a soft hyphen
		{"base_url", "https://canary:canary@b", "user information"},
		{"auth_url", "https://a?canary=1", "query"},
		{"auth_url", "https://a?", "query"},
		{"auth_url", "https://a#canary", "fragment"},
		{"auth_url", "https://a#", "fragment"},
		{"base_url", "https://b:canary", "is not a URL"},
		{"base_url", "https://b/a/../c", ". or .."},
		{"base_url", "https://b/ ", "must not begin or end with a space"},
		{"auth_url", " https://a", "must not begin or end with a space"},
		{"auth_url", "https://a\r\n", "must not begin or end with a space"},
		{"base_url", "https://b/canary\u200b", "must not begin or end with a space"},
		{"base_url", "https://b:65536", "has a port"},
		{"auth_url", "http://127.0.0.1:0/x", "has a port"},
		{"base_url", "http://127.0.0.1.example.com", "allow_insecure_http"},
		{"auth_url", "http://localhost.example.com", "allow_insecure_http"},
		{"auth_url", "http://localhost.", "allow_insecure_http"},
		{"auth_url", "http://notlocalhost", "allow_insecure_http"},
		{"base_url", "http://evil.localhost", "allow_insecure_http"},
		{
			"base_url", block{"base_url": "http://10.0.0.1", "allow_insecure_http": false},
			"is plain http",
		},
		{"system", "a/b", "single path segment"},
		{"studies_path", "https://c", "not a URL"},
		{"token_path", "https://c/token", "not a URL"},
		{"studies_path", "../x", ". or .."},
		{"studies_path", "a/%2e%2e/x", ". or .."},
		{"studies_path", "x#y", "fragment"},
		{"studies_path", "//", "not a path"},
		{"studies_path", "x?a b", "not a path"},
		{"request_timeout", "30", "duration"},
		{"request_timeout", "0s", "above zero"},
		{"max_retries", 11, "0 to 10"},
		{"max_retries", -1, "0 to 10"},
		{"max_retries", 1 + 1e-15, "0 to 10"}, // which types.Number.String rounds to 1
		{"scopes", list(""), "neither null nor empty"},
		{"scopes", list(nil), "neither null nor empty"},
		{"scopes", list("a b", unknown), "separated by spaces"},
		{"headers", fields("X Key", "canary"), "not a valid header name"},
		{"headers", fields("", "canary"), "not a valid header name"},
		{`headers["X-Key"]`, fields("X-Key", "canary\r\n"), "line break"},
		{`headers["X-Key"]`, fields("X-Key", nil), "has no value"},
		{`headers["x-key"]`, fields("X-Key", "1", "x-key", "2"), "given twice"},
		{"idempotency_key_header", "X Key", "is not a valid header name"},
		{"idempotency_key_header", "cookie", "another meaning in HTTP"},
		{"idempotency_key_header", "Content-encoding", "another meaning in HTTP"},
		{"idempotency_key_header", "Range", "another meaning in HTTP"},
		{
			"idempotency_key_header",
			block{"idempotency_key_header": "x-key", "headers": fields("X-Key", "1")},
			"also set in headers",
		},
		{"ca_cert_pem", "canary", "no certificate in PEM"},
		{"ca_cert_pem", "canary.pem", "is a path: use file(…)"},
		{"ca_cert_pem", "canary\n.pem", "no certificate in PEM"},
		{"ca_cert_pem", "-----canary.pem", "no certificate in PEM"},
		{"client_cert_pem", pair(`C:\CANARY.CRT`+"\n", key), "is a path"},
		{"client_key_pem", pair(certificate, "canary.key"), "is a path"},
		{"ca_cert_pem", " " + certificate, "at the start of a line, without spaces"},
		{"ca_cert_pem", key, `the first block is "PRIVATE KEY"`},
		{"ca_cert_pem", trusted, `is "TRUSTED CERTIFICATE", not`},
		{"ca_cert_pem", headed(certificate), `remove the lines ["DEK-Info" "Proc-Type"]`},
		{"ca_cert_pem", damaged, "can be read: x509: "},
		{"ca_cert_pem", certificate[:100], "and is complete"},
		{"client_key_pem", pair(certificate, headed(damage(key))), "it is encrypted"},
		{
			"client_key_pem",
			pair(certificate, strings.ReplaceAll(damage(key), "PRIVATE", "ENCRYPTED PRIVATE")),
			"it is encrypted",
		},
		{"ca_cert_pem", oneLine(certificate), "has lost its line breaks"},
		{"client_cert_pem", pair(strings.ReplaceAll(certificate, "\n", `\n`), key), "its line breaks"},
		{"client_key_pem", pair(certificate, oneLine(key)), "has lost its line breaks"},
		{"client_key_pem", pair(otherCertificate+certificate, key), "must be the client's own"},
		{"client_cert_pem", pair(damaged+certificate, key), "x509: "},
		{"client_key_pem", pair(certificate, ""), "together with client_cert_pem"},
		{"client_cert_pem", pair("", key), "together with client_key_pem"},
		{"client_key_pem", pair(otherCertificate, key), "private key does not match"},
		{"client_cert_pem", pair("canary", key), "PEM data in certificate input"},
		{"client_key_pem", pair(certificate, "canary"), "PEM data in key input"},
		{"client_cert_pem", pair(damaged, key), "x509: "},
		{"client_cert_pem", pair(key, certificate), "PEM inputs may have been switched"},
	} {
		name, _, _ := strings.Cut(test.at, "[")
		set, ok := test.value.(block)
		if !ok {
			set = block{name: test.value}
		}
		b := with("system", nil)
		maps.Copy(b, set)
		_, _, diags := b.read(t)
		if !slices.Equal(paths(diags), []string{test.at}) ||
			!strings.Contains(diags[0].Detail(), test.want) {
			t.Errorf("%v: got %v, want one at %s: %s", set, diags, test.at, test.want)
			continue
		}
		if strings.Contains(diags[0].Summary()+diags[0].Detail(), "canary") ||
			name != "headers" && !strings.Contains(diags[0].Detail(),
				" environment variable NOTIFICATION_"+strings.ToUpper(name)) {
			t.Errorf("quotes the value, or does not name the variable: %v", diags)
		}
		want := diags
		if strings.Contains(test.want, "together with") || test.want == "allow_insecure_http" {
			want = nil
		}
		for _, b := range []block{b, set} {
			if got := Validate(t.Context(), b.config(t)); !reflect.DeepEqual(got, want) {
				t.Errorf("validation of %v: got %v, want %v", b, got, want)
			}
		}
	}
}

// Neither setting accepts a header that the provider or HTTP itself sets, but a key may have one of
// its own, or that of the request id.
func TestReservedHeaders(t *testing.T) {
	t.Parallel()
	forKeys := []string{"idempotency-key", "x-idempotency-key", "x-request-ID"}
	for _, name := range append(forKeys, "accept-encoding", "authorization", "connection",
		"content-length", "content-type", "expect", "host", "keep-alive", "proxy-authorization",
		"proxy-connection", "te", "traceparent", "trailer", "transfer-encoding", "upgrade") {
		at := `headers["` + name + `"]`
		_, _, diags := with("headers", fields(name, "canary", "X-Key", unknown)).read(t)
		if !slices.Equal(paths(diags), []string{at}) ||
			!strings.Contains(diags[0].Detail(), "cannot be set") {
			t.Errorf("%s: %v", at, diags)
		}
		_, _, diags = with("idempotency_key_header", name).read(t)
		if diags.HasError() == slices.Contains(forKeys, name) {
			t.Errorf("idempotency_key_header = %s: %v", name, diags)
		}
	}
}

// The characters that a value may contain.
func TestValues(t *testing.T) {
	t.Parallel()
	for text, valid := range map[string]bool{
		"notifications.read": true, "~!#[]": true, "": false, "a b": false, `"`: false, `\`: false,
		"\x7f": false,
	} {
		if ValidScope(text) != valid {
			t.Errorf("scope %q: %t", text, !valid)
		}
	}
	for attribute, texts := range map[string]map[string]bool{
		"system": {
			"a b": true, "ü": true, "...": true, "..": false, ".": false, "a/b": false, `a\b`: false,
			"a?": false, "a#": false, "a%": false, " a": false, "a\x7f": false, "a\x1f": false,
		},
		"notifications_path": {
			"/x/y": true, "x?a=b": true, " x": false, "x\x7f": false, "%zz": false,
		},
		"idempotency_key_header": {
			"X-Key": true, "User-Agent": true,
		},
	} {
		for text, valid := range texts {
			if _, _, diags := with(attribute, text).read(t); diags.HasError() == valid {
				t.Errorf("%s = %q: %v", attribute, text, diags)
			}
		}
	}
}
