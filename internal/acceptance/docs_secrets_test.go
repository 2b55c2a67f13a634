//go:build unix

package acceptance

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// The secrets manager is read in each plan and each apply: a rotation between them is used, the
// secret is not stored, and a rotation alone sends nothing.
func TestExampleSecretsManager(t *testing.T) {
	t.Parallel()
	w := newExample(t, "1.10", "secrets-manager/main.tf")
	w.edit(t, "hashicorp/vault", "hashicorp/fake", "~> 5.0", ">= 0", "vault", "fake")
	w.put(t, "one.tf", oneNotification)
	w.setenv("NOTIFICATION_CLIENT_SECRET", "")
	w.put(t, "secret/notification", `{"client_secret":"canary-old"}`)
	w.must(t, "plan", "-out=saved.tfplan")
	w.put(t, "secret/notification", `{"client_secret":"`+testSecret+`"}`)
	w.must(t, "apply", "saved.tfplan")
	w.sent(t, "one")
	w.put(t, "secret/notification", `{"client_secret":"canary-new"}`)
	w.settled(t)
	w.sent(t)
	if err := os.RemoveAll(filepath.Join(w.dir, "secret")); err != nil {
		t.Fatal(err)
	}
	w.keepSecret(t, "", "canary-")
}

// Another provider's block takes the token, which works and is in no file of the run.
func TestExampleAccessToken(t *testing.T) {
	t.Parallel()
	w := newExample(t, "1.10",
		"ephemeral-resources/notification_access_token/ephemeral-resource.tf")
	w.edit(t, "Mastercard/restapi", "hashicorp/fake", "~> 3.0", ">= 0",
		"https://api.example.com", w.url)
	w.put(t, "subscription.tf", `
resource "restapi_object" "subscription" {
  path = "/subscriptions"
}
`)
	w.apply(t)
	w.settled(t)
	requests := w.Ledger().Requests
	if last := requests[len(requests)-1]; last.Target != "studies" || last.Status != http.StatusOK {
		t.Errorf("the last request is %+v", last)
	}
	w.keepSecret(t, "", "emu_") // how the emulator's tokens begin
}

// The example trusts a private certificate authority, and has a client certificate that the server
// requires.
func TestExamplePrivateNetwork(t *testing.T) {
	t.Parallel()
	w := newExample(t, "", "private-network/main.tf")
	server := httptest.NewUnstartedServer(w.Emulator)
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.StartTLS()
	t.Cleanup(server.Close)
	pair := server.TLS.Certificates[0] // the client has the same
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	encode := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	w.put(t, "ca.pem", encode("CERTIFICATE", pair.Certificate[0]))
	w.put(t, "client.pem", encode("CERTIFICATE", pair.Certificate[0]))
	w.put(t, "client-key.pem", encode("PRIVATE KEY", key))
	w.setenv("NOTIFICATION_AUTH_URL", server.URL)
	w.setenv("NOTIFICATION_BASE_URL", server.URL)
	w.put(t, "one.tf", oneNotification)
	w.apply(t)
	w.sent(t, "one")
}
