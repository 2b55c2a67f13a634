package settings

import (
	"bytes"
	"context"
	"crypto/x509"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// An invalid TRACEPARENT is ignored, and the debug log says so.
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
		if _, _, diags := Read(ctx, with("system", nil).config(t), getenv); diags.HasError() {
			t.Fatal(diags)
		}
		if got := strings.Count(log.String(), "Ignored the environment variable"); got != lines ||
			strings.Contains(log.String(), "canary") {
			t.Errorf("%q: %s", value, log.String())
		}
	}
}

// The characters that a value may contain.
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
	for attribute, texts := range map[string]map[string]bool{
		"system": {
			"emea": true, "a b": true, "ü": true, "...": true, "..": false, ".": false, "a/b": false,
			`a\b`: false, "a?": false, "a#": false, "a%": false, " a": false, "a ": false,
			"a\x7f": false, "a\x1f": false,
		},
		"notifications_path": {
			"/x/y": true, "x?a=b": true, " x": false, "x\x7f": false, "%zz": false,
		},
		"idempotency_key_header": {
			"Idempotency-Key": true, "x-idempotency-key": true, "X-Request-ID": true, "X-Key": true,
		},
	} {
		for text, valid := range texts {
			if _, _, diags := with(attribute, text).read(t); diags.HasError() == valid {
				t.Errorf("%s = %q: %v", attribute, text, diags)
			}
		}
	}
}

// Two certificates that `cat` joined are read even if the first has no line break at its end.
func TestCertificates(t *testing.T) {
	t.Parallel()
	first, key := newPair(t)
	second, _ := newPair(t)
	joined := strings.TrimSpace(first) + second
	got, err := parseCertificates(separateLines(joined))
	if err != nil || len(got) != 2 {
		t.Errorf("%d certificates, %v", len(got), err)
	}
	config := with("ca_cert_pem", joined).and("client_cert_pem", joined).
		and("client_key_pem", key).must(t)
	system, _ := x509.SystemCertPool()
	for _, certificate := range got {
		system.AddCert(certificate)
	}
	if !config.RootCAs.Equal(system) || len(config.Certificate.Certificate) != 2 {
		t.Errorf("%+v", config.Certificate)
	}
}
