package client

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// Trust and mutual TLS hold for the token endpoint as for the API, and where they fail nothing is
// sent and nothing is tried again.
func TestTLS(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t)
	for name, test := range map[string]struct {
		host            string // of the server's certificate
		trust, identify bool
		mutual          bool
		text            string
	}{
		"trusted":     {host: "127.0.0.1", trust: true},
		"mutual":      {host: "127.0.0.1", trust: true, mutual: true, identify: true},
		"not trusted": {host: "127.0.0.1", text: "certificate signed by unknown authority"},
		"wrong host":  {host: "192.0.2.1", trust: true, text: "not 127.0.0.1"},
		"no client certificate": {
			host: "127.0.0.1", trust: true, mutual: true, text: "certificate required",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := emulator.New(emulatorConfig())
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewUnstartedServer(nil)
			server.Config = e.NewServer()
			server.TLS = new(tls.Config)
			server.TLS.Certificates = []tls.Certificate{authority.issue(t, test.host)}
			if test.mutual {
				server.TLS.ClientAuth = tls.RequireAndVerifyClientCert
				server.TLS.ClientCAs = authority.pool()
			}
			// Refused handshakes are what this is about.
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.StartTLS()
			t.Cleanup(server.Close)

			config := testConfig(server.URL)
			if test.trust {
				config.RootCAs = authority.pool()
			}
			if test.identify {
				certificate := authority.issue(t, "192.0.2.9")
				config.Certificate = &certificate
			}
			c := New(config)
			token := func() error { _, err := c.tokens.Get(t.Context()); return err }
			submit := func() error {
				_, err := c.SubmitNotification(t.Context(), aNotification(), "")
				return err
			}

			if test.text == "" {
				if err := submit(); err != nil || len(e.Ledger().Submissions) != 1 {
					t.Errorf("%v, %d submissions", err, len(e.Ledger().Submissions))
				}
				return
			}
			for _, operation := range []Operation{FetchToken, SubmitNotification} {
				call := token
				if operation == SubmitNotification {
					holdToken(c)
					call = submit
				}
				failed := failure(t, call())
				if failed.Operation != operation || failed.Ambiguous || failed.Attempts != 1 ||
					!strings.Contains(failed.Error(), test.text) {
					t.Errorf("%s: %+v", operation, failed)
				}
			}
			if ledger := e.Ledger(); len(ledger.Requests) != 0 {
				t.Errorf("requests: %v", ledger.Requests)
			}
		})
	}
}

// authority is a certificate authority that lives for one test.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &authority{certificate: certificate, key: key}
}

func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// issue returns a certificate for an IP address, for servers and clients.
func (a *authority) issue(t *testing.T, ip string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), IPAddresses: []net.IP{net.ParseIP(ip)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}
