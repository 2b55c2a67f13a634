//go:build unix

package acceptance

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The secrets manager is read in each plan and each apply: a rotation between them is used, the
// secret is not stored, and a rotation alone sends nothing.
func secretsManagerExample(t *testing.T, w *workspace, text string) {
	w.put(t, "main.tf", strings.NewReplacer("hashicorp/vault", "hashicorp/fake",
		"~> 5.0", ">= 0", "vault", "fake").Replace(text)+oneNotification)
	w.setenv("NOTIFICATION_CLIENT_SECRET", "")
	rotate := func(secret string) {
		w.put(t, "secret/notification", `{"client_secret":"`+secret+`"}`)
	}
	rotate("canary-old")
	w.must(t, "plan", "-out=saved.tfplan")
	rotate(testSecret)
	w.must(t, "apply", "saved.tfplan")
	w.sent(t, "one")
	rotate("canary-new")
	w.settled(t)
	w.sent(t)
	for name, content := range searchable(t, w.dir) {
		if !strings.HasPrefix(name, "secret") && strings.Contains(string(content), "canary-") {
			t.Errorf("a secret is in %s", name)
		}
	}
}

// Another provider's block takes the token, which works and is in no file of the run.
func tokenExample(t *testing.T, w *workspace, text string) {
	w.put(t, "main.tf", strings.NewReplacer("Mastercard/restapi", "hashicorp/fake", "~> 3.0", ">= 0",
		"https://api.example.com", w.url).Replace(text)+`
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
	for name, content := range searchable(t, w.dir) {
		if strings.Contains(string(content), "emu_") {
			t.Errorf("the token is in %s", name)
		}
	}
}

// The example trusts a private certificate authority, and has a client certificate that the server
// requires.
func privateNetworkExample(t *testing.T, w *workspace, text string) {
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
	w.put(t, "main.tf", text+oneNotification)
	w.apply(t)
	w.sent(t, "one")
}
