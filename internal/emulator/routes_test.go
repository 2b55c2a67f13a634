package emulator

import (
	"net/http"
	"strings"
	"testing"
)

func TestRoutes(t *testing.T) {
	t.Parallel()
	const system = "a/b c:d"
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
		"system": {Config{Systems: []string{system}}, map[string]string{
			"/a%2Fb%20c:d/notifications/v1":   "submission of " + system,
			"/a%2Fb%20c%3Ad/notifications/v1": "submission of " + system,
			"/a%2fb%20c:d/studies/v1":         "studies of " + system,
			"/a/b%20c:d/studies/v1":           "other of ",
			"/studies/v1":                     "other of ",
		}},
		"two systems": {Config{Systems: []string{"emea", "apac"}}, map[string]string{
			"/oauth2/token":          "token of ",
			"/emea/notifications/v1": "submission of emea",
			"/apac/notifications/v1": "submission of apac",
			"/apac/studies/v1":       "studies of apac",
			"/emea/apac/studies/v1":  "other of ",
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
			h.e.ClearLedger()
			h.do(http.MethodPut, path, "")
			got := ""
			for _, r := range h.e.Ledger().Requests {
				key, _ := canonical(r.Path)
				got = r.Target + " of " + h.e.routes[key].system
			}
			if got != want {
				t.Errorf("%s: %s is %q, want %q", name, path, got, want)
			}
		}
	}
}

// All invalid paths are reported.
func TestNewRejectsPaths(t *testing.T) {
	t.Parallel()
	const taken = " path must differ from that of every other endpoint"
	for _, test := range []struct {
		systems             []string
		submission, studies string // paths
		want                []string
	}{
		{nil, "n?x=y", "s#x", []string{
			`the notifications path "n?x=y" must not hold a query or a fragment`,
			`the studies path "s#x" must not hold a query or a fragment`,
		}},
		{nil, "", "%zz", []string{
			`the studies path "%zz" is not escaped as in a URL: invalid URL escape "%zz"`,
		}},
		{nil, "_emulator", "/_emulator", []string{
			"the notifications path must not be below /_emulator",
			"the studies path must not be below /_emulator",
		}},
		{[]string{"_emulator", "a", "a"}, "oauth2/%74oken", "", []string{
			"the notifications" + taken, "the studies path must not be below /_emulator",
			"the studies" + taken,
		}},
	} {
		_, err := New(Config{
			ClientID: testID, ClientSecret: testSecret, Systems: test.systems,
			Paths: map[string]string{"submission": test.submission, "studies": test.studies},
		})
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		}
	}
}
