//go:build unix

package acceptance

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
)

// The secrets manager is read in each plan and each apply: a rotation between them is used, no
// secret is stored, and a rotation alone sends nothing.
func secretsManagerExample(t *testing.T, w *workspace, text string) {
	if !hasVersion(t, "1.11") {
		skip(t, "needs write-only values, of Terraform 1.11")
	}
	const invitation = `
ephemeral "vault_kv_secret_v2" "invitation" {
  mount = "secret"
  name  = "invitation"
}

resource "notification_notification" "invitation" {
  priority = "NORMAL"
  channels = [{
    type        = "email"
    recipient   = ["new.colleague@example.com"]
    template_id = "invitation"
    fields_wo   = { code = ephemeral.vault_kv_secret_v2.invitation.data.code }
  }]
}
`
	w.useFakeProvider(t)
	w.put(t, "main.tf", strings.NewReplacer("hashicorp/vault", "hashicorp/fake",
		"~> 5.0", ">= 0", "vault", "fake").Replace(text+invitation))
	w.setenv("NOTIFICATION_CLIENT_SECRET", "")
	const oldCode, newCode = "canary-old-code", "canary-new-code"
	manager := func(secret, code string) {
		w.put(t, "secret/notification", `{"client_secret":"`+secret+`"}`)
		w.put(t, "secret/invitation", `{"code":"`+code+`"}`)
	}
	manager(testSecret+"-old", oldCode)
	w.must(t, "plan", "-out=saved.tfplan")
	manager(testSecret, newCode)
	w.must(t, "apply", "saved.tfplan")
	if got := w.Ledger().Submissions[0].Channels[0].Fields["code"]; got != newCode {
		t.Errorf("sent the code %q, want the one at apply", got)
	}
	w.sent(t, "")
	manager(testSecret, oldCode)
	w.settled(t)
	w.sent(t)
	for name, content := range searchable(t, w.dir) {
		if !strings.HasPrefix(name, "secret") && (strings.Contains(string(content), testSecret) ||
			strings.Contains(string(content), "-code")) {
			t.Errorf("a secret is in %s", name)
		}
	}
}

// Another provider's block takes the token, which works and is in no file of the run.
func tokenExample(t *testing.T, w *workspace, text string) {
	w.useFakeProvider(t)
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
	service, err := url.Parse(w.url)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(httputil.NewSingleHostReverseProxy(service))
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
