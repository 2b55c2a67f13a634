package acceptance

import (
	"strings"
	"testing"
)

// Requests to this machine bypass a proxy, however its name is spelt; that is why plain http is
// allowed for them.
func TestNoProxyForThisMachine(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.setenv("HTTP_PROXY", "http://127.0.0.1:1") // where nothing listens
	w.setenv("NOTIFICATION_MAX_RETRIES", "0")
	_, port, _ := strings.Cut(strings.TrimPrefix(w.url, "http://"), ":")
	w.setenv("NOTIFICATION_AUTH_URL", "http://localhost.:"+port)
	w.setenv("NOTIFICATION_BASE_URL", "http://LocalHost:"+port)
	w.write(t, oneNotification)
	w.apply(t)
	w.sent(t, "one")
}
