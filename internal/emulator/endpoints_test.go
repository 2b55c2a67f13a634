package emulator

import (
	"net/http"
	"testing"
)

// The endpoint of each path, and its system. A path of the configuration has none. Every endpoint
// rejects requests by another method than its own.
func TestRoutes(t *testing.T) {
	t.Parallel()
	const gateway = "gate/way/send"
	methods := map[string]string{"token": "POST", "submission": "POST", "studies": "GET"}
	for _, test := range []struct {
		submission, studies string // replaced paths
		want                map[string]string
	}{
		{"", "", map[string]string{
			"/oauth2/token":                 "token of ",
			"/emea/oauth2/token":            "other of ",
			"/notifications/v1":             "submission of ",
			"/studies/v1":                   "studies of ",
			"/emea/notifications/v1":        "submission of emea",
			"/a%2Fb%20c:d/notifications/v1": "submission of a/b c:d",
			"/a%2fb/studies/v1":             "studies of a/b",
			"/a/b/studies/v1":               "other of ",
			"//studies/v1":                  "other of ",
			"/%73tudies/v1":                 "other of ",
			"/studies/v1/":                  "other of ",
			"/studies%2Fv1":                 "other of ",
			"/Studies/v1":                   "other of ",
			"/_emulator/ledger":             "",
			"/_emulator/studies/v1":         "",
			"/_emulator":                    "",
			"/x/_emulator/y":                "other of ",
		}},
		{gateway, "/find%2Fthem/", map[string]string{
			"/gate/way/send":     "submission of ",
			"/find%2Fthem/":      "studies of ",
			"/find%2Fthem":       "other of ",
			"/sys/gate/way/send": "other of ",
			"/notifications/v1":  "other of ",
			"/emea/studies/v1":   "other of ",
		}},
		{"", "x/notifications/v1", map[string]string{ // an exact path wins
			"/x/notifications/v1": "studies of ",
			"/y/notifications/v1": "submission of y",
		}},
		{"send%20it", "/", map[string]string{"/send%20it": "submission of ", "/": "studies of "}},
	} {
		h := newHarness(t, Config{NotificationsPath: test.submission, StudiesPath: test.studies})
		for path, want := range test.want {
			h.ClearLedger()
			response := h.do(http.MethodPut, path, "")
			got := ""
			for _, r := range h.Ledger().Requests {
				_, system := h.route(r.Path)
				got = r.Target + " of " + system
				if allowed, ok := methods[r.Target]; ok {
					h.wantProblem(response, http.StatusMethodNotAllowed, allowed)
					if allow := response.header.Get("Allow"); allow != allowed {
						t.Errorf("%s: Allow is %q, want %q", path, allow, allowed)
					}
				}
			}
			if got != want {
				t.Errorf("%s: %s is %q, want %q", test.submission, path, got, want)
			}
		}
	}
}
