package client

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
)

// The CA certificates and the client certificate apply to the token endpoint and to the API. If the
// handshake fails, nothing is sent or retried.
func TestTLS(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		trust, identify bool
		reason          wire.Reason
		text            string
	}{
		"mutual":                {true, true, wire.NoReason, ""},
		"not trusted":           {false, true, wire.UntrustedCertificate, "signed by unknown authority"},
		"no client certificate": {true, false, wire.CertificateRejected, "certificate required"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := emulator.New(emulatorConfig())
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewUnstartedServer(nil)
			server.Config = e.NewServer()
			server.Config.ErrorLog = log.New(io.Discard, "", 0) // of failed handshakes
			server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
			server.StartTLS()
			t.Cleanup(server.Close)

			config := testConfig("https://example.com") // the host in the certificate of httptest
			config.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
			}
			if test.trust {
				config.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
			}
			if test.identify {
				config.Certificate = &server.TLS.Certificates[0] // any certificate
			}
			c := New(config)
			if test.text == "" {
				mustSubmit(t, c)
				checkReceived(t, e, 1, 1)
				return
			}
			_, err = c.tokens.Get(t.Context())
			noToken := asError(t, err)
			presetToken(c)
			for operation, failed := range map[Operation]*Error{
				FetchToken: noToken, SubmitNotification: mustNotSubmit(t, c),
			} {
				if failed.Operation != operation || failed.Ambiguous || failed.Attempts != 1 ||
					failed.Reason != test.reason || !strings.Contains(failed.Error(), test.text) {
					t.Errorf("%s: %+v", operation, failed)
				}
			}
			if ledger := e.Ledger(); len(ledger.Requests) != 0 {
				t.Errorf("requests: %v", ledger.Requests)
			}
		})
	}
}
