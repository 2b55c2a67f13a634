//go:build unix

package acceptance

import (
	"strings"
	"testing"
)

// Requests to this machine bypass a proxy, in upper case too; that is why plain http is allowed for
// them. So do requests to the emulator at any address.
func TestNoProxyForThisMachine(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.setenv("HTTP_PROXY", "http://127.0.0.1:1") // where nothing listens
	w.setenv("NOTIFICATION_MAX_RETRIES", "0")
	_, port, _ := strings.Cut(strings.TrimPrefix(w.url, "http://"), ":")
	w.setenv("NOTIFICATION_AUTH_URL", "http://LOCALHOST:"+port)
	w.setenv("NOTIFICATION_BASE_URL", "http://LocalHost:"+port)
	w.write(t, oneNotification)
	w.apply(t)
	w.sent(t, "one")

	w.setenv("NOTIFICATION_ALLOW_INSECURE_HTTP", "true")
	for _, name := range []string{"AUTH_URL", "BASE_URL", "EMULATOR_URL"} {
		w.setenv("NOTIFICATION_"+name, "http://0.0.0.0:"+port) // this machine; not a loopback address
	}
	w.apply(t, "-replace=notification_notification.one")
	w.sent(t, "one")
}
