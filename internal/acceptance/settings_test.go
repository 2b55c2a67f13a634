package acceptance

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// A plan succeeds although a secret is created in the same run. Only a lookup during the plan
// fails; the error names the setting.
func TestSecretKnownAfterApply(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.useFakeProvider(t)
	w.setenv("NOTIFICATION_CLIENT_SECRET", "canary-wrong")
	const config = `
resource "fake_later" "secret" {
  input = "` + testSecret + `"
}
provider "notification" {
  client_secret = fake_later.secret.output
}
`
	const lookup = `
data "notification_studies" "atlas" {
  name = "ATLAS"
}
`
	w.write(t, config+lookup)
	if output, status := w.terraform(t, "plan"); status != 1 ||
		!strings.Contains(words(output), "known only after apply: client_secret.") {
		t.Errorf("exit status %d\n%s", status, output)
	}
	w.sent(t)
	w.write(t, config+oneNotification)
	w.apply(t)
	w.write(t, config+oneNotification+lookup)
	w.apply(t)
	w.sent(t, "one")
}

// Requests to this machine bypass a proxy, however its name is spelt; that is why plain http is
// allowed for them.
func TestNoProxyForThisMachine(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	var proxied atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		proxied.Add(1)
	}))
	t.Cleanup(proxy.Close)
	w.setenv("HTTP_PROXY", proxy.URL)
	_, port, _ := strings.Cut(strings.TrimPrefix(w.url, "http://"), ":")
	w.setenv("NOTIFICATION_AUTH_URL", "http://localhost.:"+port)
	w.setenv("NOTIFICATION_BASE_URL", "http://LocalHost:"+port)
	w.write(t, oneNotification)
	w.apply(t)
	w.sent(t, "one")
	if n := proxied.Load(); n > 0 {
		t.Errorf("%d requests went to the proxy", n)
	}
}
