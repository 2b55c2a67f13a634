package settings

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Each wrong value is reported at its attribute, with the name of its variable, and without the
// value; by Validate too, with the same words, unless the environment may make it good.
func TestWrongValues(t *testing.T) {
	t.Parallel()
	certificate, key := newPair(t)
	otherCertificate, _ := newPair(t)
	damaged := strings.Replace(certificate, "-----\nMI", "-----\nXX", 1)
	pair := func(cert, key string) block {
		return block{"client_cert_pem": cert, "client_key_pem": key}
	}
	for name, test := range map[string]struct {
		set      block
		at, want string
	}{
		"relative":     {block{"auth_url": "auth.example.com"}, "auth_url", "absolute URL"},
		"other scheme": {block{"base_url": "ftp://b"}, "base_url", "absolute URL"},
		"no host":      {block{"base_url": "https:///x"}, "base_url", "absolute URL"},
		"user information": {
			block{"base_url": "https://canary:canary@b"}, "base_url", "user information",
		},
		"query":             {block{"auth_url": "https://a?canary=1"}, "auth_url", "query"},
		"empty query":       {block{"auth_url": "https://a?"}, "auth_url", "query"},
		"fragment":          {block{"auth_url": "https://a#canary"}, "auth_url", "fragment"},
		"empty fragment":    {block{"auth_url": "https://a#"}, "auth_url", "fragment"},
		"control character": {block{"auth_url": "https://a/\n"}, "auth_url", "is not a URL"},
		"no port":           {block{"base_url": "https://b:canary"}, "base_url", "is not a URL"},
		"high port":         {block{"base_url": "https://b:65536"}, "base_url", "65535"},
		"port 0":            {block{"base_url": "https://b:0"}, "base_url", "65535"},
		"dots in the root":  {block{"base_url": "https://b/a/../c"}, "base_url", ". or .."},
		"plain http": {
			block{"auth_url": "http://auth.example.com"}, "auth_url", "allow_insecure_http",
		},
		"plain http, refused": {
			block{"base_url": "http://10.0.0.1", "allow_insecure_http": false}, "base_url",
			"is plain http",
		},
		"looks like loopback": {
			block{"base_url": "http://127.0.0.1.example.com"}, "base_url", "allow_insecure_http",
		},
		"two segments":      {block{"system": "a/b"}, "system", "single path segment"},
		"path is a URL":     {block{"studies_path": "https://c"}, "studies_path", "not a URL"},
		"path leaves":       {block{"studies_path": "../x"}, "studies_path", ". or .."},
		"path leaves, %":    {block{"studies_path": "a/%2e%2e/x"}, "studies_path", ". or .."},
		"path, fragment":    {block{"studies_path": "x#y"}, "studies_path", "fragment"},
		"path of slashes":   {block{"studies_path": "//"}, "studies_path", "not a path"},
		"blank in query":    {block{"studies_path": "x?a b"}, "studies_path", "not a path"},
		"no duration":       {block{"request_timeout": "30"}, "request_timeout", "duration"},
		"no time":           {block{"request_timeout": "0s"}, "request_timeout", "above zero"},
		"retries":           {block{"max_retries": 11}, "max_retries", "0 to 10"},
		"negative retries":  {block{"max_retries": -1}, "max_retries", "0 to 10"},
		"blank scope":       {block{"scopes": list("a b")}, "scopes", "separated by spaces"},
		"empty scope":       {block{"scopes": list("")}, "scopes", "neither null nor empty"},
		"null scope":        {block{"scopes": list(nil)}, "scopes", "neither null nor empty"},
		"wrong and unknown": {block{"scopes": list("a b", unknown)}, "scopes", "separated by spaces"},
		"reserved header": {
			block{"headers": fields("host", "canary", "X-Key", unknown)}, `headers["host"]`,
			"needs it for itself",
		},
		"key header": {
			block{"headers": fields("X-Idempotency-Key", "canary")},
			`headers["X-Idempotency-Key"]`, "idempotency_key_header",
		},
		"header name": {
			block{"headers": fields("X Key", "canary")}, "headers", "not the name of a header",
		},
		"header name in Latin-1": {
			block{"headers": fields("X-\xe9", "canary")}, "headers", "not the name of a header",
		},
		"header value": {
			block{"headers": fields("X-Key", "canary\r\n")}, `headers["X-Key"]`, "line break",
		},
		"header without value": {
			block{"headers": fields("X-Key", nil)}, `headers["X-Key"]`, "has no value",
		},
		"header twice": {
			block{"headers": fields("X-Key", "1", "x-key", "2")}, `headers["x-key"]`, "given twice",
		},
		"no PEM":            {block{"ca_cert_pem": "canary"}, "ca_cert_pem", "no certificate in PEM"},
		"key for authority": {block{"ca_cert_pem": key}, "ca_cert_pem", "certificates only"},
		"damaged authority": {block{"ca_cert_pem": certificate + damaged}, "ca_cert_pem", "block 2"},
		"cut off authority": {
			block{"ca_cert_pem": certificate + certificate[:100]}, "ca_cert_pem", "not complete",
		},
		"certificate alone": {
			pair(certificate, ""), "client_key_pem", "together with client_cert_pem",
		},
		"key alone":      {pair("", key), "client_cert_pem", "together with client_key_pem"},
		"another's key":  {pair(otherCertificate, key), "client_key_pem", "not the private key"},
		"no key":         {pair(certificate, "canary"), "client_key_pem", "no private key in PEM"},
		"no certificate": {pair("canary", key), "client_cert_pem", "no certificate in PEM"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := with("system", nil)
			maps.Copy(b, test.set)
			_, _, diags := b.read(t)
			if !slices.Equal(paths(diags), []string{test.at}) ||
				!strings.Contains(diags[0].Detail(), test.want) {
				t.Fatalf("got %v, want one at %s: %s", diags, test.at, test.want)
			}
			if strings.Contains(diags[0].Summary()+diags[0].Detail(), "canary") {
				t.Errorf("quotes the value: %v", diags)
			}
			root, _, _ := strings.Cut(test.at, "[")
			if root != "headers" && !strings.Contains(diags[0].Detail(),
				" environment variable NOTIFICATION_"+strings.ToUpper(root)) {
				t.Errorf("does not name the variable: %s", diags[0].Detail())
			}

			want := diags
			if strings.Contains(test.want, "together with") || test.want == "allow_insecure_http" {
				want = nil
			}
			for _, b := range []block{b, test.set} {
				if got := Validate(t.Context(), b.config(t)); !reflect.DeepEqual(got, want) {
					t.Errorf("validation: got %v, want %v", got, want)
				}
			}
		})
	}
}

// Validation does without the environment: what it may add is neither missing nor wrong.
func TestValidate(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]block{
		"nothing":                      {},
		"an unknown address":           {"auth_url": unknown},
		"plain http that is allowed":   {"base_url": "http://b", "allow_insecure_http": true},
		"plain http that may be":       {"base_url": "http://b", "allow_insecure_http": unknown},
		"a header beside unknown ones": {"headers": unknown, "request_id_header": "X-Id"},
	} {
		if diags := Validate(t.Context(), b.config(t)); len(diags) > 0 {
			t.Errorf("%s: %v", name, diags)
		}
	}
	diags := Validate(t.Context(), block{"base_url": "ftp://b", "max_retries": 99}.config(t))
	if got := paths(diags); !slices.Equal(got, []string{"base_url", "max_retries"}) {
		t.Errorf("errors at %q", got)
	}
}
