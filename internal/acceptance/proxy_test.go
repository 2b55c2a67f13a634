package acceptance

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

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
