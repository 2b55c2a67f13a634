package emulator

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A configured path of the service may claim /, and requests that are no look at the page are
// requests to the service.
func TestPathsThatClaimThePage(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{StudiesPath: "/"})
	h.wantProblem(h.do(http.MethodGet, "/", ""), http.StatusUnauthorized, "missing")
	if r := h.do(http.MethodGet, "/_emulator/", ""); !strings.Contains(r.body, "<title>Notification emulator") {
		t.Errorf("%d %s", r.status, r.body)
	}
	h = newHarness(t, Config{})
	h.wantProblem(h.do(http.MethodPost, "/", "{}"), http.StatusNotFound, "nothing at /")
}

// One event at first, and one for any number of changes at once.
func TestEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, Config{})
		began := time.Now()
		time.AfterFunc(time.Second, func() {
			for range 100 {
				h.e.RevokeTokens()
			}
		})
		time.AfterFunc(2*time.Second, h.e.ClearLedger)
		time.AfterFunc(time.Minute, h.e.Close)
		r := h.do(http.MethodGet, "/_emulator/events", "")
		took := time.Since(began)
		if r.body != "data:\n\ndata:\n\ndata:\n\n" || took != time.Minute {
			t.Errorf("got %q after %s", r.body, took)
		}
	})
}
