package emulator

import (
	"net/http"
	"testing"
)

// Every endpoint rejects requests by another method than its own.
func TestRoutes(t *testing.T) {
	t.Parallel()
	const system = "a/b c:d"
	methods := map[string]string{"token": "POST", "submission": "POST", "studies": "GET"}
	for name, test := range map[string]struct {
		config Config
		want   map[string]string // target and system, by path
	}{
		"defaults": {Config{}, map[string]string{
			"/oauth2/token":     "token of ",
			"/notifications/v1": "submission of ",
			"/studies/v1":       "studies of ",
			"/%73tudies/v1":     "studies of ",
			"/studies/v1/":      "other of ",
			"//studies/v1":      "other of ",
			"/studies%2Fv1":     "other of ",
			"/Studies/v1":       "other of ",
			"/_emulator/ledger": "",
			"/_emulator":        "",
			"/x/_emulator/y":    "other of ",
		}},
		"systems": {Config{Systems: []string{system, "apac"}}, map[string]string{
			"/a%2Fb%20c:d/notifications/v1":   "submission of " + system,
			"/a%2Fb%20c%3Ad/notifications/v1": "submission of " + system,
			"/a%2fb%20c:d/studies/v1":         "studies of " + system,
			"/a/b%20c:d/studies/v1":           "other of ",
			"/apac/studies/v1":                "studies of apac",
			"/apac/a%2Fb%20c:d/studies/v1":    "other of ",
			"/studies/v1":                     "other of ",
		}},
		"paths": {Config{
			Systems: []string{"sys"},
			Paths:   map[string]string{"submission": "gate/way/send", "studies": "/find%2Fthem/"},
		}, map[string]string{
			"/gate/way/send":        "submission of ",
			"/find%2Fthem/":         "studies of ",
			"/find%2Fthem":          "other of ",
			"/sys/gate/way/send":    "other of ",
			"/sys/notifications/v1": "other of ",
		}},
	} {
		h := newHarness(t, test.config)
		for path, want := range test.want {
			h.ClearLedger()
			response := h.do(http.MethodPut, path, "")
			got := ""
			for _, r := range h.Ledger().Requests {
				key, _ := canonical(r.Path)
				got = r.Target + " of " + h.routes[key].system
				if allowed, ok := methods[r.Target]; ok {
					h.wantProblem(response, http.StatusMethodNotAllowed, allowed)
					if allow := response.header.Get("Allow"); allow != allowed {
						t.Errorf("%s: Allow is %q, want %q", path, allow, allowed)
					}
				}
			}
			if got != want {
				t.Errorf("%s: %s is %q, want %q", name, path, got, want)
			}
		}
	}
}
